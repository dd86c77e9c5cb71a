/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges the versions of memory ranges. Knows nothing of ranks or programs. See swap.h for the invariants.
 */
#include "fold/image/swap_parts.h"

#include "base/sanitizer.h"

#include <dlfcn.h>

/* Whether a page of the range is in another one as well. */
static bool is_shared(const struct swap_range *ranges, uint32_t n, uint32_t i)
{
    size_t page = base_page_size();
    for (uint32_t k = 0; k < n; k++)
        if (k != i && ranges[k].size > 0 &&
            ranges[k].base / page <= (ranges[i].base + ranges[i].size - 1) / page &&
            ranges[i].base / page <= (ranges[k].base + ranges[k].size - 1) / page)
            return true;
    return false;
}

static void add_range(struct swap *s, uintptr_t base, size_t size)
{
    size_t page = base_page_size();
    struct range r = {.base = base,
                      .size = size,
                      .first_chunk = s->chunks,
                      .chunks = (uint32_t)((size + SWAP_CHUNK - 1) / SWAP_CHUNK),
                      .pristine = base_alloc(size, "pristine globals"),
                      .copy_at = s->copy_bytes + base % page};
    swap_raw.copy(r.pristine, (const void *)base, size);
    s->copy_bytes += (base % page + size + page - 1) / page * page;
    s->chunks += r.chunks;
    BASE_ARRAY_PUSH(&s->ranges, r);
}

struct swap_raw swap_raw = {memcpy, memcmp};

/* A sanitizer's functions would find that globals have red zones between them. */
static void find_raw(void)
{
    void *libc = base_sanitizer.address ? dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *copy = libc ? dlsym(libc, "memcpy") : NULL, *compare = libc ? dlsym(libc, "memcmp") : NULL;
    if (copy && compare)
        swap_raw = (struct swap_raw){(void *(*)(void *, const void *, size_t))copy,
                                     (int (*)(const void *, const void *, size_t))compare};
}

struct swap *swap_create(const struct swap_range *ranges, uint32_t n, struct swap_version *first,
                         size_t move_from)
{
    struct swap *s = base_zalloc(sizeof *s, "swap");
    s->low = UINTPTR_MAX;
    find_raw();
    for (uint32_t i = 0; i < n; i++) {
        const struct swap_range *r = &ranges[i];
        if (r->size == 0)
            continue;
        if (!r->movable || !move_from || r->size < move_from || is_shared(ranges, n, i) ||
            !swap_pages_take(s, r->base, r->size))
            add_range(s, r->base, r->size);
        s->low = r->base < s->low ? r->base : s->low;
        s->high = r->base + r->size > s->high ? r->base + r->size : s->high;
    }
    s->words = (s->chunks + 63) / 64;
    s->live = first;
    return s;
}

void swap_destroy(struct swap *s)
{
    if (!s)
        return;
    swap_copies_release(s);
    swap_pages_release(s);
    for (size_t i = 0; i < s->ranges.n; i++)
        free(s->ranges.at[i].pristine);
    free(s->ranges.at);
    free(s);
}

void swap_release(struct swap *s, struct swap_version *v)
{
    if (s->live == v) {
        if (v->copy)
            swap_copy_save(s, v);
        if (s->pointed)
            swap_pages_leave(s, v);
        s->live = NULL;
    }
    swap_pages_forget(s, v);
    free(v->bits);
    free(v->saved);
    *v = (struct swap_version){.copy = v->copy};
}

struct swap_version *swap_live(const struct swap *s)
{
    return s->live;
}

uint64_t swap_count(const struct swap *s)
{
    return s->exchanges;
}

size_t swap_moved_bytes(const struct swap *s)
{
    size_t bytes = 0;
    for (size_t i = 0; i < s->runs.n; i++)
        bytes += s->runs.at[i].size;
    return bytes;
}

/* --- chunks -------------------------------------------------------------------------------------- */

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
        if (swap_raw.compare(live + at, r->pristine + at, block) == 0)
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
    if (s->live->copy)
        swap_copy_save(s, s->live);
    for (size_t i = 0; i < s->ranges.n && !s->live->copy; i++)
        save_range(s, s->live, &s->ranges.at[i]);
}

static const struct range *range_of_chunk(const struct swap *s, uint32_t chunk)
{
    uint32_t i = 0;
    while (chunk >= s->ranges.at[i].first_chunk + s->ranges.at[i].chunks)
        i++;
    return &s->ranges.at[i];
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

/* After a rank that has ended or a shared version, it is unknown what was changed. */
static void load_over_unknown(struct swap *s, const struct swap_version *v)
{
    for (size_t i = 0; i < s->ranges.n; i++)
        swap_raw.copy((char *)s->ranges.at[i].base, s->ranges.at[i].pristine, s->ranges.at[i].size);
    load_version(s, NULL, v);
}

void swap_to(struct swap *s, struct swap_version *v)
{
    struct swap_version *old = s->live;
    if (old == v)
        return;
    if (old) {
        save_live(s);
        swap_pages_leave(s, old);
    }
    swap_pages_enter(s, v);
    if (v->copy)
        swap_copy_load(s, v);
    else if (old && !old->copy)
        load_version(s, old, v);
    else
        load_over_unknown(s, v);
    if (v->bits)
        memset(v->bits, 0, s->words * sizeof *v->bits);
    v->n = 0; /* S2; the room is kept for the next time */
    s->live = v;
    s->exchanges++;
}

void swap_check(const struct swap *s, const struct swap_version *v)
{
    uint32_t n = 0;
    for (uint32_t w = 0; v->bits && w < s->words; w++)
        n += count_bits(v->bits[w]);
    BASE_ASSERT("S1", n == v->n);
    BASE_ASSERT("S3", !v->copy || (v->n == 0 && !v->bits));
    BASE_ASSERT("S2", s->live != v || v->n == 0);
    BASE_ASSERT("S4", !v->home || s->runs.n > 0);
}
