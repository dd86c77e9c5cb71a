/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_rae: the back ends for simulated RISC-V cores, by the functions of <xbgas.h>. Object k + 1 is the
 * memory of PE k; object 0 is one's own, where the core itself executes an atomic.
 */
#ifndef RAE_REMOTE_RAE_H
#define RAE_REMOTE_RAE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xbgas.h>

static unsigned remote_self, remote_count_of_pes;

static inline unsigned remote_me(void)
{
    return remote_self;
}

static inline unsigned remote_pes(void)
{
    return remote_count_of_pes;
}

/* A core starts with its number in e10 and the number of cores in e11. */
static void remote_init(void)
{
    uint64_t me, pes;
    __asm__ volatile("eaddi %0, e10, 0" : "=r"(me));
    __asm__ volatile("eaddi %0, e11, 0" : "=r"(pes));
    remote_self = (unsigned)me;
    remote_count_of_pes = (unsigned)pes;
}

static inline void remote_fence(void)
{
    __asm__ volatile("fence" ::: "memory");
}

/* A store to this address is a barrier of all cores. */
static inline void remote_barrier(void)
{
    remote_fence();
    *(volatile uint64_t *)0xbb00000000000000ul = 1;
    remote_fence();
}

static inline void remote_finish(void)
{
    remote_barrier();
}

/* Stands for the PE itself: its memory is object 0. */
#define REMOTE_OWN UINT32_MAX

static inline uint64_t remote_object(unsigned pe)
{
    return (uint64_t)(int)(pe + 1); /* signed: so the core has it without a further instruction */
}

static inline uint64_t remote_raw_load(const uint64_t *word, unsigned pe)
{
    return (uint64_t)xbgas_load_d(remote_object(pe), word);
}

static inline void remote_raw_store(uint64_t *word, uint64_t value, unsigned pe)
{
    xbgas_store_d(remote_object(pe), word, (int64_t)value);
}

#if defined REMOTE_GETPUT
#include "remote_getput.h"
#else
static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    uint64_t object = remote_object(pe);
    int64_t operand = (int64_t)value;
    switch (kind) {
    case REMOTE_ADD:
        return (uint64_t)xbgas_amoadd_d(object, word, operand);
    case REMOTE_AND:
        return (uint64_t)xbgas_amoand_d(object, word, operand);
    case REMOTE_OR:
        return (uint64_t)xbgas_amoor_d(object, word, operand);
    case REMOTE_XOR:
        return (uint64_t)xbgas_amoxor_d(object, word, operand);
    case REMOTE_MIN:
        return (uint64_t)xbgas_amomin_d(object, word, operand);
    case REMOTE_MAX:
        return (uint64_t)xbgas_amomax_d(object, word, operand);
    default:
        return (uint64_t)xbgas_amocas_d(object, word, (int64_t)expected, operand);
    }
}
#endif

static inline uint64_t remote_cycle(void)
{
    uint64_t n;
    __asm__ volatile("csrr %0, cycle" : "=r"(n)::"memory");
    return n;
}

static inline uint64_t remote_instret(void)
{
    uint64_t n;
    __asm__ volatile("csrr %0, instret" : "=r"(n)::"memory");
    return n;
}

#endif
