/* SPDX-License-Identifier: BSD-3-Clause */
/* lines: what the files that write lines of time-independent traces share (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_LINES_H
#define PGASIM_REPLAY_CONVERT_LINES_H

#include "base/text.h"
#include "replay/convert/steps.h"

struct replay_lines {
    struct replay_sink sink; /* first */
    replay_fold_put put;     /* where the text goes */
    void *ctx;
    const struct record_relative
        *relative; /* ranks are relative to the line's (`self`); NULL: they are not */
    struct record_relative self;
    bool calls;
    struct replay_fold *fold; /* the rank's, of calls; NULL: it has none so far */
    uint32_t rank, thread;    /* the line's; thread: from 1 */
    struct base_text text;
    struct replay_started_list open;
};

enum { REPLAY_LINES_BYTE = 6 }; /* SMPI's number of that type */

/* line_text.c: a line is begun, gets its words, and is flushed. */
void replay_lines_begin(struct replay_lines *x, uint32_t rank, const char *name);
void replay_lines_number(struct replay_lines *x, uint64_t value);
void replay_lines_count(struct replay_lines *x, uint64_t value); /* which lines have up to 2^53 */
void replay_lines_amount(struct replay_lines *x, double value);
void replay_lines_peer(struct replay_lines *x, uint32_t rank);
void replay_lines_tag(struct replay_lines *x, int32_t value);
/* A computation that is no line, but part of its loop's block. */
void replay_lines_compute(struct replay_lines *x, uint32_t rank, const struct replay_action *a);
void replay_lines_flush(struct replay_lines *x);

/* line_data.c: a whole line. */
void replay_lines_collective(struct replay_lines *x, uint32_t rank, const struct replay_action *a);

#endif
