/* SPDX-License-Identifier: BSD-3-Clause */
/* grid: places of ranks in a grid, their neighbours, and the boundaries at which they are. */
#include "replay/extrapolate/extrapolate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t replay_grid_ranks(const struct replay_grid *g)
{
    return g->size[0] * g->size[1] * g->size[2];
}

void replay_grid_place(const struct replay_grid *g, uint32_t rank, uint32_t *at)
{
    for (int d = 0; d < REPLAY_DIMENSIONS; d++) {
        at[d] = rank % g->size[d];
        rank /= g->size[d];
    }
}

uint32_t replay_grid_neighbor(const struct replay_grid *g, uint32_t rank, const int *offset)
{
    uint32_t at[REPLAY_DIMENSIONS], found = 0;
    replay_grid_place(g, rank, at);
    for (int d = REPLAY_DIMENSIONS - 1; d >= 0; d--) {
        int64_t there = (int64_t)at[d] + offset[d], size = g->size[d];
        if (g->periodic[d])
            there = (there + size) % size;
        if (there < 0 || there >= size)
            return REPLAY_ANY;
        found = found * g->size[d] + (uint32_t)there;
    }
    return found;
}

/* Two in a row are neighbours without going around. */
bool replay_grid_offset(struct replay_grid *g, uint32_t rank, uint32_t peer, bool notes, int *offset)
{
    uint32_t a[REPLAY_DIMENSIONS], b[REPLAY_DIMENSIONS];
    replay_grid_place(g, rank, a);
    replay_grid_place(g, peer, b);
    for (int d = 0; d < REPLAY_DIMENSIONS; d++) {
        int64_t distance = (int64_t)b[d] - a[d], around = (int64_t)g->size[d] - 1;
        if (distance >= -1 && distance <= 1) {
            offset[d] = (int)distance;
            continue;
        }
        if (distance != around && distance != -around)
            return false;
        if (notes)
            g->periodic[d] = true;
        offset[d] = distance > 0 ? -1 : 1;
    }
    return true;
}

unsigned replay_grid_way(const int *offset)
{
    unsigned way = 0;
    for (int d = 0; d < REPLAY_DIMENSIONS; d++)
        way = 3 * way + (unsigned)(offset[d] + 1);
    return way;
}

unsigned replay_grid_way_back(const int *offset)
{
    return REPLAY_OFFSETS - 1 - replay_grid_way(offset);
}

uint32_t replay_grid_class(const struct replay_grid *g, uint32_t rank)
{
    uint32_t at[REPLAY_DIMENSIONS], class = 0;
    replay_grid_place(g, rank, at);
    for (int d = 0; d < REPLAY_DIMENSIONS; d++) {
        uint32_t boundary = at[d] == 0 ? 0 : at[d] + 1 == g->size[d] ? 2 : 1;
        class = 3 * class + (g->periodic[d] ? 1 : boundary);
    }
    return class;
}

void replay_grid_text(const struct replay_grid *g, char *buf, size_t size)
{
    size_t n = (size_t)snprintf(buf, size, "%" PRIu32, g->size[0]);
    for (int d = 1; d < REPLAY_DIMENSIONS; d++)
        if (g->size[d] > 1 && n < size)
            n += (size_t)snprintf(buf + n, size - n, " x %" PRIu32, g->size[d]);
}

int replay_grid_parse(const char *text, uint32_t *sizes, uint32_t *size, struct base_status *st)
{
    const uint64_t most = 1 << 22;
    uint64_t ranks = 1;
    *sizes = 0;
    for (const char *p = text;; p++) {
        uint64_t n = 0;
        char *end = NULL;
        if (*p >= '1' && *p <= '9' && *sizes < REPLAY_DIMENSIONS)
            n = strtoull(p, &end, 10);
        if (!n || n > most || (ranks *= n) > most || (*end && *end != 'x'))
            return base_fail(st,
                             "%.80s: expected a number of ranks, or up to three sizes of a grid, \"8x8\": "
                             "4194304 ranks at most",
                             text);
        size[(*sizes)++] = (uint32_t)n;
        p = end;
        if (!*p)
            return 0;
    }
}
