/* SPDX-License-Identifier: BSD-3-Clause */
/* leaders: what operations with a root in two levels share. */
#include "coll/levels/leaders.h"

bool levels_all_equal(const struct coll_hosts *l)
{
    for (uint32_t h = 1; h < l->count; h++)
        if (levels_width(l, h) != levels_width(l, 0))
            return false;
    return true;
}

static uint32_t first_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return s->hosts->member[s->hosts->first[k]];
}

static uint32_t of_host(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

void levels_host(const struct coll_schedule *s, struct coll_part *p, uint32_t index)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    p->first = l->first[h];
    p->size = levels_width(l, h);
    p->me = l->index[s->me];
    p->root = levels_lead(l, h, index);
    p->member = of_host;
}

void levels_firsts(const struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    p->me = l->host[s->me];
    p->size = l->count;
    p->root = l->host[s->root];
    p->member = first_of;
}

uint64_t levels_parts_at(const struct coll_schedule *s, uint32_t index)
{
    return s->me == levels_top(s, index) ? s->hosts->first[s->hosts->host[s->root]] * s->bytes : 0;
}

uint64_t levels_room(struct coll_schedule *s, uint32_t index)
{
    uint32_t parts = 0;
    if (s->me == levels_top(s, index) || s->me == s->root)
        parts = s->size;
    else if (s->me == levels_mine(s, index))
        parts = levels_width(s->hosts, s->hosts->host[s->me]);
    coll_temp(s, parts * s->bytes + 1);
    return parts * s->bytes;
}

void levels_add_reordered(struct coll_schedule *s, bool to_dest)
{
    const uint32_t *member = s->hosts->member;
    uint64_t m = s->bytes;
    for (uint32_t k = 0, n; m && k < s->size; k += n) {
        for (n = 1; k + n < s->size && member[k + n] == member[k] + n;)
            n++;
        coll_place temp = coll_at(COLL_TEMP, k * m);
        if (to_dest)
            coll_add_copy(s, temp, coll_part_at(s, COLL_DEST, member[k]), n * m);
        else
            coll_add_copy(s, coll_part_at(s, COLL_SOURCE, member[k]), temp, n * m);
    }
}

bool levels_add_between(struct coll_schedule *s, uint32_t round, uint32_t index, bool in_turn, bool up)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t top = levels_top(s, index), root = l->host[s->root], others = l->count - 1;
    if (round >= (in_turn && s->me == top ? others : 1))
        return false;
    if (s->me != top) {
        coll_add_message(s, up, top, 0, coll_at(COLL_TEMP, 0), levels_width(l, l->host[s->me]) * s->bytes);
        return true;
    }
    uint32_t from = in_turn ? round : 0, end = in_turn ? round + 1 : others;
    for (uint32_t k = from; k < end; k++) {
        uint32_t h = k < root ? k : k + 1;
        coll_add_message(s, !up, levels_leader(l, h, index), 0, coll_at(COLL_TEMP, l->first[h] * s->bytes),
                         levels_width(l, h) * s->bytes);
    }
    return true;
}
