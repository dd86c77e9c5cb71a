/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flows: start, end, cancel, and the progress of the path that they are on. Decides when a path can be given
 * its rate at once (nothing it uses is crowded) and when it has to wait for settle.c.
 */
#include "fluid/order.h"

#include <math.h>

/* --- progress and rate ----------------------------------------------------------------------------- */

static struct fluid_progress progress_now(const struct fluid_path *p)
{
    return fluid_progress_plus(p->progress, p->rate * (engine_now(p->fluid->engine) - p->updated));
}

void fluid_path_advance(struct fluid_path *p)
{
    double now = engine_now(p->fluid->engine);
    if (now > p->updated) {
        p->progress = progress_now(p);
        p->updated = now;
    }
}

void fluid_path_limit(struct fluid_path *p, uint32_t limit)
{
    if (p->limit == limit)
        return;
    if (p->limit < FLUID_OWN)
        fluid_state_of(p->fluid, p->limit)->limited--;
    if (limit < FLUID_OWN)
        fluid_state_of(p->fluid, limit)->limited++;
    p->limit = limit;
}

/* While the path's event runs, the event's end schedules. */
void fluid_path_schedule(struct fluid_path *p)
{
    if (p->ending)
        return;
    double at = p->updated + fluid_progress_to(p->progress, p->first->end) / p->rate;
    engine_event_at(p->fluid->engine, &p->event, fmax(at, engine_now(p->fluid->engine)));
}

void fluid_path_rate(struct fluid_path *p, double rate, double level, uint32_t limit)
{
    bool moved = fabs(rate - p->rate) > FLUID_SAME_RATE * p->rate;
    if (moved) {
        fluid_path_advance(p);
        p->rate = rate;
    }
    p->level = level;
    fluid_path_limit(p, limit);
    if (moved || !engine_event_pending(&p->event))
        fluid_path_schedule(p);
}

bool fluid_path_due(const struct fluid_path *p)
{
    double left = fluid_progress_to(progress_now(p), p->first->end), now = engine_now(p->fluid->engine);
    return left <= FLUID_NOTHING * p->first->amount || now + left / p->rate <= now;
}

/* --- start ----------------------------------------------------------------------------------------- */

static void path_wake(struct fluid_path *p)
{
    if (p->version != p->fluid->version)
        fluid_path_measure(p);
    fluid_path_link(p);
    p->progress = (struct fluid_progress){0, 0};
    p->updated = engine_now(p->fluid->engine);
    p->rate = p->level = 0;
}

static struct fluid_flow *flow_make(struct fluid *f, struct fluid_path *p, double amount, fluid_done_fn done,
                                    void *arg)
{
    struct fluid_flow *flow = base_pool_get(&f->flows);
    flow->seq = f->counts.started++;
    flow->amount = amount;
    flow->path = p;
    flow->done = done;
    flow->arg = arg;
    flow->solved = p->solved;
    flow->over = false;
    flow->end = fluid_progress_plus(p->progress, amount);
    return flow;
}

/* A pending event that is not the first flow's any more must not stay. */
static void path_first_changed(struct fluid_path *p)
{
    if (engine_event_pending(&p->event))
        engine_event_cancel(p->fluid->engine, &p->event);
}

struct fluid_flow *fluid_path_start(struct fluid *f, struct fluid_path *p, double amount, fluid_done_fn done,
                                    void *arg)
{
    BASE_ASSERT("F1", amount > 0 && amount < INFINITY);
    if (p->count == 0)
        path_wake(p);
    else
        fluid_path_advance(p);
    p->count++;
    struct fluid_flow *flow = flow_make(f, p, amount, done, arg);
    p->first = fluid_order_insert(p->first, flow);
    if (p->first == flow)
        path_first_changed(p);
    if (fluid_path_demand_add(p, 1))
        fluid_dirty_path(p);
    else if (p->dirty == FLUID_NONE)
        fluid_path_rate(p, p->cap, p->cap * p->weight, FLUID_OWN);
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
    fluid_path_limit(p, FLUID_NONE);
    fluid_dirty_forget(p);
    if (engine_event_pending(&p->event))
        engine_event_cancel(p->fluid->engine, &p->event);
}

/* Takes a flow off its path; the path stays, perhaps without flows, and its event may need a new time. */
static void flow_leave(struct fluid_flow *flow)
{
    struct fluid_path *p = flow->path;
    BASE_ASSERT("P1", !flow->over);
    flow->over = true;
    p->fluid->counts.solo += flow->solved == p->solved;
    p->first = fluid_order_remove(p->first, flow);
    p->count--;
    bool crowded = fluid_path_demand_drop(p, 1);
    if (p->count == 0)
        path_sleep(p);
    else if (crowded)
        fluid_dirty_path(p);
}

void fluid_path_ended(struct engine *e, struct engine_event *ev)
{
    struct fluid_path *p = BASE_CONTAINER(ev, struct fluid_path, event);
    struct fluid *f = p->fluid;
    p->progress = p->first->end;
    p->updated = engine_now(e);
    p->ending = true;
    do {
        struct fluid_flow *flow = p->first;
        flow_leave(flow);
        flow->done(f, flow->arg);
        base_pool_put(&f->flows, flow);
    } while (p->count && fluid_path_due(p));
    p->ending = false;
    if (p->count && p->dirty == FLUID_NONE)
        fluid_path_schedule(p);
    else if (p->count == 0 && !p->kept)
        fluid_path_free(p);
}

void fluid_cancel(struct fluid *f, struct fluid_flow *flow)
{
    struct fluid_path *p = flow->path;
    bool first = p->first == flow;
    flow_leave(flow);
    base_pool_put(&f->flows, flow);
    if (p->count == 0) {
        if (!p->kept && !p->ending)
            fluid_path_free(p);
    } else if (first) {
        path_first_changed(p);
        if (p->dirty == FLUID_NONE)
            fluid_path_schedule(p);
    }
}

double fluid_rate(struct fluid *f, const struct fluid_flow *flow)
{
    fluid_settle_now(f);
    return flow->path->rate;
}

double fluid_remaining(struct fluid *f, const struct fluid_flow *flow)
{
    (void)f;
    return fmax(0, fluid_progress_to(progress_now(flow->path), flow->end));
}
