/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * follow_area: memory that holds no data: of each byte it is known whose operands it has. Neighbours that
 * continue each other are one run, so that a large buffer costs what is in it, not its size.
 */
#ifndef PGASIM_TESTS_COLL_FOLLOW_AREA_H
#define PGASIM_TESTS_COLL_FOLLOW_AREA_H

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* What a byte is: the one at `offset` of the sources of members low to high - 1, combined. `sum` adds a random
 * number of each member, so that no operand is missing or there twice where the order is free. low == high:
 * nothing, and all is 0. */
struct follow_cell {
    uint32_t low, high;
    uint64_t offset, sum;
};

/* Bytes from `from` to where the next run begins; `cell` is the first one. */
struct follow_run {
    uint64_t from;
    struct follow_cell cell;
};

/* Runs ascend; the first one begins at 0. Without bytes there are none. */
struct follow_area {
    struct follow_run *run;
    uint64_t runs, cap, room; /* room: bytes */
};

static inline uint64_t follow_run_end(const struct follow_area *a, uint64_t k)
{
    return k + 1 < a->runs ? a->run[k + 1].from : a->room;
}

static inline struct follow_cell follow_cell_after(struct follow_cell c, uint64_t bytes)
{
    c.offset += c.low < c.high ? bytes : 0;
    return c;
}

/* A run of `cell` at `at` would continue run k. */
static inline bool follow_continues(const struct follow_run *run, uint64_t at, const struct follow_cell *cell)
{
    struct follow_cell next = follow_cell_after(run->cell, at - run->from);
    return next.low == cell->low && next.high == cell->high && next.offset == cell->offset &&
           next.sum == cell->sum;
}

static inline void follow_area_reserve(struct follow_area *a, uint64_t runs)
{
    if (runs <= a->cap)
        return;
    a->cap = runs < 4 ? 4 : 2 * runs;
    a->run = base_realloc(a->run, a->cap * sizeof *a->run, "test");
}

/* Appends bytes. */
static inline void follow_area_add(struct follow_area *a, const struct follow_cell *cell, uint64_t bytes)
{
    if (!bytes)
        return;
    if (!a->runs || !follow_continues(&a->run[a->runs - 1], a->room, cell)) {
        follow_area_reserve(a, a->runs + 1);
        a->run[a->runs++] = (struct follow_run){a->room, *cell};
    }
    a->room += bytes;
}

static inline void follow_area_widen(struct follow_area *a, uint64_t room)
{
    if (room > a->room)
        follow_area_add(a, &(struct follow_cell){0, 0, 0, 0}, room - a->room);
}

static inline void follow_area_clear(struct follow_area *a)
{
    a->runs = a->room = 0;
}

static inline void follow_area_release(struct follow_area *a)
{
    free(a->run);
    *a = (struct follow_area){0};
}

/* The run that holds the byte at `at`. */
static inline uint64_t follow_area_find(const struct follow_area *a, uint64_t at)
{
    uint64_t low = 0, high = a->runs;
    while (high - low > 1) {
        uint64_t mid = low + (high - low) / 2;
        if (a->run[mid].from <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Appends a range of another area to `out`. */
static inline void follow_area_read(const struct follow_area *a, uint64_t at, uint64_t bytes,
                                    struct follow_area *out)
{
    for (uint64_t k = bytes ? follow_area_find(a, at) : 0; bytes; k++) {
        uint64_t end = follow_run_end(a, k), some = end - at < bytes ? end - at : bytes;
        struct follow_cell cell = follow_cell_after(a->run[k].cell, at - a->run[k].from);
        follow_area_add(out, &cell, some);
        at += some;
        bytes -= some;
    }
}

/* Room for `runs` runs in place of those from `first` to `last`, which may be cut. */
static inline void follow_area_splice(struct follow_area *a, uint64_t first, uint64_t last, uint64_t runs)
{
    uint64_t left = a->runs - last;
    follow_area_reserve(a, first + runs + left);
    if (last != first + runs)
        memmove(a->run + first + runs, a->run + last, left * sizeof *a->run);
    a->runs = first + runs + left;
}

/* Overwrites what is at `at` with all of another area. */
static inline void follow_area_write(struct follow_area *a, uint64_t at, const struct follow_area *in)
{
    if (!in->room)
        return;
    uint64_t end = at + in->room, first = follow_area_find(a, at), last = follow_area_find(a, end - 1);
    struct follow_run rest = {end, follow_cell_after(a->run[last].cell, end - a->run[last].from)};
    bool cut = end < follow_run_end(a, last++); /* `rest` stays of the last one */
    first += a->run[first].from < at;
    bool joins = first && follow_continues(&a->run[first - 1], at, &in->run[0].cell);
    const struct follow_run *next = cut ? &rest : last < a->runs ? &a->run[last] : NULL;
    bool absorbs = next && follow_continues(&in->run[in->runs - 1], in->room, &next->cell);
    last += absorbs && !cut;
    cut &= !absorbs;
    follow_area_splice(a, first, last, in->runs - joins + cut);
    for (uint64_t k = joins; k < in->runs; k++)
        a->run[first + k - joins] = (struct follow_run){at + in->run[k].from, in->run[k].cell};
    if (cut)
        a->run[first + in->runs - joins] = rest;
}

#endif
