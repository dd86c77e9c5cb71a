/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine: the clock and the run loop. At each instant run, in this order: the ready actors; the instant's
 * events; the settle requests (each of these may add more of the former). Then the clock moves to the next
 * event.
 *
 * Invariants (also E2 of engine.h)
 *  E8  The clock moves only when no ready actor, no event of the instant and no settle request is left.
 *  E22 At most 4 functions are called when nothing is left to happen.
 */
#include "engine/internal.h"

#include <stdlib.h>

enum { TICK = 1 << 16 };

struct engine *engine_create(const struct engine_config *config)
{
    struct engine *e = base_zalloc(sizeof *e, "the engine");
    e->heap.next_time = INFINITY;
    e->settle_end = &e->settle;
    e->until_tick = TICK;
    e->max_actors = config->max_actors;
    e->actors = base_reserve(config->max_actors * sizeof *e->actors, "actors");
    base_fill(e->actors, config->usual * sizeof *e->actors);
    engine_stacks_init(&e->stacks, config);
    e->lodge.stack = ENGINE_NO_STACK;
    e->place.engine = e;
    return e;
}

void engine_destroy(struct engine *e)
{
    if (!e)
        return;
    engine_ahead_release(e);
    engine_lodge_release(e);
    engine_stacks_release(&e->stacks);
    base_unreserve(e->actors, e->max_actors * sizeof *e->actors);
    engine_heap_release(&e->heap);
    free(e);
}

uint64_t engine_event_count(const struct engine *e)
{
    return e->public.events;
}

uint64_t engine_switch_count(const struct engine *e)
{
    return e->public.switches;
}

uint32_t engine_ready_count(const struct engine *e)
{
    return e->ready.n;
}

uint32_t engine_waiting_count(const struct engine *e)
{
    return e->waiting;
}

void engine_on_switch(struct engine *e, engine_switch_fn fn, void *ctx)
{
    e->on_switch = fn;
    e->on_switch_ctx = ctx;
}

void engine_on_idle(struct engine *e, bool (*fn)(void *ctx), void *ctx)
{
    BASE_ASSERT("E22", e->on_idles < ENGINE_IDLERS);
    e->on_idle[e->on_idles].fn = fn;
    e->on_idle[e->on_idles++].ctx = ctx;
}

void engine_on_idle_end(struct engine *e, bool (*fn)(void *ctx), void *ctx)
{
    unsigned kept = 0;
    for (unsigned k = 0; k < e->on_idles; k++)
        if (e->on_idle[k].fn != fn || e->on_idle[k].ctx != ctx)
            e->on_idle[kept++] = e->on_idle[k];
    e->on_idles = kept;
}

void engine_on_outside(struct engine *e, bool (*fn)(void *ctx), void *ctx)
{
    e->on_outside = fn;
    e->on_outside_ctx = ctx;
}

void engine_on_tick(struct engine *e, void (*fn)(void *ctx), void *ctx)
{
    e->on_tick = fn;
    e->on_tick_ctx = ctx;
}

void engine_tick_soon(struct engine *e)
{
    e->until_tick = 1;
}

void engine_tick(struct engine *e)
{
    e->until_tick = TICK;
    if (e->on_tick)
        e->on_tick(e->on_tick_ctx);
}

/* --- before the clock moves --------------------------------------------------------------------- */

void engine_settle_ask(struct engine *e, struct engine_settle *s)
{
    if (s->asked)
        return;
    s->asked = true;
    s->next = NULL;
    *e->settle_end = s;
    e->settle_end = &s->next;
}

void engine_settle_run(struct engine *e)
{
    struct engine_settle *s = e->settle, *next;
    e->settle = NULL;
    e->settle_end = &e->settle;
    for (; s; s = next) {
        next = s->next; /* fn may ask again */
        s->asked = false;
        s->fn(s->arg);
    }
}

/* --- the run loop ------------------------------------------------------------------------------- */

/* Runs one event, or the settle requests if the instant has no more events. false: nothing is left. */
static bool step(struct engine *e)
{
    if (BASE_UNLIKELY(e->settle) && e->heap.next_time > e->public.now) {
        engine_settle_run(e);
        return true;
    }
    if (BASE_UNLIKELY(e->heap.n == e->daemons) && engine_is_over(e))
        return false;
    e->public.now = e->heap.next_time;
    struct engine_event *ev = engine_heap_pop(&e->heap);
    e->public.events++;
    engine_count_tick(e);
    ev->fn(e, ev);
    return true;
}

static bool idle(struct engine *e)
{
    for (unsigned k = 0; k < e->on_idles; k++)
        if (e->on_idle[k].fn(e->on_idle[k].ctx))
            return true;
    return false;
}

struct engine_actor *engine_next(struct engine *e)
{
    while (BASE_LIKELY(!e->stopped)) {
        if (e->ready.head)
            return engine_queue_pop(&e->ready);
        if (!step(e)) {
            if (e->live && idle(e))
                continue;
            if (e->live && e->on_outside && e->on_outside(e->on_outside_ctx))
                continue;
            e->end = e->live ? ENGINE_DEADLOCK : ENGINE_ALL_DONE;
            return NULL;
        }
    }
    e->end = ENGINE_STOPPED;
    return NULL;
}

enum engine_end engine_run(struct engine *e)
{
    BASE_ASSERT("E4", !e->public.current);
    if (e->aheads)
        return engine_ahead_run(e);
    struct engine_actor *next = engine_next(e);
    if (next)
        engine_switch_from_main(e, next); /* returns when the run is over */
    return e->end;
}

void engine_stop(struct engine *e, int code)
{
    struct engine_actor *self = e->public.current;
    e->stopped = true;
    e->stop_code = code;
    e->end = ENGINE_STOPPED;
    /* Called by an event: the surrounding run loop sees the flag. */
    if (!self || self->state != ENGINE_RUNNING)
        return;
    engine_halt(e);
    BASE_ASSERT("E4", !"a halted actor was resumed");
}

bool engine_all_ended(const struct engine *e)
{
    return e->end == ENGINE_ALL_DONE && !e->live && !e->dropped;
}

int engine_stop_code(const struct engine *e)
{
    return e->stop_code;
}

void engine_check(const struct engine *e)
{
    uint32_t count[ENGINE_STATES] = {0}, queued = 0;
    engine_heap_check(&e->heap, e->public.now);
    for (uint32_t k = 0; k < e->fresh_actor; k++) {
        const struct engine_actor *a = &e->actors[k];
        BASE_ASSERT("E4", a->state < ENGINE_STATES);
        count[a->state]++;
        BASE_ASSERT("E3", engine_event_pending(&a->timer) == (a->state == ENGINE_SLEEPING));
        BASE_ASSERT("E6", !a->context || a->lodges || e->stacks.owner[a->stack] == k);
    }
    for (const struct engine_actor *a = e->ready.head; a; a = a->next) {
        BASE_ASSERT("E4", a->state == ENGINE_READY && (a->next || a == e->ready.tail));
        queued++;
    }
    BASE_ASSERT("E4", queued == count[ENGINE_READY] && queued == e->ready.n);
    BASE_ASSERT("E4", e->waiting == count[ENGINE_BLOCKED] + count[ENGINE_SLEEPING]);
    BASE_ASSERT("E4", e->live == e->fresh_actor - count[ENGINE_FREE] - count[ENGINE_DROPPED]);
    BASE_ASSERT("E4", e->dropped == count[ENGINE_DROPPED]);
    BASE_ASSERT("E4", count[ENGINE_RUNNING] <= 1);
}
