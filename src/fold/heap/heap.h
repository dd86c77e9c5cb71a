/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap: memory from malloc and its relatives, for each rank from a heap of its own (docs/heaps.md). A rank's
 * heap is made at its first allocation and ends with it. All heaps lie in one range of addresses, so that one
 * comparison tells their blocks from libc's, which are everybody else's: the simulator's, and those that
 * system libraries make.
 *
 *   chunks.c, bins.c, block.c, range.c   heaps as such; they know no ranks
 *   own.c, calls.c                       which heap is whose; malloc and its relatives for ranks
 *   traced.c, leaks.c                    leaks and guards: what is known of each block
 *   global.c                             free and realloc for the whole process
 *   report.c, walk.c                     errors; what an address in a heap belongs to
 */
#ifndef PGASIM_FOLD_HEAP_H
#define PGASIM_FOLD_HEAP_H

#include "fold/internal.h"

/* --- one heap -------------------------------------------------------------------------------------- */

/* A heap is used by one thread at a time. */
struct heap;
extern struct heap_range {
    uintptr_t base;
    size_t size; /* 0: not reserved */
} heap_range;
/* Reserves the range, once for the process. false: there are no addresses. */
bool heap_range_open(void);
void heap_range_clear(void); /* no heap is there any more */
static inline bool heap_holds(const void *p)
{
    return (uintptr_t)p - heap_range.base < heap_range.size;
}
struct heap *heap_of(const void *p); /* NULL: none has that address now */

/* `idle_most`: bytes of free memory, roughly, that it keeps from the system. NULL: no memory. */
struct heap *heap_create(uint32_t owner, uint64_t secret, size_t idle_most);
void heap_destroy(struct heap *h); /* with all blocks */
uint32_t heap_owner(const struct heap *h);
size_t heap_peak(struct heap *h); /* most bytes of addresses that it took */
/* NULL: no memory, or more than a heap gives out (64 GiB). */
void *heap_block_alloc(struct heap *h, size_t bytes);
void *heap_block_zeroed(struct heap *h, size_t bytes);
void *heap_block_aligned(struct heap *h, size_t alignment, size_t bytes); /* a power of two */
void *heap_block_resize(struct heap *h, void *p, size_t bytes);           /* NULL: p is as it was */
bool heap_block_free(struct heap *h, void *p);                            /* false: p is no block in use */
bool heap_block_is(const struct heap *h, const void *p);                  /* one in use */
size_t heap_block_size(const void *p);                                    /* that it may use */
void heap_block_return(struct heap *h, void *p); /* frees it; by another thread than the heap's */
void heap_flush(struct heap *h);                 /* merges what was freed with its neighbours */
/* Who is told that a heap was found damaged, with the block concerned (NULL: not known). Ends the job. */
void heap_on_damage(void (*fn)(struct heap *h, const void *block, size_t bytes, const char *how));

/* What an address in a heap belongs to. */
struct heap_found {
    /* DAMAGED: behind `block`, what the heap keeps there was overwritten; INSIDE: the heap's own words */
    enum { HEAP_USED, HEAP_FREED, HEAP_UNUSED, HEAP_DAMAGED, HEAP_INSIDE } what;
    const char *block; /* NULL: none */
    size_t bytes;      /* that it may use */
};
struct heap_found heap_what(struct heap *h, const void *p);
/* "" or what is wrong with the heap: checks all of it. For tests. */
const char *heap_check(struct heap *h);

/* --- ranks ----------------------------------------------------------------------------------------- */

void heaps_begin(struct fold_job *job);
void heaps_end(struct fold_job *job); /* reports leaks */
void heaps_release(struct rank *r);   /* the rank has ended, and so do its blocks */
void heaps_register(void);            /* at start-up */
/* Whether ranks can have heaps in this process: not under a sanitizer or valgrind, which watch libc's. */
bool heaps_possible(void);
struct heap_counts heaps_counts(void);

/* malloc and its relatives for the calling rank; libc's when there is none. `caller`: where the program
 * called it. */
void *heap_malloc(size_t bytes, const void *caller);
void *heap_calloc(size_t n, size_t size, const void *caller);
void *heap_realloc(void *p, size_t bytes, const void *caller);
void *heap_memalign(const char *call, size_t alignment, size_t bytes, const void *caller);
void heap_free(void *p, const char *call, const void *caller); /* `call`: a literal, for reports */
size_t heap_usable_size(void *p);
/* For callers that are not the program's code: another rank's block may be freed. */
void heap_free_any(void *p);
void *heap_realloc_any(void *p, size_t bytes);

#endif
