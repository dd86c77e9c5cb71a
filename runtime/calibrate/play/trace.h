/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace: what one rank does, read from a trace of calls or of SMPI's actions (docs/replay.md) into memory. Knows nothing
 * of an MPI: calls are words (record/record.h), actions become calls here. What is not understood or has no player is
 * refused with file and line.
 */
#ifndef PLAY_TRACE_H
#define PLAY_TRACE_H

#include "record/record.h"

/* Steps that are not calls; calls have their function's number (record_mpi). */
enum {
    PLAY_SECONDS = RECORD_MPI_FUNCTIONS,
    PLAY_FLOPS,
    PLAY_REPEAT, /* amount: times; skip: of its end */
    PLAY_END     /* skip: of its beginning */
};
struct play_step {
    uint32_t what, line;
    union {
        double amount;
        uint64_t times;
    };
    size_t at;  /* of a call: its first word; of a loop: the index of its other end */
    uint32_t n; /* words */
};

struct play_trace {
    char *path; /* of the file with this rank's lines */
    struct play_step *step;
    size_t n, cap;
    struct record_words words;
    bool flops; /* some computation is in flops */
    uint64_t
        collectives; /* of actions: how many, loops counted, and a hash of their order outside of loops */
    uint64_t order;
};

struct play_wanted {
    int rank, ranks;
    bool (*has_player)(uint32_t function);
};
/* Reads this rank's lines. -1 with st: one message, which begins with file and line. */
int play_trace_read(struct play_trace *t, const char *path, const struct play_wanted *w,
                    struct base_status *st);
void play_trace_release(struct play_trace *t);

/* --- what the files of this room share ------------------------------------------------------------------ */

enum { PLAY_DEPTH = 8 }; /* of loops within loops */

/* A request of SMPI's actions that is open. */
struct play_open {
    int from, to, tag;
    int64_t request; /* its word; -1: the place is free */
};
struct play_reader {
    const struct play_wanted *wanted;
    struct play_trace *trace;
    uint32_t line;
    int sharers, sharer; /* ranks that share the file, and which of these reads */
    bool relative;       /* the line begins with "-" */
    bool doubles;        /* SMPI's default type */
    size_t loop[PLAY_DEPTH];
    size_t open_before[PLAY_DEPTH]; /* requests that were open at its beginning */
    int depth;
    struct play_open *open;
    size_t n_open, cap_open;
    uint64_t requests; /* numbers that were given away */
};
/* Words of one line, cut at blanks. */
struct play_words {
    char **at;
    size_t n, cap;
};
void play_add_step(struct play_reader *x, struct play_step step);
void play_add_call(struct play_reader *x, uint32_t function, const int64_t *words, size_t n);
/* An action that is no computation, loop or call: becomes a call, or nothing. */
int play_action(struct play_reader *x, const struct play_words *w, struct base_status *st);
/* What is open at the end of the trace is waited for. */
void play_actions_end(struct play_reader *x);
int play_amount(const struct play_words *w, size_t k, double *out, struct base_status *st);

#endif
