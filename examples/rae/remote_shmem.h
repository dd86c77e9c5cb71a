/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_shmem: the same operations by OpenSHMEM. It has no minimum and maximum: a loop of compare-and-swaps.
 * Cycles and instructions are not counted.
 */
#ifndef RAE_REMOTE_SHMEM_H
#define RAE_REMOTE_SHMEM_H

#include <shmem.h>
#include <stdbool.h>

static void remote_init(void)
{
    shmem_init();
}

static void remote_finish(void)
{
    shmem_finalize();
}

static inline void remote_barrier(void)
{
    shmem_barrier_all();
}

static inline unsigned remote_me(void)
{
    return (unsigned)shmem_my_pe();
}

static inline unsigned remote_pes(void)
{
    return (unsigned)shmem_n_pes();
}

#define REMOTE_OWN remote_me()

static inline uint64_t remote_raw_load(const uint64_t *word, unsigned pe)
{
    return shmem_uint64_g(word, (int)pe);
}

static inline void remote_raw_store(uint64_t *word, uint64_t value, unsigned pe)
{
    shmem_uint64_p(word, value, (int)pe);
}

static inline uint64_t remote_extreme(uint64_t *word, uint64_t value, bool least, unsigned pe)
{
    uint64_t old = shmem_uint64_atomic_fetch(word, (int)pe);
    while (least ? (int64_t)value < (int64_t)old : (int64_t)value > (int64_t)old) {
        uint64_t seen = shmem_uint64_atomic_compare_swap(word, old, value, (int)pe);
        if (seen == old)
            break;
        old = seen;
    }
    return old;
}

static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    switch (kind) {
    case REMOTE_ADD:
        return shmem_uint64_atomic_fetch_add(word, value, (int)pe);
    case REMOTE_AND:
        return shmem_uint64_atomic_fetch_and(word, value, (int)pe);
    case REMOTE_OR:
        return shmem_uint64_atomic_fetch_or(word, value, (int)pe);
    case REMOTE_XOR:
        return shmem_uint64_atomic_fetch_xor(word, value, (int)pe);
    case REMOTE_MIN:
    case REMOTE_MAX:
        return remote_extreme(word, value, kind == REMOTE_MIN, pe);
    default:
        return shmem_uint64_atomic_compare_swap(word, expected, value, (int)pe);
    }
}

static inline uint64_t remote_cycle(void)
{
    return 0;
}

static inline uint64_t remote_instret(void)
{
    return 0;
}

#endif
