/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allprof: traces of MPI programs as liballprof writes them: one text file for each rank, a line for each call,
 * "MPI_Name:start:arguments:end", with times in microseconds. The calls go onto the tape as calls of MPI, and what is
 * between them as seconds of computation. docs/replay.md says what is assumed.
 */
#ifndef PGASIM_REPLAY_ALLPROF_H
#define PGASIM_REPLAY_ALLPROF_H

#include "record/record.h"
#include "replay/input/input.h"
#include "replay/tape/tape.h"

/* Whether content that begins like this may be a rank's file. */
bool replay_allprof_is(const char *head, size_t n);
/* Reads the files of all ranks onto a tape. `in` is rank 0's; the others have their ranks in place of the last number
 * of its name. `ranks`: how many there are to be; 0: as many as there are files. -1 with st: a file is not readable, or
 * "file:line: what is wrong". */
int replay_allprof_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st);

/* --- writing: the files of the ranks, one after the other -------------------------------------------------- */

struct replay_allprof_writer;
/* `path`: of rank 0's file. NULL with st: its name has no number 0, or there is a file that would be one of further ranks. */
struct replay_allprof_writer *replay_allprof_writer_create(const char *path, uint32_t ranks,
                                                           struct base_status *st);
void replay_allprof_writer_destroy(struct replay_allprof_writer *x); /* NULL is allowed */
/* -1 with st: the file cannot be written. */
int replay_allprof_writer_begin(struct replay_allprof_writer *x, struct replay_tape *t, uint32_t rank,
                                struct base_status *st);
int replay_allprof_writer_end(struct replay_allprof_writer *x, struct base_status *st);
bool replay_allprof_writer_seconds(struct replay_allprof_writer *x, double seconds); /* false: shortened */
/* What a call needs that its words do not say: of its communicator the rank's place and how many members it has, 0 if that
 * is not known; how many bytes of data a type of the rank's has. */
struct replay_allprof_with {
    uint32_t place, members;
    uint64_t (*size_of)(void *arg, int64_t type);
    void *arg;
};
/* A call that has no line; it may make a request all the same. */
void replay_allprof_writer_pass(struct replay_allprof_writer *x, const struct record_function *f,
                                const struct record_part *part);
/* A call as a line. false, and nothing is written: lines cannot say it. */
bool replay_allprof_writer_call(struct replay_allprof_writer *x, const struct record_function *f,
                                const struct record_part *part, const struct replay_allprof_with *with);
/* Shows a communicator that the last call has made, as readers know it by the order in which they meet them. */
void replay_allprof_writer_show(struct replay_allprof_writer *x, int64_t comm, uint32_t place,
                                uint32_t members);
/* Whether the call takes no time, and what it is about is said by others. */
bool replay_allprof_needs_no_line(const char *name);

#endif
