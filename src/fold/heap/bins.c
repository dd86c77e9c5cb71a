/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bins: a heap's free chunks by size. Small ones have a bin for each size; of the others each bin holds a
 * quarter of the sizes from one power of two to the next. A search looks at a few chunks of the bin that may
 * hold too small ones, and then takes any of the next bin that is not empty.
 */
#include "fold/heap/parts.h"

enum { LOOKS = 8 }; /* at chunks that may be too small */

static bool is_small(size_t size)
{
    return chunk_class(size) < HEAP_SMALL;
}

static unsigned large_bin(size_t size)
{
    unsigned log = 63 - (unsigned)__builtin_clzll(size);
    return (log - 10) * 4 + (unsigned)(size >> (log - 2) & 3);
}

static struct chunk **bin_of(struct heap *h, size_t size)
{
    return is_small(size) ? &h->bins->small[chunk_class(size)] : &h->bins->large[large_bin(size)];
}

static void mark(struct heap *h, size_t size, bool filled)
{
    uint64_t *map = &h->small_map, bit;
    if (is_small(size)) {
        bit = UINT64_C(1) << chunk_class(size);
    } else {
        map = &h->large_map[large_bin(size) / 64];
        bit = UINT64_C(1) << large_bin(size) % 64;
    }
    *map = filled ? *map | bit : *map & ~bit;
}

void bins_insert(struct heap *h, struct chunk *c, size_t size, uint64_t flags)
{
    struct chunk **bin = bin_of(h, size);
    h->bins_used = true;
    if (size >= HEAP_IDLE_FROM && !(flags & CHUNK_RELEASED)) {
        h->idle += size;
        if (heap_is_over(h, h->idle)) {
            area_empty(c + 1, chunk_at(c, size));
            flags |= CHUNK_RELEASED;
            h->idle -= size;
        }
    }
    chunk_set(h, c, size | CHUNK_AFTER_USED | (flags & CHUNK_RELEASED));
    c->prev = NULL;
    c->next = *bin;
    if (*bin)
        (*bin)->prev = c;
    else
        mark(h, size, true);
    *bin = c;
}

void bins_remove(struct heap *h, struct chunk *c, size_t size)
{
    struct chunk **bin = bin_of(h, size), *next = c->next, *prev = c->prev;
    if ((next && next->prev != c) || (prev ? prev->next != c : *bin != c))
        heap_damaged(h, c, "a freed block was written to");
    if (next)
        next->prev = prev;
    if (prev)
        prev->next = next;
    else
        *bin = next;
    if (!*bin)
        mark(h, size, false);
    if (size >= HEAP_IDLE_FROM && !(c->head & CHUNK_RELEASED))
        h->idle -= size;
}

static struct chunk *take(struct heap *h, struct chunk *c)
{
    if (!chunk_intact(h, c) || c->head & (CHUNK_USED | CHUNK_KEPT))
        heap_damaged(h, c, "a freed block, or what lies before it, was written to");
    bins_remove(h, c, chunk_size(c));
    return c;
}

static struct chunk *take_small(struct heap *h, size_t size)
{
    uint64_t map = h->small_map >> chunk_class(size);
    return map ? take(h, h->bins->small[chunk_class(size) + (unsigned)__builtin_ctzll(map)]) : NULL;
}

static struct chunk *take_large(struct heap *h, unsigned from)
{
    for (unsigned w = from / 64; w < 2; w++) {
        uint64_t map = h->large_map[w] & (w == from / 64 ? ~UINT64_C(0) << from % 64 : ~UINT64_C(0));
        if (map)
            return take(h, h->bins->large[w * 64 + (unsigned)__builtin_ctzll(map)]);
    }
    return NULL;
}

static struct chunk *take_fitting(struct heap *h, size_t size)
{
    unsigned looks = 0;
    if (!(h->large_map[large_bin(size) / 64] >> large_bin(size) % 64 & 1))
        return NULL;
    for (struct chunk *c = h->bins->large[large_bin(size)]; c && looks < LOOKS; c = c->next, looks++)
        if (chunk_size(c) >= size)
            return take(h, c);
    return NULL;
}

struct chunk *bins_take(struct heap *h, size_t size)
{
    struct chunk *c = is_small(size) ? take_small(h, size) : take_fitting(h, size);
    if (c)
        return c;
    unsigned from = is_small(size) ? 0 : large_bin(size) + 1;
    return from < HEAP_LARGE ? take_large(h, from) : NULL;
}
