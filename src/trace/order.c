/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: passes events on in order of time. Events ahead of the clock wait in a heap until the clock reaches
 * them. They are few, since a rank runs ahead by microseconds only.
 *
 * Invariants
 *  O1  No event arrives with a time before the clock, so the heap's events up to the clock are in order for
 * good.
 */
#include "trace/writers.h"

#include <stdlib.h>
#include <string.h>

struct waiting {
    struct trace_event event;
    uint64_t number; /* in order of coming */
    int64_t *values; /* a copy of the event's */
};

struct ordered {
    struct trace_sink sink;
    const struct trace_about *about;
    uint64_t numbers;
    BASE_ARRAY(struct waiting) heap;
};

static bool before(const struct waiting *a, const struct waiting *b)
{
    return a->event.time < b->event.time || (a->event.time <= b->event.time && a->number < b->number);
}

/* NULL: it has none. */
static int64_t *copy_values(const struct trace_event *ev)
{
    size_t size = ev->peer * sizeof *ev->values;
    return ev->values && size ? memcpy(base_alloc(size, "order of a trace"), ev->values, size) : NULL;
}

static void heap_push(struct ordered *o, const struct trace_event *ev)
{
    struct waiting w = {*ev, o->numbers++, copy_values(ev)};
    w.event.values = w.values;
    BASE_ARRAY_PUSH(&o->heap, w);
    struct waiting *at = o->heap.at;
    size_t k = o->heap.n - 1;
    for (; k && before(&w, &at[(k - 1) / 2]); k = (k - 1) / 2)
        at[k] = at[(k - 1) / 2];
    at[k] = w;
}

static void heap_pop(struct ordered *o)
{
    struct waiting *at = o->heap.at, w = at[--o->heap.n];
    size_t k = 0, n = o->heap.n;
    for (;;) {
        size_t child = 2 * k + 1;
        if (child + 1 < n && before(&at[child + 1], &at[child]))
            child++;
        if (child >= n || !before(&at[child], &w))
            break;
        at[k] = at[child];
        k = child;
    }
    at[k] = w;
}

static void hand_on(struct ordered *o, double until)
{
    while (o->heap.n && o->heap.at[0].event.time <= until) {
        struct waiting w = o->heap.at[0];
        heap_pop(o);
        o->sink.event(o->sink.ctx, &w.event);
        free(w.values);
    }
}

static void ordered_event(void *ctx, const struct trace_event *ev)
{
    struct ordered *o = ctx;
    double now = o->about->clock ? *o->about->clock : ev->time;
    BASE_ASSERT("O1", ev->time >= now);
    hand_on(o, now);
    if (ev->time > now)
        heap_push(o, ev);
    else
        o->sink.event(o->sink.ctx, ev);
}

static int ordered_close(void *ctx)
{
    struct ordered *o = ctx;
    while (o->heap.n)
        hand_on(o, o->heap.at[0].event.time);
    int status = o->sink.close(o->sink.ctx);
    free(o->heap.at);
    free(o);
    return status;
}

struct trace_sink trace_ordered(const struct trace_sink *to, const struct trace_about *about)
{
    struct ordered *o = base_zalloc(sizeof *o, "order of a trace");
    o->sink = *to;
    o->about = about;
    return (struct trace_sink){ordered_event, ordered_close, o, NULL, NULL};
}
