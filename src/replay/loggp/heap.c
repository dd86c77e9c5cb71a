/* SPDX-License-Identifier: BSD-3-Clause */
/* heap: ranks by when something may be due; four children to a node, from place 1. */
#include "replay/loggp/state.h"

enum { CHILDREN = 4 };

static size_t parent(size_t place)
{
    return (place - 2) / CHILDREN + 1;
}

static size_t first_child(size_t place)
{
    return (place - 1) * CHILDREN + 2;
}

void loggp_heap_delay(struct loggp_heap *heap, const struct loggp_entry *e)
{
    struct loggp_entry *h = heap->at;
    size_t place = 1;
    for (size_t child; (child = first_child(place)) <= heap->n; place = child) {
        size_t last = child + CHILDREN - 1 < heap->n ? child + CHILDREN - 1 : heap->n;
        for (size_t k = child + 1; k <= last; k++)
            child = loggp_before(&h[k].key, &h[child].key) ? k : child;
        if (!loggp_before(&h[child].key, &e->key))
            break;
        h[place] = h[child];
    }
    h[place] = *e;
}

void loggp_heap_push(struct loggp_heap *heap, const struct loggp_entry *e)
{
    if (++heap->n >= heap->cap)
        heap->at = base_array_grow(heap->at, &heap->cap, heap->n + 1, sizeof *heap->at, "ranks by event");
    struct loggp_entry *h = heap->at;
    size_t place = heap->n;
    for (; place > 1 && loggp_before(&e->key, &h[parent(place)].key); place = parent(place))
        h[place] = h[parent(place)];
    h[place] = *e;
}

void loggp_heap_pop(struct loggp_heap *heap)
{
    const struct loggp_entry last = heap->at[heap->n--];
    if (heap->n)
        loggp_heap_delay(heap, &last);
}
