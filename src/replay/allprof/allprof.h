/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allprof: traces of MPI programs as liballprof writes them: one text file for each rank, a line for each call,
 * "MPI_Name:start:arguments:end", with times in microseconds. The calls go onto the tape as calls of MPI, and what is
 * between them as seconds of computation. docs/replay.md says what is assumed.
 */
#ifndef PGASIM_REPLAY_ALLPROF_H
#define PGASIM_REPLAY_ALLPROF_H

#include "replay/input/input.h"
#include "replay/tape/tape.h"

/* Whether content that begins like this may be a rank's file. */
bool replay_allprof_is(const char *head, size_t n);
/* Reads the files of all ranks onto a tape. `in` is rank 0's; the others have their ranks in place of the last number
 * of its name. `ranks`: how many there are to be; 0: as many as there are files. -1 with st: a file is not readable, or
 * "file:line: what is wrong". */
int replay_allprof_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st);

#endif
