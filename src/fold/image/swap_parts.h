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

/* Entries of the page tables are moved by whole tables where both places have the same offset in one. */
#define SWAP_TABLE_SPAN ((size_t)2 << 20)

/* The pages of a range that are moved (swap_pages.c). */
struct run {
    uintptr_t base;
    size_t size;
    size_t home_at;       /* where they lie in a version's home */
    const char *pristine; /* mapped, read-only */
    size_t zero_from;     /* pristine bytes from here on are zero, and in no file */
    int file;             /* of the others; -1: there are none */
};

/* Memory for several versions' copies. */
struct slab {
    char *base;
    size_t copies;
};

struct swap {
    BASE_ARRAY(struct range) ranges;
    uint32_t chunks, words;
    struct swap_version *live;
    uintptr_t low, high; /* hull of the ranges */
    uint64_t exchanges;
    size_t copy_bytes;  /* pages of one copy */
    size_t copies_left; /* in the last slab */
    BASE_ARRAY(struct slab) slabs;
    BASE_ARRAY(struct run) runs;
    size_t home_bytes;
    bool pointed; /* others hold pointers into homes, which stay mapped from then on */
    BASE_ARRAY(char *) kept;
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

/* memcpy and memcmp of libc itself, also where a sanitizer has replaced them. */
extern struct swap_raw {
    void *(*copy)(void *to, const void *from, size_t size);
    int (*compare)(const void *a, const void *b, size_t size);
} swap_raw;

/* Whole chunks are copied and compared in line: most of an exchange's time goes there. */
static inline void copy_chunk(void *to, const void *from, size_t size)
{
    if (BASE_LIKELY(size == SWAP_CHUNK))
        memcpy(to, from, SWAP_CHUNK);
    else
        swap_raw.copy(to, from, size);
}

static inline bool equal_chunk(const char *a, const char *b, size_t size)
{
    uint64_t x[SWAP_CHUNK / 8], y[SWAP_CHUNK / 8], any = 0;
    if (BASE_UNLIKELY(size != SWAP_CHUNK))
        return swap_raw.compare(a, b, size) == 0;
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

/* swap_pages.c */
/* Makes the range's pages a run. False: that is not possible, and nothing has changed. */
bool swap_pages_take(struct swap *s, uintptr_t base, size_t size);
void swap_pages_leave(struct swap *s, struct swap_version *v); /* from the ranges to v's home */
void swap_pages_enter(struct swap *s, struct swap_version *v); /* the other way */
/* The run that has this byte, or NULL. */
const struct run *swap_pages_find(const struct swap *s, uintptr_t address);
/* Where v's bytes are, from this address of the run on. */
const char *swap_pages_place(const struct swap *s, const struct swap_version *v, const struct run *r,
                             uintptr_t address);
/* The same, to store to. */
char *swap_pages_own(struct swap *s, struct swap_version *v, const struct run *r, uintptr_t address);
/* The same for others' pointers, valid whenever v is not live. */
void *swap_pages_share(struct swap *s, struct swap_version *v, const struct run *r, uintptr_t address);
/* The place in the range that an address in the live version's home means, or NULL. */
void *swap_pages_live_place(const struct swap *s, uintptr_t address);
void swap_pages_forget(struct swap *s, struct swap_version *v); /* v has ended, and is not live */
void swap_pages_release(struct swap *s);

#endif
