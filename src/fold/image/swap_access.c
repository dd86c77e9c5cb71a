/* SPDX-License-Identifier: BSD-3-Clause */
/* swap_access: bytes of any version, live or not. */
#include "fold/image/swap_parts.h"

bool swap_touches(const struct swap *s, uintptr_t address, size_t size)
{
    if (address >= s->high || size <= s->low - (address < s->low ? address : s->low))
        return false;
    for (size_t i = 0; i < s->ranges.n; i++)
        if (address < s->ranges.at[i].base + s->ranges.at[i].size && s->ranges.at[i].base < address + size)
            return true;
    for (size_t i = 0; i < s->runs.n; i++)
        if (address < s->runs.at[i].base + s->runs.at[i].size && s->runs.at[i].base < address + size)
            return true;
    return false;
}

/* Bytes that lie in one place: in a chunk of a range, in a run, or outside of all. */
struct piece {
    const struct range *range;
    const struct run *run;
    uint32_t k; /* the chunk of the range */
    size_t size;
};

/* Whether the bytes begin in [base, base + size); if they begin before, they are cut there. */
static bool begins_in(struct piece *p, uintptr_t address, uintptr_t base, size_t size)
{
    if (address >= base && address - base < size)
        return true;
    if (address < base && base - address < p->size)
        p->size = base - address;
    return false;
}

static void end_at(struct piece *p, size_t left)
{
    p->size = left < p->size ? left : p->size;
}

/* The first piece of [address, address + size). */
static struct piece piece(const struct swap *s, uintptr_t address, size_t size)
{
    struct piece p = {.size = size};
    for (size_t i = 0; i < s->ranges.n; i++) {
        const struct range *r = &s->ranges.at[i];
        if (begins_in(&p, address, r->base, r->size)) {
            size_t offset = address - r->base;
            p.range = r;
            p.k = (uint32_t)(offset / SWAP_CHUNK);
            end_at(&p, (size_t)p.k * SWAP_CHUNK + chunk_size(r, p.k) - offset);
            return p;
        }
    }
    for (size_t i = 0; i < s->runs.n; i++)
        if (begins_in(&p, address, s->runs.at[i].base, s->runs.at[i].size)) {
            p.run = &s->runs.at[i];
            end_at(&p, p.run->size - (address - p.run->base));
            return p;
        }
    return p;
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
    for (char *to = out; size;) {
        struct piece p = piece(s, address, size);
        if (p.range)
            memcpy(to, chunk_bytes(s, v, p.range, p.k) + (address - p.range->base) % SWAP_CHUNK, p.size);
        else
            memcpy(to, p.run ? swap_pages_place(s, v, p.run, address) : (const void *)address, p.size);
        to += p.size;
        address += p.size;
        size -= p.size;
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

/* Where the piece is stored to. */
static char *place_to_write(struct swap *s, struct swap_version *v, const struct piece *p, uintptr_t address)
{
    if (p->run)
        return swap_pages_own(s, v, p->run, address);
    if (!p->range)
        return (char *)address;
    if (s->live != v && !v->copy && !has_bit(v, p->range->first_chunk + p->k))
        insert_chunk(s, v, p->range, p->k);
    return (char *)(uintptr_t)chunk_bytes(s, v, p->range, p->k) + (address - p->range->base) % SWAP_CHUNK;
}

void swap_write(struct swap *s, struct swap_version *v, uintptr_t address, const void *in, size_t size)
{
    for (const char *from = in; size;) {
        struct piece p = piece(s, address, size);
        memcpy(place_to_write(s, v, &p, address), from, p.size);
        from += p.size;
        address += p.size;
        size -= p.size;
    }
}

void *swap_direct(struct swap *s, struct swap_version *v, uintptr_t address, size_t size)
{
    if (s->live == v || !swap_touches(s, address, size))
        return (void *)address;
    struct piece p = piece(s, address, size);
    if (p.run)
        return p.size == size ? swap_pages_own(s, v, p.run, address) : NULL;
    if (v->copy)
        return swap_copy_place(s, v, address, size);
    if (p.size < size || !p.range || !has_bit(v, p.range->first_chunk + p.k))
        return NULL;
    return place_to_write(s, v, &p, address);
}
