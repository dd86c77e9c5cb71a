/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: the pending events, an indexed 4-ary heap ordered by (time, sequence). Uses the clock only to refuse
 * events in the past. Events posted for one instant form a chain, and only the first of them is in the heap:
 * in a barrier of thousands of ranks nearly all times are equal. A series (series.c) is represented in the
 * heap by an event without a function, whose key is that of the series' first event.
 *
 * Two invariants of engine.h mean here: no pending event is before the clock (E2); heap->at[ev->slot].event
 * is ev for an event in the heap, and the slot of an idle event is ENGINE_IDLE, that of a posted one,
 * wherever it waits, ENGINE_POSTED (E3). An alarm that was moved to a later time but kept its place has a
 * sequence that differs from its key's, and its key is earlier than its time. The heap's first event is never
 * such an alarm.
 *
 * Invariants
 *  E15  No event of the heap is before its parent.
 *  E16  Sequences rise along a chain. Of two chains of one instant, all events of one come before those of
 *       the other.
 */
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 heap_key;

static inline heap_key key_of(const struct engine_heap_item *i)
{
    return (heap_key)i->time_bits << 64 | i->order;
}

static inline void place(struct engine_heap *h, size_t slot, struct engine_heap_item item)
{
    h->at[slot] = item;
    if (BASE_UNLIKELY(item.order & 1))
        item.event->slot = (uint32_t)slot;
}

static bool is_stale(const struct engine_heap_item *i)
{
    return (i->order & 1) && i->order >> 1 != i->event->seq;
}

static void alarm_sink(struct engine_heap *h);

/* Called after each change at the root. */
static inline void note_first(struct engine_heap *h)
{
    while (h->n && BASE_UNLIKELY(is_stale(&h->at[0])))
        alarm_sink(h);
    if (h->n)
        memcpy(&h->next_time, &h->at[0].time_bits, sizeof h->next_time);
    else
        h->next_time = INFINITY;
}

/* Moves `item` from the hole at `slot` towards the root. */
static size_t sift_up(struct engine_heap *h, size_t slot, struct engine_heap_item item)
{
    heap_key key = key_of(&item);
    while (slot > 0) {
        size_t parent = (slot - 1) / 4;
        if (key_of(&h->at[parent]) <= key)
            break;
        place(h, slot, h->at[parent]);
        slot = parent;
    }
    place(h, slot, item);
    return slot;
}

/* Arithmetic instead of branches, which random times would make unpredictable. */
static inline size_t least_of_four(const struct engine_heap_item *at, size_t first)
{
    size_t a = first + (key_of(&at[first + 1]) < key_of(&at[first]));
    size_t b = first + 2 + (key_of(&at[first + 3]) < key_of(&at[first + 2]));
    return a + (b - a) * (key_of(&at[b]) < key_of(&at[a]));
}

/* Fills the hole at `slot` with the least of its descendants, level by level, then puts `item` into the final
 * hole and lets it rise. The item comes from the last level and mostly stays there, so comparing it on the
 * way down would be wasted. */
static void sift_down(struct engine_heap *h, size_t slot, struct engine_heap_item item)
{
    size_t first;
    while ((first = 4 * slot + 1) + 3 < h->n) {
        size_t least = least_of_four(h->at, first);
        place(h, slot, h->at[least]);
        slot = least;
    }
    if (first < h->n) {
        size_t least = first;
        for (size_t k = first + 1; k < h->n; k++)
            if (key_of(&h->at[k]) < key_of(&h->at[least]))
                least = k;
        place(h, slot, h->at[least]);
        slot = least;
    }
    sift_up(h, slot, item);
}

static struct engine_heap_item alarm_item(struct engine_alarm *a)
{
    a->key_bits = engine_time_bits(a->at);
    return (struct engine_heap_item){2 * a->event.seq + 1, a->key_bits, &a->event};
}

/* Moves the first event, an alarm, to its right place. */
static void alarm_sink(struct engine_heap *h)
{
    sift_down(h, 0, alarm_item(BASE_CONTAINER(h->at[0].event, struct engine_alarm, event)));
}

static struct engine_heap_item posted_item(struct engine_event *ev, uint64_t time_bits)
{
    return (struct engine_heap_item){.order = 2 * ev->seq, .time_bits = time_bits, .event = ev};
}

void engine_heap_push(struct engine_heap *h, struct engine_heap_item item)
{
    if (BASE_UNLIKELY(h->n == h->cap))
        h->at = base_array_grow(h->at, &h->cap, h->n + 1, sizeof *h->at, "pending events");
    sift_up(h, h->n++, item);
    note_first(h);
}

static struct engine_chain *chain_of(struct engine_heap *h, uint64_t time_bits)
{
    return &h->chains[time_bits * UINT64_C(0x9e3779b97f4a7c15) >> (64 - ENGINE_CHAINS_LOG2)];
}

static void take_out(struct engine_heap *h, size_t slot)
{
    struct engine_heap_item last = h->at[--h->n];
    if (slot == h->n)
        return;
    if (slot > 0 && key_of(&last) < key_of(&h->at[(slot - 1) / 4]))
        sift_up(h, slot, last);
    else
        sift_down(h, slot, last);
}

void engine_event_at(struct engine *e, struct engine_event *ev, double at)
{
    struct engine_heap *h = &e->heap;
    BASE_ASSERT("E2", at >= e->public.now && at < INFINITY);
    BASE_ASSERT("E3", ev->slot != ENGINE_POSTED); /* posted events stay where they are: they
                                                   * may end a chain */
    ev->seq = h->next_seq++;
    ev->next = NULL;
    struct engine_heap_item item = {2 * ev->seq + 1, engine_time_bits(at), ev};
    if (ev->slot == ENGINE_IDLE)
        engine_heap_push(h, item);
    else if (key_of(&h->at[ev->slot]) < key_of(&item))
        sift_down(h, ev->slot, item);
    else
        sift_up(h, ev->slot, item);
    note_first(h);
}

void engine_alarm_at(struct engine *e, struct engine_alarm *a, double at)
{
    struct engine_heap *h = &e->heap;
    BASE_ASSERT("E2", at >= e->public.now && at < INFINITY);
    a->at = at;
    a->event.seq = h->next_seq++;
    if (a->event.slot == ENGINE_IDLE) {
        a->event.next = NULL; /* and stays so: nothing is posted behind an alarm */
        engine_heap_push(h, alarm_item(a));
    } else if (engine_time_bits(at) < a->key_bits) {
        sift_up(h, a->event.slot, alarm_item(a));
    } else if (a->event.slot != 0) {
        return;
    }
    note_first(h);
}

void engine_event_post(struct engine *e, struct engine_event *ev, double at)
{
    struct engine_heap *h = &e->heap;
    BASE_ASSERT("E2", at >= e->public.now && at < INFINITY);
    BASE_ASSERT("E3", ev->slot == ENGINE_IDLE);
    ev->seq = h->next_seq++;
    ev->next = NULL;
    ev->slot = ENGINE_POSTED;
    struct engine_heap_item item = posted_item(ev, engine_time_bits(at));
    struct engine_chain *chain = chain_of(h, item.time_bits);
    if (BASE_LIKELY(chain->last && chain->time_bits == item.time_bits)) {
        chain->last->next = ev;
    } else {
        chain->time_bits = item.time_bits;
        engine_heap_push(h, item);
    }
    chain->last = ev;
}

void engine_event_cancel(struct engine *e, struct engine_event *ev)
{
    if (ev->slot == ENGINE_IDLE)
        return;
    BASE_ASSERT("E3", ev->slot != ENGINE_POSTED);
    take_out(&e->heap, ev->slot);
    ev->slot = ENGINE_IDLE;
    note_first(&e->heap);
}

/* Finds the start of the chain that contains the posted event ev, and the event before ev (NULL: ev is the
 * first). */
static struct engine_event *before_in_chain(const struct engine_heap *h, const struct engine_event *ev,
                                            size_t *slot)
{
    for (*slot = 0; *slot < h->n; ++*slot) {
        struct engine_event *before = NULL;
        for (struct engine_event *p = h->at[*slot].event; p; before = p, p = p->next)
            if (p == ev)
                return before;
    }
    BASE_ASSERT("E3", !"a pending event is in the heap");
    return NULL;
}

void engine_heap_withdraw(struct engine_heap *h, struct engine_event *ev)
{
    size_t slot = ev->slot;
    struct engine_event *before = slot == ENGINE_POSTED ? before_in_chain(h, ev, &slot) : NULL;
    struct engine_chain *chain = chain_of(h, h->at[slot].time_bits);
    if (chain->last == ev)
        chain->last = before;
    if (before) {
        before->next = ev->next;
    } else if (ev->next) {
        sift_down(h, slot, posted_item(ev->next, h->at[slot].time_bits));
    } else {
        take_out(h, slot);
    }
    ev->slot = ENGINE_IDLE;
    ev->next = NULL;
    note_first(h);
}

/* Gives the first event's place to the next one of its chain or series, which usually still comes before all
 * others. */
static void replace_first(struct engine_heap *h, struct engine_heap_item item)
{
    place(h, 0, item);
    if (h->n < 5 || key_of(&h->at[least_of_four(h->at, 1)]) < key_of(&item))
        sift_down(h, 0, item);
}

static void pop_link(struct engine_heap *h, struct engine_event *next)
{
    replace_first(h, posted_item(next, h->at[0].time_bits));
    __builtin_prefetch(next->next);
}

static void drop_first(struct engine_heap *h)
{
    struct engine_heap_item last = h->at[--h->n];
    if (h->n)
        sift_down(h, 0, last);
}

static void pop_last(struct engine_heap *h, const struct engine_event *ev)
{
    struct engine_chain *chain = chain_of(h, h->at[0].time_bits);
    if (chain->last == ev)
        chain->last = NULL;
    drop_first(h);
}

static struct engine_event *pop_series(struct engine_heap *h, struct engine_event *stand_in)
{
    struct engine_series *s = BASE_CONTAINER(stand_in, struct engine_series, event);
    struct engine_heap_item next;
    struct engine_event *ev = engine_series_take(s, &next);
    if (next.event)
        replace_first(h, next);
    else
        drop_first(h);
    return ev;
}

struct engine_event *engine_heap_pop(struct engine_heap *h)
{
    struct engine_event *ev = h->at[0].event;
    if (!ev->fn)
        ev = pop_series(h, ev);
    else if (ev->next)
        pop_link(h, ev->next);
    else
        pop_last(h, ev);
    ev->slot = ENGINE_IDLE;
    note_first(h);
    return ev;
}

void engine_heap_release(struct engine_heap *h)
{
    free(h->at);
}

static double time_of(const struct engine_heap_item *i)
{
    double time;
    memcpy(&time, &i->time_bits, sizeof time);
    return time;
}

static void check_chain(const struct engine_heap_item *first)
{
    const struct engine_event *ev = first->event;
    for (const struct engine_event *next; (next = ev->next); ev = next)
        BASE_ASSERT("E16", next->slot == ENGINE_POSTED && next->seq > ev->seq);
}

static bool check_stale(const struct engine_heap_item *i)
{
    const struct engine_alarm *a = BASE_CONTAINER(i->event, const struct engine_alarm, event);
    return is_stale(i) && a->key_bits == i->time_bits && engine_time_bits(a->at) >= i->time_bits &&
           a->event.seq > i->order / 2;
}

void engine_heap_check(const struct engine_heap *h, double now)
{
    for (size_t k = 0; k < h->n; k++) {
        const struct engine_event *ev = h->at[k].event;
        BASE_ASSERT("E3", ev->slot == (h->at[k].order & 1 ? k : ENGINE_POSTED));
        BASE_ASSERT("E3", ev->seq == h->at[k].order / 2 || (k > 0 && check_stale(&h->at[k])));
        BASE_ASSERT("E2", time_of(&h->at[k]) >= now);
        BASE_ASSERT("E15", k == 0 || key_of(&h->at[(k - 1) / 4]) < key_of(&h->at[k]));
        check_chain(&h->at[k]);
        if (!ev->fn)
            engine_series_check(BASE_CONTAINER(ev, const struct engine_series, event));
    }
    BASE_ASSERT("E3", h->n ? h->next_time == time_of(&h->at[0]) : h->next_time == INFINITY);
}
