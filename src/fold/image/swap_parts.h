/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swap_parts: what swap's files share (private to swap*.c).
 *
 * Chunks are numbered through all ranges. Each range starts at a new chunk; the last chunk of a range may be
 * short.
 *
 * A shared version's copy holds each range in pages of its own, at the same offset within a page, so that
 * data keeps its alignment.
 */
#ifndef PGASIM_FOLD_SWAP_PARTS_H
#define PGASIM_FOLD_SWAP_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "fold/image/swap.h"

#define BLOCK_CHUNKS 16 /* compared at once before looking at single chunks: most blocks have not changed */

struct range {
    uintptr_t base;
    size_t size;
    uint32_t first_chunk, chunks;
    char *pristine;
    size_t copy_at; /* where the range begins in a shared version's copy */
};

/* Memory for several versions' copies. */
struct slab {
    char *base;
    size_t copies;
};

struct swap {
    struct range *range;
    uint32_t n_ranges, chunks, words;
    struct swap_version *live;
    uintptr_t low, high; /* hull of the ranges */
    uint64_t exchanges;
    size_t bytes;
    size_t copy_bytes;  /* pages of one copy */
    size_t copies_left; /* in the last slab */
    BASE_ARRAY(struct slab) slabs;
};

static inline bool has_bit(const struct swap_version *v, uint32_t chunk)
{
    return v->bits && (v->bits[chunk / 64] >> (chunk % 64) & 1);
}

/* Inline, because the compiler calls a function if the processor may lack the instruction. */
static inline uint32_t count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* How many saved chunks come before this one: its place in `saved`. */
static inline uint32_t place_of(const struct swap_version *v, uint32_t chunk)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < chunk / 64; w++)
        n += count_bits(v->bits[w]);
    return n + count_bits(v->bits[chunk / 64] & ((UINT64_C(1) << (chunk % 64)) - 1));
}

/* Whole chunks are copied and compared in line: most of an exchange's time goes there. */
static inline void copy_chunk(void *to, const void *from, size_t size)
{
    if (BASE_LIKELY(size == SWAP_CHUNK))
        memcpy(to, from, SWAP_CHUNK);
    else
        memcpy(to, from, size);
}

static inline bool equal_chunk(const char *a, const char *b, size_t size)
{
    uint64_t x[SWAP_CHUNK / 8], y[SWAP_CHUNK / 8], any = 0;
    if (BASE_UNLIKELY(size != SWAP_CHUNK))
        return memcmp(a, b, size) == 0;
    memcpy(x, a, SWAP_CHUNK);
    memcpy(y, b, SWAP_CHUNK);
    for (size_t i = 0; i < SWAP_CHUNK / 8; i++)
        any |= x[i] ^ y[i];
    return any == 0;
}

static inline size_t chunk_size(const struct range *r, uint32_t k)
{
    size_t left = r->size - (size_t)k * SWAP_CHUNK;
    return left < SWAP_CHUNK ? left : SWAP_CHUNK;
}

static inline void reserve_chunks(struct swap_version *v, uint32_t n)
{
    if (n <= v->cap)
        return;
    v->cap = n < 4 ? n : n + n / 4;
    v->saved = base_realloc(v->saved, (size_t)v->cap * SWAP_CHUNK, "saved globals of a rank");
}

/* swap_copy.c */
/* copies the live bytes to v's copy */
void swap_copy_save(const struct swap *s, const struct swap_version *v);
void swap_copy_load(const struct swap *s, const struct swap_version *v);
/* Where a place in the ranges lies in v's copy; NULL when not in one piece. */
void *swap_copy_place(const struct swap *s, const struct swap_version *v, uintptr_t address, size_t size);
void swap_copies_release(struct swap *s);

#endif
