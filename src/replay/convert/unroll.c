/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unroll: collectives in a schedule, as their messages. A round's operations wait for those of the one before: through
 * a calculation of no time between the two, so that edges do not become as many as pairs.
 */
#include "replay/convert/graph.h"

struct unrolled {
    struct replay_graph *x;
    uint32_t before; /* what the round waits for */
    uint32_t first;  /* of the round's operations, which follow each other */
};

static uint32_t count(const struct unrolled *u)
{
    return (uint32_t)u->x->draft.ops.n - u->first;
}

static void step(void *arg, const struct replay_step *s)
{
    struct unrolled *u = arg;
    struct replay_goal_op op = {.kind = REPLAY_GOAL_CALCULATION};
    if (s->kind != COLL_UNROLLED_LOCAL)
        op = (struct replay_goal_op){.kind = s->kind == COLL_UNROLLED_SEND ? REPLAY_GOAL_SEND
                                                                           : REPLAY_GOAL_RECEIVE,
                                     .peer = s->peer,
                                     .tag = s->tag,
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

bool replay_graph_collective(struct replay_graph *x, uint32_t rank, const struct replay_action *a)
{
    uint32_t begin = replay_graph_add(x, &(struct replay_goal_op){.kind = REPLAY_GOAL_CALCULATION});
    struct unrolled u = {x, begin, begin + 1};
    bool can =
        replay_steps_tell(&x->steps, rank, a, &(struct replay_steps_sink){step, order, round_over, &u});
    if (a->kind == REPLAY_ICOLLECTIVE)
        replay_started_add(&x->open, a, rank, u.before);
    else
        replay_graph_wait(x, u.before);
    return can;
}
