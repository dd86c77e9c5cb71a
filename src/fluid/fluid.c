/* SPDX-License-Identifier: BSD-3-Clause */
/* The model itself: creating and destroying it, resources, paths kept by callers, and queries. */
#include "fluid/state.h"

#include <math.h>
#include <stdlib.h>

struct fluid *fluid_create(struct engine *e)
{
    struct fluid *f = base_zalloc(sizeof *f, "fluid model");
    f->engine = e;
    f->free_place = FLUID_NONE;
    base_pool_init(&f->flows, sizeof(struct fluid_flow), "flows");
    base_pool_init(&f->ends, sizeof(struct fluid_end), "ends of flows");
    for (size_t k = 0; k < BASE_LENGTH(f->paths); k++)
        base_pool_init(&f->paths[k], fluid_path_bytes(fluid_room[k]), "paths");
    base_pool_of_operations(&f->flows);
    base_pool_of_operations(&f->ends);
    solver_init(&f->solver);
    solver_clear(&f->solver);
    f->settle.fn = fluid_settle;
    f->settle.arg = f;
    return f;
}

void fluid_destroy(struct fluid *f)
{
    if (!f)
        return;
    solver_release(&f->solver);
    base_pool_release(&f->flows);
    base_pool_release(&f->ends);
    for (size_t k = 0; k < BASE_LENGTH(f->paths); k++)
        base_pool_release(&f->paths[k]);
    free(f->places.at);
    free(f->resources.at);
    free(f->states.at);
    free(f->users.at);
    free(f->dirty.at);
    free(f->set.at);
    free(f->members.at);
    free(f->touched.at);
    free(f->later.at);
    free(f);
}

/* --- resources -------------------------------------------------------------------------------------- */

fluid_resource fluid_resource_add(struct fluid *f, double capacity, enum fluid_policy policy)
{
    BASE_ASSERT("F1", capacity > 0 && capacity < INFINITY);
    struct fluid_known r = {.capacity = capacity, .state = FLUID_NONE, .fatpipe = policy == FLUID_FATPIPE};
    BASE_ARRAY_PUSH(&f->resources, r);
    return (fluid_resource)f->resources.n - 1;
}

uint32_t fluid_state_make(struct fluid *f, fluid_resource id)
{
    struct fluid_known *known = &f->resources.at[id];
    struct fluid_state r = {.capacity = known->capacity,
                            .inverse = 1 / known->capacity,
                            .limited = FLUID_NONE,
                            .local = FLUID_NONE,
                            .fatpipe = known->fatpipe};
    known->state = (uint32_t)f->states.n;
    BASE_ARRAY_PUSH(&f->states, r);
    BASE_ARRAY_PUSH(&f->users, (struct fluid_users){0});
    return known->state;
}

/* Caps and demands of every path on it change, and with these what is crowded elsewhere. */
void fluid_resource_set_capacity(struct fluid *f, fluid_resource id, double capacity)
{
    BASE_ASSERT("F1", capacity > 0 && capacity < INFINITY);
    struct fluid_known *known = &f->resources.at[id];
    known->capacity = capacity;
    if (known->state == FLUID_NONE)
        return;
    struct fluid_state *r = fluid_state_of(f, known->state);
    const struct fluid_users *users = fluid_users_of(f, known->state);
    if (r->slack)
        fluid_watch(f, known->state);
    for (struct fluid_node *l = users->first; l; l = l->next)
        fluid_path_demand_drop(l->path, l->path->count);
    r->capacity = capacity;
    r->inverse = 1 / capacity;
    f->version++;
    for (struct fluid_node *l = users->first; l; l = l->next) {
        fluid_path_measure(l->path);
        fluid_path_demand_add(l->path, l->path->count);
        fluid_dirty_path(l->path);
    }
}

double fluid_resource_capacity(const struct fluid *f, fluid_resource id)
{
    return f->resources.at[id].capacity;
}

/* The first path in the list of those that cross it. */
static const struct fluid_node *first_user(const struct fluid *f, fluid_resource id)
{
    uint32_t state = f->resources.at[id].state;
    return state == FLUID_NONE ? NULL : fluid_users_of(f, state)->first;
}

uint32_t fluid_resource_flows(const struct fluid *f, fluid_resource id)
{
    uint32_t n = 0;
    for (const struct fluid_node *l = first_user(f, id); l; l = l->next)
        n += l->path->count;
    return n;
}

uint32_t fluid_resource_paths(const struct fluid *f, fluid_resource id)
{
    uint32_t state = f->resources.at[id].state;
    return state == FLUID_NONE ? 0 : fluid_state_of(f, state)->paths;
}

double fluid_resource_load(struct fluid *f, fluid_resource id)
{
    double load = 0;
    fluid_settle_now(f);
    for (const struct fluid_node *l = first_user(f, id); l; l = l->next)
        load += fluid_link_of(l)->usage * l->path->count * l->path->rate;
    return load;
}

double fluid_resource_taken(const struct fluid *f, fluid_resource id)
{
    double sum = 0, most = 0;
    for (const struct fluid_node *l = first_user(f, id); l; l = l->next) {
        double taken = fluid_link_of(l)->usage * l->path->rate;
        sum += taken * l->path->count;
        most = fmax(most, taken);
    }
    return f->resources.at[id].fatpipe ? most : sum;
}

void fluid_on_ending(struct fluid *f, void (*fn)(void *ctx, fluid_done_fn done, void *arg), void *ctx)
{
    f->ending = fn;
    f->ending_ctx = ctx;
}

bool fluid_idle(const struct fluid *f, const struct fluid_use *uses, uint32_t n_uses)
{
    for (uint32_t i = 0; i < n_uses; i++)
        if (!f->resources.at[uses[i].resource].fatpipe && fluid_resource_paths(f, uses[i].resource))
            return false;
    return true;
}

/* --- kept paths ------------------------------------------------------------------------------------- */

struct fluid_path *fluid_path_create(struct fluid *f, const struct fluid_use *uses, uint32_t n_uses,
                                     double weight, double bound)
{
    struct fluid_path *p = fluid_path_make(f, uses, n_uses, weight, bound);
    p->kept = true;
    return p;
}

void fluid_path_destroy(struct fluid *f, struct fluid_path *path)
{
    (void)f;
    BASE_ASSERT("P1", path->kept && path->count == 0);
    path->kept = false;
    if (!path->ending)
        fluid_path_free(path);
}

bool fluid_path_idle(const struct fluid *f, const struct fluid_path *path)
{
    for (uint32_t i = 0; i < path->shared; i++)
        if (fluid_state_of(f, fluid_link_at(path, i)->state)->paths)
            return false;
    return true;
}

struct fluid_counts fluid_counts(const struct fluid *f)
{
    return f->counts;
}
