/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The problem of an instant: the set as variables, the resources they share, and what the paths outside leave
 * of these. It is solved, checked against the other paths, and solved again with those whose limits the
 * solution would break. Why this is right: see settle.c.
 */
#include "fluid/state.h"

/* --- prefetching ------------------------------------------------------------------------------------- */

/* Large sets are scattered in memory, so paths are fetched this many places ahead. */
enum { AHEAD = 8 };

/* What the solver needs of a path was fetched when it
 * joined the set; by now it may lie in a farther cache. */
static inline void fetch_set(const struct fluid *f, size_t i)
{
    if (i + AHEAD < f->set.n)
        fluid_path_fetch(f->places.at[f->set.at[i + AHEAD]].path);
}

/* A new rate touches the three hot lines of a path. */
static inline void fetch_members(const struct fluid *f, size_t i)
{
    if (i + AHEAD >= f->members.n)
        return;
    const struct fluid_path *p = f->members.at[i + AHEAD].path;
    __builtin_prefetch(&p->alarm.event.seq);
    fluid_path_fetch(p);
}

/* --- the problem ------------------------------------------------------------------------------------ */

/* Whether a resource may be left out of the problem until a solution fills it. */
static bool has_room(const struct fluid_state *r)
{
    return r->load < FLUID_ROOMY && r->limited == FLUID_NONE && !r->fatpipe && !r->suspect;
}

/* The solver's number of a crowded resource that a path of the set uses, or FLUID_LATER. Paths limited by it
 * join the set, since they will move when that path does. */
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

/* Makes a path of the set a variable of the problem. It is bounded by its cap, or by a crowded resource that
 * it has to itself. If it shares no crowded resource, it gets that rate at once. */
static void enter(struct fluid *f, struct fluid_path *p)
{
    struct fluid_member m = {p, FLUID_OWN, 0, p->count, p->ceiling};
    double cap = p->cap, cap_level = p->cap_level;
    size_t uses = f->solver.use.n;
    for (const struct fluid_link *l = p->link, *end = l + p->watched; l < end; l++) {
        const struct fluid_state *r = fluid_state_of(f, l->state);
        double load = r->fatpipe ? l->usage : l->usage * p->count;
        if (r->paths > 1) {
            uint32_t local = touch(f, l->state);
            if (local == FLUID_LATER) {
                m.later++;
                continue;
            }
            f->touched.at[local].outside -= l->load;
            solver_add_use(&f->solver, local, load, p->inverse_weight);
        } else if (r->capacity < cap * load && !r->fatpipe) {
            cap = r->capacity / load;
            cap_level = r->capacity / (load / p->weight) * (p->links > p->shared ? 1 + FLUID_TIE : 1);
            m.limit = l->state;
        }
    }
    if (f->solver.use.n == uses && !m.later && p->ceiling == INFINITY) {
        fluid_path_rate(f, p, cap, cap_level, m.limit);
        return;
    }
    solver_add_variable(&f->solver, p->inverse_weight, cap, cap_level);
    BASE_ARRAY_PUSH(&f->members, m);
}

static bool has_outside(const struct fluid *f, uint32_t touched)
{
    return fluid_state_of(f, f->touched.at[touched].state)->paths > f->solver.resource.at[touched].members;
}

/* What the paths outside the set leave of it. */
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

/* Paths limited by the resource are already in the set. */
static void take_above(struct fluid *f, uint32_t state, double level)
{
    struct fluid_state *r = fluid_state_of(f, state);
    if (r->others <= level)
        return;
    r->others = 0;
    for (struct fluid_node *l = fluid_users_of(f, state)->first; l; l = l->next) {
        struct fluid_path *p = l->path;
        if (p->level > level)
            fluid_set_take(f, p->id);
        else if (p->limit != state)
            r->others = fmax(r->others, p->level);
    }
}

/* Takes paths into the set whose limits the solution would break; false if there are none. */
static bool problem_grow(struct fluid *f)
{
    size_t before = f->set.n;
    for (uint32_t t = 0; t < f->touched.n; t++) {
        double level = f->solver.resource.at[t].level;
        if (level < INFINITY && has_outside(f, t))
            take_above(f, f->touched.at[t].state, level * (1 + FLUID_SAME_LEVEL));
    }
    return f->set.n > before;
}

/* A solution lets a path rise above its ceiling. Slack
 * resources, which were left out, may become watched by this. */
static void rise(struct fluid *f, struct fluid_path *p, double taken)
{
    fluid_ceiling_move(f, p, taken);
    for (const struct fluid_link *l = p->link, *end = l + p->watched; l < end; l++) {
        struct fluid_state *r = fluid_state_of(f, l->state);
        if (r->local != FLUID_NONE || r->paths == 1)
            continue;
        r->local = FLUID_LATER;
        BASE_ARRAY_PUSH(&f->later, l->state);
    }
}

/* Handles paths that a solution gives more than slack
 * resources were told. True if some resources became watched. */
static bool problem_rise(struct fluid *f)
{
    size_t before = f->later.n;
    for (size_t i = 0; i < f->members.n; i++) {
        const struct fluid_member *m = &f->members.at[i];
        double taken = f->solver.variable.at[i].rate * m->count;
        if (BASE_UNLIKELY(taken > m->ceiling))
            rise(f, m->path, taken);
    }
    return f->later.n > before;
}

/* Adds the load that a solution puts on the resources left out. */
static void load_later(struct fluid *f, struct fluid_path *p, double rate)
{
    rate *= p->count * (double)FLUID_WHOLE;
    for (struct fluid_link *l = p->link, *end = l + p->watched; l < end; l++) {
        struct fluid_state *r = fluid_state_of(f, l->state);
        if (r->local != FLUID_LATER)
            continue;
        double load = l->usage * rate * r->inverse;
        r->suspect |=
            load + (double)r->load > 4 * (double)FLUID_WHOLE; /* not summed further: it would overflow */
        if (r->suspect)
            continue;
        r->load += (int64_t)load - l->load;
        l->load = (int64_t)load;
    }
}

/* True if resources that were left out would be overfull; these are marked suspect. */
static bool problem_overfull(struct fluid *f)
{
    bool any = false, more = problem_rise(f);
    if (!f->later.n)
        return false;
    for (size_t i = 0; i < f->members.n; i++) {
        if (f->members.at[i].later || more)
            load_later(f, f->members.at[i].path, f->solver.variable.at[i].rate);
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
        fetch_members(f, i);
        m->path->solved++;
        fluid_path_rate(f, m->path, v->rate, v->level,
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
        if (f->later.n && entered == f->set.n) { /* again, with full ones that were left out */
            problem_clear(f);
            entered = 0;
        }
        for (; entered < f->set.n; entered++) { /* entering may add more */
            fetch_set(f, entered);
            enter(f, f->places.at[f->set.at[entered]].path);
        }
        if (f->members.n)
            problem_run(f);
    } while (problem_grow(f) || problem_overfull(f));
    problem_apply(f);
    for (size_t t = 0; t < f->touched.n; t++)
        fluid_state_of(f, f->touched.at[t].state)->suspect = false;
    for (size_t i = 0; i < f->later.n; i++)
        fluid_room_look(f, f->later.at[i]);
    problem_clear(f);
}
