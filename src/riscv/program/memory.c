/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: a process's own bytes, one region of the host that costs what is touched of it, and the calls that
 * give out parts of it (brk, mmap). Rights are those of whole areas: mprotect changes nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "riscv/program/internal.h"

static bool add_span(struct riscv_process *x, uint64_t base, uint64_t end, unsigned char *host, uint8_t may)
{
    return base >= end || riscv_core_span(&x->core, (struct riscv_span){base, end - base, host, may});
}

/* Words that reach the host's side of riscv-tests are in no span, so that the port sees them. */
static bool add_block(struct riscv_process *x, const struct riscv_block *b)
{
    uint64_t hole = x->program->tohost, end = b->base + b->size;
    unsigned char *host = x->memory + b->offset;
    if (!hole || hole < b->base || hole + 8 > end)
        return add_span(x, b->base, end, host, b->may);
    return add_span(x, b->base, hole, host, b->may) &&
           add_span(x, hole + 8, end, host + (hole + 8 - b->base), b->may);
}

int riscv_memory_make(struct riscv_process *x, struct base_status *st)
{
    const struct riscv_program *p = x->program;
    bool fits = true;
    x->memory = base_reserve(p->memory_size, "memory of a core");
    for (uint32_t k = 0; k < p->shared_count; k++)
        fits = fits &&
               riscv_core_span(&x->core, (struct riscv_span){p->shared[k].base, p->shared[k].size,
                                                             (unsigned char *)(uintptr_t)p->shared[k].host,
                                                             p->shared[k].may});
    for (uint32_t k = 0; k < p->block_count; k++)
        fits = fits && add_block(x, &p->block[k]);
    if (!fits)
        return base_fail(st, "%s: its segments need more than %d areas of memory", p->path, RISCV_SPANS);
    for (uint32_t k = 0; k < p->initial_count; k++) {
        const struct riscv_initial *i = &p->initial[k];
        for (uint32_t b = 0; b < p->block_count; b++)
            if (i->address - p->block[b].base < p->block[b].size)
                memcpy(x->memory + p->block[b].offset + (i->address - p->block[b].base),
                       p->elf.bytes + i->offset, i->bytes);
    }
    x->heap_end = p->heap;
    return 0;
}

void riscv_memory_release(struct riscv_process *x)
{
    if (x->memory)
        base_unreserve(x->memory, x->program->memory_size);
    x->memory = NULL;
    free(x->mapped.at);
}

void *riscv_memory_at(const struct riscv_process *x, uint64_t address, uint64_t size, uint8_t may)
{
    static unsigned char nothing[1];
    return size ? riscv_core_bytes(&x->core, address, size, may) : nothing;
}

const char *riscv_memory_text(const struct riscv_process *x, uint64_t address, size_t most)
{
    for (uint32_t k = 0; k < x->core.spans; k++) {
        const struct riscv_span *s = &x->core.span[k];
        uint64_t at = address - s->base;
        if (at >= s->size || !(s->may & RISCV_READ))
            continue;
        size_t room = s->size - at < most ? s->size - at : most;
        return memchr(s->host + at, 0, room) ? (const char *)s->host + at : NULL;
    }
    return NULL;
}

/* --- brk and mmap ------------------------------------------------------------------------------------ */

static uint64_t pages(uint64_t size)
{
    return (size + RISCV_PAGE - 1) & ~(uint64_t)(RISCV_PAGE - 1);
}

/* They read as zero from now on. */
static void clear(struct riscv_process *x, uint64_t address, uint64_t size)
{
    unsigned char *p = riscv_memory_at(x, address, size, RISCV_READ);
    uintptr_t first = ((uintptr_t)p + RISCV_PAGE - 1) & ~(uintptr_t)(RISCV_PAGE - 1),
              last = ((uintptr_t)p + size) & ~(uintptr_t)(RISCV_PAGE - 1);
    if (!p || !size)
        return;
    if (base_page_size() != RISCV_PAGE || first >= last ||
        madvise((void *)first, last - first, MADV_DONTNEED)) {
        memset(p, 0, size);
        return;
    }
    memset(p, 0, first - (uintptr_t)p);
    memset((void *)last, 0, (uintptr_t)p + size - last);
}

int64_t riscv_brk(struct riscv_process *x, uint64_t end)
{
    const struct riscv_program *p = x->program;
    if (end < p->heap || end > p->heap_limit)
        return (int64_t)x->heap_end;
    if (end < x->heap_end)
        clear(x, end, x->heap_end - end);
    x->heap_end = end;
    return (int64_t)end;
}

/* The place in the list before which an area at that address stands. */
static size_t place_of(const struct riscv_process *x, uint64_t address)
{
    size_t k = 0;
    while (k < x->mapped.n && x->mapped.at[k].base < address)
        k++;
    return k;
}

static void insert(struct riscv_process *x, struct riscv_mapped m)
{
    size_t k = place_of(x, m.base);
    BASE_ARRAY_PUSH(&x->mapped, m);
    memmove(x->mapped.at + k + 1, x->mapped.at + k, (x->mapped.n - 1 - k) * sizeof m);
    x->mapped.at[k] = m;
}

/* The lowest gap of that size; 0: there is none. */
static uint64_t find_gap(const struct riscv_process *x, uint64_t size)
{
    uint64_t at = x->program->mapped, end = at + x->program->mapped_size;
    for (size_t k = 0; k < x->mapped.n && x->mapped.at[k].base - at < size; k++)
        at = x->mapped.at[k].base + x->mapped.at[k].size;
    return end - at >= size ? at : 0;
}

static bool in_room(const struct riscv_process *x, uint64_t address, uint64_t size)
{
    const struct riscv_program *p = x->program;
    return address >= p->mapped && size <= p->mapped_size && address - p->mapped <= p->mapped_size - size;
}

int64_t riscv_munmap(struct riscv_process *x, uint64_t address, uint64_t size)
{
    if (address % RISCV_PAGE || !size || size > x->program->mapped_size)
        return -EINVAL;
    uint64_t end = address + pages(size);
    for (size_t k = 0; k < x->mapped.n;) {
        struct riscv_mapped m = x->mapped.at[k];
        uint64_t low = m.base > address ? m.base : address;
        uint64_t high = m.base + m.size < end ? m.base + m.size : end;
        if (low >= high) {
            k++;
            continue;
        }
        clear(x, low, high - low);
        memmove(x->mapped.at + k, x->mapped.at + k + 1, (--x->mapped.n - k) * sizeof m);
        if (low > m.base)
            insert(x, (struct riscv_mapped){m.base, low - m.base});
        if (high < m.base + m.size)
            insert(x, (struct riscv_mapped){high, m.base + m.size - high});
        k = place_of(x, high);
    }
    return 0;
}

static int64_t fill(struct riscv_process *x, uint64_t at, uint64_t size, int host, uint64_t offset)
{
    unsigned char *p = riscv_memory_at(x, at, size, RISCV_WRITE);
    for (uint64_t done = 0; p && done < size;) {
        ssize_t n = pread(host, p + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n == 0)
            break;
        done += n > 0 ? (uint64_t)n : 0;
    }
    return 0;
}

int64_t riscv_mmap(struct riscv_process *x, uint64_t address, uint64_t size, uint64_t flags, int host,
                   uint64_t offset)
{
    bool fixed = flags & MAP_FIXED;
    if (!size || size > x->program->mapped_size || (fixed && address % RISCV_PAGE))
        return size ? (fixed && address % RISCV_PAGE ? -EINVAL : -ENOMEM) : -EINVAL;
    size = pages(size);
    if (fixed && !in_room(x, address, size))
        return -ENOMEM;
    uint64_t at = fixed ? address : find_gap(x, size);
    if (!at)
        return -ENOMEM;
    if (fixed)
        riscv_munmap(x, at, size);
    int64_t failed = host >= 0 ? fill(x, at, size, host, offset) : 0;
    if (failed)
        return failed;
    insert(x, (struct riscv_mapped){at, size});
    return (int64_t)at;
}

/* a: old address, old size, new size, flags (1: it may move) */
int64_t riscv_mremap(struct riscv_process *x, const uint64_t *a)
{
    uint64_t old = a[0], had = pages(a[1]), size = pages(a[2]);
    if (old % RISCV_PAGE || !size || !had || !in_room(x, old, had))
        return -EINVAL;
    if (size <= had) {
        if (size < had)
            riscv_munmap(x, old + size, had - size);
        return (int64_t)old;
    }
    if (!(a[3] & MREMAP_MAYMOVE))
        return -ENOMEM;
    int64_t at = riscv_mmap(x, 0, size, 0, -1, 0);
    if (at < 0)
        return at;
    memcpy(riscv_memory_at(x, (uint64_t)at, had, RISCV_WRITE), riscv_memory_at(x, old, had, RISCV_READ), had);
    riscv_munmap(x, old, had);
    return at;
}
