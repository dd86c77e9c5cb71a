/* SPDX-License-Identifier: BSD-3-Clause */
/* routes: what a reader knows of routes: those that the trace met, found by their two hosts. */
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
    uint32_t *slots; /* open addressing: number of a route + 1, or 0; at most half full */
    size_t cap;      /* a power of two */
};

static size_t slot_of(const struct pgt_routes *r, uint64_t key)
{
    size_t k = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (r->cap - 1);
    while (r->slots[k] && r->route.at[r->slots[k] - 1].key != key)
        k = (k + 1) & (r->cap - 1);
    return k;
}

static void widen(struct pgt_routes *r)
{
    if (2 * (r->route.n + 1) <= r->cap)
        return;
    free(r->slots);
    r->cap = r->cap ? 2 * r->cap : 64;
    r->slots = base_zalloc(r->cap * sizeof *r->slots, "routes of a trace");
    for (size_t k = 0; k < r->route.n; k++)
        r->slots[slot_of(r, r->route.at[k].key)] = (uint32_t)k + 1;
}

static void get_links(struct pgt_routes *r, struct trace_bytes *b, uint32_t n)
{
    for (uint32_t k = 0; k < n && !b->bad; k++) {
        uint32_t link = (uint32_t)trace_get_within(b, r->about->links - (uint64_t)1);
        BASE_ARRAY_PUSH(&r->links, link);
    }
}

/* A route may come again: the writer keeps few in mind. */
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
    widen(r);
    size_t k = slot_of(r, route.key);
    if (b->bad || r->slots[k]) {
        r->links.n = route.first;
        return;
    }
    BASE_ARRAY_PUSH(&r->route, route);
    r->slots[k] = (uint32_t)r->route.n;
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
    uint32_t number = r->cap ? r->slots[slot_of(r, (uint64_t)from << 32 | to)] : 0;
    const struct route *found = number ? &r->route.at[number - 1] : NULL;
    *links = found && found->n ? r->links.at + found->first : NULL;
    *latency = found ? found->latency : 0;
    return found ? found->n : 0;
}

struct pgt_routes *pgt_routes_create(const struct trace_about *about)
{
    struct pgt_routes *r = base_zalloc(sizeof *r, "routes of a trace");
    r->about = about;
    return r;
}

void pgt_routes_destroy(struct pgt_routes *r)
{
    if (!r)
        return;
    free(r->route.at);
    free(r->links.at);
    free(r->slots);
    free(r);
}
