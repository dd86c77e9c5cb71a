/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xbgas_rt: the runtime of <xbgas_rt.h>. Compiled with the program by `pgasim riscv-cc -lxbgas`.
 *
 * Flags of barriers and collectives are static words, to which others store a count that only grows. A core
 * waits for a flag of its own memory until it has the count of the round.
 */
#pragma GCC optimize("O2") /* whatever the program is compiled with */
#include <string.h>

#include "xbgas_rt.h"

enum { ROUNDS = 32, HOSTED_HEAP = 16 << 20, CHUNK = 256 };

/* A block of the heap, in front of its bytes. Free ones are a list in the order of their addresses. */
struct block {
    size_t size; /* with this header */
    struct block *next;
};

static int pe, pes;
static struct block *free_blocks;
static volatile uint64_t reduced[ROUNDS], broadcast;
/* Of barriers. Others may store here before a bare program here has cleared its .bss: so they lie at the beginning of
 * the heap, which is zero from the start and not touched by anyone. */
static volatile uint64_t *arrived;
static uint64_t
    hosted_arrived[ROUNDS]; /* Linux has cleared .bss before the program begins, but maps no heap */

/* Of picolibc's linker script; not there in an executable for Linux. */
extern char __heap_start[] __attribute__((weak)), __heap_end[] __attribute__((weak));

/* <unistd.h> hides it from programs of strict ISO C. */
extern void *sbrk(ptrdiff_t bytes);

static void wait_for(const volatile uint64_t *flag, uint64_t count)
{
    while (*flag < count)
        __asm__ volatile(".4byte 0x0100000f"); /* pause */
    xbgas_quiet();
}

/* Before main and the constructors of the program, when the heap of libc is still the same on all cores,
 * and the extended registers are what they were after reset. */
__attribute__((constructor(101))) static void start(void)
{
    size_t bytes = HOSTED_HEAP, flags = 0;
    pe = (int)xbgas_extended(10);
    pes = (int)xbgas_extended(11);
    arrived = hosted_arrived;
    if (__heap_start) {
        bytes = ((uintptr_t)__heap_end - (uintptr_t)__heap_start) / 2;
        flags = sizeof hosted_arrived;
    }
    uintptr_t from = (uintptr_t)sbrk((ptrdiff_t)bytes), first = ((from + 15) & ~(uintptr_t)15) + flags;
    if (from == UINTPTR_MAX || bytes < flags + 64)
        return; /* xbgas_malloc will say so */
    if (flags)
        arrived = (uint64_t *)(first - flags);
    free_blocks = (struct block *)first;
    free_blocks->size = (bytes - (first - from)) & ~(size_t)15;
    free_blocks->next = NULL;
}

void xbgas_init(void)
{
    xbgas_barrier_all();
}

void xbgas_finalize(void)
{
    xbgas_barrier_all();
}

int xbgas_my_pe(void)
{
    return pe;
}

int xbgas_n_pes(void)
{
    return pes;
}

uint64_t xbgas_object(int target)
{
    return target == pe ? 0 : (uint64_t)target + 1;
}

/* --- the symmetric heap: equal calls on all PEs give equal addresses ------------------------------------ */

/* First fit. */
static void *take(size_t size)
{
    for (struct block **at = &free_blocks; *at; at = &(*at)->next) {
        struct block *b = *at;
        if (b->size < size)
            continue;
        if (b->size >= size + 2 * sizeof *b) {
            struct block *rest = (struct block *)((char *)b + size);
            *rest = (struct block){b->size - size, b->next};
            b->size = size;
            *at = rest;
        } else {
            *at = b->next;
        }
        return b + 1;
    }
    return NULL;
}

/* Joins a block with the one behind it, if that begins where it ends. */
static void join(struct block *b)
{
    if (b->next && (char *)b + b->size == (char *)b->next)
        *b = (struct block){b->size + b->next->size, b->next->next};
}

static void give(struct block *b)
{
    struct block *before = NULL, *behind = free_blocks;
    for (; behind && behind < b; behind = behind->next)
        before = behind;
    b->next = behind;
    join(b);
    if (!before) {
        free_blocks = b;
        return;
    }
    before->next = b;
    join(before);
}

void *xbgas_malloc(size_t bytes)
{
    void *block = bytes < SIZE_MAX - 64 ? take((bytes + sizeof(struct block) + 15) & ~(size_t)15) : NULL;
    xbgas_barrier_all();
    return block;
}

void xbgas_free(void *block)
{
    xbgas_barrier_all();
    if (block)
        give((struct block *)block - 1);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* The largest access that an address is aligned to. */
static size_t piece(uintptr_t address, size_t bytes)
{
    size_t size = 8;
    while (size > bytes || address % size)
        size /= 2;
    return size;
}

static void put_piece(uint64_t object, char *to, const char *from, size_t size)
{
    int64_t value = 0;
    memcpy(&value, from, size);
    if (size == 8)
        xbgas_store_d(object, to, value);
    else if (size == 4)
        xbgas_store_w(object, to, (int32_t)value);
    else if (size == 2)
        xbgas_store_h(object, to, (int16_t)value);
    else
        xbgas_store_b(object, to, (int8_t)value);
}

static void get_piece(uint64_t object, char *to, const char *from, size_t size)
{
    int64_t value;
    if (size == 8)
        value = xbgas_load_d(object, from);
    else if (size == 4)
        value = xbgas_load_w(object, from);
    else if (size == 2)
        value = xbgas_load_h(object, from);
    else
        value = xbgas_load_b(object, from);
    memcpy(to, &value, size);
}

void xbgas_putmem(void *dest, const void *source, size_t bytes, int target)
{
    uint64_t object = xbgas_object(target);
    if (!object) {
        memmove(dest, source, bytes);
        return;
    }
    for (size_t at = 0, n; at < bytes; at += n) {
        n = piece((uintptr_t)dest + at, bytes - at);
        put_piece(object, (char *)dest + at, (const char *)source + at, n);
    }
}

void xbgas_getmem(void *dest, const void *source, size_t bytes, int target)
{
    uint64_t object = xbgas_object(target);
    if (!object) {
        memmove(dest, source, bytes);
        return;
    }
    for (size_t at = 0, n; at < bytes; at += n) {
        n = piece((uintptr_t)source + at, bytes - at);
        get_piece(object, (char *)dest + at, (const char *)source + at, n);
    }
}

void xbgas_iput(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                size_t element, size_t n, int target)
{
    for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++)
        xbgas_putmem((char *)dest + k * dest_stride, (const char *)source + k * source_stride, element,
                     target);
}

void xbgas_iget(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                size_t element, size_t n, int target)
{
    for (ptrdiff_t k = 0; k < (ptrdiff_t)n; k++)
        xbgas_getmem((char *)dest + k * dest_stride, (const char *)source + k * source_stride, element,
                     target);
}

/* --- atomics that are no instruction ---------------------------------------------------------- */

#define SWAP(name, type)                                                                                     \
    type xbgas_##name##_atomic_swap(type *dest, type value, int target)                                      \
    {                                                                                                        \
        type seen = xbgas_##name##_g(dest, target), old;                                                     \
        while ((old = xbgas_##name##_atomic_compare_swap(dest, seen, value, target)) != seen)                \
            seen = old;                                                                                      \
        return old;                                                                                          \
    }
SWAP(int32, int32_t)
SWAP(int64, int64_t)

void xbgas_set_lock(int64_t *lock, int target)
{
    while (xbgas_int64_atomic_compare_swap(lock, 0, pe + 1, target))
        ;
    xbgas_quiet();
}

void xbgas_clear_lock(int64_t *lock, int target)
{
    xbgas_quiet();
    xbgas_int64_atomic_set(lock, 0, target);
}

/* --- collectives ------------------------------------------------------------------------------ */

/* Dissemination: after round k, a PE knows that the 2^(k+1) - 1 PEs before it have come. */
void xbgas_barrier_all(void)
{
    static uint64_t count;
    int round = 0;
    count++;
    xbgas_quiet();
    for (int distance = 1; distance < pes; distance *= 2, round++) {
        xbgas_store_d(xbgas_object((pe + distance) % pes), &arrived[round], (int64_t)count);
        wait_for(&arrived[round], count);
    }
}

/* A binomial tree. Counted from the root, the parent of a PE is the PE without its lowest bit. */
void xbgas_broadcastmem(void *dest, const void *source, size_t bytes, int root)
{
    static uint64_t count;
    int mine = (pe - root + pes) % pes, lowest = 1;
    count++;
    if (mine == 0)
        memmove(dest, source, bytes);
    else
        wait_for(&broadcast, count);
    while (lowest < pes && !(mine & lowest))
        lowest *= 2;
    for (int bit = lowest / 2; bit; bit /= 2) {
        if (mine + bit >= pes)
            continue;
        int child = (mine + bit + root) % pes;
        xbgas_putmem(dest, dest, bytes, child);
        xbgas_quiet();
        xbgas_store_d(xbgas_object(child), &broadcast, (int64_t)count);
    }
    xbgas_barrier_all(); /* the next one may have another root */
}

typedef void combine_fn(void *into, const void *from, size_t n);

static void combine_dest(char *dest, size_t bytes, size_t size, int child, combine_fn *combine)
{
    char part[CHUNK] __attribute__((aligned(8)));
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < CHUNK ? bytes - at : CHUNK;
        xbgas_getmem(part, dest + at, n, child);
        combine(dest + at, part, n / size);
    }
}

/* A binomial tree to PE 0: a parent gets what its children have in dest. Then a broadcast. */
static void reduce(void *dest, const void *source, size_t n, size_t size, combine_fn *combine)
{
    static uint64_t count;
    int round = 0;
    count++;
    memmove(dest, source, n * size);
    xbgas_quiet();
    for (int bit = 1; bit < pes; bit *= 2, round++) {
        if (pe & bit) {
            xbgas_quiet();
            xbgas_store_d(xbgas_object(pe - bit), &reduced[round], (int64_t)count);
            break;
        }
        if (pe + bit < pes) {
            wait_for(&reduced[round], count);
            combine_dest(dest, n * size, size, pe + bit, combine);
        }
    }
    xbgas_broadcastmem(dest, dest, n * size, 0);
}

#define OF_sum(a, b) ((a) + (b))
#define OF_min(a, b) ((b) < (a) ? (b) : (a))
#define OF_max(a, b) ((b) > (a) ? (b) : (a))
#define OF_and(a, b) ((a) & (b))
#define OF_or(a, b)  ((a) | (b))
#define OF_xor(a, b) ((a) ^ (b))
#define REDUCTION(name, type, op)                                                                            \
    static void combine_##name##_##op(void *into, const void *from, size_t n)                                \
    {                                                                                                        \
        type *a = into;                                                                                      \
        const type *b = from;                                                                                \
        for (size_t k = 0; k < n; k++)                                                                       \
            a[k] = OF_##op(a[k], b[k]);                                                                      \
    }                                                                                                        \
    void xbgas_##name##_##op##_reduce(type *dest, const type *source, size_t n)                              \
    {                                                                                                        \
        reduce(dest, source, n, sizeof *dest, combine_##name##_##op);                                        \
    }
XBGAS_RT_REDUCTIONS(REDUCTION)
