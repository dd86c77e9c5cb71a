/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_gather: what the page needs and the facts don't keep, noted while the trace is read: marks, and when
 * gets were read and atomics executed at their target. Of many operations a sample is remembered, the same in
 * every run.
 *
 * Invariants
 *  G1  No more than PAGE_EFFECTS_MOST effects are kept; all of them have a hash of at most `limit`.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>

uint64_t page_hash(uint64_t number)
{
    number = (number ^ number >> 31) * 0x7fb5d329728ea185U;
    number = (number ^ number >> 27) * 0x81dadef4bc2dd44dU;
    return number ^ number >> 33;
}

/* Half of them go. */
static void thin(struct report_page *p)
{
    size_t n = 0;
    p->limit /= 2;
    for (size_t k = 0; k < p->effects.n; k++)
        if (page_hash(p->effects.at[k].number) <= p->limit)
            p->effects.at[n++] = p->effects.at[k];
    p->effects.n = n;
}

static void effect(struct report_page *p, const struct trace_event *ev)
{
    struct page_effect e = {ev->op, ev->time};
    if (page_hash(ev->op) > p->limit)
        return;
    BASE_ARRAY_PUSH(&p->effects, e);
    while (p->effects.n >= PAGE_EFFECTS_MOST)
        thin(p);
}

static void mark(struct report_page *p, const struct trace_event *ev)
{
    double end = ev->type == TRACE_MARK_BEGIN ? INFINITY : ev->time;
    struct page_mark m = {ev->time, end, ev->rank, ev->thread, ev->call ? ev->call : ""};
    p->marks_seen++;
    if (p->marks.n < PAGE_MARKS_MOST)
        BASE_ARRAY_PUSH(&p->marks, m);
}

/* Of the last one that is open. */
static void mark_end(struct report_page *p, const struct trace_event *ev)
{
    for (size_t k = p->marks.n; k-- > 0;) {
        struct page_mark *m = &p->marks.at[k];
        if (m->rank != ev->rank || m->thread != ev->thread || m->end < INFINITY)
            continue;
        m->end = ev->time;
        return;
    }
}

static void take(void *ctx, const struct trace_event *ev)
{
    if (!isfinite(ev->time))
        return;
    if (ev->type == TRACE_GET_READ || ev->type == TRACE_ATOMIC_EXECUTED || ev->type == TRACE_SEND_ARRIVED)
        effect(ctx, ev);
    else if (ev->type == TRACE_MARK || ev->type == TRACE_MARK_BEGIN)
        mark(ctx, ev);
    else if (ev->type == TRACE_MARK_END)
        mark_end(ctx, ev);
}

static int by_number(const void *a, const void *b)
{
    const struct page_effect *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int over(void *ctx)
{
    (void)ctx;
    return 0;
}

void page_gather_finish(struct report_page *p)
{
    if (p->effects.n)
        qsort(p->effects.at, p->effects.n, sizeof *p->effects.at, by_number);
}

struct trace_sink report_page_sink(struct report_page *p)
{
    return (struct trace_sink){take, over, p, NULL, NULL};
}

double page_effect_of(const struct report_page *p, uint64_t number, double otherwise)
{
    const struct page_effect key = {.number = number};
    const struct page_effect *found =
        p->effects.n ? bsearch(&key, p->effects.at, p->effects.n, sizeof key, by_number) : NULL;
    return found ? found->time : otherwise;
}

struct report_page *report_page_create(const struct report_page_options *options)
{
    struct report_page *p = base_zalloc(sizeof *p, "the page");
    p->options = *options;
    p->limit = UINT64_MAX;
    return p;
}

void report_page_destroy(struct report_page *p)
{
    free(p->marks.at);
    free(p->effects.at);
    free(p);
}
