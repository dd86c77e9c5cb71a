/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tape: the actions of many ranks, written in any order of ranks, in one pass over a trace, and read by each
 * rank for itself. Short tapes lie in memory; a long one goes to a temporary file without a name, so that
 * memory does not grow with the trace.
 *
 *   rank 0:  first chunk --> next chunk --> ...        a chunk: where the next one is, bytes used, actions
 *   rank 1:  first chunk --> ...                       an action: kind, lines since the last one, fields
 *
 * Invariants
 *  Y1  An action lies in one chunk.
 *  Y2  A chunk's place is fixed before the one before it is written, so chunks are written once and forwards.
 */
#ifndef PGASIM_REPLAY_TAPE_H
#define PGASIM_REPLAY_TAPE_H

#include "base/base.h"

enum replay_field {
    REPLAY_PEER = 1,
    REPLAY_PEER2 = 1 << 1,
    REPLAY_TAG = 1 << 2,
    REPLAY_BYTES = 1 << 3,
    REPLAY_BYTES2 = 1 << 4,
    REPLAY_AMOUNT = 1 << 5,
    REPLAY_NUMBER = 1 << 6,
    REPLAY_TEXT = 1 << 7,
    REPLAY_COUNTS = 1 << 8,
    REPLAY_GROUP = 1 << 9,
};
enum replay_kind {
#define ACTION(KIND, name, fields) REPLAY_##KIND,
#include "replay/tape/actions.def"
#undef ACTION
    REPLAY_KINDS
};
const char *replay_kind_name(enum replay_kind kind);
static inline bool replay_kind_is_of_threads(enum replay_kind kind)
{
    return kind >= REPLAY_THREAD_CREATE && kind <= REPLAY_THREAD_TIMEOUT;
}
unsigned replay_kind_fields(enum replay_kind kind); /* a sum of enum replay_field */

enum { REPLAY_ANY = UINT32_MAX }; /* a peer */
#define REPLAY_ANY_TAG      INT32_MIN
#define REPLAY_UNKNOWN_SIZE UINT64_MAX /* of a receive: that of the message which comes */

/* One action of a rank. Only the fields of its kind mean something. */
struct replay_action {
    enum replay_kind kind;
    uint32_t line; /* where it stands in its file, from 1 */
    uint32_t peer, peer2;
    int32_t tag;
    uint32_t number;
    uint32_t group; /* of ranks (replay_tape_group); 0: all */
    uint64_t bytes, bytes2;
    double amount;
    const char *text;
    /* Of each member of a collective, in bytes: what it sends, or what is sent to it, and for exchanges what
     * comes from it, too. n 0: none; n2 is n or 0. */
    const int64_t *counts, *counts2;
    uint32_t n, n2;
};

struct replay_tape;
struct replay_tape *replay_tape_create(void);
void replay_tape_destroy(struct replay_tape *t);
void replay_tape_limit(struct replay_tape *t,
                       size_t bytes); /* what it may hold in memory; before the first action */
/* Whether it is also to have the times of actions in the recorded run (REPLAY_TIMES), which players do not need. */
void replay_tape_keep_times(struct replay_tape *t);
bool replay_tape_keeps_times(const struct replay_tape *t);
/* Appends an action of a rank; ranks up to it then exist. Does not keep what the action points to. A tape that
 * cannot be written ends the process. */
void replay_tape_write(struct replay_tape *t, uint32_t rank, const struct replay_action *a);
/* What a rank does between these two is repeated, `times` in all. Loops may be in loops. -1 with st: no such loop can be. */
int replay_tape_loop(struct replay_tape *t, uint32_t rank, uint32_t line, uint32_t times,
                     struct base_status *st);
int replay_tape_loop_end(struct replay_tape *t, uint32_t rank, uint32_t line, struct base_status *st);
int replay_tape_loops_closed(const struct replay_tape *t,
                             struct base_status *st); /* -1 with st: not all have their end */
/* Threads of a rank besides its first one, which have numbers from 2. What they do is on a tape of their own, `threads`,
 * where each has a place in place of a rank. */
struct replay_tape *replay_tape_threads(const struct replay_tape *t); /* NULL: there are none */
uint32_t replay_tape_thread(struct replay_tape *t, uint32_t rank,
                            uint32_t thread); /* its place, made if it is new */
const char *replay_waking_name(unsigned how); /* of enum rank_waking, in a trace; NULL: there is none */
bool replay_tape_thread_find(const struct replay_tape *t, uint32_t rank, uint32_t thread, uint32_t *place);
void replay_tape_thread_at(const struct replay_tape *t, uint32_t place, uint32_t *rank, uint32_t *thread);
/* Whether the last that the thread at this place does is to end. */
bool replay_tape_thread_ends(const struct replay_tape *t, uint32_t place);
/* One of them ends the rank, in place of its first one; whether one does. */
void replay_tape_rank_ends(struct replay_tape *t, uint32_t rank);
bool replay_tape_rank_exits(const struct replay_tape *t, uint32_t rank);
void replay_tape_ranks_least(struct replay_tape *t,
                             uint32_t ranks); /* so many exist, if they do nothing, too */
void replay_tape_seal(struct replay_tape *t); /* the last action is written */
uint32_t replay_tape_ranks(const struct replay_tape *t);
/* Its last ranks are started by others while it is played (MPI_Comm_spawn): how many begin with it, which is all if nobody
 * has said so. */
void replay_tape_set_initial(struct replay_tape *t, uint32_t ranks);
uint32_t replay_tape_initial(const struct replay_tape *t);
uint32_t replay_tape_started(const struct replay_tape *t); /* the others: how many */
/* Whether a call with these words (record/) starts some, at its root: the first one and how many. */
bool replay_starts_of(uint32_t function, const int64_t *words, size_t n, uint32_t *first, uint32_t *ranks);
struct record_part;
bool replay_starts_in(uint32_t function, const struct record_part *part, uint32_t *first, uint32_t *ranks);
uint64_t replay_tape_actions(const struct replay_tape *t); /* with all repetitions */
/* Its reductions compute as those of a run do; else its lines say what they compute. */
void replay_tape_set_computes(struct replay_tape *t);
bool replay_tape_computes(const struct replay_tape *t);
bool replay_tape_calls(const struct replay_tape *t); /* some are calls (REPLAY_CALL) */
bool replay_tape_symmetric(
    const struct replay_tape *t); /* and some of these name ranks of the run: OpenSHMEM's, cores' */
/* It says whose messages the calls got that take any: there are as many REPLAY_SOURCE as of these, in the same order. */
bool replay_tape_sources(const struct replay_tape *t);
bool replay_tape_cores(const struct replay_tape *t); /* and some of these are cores' */

/* A file without a name, for what does not fit in memory; if there can be none, ends the process. */
int replay_tape_temporary_file(void);

/* A group of ranks, which are copied: the number of an equal one, from 1. */
struct replay_group {
    uint32_t n;
    uint32_t *rank;
};
uint32_t replay_tape_group(struct replay_tape *t, const uint32_t *rank, uint32_t n);
uint32_t replay_tape_groups(const struct replay_tape *t); /* the last one's number */
/* A new tape with as many ranks and the same groups by the same numbers, and no actions. */
struct replay_tape *replay_tape_copy_groups(const struct replay_tape *t);
/* The groups are guessed from a trace that does not say them. */
void replay_tape_set_guessed(struct replay_tape *t);
bool replay_tape_guessed(const struct replay_tape *t);
const struct replay_group *replay_tape_group_at(const struct replay_tape *t, uint32_t group);

/* Where a rank reads a sealed tape. */
struct replay_turns;
struct replay_cursor {
    const unsigned char *at, *end;
    struct replay_turns *turns; /* of the loops that it is in; NULL: there were none so far */
    unsigned char *chunk;       /* of a tape in a file: this one, else NULL */
    uint64_t next;              /* where the next chunk is; 0: there is none */
    uint32_t next_size, line;
    bool sources; /* it also gives REPLAY_SOURCE */
};
void replay_cursor_begin(const struct replay_tape *t, uint32_t rank, struct replay_cursor *c);
/* false: there are no more. Loops are unrolled. `out` points to memory of the tape, which the next call of any cursor overwrites. */
bool replay_cursor_next(struct replay_tape *t, struct replay_cursor *c, struct replay_action *out);
void replay_cursor_end(struct replay_cursor *c);

#endif
