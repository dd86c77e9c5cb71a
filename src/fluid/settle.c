/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settling: after an instant's changes, computes the rates of the paths that these affect.
 *
 * The problem, `set`, starts with the changed paths and those limited by a resource that changed. It is
 * closed: for each path in it, all paths limited by a crowded resource that it uses are in it, too. It is
 * solved with the rates of all other paths fixed. The limits of the others hold as before, since no path in
 * the set uses these resources. The limits of the set hold if no path outside has a higher level on one of
 * them; those that do join the set, and it is solved again. At the end every path, in the set or not, has a
 * limit in the sense of F1: its own cap, or a full resource on which its level is the highest. The max-min
 * allocation is the only one with that property (Bertsekas and Gallager, Data Networks, section 6.5.2), so
 * the local solution is the global one (F3). docs/decisions/0003-lazy-fluid.md compares this with other ways
 * to choose the set.
 */
#include "fluid/state.h"

/* --- what changed ----------------------------------------------------------------------------------- */

void fluid_dirty_path(struct fluid_path *p)
{
    fluid_set_take(p->fluid, p->id);
    engine_settle_ask(p->fluid->engine, &p->fluid->settle);
}

void fluid_dirty_forget(struct fluid_path *p)
{
    struct fluid *f = p->fluid;
    uint32_t number = fluid_place_of(f, p)->number;
    if (number == FLUID_NONE)
        return;
    uint32_t last = f->set.at[--f->set.n];
    f->set.at[number] = last;
    f->places.at[last].number = number;
    fluid_place_of(f, p)->number = FLUID_NONE;
}

void fluid_dirty_resource(struct fluid *f, uint32_t state)
{
    struct fluid_state *r = fluid_state_of(f, state);
    if (r->dirty)
        return;
    r->dirty = true;
    BASE_ARRAY_PUSH(&f->dirty, state);
    engine_settle_ask(f->engine, &f->settle);
}

/* --- the set ---------------------------------------------------------------------------------------- */

/* Takes the paths limited by a resource. For a FATPIPE one, also those that fill it, although another one of
 * the same level may be recorded as their limit. */
void fluid_set_take_limited(struct fluid *f, uint32_t state)
{
    const struct fluid_state *r = fluid_state_of(f, state);
    for (uint32_t id = r->limited; id != FLUID_NONE; id = f->places.at[id].limit_next)
        fluid_set_take(f, id);
    if (!r->fatpipe)
        return;
    for (struct fluid_node *l = fluid_users_of(f, state)->first; l; l = l->next)
        if (fluid_link_of(l)->usage * l->path->rate >= r->capacity * (1 - FLUID_SAME_LEVEL))
            fluid_set_take(f, l->path->id);
}

/* An instant's set begins with the changed paths; here those limited by a changed resource join. */
static void take_changed(struct fluid *f)
{
    for (size_t i = 0; i < f->dirty.n; i++)
        fluid_set_take_limited(f, f->dirty.at[i]);
}

/* Flows of the set that have nothing left but rounding end in this instant, before rates are computed. */
static bool set_has_due(struct fluid *f)
{
    double now = engine_now(f->engine);
    bool any = false;
    for (size_t i = 0; i < f->set.n; i++) {
        struct fluid_path *p = f->places.at[f->set.at[i]].path;
        if (fluid_path_due(p, now)) {
            fluid_end_set(f, p, now);
            any = true;
        }
    }
    return any;
}

/* --- settling --------------------------------------------------------------------------------------- */

static void set_clear(struct fluid *f)
{
    for (size_t i = 0; i < f->set.n; i++)
        f->places.at[f->set.at[i]].number = FLUID_NONE;
    for (size_t i = 0; i < f->dirty.n; i++)
        fluid_state_of(f, f->dirty.at[i])->dirty = false;
    f->set.n = f->dirty.n = 0;
}

void fluid_settle(void *fluid)
{
    struct fluid *f = fluid;
    take_changed(f);
    if (set_has_due(f)) {
        engine_settle_ask(f->engine, &f->settle);
        return;
    }
    fluid_problem_solve(f);
    set_clear(f);
}

void fluid_settle_now(struct fluid *f)
{
    if (f->set.n == 0 && f->dirty.n == 0)
        return;
    take_changed(f);
    fluid_problem_solve(f);
    set_clear(f);
}
