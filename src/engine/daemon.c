/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * daemon: events that do not keep a run alive. They are in the heap like all others; that there are some is known by their
 * number, which the run loop compares with the heap's.
 *
 * Invariants
 *  E11 A daemon is one place in the heap, and counted, exactly while it is pending.
 */
#include "engine/inside.h"

static void ring(struct engine *e, struct engine_event *ev)
{
    struct engine_daemon *d = BASE_CONTAINER(ev, struct engine_daemon, event);
    BASE_ASSERT("E11", e->daemons > 0);
    e->daemons--;
    d->fn(e, ev);
}

void engine_daemon_at(struct engine *e, struct engine_daemon *d, double at)
{
    engine_event_init(&d->event, ring);
    engine_event_at(e, &d->event, at);
    e->daemons++;
}

bool engine_stands_still(const struct engine *e)
{
    if (e->ready.head || e->settle)
        return false;
    for (size_t k = 0; k < e->heap.n; k++) {
        double at;
        memcpy(&at, &e->heap.at[k].time_bits, sizeof at);
        if (at < ENGINE_NEVER && e->heap.at[k].event->fn != ring)
            return false;
    }
    return true;
}
