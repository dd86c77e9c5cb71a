/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series: events in the order of their times, in a ring of their own. The heap holds one stand-in for all of
 * them, which has no function and the key of the first event.
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

static struct engine_series_item *item_at(const struct engine_series *s, uint32_t k)
{
    return &s->at[(s->head + k) & (s->cap - 1)];
}

static void widen(struct engine_series *s)
{
    struct engine_series old = *s;
    s->cap = old.cap ? 2 * old.cap : FIRST_CAP;
    s->at = base_zalloc(s->cap * sizeof *s->at, "a series of events");
    s->head = 0;
    for (uint32_t k = 0; k < old.n; k++)
        s->at[k] = *item_at(&old, k);
    free(old.at);
}

static struct engine_heap_item stand_in(struct engine_series *s)
{
    const struct engine_series_item *first = item_at(s, 0);
    s->event.seq = first->seq;
    s->event.slot = ENGINE_POSTED;
    return (struct engine_heap_item){2 * first->seq, first->time_bits, &s->event};
}

void engine_series_post(struct engine *e, struct engine_series *s, struct engine_event *ev, double at)
{
    struct engine_heap *h = &e->heap;
    struct engine_series_item item = {.time_bits = engine_time_bits(at), .event = ev};
    if (s->n && item.time_bits < item_at(s, s->n - 1)->time_bits) {
        engine_event_post(e, ev, at);
        return;
    }
    BASE_ASSERT("E2", at >= e->public.now && at < INFINITY);
    BASE_ASSERT("E3", ev->slot == ENGINE_IDLE && ev->fn);
    item.seq = ev->seq = h->next_seq++;
    ev->next = NULL;
    ev->slot = ENGINE_POSTED;
    if (s->n == s->cap)
        widen(s);
    *item_at(s, s->n++) = item;
    if (s->n == 1)
        engine_heap_push(h, stand_in(s));
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
    struct engine_event *ev = item_at(s, 0)->event;
    s->head++;
    s->n--;
    if (s->n > 0)
        *next = stand_in(s);
    else
        next->event = NULL;
    look_ahead(s);
    return ev;
}

void engine_series_release(struct engine_series *s)
{
    free(s->at);
    s->at = NULL;
}

void engine_series_check(const struct engine_series *s)
{
    BASE_ASSERT("E10", s->n > 0 && s->event.seq == item_at(s, 0)->seq);
    for (uint32_t k = 0; k < s->n; k++) {
        const struct engine_series_item *i = item_at(s, k);
        BASE_ASSERT("E3", i->event->slot == ENGINE_POSTED && i->event->seq == i->seq);
        BASE_ASSERT("E10", k == 0 || i[0].time_bits >= item_at(s, k - 1)->time_bits);
    }
}

void engine_series_visit(struct engine_series *s, void (*fn)(void *ctx, struct engine_event *ev), void *ctx)
{
    for (uint32_t k = 0; k < s->n; k++)
        fn(ctx, item_at(s, k)->event);
}
