/* SPDX-License-Identifier: BSD-3-Clause */
/* extrapolate: writes the tape of a larger grid, in which each rank does what one at the same boundaries does. */
#include "replay/extrapolate/extrapolate.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- the larger grid ------------------------------------------------------------------------------------- */

static uint32_t least_factor(uint32_t n)
{
    for (uint32_t f = 2; f * f <= n; f++)
        if (n % f == 0)
            return f;
    return n;
}

/* Each prime factor goes to the dimension that has grown least, the slowest one first. */
static void grow(struct replay_grid *to, const struct replay_grid *from, uint32_t times)
{
    for (uint32_t factor; times > 1; times /= factor) {
        int best = 0;
        bool found = false;
        factor = least_factor(times);
        for (int d = REPLAY_DIMENSIONS - 1; d >= 0; d--) {
            bool there = from->size[d] > 1 || (d == 0 && replay_grid_ranks(from) == 1);
            if (there && (!found || (uint64_t)to->size[d] * from->size[best] <
                                        (uint64_t)to->size[best] * from->size[d])) {
                best = d;
                found = true;
            }
        }
        to->size[best] *= factor;
    }
}

/* A dimension of two has no rank between its ends. */
static int check_inner(const struct replay_larger *w)
{
    const struct replay_grid *from = &w->x->from, *to = &w->x->to;
    for (int d = 0; d < REPLAY_DIMENSIONS && from->known; d++)
        if (from->size[d] < 3 && to->size[d] > from->size[d]) {
            char grid[64];
            replay_grid_text(from, grid, sizeof grid);
            return base_fail(w->st,
                             "%s: the ranks form a grid of %s: expected 3 at least in each dimension that is "
                             "to grow, as no "
                             "rank shows what is done between the ends",
                             w->path, grid);
        }
    return 0;
}

static int choose_grid(struct replay_larger *w, uint32_t sizes, const uint32_t *size)
{
    struct replay_grid *from = &w->x->from, *to = &w->x->to;
    uint32_t n = replay_grid_ranks(from), ranks = size[0];
    char grid[64];
    *to = *from;
    if (sizes > 1) {
        bool fits = true;
        for (uint32_t d = 0; d < REPLAY_DIMENSIONS; d++) {
            to->size[d] = d < sizes ? size[d] : 1;
            fits = fits && to->size[d] >= from->size[d] && (from->size[d] > 1 || to->size[d] == 1);
        }
        replay_grid_text(from, grid, sizeof grid);
        return fits ? check_inner(w)
                    : base_fail(w->st,
                                "%s: the ranks form a grid of %s: expected as many sizes, and none smaller",
                                w->path, grid);
    }
    if (ranks % n)
        return base_fail(
            w->st, "%s: --extrapolate %" PRIu32 ": expected a multiple of %" PRIu32 ", the trace's ranks",
            w->path, ranks, n);
    grow(to, from, ranks / n);
    return check_inner(w);
}

/* --- from place to place --------------------------------------------------------------------------------- */

uint32_t replay_larger_model(const struct replay_larger *w, uint32_t rank)
{
    const struct replay_grid *from = &w->x->from, *to = &w->x->to;
    uint32_t at[REPLAY_DIMENSIONS], model = 0;
    replay_grid_place(to, rank, at);
    for (int d = REPLAY_DIMENSIONS - 1; d >= 0; d--) {
        uint32_t n = from->size[d], k = at[d];
        if (from->periodic[d] || n < 3)
            k = n < 3 && k > 0 && k + 1 == to->size[d] ? n - 1 : k % n;
        else if (k + 1 == to->size[d])
            k = n - 1;
        else if (k > 0)
            k = 1 + (k - 1) % (n - 2);
        model = model * n + k;
    }
    return model;
}

static int write_rank(struct replay_larger *w, uint32_t rank)
{
    uint32_t model = replay_larger_model(w, rank);
    struct replay_cursor c;
    struct replay_action a = {0};
    int rc = 0;
    replay_cursor_begin(w->from, model, &c);
    while (!rc && replay_cursor_next(w->from, &c, &a)) {
        rc = replay_larger_action(w, model, rank, &a);
        if (!rc)
            replay_tape_write(w->to, rank, &a);
        a = (struct replay_action){0};
    }
    replay_cursor_end(&c);
    return rc;
}

static uint32_t count_classes(const struct replay_grid *g)
{
    bool there[REPLAY_CLASSES] = {false};
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < replay_grid_ranks(g); rank++) {
        bool *class = &there[replay_grid_class(g, rank)];
        n += !*class;
        *class = true;
    }
    return n;
}

static void set_scales(struct replay_larger *w)
{
    w->part = 1;
    for (int d = 0; d < REPLAY_DIMENSIONS; d++) {
        bool strong = w->x->scaling == REPLAY_STRONG;
        w->shrink[d] = strong ? (double)w->x->from.size[d] / w->x->to.size[d] : 1;
        w->part *= w->shrink[d];
    }
}

struct replay_tape *replay_extrapolate(struct replay_tape *t, const char *path, uint32_t sizes,
                                       const uint32_t *size, struct replay_extrapolation *out,
                                       struct base_status *st)
{
    struct replay_larger w = {.from = t, .path = path, .x = out, .st = st};
    if (replay_grid_find(t, path, &out->from, st) || choose_grid(&w, sizes, size))
        return NULL;
    set_scales(&w);
    out->symmetric = replay_tape_symmetric(t);
    if (out->symmetric) {
        w.deeds = replay_deeds_create(t, &out->from);
        out->waits = replay_deeds_waits(w.deeds, &out->uneven);
    }
    out->classes = count_classes(&out->from);
    w.to = replay_tape_create();
    replay_tape_ranks_least(w.to, replay_grid_ranks(&out->to));
    int rc = 0;
    for (uint32_t rank = 0; rank < replay_grid_ranks(&out->to) && !rc; rank++)
        rc = write_rank(&w, rank);
    replay_tape_seal(w.to);
    replay_deeds_destroy(w.deeds);
    free(w.words.at);
    if (!rc)
        return w.to;
    replay_tape_destroy(w.to);
    return NULL;
}
