/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halving: message combining by halves of the group, on any graph.
 *
 * a is the time of one small message, B the bandwidth, n members.
 */
#include "coll/neighbor/route.h"

/* Members [low, high) are all on one host. */
static bool is_near(const struct coll_routing *r, uint32_t low, uint32_t high)
{
    const struct coll_hosts *h = r->hosts;
    for (uint32_t p = low + 1; h && p < high; p++)
        if (h->host[p] != h->host[low])
            return false;
    return h || high - low == 1;
}

/* The place in [low, high) that takes what comes from `at`, of as many members or one more that begin at
 * `from`. */
static uint32_t agent_of(uint32_t at, uint32_t from, uint32_t low, uint32_t high)
{
    uint32_t place = low + (at - from);
    return place < high ? place : high - 1;
}

static uint32_t levels_of(uint32_t n)
{
    return coll_log2_above(n);
}

static void by_halves(struct coll_routing *r, uint32_t u, uint32_t v, uint32_t item)
{
    uint32_t low = 0, high = r->graph->n, at = u, phase = 0;
    for (; !is_near(r, low, high); phase++) {
        uint32_t middle = low + (high - low + 1) / 2;
        bool up = v >= middle;
        if (up != (at >= middle)) {
            uint32_t to = up ? agent_of(at, low, middle, high) : agent_of(at, middle, low, middle);
            coll_routing_hop(r, phase, at, to, item);
            at = to;
        }
        low = up ? middle : low;
        high = up ? high : middle;
    }
    coll_routing_hop(r, levels_of(r->graph->n), at, v, item);
}

static bool find_by_halves(struct coll_routing *r)
{
    return coll_routing_each(r, by_halves);
}

/* The group is halved again and again. In each phase a member gives all items that must cross, its own and those
 * that it took for others, to the member at its place in the other half, which takes them on from there
 * (after the distance halving of Sharifian, Sojoodi, Afsahi, "A topology- and load-aware design for
 * neighborhood allgather", IEEE Cluster 2024, which chooses agents by common neighbours). It ends where all of a
 * part share a host, or at single members; there each item goes to its neighbour. (a + its items/B)
 * ceil(log2 n) at most; up to n ceil(log2 n) messages on hosts of one member, however many neighbours there
 * are. */
bool coll_neighbor_halving(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_by_halves, .hosts = true};
    return coll_route_round(s, round, &by);
}
