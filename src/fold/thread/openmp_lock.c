/* SPDX-License-Identifier: BSD-3-Clause */
/* openmp_lock: exclusive parts of OpenMP: critical, atomic and ordered parts, locks (openmp.h). */
#include "fold/thread/openmp.h"

/* Parts without a name exclude each other within a rank: places of its record stand for them. */
static const volatile void *unnamed(struct rank *r)
{
    return fold_part(r)->crew;
}
static const volatile void *atomics(struct rank *r)
{
    return (const char *)fold_part(r)->crew + 1;
}

/* A function that begins an exclusive part, and one that ends it. */
#define BEGIN(name, params, args, object)                                                                    \
    void in_rank_##name params                                                                               \
    {                                                                                                        \
        openmp_real.name args;                                                                               \
        if (rank_current)                                                                                    \
            thread_order_acquire(rank_current, object);                                                      \
    }
#define END(name, params, args, object)                                                                      \
    void in_rank_##name params                                                                               \
    {                                                                                                        \
        if (rank_current)                                                                                    \
            thread_order_release(rank_current, object);                                                      \
        openmp_real.name args;                                                                               \
    }
BEGIN(GOMP_critical_start, (void), (), unnamed(rank_current))
END(GOMP_critical_end, (void), (), unnamed(rank_current))
BEGIN(GOMP_critical_name_start, (void **name), (name), name)
END(GOMP_critical_name_end, (void **name), (name), name)
BEGIN(GOMP_atomic_start, (void), (), atomics(rank_current))
END(GOMP_atomic_end, (void), (), atomics(rank_current))

void in_rank_GOMP_ordered_start(void)
{
    openmp_real.GOMP_ordered_start();
    if (rank_current && openmp_here()->team)
        rank_order_acquire(rank_current, openmp_here()->team->ordered);
}

void in_rank_GOMP_ordered_end(void)
{
    if (rank_current && openmp_here()->team)
        thread_moment_add(rank_current, &openmp_here()->team->ordered);
    openmp_real.GOMP_ordered_end();
}

/* --- locks ------------------------------------------------------------------------------------------ */

static void begins_or_ends(const volatile void *lock)
{
    if (rank_current)
        thread_order_drop(rank_current, lock);
}

#define LOCK(kind, tail)                                                                                     \
    BEGIN(omp_set_##kind##lock##tail, (void *lock), (lock), lock)                                            \
    END(omp_unset_##kind##lock##tail, (void *lock), (lock), lock)                                            \
    int in_rank_omp_test_##kind##lock##tail(void *lock)                                                      \
    {                                                                                                        \
        int taken = openmp_real.omp_test_##kind##lock##tail(lock);                                           \
        if (taken && rank_current)                                                                           \
            thread_order_acquire(rank_current, lock);                                                        \
        return taken;                                                                                        \
    }                                                                                                        \
    void in_rank_omp_init_##kind##lock##tail(void *lock)                                                     \
    {                                                                                                        \
        openmp_real.omp_init_##kind##lock##tail(lock);                                                       \
        begins_or_ends(lock);                                                                                \
    }                                                                                                        \
    void in_rank_omp_destroy_##kind##lock##tail(void *lock)                                                  \
    {                                                                                                        \
        openmp_real.omp_destroy_##kind##lock##tail(lock);                                                    \
        begins_or_ends(lock);                                                                                \
    }
LOCK(, )
LOCK(nest_, )
LOCK(, _)
LOCK(nest_, _)
