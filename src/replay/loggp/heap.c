/* SPDX-License-Identifier: BSD-3-Clause */
/* heap: ranks by their earliest event; four children to a node, from place 1. */
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

/* Without branches, which nobody could predict: times are not negative, so their bits are in their order. */
static bool before(const struct loggp_entry *a, const struct loggp_entry *b)
{
    return a->key < b->key;
}

static void set(struct replay_loggp *x, size_t place, const struct loggp_entry *e)
{
    x->heap[place] = *e;
    e->rank->place = (uint32_t)place;
}

static void rise(struct replay_loggp *x, size_t place, const struct loggp_entry *e)
{
    for (; place > 1 && before(e, &x->heap[parent(place)]); place = parent(place))
        set(x, place, &x->heap[parent(place)]);
    set(x, place, e);
}

static void sink(struct replay_loggp *x, size_t place, const struct loggp_entry *e)
{
    for (size_t child; (child = first_child(place)) <= x->heap_n; place = child) {
        size_t last = child + CHILDREN - 1 < x->heap_n ? child + CHILDREN - 1 : x->heap_n;
        for (size_t k = child + 1; k <= last; k++)
            child = before(&x->heap[k], &x->heap[child]) ? k : child;
        if (!before(&x->heap[child], e))
            break;
        set(x, place, &x->heap[child]);
    }
    set(x, place, e);
}

static void move(struct replay_loggp *x, size_t place, const struct loggp_entry *e)
{
    if (place > 1 && before(e, &x->heap[parent(place)]))
        rise(x, place, e);
    else
        sink(x, place, e);
}

void loggp_heap_put(struct replay_loggp *x, struct loggp_rank *r, double at, uint64_t number)
{
    const struct loggp_entry e = {loggp_key(at, number), r};
    if (r->what == LOGGP_NOTHING) {
        size_t place = r->place;
        r->place = 0;
        if (!place || place == x->heap_n--)
            return;
        const struct loggp_entry last = x->heap[x->heap_n + 1];
        move(x, place, &last);
    } else if (r->place) {
        move(x, r->place, &e);
    } else {
        if (++x->heap_n >= x->heap_cap)
            x->heap =
                base_array_grow(x->heap, &x->heap_cap, x->heap_n + 1, sizeof *x->heap, "ranks by event");
        rise(x, x->heap_n, &e);
    }
}
