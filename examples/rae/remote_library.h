/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_library: atomics by remote atomic instructions, behind as many instructions of a library as there
 * are in remote_overhead.
 *
 * REMOTE_RUNTIME: the 104 that the runtime library of xBGAS executes around an addition of 64 bits, compiled
 * with -O2, to find the object and the address of its heap there.
 *
 * The counts of the software path are those of Open MPI 4.1.4's OpenSHMEM over UCX, instructions for each
 * operation at the origin, measured on x86-64 by callgrind as the slope between 100 and 1100 operations.
 * RISC-V's counts are taken to be the same. OpenSHMEM has no fetching minimum and maximum: as the fetching
 * XOR.
 */
#ifndef RAE_REMOTE_LIBRARY_H
#define RAE_REMOTE_LIBRARY_H

enum { REMOTE_GET = REMOTE_KINDS, REMOTE_PUT, REMOTE_PATHS };

#if defined REMOTE_SOFTWARE
static uint64_t remote_overhead[REMOTE_PATHS] = {
    [REMOTE_ADD] = 366, [REMOTE_AND] = 373, [REMOTE_OR] = 369,  [REMOTE_XOR] = 365, [REMOTE_MIN] = 365,
    [REMOTE_MAX] = 365, [REMOTE_CAS] = 377, [REMOTE_GET] = 410, [REMOTE_PUT] = 414,
};
#else
static uint64_t remote_overhead[REMOTE_PATHS] = {104, 104, 104, 104, 104, 104, 104, 104, 104};
#endif

/* For all operations alike. */
static inline void remote_set_overhead(uint64_t instructions)
{
    for (int k = 0; k < REMOTE_PATHS; k++)
        remote_overhead[k] = instructions;
}

enum { REMOTE_AROUND = 8 }; /* instructions that looking up the number and leaving the loop take, about */

/* Rounds of two instructions. */
static inline void remote_library(int path)
{
    uint64_t n = remote_overhead[path], rounds = (n - REMOTE_AROUND) / 2;
    if (n > REMOTE_AROUND + 1)
        __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(rounds));
}

static inline uint64_t remote_raw(enum remote_kind kind, uint64_t *word, uint64_t value, uint64_t expected,
                                  unsigned pe)
{
    remote_library(kind);
    return remote_issue(kind, word, value, expected, pe);
}

static inline uint64_t remote_raw_load(const uint64_t *word, unsigned pe)
{
    remote_library(REMOTE_GET);
    return remote_issue_load(word, pe);
}

static inline void remote_raw_store(uint64_t *word, uint64_t value, unsigned pe)
{
    remote_library(REMOTE_PUT);
    remote_issue_store(word, value, pe);
}

#endif
