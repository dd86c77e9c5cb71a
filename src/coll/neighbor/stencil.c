/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil: message combining where every member has the same neighbours relative to its own place. An item
 * goes to its neighbour by a few steps, and all items with the same step are one message.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, d the number of neighbours.
 */
#include "coll/neighbor/route.h"

/* --- along the dimensions of a grid ----------------------------------------------------------------- */

static void along_dimensions(struct coll_routing *r, uint32_t u, uint32_t v, uint32_t item)
{
    const struct coll_shape *g = coll_whole_graph_shape(r->graph);
    uint32_t at = u;
    for (uint32_t d = 0; d < g->dims; d++) {
        int64_t step = (int64_t)coll_shape_at(g, d, v) - coll_shape_at(g, d, at);
        uint32_t to = (uint32_t)(at + step * coll_shape_below(g, d));
        coll_routing_hop(r, d, at, to, item);
        at = to;
    }
}

static bool find_along_dimensions(struct coll_routing *r)
{
    return coll_whole_graph_shape(r->graph)->dims && coll_routing_each(r, along_dimensions);
}

/* In a grid of D dimensions: in phase k each item moves to its neighbour's coordinate in dimension k, all items
 * that move by the same distance in one message (Traeff, Hunold, "Cartesian collective communication", ICPP
 * 2019). An allgather's blocks go along a tree of dimensions, once along each of its edges. With c_k different
 * distances other than 0 in dimension k, D (a + o max c_k) and m/B for each step of an item; n (c_1 + ... + c_D)
 * messages on a torus. */
bool coll_neighbor_cartesian(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_along_dimensions};
    return coll_route_round(s, round, &by);
}

/* --- by digits of the distance ----------------------------------------------------------------------- */

static void by_digits(struct coll_routing *r, uint32_t u, uint32_t v, uint32_t item)
{
    uint64_t n = r->graph->n, ahead = (v + n - u) % n, weight = 1, at = u;
    bool back = ahead > n / 2;
    uint64_t distance = back ? n - ahead : ahead;
    for (uint32_t phase = 0; distance; phase++, distance /= r->radix, weight *= r->radix) {
        uint64_t step = distance % r->radix * weight, to = (at + (back ? n - step : step)) % n;
        coll_routing_hop(r, phase, (uint32_t)at, (uint32_t)to, item);
        at = to;
    }
}

static bool find_by_digits(struct coll_routing *r)
{
    return coll_routing_each(r, by_digits);
}

/* In a ring: distances of up to n/2 ahead or back are written with base k (coll/radix, own 2), and in phase i
 * all items with digit j there go j k^i places that way, in one message (the index algorithm of Bruck et al.
 * 1997 on a sparse neighbourhood, as Traeff et al., "Message-combining algorithms for isomorphic, sparse
 * collective communication", 2016, propose for tori). a log_k of the longest distance, and m/B for each digit
 * of an item that is not 0; n messages for each digit that occurs, in each direction. */
bool coll_neighbor_digits(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_by_digits, .radix = 2};
    return coll_route_round(s, round, &by);
}
