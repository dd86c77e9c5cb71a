/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph_remote: one-sided operations in a schedule. The target's second CPU receives what comes, and answers; so the first one
 * is not disturbed, as if the network's card did it. All these receives stand in front, as none waits for anything:
 *
 *      origin   send there ---------->  recv (cpu 1)  target
 *               recv (cpu 1)  <--------  send back (cpu 1)
 */
#include "replay/convert/graph.h"

enum { REMOTE = 1 << 29, NUMBERS = 1 << 28, CARD = 1 };

static uint32_t tag_of(uint32_t number, bool back)
{
    return REMOTE | (number % NUMBERS) << 1 | back;
}

void replay_graph_begin_rank(struct replay_graph *x, uint32_t rank)
{
    x->arrivals = replay_incoming_of(x->incoming, rank);
    for (size_t k = 0; k < x->arrivals->n; k++) {
        const struct replay_arrival *a = &x->arrivals->at[k];
        struct replay_goal_op op = {.kind = REPLAY_GOAL_RECEIVE,
                                    .peer = a->origin,
                                    .size = a->there,
                                    .tag = tag_of(a->number, false),
                                    .cpu = CARD};
        uint32_t received = replay_graph_put(x, &op); /* the 2 k-th */
        op.kind = REPLAY_GOAL_SEND;
        op.size = a->back;
        op.tag = tag_of(a->number, true);
        replay_graph_edge(x, received, replay_graph_put(x, &op));
    }
}

static void move(struct replay_sink *s, uint32_t rank, const struct replay_remote *o)
{
    struct replay_graph *x = (struct replay_graph *)(void *)s;
    (void)rank;
    struct replay_goal_op op = {
        .kind = REPLAY_GOAL_SEND, .peer = o->target, .size = o->there, .tag = tag_of(o->number, false)};
    uint32_t sent = replay_graph_add(x, &op);
    op.kind = REPLAY_GOAL_RECEIVE;
    op.size = o->back;
    op.tag = tag_of(o->number, true);
    op.cpu = CARD;
    const struct replay_pending p = {o->stream, o->target, replay_graph_put(x, &op)};
    replay_graph_edge_start(x, sent, p.op);
    if (o->sent)
        replay_graph_wait(x, sent);
    if (o->answered)
        replay_graph_wait(x, p.op);
    else
        BASE_ARRAY_PUSH(&x->pending, p);
}

static void settle(struct replay_sink *s, uint32_t rank, uint64_t stream, uint32_t target)
{
    struct replay_graph *x = (struct replay_graph *)(void *)s;
    size_t kept = 0;
    (void)rank;
    for (size_t k = 0; k < x->pending.n; k++) {
        const struct replay_pending *p = &x->pending.at[k];
        if (p->stream == stream && (target == REPLAY_ANY || p->target == target))
            replay_graph_wait(x, p->op);
        else
            x->pending.at[kept++] = *p;
    }
    x->pending.n = kept;
}

static void until(struct replay_sink *s, uint32_t rank, uint32_t origin, uint32_t number)
{
    struct replay_graph *x = (struct replay_graph *)(void *)s;
    size_t k = replay_arrival_find(x->arrivals, origin, number);
    (void)rank;
    if (k < x->arrivals->n)
        replay_graph_wait(x, (uint32_t)(2 * k));
}

const struct replay_remote_sink replay_graph_remote = {move, settle, until};
