/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xbgas_rt: a small runtime for programs on simulated RISC-V cores with xBGAS (`pgasim riscv-cc ...
 * -lxbgas`). Names and meanings are OpenSHMEM's, with xbgas_ for shmem_.
 *
 * Symmetric memory has the same address on all PEs, so an access is one round trip: no address of the target
 * is asked for first. It is what xbgas_malloc returns, and the program's static data, as all cores run the
 * same program. Remote stores and puts have taken effect when
 * xbgas_quiet, a barrier or a collective returns; all other accesses when their function returns.
 *
 * "Collective": all PEs call it, in the same order, with the same sizes.
 */
#ifndef PGASIM_XBGAS_RT_H
#define PGASIM_XBGAS_RT_H

#include <stddef.h>
#include <stdint.h>

#include "xbgas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both collective; they wait for all. Before xbgas_init returns, another core may not have set up its
 * static data. */
void xbgas_init(void);
void xbgas_finalize(void);
int xbgas_my_pe(void);
int xbgas_n_pes(void);
/* The object number of a PE's memory: 0 for the caller's own. */
uint64_t xbgas_object(int pe);

/* Collective. A block is aligned to 16 bytes; NULL on all PEs if there is no room. The symmetric heap is
 * half of the memory behind the program's data (`riscv-cc --ram`), and 16 MiB in an executable for Linux. */
void *xbgas_malloc(size_t bytes);
void xbgas_free(void *block);

/* Any address, any size. `stride`: from one element to the next, in bytes, at the target (to) and here
 * (from), or the other way round. */
void xbgas_putmem(void *dest, const void *source, size_t bytes, int pe);
void xbgas_getmem(void *dest, const void *source, size_t bytes, int pe);
void xbgas_iput(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                size_t element, size_t n, int pe);
void xbgas_iget(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                size_t element, size_t n, int pe);

/* Orders all accesses before it and behind it. */
static inline void xbgas_quiet(void)
{
    __asm__ volatile("fence" : : : "memory");
}

/* Collective. */
void xbgas_barrier_all(void);
/* Collective: `bytes` of the root's source to dest on all PEs. dest is symmetric. */
void xbgas_broadcastmem(void *dest, const void *source, size_t bytes, int root);

/* A lock is a symmetric int64_t that is 0, in the memory of one PE. It is not fair. */
void xbgas_set_lock(int64_t *lock, int pe);
void xbgas_clear_lock(int64_t *lock, int pe);

/* --- of a type: int32, int64 -------------------------------------------------------------------------- */

#define XBGAS_RT_TYPE(name, type, width)                                                                     \
    static inline type xbgas_##name##_g(const type *source, int pe)                                          \
    {                                                                                                        \
        return xbgas_load_##width(xbgas_object(pe), source);                                                 \
    }                                                                                                        \
    static inline void xbgas_##name##_p(type *dest, type value, int pe)                                      \
    {                                                                                                        \
        xbgas_store_##width(xbgas_object(pe), dest, value);                                                  \
    }                                                                                                        \
    static inline type xbgas_##name##_atomic_fetch(const type *source, int pe)                               \
    {                                                                                                        \
        return xbgas_load_##width(xbgas_object(pe), source);                                                 \
    }                                                                                                        \
    static inline void xbgas_##name##_atomic_set(type *dest, type value, int pe)                             \
    {                                                                                                        \
        xbgas_store_##width(xbgas_object(pe), dest, value);                                                  \
    }                                                                                                        \
    static inline type xbgas_##name##_atomic_compare_swap(type *dest, type expected, type desired, int pe)   \
    {                                                                                                        \
        return xbgas_amocas_##width(xbgas_object(pe), dest, expected, desired);                              \
    }                                                                                                        \
    type xbgas_##name##_atomic_swap(type *dest, type value, int pe);                                         \
    XBGAS_RT_ATOMIC(name, type, width, add)                                                                  \
    XBGAS_RT_ATOMIC(name, type, width, and)                                                                  \
    XBGAS_RT_ATOMIC(name, type, width, or)                                                                   \
    XBGAS_RT_ATOMIC(name, type, width, xor)                                                                  \
    XBGAS_RT_ATOMIC(name, type, width, min)                                                                  \
    XBGAS_RT_ATOMIC(name, type, width, max)

#define XBGAS_RT_ATOMIC(name, type, width, op)                                                               \
    static inline type xbgas_##name##_atomic_fetch_##op(type *dest, type value, int pe)                      \
    {                                                                                                        \
        return xbgas_amo##op##_##width(xbgas_object(pe), dest, value);                                       \
    }                                                                                                        \
    static inline void xbgas_##name##_atomic_##op(type *dest, type value, int pe)                            \
    {                                                                                                        \
        (void)xbgas_amo##op##_##width(xbgas_object(pe), dest, value);                                        \
    }

XBGAS_RT_TYPE(int32, int32_t, w)
XBGAS_RT_TYPE(int64, int64_t, d)

/* Collective: element by element over all PEs; n elements of source, which may be dest. Both are
 * symmetric. Sums of doubles are formed in the same order in every run. */
#define XBGAS_RT_REDUCE(name, type, op)                                                                      \
    void xbgas_##name##_##op##_reduce(type *dest, const type *source, size_t n);
/* clang-format off */
#define XBGAS_RT_REDUCTIONS(R) \
    R(int32, int32_t, sum) R(int32, int32_t, min) R(int32, int32_t, max) \
    R(int32, int32_t, and) R(int32, int32_t, or) R(int32, int32_t, xor) \
    R(int64, int64_t, sum) R(int64, int64_t, min) R(int64, int64_t, max) \
    R(int64, int64_t, and) R(int64, int64_t, or) R(int64, int64_t, xor) \
    R(double, double, sum) R(double, double, min) R(double, double, max)
/* clang-format on */
XBGAS_RT_REDUCTIONS(XBGAS_RT_REDUCE)

#ifdef __cplusplus
}
#endif
#endif
