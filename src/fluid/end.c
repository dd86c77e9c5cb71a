/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ends: when a path's first flow ends. A path that ends alone has its own event; if a second one ends at the
 * same time, both join a `fluid_end`, which has one event for all. Joining and leaving it touch the engine's
 * heap only for the first two paths and after the last. Paths are served in the order in which they joined.
 */
#include "fluid/state.h"

#include <string.h>

static struct fluid_recent *recent_of(struct fluid *f, double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return &f->recent[bits * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}
_Static_assert(FLUID_RECENT == 1 << (64 - 58), "the hash's bits");

/* No path can join it from now on. */
static void end_close(struct fluid_end *e)
{
    struct fluid_recent *recent = recent_of(e->fluid, e->time);
    if (recent->end == e)
        recent->end = NULL;
}

static void path_close(struct fluid *f, const struct fluid_path *p)
{
    struct fluid_recent *recent = recent_of(f, p->alarm.at);
    if (recent->path == p)
        recent->path = NULL;
}

static void leave(struct fluid_path *p)
{
    struct fluid_end *e = p->end;
    if (p->end_prev)
        p->end_prev->end_next = p->end_next;
    else
        e->first = p->end_next;
    if (p->end_next)
        p->end_next->end_prev = p->end_prev;
    else
        e->last = p->end_prev;
    p->end = NULL;
}

static void path_run(struct engine *engine, struct engine_event *ev)
{
    struct fluid_path *p = BASE_CONTAINER(ev, struct fluid_path, alarm.event);
    (void)engine;
    path_close(p->fluid, p);
    fluid_path_ended(p);
}

void fluid_end_init(struct fluid_path *p)
{
    engine_event_init(&p->alarm.event, path_run);
    p->end = NULL;
}

static void end_run(struct engine *engine, struct engine_event *ev)
{
    struct fluid_end *e = BASE_CONTAINER(ev, struct fluid_end, event);
    struct fluid *f = e->fluid;
    (void)engine;
    end_close(e);
    while (e->first) {
        struct fluid_path *p = e->first;
        leave(p);
        fluid_path_ended(p);
    }
    base_pool_put(&f->ends, e);
}

static struct fluid_end *end_make(struct fluid *f, double time)
{
    struct fluid_end *e = base_pool_get(&f->ends);
    engine_event_init(&e->event, end_run);
    e->fluid = f;
    e->time = time;
    e->first = e->last = NULL;
    engine_event_at(f->engine, &e->event, time);
    return e;
}

static void join(struct fluid_end *e, struct fluid_path *p)
{
    p->end = e;
    p->end_prev = e->last;
    p->end_next = NULL;
    if (e->last)
        e->last->end_next = p;
    else
        e->first = p;
    e->last = p;
}

/* `p` no longer ends alone. */
static struct fluid_end *end_of_two(struct fluid_path *p)
{
    struct fluid_end *e = end_make(p->fluid, p->alarm.at);
    engine_event_cancel(p->fluid->engine, &p->alarm.event);
    join(e, p);
    return e;
}

static void end_leave(struct fluid_path *p)
{
    struct fluid_end *e = p->end;
    leave(p);
    if (e->first || !engine_event_pending(&e->event))
        return; /* others are there, or end_run takes care of it */
    end_close(e);
    engine_event_cancel(e->fluid->engine, &e->event);
    base_pool_put(&e->fluid->ends, e);
}

void fluid_end_clear(struct fluid_path *p)
{
    if (p->end) {
        end_leave(p);
    } else if (engine_event_pending(&p->alarm.event)) {
        path_close(p->fluid, p);
        engine_event_cancel(p->fluid->engine, &p->alarm.event);
    }
}

/* The path has its end at another time now: it can no longer be
 * found under the old one. An alarm stays pending, to be moved. */
static void end_abandon(struct fluid *f, struct fluid_path *p)
{
    if (engine_event_pending(&p->alarm.event))
        path_close(f, p);
    else
        end_leave(p);
}

void fluid_end_set(struct fluid *f, struct fluid_path *p, double at)
{
    struct fluid_recent *recent = recent_of(f, at);
    if (fluid_has_end(p)) {
        if (p->alarm.at == at)
            return;
        end_abandon(f, p);
    }
    if (recent->time == at && recent->path)
        *recent = (struct fluid_recent){at, NULL, end_of_two(recent->path)};
    if (recent->time == at && recent->end) {
        engine_event_cancel(f->engine, &p->alarm.event);
        p->alarm.at = at;
        join(recent->end, p);
        return;
    }
    *recent = (struct fluid_recent){at, p, NULL};
    engine_alarm_at(f->engine, &p->alarm, at);
}
