/* SPDX-License-Identifier: BSD-3-Clause */
/* queue: operations, receives and messages in queues, and which message meets which receive. */
#include "replay/loggp/state.h"

/* Node 0 stands for none. */
uint32_t loggp_node_more(struct replay_loggp *x)
{
    size_t from = x->node_cap ? x->node_cap : 1;
    x->node = base_array_grow(x->node, &x->node_cap, x->node_cap + 2, sizeof *x->node, "events of schedules");
    if (x->node_cap > UINT32_MAX)
        base_fatal(BASE_EXIT_HOST, "more than 2^32 operations and messages of the schedules wait at once");
    for (size_t k = x->node_cap; k-- > from;)
        loggp_node_give(x, (uint32_t)k);
    return loggp_node_take(x);
}

static bool wants(uint32_t peer, uint32_t tag, const struct loggp_node *message)
{
    return (peer == message->peer || peer == REPLAY_GOAL_ANY) &&
           (tag == message->tag || tag == REPLAY_GOAL_ANY);
}

static uint32_t take_out(struct replay_loggp *x, struct loggp_queue *q, uint32_t before, uint32_t k)
{
    if (before)
        x->node[before].next = x->node[k].next;
    else
        q->first = x->node[k].next;
    if (q->last == k)
        q->last = before;
    return k;
}

uint32_t loggp_match_receive(struct replay_loggp *x, struct loggp_queue *posted, uint32_t k)
{
    for (uint32_t before = 0, at = posted->first; at; before = at, at = x->node[at].next)
        if (wants(x->node[at].peer, x->node[at].tag, &x->node[k]))
            return take_out(x, posted, before, at);
    return 0;
}

uint32_t loggp_match_message(struct replay_loggp *x, struct loggp_queue *unexpected, uint32_t peer,
                             uint32_t tag)
{
    for (uint32_t before = 0, at = unexpected->first; at; before = at, at = x->node[at].next)
        if (wants(peer, tag, &x->node[at]))
            return take_out(x, unexpected, before, at);
    return 0;
}
