/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges the versions of memory ranges. Knows nothing of ranks or programs. See swap.h for the invariants.
 *
 * A range is seen through the chunk grid of a flat space in which the ranges follow one another, each
 * starting at a new chunk; the last chunk of a range may be short.
 */
#include "fold/swap.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_CHUNKS 16 /* compared at once before looking at single chunks: most blocks have not changed */

struct range {
    uintptr_t base;
    size_t size;
    uint32_t first_chunk, chunks;
    char *pristine;
};

struct swap {
    struct range *range;
    uint32_t n_ranges, chunks, words;
    struct swap_version *live;
    uintptr_t low, high; /* hull of the ranges */
    uint64_t exchanges;
    size_t bytes;
};

struct swap *swap_create(const struct swap_range *ranges, uint32_t n, struct swap_version *first)
{
    struct swap *s = base_zalloc(sizeof *s, "swap");
    s->range = base_zalloc((n ? n : 1) * sizeof *s->range, "swap");
    s->low = UINTPTR_MAX;
    for (uint32_t i = 0; i < n; i++) {
        struct range *r = &s->range[s->n_ranges];
        if (ranges[i].size == 0)
            continue;
        *r = (struct range){ranges[i].base, ranges[i].size, s->chunks,
                            (uint32_t)((ranges[i].size + SWAP_CHUNK - 1) / SWAP_CHUNK), NULL};
        r->pristine = base_alloc(r->size, "pristine globals");
        memcpy(r->pristine, (const void *)r->base, r->size);
        s->chunks += r->chunks;
        s->bytes += r->size;
        s->low = r->base < s->low ? r->base : s->low;
        s->high = r->base + r->size > s->high ? r->base + r->size : s->high;
        s->n_ranges++;
    }
    s->words = (s->chunks + 63) / 64;
    s->live = first;
    return s;
}

void swap_destroy(struct swap *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->n_ranges; i++)
        free(s->range[i].pristine);
    free(s->range);
    free(s);
}

void swap_release(struct swap *s, struct swap_version *v)
{
    if (s->live == v)
        s->live = NULL;
    free(v->bits);
    free(v->saved);
    *v = (struct swap_version){0};
}

struct swap_version *swap_live(const struct swap *s)
{
    return s->live;
}

uint64_t swap_count(const struct swap *s)
{
    return s->exchanges;
}

size_t swap_bytes(const struct swap *s)
{
    return s->bytes;
}

/* --- chunks -------------------------------------------------------------------------------------- */

static bool has_bit(const struct swap_version *v, uint32_t chunk)
{
    return v->bits && (v->bits[chunk / 64] >> (chunk % 64) & 1);
}

/* In line, for the compiler calls a function where the processor may lack the instruction. */
static inline uint32_t count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* How many saved chunks come before this one: its place in `saved`. */
static uint32_t place_of(const struct swap_version *v, uint32_t chunk)
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

static void reserve_chunks(struct swap_version *v, uint32_t n)
{
    if (n <= v->cap)
        return;
    v->cap = n < 4 ? n : n + n / 4;
    v->saved = base_realloc(v->saved, (size_t)v->cap * SWAP_CHUNK, "saved globals of a rank");
}

static void append_chunk(struct swap *s, struct swap_version *v, const struct range *r, uint32_t k)
{
    uint32_t chunk = r->first_chunk + k;
    if (!v->bits)
        v->bits = base_zalloc(s->words * sizeof *v->bits, "saved globals of a rank");
    reserve_chunks(v, v->n + 1);
    v->bits[chunk / 64] |= UINT64_C(1) << (chunk % 64);
    copy_chunk(v->saved + (size_t)v->n * SWAP_CHUNK, (const char *)r->base + (size_t)k * SWAP_CHUNK,
               chunk_size(r, k));
    v->n++;
}

/* --- exchange ------------------------------------------------------------------------------------ */

static void save_range(struct swap *s, struct swap_version *v, const struct range *r)
{
    const char *live = (const char *)r->base;
    for (uint32_t k = 0; k < r->chunks; k += BLOCK_CHUNKS) {
        size_t at = (size_t)k * SWAP_CHUNK, left = r->size - at;
        size_t block = left < BLOCK_CHUNKS * SWAP_CHUNK ? left : BLOCK_CHUNKS * SWAP_CHUNK;
        if (memcmp(live + at, r->pristine + at, block) == 0)
            continue;
        for (uint32_t c = k; c < r->chunks && c < k + BLOCK_CHUNKS; c++) {
            size_t o = (size_t)c * SWAP_CHUNK;
            if (!equal_chunk(live + o, r->pristine + o, chunk_size(r, c)))
                append_chunk(s, v, r, c);
        }
    }
}

static void save_live(struct swap *s)
{
    for (uint32_t i = 0; i < s->n_ranges; i++)
        save_range(s, s->live, &s->range[i]);
}

static const struct range *range_of_chunk(const struct swap *s, uint32_t chunk)
{
    uint32_t i = 0;
    while (chunk >= s->range[i].first_chunk + s->range[i].chunks)
        i++;
    return &s->range[i];
}

/* Writes every chunk that v or its predecessor `old` (may be NULL) changed. */
static void load_version(struct swap *s, const struct swap_version *old, const struct swap_version *v)
{
    const char *from = v->saved;
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t mine = v->bits ? v->bits[w] : 0, todo = mine | (old && old->bits ? old->bits[w] : 0);
        for (; todo; todo &= todo - 1) {
            uint32_t chunk = w * 64 + (uint32_t)__builtin_ctzll(todo);
            const struct range *r = range_of_chunk(s, chunk);
            uint32_t k = chunk - r->first_chunk;
            size_t at = (size_t)k * SWAP_CHUNK, n = chunk_size(r, k);
            if (mine >> (chunk % 64) & 1) {
                copy_chunk((char *)r->base + at, from, n);
                from += SWAP_CHUNK;
            } else {
                copy_chunk((char *)r->base + at, r->pristine + at, n);
            }
        }
    }
}

/* After a version without a live one (its rank has ended) nobody knows what was changed. */
static void load_over_unknown(struct swap *s, const struct swap_version *v)
{
    for (uint32_t i = 0; i < s->n_ranges; i++)
        memcpy((char *)s->range[i].base, s->range[i].pristine, s->range[i].size);
    load_version(s, NULL, v);
}

void swap_to(struct swap *s, struct swap_version *v)
{
    struct swap_version *old = s->live;
    if (old == v)
        return;
    if (old) {
        save_live(s);
        load_version(s, old, v);
    } else {
        load_over_unknown(s, v);
    }
    if (v->bits)
        memset(v->bits, 0, s->words * sizeof *v->bits);
    v->n = 0; /* S2; the room is kept for the next time */
    s->live = v;
    s->exchanges++;
}

/* --- access -------------------------------------------------------------------------------------- */

bool swap_touches(const struct swap *s, uintptr_t address, size_t size)
{
    if (address >= s->high || size <= s->low - (address < s->low ? address : s->low))
        return false;
    for (uint32_t i = 0; i < s->n_ranges; i++)
        if (address < s->range[i].base + s->range[i].size && s->range[i].base < address + size)
            return true;
    return false;
}

/* The piece of [address, address + size) at its start that lies in one chunk, or outside of all ranges. */
static size_t piece(const struct swap *s, uintptr_t address, size_t size, const struct range **range,
                    uint32_t *k)
{
    *range = NULL;
    for (uint32_t i = 0; i < s->n_ranges; i++) {
        const struct range *r = &s->range[i];
        if (address >= r->base && address - r->base < r->size) {
            size_t offset = address - r->base;
            *range = r;
            *k = (uint32_t)(offset / SWAP_CHUNK);
            size_t left = (size_t)*k * SWAP_CHUNK + chunk_size(r, *k) - offset;
            return left < size ? left : size;
        }
        if (address < r->base && r->base - address < size)
            size = r->base - address;
    }
    return size;
}

/* Bytes of chunk k as version v has them. */
static const char *chunk_bytes(const struct swap *s, const struct swap_version *v, const struct range *r,
                               uint32_t k)
{
    if (s->live == v)
        return (const char *)r->base + (size_t)k * SWAP_CHUNK;
    if (has_bit(v, r->first_chunk + k))
        return v->saved + (size_t)place_of(v, r->first_chunk + k) * SWAP_CHUNK;
    return r->pristine + (size_t)k * SWAP_CHUNK;
}

void swap_read(const struct swap *s, const struct swap_version *v, uintptr_t address, void *out, size_t size)
{
    char *to = out;
    while (size) {
        const struct range *r;
        uint32_t k;
        size_t n = piece(s, address, size, &r, &k);
        if (r)
            memcpy(to, chunk_bytes(s, v, r, k) + (address - r->base) % SWAP_CHUNK, n);
        else
            memcpy(to, (const void *)address, n);
        to += n;
        address += n;
        size -= n;
    }
}

/* Gives a saved version its own copy of a chunk that was pristine. */
static void insert_chunk(struct swap *s, struct swap_version *v, const struct range *r, uint32_t k)
{
    uint32_t chunk = r->first_chunk + k;
    if (!v->bits)
        v->bits = base_zalloc(s->words * sizeof *v->bits, "saved globals of a rank");
    uint32_t place = place_of(v, chunk);
    reserve_chunks(v, v->n + 1);
    char *at = v->saved + (size_t)place * SWAP_CHUNK;
    memmove(at + SWAP_CHUNK, at, (size_t)(v->n - place) * SWAP_CHUNK);
    memcpy(at, r->pristine + (size_t)k * SWAP_CHUNK, chunk_size(r, k));
    v->bits[chunk / 64] |= UINT64_C(1) << (chunk % 64);
    v->n++;
}

void swap_write(struct swap *s, struct swap_version *v, uintptr_t address, const void *in, size_t size)
{
    const char *from = in;
    while (size) {
        const struct range *r;
        uint32_t k;
        size_t n = piece(s, address, size, &r, &k);
        if (!r) {
            memcpy((void *)address, from, n);
        } else {
            if (s->live != v && !has_bit(v, r->first_chunk + k))
                insert_chunk(s, v, r, k);
            memcpy((char *)(uintptr_t)chunk_bytes(s, v, r, k) + (address - r->base) % SWAP_CHUNK, from, n);
        }
        from += n;
        address += n;
        size -= n;
    }
}

void *swap_direct(const struct swap *s, const struct swap_version *v, uintptr_t address, size_t size)
{
    const struct range *r;
    uint32_t k;
    if (s->live == v || !swap_touches(s, address, size))
        return (void *)address;
    if (piece(s, address, size, &r, &k) < size || !r || !has_bit(v, r->first_chunk + k))
        return NULL;
    return v->saved + (size_t)place_of(v, r->first_chunk + k) * SWAP_CHUNK + (address - r->base) % SWAP_CHUNK;
}

void swap_check(const struct swap *s, const struct swap_version *v)
{
    uint32_t n = 0;
    for (uint32_t w = 0; v->bits && w < s->words; w++)
        n += count_bits(v->bits[w]);
    BASE_ASSERT("S1", n == v->n);
    BASE_ASSERT("S2", s->live != v || v->n == 0);
}
