/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * race: finds accesses to one memory location that conflict and that nothing orders, in the order of
 * synchronization of this run. A room of check/.
 *
 * Every load and store of instrumented code, every access of a call, and every one-sided operation is an
 * access with a start and an end. Two accesses of the same bytes, one of which writes, and not both atomic
 * towards each other, are a race unless one ends before the other begins, by happens-before and by the
 * completion of one-sided operations both. An operation counts from its issue, whenever the simulated network
 * carries it out, so the verdict does not depend on the platform.
 */
#ifndef PGASIM_CHECK_RACE_H
#define PGASIM_CHECK_RACE_H

#include "check/finding/finding.h"
#include "rank/rank.h"

struct race;

extern const struct base_setting race_settings[];
extern const size_t race_settings_count;

/* Ranks are checked from now on; the job begins soon. What is found goes to the log. */
struct race *race_create(const struct base_settings *s, struct finding_log *log);
/* The job exists, its ranks have not run. Registers listeners. */
void race_begin(struct race *d, struct rank_job *job);
void race_destroy(struct race *d);

/* Instrumented code (watch/): a load, a store; `pc`: a return address in the line of the access. */
void race_load(uintptr_t address, size_t bytes, const void *pc);
void race_store(uintptr_t address, size_t bytes, const void *pc);
/* An atomic operation that was made; bytes 0: a fence. `order`: __ATOMIC_RELAXED ... */
struct race_atomic {
    uintptr_t address;
    size_t bytes;
    bool reads, writes;
    int order;
    const void *pc;
};
void race_atomic(const struct race_atomic *a);
/* Calls: those whose frames do not lie above a new one's were left in another way. */
void race_enter(const void *pc, const void *frame);
void race_leave(const void *pc, const void *frame);
void race_acquired(const void *object);
void race_released(const void *object);

struct race_counts {
    uint64_t loads, stores;       /* seen by instrumentation */
    uint64_t operations, actions; /* one-sided; calls with buffers */
    uint64_t files;               /* calls that access files */
    uint64_t accesses, states, pages, sweeps;
};
/* The job is over: hints that only then are known. */
void race_finish(struct race *d);
/* What was checked and what was not, on the report stream. */
void race_summary(struct race *d);
struct race_counts race_counts(const struct race *d);

#endif
