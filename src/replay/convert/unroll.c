/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unroll: collectives as the messages of their schedules. A round's operations wait for those of the one before: through
 * a calculation of no time between the two, so that edges do not become as many as pairs.
 */
#include "replay/collective/collective.h"
#include "replay/convert/graph.h"

#include <stdlib.h>

/* Tags of collectives lie above those that programs usually have: one bit, 6 bits of the collective, 24 of the message. */
enum { COLLECTIVE = 1 << 30, TAG_BITS = 24, NUMBERS = 32 };

struct unrolled {
    struct replay_graph *x;
    const struct coll_group *group;
    uint32_t tag;
    uint32_t before; /* what the round waits for */
    uint32_t first;  /* of the round's operations, which follow each other */
};

static uint32_t count(const struct unrolled *u)
{
    return (uint32_t)u->x->draft.ops.n - u->first;
}

static void step(void *arg, const struct coll_unrolled *s)
{
    struct unrolled *u = arg;
    struct replay_goal_op op = {.kind = REPLAY_GOAL_CALCULATION};
    if (s->kind != COLL_UNROLLED_LOCAL)
        op = (struct replay_goal_op){.kind = s->kind == COLL_UNROLLED_SEND ? REPLAY_GOAL_SEND
                                                                           : REPLAY_GOAL_RECEIVE,
                                     .peer = coll_group_rank(u->group, s->peer),
                                     .tag = u->tag | s->tag,
                                     .size = s->bytes};
    replay_graph_edge(u->x, u->before, replay_graph_put(u->x, &op));
}

static void order(void *arg, uint32_t before, uint32_t after)
{
    struct unrolled *u = arg;
    replay_graph_edge(u->x, u->first + before, u->first + after);
}

static void round_over(void *arg)
{
    struct unrolled *u = arg;
    uint32_t n = count(u), join = u->first;
    if (n > 1)
        join = replay_graph_put(u->x, &(struct replay_goal_op){.kind = REPLAY_GOAL_CALCULATION});
    for (uint32_t k = 0; n > 1 && k < n; k++)
        replay_graph_edge(u->x, u->first + k, join);
    if (n)
        u->before = join;
    u->first = (uint32_t)u->x->draft.ops.n;
}

static struct coll_group group_of(const struct replay_graph *x, const struct replay_action *a)
{
    if (!a->group)
        return (struct coll_group){.stride = 1, .size = replay_tape_ranks(x->tape)};
    const struct replay_group *g = replay_tape_group_at(x->tape, a->group);
    return coll_group_of(a->group, g->rank, g->n);
}

bool replay_graph_collective(struct replay_graph *x, uint32_t rank, const struct replay_action *a)
{
    struct coll_group g = group_of(x, a);
    static char nowhere[1];
    struct replay_sides *sides;
    uint64_t bytes;
    struct coll_call call = replay_collective_call(a, &g, coll_group_place(&g, rank), &sides, &bytes);
    uint32_t number = a->group ? NUMBERS + a->group % NUMBERS : x->collectives++ % NUMBERS;
    uint32_t begin = replay_graph_add(x, &(struct replay_goal_op){.kind = REPLAY_GOAL_CALCULATION});
    struct unrolled u = {x, &g, COLLECTIVE | number << TAG_BITS, begin, begin + 1};
    call.source = call.dest = nowhere;
    bool can = bytes <= COLL_UNROLLED_MOST &&
               coll_unroll(x->unroller, &call, &(struct coll_unroll_sink){step, order, round_over, &u});
    if (a->kind == REPLAY_ICOLLECTIVE)
        replay_started_add(&x->open, a, rank, u.before);
    else
        replay_graph_wait(x, u.before);
    free(sides);
    coll_group_release(&g);
    return can;
}
