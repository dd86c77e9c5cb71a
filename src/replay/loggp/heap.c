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

void loggp_heap_delay(struct replay_loggp *x, const struct loggp_entry *e)
{
    struct loggp_entry *h = x->heap;
    size_t place = 1;
    for (size_t child; (child = first_child(place)) <= x->heap_n; place = child) {
        size_t last = child + CHILDREN - 1 < x->heap_n ? child + CHILDREN - 1 : x->heap_n;
        for (size_t k = child + 1; k <= last; k++)
            child = loggp_before(&h[k].key, &h[child].key) ? k : child;
        if (!loggp_before(&h[child].key, &e->key))
            break;
        h[place] = h[child];
    }
    h[place] = *e;
}

void loggp_heap_push(struct replay_loggp *x, const struct loggp_entry *e)
{
    if (++x->heap_n >= x->heap_cap)
        x->heap = base_array_grow(x->heap, &x->heap_cap, x->heap_n + 1, sizeof *x->heap, "ranks by event");
    struct loggp_entry *h = x->heap;
    size_t place = x->heap_n;
    for (; place > 1 && loggp_before(&e->key, &h[parent(place)].key); place = parent(place))
        h[place] = h[parent(place)];
    h[place] = *e;
}

void loggp_heap_pop(struct replay_loggp *x)
{
    const struct loggp_entry last = x->heap[x->heap_n--];
    if (x->heap_n)
        loggp_heap_delay(x, &last);
}
