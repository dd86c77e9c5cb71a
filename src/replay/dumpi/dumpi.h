/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dumpi: traces of MPI programs as DUMPI, the tracer of SST (sst-dumpi), writes them: a binary file for each rank, with a
 * record for each call, and a text that says how many there are (.meta). The calls go onto the tape as calls of MPI, and
 * what is between them as seconds of computation. docs/replay.md says what is assumed.
 */
#ifndef PGASIM_REPLAY_DUMPI_H
#define PGASIM_REPLAY_DUMPI_H

#include "record/record.h"
#include "replay/input/input.h"
#include "replay/tape/tape.h"

/* Whether content that begins like this is a rank's file, or the text beside them. */
bool replay_dumpi_is(const char *head, size_t n);
/* Reads the files of all ranks onto a tape. `in` is rank 0's file, or the text. `ranks`: how many there are to be; 0: as
 * many as there are files, or as the text says. -1 with st: "file: call: what is wrong". */
int replay_dumpi_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st);

/* Writing one: PREFIX-0000.bin, ... beside the text `path`, PREFIX.meta; the ranks one after the other. -1 with st: a file cannot
 * be written. */
struct replay_dumpi_writer;
struct replay_dumpi_writer *replay_dumpi_writer_create(const char *path, uint32_t ranks);
int replay_dumpi_writer_begin(struct replay_dumpi_writer *x, uint32_t rank, struct base_status *st);
bool replay_dumpi_writer_seconds(struct replay_dumpi_writer *x,
                                 double seconds); /* false: shortened, as a clock has 16 bits */
/* What a call needs that its words do not say: of its communicator the rank's place and how many members it has, 0 if that is
 * not known; how many bytes of data a type of the rank's has. */
struct replay_dumpi_with {
    uint32_t place, members;
    uint64_t (*size_of)(void *arg, int64_t type);
    void *arg;
};
/* Parts of a call of f as a record of the function `as`, whose parameters have the same names. false, and nothing is written:
 * records cannot say it. */
bool replay_dumpi_writer_call(struct replay_dumpi_writer *x, uint32_t as, const struct record_function *f,
                              const struct record_part *part, const struct replay_dumpi_with *with);
int replay_dumpi_writer_end(struct replay_dumpi_writer *x, struct base_status *st);
int replay_dumpi_writer_close(struct replay_dumpi_writer *x, struct base_status *st); /* the text */
void replay_dumpi_writer_destroy(struct replay_dumpi_writer *x);

#endif
