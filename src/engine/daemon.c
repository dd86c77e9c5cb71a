/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daemon: events of the world around the program, which do not keep a run alive. They are in the heap like
 * all others; the run loop compares their number with the heap's. Also the walk over all events, for changes
 * of the world that cut operations short.
 *
 * Invariants
 *  E17  A daemon has a place in the heap, and is counted, exactly while it is pending.
 */
#include "engine/internal.h"

static void ring(struct engine *e, struct engine_event *ev)
{
    struct engine_daemon *d = BASE_CONTAINER(ev, struct engine_daemon, event);
    BASE_ASSERT("E17", e->daemons > 0);
    e->daemons--;
    d->fn(e, ev);
}

void engine_daemon_at(struct engine *e, struct engine_daemon *d, double at)
{
    engine_event_init(&d->event, ring);
    engine_event_at(e, &d->event, at);
    e->daemons++;
}

void engine_hold(struct engine *e, int more)
{
    BASE_ASSERT("E17", more >= 0 || e->held >= (uint32_t)-more);
    e->held += (uint32_t)more;
}

bool engine_is_over(const struct engine *e)
{
    return !e->daemons || !e->held;
}

bool engine_stands_still(const struct engine *e)
{
    return !e->ready.head && !e->settle && e->heap.n == e->daemons;
}

void engine_visit(struct engine *e, void (*fn)(void *ctx, struct engine_event *ev), void *ctx)
{
    for (size_t k = 0; k < e->heap.n; k++) {
        struct engine_event *ev = e->heap.at[k].event, *next;
        if (!ev->fn) {
            engine_series_visit(BASE_CONTAINER(ev, struct engine_series, event), fn, ctx);
            continue;
        }
        for (; ev; ev = next) {
            next = ev->next;
            fn(ctx, ev);
        }
    }
}
