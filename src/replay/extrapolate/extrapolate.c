/* SPDX-License-Identifier: BSD-3-Clause */
/* extrapolate: writes the tape of a larger grid, in which each rank does what one at the same boundaries does. */
#include "replay/extrapolate/extrapolate.h"

#include "base/table.h"
#include "coll/coll.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct replay_tape *from, *to;
    const char *path;
    struct replay_extrapolation *x;
    double
        shrink[REPLAY_DIMENSIONS]; /* of a rank's part of the problem, in each dimension; 1: weak scaling */
    double part;                   /* of all of it */
    BASE_ARRAY(int64_t) counts;
    struct base_status *st;
};

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
static int check_inner(const struct work *w)
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

static int choose_grid(struct work *w, uint32_t sizes, const uint32_t *size)
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

/* The rank of the trace that stands for one of the larger grid: at the same ends; the others in turn. */
static uint32_t model_of(const struct work *w, uint32_t rank)
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

static int move_peer(struct work *w, uint32_t model, uint32_t rank, const struct replay_action *a,
                     uint32_t *peer, int *offset)
{
    if (*peer == REPLAY_ANY)
        return 0;
    (void)replay_grid_offset(&w->x->from, model, *peer, false, offset);
    uint32_t there = replay_grid_neighbor(&w->x->to, rank, offset);
    if (there == REPLAY_ANY)
        return base_fail(w->st,
                         "%s: not regular: what rank %" PRIu32 " does on line %" PRIu32
                         " is not that of its boundary",
                         w->path, model, a->line);
    *peer = there;
    return 0;
}

/* A root is at an end of all dimensions, or there is no telling which rank it is in the larger grid. */
static int move_root(struct work *w, struct replay_action *a)
{
    if (!coll_op_is_rooted((enum coll_op)a->number) || a->peer == 0)
        return 0;
    if (a->peer + 1 != replay_grid_ranks(&w->x->from))
        return base_fail(w->st,
                         "%s: line %" PRIu32 ": the root is rank %" PRIu32
                         ": expected the first or the last one, to extrapolate",
                         w->path, a->line, a->peer);
    a->peer = replay_grid_ranks(&w->x->to) - 1;
    return 0;
}

/* --- sizes ----------------------------------------------------------------------------------------------- */

static uint64_t scaled(uint64_t bytes, double by)
{
    if (bytes == REPLAY_UNKNOWN_SIZE || by == 1)
        return bytes;
    uint64_t less = (uint64_t)((double)bytes * by + 0.5);
    return bytes && !less ? 1 : less;
}

/* What goes through a face of a rank's part is as large as that face. */
static double face(const struct work *w, const int *offset)
{
    double by = 1;
    for (int d = 0; d < REPLAY_DIMENSIONS; d++)
        if (!offset[d])
            by *= w->shrink[d];
    return by;
}

/* Of what a collective moves between members: parts of the problem get smaller, with the number of members at both
 * ends in an exchange; what all members have does not. */
static double share(const struct work *w, enum coll_op op)
{
    switch (op) {
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        return w->part * w->part;
    case COLL_FCOLLECT:
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_SCATTER:
    case COLL_SCATTERV:
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER:
        return w->part;
    default:
        return 1;
    }
}

static void spread_counts(struct work *w, struct replay_action *a, double by)
{
    uint32_t ranks = replay_grid_ranks(&w->x->to);
    const int64_t *lists[] = {a->counts, a->counts2};
    const uint32_t n[] = {a->n, a->n2};
    w->counts.n = 0;
    for (int l = 0; l < 2; l++)
        for (uint32_t k = 0; n[l] && k < ranks; k++)
            BASE_ARRAY_PUSH(&w->counts, (int64_t)scaled((uint64_t)lists[l][model_of(w, k)], by));
    a->counts = w->counts.at;
    a->counts2 = a->n2 ? w->counts.at + ranks : NULL;
    a->n2 = a->n2 ? ranks : 0;
    a->n = ranks;
}

/* bytes2 of a collective is the size of its type. */
static int move_collective(struct work *w, struct replay_action *a)
{
    double by = share(w, (enum coll_op)a->number);
    a->bytes = scaled(a->bytes, by);
    a->amount *= by;
    if (a->n)
        spread_counts(w, a, by);
    return move_root(w, a);
}

/* --- the tape -------------------------------------------------------------------------------------------- */

static int move_action(struct work *w, uint32_t model, uint32_t rank, struct replay_action *a)
{
    unsigned has = replay_kind_fields(a->kind);
    int to[REPLAY_DIMENSIONS] = {0}, from[REPLAY_DIMENSIONS] = {0};
    if (has & REPLAY_GROUP)
        return move_collective(w, a);
    if (a->kind == REPLAY_COMPUTE || a->kind == REPLAY_SECONDS)
        a->amount *= w->part;
    if (a->kind == REPLAY_SECONDS) { /* bytes: a count of instructions */
        a->bytes = (uint64_t)((double)a->bytes * w->part);
        return 0;
    }
    if (a->kind == REPLAY_MOVES) {
        a->bytes = (uint64_t)((double)a->bytes * w->part);
        a->bytes2 = (uint64_t)((double)a->bytes2 * w->part);
        return 0;
    }
    if ((has & REPLAY_PEER) && move_peer(w, model, rank, a, &a->peer, to))
        return -1;
    if ((has & REPLAY_PEER2) && move_peer(w, model, rank, a, &a->peer2, from))
        return -1;
    if (has & REPLAY_BYTES)
        a->bytes = scaled(a->bytes, face(w, to));
    if (has & REPLAY_BYTES2)
        a->bytes2 = scaled(a->bytes2, face(w, from));
    return 0;
}

static int write_rank(struct work *w, uint32_t rank)
{
    uint32_t model = model_of(w, rank);
    struct replay_cursor c;
    struct replay_action a = {0};
    int rc = 0;
    replay_cursor_begin(w->from, model, &c);
    while (!rc && replay_cursor_next(w->from, &c, &a)) {
        rc = move_action(w, model, rank, &a);
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

static void set_scales(struct work *w)
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
    struct work w = {.from = t, .path = path, .x = out, .st = st};
    if (replay_grid_find(t, path, &out->from, st) || choose_grid(&w, sizes, size))
        return NULL;
    set_scales(&w);
    out->classes = count_classes(&out->from);
    w.to = replay_tape_create();
    replay_tape_ranks_least(w.to, replay_grid_ranks(&out->to));
    int rc = 0;
    for (uint32_t rank = 0; rank < replay_grid_ranks(&out->to) && !rc; rank++)
        rc = write_rank(&w, rank);
    replay_tape_seal(w.to);
    free(w.counts.at);
    if (!rc)
        return w.to;
    replay_tape_destroy(w.to);
    return NULL;
}
