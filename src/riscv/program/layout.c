/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout: where a program's bytes lie in its cores' address spaces. What may not be written is shared by all
 * cores; neighbouring segments that may be written become one block of each core's own memory.
 *
 *   bare    segments where a loader without an operating system puts them; the last block goes on to __stack,
 *           or, without that symbol, for `memory` bytes from the lowest segment
 *   Linux   the last block goes on with the heap (brk); the stack and the room for mmap are blocks of their
 *   own
 */
#include <stdlib.h>
#include <string.h>

#include "riscv/program/internal.h"

/* Addresses of user space with three levels of page tables (sv39). */
static const uint64_t stack_top = UINT64_C(0x3fffff0000), moved_to = UINT64_C(0x2000000000),
                      far = UINT64_C(1) << 40;

static uint64_t up(uint64_t x, uint64_t to)
{
    return (x + to - 1) / to * to;
}

/* A piece of a segment: a segment that is loaded elsewhere than it runs becomes two. */
struct piece {
    uint64_t address, size, offset, bytes;
    uint8_t may;
};

static int by_address(const void *a, const void *b)
{
    const struct piece *s = a, *t = b;
    return s->address < t->address ? -1 : s->address > t->address;
}

static uint32_t take_pieces(const struct riscv_program *p, struct piece *out)
{
    const uint8_t all = RISCV_READ | RISCV_WRITE | RISCV_EXECUTE;
    bool bare = p->system == RISCV_SYSTEM_BARE;
    uint32_t n = 0;
    for (uint32_t k = 0; k < p->elf.segments; k++) {
        const struct riscv_segment *s = &p->elf.segment[k];
        bool copied = bare && s->load != s->address && s->bytes;
        uint8_t may = bare ? (uint8_t)(s->may & RISCV_WRITE ? all : RISCV_READ | RISCV_EXECUTE) : s->may;
        if (copied)
            out[n++] = (struct piece){s->load, s->bytes, s->offset, s->bytes, RISCV_READ | RISCV_EXECUTE};
        if (!copied || s->may & RISCV_WRITE)
            out[n++] = (struct piece){s->address + p->bias, s->size, s->offset, copied ? 0 : s->bytes, may};
    }
    qsort(out, n, sizeof *out, by_address);
    return n;
}

static void share(struct riscv_program *p, const struct piece *s)
{
    struct riscv_shared *out = &p->shared[p->shared_count++];
    *out = (struct riscv_shared){
        .base = s->address, .size = s->size, .host = p->elf.bytes + s->offset, .may = s->may};
    if (s->size > s->bytes) {
        unsigned char *host = base_zalloc(s->size, "constants of a program");
        memcpy(host, p->elf.bytes + s->offset, s->bytes);
        out->host = host;
        out->owned = true;
    }
}

static int too_many(const struct riscv_program *p, struct base_status *st)
{
    return base_fail(st, "%s: its segments need more than %d areas of memory", p->path, RISCV_SPANS);
}

/* Joins it to the block before, if nothing lies between. */
static int own(struct riscv_program *p, const struct piece *s, bool joins, struct base_status *st)
{
    struct riscv_block *last = p->block_count ? &p->block[p->block_count - 1] : NULL;
    if (joins && last) {
        last->size = s->address + s->size - last->base;
        last->may |= s->may;
    } else if (p->block_count == RISCV_BLOCKS - 2) {
        return too_many(p, st);
    } else {
        p->block[p->block_count++] = (struct riscv_block){.base = s->address, .size = s->size, .may = s->may};
    }
    if (s->bytes)
        p->initial[p->initial_count++] =
            (struct riscv_initial){.address = s->address, .bytes = s->bytes, .offset = s->offset};
    return 0;
}

static int take_segments(struct riscv_program *p, uint64_t *end, uint64_t *low, struct base_status *st)
{
    struct piece piece[2 * RISCV_SEGMENTS] = {0};
    uint32_t n = take_pieces(p, piece);
    *low = piece[0].address;
    *end = 0;
    for (uint32_t k = 0; k < n; k++) {
        bool writes = piece[k].may & RISCV_WRITE, joins = k && (piece[k - 1].may & RISCV_WRITE);
        if (piece[k].address < *end)
            return base_fail(st, "%s: two of its segments overlap at %#lx", p->path, piece[k].address);
        if (!writes && p->shared_count == RISCV_SPANS - 2)
            return too_many(p, st);
        joins = joins && piece[k].address - *end < far;
        if (writes && own(p, &piece[k], joins, st))
            return -1;
        if (!writes)
            share(p, &piece[k]);
        *end = piece[k].address + piece[k].size;
    }
    return 0;
}

/* The block that goes on behind the last segment; makes one if that may not be written. */
static struct riscv_block *last_block(struct riscv_program *p, uint64_t end, uint8_t may)
{
    struct riscv_block *last = p->block_count ? &p->block[p->block_count - 1] : NULL;
    if (last && last->base + last->size == end)
        return last;
    last = &p->block[p->block_count++];
    *last = (struct riscv_block){.base = up(end, RISCV_PAGE), .may = may};
    return last;
}

static int lay_bare(struct riscv_program *p, const struct riscv_program_config *c, uint64_t low, uint64_t end,
                    struct base_status *st)
{
    const uint8_t all = RISCV_READ | RISCV_WRITE | RISCV_EXECUTE;
    uint64_t stack = 0;
    struct riscv_block *last = last_block(p, end, all);
    bool known = riscv_elf_symbol(&p->elf, "__stack", &stack) && stack >= end && stack - end < far;
    uint64_t top = known ? stack : low + c->memory;
    if (top <= last->base || top < end)
        return base_fail(st, "%s needs %lu bytes of memory: riscv/memory has %lu", p->path, end - low,
                         c->memory);
    last->size = top - last->base;
    return 0;
}

static int lay_linux(struct riscv_program *p, const struct riscv_program_config *c, uint64_t end,
                     struct base_status *st)
{
    struct riscv_block *last = last_block(p, end, RISCV_READ | RISCV_WRITE);
    p->heap = up(end, RISCV_PAGE);
    p->heap_limit = p->heap + c->memory;
    last->size = p->heap_limit - last->base;
    p->stack_size = up(c->stack, RISCV_PAGE);
    p->stack = stack_top - p->stack_size;
    p->mapped_size = up(c->memory, RISCV_PAGE);
    p->mapped = p->stack - (UINT64_C(1) << 30) - p->mapped_size;
    if (p->heap_limit > p->mapped)
        return base_fail(st,
                         "%s and its heap reach to %#lx, the memory of mmap begins at %#lx: riscv/memory is "
                         "too large",
                         p->path, p->heap_limit, p->mapped);
    const uint8_t may = RISCV_READ | RISCV_WRITE;
    p->block[p->block_count++] = (struct riscv_block){.base = p->stack, .size = p->stack_size, .may = may};
    p->block[p->block_count++] = (struct riscv_block){.base = p->mapped, .size = p->mapped_size, .may = may};
    return 0;
}

/* In the host the stack stands first: its top and the data are near each other, which saves page tables. Each
 * block keeps its place within a page. */
static void place_blocks(struct riscv_program *p)
{
    uint32_t first = p->stack_size ? p->block_count - 2 : 0;
    p->memory_size = 0;
    for (uint32_t k = 0; k < p->block_count; k++) {
        uint32_t at = (first + k) % p->block_count;
        if (p->stack_size) /* stack, program's blocks, mapped */
            at = k == 0 ? first : k == p->block_count - 1 ? first + 1 : k - 1;
        struct riscv_block *b = &p->block[at];
        b->offset = up(p->memory_size, RISCV_PAGE) + b->base % RISCV_PAGE;
        p->memory_size = b->offset + b->size;
    }
    p->memory_size = up(p->memory_size, RISCV_PAGE);
}

/* By its note, or by where it lies: machines without an operating system have no memory so low. */
static enum riscv_system guess(const struct riscv_program *p)
{
    uint64_t ignored;
    if (p->elf.of_libc || p->elf.moves)
        return RISCV_SYSTEM_LINUX;
    if (riscv_elf_symbol(&p->elf, "tohost", &ignored) || riscv_elf_symbol(&p->elf, "__stack", &ignored))
        return RISCV_SYSTEM_BARE;
    return p->elf.segment[0].address < 0x1000000 ? RISCV_SYSTEM_LINUX : RISCV_SYSTEM_BARE;
}

static void find_symbols(struct riscv_program *p)
{
    uint64_t ignored;
    if (p->system != RISCV_SYSTEM_BARE)
        return;
    riscv_elf_symbol(&p->elf, "tohost", &p->tohost);
    riscv_elf_symbol(&p->elf, "fromhost", &p->fromhost);
    p->names_itself = riscv_elf_symbol(&p->elf, "sys_semihost_get_cmdline", &ignored);
    if (riscv_elf_symbol(&p->elf, "_ctrap", &ignored))
        riscv_elf_symbol(&p->elf, "_trap", &p->trap);
}

int riscv_layout(struct riscv_program *p, const struct riscv_program_config *config, struct base_status *st)
{
    uint64_t end, low;
    p->system = config->system ? config->system : guess(p);
    p->bias = p->elf.moves ? moved_to : 0;
    p->entry = p->elf.entry + p->bias;
    find_symbols(p);
    if (take_segments(p, &end, &low, st))
        return -1;
    if (p->system == RISCV_SYSTEM_BARE ? lay_bare(p, config, low, end, st) : lay_linux(p, config, end, st))
        return -1;
    place_blocks(p);
    return 0;
}
