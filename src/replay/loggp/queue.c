/* SPDX-License-Identifier: BSD-3-Clause */
/* queue: operations, receives and messages in queues, and which message meets which receive. */
#include "replay/loggp/state.h"

#include <stdlib.h>

/* A rank whose stock is used up gets a node of nobody's, or several new ones, side by side. */
uint32_t loggp_node_more(struct replay_loggp *x, struct loggp_rank *r)
{
    uint32_t k = x->free_node;
    if (k) {
        x->free_node = x->node[k].next;
        return k;
    }
    BASE_ASSERT("G4", x->nodes + LOGGP_CHUNK <= x->node_cap);
    k = (uint32_t)x->nodes;
    x->nodes += LOGGP_CHUNK;
    for (uint32_t other = k + LOGGP_CHUNK - 1; other > k; other--)
        loggp_node_give(x, r, other);
    return k;
}

static bool wants(uint32_t peer, uint32_t tag, uint32_t sender, uint32_t sent)
{
    return (peer == sender || peer == REPLAY_GOAL_ANY) && (tag == sent || tag == REPLAY_GOAL_ANY);
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

uint32_t loggp_match_receive(struct replay_loggp *x, struct loggp_queue *posted, uint32_t peer, uint32_t tag)
{
    for (uint32_t before = 0, at = posted->first; at; before = at, at = x->node[at].next)
        if (wants(x->node[at].peer, x->node[at].tag, peer, tag))
            return take_out(x, posted, before, at);
    return 0;
}

uint32_t loggp_match_message(struct replay_loggp *x, struct loggp_queue *unexpected, uint32_t peer,
                             uint32_t tag)
{
    for (uint32_t before = 0, at = unexpected->first; at; before = at, at = x->node[at].next)
        if (wants(peer, tag, x->node[at].peer, x->node[at].tag))
            return take_out(x, unexpected, before, at);
    return 0;
}

/* --- messages on their way -------------------------------------------------------------------------- */

static void widen(struct replay_loggp *x)
{
    enum { FIRST = 256 };
    size_t cap = x->flight_cap ? 2 * x->flight_cap : FIRST;
    struct loggp_message *ring = base_alloc(cap * sizeof *ring, "messages on their way");
    if (x->p.noise.arrival && x->flight_cap) /* all places are taken */
        memcpy(ring, x->flight, x->flight_cap * sizeof *ring);
    else
        for (uint64_t k = x->arrived; k < x->departed; k++)
            ring[k & (cap - 1)] = *loggp_flying(x, k);
    free(x->flight);
    x->flight = ring;
    x->flight_cap = cap;
}

struct loggp_message *loggp_depart(struct replay_loggp *x)
{
    if (BASE_UNLIKELY(x->departed - x->arrived == x->flight_cap))
        widen(x);
    uint64_t place = x->departed++;
    if (BASE_UNLIKELY(x->p.noise.arrival != NULL))
        place = x->free_flight.n ? x->free_flight.at[--x->free_flight.n] : x->departed - x->arrived - 1;
    return &x->flight[place & (x->flight_cap - 1)];
}

/* --- with noise of latencies ------------------------------------------------------------------------ */

void loggp_sort_in(struct replay_loggp *x, const struct loggp_message *m)
{
    const struct loggp_entry e = {loggp_key_of(m->at, m->number), (uint32_t)(m - x->flight), 0};
    loggp_heap_push(&x->late, &e);
}

/* It becomes known as an event of its receiver now, behind what is known (G2). LogGOPSim counts it once. */
struct loggp_message loggp_arrive_late(struct replay_loggp *x)
{
    uint32_t place = x->late.at[1].rank;
    struct loggp_message m = x->flight[place];
    loggp_heap_pop(&x->late);
    BASE_ARRAY_PUSH(&x->free_flight, place);
    x->arrived++;
    m.number = x->number++;
    x->endings++;
    return m;
}
