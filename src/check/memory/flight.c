/* SPDX-License-Identifier: BSD-3-Clause */
/* flight: memory that operations under way may still write: until they are complete, and the buffers of calls. */
#include "check/memory/parts.h"

#include <stdlib.h>

struct operation {
    struct memory_range range[MEMORY_RANGES];
};
struct action {
    BASE_ARRAY(struct memory_range) ranges;
};

void memory_flight_init(struct memory_flight *f)
{
    *f = (struct memory_flight){.numbers = 0};
    base_table_init(&f->operations, BASE_NUMBERS, sizeof(struct operation), "operations under way");
    base_table_init(&f->actions, BASE_NUMBERS, sizeof(struct action), "calls under way");
}

void memory_flight_release(struct memory_flight *f)
{
    uint32_t at = 0;
    for (struct action *a; (a = base_table_next(&f->actions, &at));)
        free(a->ranges.at);
    base_table_release(&f->operations);
    base_table_release(&f->actions);
}

/* --- operations ----------------------------------------------------------------------------------------- */

static struct memory_range range_of(const struct rma_area *a)
{
    int64_t low = 0, high = (int64_t)a->bytes;
    if (a->items)
        types_layout_span(a->items->layout, a->items->count, &low, &high);
    return (struct memory_range){a->rank, a->address + (uintptr_t)low, a->address + (uintptr_t)high};
}

/* Of several areas on one side, a put's and its signal's, both; more there are not. */
static void issued(void *arg, const struct rma_issue *i)
{
    struct memory_flight *f = arg;
    struct operation *o = base_table_add(&f->operations, i->operation, NULL);
    unsigned n = 0;
    *o = (struct operation){{{NULL, 0, 0}, {NULL, 0, 0}}};
    for (uint32_t k = 0; k < i->areas; k++)
        if (i->area[k].access != RMA_READS && n < MEMORY_RANGES)
            o->range[n++] = range_of(&i->area[k]);
}

static void touched(void *arg, const struct rma_touch *t)
{
    (void)arg, (void)t;
}

static void completed(void *arg, const struct rma_completion *c)
{
    base_table_remove(&((struct memory_flight *)arg)->operations, c->operation);
}

static void synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg, (void)s;
}

const struct rma_listener memory_listener = {issued, touched, completed, synchronized};

/* --- buffers of calls ----------------------------------------------------------------------------------- */

uint64_t memory_action_begin(struct memory_flight *f)
{
    *(struct action *)base_table_add(&f->actions, ++f->numbers, NULL) = (struct action){{0}};
    return f->numbers;
}

void memory_action_writes(struct memory_flight *f, uint64_t action, const struct memory_range *r)
{
    struct action *a = base_table_find(&f->actions, action);
    if (a)
        BASE_ARRAY_PUSH(&a->ranges, *r);
}

void memory_action_end(struct memory_flight *f, uint64_t action)
{
    struct action *a = base_table_find(&f->actions, action);
    if (!a)
        return;
    free(a->ranges.at);
    base_table_remove(&f->actions, action);
}

void memory_flight_each(const struct memory_flight *f, void (*fn)(void *arg, const struct memory_range *r),
                        void *arg)
{
    uint32_t at = 0;
    for (const struct operation *o; (o = base_table_next(&f->operations, &at));)
        for (unsigned k = 0; k < MEMORY_RANGES && o->range[k].rank; k++)
            fn(arg, &o->range[k]);
    at = 0;
    for (const struct action *a; (a = base_table_next(&f->actions, &at));)
        for (size_t k = 0; k < a->ranges.n; k++)
            fn(arg, &a->ranges.at[k]);
}
