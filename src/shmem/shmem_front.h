/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: the OpenSHMEM front end. Registers with fold; the public API is include/shmem.h. */
#ifndef PGASIM_SHMEM_FRONT_H
#define PGASIM_SHMEM_FRONT_H

#include "coll/coll.h"
#include "record/record.h"
#include "rma/rma.h"
#include "trace/trace.h"

void shmem_register(void);
extern const struct trace_call shmem_calls[]; /* the kinds of the API's functions, for traces */
extern const size_t shmem_calls_count;
extern const struct base_setting shmem_settings[]; /* shmem/symmetric-size, ... */
extern const size_t shmem_settings_count;

/* Recording: from now on `fn` is given each call of a PE that record.h knows, when it is over, as of mpi_record. NULL:
 * nobody is any more. */
typedef void (*shmem_record_fn)(void *arg, struct rank *r, uint32_t function,
                                const struct record_words *words);
void shmem_record(shmem_record_fn fn, void *arg);
/* Playing: the current rank, which has no program, makes the call. Handles, and addresses of symmetric memory, are those
 * of this process. Returns how often it tested or waited for what the recorded run went by; of a lock that was taken by a test,
 * 1: it is not now, and the caller tries again. */
uint64_t shmem_play(uint32_t function, const struct record_value *v);
/* The address of a RECORD_PLACE at the rank; 0: it has none, or OpenSHMEM is not initialized. */
uintptr_t shmem_place_at(struct rank *r, int64_t word);
enum types_element shmem_played_type(const char *name); /* TYPES_ELEMENTS: there is none */
/* The symmetric heaps of all PEs of the rank's world, for players, whose words there are real. 0: there are none. */
size_t shmem_heaps_of(const struct rank *r, uintptr_t *first);
/* Ranks without programs that are a job of their own from now on, with PE numbers from 0: none of them is in a call or in
 * another world. Each leaves at its end, on its actor, and the last one ends the world, which gives its memory back. */
void shmem_world_begin(struct rank_job *ranks, const struct coll_group *members);
void shmem_world_leave(struct rank *r);
void shmem_world_end(struct rank *r);

/* What debuggers read (wait.c). */
extern const struct base_fact shmem_facts[];

#endif
