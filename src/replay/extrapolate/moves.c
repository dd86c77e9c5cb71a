/* SPDX-License-Identifier: BSD-3-Clause */
/* moves: an action of a rank of the trace becomes that of the rank of the larger grid for which it stands. */
#include "replay/extrapolate/extrapolate.h"

#include "coll/coll.h"

#include <inttypes.h>

/* --- ranks ---------------------------------------------------------------------------------------------- */

int replay_larger_peer(struct replay_larger *w, uint32_t model, uint32_t rank, uint32_t line, uint32_t *peer,
                       int *offset)
{
    if (*peer == REPLAY_ANY)
        return 0;
    (void)replay_grid_offset(&w->x->from, model, *peer, false, offset);
    uint32_t there = replay_grid_neighbor(&w->x->to, rank, offset);
    if (there == REPLAY_ANY)
        return base_fail(w->st,
                         "%s: not regular: what rank %" PRIu32 " does on line %" PRIu32
                         " is not that of its boundary",
                         w->path, model, line);
    *peer = there;
    return 0;
}

/* A root is at an end of all dimensions, or there is no telling which rank it is in the larger grid. */
int replay_larger_root(struct replay_larger *w, uint32_t line, uint32_t *root)
{
    if (*root == 0)
        return 0;
    if (*root + 1 != replay_grid_ranks(&w->x->from))
        return base_fail(w->st,
                         "%s: line %" PRIu32 ": the root is rank %" PRIu32
                         ": expected the first or the last one, to extrapolate",
                         w->path, line, *root);
    *root = replay_grid_ranks(&w->x->to) - 1;
    return 0;
}

/* --- sizes ----------------------------------------------------------------------------------------------- */

uint64_t replay_larger_size(uint64_t bytes, double by)
{
    if (bytes == REPLAY_UNKNOWN_SIZE || by == 1)
        return bytes;
    uint64_t less = (uint64_t)((double)bytes * by + 0.5);
    return bytes && !less ? 1 : less;
}

/* What goes through a face of a rank's part is as large as that face. */
double replay_larger_face(const struct replay_larger *w, const int *offset)
{
    double by = 1;
    for (int d = 0; d < REPLAY_DIMENSIONS; d++)
        if (!offset[d])
            by *= w->shrink[d];
    return by;
}

/* Of what a collective moves between members: parts of the problem get smaller, with the number of members at both
 * ends in an exchange; what all members have does not. */
double replay_larger_share(const struct replay_larger *w, unsigned op)
{
    switch (op) {
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        return w->part * w->part;
    case COLL_FCOLLECT:
    case COLL_COLLECT:
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

static void spread_counts(struct replay_larger *w, struct replay_action *a, double by)
{
    uint32_t ranks = replay_grid_ranks(&w->x->to);
    const int64_t *lists[] = {a->counts, a->counts2};
    const uint32_t n[] = {a->n, a->n2};
    w->words.n = 0;
    for (int l = 0; l < 2; l++)
        for (uint32_t k = 0; n[l] && k < ranks; k++)
            BASE_ARRAY_PUSH(&w->words,
                            (int64_t)replay_larger_size((uint64_t)lists[l][replay_larger_model(w, k)], by));
    a->counts = w->words.at;
    a->counts2 = a->n2 ? w->words.at + ranks : NULL;
    a->n2 = a->n2 ? ranks : 0;
    a->n = ranks;
}

/* bytes2 of a collective is the size of its type. */
static int move_collective(struct replay_larger *w, struct replay_action *a)
{
    double by = replay_larger_share(w, a->number);
    a->bytes = replay_larger_size(a->bytes, by);
    a->amount *= by;
    if (a->n)
        spread_counts(w, a, by);
    return coll_op_is_rooted((enum coll_op)a->number) ? replay_larger_root(w, a->line, &a->peer) : 0;
}

/* --- actions --------------------------------------------------------------------------------------------- */

int replay_larger_action(struct replay_larger *w, uint32_t model, uint32_t rank, struct replay_action *a)
{
    unsigned has = replay_kind_fields(a->kind);
    int to[REPLAY_DIMENSIONS] = {0}, from[REPLAY_DIMENSIONS] = {0};
    if (a->kind == REPLAY_CALL)
        return replay_larger_call(w, model, rank, a);
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
    if ((has & REPLAY_PEER) && replay_larger_peer(w, model, rank, a->line, &a->peer, to))
        return -1;
    if ((has & REPLAY_PEER2) && replay_larger_peer(w, model, rank, a->line, &a->peer2, from))
        return -1;
    if (has & REPLAY_BYTES)
        a->bytes = replay_larger_size(a->bytes, replay_larger_face(w, to));
    if (has & REPLAY_BYTES2)
        a->bytes2 = replay_larger_size(a->bytes2, replay_larger_face(w, from));
    return 0;
}
