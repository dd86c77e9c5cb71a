/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ti: SMPI's time-independent traces, as its tracer writes them (smpirun -trace-ti) and its replayer takes them,
 * of all versions: one file with the lines of all ranks, or a list of files, one for each rank; before SimGrid 3.20
 * without tags and in mixed case. docs/replay.md describes the format.
 */
#ifndef PGASIM_REPLAY_TI_H
#define PGASIM_REPLAY_TI_H

#include "replay/input/input.h"
#include "replay/tape/tape.h"

/* Whether content that begins like this may be such a trace, or a list of such files. */
bool replay_ti_is(const char *head, size_t n);
/* Reads all of it onto a tape. `ranks`: how many it is to have; 0: not given, and then the file is read twice if it has
 * the lines of all ranks. -1 with st: not readable, or a line that is wrong: "file:line: ...". */
int replay_ti_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st);
/* Finds out on whose part collectives are that not all ranks call, as the trace does not say it: returns the sealed
 * tape, or another one in its place. */
struct replay_tape *replay_ti_name_groups(struct replay_tape *t);

#endif
