/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_count: how many atomics there were, how many of them at another PE, and the cycles and instructions
 * that those took: a core's counters are read before and after each. With -DREMOTE_UNMEASURED nothing is
 * counted of single atomics, and a program's instructions are its own alone.
 *
 * remote_begin and remote_end are barriers around what is measured. remote_report adds up what all PEs have
 * found, and PE 0 prints one line.
 */
#ifndef RAE_REMOTE_COUNT_H
#define RAE_REMOTE_COUNT_H

#include <inttypes.h>
#include <stdio.h>

/* Cycles and instructions are those of atomics at other PEs; elapsed and executed those of everything from
 * remote_begin to remote_end. */
enum {
    REMOTE_ATOMICS,
    REMOTE_REMOTE,
    REMOTE_CYCLES,
    REMOTE_INSTRUCTIONS,
    REMOTE_ELAPSED,
    REMOTE_EXECUTED,
    REMOTE_CHECKSUM,
    REMOTE_FIGURES
};
static uint64_t remote_figure[REMOTE_FIGURES];

#if defined REMOTE_SHMEM || defined REMOTE_LOCAL
enum { REMOTE_HAS_COUNTERS = 0 };
#else
enum { REMOTE_HAS_COUNTERS = 1 };
#endif

#if defined REMOTE_UNMEASURED
static inline uint64_t remote_counted(enum remote_kind kind, uint64_t *word, uint64_t value,
                                      uint64_t expected, unsigned pe)
{
    return remote_raw(kind, word, value, expected, pe == remote_me() ? REMOTE_OWN : pe);
}
#else
static inline uint64_t remote_counted(enum remote_kind kind, uint64_t *word, uint64_t value,
                                      uint64_t expected, unsigned pe)
{
    remote_figure[REMOTE_ATOMICS]++;
    if (pe == remote_me())
        return remote_raw(kind, word, value, expected, REMOTE_OWN);
    remote_figure[REMOTE_REMOTE]++;
    if (!REMOTE_HAS_COUNTERS)
        return remote_raw(kind, word, value, expected, pe);
    uint64_t cycle = remote_cycle(), instret = remote_instret();
    uint64_t old = remote_raw(kind, word, value, expected, pe);
    uint64_t instret_after = remote_instret(), cycle_after = remote_cycle();
    /* Less the instructions that read the counters. */
    remote_figure[REMOTE_INSTRUCTIONS] += instret_after - instret - 1;
    remote_figure[REMOTE_CYCLES] += cycle_after - cycle - 3;
    return old;
}
#endif

static inline uint64_t remote_load(const uint64_t *word, unsigned pe)
{
    return remote_raw_load(word, pe == remote_me() ? REMOTE_OWN : pe);
}

static inline void remote_store(uint64_t *word, uint64_t value, unsigned pe)
{
    remote_raw_store(word, value, pe == remote_me() ? REMOTE_OWN : pe);
}

static void remote_begin(void)
{
    remote_barrier();
    for (int k = 0; k < REMOTE_FIGURES; k++)
        remote_figure[k] = 0;
    remote_figure[REMOTE_ELAPSED] = remote_cycle();
    remote_figure[REMOTE_EXECUTED] = remote_instret();
}

static void remote_end(void)
{
    remote_figure[REMOTE_EXECUTED] = remote_instret() - remote_figure[REMOTE_EXECUTED];
    remote_barrier();
    remote_figure[REMOTE_ELAPSED] = remote_cycle() - remote_figure[REMOTE_ELAPSED];
}

/* `checksum` is this PE's share. */
static void remote_report(const char *what, uint64_t checksum)
{
    uint64_t sum[REMOTE_FIGURES] = {0};
    remote_figure[REMOTE_CHECKSUM] = checksum;
    remote_barrier();
    for (unsigned pe = 0; remote_me() == 0 && pe < remote_pes(); pe++)
        for (int k = 0; k < REMOTE_FIGURES; k++) {
            uint64_t of = remote_load(&remote_figure[k], pe);
            if (k != REMOTE_ELAPSED)
                sum[k] += of;
            else if (of > sum[k])
                sum[k] = of;
        }
    if (remote_me() == 0)
        printf("%s pes %u checksum %016" PRIx64 " atomics %" PRIu64 " remote %" PRIu64 " cycles %" PRIu64
               " instructions %" PRIu64 " elapsed %" PRIu64 " executed %" PRIu64 "\n",
               what, remote_pes(), sum[REMOTE_CHECKSUM], sum[REMOTE_ATOMICS], sum[REMOTE_REMOTE],
               sum[REMOTE_CYCLES], sum[REMOTE_INSTRUCTIONS], sum[REMOTE_ELAPSED], sum[REMOTE_EXECUTED]);
    remote_finish();
}

#endif
