/* SPDX-License-Identifier: BSD-3-Clause */
/* routes: the routes that a reader has found in the trace, by their two hosts. */
#include "trace/pgt/pgt.h"

#include <math.h>
#include <stdlib.h>

struct route {
    uint64_t key; /* from, to */
    double latency;
    size_t first; /* in `links` */
    uint32_t n;
};

struct pgt_routes {
    const struct trace_about *about;
    BASE_ARRAY(struct route) route;
    BASE_ARRAY(uint32_t) links;
    struct base_index by_hosts;
};

static const struct route *find(const struct pgt_routes *r, uint64_t key)
{
    uint32_t hash = base_hash(key);
    for (uint32_t at = hash, k; (k = base_index_next(&r->by_hosts, hash, &at)) != BASE_NONE;)
        if (r->route.at[k].key == key)
            return &r->route.at[k];
    return NULL;
}

static void get_links(struct pgt_routes *r, struct trace_bytes *b, uint32_t n)
{
    for (uint32_t k = 0; k < n && !b->bad; k++) {
        uint32_t link = (uint32_t)trace_get_within(b, r->about->links - (uint64_t)1);
        BASE_ARRAY_PUSH(&r->links, link);
    }
}

/* A route may be there again: the writer forgets some (met.c). */
static void get_route(struct pgt_routes *r, struct trace_bytes *b)
{
    uint64_t from = trace_get_within(b, r->about->hosts - (uint64_t)1);
    uint64_t to = trace_get_within(b, r->about->hosts - (uint64_t)1);
    struct route route = {from << 32 | to, trace_get_double(b), r->links.n, 0};
    uint64_t n = trace_get_varint(b);
    b->bad = b->bad || n > trace_bytes_left(b) || !(route.latency >= 0) || (n && !r->about->links);
    if (b->bad)
        return;
    route.n = (uint32_t)n;
    get_links(r, b, route.n);
    if (b->bad || find(r, route.key)) {
        r->links.n = route.first;
        return;
    }
    base_index_add(&r->by_hosts, base_hash(route.key), (uint32_t)r->route.n);
    BASE_ARRAY_PUSH(&r->route, route);
}

void pgt_routes_get(struct pgt_routes *r, struct trace_bytes *b)
{
    uint64_t n = trace_get_varint(b);
    for (uint64_t k = 0; k < n && !b->bad; k++)
        get_route(r, b);
}

uint32_t pgt_route(void *routes, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    const struct pgt_routes *r = routes;
    const struct route *found = find(r, (uint64_t)from << 32 | to);
    *links = found && found->n ? r->links.at + found->first : NULL;
    *latency = found ? found->latency : 0;
    return found ? found->n : 0;
}

struct pgt_routes *pgt_routes_create(const struct trace_about *about)
{
    struct pgt_routes *r = base_zalloc(sizeof *r, "routes of a trace");
    r->about = about;
    base_index_init(&r->by_hosts, "routes of a trace");
    return r;
}

void pgt_routes_destroy(struct pgt_routes *r)
{
    if (!r)
        return;
    free(r->route.at);
    free(r->links.at);
    base_index_release(&r->by_hosts);
    free(r);
}
