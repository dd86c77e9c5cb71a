/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swap_copy: shared versions. A version into which others hold pointers is, while not live, a whole copy of
 * the ranges instead of a list of changed chunks. The copy never moves, so loads and stores through a pointer
 * need no translation. It is unknown what was stored, so the whole copy is compared when it becomes live.
 * Only differences are written, and pages that stay zero take no memory.
 */
#include "fold/image/swap_parts.h"

#define SLAB_BYTES ((size_t)64 << 20)

/* Makes `to` equal to `from`, writing only chunks that differ. */
static void update(char *to, const char *from, size_t size)
{
    for (size_t at = 0; at < size; at += BLOCK_CHUNKS * SWAP_CHUNK) {
        size_t block = size - at < BLOCK_CHUNKS * SWAP_CHUNK ? size - at : BLOCK_CHUNKS * SWAP_CHUNK;
        if (swap_raw.compare(to + at, from + at, block) == 0)
            continue;
        for (size_t c = at; c < at + block; c += SWAP_CHUNK) {
            size_t n = at + block - c < SWAP_CHUNK ? at + block - c : SWAP_CHUNK;
            if (!equal_chunk(to + c, from + c, n))
                copy_chunk(to + c, from + c, n);
        }
    }
}

void swap_copy_save(const struct swap *s, const struct swap_version *v)
{
    for (size_t i = 0; i < s->ranges.n; i++)
        update(v->copy + s->ranges.at[i].copy_at, (const char *)s->ranges.at[i].base, s->ranges.at[i].size);
}

void swap_copy_load(const struct swap *s, const struct swap_version *v)
{
    for (size_t i = 0; i < s->ranges.n; i++)
        update((char *)s->ranges.at[i].base, v->copy + s->ranges.at[i].copy_at, s->ranges.at[i].size);
}

/* Copies are cut from regions that hold many, because each region is a memory mapping. Fresh copies are
 * zero. */
static char *new_copy(struct swap *s)
{
    if (s->copies_left == 0) {
        struct slab slab = {.copies = s->copy_bytes < SLAB_BYTES ? SLAB_BYTES / s->copy_bytes : 1};
        slab.base = base_reserve(slab.copies * s->copy_bytes, "globals that other ranks point into");
        BASE_ARRAY_PUSH(&s->slabs, slab);
        s->copies_left = slab.copies;
    }
    const struct slab *last = &s->slabs.at[s->slabs.n - 1];
    return last->base + (last->copies - s->copies_left--) * s->copy_bytes;
}

void swap_copies_release(struct swap *s)
{
    for (size_t i = 0; i < s->slabs.n; i++)
        base_unreserve(s->slabs.at[i].base, s->slabs.at[i].copies * s->copy_bytes);
    free(s->slabs.at);
}

/* The version's bytes move to the copy; its saved chunks are no longer needed. */
static void make_shared(struct swap *s, struct swap_version *v)
{
    char *copy = new_copy(s);
    const char *from = v->saved;
    for (size_t i = 0; i < s->ranges.n; i++) {
        const struct range *r = &s->ranges.at[i];
        update(copy + r->copy_at, r->pristine, r->size);
        for (uint32_t k = 0; v->n && k < r->chunks; k++)
            if (has_bit(v, r->first_chunk + k)) {
                copy_chunk(copy + r->copy_at + (size_t)k * SWAP_CHUNK, from, chunk_size(r, k));
                from += SWAP_CHUNK;
            }
    }
    free(v->bits);
    free(v->saved);
    *v = (struct swap_version){.copy = copy, .home = v->home};
}

void *swap_copy_place(const struct swap *s, const struct swap_version *v, uintptr_t address, size_t size)
{
    for (size_t i = 0; i < s->ranges.n; i++) {
        const struct range *r = &s->ranges.at[i];
        if (address >= r->base && address - r->base < r->size)
            return size <= r->size - (address - r->base) ? v->copy + r->copy_at + (address - r->base) : NULL;
    }
    return NULL;
}

void *swap_share(struct swap *s, struct swap_version *v, uintptr_t address, size_t size)
{
    if (!swap_touches(s, address, size))
        return (void *)address;
    const struct run *run = swap_pages_find(s, address);
    if (run)
        return size <= run->size - (address - run->base) ? swap_pages_share(s, v, run, address) : NULL;
    if (!v->copy)
        make_shared(s, v);
    return swap_copy_place(s, v, address, size);
}

void *swap_live_place(const struct swap *s, uintptr_t address)
{
    if (BASE_UNLIKELY(s->pointed)) {
        void *moved = swap_pages_live_place(s, address);
        if (moved)
            return moved;
    }
    if (BASE_LIKELY(s->slabs.n == 0) || !s->live || !s->live->copy)
        return NULL;
    size_t at = address - (uintptr_t)s->live->copy;
    for (size_t i = 0; at < s->copy_bytes && i < s->ranges.n; i++)
        if (at >= s->ranges.at[i].copy_at && at - s->ranges.at[i].copy_at < s->ranges.at[i].size)
            return (char *)s->ranges.at[i].base + (at - s->ranges.at[i].copy_at);
    return NULL;
}
