/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flows: start, end, cancel, change, and the progress of their path. Decides whether a path can get its rate
 * at once (it uses no crowded resource) or has to wait for settle.c.
 */
#include "fluid/order.h"

/* --- progress and rate ----------------------------------------------------------------------------- */

static inline struct fluid_progress progress_at(const struct fluid_path *p, double now)
{
    return fluid_progress_plus(p->progress, p->rate * (now - p->updated));
}

static inline void advance(struct fluid_path *p, double now)
{
    if (now > p->updated) {
        p->progress = progress_at(p, now);
        p->updated = now;
    }
}

static void limit_leave(struct fluid *f, const struct fluid_path *p)
{
    uint32_t next = fluid_place_of(f, p)->limit_next, prev = p->limit_prev;
    if (next != FLUID_NONE)
        f->places.at[next].path->limit_prev = prev;
    if (prev != FLUID_NONE)
        f->places.at[prev].limit_next = next;
    else
        fluid_state_of(f, p->limit)->limited = next;
}

static void limit_join(struct fluid *f, struct fluid_path *p, uint32_t limit)
{
    uint32_t *list = &fluid_state_of(f, limit)->limited;
    p->limit_prev = FLUID_NONE;
    fluid_place_of(f, p)->limit_next = *list;
    if (*list != FLUID_NONE)
        f->places.at[*list].path->limit_prev = p->id;
    *list = p->id;
}

void fluid_path_limit(struct fluid *f, struct fluid_path *p, uint32_t limit)
{
    if (p->limit == limit)
        return;
    if (p->limit < FLUID_OWN)
        limit_leave(f, p);
    if (limit < FLUID_OWN)
        limit_join(f, p, limit);
    p->limit = limit;
}

/* Tells the watched resources what the path takes of them, and its level (P7); tells slack ones only if that
 * is more than they know of, or much less. */
static inline void path_load(struct fluid *f, struct fluid_path *p)
{
    struct fluid_state *states = f->states.at;
    double rate = p->taken * (double)FLUID_WHOLE;
    for (struct fluid_link *l = p->link, *end = l + p->watched; l < end; l++) {
        struct fluid_state *r = &states[l->state];
        double level = p->limit == l->state ? 0 : p->level;
        r->others = level > r->others ? level : r->others;
        if (r->fatpipe)
            continue;
        int64_t load = (int64_t)(l->usage * rate * r->inverse);
        r->load += load - l->load;
        l->load = load;
    }
}

/* While the path's flows are being ended, end.c gives it its next end. */
static inline void path_schedule(struct fluid *f, struct fluid_path *p)
{
    if (p->ending)
        return;
    double now = engine_now(f->engine), left = fluid_progress_to(p->progress, p->due);
    double at = p->updated + left / p->rate;
    fluid_end_set(f, p, at > now ? at : now);
}

void fluid_path_rate(struct fluid *f, struct fluid_path *p, double rate, double level, uint32_t limit)
{
    bool moved = fabs(rate - p->rate) > FLUID_SAME_RATE * p->rate;
    if (moved) {
        advance(p, engine_now(f->engine));
        p->rate = rate;
    }
    p->level = level;
    p->taken = p->rate * p->count;
    if (BASE_UNLIKELY(p->limit != limit))
        fluid_path_limit(f, p, limit);
    path_load(f, p);
    if (!fluid_ceiling_fits(p, p->taken))
        fluid_ceiling_move(f, p, p->taken);
    if (moved || !fluid_has_end(p))
        path_schedule(f, p);
}

/* Records a new first flow to end. */
static void path_first(struct fluid_path *p, struct fluid_flow *first)
{
    p->first = first;
    if (!first)
        return;
    p->due = first->end;
    p->nothing = FLUID_NOTHING * first->amount;
}

/* --- start ----------------------------------------------------------------------------------------- */

static void path_wake(struct fluid_path *p)
{
    if (p->version != p->fluid->version)
        fluid_path_measure(p);
    fluid_path_link(p);
    fluid_path_mix(p);
    p->progress = (struct fluid_progress){0, 0};
    p->updated = engine_now(p->fluid->engine);
    p->rate = p->level = p->taken = 0;
}

static bool path_is_dirty(const struct fluid_path *p)
{
    return fluid_place_of(p->fluid, p)->number != FLUID_NONE;
}

/* The demand on a path's resources has changed: it gets its rate at once, or waits for the instant's end. */
static void path_changed(struct fluid_path *p)
{
    if (p->crowded)
        fluid_dirty_path(p);
    else if (!path_is_dirty(p))
        fluid_path_rate(p->fluid, p, p->cap, p->cap_level, FLUID_OWN);
}

/* Puts a flow with `left` units of work on a path. */
static void flow_enter(struct fluid_flow *flow, struct fluid_path *p, double left)
{
    if (p->count == 0)
        path_wake(p);
    else
        advance(p, engine_now(p->fluid->engine));
    p->count++;
    flow->path = p;
    flow->end = fluid_progress_plus(p->progress, left);
    path_first(p, fluid_order_insert(p, flow));
    if (p->first == flow)
        fluid_end_clear(p); /* it was another flow's end */
    fluid_path_demand_add(p, 1);
    path_changed(p);
}

struct fluid_flow *fluid_path_start(struct fluid *f, struct fluid_path *p, double amount, fluid_done_fn done,
                                    void *arg)
{
    BASE_ASSERT("F1", amount > 0 && amount < INFINITY);
    struct fluid_flow *flow = base_pool_get(&f->flows);
    flow->seq = f->counts.started++;
    flow->amount = amount;
    flow->done = done;
    flow->arg = arg;
    flow->solved = p->solved;
    flow->over = false;
    f->public.flows++;
    flow_enter(flow, p, amount);
    return flow;
}

struct fluid_flow *fluid_start(struct fluid *f, const struct fluid_use *uses, uint32_t n_uses, double amount,
                               double weight, double bound, fluid_done_fn done, void *arg)
{
    struct fluid_path *p = fluid_path_find(f, uses, n_uses, weight, bound);
    if (!p)
        p = fluid_path_make(f, uses, n_uses, weight, bound);
    return fluid_path_start(f, p, amount, done, arg);
}

/* --- end ------------------------------------------------------------------------------------------- */

static void path_sleep(struct fluid_path *p)
{
    fluid_path_unlink(p);
    fluid_path_limit(p->fluid, p, FLUID_NONE);
    fluid_dirty_forget(p);
    fluid_end_clear(p);
}

/* Takes a flow off its path. The path stays, perhaps without flows, and may need another end. */
static void flow_leave(struct fluid_flow *flow)
{
    struct fluid_path *p = flow->path;
    bool crowded = p->crowded;
    BASE_ASSERT("P1", !flow->over);
    path_first(p, fluid_order_remove(p, flow));
    p->count--;
    fluid_path_demand_drop(p, 1);
    if (p->count == 0)
        path_sleep(p);
    else if (crowded)
        fluid_dirty_path(p);
}

static void flow_over(struct fluid_flow *flow)
{
    flow_leave(flow);
    flow->over = true;
    flow->path->fluid->counts.solo += flow->solved == flow->path->solved;
    flow->path->fluid->public.flows--;
}

/* After a flow has left before its end: removes the path, or moves its end to the next flow's. */
static void path_left(struct fluid_path *p, bool by_first)
{
    if (p->count == 0) {
        if (!p->kept && !p->ending)
            fluid_path_free(p);
    } else if (by_first) {
        fluid_end_clear(p);
        if (!path_is_dirty(p))
            path_schedule(p->fluid, p);
    }
}

static bool first_is_due(const struct fluid_path *p)
{
    return fluid_progress_to(p->progress, p->first->end) <= FLUID_NOTHING * p->first->amount;
}

void fluid_path_ended(struct fluid_path *p)
{
    struct fluid *f = p->fluid;
    p->progress = p->first->end;
    p->updated = engine_now(f->engine);
    p->ending = true;
    do {
        struct fluid_flow *flow = p->first;
        if (BASE_UNLIKELY(f->ending != NULL))
            f->ending(f->ending_ctx, flow->done, flow->arg);
        flow_over(flow);
        flow->done(f, flow->arg);
        base_pool_put(&f->flows, flow);
    } while (p->count && first_is_due(p));
    p->ending = false;
    if (p->count && !path_is_dirty(p))
        path_schedule(f, p);
    else if (p->count == 0 && !p->kept)
        fluid_path_free(p);
}

void fluid_cancel(struct fluid *f, struct fluid_flow *flow)
{
    struct fluid_path *p = flow->path;
    bool first = p->first == flow;
    flow_over(flow);
    base_pool_put(&f->flows, flow);
    path_left(p, first);
}

/* --- change ---------------------------------------------------------------------------------------- */

/* Turns the path of a single flow into another one. */
static void path_change(struct fluid_path *p, double weight, double bound)
{
    fluid_path_demand_drop(p, 1);
    p->weight = weight;
    p->bound = bound;
    fluid_path_measure(p);
    fluid_path_mix(p);
    fluid_path_demand_add(p, 1);
    path_changed(p);
}

static void flow_move(struct fluid_flow *flow, struct fluid_path *to)
{
    struct fluid_path *p = flow->path;
    bool first = p->first == flow, solo = flow->solved == p->solved;
    advance(p, engine_now(p->fluid->engine));
    double left = fmax(0, fluid_progress_to(p->progress, flow->end));
    flow_leave(flow);
    flow->solved = to->solved - !solo;
    flow_enter(flow, to, left);
    path_left(p, first);
}

void fluid_change(struct fluid *f, struct fluid_flow *flow, double weight, double bound)
{
    struct fluid_path *p = flow->path;
    (void)f;
    BASE_ASSERT("F1", weight > 0 && weight < INFINITY && bound > 0 && !flow->over);
    if (weight == p->weight && bound == p->bound)
        return;
    if (p->count == 1 && !p->kept)
        path_change(p, weight, bound);
    else
        flow_move(flow, fluid_path_like(p, weight, bound));
}

double fluid_rate(struct fluid *f, const struct fluid_flow *flow)
{
    fluid_settle_now(f);
    return flow->path->rate;
}

double fluid_remaining(struct fluid *f, const struct fluid_flow *flow)
{
    return fmax(0, fluid_progress_to(progress_at(flow->path, engine_now(f->engine)), flow->end));
}
