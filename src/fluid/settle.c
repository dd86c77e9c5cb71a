/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settling: after an instant's changes, the rates of those paths that the changes reach.
 *
 * The problem, `set`, starts with the changed paths and those limited by a resource that changed. It is closed:
 * with a path, everybody is in it who is limited by a crowded resource that the path uses. It is solved with the
 * rates of all other paths fixed. The others' limits hold as before, since nobody in the set uses these resources. The
 * set's limits hold if nobody outside has a higher level on one of them; who has joins the set, and it is solved
 * again. At the end every path, in the set or not, has a limit in the sense of F1: its own cap, or a full
 * resource on which its level is the highest. The max-min allocation is the only one with that property
 * (Bertsekas and Gallager, Data Networks, section 6.5.2), so the local solution is the global one (F3).
 * docs/decisions/0003-lazy-fluid.md compares this with other ways to choose the set.
 */
#include "fluid/state.h"

#include <math.h>

/* --- what changed ----------------------------------------------------------------------------------- */

void fluid_dirty_path(struct fluid_path *p)
{
    struct fluid *f = p->fluid;
    if (p->dirty != FLUID_NONE)
        return;
    p->dirty = (uint32_t)f->dirty_paths.n;
    BASE_ARRAY_PUSH(&f->dirty_paths, p);
    engine_settle_ask(f->engine, &f->settle);
}

void fluid_dirty_forget(struct fluid_path *p)
{
    struct fluid *f = p->fluid;
    if (p->dirty == FLUID_NONE)
        return;
    struct fluid_path *last = f->dirty_paths.at[--f->dirty_paths.n];
    f->dirty_paths.at[p->dirty] = last;
    last->dirty = p->dirty;
    p->dirty = FLUID_NONE;
}

void fluid_dirty_resource(struct fluid *f, fluid_resource r)
{
    struct fluid_state *state = fluid_state_of(f, r);
    if (state->dirty)
        return;
    state->dirty = true;
    BASE_ARRAY_PUSH(&f->dirty_resources, r);
    engine_settle_ask(f->engine, &f->settle);
}

/* --- the set ---------------------------------------------------------------------------------------- */

static void take(struct fluid *f, struct fluid_path *p)
{
    if (p->local != FLUID_NONE)
        return;
    p->local = (uint32_t)f->set.n;
    BASE_ARRAY_PUSH(&f->set, p);
}

static void take_limited(struct fluid *f, fluid_resource r)
{
    if (fluid_state_of(f, r)->limited)
        for (struct fluid_link *l = fluid_state_of(f, r)->first; l; l = l->next)
            if (l->path->limit == r)
                take(f, l->path);
}

static void take_above(struct fluid *f, fluid_resource r, double level)
{
    for (struct fluid_link *l = fluid_state_of(f, r)->first; l; l = l->next)
        if (l->path->level > level)
            take(f, l->path);
}

static void take_changed(struct fluid *f)
{
    for (size_t i = 0; i < f->dirty_paths.n; i++) {
        struct fluid_path *p = f->dirty_paths.at[i];
        take(f, p);
        for (uint32_t k = 0; p->crowded && k < p->shared; k++)
            if (p->link[k].crowded)
                fluid_dirty_resource(f, p->link[k].resource);
    }
    for (size_t i = 0; i < f->dirty_resources.n; i++)
        take_limited(f, f->dirty_resources.at[i]);
}

static void set_clear(struct fluid *f)
{
    for (size_t i = 0; i < f->set.n; i++)
        f->set.at[i]->local = FLUID_NONE;
    f->set.n = 0;
}

/* Flows of the set that have nothing left, but for rounding, end in this instant before rates are computed. */
static bool set_has_due(struct fluid *f)
{
    double now = engine_now(f->engine);
    bool any = false;
    for (size_t i = 0; i < f->set.n; i++) {
        struct fluid_path *p = f->set.at[i];
        if (fluid_path_due(p, now)) {
            fluid_end_set(p, now);
            any = true;
        }
    }
    return any;
}

/* --- paths that meet nobody ------------------------------------------------------------------------- */

/* The rate of a path that is alone on all its crowded resources; false if it is not. */
static bool path_alone(struct fluid_path *p, double *rate, uint32_t *limit)
{
    *rate = p->cap;
    *limit = FLUID_OWN;
    for (uint32_t k = 0; p->crowded && k < p->shared; k++) {
        if (!p->link[k].crowded)
            continue;
        const struct fluid_state *r = fluid_state_of(p->fluid, p->link[k].resource);
        if (r->paths > 1)
            return false;
        double part = r->capacity / (p->link[k].usage * p->count);
        if (part < *rate) {
            *rate = part;
            *limit = p->link[k].resource;
        }
    }
    return true;
}

static void set_drop_alone(struct fluid *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->set.n; i++) {
        struct fluid_path *p = f->set.at[i];
        double rate;
        uint32_t limit;
        if (path_alone(p, &rate, &limit)) {
            p->local = FLUID_NONE;
            fluid_path_rate(p, rate, rate * p->weight, limit);
        } else {
            p->local = (uint32_t)kept;
            f->set.at[kept++] = p;
        }
    }
    f->set.n = kept;
}

/* --- the problem ------------------------------------------------------------------------------------ */

/* From set member `from` on: numbers the crowded resources that it uses, and takes who is limited by one of
 * them, since these will move when it does. Those taken are looked at in turn. */
static void problem_close(struct fluid *f, size_t from)
{
    for (size_t i = from; i < f->set.n; i++) {
        const struct fluid_path *p = f->set.at[i];
        for (uint32_t k = 0; k < p->shared; k++) {
            fluid_resource r = p->link[k].resource;
            struct fluid_state *state = fluid_state_of(f, r);
            if (!p->link[k].crowded || state->local != FLUID_NONE)
                continue;
            state->local = (uint32_t)f->touched.n;
            BASE_ARRAY_PUSH(&f->touched, r);
            take_limited(f, r);
        }
    }
}

static double load_outside(const struct fluid_state *r)
{
    double load = 0;
    for (const struct fluid_link *l = r->first; l; l = l->next)
        if (l->path->local == FLUID_NONE)
            load += l->usage * l->path->count * l->path->rate;
    return load;
}

static bool has_outside(const struct fluid *f, uint32_t touched)
{
    return fluid_state_of(f, f->touched.at[touched])->paths > solver_members(&f->solver, touched);
}

static void problem_build(struct fluid *f)
{
    solver_clear(&f->solver);
    for (size_t t = 0; t < f->touched.n; t++)
        solver_add_resource(&f->solver, fluid_state_of(f, f->touched.at[t])->capacity);
    for (size_t i = 0; i < f->set.n; i++) {
        const struct fluid_path *p = f->set.at[i];
        solver_add_variable(&f->solver, p->weight, p->cap);
        for (uint32_t k = 0; k < p->shared; k++) {
            const struct fluid_link *l = &p->link[k];
            if (l->crowded)
                solver_add_use(&f->solver, fluid_state_of(f, l->resource)->local, l->usage * p->count);
        }
    }
    for (uint32_t t = 0; t < f->touched.n; t++)
        if (has_outside(f, t))
            solver_reduce(&f->solver, t, load_outside(fluid_state_of(f, f->touched.at[t])));
}

/* Takes into the set whom the solution would break; false when it breaks nobody. */
static bool problem_grow(struct fluid *f)
{
    size_t before = f->set.n;
    for (uint32_t t = 0; t < f->touched.n; t++) {
        double level = solver_level_of(&f->solver, t);
        if (level < INFINITY && has_outside(f, t))
            take_above(f, f->touched.at[t], level * (1 + FLUID_SAME_LEVEL));
    }
    return f->set.n > before;
}

static void problem_apply(struct fluid *f)
{
    for (size_t i = 0; i < f->set.n; i++) {
        const struct solver_variable *v = &f->solver.variable.at[i];
        struct fluid_path *p = f->set.at[i];
        p->solved++;
        fluid_path_rate(p, v->rate, v->level, v->limit == FLUID_OWN ? FLUID_OWN : f->touched.at[v->limit]);
    }
}

static void problem_solve(struct fluid *f)
{
    size_t closed = 0;
    do {
        problem_close(f, closed);
        closed = f->set.n;
        problem_build(f);
        solver_run(&f->solver);
        f->counts.solves++;
        f->counts.solved_flows += f->set.n;
    } while (problem_grow(f));
    problem_apply(f);
    for (size_t t = 0; t < f->touched.n; t++)
        fluid_state_of(f, f->touched.at[t])->local = FLUID_NONE;
    f->touched.n = 0;
}

/* --- settling --------------------------------------------------------------------------------------- */

static void dirty_clear(struct fluid *f)
{
    for (size_t i = 0; i < f->dirty_paths.n; i++)
        f->dirty_paths.at[i]->dirty = FLUID_NONE;
    for (size_t i = 0; i < f->dirty_resources.n; i++)
        fluid_state_of(f, f->dirty_resources.at[i])->dirty = false;
    f->dirty_paths.n = f->dirty_resources.n = 0;
}

static void settle_set(struct fluid *f)
{
    dirty_clear(f);
    set_drop_alone(f);
    if (f->set.n)
        problem_solve(f);
    set_clear(f);
}

void fluid_settle(void *fluid)
{
    struct fluid *f = fluid;
    take_changed(f);
    if (!set_has_due(f)) {
        settle_set(f);
        return;
    }
    set_clear(f);
    engine_settle_ask(f->engine, &f->settle);
}

void fluid_settle_now(struct fluid *f)
{
    if (f->dirty_paths.n == 0 && f->dirty_resources.n == 0)
        return;
    take_changed(f);
    settle_set(f);
}
