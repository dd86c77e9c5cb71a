/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The problem of an instant: the set as variables, the resources that they share, what those outside leave of these;
 * solved, checked against the others, solved again with whom the solution would break. Why that is right: settle.c.
 */
#include "fluid/state.h"

#include <math.h>

/* --- ahead ------------------------------------------------------------------------------------------- */

/* Large sets lie far apart in memory. While path i is dealt with, those behind it in the set are fetched in three steps:
 * the path, its links and what a new rate changes, the states of its links. */
enum { AHEAD_PATH = 6, AHEAD_LINKS = 4, AHEAD_STATES = 2, LINE = 64 };

static void fetch(const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch((const char *)from + at);
}

static void fetch_states(const struct fluid *f, const struct fluid_path *p)
{
    for (uint32_t k = 0; k < p->links; k++)
        __builtin_prefetch(fluid_state_of(f, p->link[k].state));
    __builtin_prefetch(p->first);
}

static inline void fetch_ahead(const struct fluid *f, size_t i)
{
    if (i + AHEAD_PATH >= f->set.n)
        return;
    fetch(f->set.at[i + AHEAD_PATH], LINE);
    const struct fluid_path *p = f->set.at[i + AHEAD_LINKS];
    fetch(&p->rate, LINE);
    fetch(p->link, p->links * sizeof *p->link);
    fetch_states(f, f->set.at[i + AHEAD_STATES]);
}

/* --- the problem ------------------------------------------------------------------------------------ */

/* Whether a resource may be left out of the problem until a solution fills it. */
static bool has_room(const struct fluid_state *r)
{
    return r->load < FLUID_ROOMY && !r->limited && !r->fatpipe && !r->suspect;
}

/* The solver's number of a crowded resource that a path of the set uses, or FLUID_LATER. Who is limited by it joins the
 * set, since they will move when that path does. */
static uint32_t touch(struct fluid *f, uint32_t state)
{
    struct fluid_state *r = fluid_state_of(f, state);
    if (r->local == FLUID_NONE && has_room(r)) {
        r->local = FLUID_LATER;
        BASE_ARRAY_PUSH(&f->later, state);
    } else if (r->local == FLUID_NONE) {
        r->local = solver_add_resource(&f->solver, r->capacity, r->fatpipe);
        BASE_ARRAY_PUSH(&f->touched, ((struct fluid_touched){state, r->load}));
        fluid_set_take_limited(f, state);
    }
    return r->local;
}

/* Makes a path of the set a variable of the problem. What bounds it is its cap, or a crowded resource that it has
 * for itself; where that is all, because it shares no crowded one, it gets that rate at once. */
static void enter(struct fluid *f, struct fluid_path *p)
{
    struct fluid_member m = {p, FLUID_OWN, 0};
    double cap = p->cap, cap_level = p->cap_level;
    size_t uses = f->solver.use.n;
    for (uint32_t k = 0, left = p->crowded; left; k++) {
        const struct fluid_link *l = &p->link[k];
        if (!l->crowded)
            continue;
        const struct fluid_state *r = fluid_state_of(f, l->state);
        double load = r->fatpipe ? l->usage : l->usage * p->count;
        left--;
        if (r->paths > 1) {
            uint32_t local = touch(f, l->state);
            if (local == FLUID_LATER) {
                m.later++;
                continue;
            }
            f->touched.at[local].outside -= l->load;
            solver_add_use(&f->solver, local, load);
        } else if (r->capacity < cap * load && !r->fatpipe) {
            cap = r->capacity / load;
            cap_level = r->capacity / (load / p->weight) * (p->links > p->shared ? 1 + FLUID_TIE : 1);
            m.limit = l->state;
        }
    }
    if (f->solver.use.n == uses && !m.later) {
        fluid_path_rate(p, cap, cap_level, m.limit);
        return;
    }
    solver_add_variable(&f->solver, p->weight, cap, cap_level);
    BASE_ARRAY_PUSH(&f->members, m);
}

static bool has_outside(const struct fluid *f, uint32_t touched)
{
    return fluid_state_of(f, f->touched.at[touched].state)->paths > solver_members(&f->solver, touched);
}

/* What those leave who are not in the set. */
static double left_inside(const struct fluid *f, uint32_t touched)
{
    const struct fluid_state *r = fluid_state_of(f, f->touched.at[touched].state);
    if (r->fatpipe || !has_outside(f, touched))
        return r->capacity;
    return (double)(FLUID_WHOLE - f->touched.at[touched].outside) * r->capacity / (double)FLUID_WHOLE;
}

static void problem_run(struct fluid *f)
{
    for (uint32_t t = 0; t < f->touched.n; t++)
        solver_set_capacity(&f->solver, t, left_inside(f, t));
    solver_run(&f->solver);
    f->counts.solves++;
    f->counts.solved_flows += f->members.n;
}

/* Those limited by the resource are in the set. */
static void take_above(struct fluid *f, uint32_t state, double level)
{
    struct fluid_state *r = fluid_state_of(f, state);
    if (r->others <= level)
        return;
    r->others = 0;
    for (struct fluid_node *l = fluid_users_of(f, state)->first; l; l = l->next) {
        struct fluid_path *p = l->path;
        if (p->level > level)
            fluid_set_take(f, p);
        else if (p->limit != state)
            r->others = fmax(r->others, p->level);
    }
}

/* Takes into the set whom the solution would break; false when it breaks nobody. */
static bool problem_grow(struct fluid *f)
{
    size_t before = f->set.n;
    for (uint32_t t = 0; t < f->touched.n; t++) {
        double level = solver_level_of(&f->solver, t);
        if (level < INFINITY && has_outside(f, t))
            take_above(f, f->touched.at[t].state, level * (1 + FLUID_SAME_LEVEL));
    }
    return f->set.n > before;
}

/* The load that a solution gives to the resources left out. */
static void load_later(struct fluid *f, const struct fluid_member *m, double rate)
{
    rate *= m->path->count * (double)FLUID_WHOLE;
    for (uint32_t k = 0, left = m->later; left; k++) {
        struct fluid_link *l = &m->path->link[k];
        struct fluid_state *r = fluid_state_of(f, l->state);
        if (!l->crowded || r->local != FLUID_LATER)
            continue;
        double load = l->usage * rate * r->inverse;
        left--;
        r->suspect |=
            load + (double)r->load > 4 * (double)FLUID_WHOLE; /* and added up no further: it would overflow */
        if (r->suspect)
            continue;
        r->load += (int64_t)load - l->load;
        l->load = (int64_t)load;
    }
}

/* True if resources that were left out would be overfull, which then are suspect. */
static bool problem_overfull(struct fluid *f)
{
    bool any = false;
    if (!f->later.n)
        return false;
    for (size_t i = 0; i < f->members.n; i++) {
        fetch_ahead(f, i);
        if (f->members.at[i].later)
            load_later(f, &f->members.at[i], f->solver.variable.at[i].rate);
    }
    for (size_t i = 0; i < f->later.n; i++) {
        struct fluid_state *r = fluid_state_of(f, f->later.at[i]);
        r->suspect |= r->load > FLUID_WHOLE + (FLUID_WHOLE >> 38);
        any |= r->suspect;
    }
    return any;
}

static void problem_apply(struct fluid *f)
{
    for (size_t i = 0; i < f->members.n; i++) {
        const struct solver_variable *v = &f->solver.variable.at[i];
        const struct fluid_member *m = &f->members.at[i];
        fetch_ahead(f, i);
        m->path->solved++;
        fluid_path_rate(m->path, v->rate, v->level,
                        v->limit == FLUID_OWN ? m->limit : f->touched.at[v->limit].state);
    }
}

static void problem_clear(struct fluid *f)
{
    for (size_t t = 0; t < f->touched.n; t++)
        fluid_state_of(f, f->touched.at[t].state)->local = FLUID_NONE;
    for (size_t i = 0; i < f->later.n; i++)
        fluid_state_of(f, f->later.at[i])->local = FLUID_NONE;
    f->touched.n = f->members.n = f->later.n = 0;
    solver_clear(&f->solver);
}

void fluid_problem_solve(struct fluid *f)
{
    size_t entered = 0;
    do {
        if (f->later.n && entered == f->set.n) { /* once more, with what was left out and is full */
            problem_clear(f);
            entered = 0;
        }
        for (; entered < f->set.n; entered++) { /* entering may take more */
            fetch_ahead(f, entered);
            enter(f, f->set.at[entered]);
        }
        if (f->members.n)
            problem_run(f);
    } while (problem_grow(f) || problem_overfull(f));
    problem_apply(f);
    for (size_t t = 0; t < f->touched.n; t++)
        fluid_state_of(f, f->touched.at[t].state)->suspect = false;
    problem_clear(f);
}
