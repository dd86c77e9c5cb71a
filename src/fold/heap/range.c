/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * range: the addresses of all heaps, reserved once in a process and never given up: a pointer is of a heap if
 * it lies between two addresses, and a library may free a block of a rank that has ended.
 *
 * Areas are powers of two of units, taken from the range one behind the other; those given back are taken
 * again for areas of their size. An area ends with a page that cannot be accessed, so that a loop past the
 * end of a heap ends as it would in a process of its own; where that takes a mapping (before Linux 6.13), the
 * first GUARDS_MOST areas do.
 *
 * An area whose heap was small is emptied not at the heap's end but when it is taken again, which is rarely:
 * that saves a call of the system for each rank.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "fold/heap/parts.h"

#ifndef MADV_GUARD_INSTALL /* Linux 6.13: pages that cannot be accessed, without a mapping of their own */
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE  103
#endif

enum { ORDERS = 24, GUARDS_MOST = 8192, STEP = 16 << 20, KEPT_DIRTY = 16 << 10 };
enum { GUARDED = 1, DIRTY = 2, FLAGS = 3 }; /* in the lowest bits of a free area's address */
#define RANGE_MOST  (UINT64_C(8) << 40)
#define RANGE_LEAST (UINT64_C(4) << 30)

struct heap_range heap_range;

static struct {
    pthread_mutex_t lock; /* ranks may run on several threads */
    struct area **of_unit;
    size_t used;                        /* bytes of the range that areas have, or had */
    size_t accessible;                  /* bytes of it, but for guards */
    BASE_ARRAY(uintptr_t) free[ORDERS]; /* areas of HEAP_UNIT << k bytes, and flags */
    uint32_t guards;
    bool light; /* guards take no mappings */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *map(size_t bytes, int access)
{
    void *p = mmap(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* The first `bytes` of the range. */
static bool make_accessible(size_t bytes)
{
    size_t more = bytes <= all.accessible ? 0 : (bytes - all.accessible + STEP - 1) / STEP * STEP;
    if (more > heap_range.size - all.accessible)
        more = heap_range.size - all.accessible;
    if (more && mprotect((void *)(heap_range.base + all.accessible), more, PROT_READ | PROT_WRITE))
        return false;
    all.accessible += more;
    return true;
}

static bool make_guard(uintptr_t at, size_t page)
{
    if (page > HEAP_UNIT / 4)
        return false;
    if (all.light)
        return madvise((void *)at, page, MADV_GUARD_INSTALL) == 0;
    return all.guards++ < GUARDS_MOST && mprotect((void *)at, page, PROT_NONE) == 0;
}

bool heap_range_open(void)
{
    struct rlimit limit;
    if (heap_range.size)
        return true;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
        return false;
    for (size_t bytes = RANGE_MOST; bytes >= RANGE_LEAST; bytes /= 2) {
        void *p = map(bytes, PROT_NONE);
        size_t table = bytes / HEAP_UNIT * sizeof *all.of_unit;
        if (!p)
            continue;
        all.of_unit = map(table, PROT_READ | PROT_WRITE);
        if (!all.of_unit) {
            munmap(p, bytes);
            return false;
        }
        madvise(p, bytes, MADV_NOHUGEPAGE);
        madvise(all.of_unit, table, MADV_NOHUGEPAGE);
        uintptr_t base = ((uintptr_t)p + HEAP_UNIT - 1) & ~(uintptr_t)(HEAP_UNIT - 1);
        heap_range = (struct heap_range){base, bytes - HEAP_UNIT};
        all.light = make_accessible(STEP) &&
                    madvise((void *)base, base_page_size(), MADV_GUARD_INSTALL) == 0 &&
                    madvise((void *)base, base_page_size(), MADV_GUARD_REMOVE) == 0;
        return true;
    }
    return false;
}

static unsigned order_of(size_t bytes)
{
    return (unsigned)__builtin_ctzll(bytes / HEAP_UNIT);
}

/* Addresses of an area, accessible but for its guard. 0: none. */
static uintptr_t find(size_t bytes)
{
    unsigned order = order_of(bytes);
    size_t page = base_page_size();
    if (order >= ORDERS)
        return 0;
    if (all.free[order].n) {
        uintptr_t p = all.free[order].at[--all.free[order].n];
        uintptr_t start = p & ~(uintptr_t)FLAGS;
        if (p & DIRTY)
            area_empty((void *)start, (void *)(start + bytes - (p & GUARDED ? page : 0)));
        return p & ~(uintptr_t)DIRTY;
    }
    if (heap_range.size - all.used < bytes)
        return 0;
    if (!make_accessible(all.used + bytes))
        return 0;
    uintptr_t p = heap_range.base + all.used;
    all.used += bytes;
    return p | (make_guard(p + bytes - page, page) ? GUARDED : 0);
}

struct area *area_get(size_t bytes, size_t *guard)
{
    pthread_mutex_lock(&all.lock);
    uintptr_t p = find(bytes);
    struct area *a = (struct area *)(p & ~(uintptr_t)FLAGS);
    if (p) {
        *guard = p & GUARDED ? base_page_size() : 0;
        size_t first = ((uintptr_t)a - heap_range.base) / HEAP_UNIT;
        for (size_t k = 0; k < bytes / HEAP_UNIT; k++)
            all.of_unit[first + k] = a;
        a->bytes = bytes;
        a->guard = *guard != 0;
    }
    pthread_mutex_unlock(&all.lock);
    return a;
}

void area_put(struct area *a, size_t touched)
{
    size_t bytes = a->bytes, guard = a->guard ? GUARDED : 0, dirty = touched <= KEPT_DIRTY ? DIRTY : 0;
    pthread_mutex_lock(&all.lock);
    memset(&all.of_unit[((uintptr_t)a - heap_range.base) / HEAP_UNIT], 0,
           bytes / HEAP_UNIT * sizeof(struct area *));
    if (!dirty)
        area_empty(a, (char *)a + bytes - (guard ? base_page_size() : 0));
    BASE_ARRAY_PUSH(&all.free[order_of(bytes)], (uintptr_t)a | guard | dirty);
    pthread_mutex_unlock(&all.lock);
}

void heap_range_clear(void)
{
    pthread_mutex_lock(&all.lock);
    area_empty((void *)heap_range.base, (void *)(heap_range.base + all.used));
    for (unsigned order = 0; order < ORDERS; order++)
        for (size_t k = 0; k < all.free[order].n; k++)
            all.free[order].at[k] &= ~(uintptr_t)DIRTY;
    pthread_mutex_unlock(&all.lock);
}

void area_empty(void *from, void *to)
{
    uintptr_t page = base_page_size();
    uintptr_t low = ((uintptr_t)from + page - 1) & ~(page - 1), high = (uintptr_t)to & ~(page - 1);
    int kept = errno;
    if (low < high)
        madvise((void *)low, high - low, MADV_DONTNEED);
    errno = kept;
}

struct area *area_of(const void *p)
{
    size_t offset = (uintptr_t)p - heap_range.base;
    return offset < heap_range.size ? all.of_unit[offset / HEAP_UNIT] : NULL;
}

struct heap *heap_of(const void *p)
{
    const struct area *a = area_of(p);
    return a ? a->heap : NULL;
}
