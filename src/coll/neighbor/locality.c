/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locality: message combining between hosts (Bienz, Gropp, Olson, "Node aware sparse matrix-vector
 * multiplication", JPDC 2019; Collom, Li, Bienz, "Optimizing irregular communication with neighborhood
 * collectives and locality-aware parallelism", 2023). Edges within a host are messages of their own.
 *
 * a is the time of one small message between hosts, b within one, B the bandwidth.
 */
#include "coll/neighbor/route.h"

#include <stdlib.h>

/* Who sends to, or receives from, one other host, in order of place. */
struct circle {
    uint32_t n;
    uint32_t *member;
};

/* --- pairs of hosts --------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The (other host, member) of all edges between hosts from or to members of host h, sorted, without twins. */
static uint64_t *ends_of(const struct coll_routing *r, uint32_t h, bool out, size_t *n)
{
    const struct coll_hosts *hosts = r->hosts;
    BASE_ARRAY(uint64_t) a = {0};
    for (uint32_t i = hosts->first[h]; i < hosts->first[h + 1]; i++) {
        const struct coll_neighbors *l = r->graph->member[hosts->member[i]];
        for (uint32_t k = 0; k < (out ? l->n_out : l->n_in); k++) {
            uint32_t other = hosts->host[(out ? l->out : l->in)[k].peer];
            uint64_t end = (uint64_t)other << 32 | hosts->member[i];
            if (other != h)
                BASE_ARRAY_PUSH(&a, end);
        }
    }
    if (a.n)
        qsort(a.at, a.n, sizeof *a.at, by_number);
    *n = 0;
    for (size_t k = 0; k < a.n; k++)
        if (!*n || a.at[*n - 1] != a.at[k])
            a.at[(*n)++] = a.at[k];
    return a.at;
}

struct ends {
    uint64_t *out, *in;
    size_t n_out, n_in;
};

static struct ends *ends_of_all(const struct coll_routing *r)
{
    struct ends *e = base_zalloc(r->hosts->count * sizeof *e, "neighbours on other hosts");
    for (uint32_t h = 0; h < r->hosts->count; h++) {
        e[h].out = ends_of(r, h, true, &e[h].n_out);
        e[h].in = ends_of(r, h, false, &e[h].n_in);
    }
    return e;
}

static void ends_free(struct ends *e, uint32_t n)
{
    for (uint32_t h = 0; h < n; h++) {
        free(e[h].out);
        free(e[h].in);
    }
    free(e);
}

/* The first entry for a host that is not below `other`. */
static size_t begin_of(const uint64_t *end, size_t n, uint64_t other)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (end[mid] >> 32 < other)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The member that does the work for host `other`: the number `turn` of those that have to do with it. */
static uint32_t leader_of(const uint64_t *end, size_t n, uint32_t other, uint32_t turn)
{
    size_t from = begin_of(end, n, other), to = begin_of(end, n, (uint64_t)other + 1);
    BASE_ASSERT("N1", to > from);
    return (uint32_t)end[from + turn % (to - from)];
}

/* --- ways ------------------------------------------------------------------------------------------ */

typedef void (*way_fn)(struct coll_routing *r, const struct ends *e, uint32_t u, uint32_t v, uint32_t item);

static bool find(struct coll_routing *r, way_fn way)
{
    const struct coll_whole_graph *w = r->graph;
    if (!r->hosts)
        return false;
    struct ends *e = ends_of_all(r);
    for (uint32_t u = 0; u < w->n; u++)
        for (uint32_t k = 0; k < w->member[u]->n_out; k++) {
            uint32_t v = w->member[u]->out[k].peer, item = coll_routing_item(r, u, k);
            if (r->hosts->host[u] == r->hosts->host[v])
                coll_routing_hop(r, 0, u, v, item);
            else
                way(r, e, u, v, item);
        }
    ends_free(e, r->hosts->count);
    return true;
}

static void in_three_steps(struct coll_routing *r, const struct ends *e, uint32_t u, uint32_t v,
                           uint32_t item)
{
    uint32_t from = r->hosts->host[u], to = r->hosts->host[v];
    uint32_t sends = leader_of(e[from].out, e[from].n_out, to, to);
    uint32_t receives = leader_of(e[to].in, e[to].n_in, from, from);
    coll_routing_hop(r, 0, u, sends, item);
    coll_routing_hop(r, 1, sends, receives, item);
    coll_routing_hop(r, 2, receives, v, item);
}

/* The number k of u's different neighbours on a host; COLL_NOBODY: there are not so many. */
static uint32_t neighbor_there(const struct coll_routing *r, uint32_t u, uint32_t host, uint32_t k)
{
    const struct coll_neighbors *l = r->graph->member[u];
    for (uint32_t i = 0; i < l->n_out; i++)
        if (r->hosts->host[l->out[i].peer] == host && (!i || l->out[i - 1].peer != l->out[i].peer) && !k--)
            return l->out[i].peer;
    return COLL_NOBODY;
}

/* The member that takes what u has for its host: one of u's neighbours there, which differ for the members of
 * u's host. */
static uint32_t partner_of(const struct coll_routing *r, uint32_t u, uint32_t host)
{
    uint32_t n = 0;
    while (neighbor_there(r, u, host, n) != COLL_NOBODY)
        n++;
    BASE_ASSERT("N1", n);
    return neighbor_there(r, u, host, r->hosts->index[u] % n);
}

static void in_two_steps(struct coll_routing *r, const struct ends *e, uint32_t u, uint32_t v, uint32_t item)
{
    uint32_t partner = partner_of(r, u, r->hosts->host[v]);
    (void)e;
    coll_routing_hop(r, 0, u, partner, item);
    coll_routing_hop(r, 1, partner, v, item);
}

static bool find_three_steps(struct coll_routing *r)
{
    return find(r, in_three_steps);
}

static bool find_two_steps(struct coll_routing *r)
{
    return find(r, in_two_steps);
}

/* All that goes from one host to another is gathered at one of its members, different ones for different hosts,
 * crosses as one message, and is spread there. Of an allgather, a block crosses once, however many neighbours
 * there are. 2 b + a + M/B for M bytes between two hosts; a message for each ordered pair of hosts with edges
 * between them, and those within hosts. */
bool coll_neighbor_three_step(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_three_steps, .hosts = true};
    return coll_route_round(s, round, &by);
}

/* As three-step, but a block crosses once for each edge: what three-step does for an alltoall. The same messages,
 * of m bytes for each edge between the hosts. */
bool coll_neighbor_three_step_each(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_three_steps, .hosts = true, .each = true};
    return coll_route_round(s, round, &by);
}

/* Each member sends all that it has for another host as one message to one of its neighbours there, which
 * passes it on within the host. a + b + M/B for M bytes of one member for a host; a message for each member and
 * host with edges between them, and those within hosts. */
bool coll_neighbor_two_step(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_router by = {.find = find_two_steps, .hosts = true};
    return coll_route_round(s, round, &by);
}
