/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flights: what is under way, and the loads of links and hosts. As many flights are kept as the run itself
 * has under way at a time.
 */
#include "trace/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

static size_t home(const struct trace_flights *f, enum trace_flight_kind kind, uint64_t op)
{
    uint64_t h = (op * TRACE_FLIGHT_KINDS + kind) * UINT64_C(0x9e3779b97f4a7c15);
    return (h ^ h >> 32) & (f->slots - 1);
}

static struct trace_flight *slot_of(const struct trace_flights *f, enum trace_flight_kind kind, uint64_t op)
{
    size_t k = home(f, kind, op);
    while (f->slot[k].op && (f->slot[k].op != op || f->slot[k].kind != kind))
        k = (k + 1) & (f->slots - 1);
    return &f->slot[k];
}

static void grow(struct trace_flights *f)
{
    struct trace_flights bigger = {.slots = f->slots ? 2 * f->slots : 64, .n = f->n};
    bigger.slot = base_zalloc(bigger.slots * sizeof *bigger.slot, "operations under way");
    for (size_t k = 0; k < f->slots; k++)
        if (f->slot[k].op)
            *slot_of(&bigger, f->slot[k].kind, f->slot[k].op) = f->slot[k];
    free(f->slot);
    *f = bigger;
}

struct trace_flight *trace_flights_add(struct trace_flights *f, const struct trace_flight *flight)
{
    BASE_ASSERT("F3", flight->op);
    if (2 * (f->n + 1) > f->slots)
        grow(f);
    struct trace_flight *slot = slot_of(f, flight->kind, flight->op);
    BASE_ASSERT("F3", !slot->op);
    *slot = *flight;
    f->n++;
    return slot;
}

struct trace_flight *trace_flights_find(const struct trace_flights *f, enum trace_flight_kind kind,
                                        uint64_t op)
{
    struct trace_flight *slot = f->n && op ? slot_of(f, kind, op) : NULL;
    return slot && slot->op ? slot : NULL;
}

/* What follows in the same run of slots moves up, so that no search ends too early. */
void trace_flights_remove(struct trace_flights *f, struct trace_flight *flight)
{
    size_t hole = (size_t)(flight - f->slot), mask = f->slots - 1;
    for (size_t k = (hole + 1) & mask; f->slot[k].op; k = (k + 1) & mask) {
        size_t wanted = home(f, f->slot[k].kind, f->slot[k].op);
        if (((k - wanted) & mask) < ((k - hole) & mask))
            continue;
        f->slot[hole] = f->slot[k];
        hole = k;
    }
    f->slot[hole].op = 0;
    f->n--;
}

static int compare(const void *a, const void *b)
{
    const struct trace_flight *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

struct trace_flight *trace_flights_list(const struct trace_flights *f)
{
    struct trace_flight *list = base_alloc((f->n + 1) * sizeof *list, "operations under way");
    size_t n = 0;
    for (size_t k = 0; k < f->slots; k++)
        if (f->slot[k].op)
            list[n++] = f->slot[k];
    BASE_ASSERT("F3", n == f->n);
    qsort(list, n, sizeof *list, compare);
    return list;
}

void trace_flights_release(struct trace_flights *f)
{
    free(f->slot);
}

/* --- loads ------------------------------------------------------------------------------------------ */

void trace_loads_init(struct trace_loads *l, uint32_t n)
{
    l->n = n;
    l->at = base_zalloc(((size_t)n + 1) * sizeof *l->at, "loads in a trace");
}

void trace_loads_release(struct trace_loads *l)
{
    free(l->at);
    free(l->changed.at);
}

void trace_loads_add(struct trace_loads *l, uint32_t which, uint64_t more)
{
    BASE_ASSERT("F1", which < l->n);
    struct trace_load *load = &l->at[which];
    load->now += more;
    if (load->changed)
        return;
    load->changed = true;
    BASE_ARRAY_PUSH(&l->changed, which);
}
