/* SPDX-License-Identifier: BSD-3-Clause */
/* extents: a set of bytes as a sorted list of extents that neither overlap nor touch. */
#include "storage/internal.h"

#include <string.h>

size_t storage_extents_find(const struct storage_extents *x, uint64_t low)
{
    size_t from = 0, to = x->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (x->at[mid].high > low)
            to = mid;
        else
            from = mid + 1;
    }
    return from;
}

/* Replaces extents [from, to) by `n` new ones. */
static void splice(struct storage_extents *x, size_t from, size_t to, const struct storage_extent *new,
                   size_t n)
{
    size_t rest = x->n - to;
    if (from + n + rest > x->cap)
        x->at = base_array_grow(x->at, &x->cap, from + n + rest, sizeof *x->at, "extents of files");
    if (rest)
        memmove(x->at + from + n, x->at + to, rest * sizeof *x->at);
    if (n)
        memcpy(x->at + from, new, n * sizeof *new);
    x->n = from + n + rest;
}

uint64_t storage_extents_add(struct storage_extents *x, uint64_t low, uint64_t high)
{
    if (low >= high)
        return 0;
    size_t from = storage_extents_find(x, low ? low - 1 : 0), to = from;
    struct storage_extent all = {low, high};
    uint64_t had = 0;
    for (; to < x->n && x->at[to].low <= high; to++) {
        const struct storage_extent *e = &x->at[to];
        had += e->high - e->low;
        all.low = e->low < all.low ? e->low : all.low;
        all.high = e->high > all.high ? e->high : all.high;
    }
    splice(x, from, to, &all, 1);
    return all.high - all.low - had;
}

uint64_t storage_extents_cut(struct storage_extents *x, uint64_t low, uint64_t high)
{
    if (low >= high)
        return 0;
    size_t from = storage_extents_find(x, low), to = from, n = 0;
    struct storage_extent left[2];
    uint64_t cut = 0;
    for (; to < x->n && x->at[to].low < high; to++) {
        struct storage_extent e = x->at[to];
        if (e.low < low)
            left[n++] = (struct storage_extent){e.low, low};
        if (e.high > high)
            left[n++] = (struct storage_extent){high, e.high};
        cut += (e.high < high ? e.high : high) - (e.low > low ? e.low : low);
    }
    if (to > from)
        splice(x, from, to, left, n);
    return cut;
}
