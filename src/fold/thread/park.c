/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * park: which threads wait at which address. This is the only way in which a thread waits for another of its
 * rank, or of any rank if they share memory. An address in a rank's private globals belongs to that rank,
 * because in swap mode all ranks have theirs at the same addresses. Any other address is one place for all.
 *
 * Waiters are in lists by address. Only the order at one address matters: that of arrival.
 */
#include "fold/thread/thread.h"

#include "base/table.h"

#include <stdlib.h>

struct waiters {
    struct thread_wait *first, *last;
};
static struct base_table parked; /* struct waiters, by place; no entry is empty */

void thread_park_begin(void)
{
    base_table_init(&parked, BASE_NUMBERS, sizeof(struct waiters), "waiting threads");
}

void thread_park_end(void)
{
    base_table_release(&parked);
}

static const struct rank *space_of(const struct rank *r, const volatile void *address)
{
    const struct swap *s = fold_images(r)->swap;
    return s && swap_touches(s, (uintptr_t)address, 1) ? r : NULL;
}

/* Two places may share a list. */
static uint64_t place_of(uintptr_t address, const struct rank *space)
{
    return address + (space ? (uint64_t)space->id << 40 : 0);
}

uint64_t thread_place(const struct rank *r, const volatile void *address)
{
    return place_of((uintptr_t)address, space_of(r, address));
}

static struct thread_wait *first_at(uintptr_t address, const struct rank *space)
{
    const struct waiters *l = parked.live ? base_table_find(&parked, place_of(address, space)) : NULL;
    return l ? l->first : NULL;
}

static void link_last(struct thread_wait *w)
{
    struct waiters *l = base_table_add(&parked, place_of(w->address, w->space), NULL);
    w->next = NULL;
    w->previous = l->last;
    *(l->last ? &l->last->next : &l->first) = w;
    l->last = w;
    w->parked = true;
}

static void unlink_wait(struct thread_wait *w)
{
    uint64_t place = place_of(w->address, w->space);
    struct waiters *l = base_table_find(&parked, place);
    *(w->previous ? &w->previous->next : &l->first) = w->next;
    *(w->next ? &w->next->previous : &l->last) = w->previous;
    if (!l->first)
        base_table_remove(&parked, place);
    w->parked = false;
}

static struct thread_wait *first_of(struct thread_wait *w, uintptr_t address, const struct rank *space,
                                    uint32_t bits)
{
    while (w && (w->address != address || w->space != space || !(w->bits & bits)))
        w = w->next;
    return w;
}

struct thread_wait *thread_parked(const struct rank *r, const volatile void *address, uint32_t bits)
{
    const struct rank *space = space_of(r, address);
    return first_of(first_at((uintptr_t)address, space), (uintptr_t)address, space, bits);
}

static void timer_rang(struct engine *e, struct engine_event *ev)
{
    struct thread_wait *w = BASE_CONTAINER(ev, struct thread_wait, timer);
    unlink_wait(w);
    engine_wake(e, w->actor);
    w->cancelled = w->late = true;
}

/* For recorders. */
static void tell_wait(const struct thread_wait *w, double begin)
{
    if (w->late)
        rank_thread_timed_out(w->rank, begin);
    else
        rank_thread_waited(w->rank, w->by, w->cancelled ? RANK_WAKING_AT_ONCE : RANK_WAKING_PARKED);
}

bool thread_park(struct thread_wait *w, struct rank *r, const volatile void *address, uint32_t bits,
                 double until, const struct engine_reason *why)
{
    double begin = engine_now(r->engine);
    if (until <= begin)
        return false;
    *w = (struct thread_wait){.address = (uintptr_t)address,
                              .space = space_of(r, address),
                              .rank = r,
                              .thread = fold_thread,
                              .actor = engine_current(r->engine),
                              .number = thread_number(r),
                              .bits = bits,
                              .cancellable = w->cancellable};
    engine_event_init(&w->timer, timer_rang);
    link_last(w);
    if (until < INFINITY)
        engine_event_at(r->engine, &w->timer, until);
    if (w->thread)
        w->thread->waiting = w;
    engine_block(r->engine, why);
    if (w->thread)
        w->thread->waiting = NULL;
    tell_wait(w, begin);
    if (!w->cancelled && thread_costs.wake > 0)
        engine_sleep(r->engine, thread_costs.wake);
    rank_order_acquire(r, w->after);
    thread_moment_forget(&w->after);
    return !w->cancelled;
}

void thread_forget_wait(struct thread_wait *w)
{
    if (w->parked)
        unlink_wait(w);
    thread_moment_forget(&w->after);
    engine_event_cancel(w->rank->engine, &w->timer);
}

void thread_wake(struct thread_wait *w)
{
    thread_forget_wait(w);
    w->by = rank_thread_wakes(w->rank, w->number);
    engine_wake(w->rank->engine, w->actor);
}

void thread_cancel_wait(struct thread_wait *w)
{
    w->cancelled = true;
    thread_wake(w);
}

uint32_t thread_wake_after(const struct rank *r, const volatile void *address, uint32_t bits, uint32_t n,
                           rank_moment m)
{
    const struct rank *space = space_of(r, address);
    struct thread_wait *w = first_at((uintptr_t)address, space), *next;
    uint32_t woken = 0;
    for (; woken < n && (w = first_of(w, (uintptr_t)address, space, bits)); w = next, woken++) {
        next = w->next;
        thread_wake(w);
        w->after = rank_order_copy(m);
    }
    return woken;
}

uint32_t thread_wake_some(const struct rank *r, const volatile void *address, uint32_t bits, uint32_t n)
{
    return thread_wake_after(r, address, bits, n, 0);
}

uint32_t thread_move_some(const struct rank *r, const volatile void *from, const volatile void *to,
                          uint32_t n)
{
    uint32_t moved = 0;
    struct thread_wait *w;
    for (; moved < n && (w = thread_parked(r, from, UINT32_MAX)); moved++) {
        unlink_wait(w);
        w->address = (uintptr_t)to;
        w->space = space_of(r, to);
        link_last(w);
    }
    return moved;
}

/* --- naming ------------------------------------------------------------------------------------- */

static bool describe_global(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    struct rank_object o;
    for (uint32_t k = 0; k < fold_span_count(r); k++) {
        struct rank_span s = fold_span_of(r, k);
        if (address < s.base || address - s.base >= s.size || !fold_object_find(r, k, address - s.base, &o) ||
            address - s.base - o.offset >= o.size)
            continue;
        size_t within = address - s.base - o.offset;
        if (within)
            snprintf(buf, size, "'%s' + %zu", o.name, within);
        else
            snprintf(buf, size, "'%s'", o.name);
        return true;
    }
    return false;
}

void thread_describe(const void *about, char *buf, size_t size)
{
    const struct thread_about *a = about;
    char place[128];
    if (!a->address) {
        snprintf(buf, size, "%s thread %u", a->held_by, a->holder);
        return;
    }
    if (!describe_global(a->rank, (uintptr_t)a->address, place, sizeof place))
        snprintf(place, sizeof place, "%p", (const void *)(uintptr_t)a->address);
    if (a->held_by)
        snprintf(buf, size, "%s, %s thread %u", place, a->held_by, a->holder);
    else
        snprintf(buf, size, "%s", place);
}
