/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_rae: the back ends for simulated RISC-V cores. An address has two halves: the object's number in an
 * extended register, the address in the base register of the same number, here e10 and a0. Object k + 1 is
 * the memory of PE k, object 0 one's own, where the core itself executes an atomic.
 *
 * Words are written with .insn, so any assembler for RISC-V will do.
 */
#ifndef RAE_REMOTE_RAE_H
#define RAE_REMOTE_RAE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static unsigned remote_self, remote_count_of_pes;

static inline unsigned remote_me(void)
{
    return remote_self;
}

static inline unsigned remote_pes(void)
{
    return remote_count_of_pes;
}

/* A core starts with its number in e10 and the number of cores in e11. They are gone with the first remote
 * access, so this comes first. */
static void remote_init(void)
{
    uint64_t me, pes;
    __asm__ volatile(".insn i 0x7b, 6, %0, x10, 0" : "=r"(me));  /* eaddi me, e10, 0 */
    __asm__ volatile(".insn i 0x7b, 6, %0, x11, 0" : "=r"(pes)); /* eaddi pes, e11, 0 */
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

static inline uint64_t remote_issue_load(const uint64_t *word, unsigned pe)
{
    register uint64_t base __asm__("a0") = (uint64_t)word;
    uint64_t value;
    __asm__ volatile(".insn i 0x7b, 5, x10, %[object], 0\n\t" /* eaddie e10, object, 0 */
                     ".insn i 0x77, 3, %[value], 0(a0)"       /* eld value, 0(a0) */
                     : [value] "=r"(value)
                     : [object] "r"(remote_object(pe)), "r"(base)
                     : "memory");
    return value;
}

static inline void remote_issue_store(uint64_t *word, uint64_t value, unsigned pe)
{
    register uint64_t base __asm__("a0") = (uint64_t)word;
    __asm__ volatile(".insn i 0x7b, 5, x10, %[object], 0\n\t" /* eaddie e10, object, 0 */
                     ".insn s 0x7b, 3, %[value], 0(a0)"       /* esd value, 0(a0) */
                     :
                     : [object] "r"(remote_object(pe)), [value] "r"(value), "r"(base)
                     : "memory");
}

/* eamoOP.d: funct7 says which. The compare-and-swap has the expected value in rd. */
#define REMOTE_ISSUE(name, funct7)                                                                           \
    static inline uint64_t remote_issue_##name(uint64_t *word, uint64_t value, uint64_t old, unsigned pe)    \
    {                                                                                                        \
        register uint64_t base __asm__("a0") = (uint64_t)word;                                               \
        __asm__ volatile(".insn i 0x7b, 5, x10, %[object], 0\n\t"                                            \
                         ".insn r 0x6b, 7, " #funct7 ", %[old], a0, %[value]"                                \
                         : [old] "+r"(old)                                                                   \
                         : [object] "r"(remote_object(pe)), [value] "r"(value), "r"(base)                    \
                         : "memory");                                                                        \
        return old;                                                                                          \
    }
REMOTE_ISSUE(xor, 0x01)
REMOTE_ISSUE(and, 0x02)
REMOTE_ISSUE(or, 0x03)
REMOTE_ISSUE(min, 0x04)
REMOTE_ISSUE(max, 0x05)
REMOTE_ISSUE(cas, 0x06)
REMOTE_ISSUE(add, 0x07)
#undef REMOTE_ISSUE

static inline uint64_t remote_issue(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                    unsigned pe)
{
    switch (kind) {
    case REMOTE_ADD:
        return remote_issue_add(word, value, 0, pe);
    case REMOTE_AND:
        return remote_issue_and(word, value, 0, pe);
    case REMOTE_OR:
        return remote_issue_or(word, value, 0, pe);
    case REMOTE_XOR:
        return remote_issue_xor(word, value, 0, pe);
    case REMOTE_MIN:
        return remote_issue_min(word, value, 0, pe);
    case REMOTE_MAX:
        return remote_issue_max(word, value, 0, pe);
    default:
        return remote_issue_cas(word, value, expected, pe);
    }
}

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

#if defined REMOTE_GETPUT
#include "remote_getput.h"
#elif defined REMOTE_SOFTWARE || defined REMOTE_RUNTIME
#include "remote_library.h"
#else
/* There is no library. */
static inline void remote_set_overhead(uint64_t instructions)
{
    (void)instructions;
}

static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    return remote_issue(kind, word, value, expected, pe);
}

static inline uint64_t remote_raw_load(const uint64_t *word, unsigned pe)
{
    return remote_issue_load(word, pe);
}

static inline void remote_raw_store(uint64_t *word, uint64_t value, unsigned pe)
{
    remote_issue_store(word, value, pe);
}
#endif

#endif
