/* SPDX-License-Identifier: BSD-3-Clause */
/* areas: the memory that is followed, and which of its blocks are not as they were. */
#include "check/memory/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void memory_areas_init(struct memory_areas *m)
{
    *m = (struct memory_areas){.at = {0}};
    base_table_init(&m->told, BASE_NUMBERS, sizeof(uint32_t), "memory that others reach");
}

static size_t pages_of(const struct memory_area *a)
{
    return (a->bytes + MEMORY_PAGE - 1) / MEMORY_PAGE;
}

static void release(struct memory_area *a)
{
    for (size_t k = 0; k < pages_of(a); k++)
        free(a->page[k]);
    free(a->page);
}

void memory_areas_release(struct memory_areas *m)
{
    for (size_t k = 0; k < m->at.n; k++)
        release(&m->at.at[k]);
    free(m->at.at);
    base_table_release(&m->told);
}

/* Kinds are literals, but may be there several times. */
static uint32_t number_of(struct memory_areas *m, uint32_t rank, const char *kind)
{
    uint64_t key = (uint64_t)rank << 32 | base_hash_bytes(kind, strlen(kind));
    return (*(uint32_t *)base_table_add(&m->told, key, NULL))++;
}

void memory_area_add(struct memory_areas *m, const struct rank *r, const struct rank_area *a)
{
    struct memory_area added = {.address = a->address,
                                .bytes = a->bytes,
                                .kind = a->kind,
                                .rank = r->id,
                                .number = number_of(m, r->id, a->kind)};
    added.page = base_zalloc((pages_of(&added) + 1) * sizeof *added.page, "memory that others reach");
    BASE_ARRAY_PUSH(&m->at, added);
}

void memory_area_remove(struct memory_areas *m, const struct rank *r, uintptr_t address)
{
    for (size_t k = 0; k < m->at.n; k++)
        if (m->at.at[k].rank == r->id && m->at.at[k].address == address) {
            release(&m->at.at[k]);
            m->at.at[k] = m->at.at[--m->at.n];
            return;
        }
}

static struct memory_page *page_make(struct memory_area *a, size_t k)
{
    if (!a->page[k])
        a->page[k] = base_zalloc(sizeof *a->page[k], "hashes of memory");
    return a->page[k];
}

static void open_blocks(struct memory_area *a, uintptr_t low, uintptr_t high)
{
    size_t from = low > a->address ? low - a->address : 0,
           to = high - a->address < a->bytes ? high - a->address : a->bytes;
    for (size_t b = from / MEMORY_BLOCK; b * MEMORY_BLOCK < to; b++)
        page_make(a, b / MEMORY_BLOCKS)->open |= UINT64_C(1) << b % MEMORY_BLOCKS;
}

void memory_open_blocks(struct memory_areas *m, const struct rank *r, uintptr_t low, uintptr_t high)
{
    for (size_t k = 0; k < m->at.n; k++) {
        struct memory_area *a = &m->at.at[k];
        if (a->rank == r->id && low < a->address + a->bytes && high > a->address)
            open_blocks(a, low, high);
    }
}

/* --- writing -------------------------------------------------------------------------------------------- */

/* 0: only zeros. 1 is no block's. */
static uint64_t hash(const unsigned char *bytes, size_t n)
{
    uint64_t h = 0, any = 0;
    for (size_t k = 0; k < n; k += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + k, n - k < sizeof word ? n - k : sizeof word);
        any |= word;
        h = base_hash_fold(h ^ word) + k + 1;
    }
    return !any ? 0 : h > 1 ? h : h + 2;
}

/* Large heaps are mostly memory that was never touched: the kernel is asked about many pages at once. */
enum { CHUNK = 1024 }; /* pages */
struct look {
    struct rank *rank;
    const struct memory_area *area;
    size_t from;                /* the first page of the chunk */
    const unsigned char *bytes; /* of the chunk; NULL: not in one run */
    unsigned char resident[CHUNK + 2];
    unsigned char copy[MEMORY_PAGE];
};

static size_t bytes_from(const struct memory_area *a, size_t page, size_t pages)
{
    size_t rest = a->bytes - page * MEMORY_PAGE;
    return rest < pages * MEMORY_PAGE ? rest : pages * MEMORY_PAGE;
}

static uintptr_t host_page(const void *at)
{
    return (uintptr_t)at / MEMORY_PAGE;
}

/* One by one: where pages are of another size, or some are not mapped at all. */
static bool is_resident(uintptr_t at)
{
    unsigned char in = 0;
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    return !mincore((void *)(at & ~(size - 1)), 1, &in) && in & 1;
}

static void look_at_chunk(struct look *l, size_t from)
{
    size_t n = bytes_from(l->area, from, CHUNK);
    l->from = from;
    l->bytes = rank_direct(l->rank, l->area->address + from * MEMORY_PAGE, n);
    if (!l->bytes)
        return;
    uintptr_t first = host_page(l->bytes) * MEMORY_PAGE, end = (uintptr_t)l->bytes + n;
    if (sysconf(_SC_PAGESIZE) == MEMORY_PAGE && !mincore((void *)first, end - first, l->resident))
        return;
    for (uintptr_t at = first; at < end; at += MEMORY_PAGE)
        l->resident[(at - first) / MEMORY_PAGE] = is_resident(at);
}

/* The bytes of a page; NULL: they are zero. */
static const unsigned char *look(struct look *l, size_t k)
{
    size_t n = bytes_from(l->area, k, 1);
    if (k % CHUNK == 0)
        look_at_chunk(l, k);
    if (!l->bytes) {
        rank_read(l->rank, l->area->address + k * MEMORY_PAGE, l->copy, n);
        return l->copy;
    }
    const unsigned char *at = l->bytes + (k - l->from) * MEMORY_PAGE;
    size_t first = host_page(at) - host_page(l->bytes), last = host_page(at + n - 1) - host_page(l->bytes);
    return (l->resident[first] | l->resident[last]) & 1 ? at : NULL;
}

static void write_block(const struct memory_area *a, size_t block, uint64_t hash, bool open, FILE *out)
{
    fprintf(out, "%" PRIu32 " %" PRIu32 " %zx ", a->rank, a->number, block * MEMORY_BLOCK);
    if (open)
        fprintf(out, "- %s\n", a->kind);
    else
        fprintf(out, "%" PRIx64 " %s\n", hash, a->kind);
}

static void write_page(struct memory_area *a, size_t k, const unsigned char *bytes, FILE *out)
{
    struct memory_page *p = page_make(a, k);
    size_t offset = k * MEMORY_PAGE, n = a->bytes - offset < MEMORY_PAGE ? a->bytes - offset : MEMORY_PAGE;
    for (size_t b = 0; b * MEMORY_BLOCK < n; b++) {
        size_t at = b * MEMORY_BLOCK, size = n - at < MEMORY_BLOCK ? n - at : MEMORY_BLOCK;
        uint64_t now = bytes ? hash(bytes + at, size) : 0;
        bool open = p->open >> b & 1, was = p->was_open >> b & 1;
        if (open != was || (!open && now != p->hash[b]))
            write_block(a, k * MEMORY_BLOCKS + b, now, open, out);
        if (!open)
            p->hash[b] = now;
    }
    p->was_open = p->open;
    p->open = 0;
}

void memory_areas_write(struct memory_areas *m, const struct rank_job *job, FILE *out)
{
    struct look *l = base_alloc(sizeof *l, "hashes of memory"); /* a rank's stack may be small */
    for (size_t i = 0; i < m->at.n; i++) {
        struct memory_area *a = &m->at.at[i];
        l->rank = rank_at(job, a->rank);
        l->area = a;
        for (size_t k = 0; k < pages_of(a); k++) {
            const unsigned char *bytes = look(l, k);
            if (bytes || a->page[k])
                write_page(a, k, bytes, out);
        }
    }
    free(l);
}
