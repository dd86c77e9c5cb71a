/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi: the MPI front end. The public API is include/mpi.h. */
#ifndef PGASIM_MPI_FRONT_H
#define PGASIM_MPI_FRONT_H

#include "coll/coll.h"
#include "record/record.h"
#include "trace/trace.h"

void mpi_between(struct rank *r, const struct coll_inter_trial *t); /* coll_inter_trial_fn */
void mpi_register(void);                                            /* once at start-up, before any job */
extern const struct trace_call mpi_calls[]; /* what the API's functions are, for traces */
extern const size_t mpi_calls_count;
extern const char *const mpi_absent_names[]; /* functions that are not modelled, sorted; NULL ends the list */
extern const struct base_setting mpi_settings[]; /* mpi/... */
extern const size_t mpi_settings_count;

/* Ranks without programs that have MPI_COMM_WORLD to themselves from now on, and begin anew: none of them is in a call,
 * and what they had of MPI before stays until the job's end. */
void mpi_world_begin(struct rank_job *ranks, const struct coll_group *members);
/* All of them are at their end. Gives back the memory of what they had, unless something is still under way or open: that
 * stays until the job's end. */
void mpi_world_end(struct rank_job *ranks, const struct coll_group *members);

/* Recording: from now on `fn` is given each call of a rank that record.h knows, when it is over: the number of its
 * function (enum record_mpi_number) and its words, which stay the caller's. NULL: nobody is any more. */
typedef void (*mpi_record_fn)(void *arg, struct rank *r, uint32_t function, const struct record_words *words);
void mpi_record(mpi_record_fn fn, void *arg);
/* From now on `fn` is told whose messages receives and probes got that take any source or any tag: the rank in their
 * communicator and the tag; MPI_ANY_SOURCE: nobody's, or it is not known. It is so in the order in which a thread (from 0) of
 * a rank has started them. NULL: nobody is any more, and those that are still open are told. */
struct mpi_source { /* source MPI_PROC_NULL: it gets no message */
    int source, tag;
};
typedef void (*mpi_sources_fn)(void *arg, uint32_t rank, uint32_t thread, struct mpi_source from);
void mpi_record_sources(mpi_sources_fn fn, void *arg);
/* When a persistent receive of the current rank that takes any is started, `fn` says whose message it is to get; false:
 * whoever comes first. At start-up. */
typedef bool (*mpi_next_source_fn)(struct mpi_source *out);
void mpi_play_sources(mpi_next_source_fn fn);
/* Whose memory an address of the rank's is, for operations: that of another member of a shared window, or the rank's own. */
uint32_t mpi_memory_owner(struct rank *r, uintptr_t address);
/* Playing: the current rank, which has no program, calls the function; returns what that returns. Arrays of counts
 * and displacements, and those of numbers without a width in the signature, are of 64 bits. */
int mpi_play(uint32_t function, const struct record_value *v);
/* What the current rank's own data representation of files says of a predefined datatype. false: it has registered none of
 * that name. */
bool mpi_play_extent(struct rank *r, const char *representation, int64_t type, int64_t bytes);
/* How many elements an array of a call is to have, by the communicator that its length follows from, and the root; 0:
 * that does not say it, or is none. No time passes. */
int64_t mpi_played_length(const struct record_param *p, uint64_t handle, int64_t root);
/* The bytes of data of one of the standard's datatypes, by its handle; 0: there is none, or it has none. */
uint64_t mpi_predefined_size(int64_t handle);

#endif
