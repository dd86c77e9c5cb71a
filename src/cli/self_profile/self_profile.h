/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self_profile: `pgasim run --self-profile` (private to cli/): where the simulator's own CPU time and memory go,
 * by layer.
 *
 *   samples.c  the samples, the run's phases, what is left when the job ends
 *   places.c   which layer and function a sample belongs to
 *   show.c     tables for people, JSON
 */
#ifndef PGASIM_CLI_PROFILE_H
#define PGASIM_CLI_PROFILE_H

#include "base/json.h"
#include "base/table.h"
#include "fold/fold.h"

/* What a sample may belong to besides a module: rows of the table. */
#define PROFILE_SWITCH  "switch"    /* Boost.Context's jump, in libpgasim but in no module */
#define PROFILE_PROGRAM "program"   /* the application's objects */
#define PROFILE_LIBRARY "libraries" /* libc and others of the system's */
#define PROFILE_REST    "rest"      /* not known, not sampled */

enum profile_phase { PROFILE_LOAD, PROFILE_SETUP, PROFILE_RUN, PROFILE_PHASES };

/* CPU time in microseconds. `system`: in the kernel, called or faulted into from there. */
struct profile_time {
    uint64_t user[PROFILE_PHASES], system[PROFILE_PHASES];
};
uint64_t profile_sum(const struct profile_time *t);
uint64_t profile_sum_system(const struct profile_time *t);
uint64_t profile_sum_phase(const struct profile_time *t, enum profile_phase phase);

struct profile_function {
    char name[64];
    struct profile_time time;
};
struct profile_layer {
    char name[16];
    struct profile_time time;
    BASE_ARRAY(struct profile_function) functions; /* most time first */
};
struct profile {
    bool taken;
    uint64_t samples, lost;
    struct profile_time all;
    BASE_ARRAY(struct profile_layer) layers;  /* most time first */
    BASE_ARRAY(struct base_account) accounts; /* most bytes first; the texts are the accounts' own */
    uint64_t resident, peak;                  /* the process's memory at the job's end, and its most */
    uint64_t page_tables;                     /* the kernel's, not in the above */
    uint64_t program_heap, heap_free; /* what malloc gave to callers outside our layers; what it keeps */
};
extern struct profile profile;

/* One place and phase: the key is the address times 4 plus the phase. */
struct profile_sample {
    uint64_t user, system;
};

void profile_begin(void); /* from here on there are samples and accounts */
void profile_enter(enum profile_phase phase);
void profile_take(
    const struct rank_job *job); /* at the job's end, while its parts are there: ends the samples */
void profile_end(void);

/* places.c: adds the samples up. */
void profile_place(const struct rank_job *job, const struct base_table *samples);

/* show.c */
void profile_print(FILE *out);
void profile_write_json(struct base_json *j); /* the key and an object; nothing when there is no profile */
uint64_t profile_account_bytes(const struct base_account *a);

#endif
