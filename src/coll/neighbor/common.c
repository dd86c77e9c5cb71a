/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common: message combining among members with the same neighbours, on any graph.
 *
 * a is the time of one small message, B the bandwidth.
 */
#include "coll/neighbor/route.h"

#include <stdlib.h>

static const char what[] = "groups of members with common neighbours";
/* Two members are in one group if they have so many destinations in common: what each gives to the other is a
 * message more. Of a destination's sources, so many are looked at. */
enum { FEWEST_COMMON = 3, LOOK = 64, NO_GROUP = UINT32_MAX };

/* An edge of a member of the group. */
struct end {
    uint32_t to, from, item;
};

struct grouping {
    struct coll_routing *r;
    uint32_t *group;  /* of each member: its first member, or NO_GROUP */
    uint32_t *common; /* destinations in common with the one that looks for others */
    uint32_t *load;   /* messages that each carries for others */
    BASE_ARRAY(uint32_t) found, members;
    BASE_ARRAY(struct end) ends;
};

/* --- groups ---------------------------------------------------------------------------------------- */

/* The sources of `to` after u, without twins. */
static void count_sources(struct grouping *g, uint32_t u, uint32_t to)
{
    const struct coll_neighbors *l = g->r->graph->member[to];
    uint32_t after = 0;
    while (after < l->n_in && l->in[after].peer <= u)
        after++;
    for (uint32_t k = after, seen = 0; k < l->n_in && seen < LOOK; k++) {
        uint32_t x = l->in[k].peer;
        if ((k && l->in[k - 1].peer == x) || g->group[x] != NO_GROUP)
            continue;
        if (!g->common[x]++)
            BASE_ARRAY_PUSH(&g->found, x);
        seen++;
    }
}

/* Of those found, the one with the most destinations in common; the first of several. */
static uint32_t best_of(struct grouping *g)
{
    uint32_t best = NO_GROUP, most = FEWEST_COMMON - 1;
    for (size_t k = 0; k < g->found.n; k++) {
        uint32_t x = g->found.at[k];
        if (g->common[x] > most || (best != NO_GROUP && g->common[x] == most && x < best)) {
            best = x;
            most = g->common[x];
        }
    }
    if (best != NO_GROUP)
        g->common[best] = 0;
    return best;
}

/* Fills `members` with u, which is in no group, and up to k - 1 others, which all are after it. */
static void make_group(struct grouping *g, uint32_t u)
{
    const struct coll_neighbors *l = g->r->graph->member[u];
    g->found.n = g->members.n = 0;
    for (uint32_t k = 0; k < l->n_out; k++)
        if (!k || l->out[k - 1].peer != l->out[k].peer)
            count_sources(g, u, l->out[k].peer);
    for (uint32_t x = u; x != NO_GROUP; x = g->members.n < g->r->radix ? best_of(g) : NO_GROUP) {
        g->group[x] = u;
        BASE_ARRAY_PUSH(&g->members, x);
    }
    for (size_t k = 0; k < g->found.n; k++)
        g->common[g->found.at[k]] = 0;
}

/* --- hops ------------------------------------------------------------------------------------------ */

static int by_destination(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static void list_ends(struct grouping *g)
{
    g->ends.n = 0;
    for (size_t i = 0; i < g->members.n; i++) {
        uint32_t u = g->members.at[i];
        const struct coll_neighbors *l = g->r->graph->member[u];
        for (uint32_t k = 0; k < l->n_out; k++) {
            struct end e = {l->out[k].peer, u, coll_routing_item(g->r, u, k)};
            BASE_ARRAY_PUSH(&g->ends, e);
        }
    }
    if (g->ends.n)
        qsort(g->ends.at, g->ends.n, sizeof *g->ends.at, by_destination);
}

/* Of n edges to one destination: the source that carries the fewest so far; NO_GROUP: there is one source. */
static uint32_t carrier_of(const struct grouping *g, const struct end *e, size_t n)
{
    uint32_t best = e[0].from;
    for (size_t k = 1; k < n; k++)
        if (g->load[e[k].from] < g->load[best])
            best = e[k].from;
    return e[0].from == e[n - 1].from ? NO_GROUP : best;
}

static void add_hops(struct grouping *g, uint32_t group)
{
    for (size_t k = 0, n; k < g->ends.n; k += n) {
        const struct end *e = &g->ends.at[k];
        for (n = 1; k + n < g->ends.n && e[n].to == e->to;)
            n++;
        uint32_t carrier = g->group[e->to] == group ? NO_GROUP : carrier_of(g, e, n);
        if (carrier != NO_GROUP)
            g->load[carrier]++;
        for (size_t j = 0; j < n; j++) {
            coll_routing_hop(g->r, 0, e[j].from, carrier != NO_GROUP ? carrier : e->to, e[j].item);
            if (carrier != NO_GROUP)
                coll_routing_hop(g->r, 1, carrier, e->to, e[j].item);
        }
    }
}

static bool find_common(struct coll_routing *r)
{
    uint32_t n = r->graph->n;
    struct grouping g = {.r = r};
    g.group = base_alloc(n * sizeof *g.group, what);
    g.common = base_zalloc(n * sizeof *g.common, what);
    g.load = base_zalloc(n * sizeof *g.load, what);
    for (uint32_t u = 0; u < n; u++)
        g.group[u] = NO_GROUP;
    for (uint32_t u = 0; u < n; u++)
        if (g.group[u] == NO_GROUP) {
            make_group(&g, u);
            list_ends(&g);
            add_hops(&g, u);
        }
    free(g.group);
    free(g.common);
    free(g.load);
    free(g.found.at);
    free(g.members.at);
    free(g.ends.at);
    return true;
}

/* Groups of k members (coll/radix, own 2) with at least three destinations in common. First each gives what it
 * has to those of its group that carry it, and to neighbours that no other of its group has; then every common
 * destination gets all that the group has for it in one message, from the member that carries the fewest so far
 * (Ghazimirsaeed, Mirsadeghi, Afsahi, "An efficient collaborative communication mechanism for MPI neighborhood
 * collectives", IPDPS 2019). 2 a + (k - 1 + d) m/B for d edges of a member; messages for k members with the same d
 * destinations: d + k (k - 1) instead of k d. */
bool coll_neighbor_common(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_common, .radix = 2};
    return coll_route_round(s, round, &by);
}
