/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series: events in the order of their times: the first in the series' record, the others in a ring. The heap
 * holds one stand-in for all of them, which has no function and the key of the first event.
 *
 * Invariants
 *  E10  Keys rise along a series; the stand-in is in the heap, with the first event's key, exactly when n >
 *       0.
 */
#include "engine/internal.h"

#include <stdlib.h>

/* An event AHEAD places ahead is prefetched, with what its owner keeps beside it. At SOON places, when it is
 * in the cache, `soon` is called. */
enum { FIRST_CAP = 16, AHEAD = 8, SOON = 4, EVENT_LINES = 3 };

/* Those behind the first one: k > 0. */
static struct engine_series_item *item_at(const struct engine_series *s, uint32_t k)
{
    return &s->at[(s->head + k - 1) & (s->cap - 1)];
}

static void widen(struct engine_series *s)
{
    struct engine_series old = *s;
    s->cap = old.cap ? 2 * old.cap : FIRST_CAP;
    s->at = base_zalloc(s->cap * sizeof *s->at, "a series of events");
    s->head = 0;
    for (uint32_t k = 1; k < old.n; k++)
        *item_at(s, k) = *item_at(&old, k);
    free(old.at);
}

/* The first one has changed. Returns the stand-in's key. */
static inline struct engine_heap_item lead(struct engine_series *s, const struct engine_series_item *first)
{
    s->first = first->event;
    s->event.seq = first->seq;
    return (struct engine_heap_item){2 * first->seq, first->time_bits, &s->event};
}

static void add(struct engine_series *s, const struct engine_series_item *item)
{
    if (BASE_UNLIKELY(s->n - 1 == s->cap))
        widen(s);
    *item_at(s, s->n) = *item;
}

void engine_series_post(struct engine *e, struct engine_series *s, struct engine_event *ev, double at)
{
    struct engine_heap *h = &e->heap;
    struct engine_series_item item = {.time_bits = engine_time_bits(at), .event = ev};
    if (s->n && item.time_bits < s->last_bits) {
        engine_event_post(e, ev, at);
        return;
    }
    BASE_ASSERT("E2", at >= e->public.now && at < INFINITY);
    BASE_ASSERT("E3", ev->slot == ENGINE_IDLE && ev->fn);
    item.seq = ev->seq = h->next_seq++;
    ev->next = NULL;
    ev->slot = ENGINE_POSTED;
    s->last_bits = item.time_bits;
    if (s->n) {
        add(s, &item);
    } else {
        s->event.slot = ENGINE_POSTED;
        engine_heap_push(h, lead(s, &item));
    }
    s->n++;
}

static void look_ahead(const struct engine_series *s)
{
    if (s->n > AHEAD) {
        const char *event = (const char *)item_at(s, AHEAD)->event;
        for (int line = 0; line < EVENT_LINES; line++)
            __builtin_prefetch(event + 64 * line);
    }
    if (s->soon && s->n > SOON)
        s->soon(item_at(s, SOON)->event);
}

struct engine_event *engine_series_take(struct engine_series *s, struct engine_heap_item *next)
{
    struct engine_event *ev = s->first;
    if (--s->n > 0) {
        *next = lead(s, item_at(s, 1));
        s->head++;
        look_ahead(s);
    } else {
        next->event = NULL;
    }
    return ev;
}

void engine_series_release(struct engine_series *s)
{
    free(s->at);
    s->at = NULL;
}

void engine_series_check(const struct engine_series *s)
{
    BASE_ASSERT("E10", s->n > 0 && s->event.seq == s->first->seq);
    BASE_ASSERT("E3", s->first->slot == ENGINE_POSTED);
    for (uint32_t k = 1; k < s->n; k++) {
        const struct engine_series_item *i = item_at(s, k);
        BASE_ASSERT("E3", i->event->slot == ENGINE_POSTED && i->event->seq == i->seq);
        BASE_ASSERT("E10", k == 1 || i->time_bits >= item_at(s, k - 1)->time_bits);
    }
    BASE_ASSERT("E10", s->n == 1 || item_at(s, s->n - 1)->time_bits == s->last_bits);
}

void engine_series_visit(struct engine_series *s, void (*fn)(void *ctx, struct engine_event *ev), void *ctx)
{
    fn(ctx, s->first);
    for (uint32_t k = 1; k < s->n; k++)
        fn(ctx, item_at(s, k)->event);
}
