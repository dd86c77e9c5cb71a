/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path: the way between two hosts, computed once and kept while in use. Its memory depends on the pairs of
 * hosts in use at once, not on all pairs. Forgetting a path changes no simulated time.
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MOST = 1 << 17, LOOKED_AT = 4 };

void fabric_paths_init(struct fabric *f)
{
    struct fabric_paths *t = &f->paths;
    base_pool_init(&t->pool, sizeof(struct fabric_path), "paths between hosts");
    base_buffers_init(&t->lists, "links of paths");
    base_table_init(&t->known, BASE_NUMBERS, sizeof(struct fabric_path *), "paths between hosts");
}

/* Flows that are still active when a job ends early keep their paths. */
static void drop_path(struct fabric *f, struct fabric_path *p)
{
    if (p->way.links > FABRIC_NEAR_LINKS)
        base_buffers_put(&f->paths.lists, (void *)(uintptr_t)p->way.link, p->way.links * sizeof *p->way.link);
    if (p->backs)
        base_buffers_put(&f->paths.lists, p->back, p->backs * sizeof *p->back);
    if (p->flows && !p->users)
        fluid_path_destroy(f->fluid, p->flows);
}

void fabric_paths_release(struct fabric *f)
{
    struct fabric_paths *t = &f->paths;
    uint32_t at = 0;
    for (struct fabric_path **p; (p = base_table_next(&t->known, &at));)
        drop_path(f, *p);
    base_table_release(&t->known);
    free(t->uses.at);
    base_buffers_release(&t->lists);
    base_pool_release(&t->pool);
}

static int route_ask(struct fabric *f, uint64_t key, struct platform_route *route, struct base_status *st)
{
    f->paths.routed++;
    return platform_route(f->platform, (uint32_t)(key >> 32), (uint32_t)key, route, st);
}

static uint64_t back_of(uint64_t key)
{
    return key << 32 | key >> 32;
}

/* What hosts themselves add to the latency of a route between them. */
static double ends_latency(const struct fabric *f, uint32_t from, uint32_t to)
{
    return from == to ? 0 : f->network.host_latency;
}

/* A route's latency, including changes of its links. */
static double route_latency(const struct fabric *f, uint64_t key, const struct platform_route *route)
{
    double latency = route->latency;
    if (BASE_UNLIKELY(f->latency_change != NULL))
        for (uint32_t k = 0; k < route->n_links; k++)
            latency += f->latency_change[route->links[k]];
    return (latency > 0 ? latency : 0) + ends_latency(f, (uint32_t)(key >> 32), (uint32_t)key);
}

double fabric_route_latency(struct fabric *f, uint32_t from, uint32_t to)
{
    struct platform_route route;
    struct base_status st;
    const uint64_t key = (uint64_t)from << 32 | to;
    if (route_ask(f, key, &route, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    return route_latency(f, key, &route);
}

static struct fabric_path *path_create(struct fabric *f, uint64_t key, struct base_status *st)
{
    struct platform_route route;
    if (route_ask(f, key, &route, st))
        return NULL;
    struct fabric_path *p = base_pool_get(&f->paths.pool);
    size_t bytes = route.n_links * sizeof *route.links;
    uint32_t *link = route.n_links <= FABRIC_NEAR_LINKS ? p->near : base_buffers_get(&f->paths.lists, bytes);
    if (bytes) /* a route without links may have no list either */
        memcpy(link, route.links, bytes);
    p->key = key;
    p->latency = route_latency(f, key, &route);
    p->way = (struct fabric_way){p->latency * f->network.latency.first, NAN, link, route.n_links};
    p->users = p->backs = 0;
    p->version = f->version - 1;
    p->back_known = false;
    p->flows = NULL;
    p->pair = NULL;
    p->both = FABRIC_NOT_BOTH;
    return p;
}

/* --- paths as flows take them ----------------------------------------------------------------------- */

/* If the platform has no way back, nothing flows there. */
static void path_ask_back(struct fabric *f, struct fabric_path *p)
{
    struct platform_route route;
    p->back_known = true;
    if (!f->network.crosstraffic || route_ask(f, back_of(p->key), &route, NULL) || !route.n_links)
        return;
    p->backs = route.n_links;
    p->back = base_buffers_get(&f->paths.lists, route.n_links * sizeof *route.links);
    memcpy(p->back, route.links, route.n_links * sizeof *route.links);
}

static void path_measure(struct fabric *f, struct fabric_path *p)
{
    const struct fabric_network *n = &f->network;
    double weight = p->latency, narrowest = INFINITY;
    for (uint32_t k = 0; k < p->way.links; k++) {
        double bandwidth = fluid_resource_capacity(f->fluid, f->first_link + p->way.link[k]);
        weight += n->weight_narrowest ? 0 : n->weight_s / bandwidth;
        narrowest = fmin(narrowest, bandwidth);
    }
    p->weight = weight + (n->weight_narrowest ? n->weight_s / narrowest : 0);
    p->narrowest = narrowest;
    p->bound = fabric_bound(n, narrowest, p->latency);
}

void fabric_path_renew(struct fabric *f, struct fabric_path *p)
{
    if (BASE_LIKELY(p->version == f->version))
        return;
    p->version = f->version;
    if (!p->back_known)
        path_ask_back(f, p);
    if (BASE_UNLIKELY(f->network.bidirectional))
        p->both = fabric_both_find(f, p->key);
    p->weight = 1;
    p->bound = p->narrowest = INFINITY;
    if (f->network.shares)
        path_measure(f, p);
    if (p->flows && !p->users) {
        fluid_path_destroy(f->fluid, p->flows);
        p->flows = NULL;
    }
}

static void list_uses(struct fabric *f, const struct fabric_path *p, const struct fabric_parts *part)
{
    f->paths.uses.n = 0;
    for (uint32_t k = 0; k < p->way.links; k++) {
        struct fluid_use use = {f->first_link + p->way.link[k], 1};
        BASE_ARRAY_PUSH(&f->paths.uses, use);
    }
    for (uint32_t k = 0; part->back > 0 && k < p->backs; k++) {
        struct fluid_use use = {f->first_link + p->back[k], part->back};
        BASE_ARRAY_PUSH(&f->paths.uses, use);
    }
    if (part->both > 0)
        BASE_ARRAY_PUSH(&f->paths.uses, ((struct fluid_use){p->both, part->both}));
    if (BASE_UNLIKELY(part->memory > 0))
        BASE_ARRAY_PUSH(&f->paths.uses, ((struct fluid_use){f->memory[p->key >> 32], part->memory}));
}

static struct fabric_parts parts_of(const struct fabric *f, const struct fabric_path *p, double bytes,
                                    double amount)
{
    struct fabric_parts part = {fabric_path_back(f, p, bytes), 0, 0};
    if (BASE_UNLIKELY(p->both != FABRIC_NOT_BOTH)) {
        double together = fabric_factor_at(&f->network.both, bytes);
        part.both = together < 2 ? 1 / together : 0;
    }
    if (BASE_UNLIKELY(f->memory != NULL))
        part.memory = fabric_message_traffic(f, (uint32_t)(p->key >> 32), (uint32_t)p->key) * bytes / amount;
    return part;
}

struct fluid_flow *fabric_path_start(struct fabric *f, struct fabric_path *p, double weight, double bound,
                                     double bytes, double amount, fluid_done_fn done, void *arg)
{
    if (BASE_UNLIKELY(!p->way.links))
        return NULL;
    struct fabric_parts part = parts_of(f, p, bytes, amount);
    if (BASE_UNLIKELY(!p->flows)) {
        list_uses(f, p, &part);
        p->flows = fluid_path_create(f->fluid, f->paths.uses.at, (uint32_t)f->paths.uses.n, weight, bound);
        p->kept_weight = weight;
        p->kept_bound = bound;
        p->kept_parts = part;
    }
    if (BASE_UNLIKELY(f->energy != NULL))
        fabric_energy_flow(f, p, bytes, amount);
    if (BASE_LIKELY(weight == p->kept_weight && bound == p->kept_bound && part.back == p->kept_parts.back &&
                    part.both == p->kept_parts.both && part.memory == p->kept_parts.memory))
        return fluid_path_start(f->fluid, p->flows, amount, done, arg);
    list_uses(f, p, &part);
    return fluid_start(f->fluid, f->paths.uses.at, (uint32_t)f->paths.uses.n, amount, weight, bound, done,
                       arg);
}

static bool listed(const uint32_t *links, uint32_t n, uint32_t link)
{
    for (uint32_t k = 0; k < n; k++)
        if (links[k] == link)
            return true;
    return false;
}

bool fabric_path_crosses(const struct fabric_path *p, uint32_t link)
{
    return listed(p->way.link, p->way.links, link) || listed(p->back, p->backs, link);
}

/* --- the table -------------------------------------------------------------------------------------- */

static void path_forget(struct fabric *f, struct fabric_path *p)
{
    BASE_ASSERT("N2", !p->users);
    struct fabric_nic *nic = &f->nics[p->key >> 32];
    if (nic->last == p)
        nic->last = NULL;
    drop_path(f, p);
    base_table_remove(&f->paths.known, p->key);
    base_pool_put(&f->paths.pool, p);
}

/* At the limit: looks at a few paths and forgets one without users, if there is one. They are chosen at
 * random, not by age: if hosts talk to all others in turn, the oldest path is always needed next. */
static void make_room(struct fabric *f, uint64_t key)
{
    const struct base_table *known = &f->paths.known;
    uint32_t at = known->live < KNOWN_MOST ? 0 : base_hash(key) % known->n;
    for (int k = 0; k < LOOKED_AT && known->live >= KNOWN_MOST; k++) {
        struct fabric_path **p = base_table_next(known, &at);
        if (p && !(*p)->users)
            path_forget(f, *p);
    }
}

struct fabric_path *fabric_path_look(struct fabric *f, uint64_t key, struct base_status *st)
{
    struct fabric_path **known = base_table_find(&f->paths.known, key), *p = known ? *known : NULL;
    if (!p) {
        p = path_create(f, key, st);
        if (!p)
            return NULL;
        make_room(f, key);
        *(struct fabric_path **)base_table_add(&f->paths.known, key, NULL) = p;
    }
    f->nics[key >> 32].last = p;
    return p;
}

struct fabric_path *fabric_path_lookup(struct fabric *f, uint64_t key)
{
    struct base_status st;
    struct fabric_path *p = fabric_path_look(f, key, &st);
    if (!p)
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    return p;
}

void fabric_paths_relate(struct fabric *f)
{
    uint32_t at = 0;
    for (struct fabric_path **known; (known = base_table_next(&f->paths.known, &at));) {
        struct fabric_path *p = *known;
        struct platform_route route;
        if (route_ask(f, p->key, &route, NULL))
            continue;
        p->latency = route_latency(f, p->key, &route);
        p->way.latency = p->latency * f->network.latency.first;
        p->way.back_latency = NAN;
    }
}

const struct fabric_way *fabric_way_find(struct fabric *f, uint32_t from, uint32_t to)
{
    struct platform_route route;
    struct fabric_way *w = &f->paths.quick;
    /* With changed latencies the way back may have another latency. */
    if (BASE_UNLIKELY(f->latency_change != NULL) || !platform_route_quick(f->platform, from, to, &route))
        return &fabric_path_find(f, from, to)->way;
    w->latency = w->back_latency = (route.latency + ends_latency(f, from, to)) * f->network.latency.first;
    w->link = route.links;
    w->links = route.n_links;
    return w;
}

/* The latency of the opposite direction, which acknowledgements take. */
double fabric_way_ask_back(struct fabric *f, const struct fabric_way *w)
{
    struct fabric_path *p = BASE_CONTAINER((uintptr_t)w, struct fabric_path, way);
    struct platform_route route;
    struct base_status st;
    if (route_ask(f, back_of(p->key), &route, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    return p->way.back_latency = route_latency(f, back_of(p->key), &route) * f->network.latency.first;
}
