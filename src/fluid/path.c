/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Paths: made from a list of uses or from another path, linked into their resources, and their demand there.
 * Rates are left to flow.c and settle.c.
 */
#include "fluid/state.h"

#include <stdlib.h>

static uint32_t place_get(struct fluid *f)
{
    uint32_t id = f->free_place;
    if (id == FLUID_NONE) {
        BASE_ARRAY_PUSH(&f->places, (struct fluid_place){0});
        return (uint32_t)f->places.n - 1;
    }
    f->free_place = f->places.at[id].limit_next;
    return id;
}

static void place_put(struct fluid *f, uint32_t id)
{
    f->places.at[id] = (struct fluid_place){NULL, FLUID_NONE, f->free_place};
    f->free_place = id;
}

const uint32_t fluid_room[FLUID_PATH_ROOMS] = {4, 8, 12, 20, 32, 64, 128};

/* The pool with room for n links, or FLUID_PATH_ROOMS. */
static size_t pool_of(uint32_t n)
{
    size_t k = 0;
    while (k < FLUID_PATH_ROOMS && fluid_room[k] < n)
        k++;
    return k;
}

static struct fluid_path *path_get(struct fluid *f, uint32_t n)
{
    size_t k = pool_of(n);
    bool pooled = k < FLUID_PATH_ROOMS;
    struct fluid_path *p =
        pooled ? base_pool_get(&f->paths[k]) : base_alloc(fluid_path_bytes(n), "long paths");
    p->fluid = f;
    p->room = pooled ? fluid_room[k] : n;
    p->id = place_get(f);
    f->places.at[p->id] = (struct fluid_place){p, FLUID_NONE, FLUID_NONE};
    return p;
}

void fluid_path_free(struct fluid_path *p)
{
    struct fluid *f = p->fluid;
    size_t k = pool_of(p->room);
    BASE_ASSERT("P1", p->count == 0 && fluid_place_of(f, p)->number == FLUID_NONE && !fluid_has_end(p));
    place_put(f, p->id);
    if (k < FLUID_PATH_ROOMS)
        base_pool_put(&f->paths[k], p);
    else
        free(p);
}

/* --- making --------------------------------------------------------------------------------------- */

static void link_add(struct fluid_path *p, uint32_t state, double usage)
{
    *fluid_node_of(p, p->links) = (struct fluid_node){.path = p, .place = p->links};
    p->link[p->links] = (struct fluid_link){.usage = usage, .state = state, .number = p->links};
    p->links++;
}

/* Adds one use; state.local holds the link's number while the list is read, to find repeated uses. */
static void use_add(struct fluid_path *p, const struct fluid_use *u)
{
    uint32_t state = p->fluid->resources.at[u->resource].state;
    if (state == FLUID_NONE)
        state = fluid_state_make(p->fluid, u->resource);
    struct fluid_state *r = fluid_state_of(p->fluid, state);
    if (r->local == FLUID_NONE) {
        r->local = p->links;
        link_add(p, state, u->usage);
        return;
    }
    struct fluid_link *l = &p->link[r->local];
    l->usage = r->fatpipe ? fmax(l->usage, u->usage) : l->usage + u->usage;
    p->plain = false;
}

static bool is_fatpipe(const struct fluid *f, fluid_resource id)
{
    return f->resources.at[id].fatpipe;
}

static void uses_add(struct fluid_path *p, const struct fluid_use *uses, uint32_t n)
{
    p->links = 0;
    p->plain = true;
    for (uint32_t i = 0; i < n; i++)
        if (!is_fatpipe(p->fluid, uses[i].resource))
            use_add(p, &uses[i]);
    p->shared = p->links;
    for (uint32_t i = 0; i < n && p->links < n; i++)
        if (is_fatpipe(p->fluid, uses[i].resource))
            use_add(p, &uses[i]);
    for (uint32_t i = 0; i < p->links; i++)
        fluid_state_of(p->fluid, p->link[i].state)->local = FLUID_NONE;
}

/* A resource that the path may fill alone counts as full later than a FATPIPE one of the same level. */
static void cap_measure(struct fluid_path *p)
{
    const struct fluid_link *narrowest = NULL;
    double most = 0; /* what is taken of it per unit of rate */
    p->cap = p->bound;
    p->cap_level = p->bound * p->weight;
    for (uint32_t i = 0; i < p->links; i++) {
        const struct fluid_link *l = fluid_link_at(p, i);
        double part = l->usage * fluid_state_of(p->fluid, l->state)->inverse;
        if (part > most) {
            most = part;
            narrowest = l;
        }
    }
    if (!narrowest)
        return;
    double capacity = fluid_state_of(p->fluid, narrowest->state)->capacity;
    p->cap = fmin(p->bound, capacity / narrowest->usage);
    p->cap_level = fmin(p->cap_level, capacity / (narrowest->usage * (1 / p->weight)) *
                                          (p->links > p->shared ? 1 + FLUID_TIE : 1));
}

void fluid_path_measure(struct fluid_path *p)
{
    cap_measure(p);
    for (uint32_t i = 0; i < p->links; i++) {
        struct fluid_node *node = fluid_node_of(p, i);
        const struct fluid_link *l = fluid_link_of(node);
        double part = l->usage * p->cap * fluid_state_of(p->fluid, l->state)->inverse;
        if (i >= p->shared)
            node->demand = part >= 1 - FLUID_SAME_LEVEL;
        else
            node->demand = part >= 1 ? FLUID_FULL : (int64_t)(part * (double)FLUID_FULL);
    }
    p->inverse_weight = 1 / p->weight;
    p->version = p->fluid->version;
}

/* Without flows, not measured yet, with room for n links. */
static struct fluid_path *path_new(struct fluid *f, uint32_t n, double weight, double bound)
{
    struct fluid_path *p = path_get(f, n);
    p->first = p->last = NULL;
    fluid_end_init(p);
    p->weight = weight;
    p->bound = bound;
    p->count = 0;
    p->limit = FLUID_NONE;
    p->slack = p->crowded = 0;
    p->watched = 0;
    p->solved = 0;
    p->kept = false;
    p->ending = false;
    return p;
}

static void path_measure_first(struct fluid_path *p)
{
    fluid_path_measure(p);
    BASE_ASSERT("F1", p->cap > 0 && p->cap < INFINITY && p->weight > 0);
}

struct fluid_path *fluid_path_make(struct fluid *f, const struct fluid_use *uses, uint32_t n, double weight,
                                   double bound)
{
    struct fluid_path *p = path_new(f, n, weight, bound);
    uses_add(p, uses, n);
    path_measure_first(p);
    return p;
}

struct fluid_path *fluid_path_like(const struct fluid_path *p, double weight, double bound)
{
    struct fluid_path *q = fluid_path_find_like(p, weight, bound);
    if (q)
        return q;
    q = path_new(p->fluid, p->links, weight, bound);
    q->shared = p->shared;
    q->plain = p->plain;
    q->links = 0;
    for (uint32_t i = 0; i < p->links; i++)
        link_add(q, fluid_link_at(p, i)->state, fluid_link_at(p, i)->usage);
    path_measure_first(q);
    return q;
}

/* --- in the lists --------------------------------------------------------------------------------- */

void fluid_path_mix(struct fluid_path *p)
{
    for (uint32_t i = p->shared; i < p->links; i++) {
        const struct fluid_link *l = fluid_link_at(p, i);
        struct fluid_users *users = fluid_users_of(p->fluid, l->state);
        double part = l->usage / p->weight;
        if (fluid_state_of(p->fluid, l->state)->paths > 1) {
            users->mixed |= part != users->part;
        } else {
            users->mixed = false;
            users->part = part;
        }
    }
}

void fluid_path_link(struct fluid_path *p)
{
    p->crowded = p->slack = 0;
    p->watched = 0;
    for (uint32_t i = 0; i < p->links; i++) {
        struct fluid_node *node = fluid_node_of(p, i);
        struct fluid_link *l = fluid_link_of(node);
        struct fluid_state *r = fluid_state_of(p->fluid, l->state);
        struct fluid_users *users = fluid_users_of(p->fluid, l->state);
        l->crowded = fluid_crowded(r, users);
        l->load = 0;
        p->crowded += l->crowded;
        p->slack += l->crowded && r->slack;
        if (l->crowded && !r->slack)
            fluid_watch_link(p, i);
        node->prev = NULL;
        node->next = users->first;
        if (users->first)
            users->first->prev = node;
        users->first = node;
        r->paths++;
    }
    p->ceiling = p->slack ? 0 : INFINITY;
}

void fluid_path_unlink(struct fluid_path *p)
{
    for (uint32_t i = 0; i < p->links; i++) {
        struct fluid_node *node = fluid_node_of(p, i);
        struct fluid_link *l = fluid_link_of(node);
        struct fluid_state *r = fluid_state_of(p->fluid, l->state);
        if (node->next)
            node->next->prev = node->prev;
        if (node->prev)
            node->prev->next = node->next;
        else
            fluid_users_of(p->fluid, l->state)->first = node->next;
        r->paths--;
        if (l->crowded)
            r->load -= l->load;
        if (r->slack && r->paths == 1) /* the remaining path now has it to itself */
            fluid_watch(p->fluid, l->state);
    }
}

/* Those that had a resource as if alone will hardly keep their rates
 * when it becomes crowded; loads are known once all have new rates. */
static void become_crowded(struct fluid_state *r, const struct fluid_users *users)
{
    r->load = 0;
    r->others = 0;
    r->suspect = true;
    for (struct fluid_node *l = users->first; l; l = l->next) {
        fluid_link_of(l)->crowded = true;
        fluid_link_of(l)->load = 0;
        fluid_watch_link(l->path, fluid_link_of(l)->number);
        l->path->crowded++;
        fluid_dirty_path(l->path);
    }
}

static void become_roomy(struct fluid_state *r, const struct fluid_users *users)
{
    for (struct fluid_node *l = users->first; l; l = l->next) {
        fluid_link_of(l)->crowded = false;
        l->path->crowded--;
        if (r->slack)
            fluid_slack_drop(l->path);
        else
            fluid_unwatch_link(l->path, fluid_link_of(l)->number);
    }
    r->slack = false;
}

void fluid_path_demand_add(struct fluid_path *p, uint32_t flows)
{
    const struct fluid_node *node = fluid_node_of(p, 0);
    for (const struct fluid_node *end = node + p->links; node < end; node++) {
        const struct fluid_link *l = fluid_link_of(node);
        struct fluid_users *users = fluid_users_of(p->fluid, l->state);
        struct fluid_state *r = fluid_state_of(p->fluid, l->state);
        users->demand += (unsigned __int128)node->demand * flows;
        if (!l->crowded && fluid_crowded(r, users))
            become_crowded(r, users);
    }
}

void fluid_path_demand_drop(struct fluid_path *p, uint32_t flows)
{
    const struct fluid_node *node = fluid_node_of(p, 0);
    for (const struct fluid_node *end = node + p->links; node < end; node++) {
        const struct fluid_link *l = fluid_link_of(node);
        struct fluid_users *users = fluid_users_of(p->fluid, l->state);
        users->demand -= (unsigned __int128)node->demand * flows;
        if (!l->crowded)
            continue;
        struct fluid_state *r = fluid_state_of(p->fluid, l->state);
        if (r->limited != FLUID_NONE)
            fluid_dirty_resource(p->fluid, l->state);
        if (!fluid_crowded(r, users))
            become_roomy(r, users);
    }
}
