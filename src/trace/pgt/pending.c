/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pending: events that have been read but not yet returned. They arrive nearly in order, as runs that overlap
 * a little, and are merged run by run.
 */
#include "trace/pgt/read.h"

#include <stdlib.h>

/* Copies the values of these events to memory of their own. */
static void keep_values(struct pgt_pending *p, struct trace_event *ev, size_t n)
{
    size_t values = 0;
    if (!p->values && !p->kept)
        return;
    for (size_t k = 0; k < n; k++)
        values += ev[k].values ? ev[k].peer : 0;
    int64_t *kept = values ? base_alloc(values * sizeof *kept, "events of a trace") : NULL, *to = kept;
    for (size_t k = 0; k < n; k++)
        if (to && ev[k].values) {
            ev[k].values = memcpy(to, ev[k].values, ev[k].peer * sizeof *to);
            to += ev[k].peer;
        }
    free(p->values);
    free(p->kept);
    p->values = NULL;
    p->kept = kept;
}

static void compact(struct pgt_pending *p)
{
    size_t left = p->n - p->at;
    struct trace_event *kept = base_alloc((left + 1) * sizeof *kept, "events of a trace");
    for (size_t k = 0; k < left; k++) {
        kept[k] = p->events.at[p->turns[p->at + k].event];
        p->turns[k] = (struct pgt_turn){kept[k].time, (uint32_t)k};
    }
    keep_values(p, kept, left);
    if (left)
        memcpy(p->events.at, kept, left * sizeof *kept);
    free(kept);
    p->ready -= p->at;
    p->n = p->events.n = left;
    p->at = 0;
}

struct trace_event *pgt_pending_room(struct pgt_pending *p, uint32_t events)
{
    compact(p);
    size_t need = p->n + events;
    if (need > p->events.cap)
        p->events.at = base_array_grow(p->events.at, &p->events.cap, need, sizeof *p->events.at, "events");
    if (need > p->cap) {
        p->cap = p->events.cap;
        p->turns = base_realloc(p->turns, p->cap * sizeof *p->turns, "events");
        p->spare = base_realloc(p->spare, p->cap * sizeof *p->spare, "events");
    }
    return p->events.at + p->n;
}

/* The end of the run that begins at k. */
static size_t run_end(const struct pgt_turn *t, size_t k, size_t n)
{
    for (k++; k < n && t[k - 1].time <= t[k].time; k++)
        ;
    return k;
}

/* Two runs of `from`, [a, middle) and [middle, end), become one of `to`; earlier ones first where times are
 * equal. */
static void merge(const struct pgt_turn *from, struct pgt_turn *to, size_t a, size_t middle, size_t end)
{
    size_t b = middle;
    for (size_t k = a; k < end; k++) {
        if (b == end || (a < middle && from[a].time <= from[b].time))
            to[k] = from[a++];
        else
            to[k] = from[b++];
    }
}

/* Passes over all runs, two by two, until there is one. */
static void sort(struct pgt_pending *p)
{
    while (run_end(p->turns, 0, p->n) < p->n) {
        for (size_t a = 0; a < p->n;) {
            size_t middle = run_end(p->turns, a, p->n);
            size_t end = middle < p->n ? run_end(p->turns, middle, p->n) : middle;
            merge(p->turns, p->spare, a, middle, end);
            a = end;
        }
        struct pgt_turn *t = p->turns;
        p->turns = p->spare;
        p->spare = t;
    }
}

void pgt_pending_add(struct pgt_pending *p, uint32_t events, double floor, int64_t *values)
{
    p->values = values;
    for (uint32_t k = 0; k < events; k++)
        p->turns[p->n + k] = (struct pgt_turn){p->events.at[p->n + k].time, (uint32_t)p->n + k};
    p->n = p->events.n = p->n + events;
    if (p->n)
        sort(p);
    while (p->ready < p->n && p->turns[p->ready].time <= floor)
        p->ready++;
}

bool pgt_pending_all(struct pgt_pending *p)
{
    p->ready = p->n;
    return p->at < p->n;
}

bool pgt_pending_peek(const struct pgt_pending *p, struct trace_event *ev)
{
    if (p->at == p->ready)
        return false;
    *ev = p->events.at[p->turns[p->at].event];
    return true;
}

bool pgt_pending_take(struct pgt_pending *p, struct trace_event *ev)
{
    bool any = pgt_pending_peek(p, ev);
    p->at += any;
    return any;
}

void pgt_pending_clear(struct pgt_pending *p)
{
    p->at = p->ready = p->n = p->events.n = 0;
}

void pgt_pending_release(struct pgt_pending *p)
{
    free(p->events.at);
    free(p->turns);
    free(p->spare);
    free(p->values);
    free(p->kept);
}
