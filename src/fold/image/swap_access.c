/* SPDX-License-Identifier: BSD-3-Clause */
/* swap_access: bytes of any version, live or not. */
#include "fold/image/swap_parts.h"

bool swap_touches(const struct swap *s, uintptr_t address, size_t size)
{
    if (address >= s->high || size <= s->low - (address < s->low ? address : s->low))
        return false;
    for (uint32_t i = 0; i < s->n_ranges; i++)
        if (address < s->range[i].base + s->range[i].size && s->range[i].base < address + size)
            return true;
    return false;
}

/* The first piece of [address, address + size) that lies in one chunk, or outside of all ranges. */
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
    if (v->copy)
        return v->copy + r->copy_at + (size_t)k * SWAP_CHUNK;
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
            if (s->live != v && !v->copy && !has_bit(v, r->first_chunk + k))
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
    if (v->copy)
        return swap_copy_place(s, v, address, size);
    if (piece(s, address, size, &r, &k) < size || !r || !has_bit(v, r->first_chunk + k))
        return NULL;
    return v->saved + (size_t)place_of(v, r->first_chunk + k) * SWAP_CHUNK + (address - r->base) % SWAP_CHUNK;
}
