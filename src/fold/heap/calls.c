/* SPDX-License-Identifier: BSD-3-Clause */
/* calls: malloc and its relatives for ranks, in whichever way the job has heaps. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "fold/heap/own.h"

enum { QUICK = 1 << 20 }; /* smaller blocks are not compared with the machine's memory */

/* --- allocating ------------------------------------------------------------------------------------- */

static void *alloc_in(struct heap *h, size_t alignment, size_t bytes, bool zeroed)
{
    if (!h)
        return NULL;
    return alignment > 16 ? heap_block_aligned(h, alignment, bytes)
           : zeroed       ? heap_block_zeroed(h, bytes)
                          : heap_block_alloc(h, bytes);
}

/* NULL: the block has to be libc's, who also decides whether there is memory for a very large one. */
static __attribute__((noinline)) void *alloc_slow(size_t alignment, size_t bytes, bool zeroed,
                                                  const void *caller)
{
    struct rank *r = heaps_self();
    void *p;
    if (!r || heaps.way == LIBC || bytes > heaps.block_most / 2)
        return NULL;
    switch (heaps.way) {
    case EACH:
        return alloc_in(heaps_of(r), alignment, bytes, zeroed);
    case TRACED:
        return traced_alloc(r, alignment, bytes, zeroed, caller);
    default:
        p = alloc_in(heaps_shared_locked(), alignment, bytes, zeroed);
        pthread_mutex_unlock(&heaps.lock);
        return p;
    }
}

void *heap_malloc(size_t bytes, const void *caller)
{
    struct heap *h = heaps_here();
    void *p = BASE_LIKELY(h && bytes < QUICK) ? heap_block_alloc(h, bytes) : NULL;
    if (BASE_LIKELY(p != NULL))
        return p;
    p = alloc_slow(1, bytes, false, caller);
    return p ? p : malloc(bytes);
}

void *heap_calloc(size_t n, size_t size, const void *caller)
{
    size_t bytes;
    void *p = __builtin_mul_overflow(n, size, &bytes) ? NULL : alloc_slow(1, bytes, true, caller);
    return p ? p : calloc(n, size);
}

void *heap_memalign(const char *call, size_t alignment, size_t bytes, const void *caller)
{
    bool power = alignment && !(alignment & (alignment - 1));
    void *p = power ? alloc_slow(alignment, bytes, false, caller) : NULL;
    if (p)
        return p;
    return strcmp(call, "aligned_alloc") == 0 ? aligned_alloc(alignment, bytes) : memalign(alignment, bytes);
}

/* --- freeing ---------------------------------------------------------------------------------------- */

/* false: p is not a block that `r` may free. */
static bool free_slow(struct rank *r, void *p, const void *caller, const char *call)
{
    struct heap *h = heap_of(p);
    bool freed;
    switch (heaps.way) {
    case EACH:
        return h && h == fold_part(r)->heap && heap_block_free(h, p);
    case TRACED:
        traced_free(r, p, caller, call);
        return true;
    case SHARED:
        pthread_mutex_lock(&heaps.lock);
        freed = h && h == heaps.shared && heap_block_free(h, p);
        pthread_mutex_unlock(&heaps.lock);
        return freed;
    default:
        return true; /* after the job; the memory is gone */
    }
}

void heap_free(void *p, const char *call, const void *caller)
{
    if (BASE_UNLIKELY(!heap_holds(p))) {
        free(p);
        return;
    }
    struct heap *h = heaps_here();
    if (BASE_LIKELY(h && heap_block_free(h, p)))
        return;
    struct rank *r = heaps_self();
    if (!r)
        heap_free_any(p);
    else if (!free_slow(r, p, caller, call))
        heap_error_free(r, call, p, caller);
}

/* Another rank's block goes back when that rank allocates next; one of a rank that has ended is gone. */
void heap_free_any(void *p)
{
    struct rank *r = heaps_self();
    struct heap *h = heap_of(p);
    if (r && heaps_owner(p) != r && h != heaps.shared)
        r = NULL;
    if (r && !free_slow(r, p, NULL, "free"))
        heap_error_free(r, "free", p, NULL);
    if (r || !h || heaps.way == TRACED)
        return;
    if (h == heaps.shared)
        pthread_mutex_lock(&heaps.lock);
    if (heap_block_is(h, p))
        heap_block_return(h, p);
    if (h == heaps.shared)
        pthread_mutex_unlock(&heaps.lock);
}

size_t heap_usable_size(void *p)
{
    struct rank *r = heaps_self();
    if (!heap_holds(p))
        return malloc_usable_size(p);
    return heaps.way == TRACED && r ? traced_size(r, p) : heap_block_size(p);
}

/* --- reallocating ----------------------------------------------------------------------------------- */

/* p is in a heap. NULL: there is no memory, and p is as it was. */
static void *resize(struct rank *r, void *p, size_t bytes, const void *caller)
{
    struct heap *h = heap_of(p);
    void *q;
    if (heaps.way == TRACED)
        return traced_resize(r, p, bytes, caller);
    if (!h || (h != fold_part(r)->heap && h != heaps.shared))
        heap_error_free(r, "realloc", p, caller);
    if (h == heaps.shared)
        pthread_mutex_lock(&heaps.lock);
    bool block = heap_block_is(h, p);
    q = block ? heap_block_resize(h, p, bytes) : NULL;
    if (h == heaps.shared)
        pthread_mutex_unlock(&heaps.lock);
    if (!block)
        heap_error_free(r, "realloc", p, caller);
    return q;
}

static void *move(void *p, size_t bytes, const void *caller)
{
    size_t old = heap_usable_size(p);
    void *q = heap_malloc(bytes, caller);
    if (!q)
        return NULL;
    memcpy(q, p, old < bytes ? old : bytes);
    heap_free(p, "realloc", caller);
    return q;
}

void *heap_realloc(void *p, size_t bytes, const void *caller)
{
    struct rank *r = heaps_self();
    if (!p)
        return heap_malloc(bytes, caller);
    if (!heap_holds(p))
        return realloc(p, bytes);
    if (!bytes) {
        heap_free(p, "realloc", caller);
        return NULL;
    }
    if (!r)
        return heap_realloc_any(p, bytes);
    void *q = bytes > heaps.block_most / 2 ? NULL : resize(r, p, bytes, caller);
    return q ? q : move(p, bytes, caller);
}

void *heap_realloc_any(void *p, size_t bytes)
{
    struct rank *r = heaps_self();
    if (r && (heaps_owner(p) == r || (heaps.shared && heap_of(p) == heaps.shared)))
        return heap_realloc(p, bytes, NULL);
    size_t old = heap_of(p) ? heap_block_size(p) : 0;
    void *q = malloc(bytes);
    if (!q)
        return NULL;
    memcpy(q, p, old < bytes ? old : bytes);
    heap_free_any(p);
    return q;
}
