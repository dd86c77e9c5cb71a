/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the functions by which programs get folded memory: those of pgasim.h and, with the setting
 * memory/fold-threshold, malloc and its relatives. Outside of a job, or without the setting, libc's functions
 * are called.
 */
#include "pgasim.h"

#include "fold/annotate/annotate.h"
#include "fold/heap/heap.h"
#include "fold/libc/libc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The place from which the application called the function that uses this: the same at all ranks. */
#define HERE __builtin_return_address(0)

static struct folded_place place_of(const struct rank *r, const void *address)
{
    struct rank_code c = fold_code_of(r, address);
    return (struct folded_place){c.object, c.offset};
}

/* --- pgasim.h ------------------------------------------------------------------------------------ */

void *folded_malloc(size_t bytes, const void *caller)
{
    return rank_current ? folded_get(rank_current, place_of(rank_current, caller), bytes) : malloc(bytes);
}

void *folded_malloc_partial(const char *call, size_t bytes, struct folded_ranges f, const void *caller)
{
    if (!rank_current)
        return malloc(bytes);
    for (size_t k = 0, end = 0; k < f.n; end = f.at[2 * k + 1], k++)
        if (f.at[2 * k] < end || f.at[2 * k + 1] < f.at[2 * k] || f.at[2 * k + 1] > bytes)
            rank_program_error(rank_current, call,
                               "range %zu, [%zu, %zu), of a block of %zu bytes: expected ranges within the "
                               "block, in ascending order",
                               k, f.at[2 * k], f.at[2 * k + 1], bytes);
    return folded_get_partial(rank_current, place_of(rank_current, caller), bytes, f);
}

BASE_PUBLIC void *pgasim_fold_malloc(size_t bytes)
{
    return folded_malloc(bytes, HERE);
}

BASE_PUBLIC void *pgasim_fold_malloc_only(size_t bytes, const size_t *ranges, size_t n)
{
    return folded_malloc_partial("pgasim_fold_malloc_only", bytes, (struct folded_ranges){ranges, n}, HERE);
}

/* Folded memory lies between these addresses. */
BASE_PUBLIC void *pgasim_fold_malloc_except(size_t bytes, const size_t *ranges, size_t n)
{
    size_t *between = base_alloc((2 * n + 2) * sizeof *between, "ranges");
    between[0] = 0;
    memcpy(between + 1, ranges, 2 * n * sizeof *between);
    between[2 * n + 1] = bytes;
    void *p = folded_malloc_partial("pgasim_fold_malloc_except", bytes,
                                    (struct folded_ranges){between, n + 1}, HERE);
    free(between);
    return p;
}

BASE_PUBLIC void pgasim_fold_free(void *p)
{
    if (!rank_current || !folded_put(rank_current, p))
        free(p);
}

/* --- malloc and its kin ------------------------------------------------------------------------- */

size_t folded_from = SIZE_MAX;

static __attribute__((noinline)) void *fold_it(size_t bytes, size_t alignment, const void *caller)
{
    struct rank *r = rank_current;
    return !r || alignment > base_page_size() ? NULL : folded_get(r, place_of(r, caller), bytes);
}

/* NULL: the size is not folded, or there is no memory; then the block is of the rank's heap. */
static inline void *fold_large(size_t bytes, size_t alignment, const void *caller)
{
    return BASE_LIKELY(bytes < folded_from) ? NULL : fold_it(bytes, alignment, caller);
}

static inline void *fresh(void *p, size_t bytes)
{
    if (BASE_LIKELY(p != NULL))
        rank_order_renew(rank_current, p, bytes);
    return p;
}

void *folded_or_own(size_t bytes, const void *caller)
{
    void *p = fold_large(bytes, 1, caller);
    return fresh(p ? p : heap_malloc(bytes, caller), bytes);
}

void *in_rank_malloc(size_t bytes)
{
    return folded_or_own(bytes, HERE);
}

void *in_rank_calloc(size_t n, size_t size)
{
    size_t bytes;
    void *p = __builtin_mul_overflow(n, size, &bytes) ? NULL : fold_large(bytes, 1, HERE);
    if (!p)
        return fresh(heap_calloc(n, size, HERE), n * size);
    folded_clear(rank_current, p);
    return fresh(p, bytes);
}

/* What is freed must not be used meanwhile. A block of libc (strdup) may be another rank's next: then
 * nothing tells that its life has begun. */
static inline void freed(void *p, const char *call, const void *caller)
{
    if (BASE_LIKELY(rank_checker == NULL) || !p)
        return;
    size_t bytes = in_rank_malloc_usable_size(p);
    rank_touches(call, p, bytes, RANK_WRITES, caller);
    if (!heap_holds(p) && rank_current)
        rank_order_renew(rank_current, p, bytes);
}

static void *enlarge(void *p, size_t bytes, const void *caller)
{
    size_t old = folded_may_be(rank_current, p) ? folded_size(rank_current, p) : 0;
    void *q = fold_large(bytes, 1, caller);
    if (!old && !q) {
        freed(p, "realloc", caller);
        return fresh(heap_realloc(p, bytes, caller), bytes);
    }
    if (!old)
        old = p ? heap_usable_size(p) : 0;
    if (!q && !(q = heap_malloc(bytes, caller)))
        return NULL;
    if (p)
        memcpy(q, p, old < bytes ? old : bytes);
    folded_or_own_free(p, "realloc", caller);
    return fresh(q, bytes);
}

void *in_rank_realloc(void *p, size_t bytes)
{
    return enlarge(p, bytes, HERE);
}

void *in_rank_reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (!__builtin_mul_overflow(n, size, &bytes))
        return enlarge(p, bytes, HERE);
    errno = ENOMEM;
    return NULL;
}

void *folded_or_aligned(const char *call, size_t alignment, size_t bytes, const void *caller)
{
    void *p = fold_large(bytes, alignment, caller);
    return fresh(p ? p : heap_memalign(call, alignment, bytes, caller), bytes);
}

int in_rank_posix_memalign(void **out, size_t alignment, size_t bytes)
{
    int kept = errno;
    if (!alignment || alignment % sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    void *p = folded_or_aligned("posix_memalign", alignment, bytes, HERE);
    errno = kept;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

void *in_rank_aligned_alloc(size_t alignment, size_t bytes)
{
    return folded_or_aligned("aligned_alloc", alignment, bytes, HERE);
}

void *in_rank_memalign(size_t alignment, size_t bytes)
{
    return folded_or_aligned("memalign", alignment, bytes, HERE);
}

void *in_rank_valloc(size_t bytes)
{
    return folded_or_aligned("valloc", base_page_size(), bytes, HERE);
}

void *in_rank_pvalloc(size_t bytes)
{
    size_t page = base_page_size(), whole = (bytes + page - 1) & ~(page - 1);
    return folded_or_aligned("pvalloc", page, whole < bytes ? bytes : whole, HERE);
}

size_t in_rank_malloc_usable_size(void *p)
{
    size_t size = folded_may_be(rank_current, p) ? folded_size(rank_current, p) : 0;
    return size || !p ? size : heap_usable_size(p);
}

void folded_or_own_free(void *p, const char *call, const void *caller)
{
    freed(p, call, caller);
    if (folded_may_be(rank_current, p) && folded_put(rank_current, p))
        return;
    heap_free(p, call, caller);
}

void in_rank_free(void *p)
{
    folded_or_own_free(p, "free", HERE);
}
