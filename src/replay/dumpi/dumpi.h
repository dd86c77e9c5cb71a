/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dumpi: traces of MPI programs as DUMPI, the tracer of SST (sst-dumpi), writes them: a binary file for each rank, with a
 * record for each call, and a text that says how many there are (.meta). The calls go onto the tape as calls of MPI, and
 * what is between them as seconds of computation. docs/replay.md says what is assumed.
 */
#ifndef PGASIM_REPLAY_DUMPI_H
#define PGASIM_REPLAY_DUMPI_H

#include "replay/input/input.h"
#include "replay/tape/tape.h"

/* Whether content that begins like this is a rank's file, or the text beside them. */
bool replay_dumpi_is(const char *head, size_t n);
/* Reads the files of all ranks onto a tape. `in` is rank 0's file, or the text. `ranks`: how many there are to be; 0: as
 * many as there are files, or as the text says. -1 with st: "file: call: what is wrong". */
int replay_dumpi_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st);

#endif
