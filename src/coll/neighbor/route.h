/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * route: message combining. Each item goes from its member to those that need it in hops, one hop in each of
 * several phases at most; all items that one member passes to another in a phase are one message. An algorithm
 * only says by which hops; route.c works out what each member sends and receives, once for a graph; rounds.c
 * makes rounds of it.
 *
 * An item is what one member gives to all (an allgather's block), or what goes along one edge (`each`).
 *
 * Invariants
 *  N1  A member gets an item once at most, and passes it on in later phases only.
 *  N2  Items of a message ascend, at its sender and its receiver.
 */
#ifndef PGASIM_COLL_NEIGHBOR_ROUTE_H
#define PGASIM_COLL_NEIGHBOR_ROUTE_H

#include "coll/neighbor/whole.h"

struct coll_hop {
    uint32_t phase, from, to, item;
};
/* What an algorithm works with. */
struct coll_routing {
    struct coll_whole_graph *graph;
    const struct coll_hosts *hosts; /* NULL: no two members share one */
    uint32_t radix;
    bool each;
    BASE_ARRAY(struct coll_hop) hops;
};
static inline uint32_t coll_routing_item(const struct coll_routing *r, uint32_t member, uint32_t edge)
{
    return r->each ? r->graph->first_out[member] + edge : member;
}
/* Does nothing from a member to itself; the same hop of an item twice is one. */
static inline void coll_routing_hop(struct coll_routing *r, uint32_t phase, uint32_t from, uint32_t to,
                                    uint32_t item)
{
    struct coll_hop hop = {phase, from, to, item};
    if (from != to)
        BASE_ARRAY_PUSH(&r->hops, hop);
}
/* Calls fn for each edge from u to v, with its item, and returns true. */
typedef void coll_edge_fn(struct coll_routing *r, uint32_t u, uint32_t v, uint32_t item);
static inline bool coll_routing_each(struct coll_routing *r, coll_edge_fn *fn)
{
    const struct coll_whole_graph *w = r->graph;
    for (uint32_t u = 0; u < w->n; u++)
        for (uint32_t k = 0; k < w->member[u]->n_out; k++)
            fn(r, u, w->member[u]->out[k].peer, coll_routing_item(r, u, k));
    return true;
}

/* An algorithm. `find` adds the hops of all items; false: it has none for this graph. */
struct coll_router {
    bool (*find)(struct coll_routing *r);
    uint32_t radix; /* its own; 0: it has none */
    bool hosts;     /* the hops depend on who shares hosts */
    bool each;      /* the items of an allgather are edges, too */
};
/* A round of it. If there is no route, of all edges at once. */
bool coll_route_round(struct coll_schedule *s, uint32_t round, const struct coll_router *by);

/* A member's slots: those of its own items first, in the order of its edges (or one), then of those that it
 * receives, in order of phase, sender and item. So a message that comes is a run of slots. */
enum { COLL_NO_EDGE = UINT32_MAX };
struct coll_route_message {
    uint32_t peer, phase;
    uint32_t first, count; /* in: slots; out: of the numbers in `sent` */
    uint32_t edge;         /* in, with one item that is for this member: the edge; else COLL_NO_EDGE */
};
struct coll_route {
    struct coll_route *next;
    const struct coll_router *by; /* with which radix, hosts and `each` it was worked out */
    uint32_t radix;
    uint64_t hosts;
    bool each, exists;
    bool blind; /* a member passes items on whose size it cannot know where parts have no counts */
    uint32_t phases;
    uint32_t *in_first, *out_first; /* n + 1: messages of the members before */
    struct coll_route_message *in, *out;
    uint32_t *sent;   /* slots at the sender */
    size_t *first_in; /* n + 1: items that the members before receive */
    bool *
        as_sent; /* of each item received: it is as long as what the receiver sends, else as what it receives */
    uint32_t *last; /* of each edge, in the order of the receivers' lists: the slot there */
};
static inline uint32_t coll_route_own(const struct coll_whole_graph *w, const struct coll_route *r,
                                      uint32_t p)
{
    return r->each ? w->first_out[p + 1] - w->first_out[p] : 1;
}
static inline uint32_t coll_route_received(const struct coll_route *r, uint32_t p)
{
    return (uint32_t)(r->first_in[p + 1] - r->first_in[p]);
}
/* The route, worked out if it was not before; `exists` is false if there is none. */
const struct coll_route *coll_route_of(const struct coll_schedule *s, const struct coll_router *by);
void coll_routes_free(struct coll_route *r);

#endif
