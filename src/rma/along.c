/* SPDX-License-Identifier: BSD-3-Clause */
/* along: reads and writes a rank's memory along a layout. */
#include "rma/internal.h"

char *rma_items_direct(struct rank *r, uintptr_t address, const struct rma_items *it, int64_t *low,
                       int64_t *high)
{
    types_layout_span(it->layout, it->count, low, high);
    return rank_direct(r, address + (uintptr_t)*low, (size_t)(*high - *low));
}

/* Run by run: fn is rank_read or its like. */
static void each_run(struct rank *r, uintptr_t address, const struct rma_items *it, struct rma_range range,
                     char *packed, void (*fn)(struct rank *r, uintptr_t address, char *packed, size_t bytes))
{
    struct types_cursor c;
    struct types_strip s;
    types_cursor_init(&c, it->layout, it->count, range.from, range.to);
    while (types_cursor_next(&c, &s))
        for (uint64_t k = 0; k < s.n; k++, packed += s.bytes)
            fn(r, address + (uintptr_t)(s.offset + (int64_t)k * s.stride), packed, s.bytes);
    types_cursor_release(&c);
}

static void read_run(struct rank *r, uintptr_t address, char *packed, size_t bytes)
{
    rank_read(r, address, packed, bytes);
}

static void write_run(struct rank *r, uintptr_t address, char *packed, size_t bytes)
{
    rank_write(r, address, packed, bytes);
}

void rma_items_read(struct rank *r, uintptr_t address, const struct rma_items *it, struct rma_range range,
                    void *packed)
{
    int64_t low, high;
    const char *direct = rma_items_direct(r, address, it, &low, &high);
    if (direct)
        types_pack(it->layout, it->count, direct - low, range.from, range.to, packed);
    else
        each_run(r, address, it, range, packed, read_run);
}

void rma_items_write(struct rank *r, uintptr_t address, const struct rma_items *it, struct rma_range range,
                     void *packed)
{
    int64_t low, high;
    char *direct = rma_items_direct(r, address, it, &low, &high);
    if (direct)
        types_unpack(it->layout, it->count, direct - low, range.from, range.to, packed);
    else
        each_run(r, address, it, range, packed, write_run);
    rma_changed(r, address + (uintptr_t)low, (size_t)(high - low));
}
