/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flights: operations and messages under way, and the loads of links and hosts. Memory grows with the number
 * that the run has under way at a time.
 */
#include "trace/foreign/foreign.h"

#include <stdlib.h>

void trace_flights_init(struct trace_flights *f)
{
    f->n = 0;
    for (unsigned kind = 0; kind < TRACE_FLIGHT_KINDS; kind++)
        base_table_init(&f->of[kind], BASE_NUMBERS, sizeof(struct trace_flight), "operations under way");
}

void trace_flights_release(struct trace_flights *f)
{
    for (unsigned kind = 0; kind < TRACE_FLIGHT_KINDS; kind++)
        base_table_release(&f->of[kind]);
}

struct trace_flight *trace_flights_add(struct trace_flights *f, const struct trace_flight *flight)
{
    bool fresh;
    BASE_ASSERT("F3", flight->op);
    struct trace_flight *added = base_table_add(&f->of[flight->kind], flight->op, &fresh);
    BASE_ASSERT("F3", fresh);
    *added = *flight;
    f->n++;
    return added;
}

struct trace_flight *trace_flights_find(const struct trace_flights *f, enum trace_flight_kind kind,
                                        uint64_t op)
{
    return base_table_find(&f->of[kind], op); /* 0 was never added */
}

void trace_flights_remove(struct trace_flights *f, struct trace_flight *flight)
{
    base_table_remove(&f->of[flight->kind], flight->op);
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
    const struct trace_flight *flight;
    size_t n = 0;
    for (unsigned kind = 0; kind < TRACE_FLIGHT_KINDS; kind++)
        for (uint32_t at = 0; (flight = base_table_next(&f->of[kind], &at));)
            list[n++] = *flight;
    BASE_ASSERT("F3", n == f->n);
    qsort(list, n, sizeof *list, compare);
    return list;
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
