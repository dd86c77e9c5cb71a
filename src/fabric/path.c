/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path: the way between two hosts, worked out once and kept while it is used. What it costs in memory depends
 * on the pairs of hosts in use at once, not on the pairs there are. Forgetting a path changes no simulated
 * time.
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 4, FIRST_SETS = 16, MOST_SETS = 1 << 15 };

void fabric_paths_init(struct fabric *f)
{
    struct fabric_paths *t = &f->paths;
    base_pool_init(&t->pool, sizeof(struct fabric_path), "paths between hosts");
    base_buffers_init(&t->lists, "links of paths");
    t->sets = FIRST_SETS;
    t->slots = base_zalloc((size_t)t->sets * WAYS * sizeof *t->slots, "paths between hosts");
}

/* Flows that still go on, when a job ends early, keep theirs. */
static void drop_path(struct fabric *f, struct fabric_path *p)
{
    if (p->way.links > FABRIC_NEAR_LINKS)
        base_buffers_put(&f->paths.lists, (void *)(uintptr_t)p->way.link, p->way.links * sizeof *p->way.link);
    if (p->flows && !p->users)
        fluid_path_destroy(f->fluid, p->flows);
}

void fabric_paths_release(struct fabric *f)
{
    struct fabric_paths *t = &f->paths;
    for (size_t k = 0; k < (size_t)t->sets * WAYS; k++) {
        if (t->slots[k].path)
            drop_path(f, t->slots[k].path);
    }
    free(t->slots);
    free(t->uses.at);
    base_buffers_release(&t->lists);
    base_pool_release(&t->pool);
}

static struct fabric_path_slot *set_of(const struct fabric_paths *t, uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
    return &t->slots[((h >> 32) & (t->sets - 1)) * WAYS];
}

static struct platform_route route_between(struct fabric *f, uint32_t from, uint32_t to)
{
    struct platform_route route;
    struct base_status st;
    f->paths.routed++;
    if (platform_route(f->platform, from, to, &route, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    return route;
}

static struct fabric_path *path_create(struct fabric *f, uint64_t key)
{
    struct fabric_path *p = base_pool_get(&f->paths.pool);
    struct platform_route route = route_between(f, (uint32_t)(key >> 32), (uint32_t)key);
    size_t bytes = route.n_links * sizeof *route.links;
    uint32_t *link = route.n_links <= FABRIC_NEAR_LINKS ? p->near : base_buffers_get(&f->paths.lists, bytes);
    memcpy(link, route.links, bytes);
    p->key = key;
    p->way = (struct fabric_way){route.latency * f->model.latency_factor, NAN, link, route.n_links};
    p->users = 0;
    p->flows = NULL;
    f->paths.known++;
    return p;
}

static void add_uses(struct fabric *f, uint32_t from, uint32_t to, float usage)
{
    struct platform_route route = route_between(f, from, to);
    for (uint32_t k = 0; k < route.n_links; k++) {
        struct fluid_use use = {f->first_link + route.links[k], usage};
        BASE_ARRAY_PUSH(&f->paths.uses, use);
    }
}

struct fluid_path *fabric_path_flows(struct fabric *f, struct fabric_path *p)
{
    uint32_t from = (uint32_t)(p->key >> 32), to = (uint32_t)p->key;
    if (p->flows || !p->way.links)
        return p->flows;
    f->paths.uses.n = 0;
    add_uses(f, from, to, 1);
    if (f->model.crosstraffic)
        add_uses(f, to, from, 0.05f);
    p->flows = fluid_path_create(f->fluid, f->paths.uses.at, (uint32_t)f->paths.uses.n, 1, INFINITY);
    return p->flows;
}

static void path_forget(struct fabric *f, struct fabric_path_slot *slot)
{
    struct fabric_path *p = slot->path;
    BASE_ASSERT("N2", !p->users);
    struct fabric_nic *nic = &f->nics[p->key >> 32];
    if (nic->last == p)
        nic->last = NULL;
    drop_path(f, p);
    base_pool_put(&f->paths.pool, p);
    slot->path = NULL;
    f->paths.known--;
}

static struct fabric_path_slot *free_way(struct fabric_path_slot *set)
{
    for (int w = 0; w < WAYS; w++) {
        if (!set[w].path)
            return &set[w];
    }
    return NULL;
}

/* Twice the sets: each old set's four paths go to one of two, so that they always find room. */
static void paths_grow(struct fabric_paths *t)
{
    struct fabric_path_slot *old = t->slots;
    size_t n = (size_t)t->sets * WAYS;
    t->sets *= 2;
    t->slots = base_zalloc(2 * n * sizeof *old, "paths between hosts");
    for (size_t k = 0; k < n; k++) {
        if (old[k].path)
            *free_way(set_of(t, old[k].key)) = old[k];
    }
    free(old);
}

/* A full set at the limit: the next way in turn whose path has no users. */
static struct fabric_path_slot *way_to_forget(struct fabric_paths *t, struct fabric_path_slot *set)
{
    for (int w = 0; w < WAYS; w++) {
        struct fabric_path_slot *slot = &set[t->hand++ % WAYS];
        if (!slot->path->users)
            return slot;
    }
    return NULL;
}

static struct fabric_path_slot *make_room(struct fabric *f, uint64_t key)
{
    struct fabric_paths *t = &f->paths;
    for (;;) {
        struct fabric_path_slot *set = set_of(t, key), *slot = free_way(set);
        if (!slot && t->sets >= MOST_SETS && (slot = way_to_forget(t, set)))
            path_forget(f, slot);
        if (slot)
            return slot;
        paths_grow(t);
    }
}

struct fabric_path *fabric_path_lookup(struct fabric *f, uint64_t key)
{
    struct fabric_path_slot *set = set_of(&f->paths, key);
    struct fabric_path *p = NULL;
    for (int w = 0; w < WAYS && !p; w++) {
        if (set[w].path && set[w].key == key)
            p = set[w].path;
    }
    if (!p) {
        p = path_create(f, key);
        *make_room(f, key) = (struct fabric_path_slot){key, p};
    }
    f->nics[key >> 32].last = p;
    return p;
}

const struct fabric_way *fabric_way_find(struct fabric *f, uint32_t from, uint32_t to)
{
    struct platform_route route;
    struct fabric_way *w = &f->paths.quick;
    if (!platform_route_quick(f->platform, from, to, &route))
        return &fabric_path_find(f, from, to)->way;
    w->latency = w->back_latency = route.latency * f->model.latency_factor;
    w->link = route.links;
    w->links = route.n_links;
    return w;
}

/* The latency of the other direction, which acknowledgements take. */
double fabric_way_ask_back(struct fabric *f, const struct fabric_way *w)
{
    struct fabric_path *p = BASE_CONTAINER((uintptr_t)w, struct fabric_path, way);
    struct platform_route route = route_between(f, (uint32_t)p->key, (uint32_t)(p->key >> 32));
    return p->way.back_latency = route.latency * f->model.latency_factor;
}
