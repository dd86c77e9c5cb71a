/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal: schedules of GOAL, the language of LogGOPSim and ATLAHS, as text or in LogGOPSim's binary form. The schedule of
 * a rank is a graph of operations: sends, receives and calculations, each of which waits for others to start or to end.
 *
 *   operations of rank 0, then lists of who waits for them;  those of rank 1; ...
 *
 * A graph takes 32 bytes for an operation and 4 for a dependency. Graphs lie in memory, those of large files in a mapped
 * temporary file without a name, of which the system keeps in memory what is in use.
 *
 * Invariants
 *  K1  Dependencies are within a rank, and an operation's `waits` is the number of those that it has.
 *  K2  A send goes to a rank that exists; a receive is from one, or from any.
 */
#ifndef PGASIM_REPLAY_GOAL_H
#define PGASIM_REPLAY_GOAL_H

#include "replay/input/input.h"

enum { REPLAY_GOAL_ANY = UINT32_MAX }; /* a source, a tag */

/* In the order in which LogGOPSim starts operations that become ready together. */
enum replay_goal_kind { REPLAY_GOAL_SEND = 1, REPLAY_GOAL_RECEIVE, REPLAY_GOAL_CALCULATION };

struct replay_goal_op {
    uint64_t size;      /* bytes; of a calculation: nanoseconds */
    uint32_t peer, tag; /* tags are unsigned, all but REPLAY_GOAL_ANY mean themselves */
    uint32_t waits;     /* for how many others; then a player's own */
    uint32_t first; /* of the rank's list: those that wait for its end, then those that wait for its start, */
    uint32_t ends;  /* so many of the first kind; up to the next operation's first */
    uint8_t kind, cpu, nic;
    bool crosses; /* an operation of another CPU waits for its end */
};

/* p2p/ has tags with a sign, and this one stands for any. */
static inline bool replay_goal_tag_is_free(uint32_t tag)
{
    return tag != UINT32_C(1) << 31;
}

/* What an operation's end and start release. */
struct replay_goal_waiting {
    const uint32_t *end, *start; /* operations of the rank */
    uint32_t ends, starts;
};

struct replay_goal;
struct replay_goal *replay_goal_create(uint32_t ranks);
void replay_goal_destroy(struct replay_goal *g);
void replay_goal_limit(struct replay_goal *g,
                       size_t bytes); /* what may lie in memory; before the first graph */

/* What a reader collects of one rank, cleared between ranks. */
struct replay_goal_edge {
    uint32_t before, after; /* operations: `after` waits for `before` */
    bool start;             /* to start, not to end */
};
struct replay_goal_draft {
    BASE_ARRAY(struct replay_goal_op) ops;
    BASE_ARRAY(struct replay_goal_edge) edges;
};
void replay_goal_draft_clear(struct replay_goal_draft *d);
void replay_goal_draft_release(struct replay_goal_draft *d);
/* Makes the draft the schedule of a rank that has none. */
void replay_goal_add(struct replay_goal *g, uint32_t rank, const struct replay_goal_draft *d);
/* The same without a draft: room for operations with lists behind them, which may be asked for again, for more of both,
 * until the schedule is written. It may have moved then; what stands in it stays. */
struct replay_goal_op *replay_goal_write(struct replay_goal *g, size_t ops, size_t listed);
void replay_goal_written(struct replay_goal *g, uint32_t rank, size_t ops, size_t listed);
void replay_goal_widen(struct replay_goal *g, uint32_t cpus, uint32_t nics); /* a rank has so many */
bool replay_goal_has(const struct replay_goal *g, uint32_t rank);            /* a schedule was added */

uint32_t replay_goal_ranks(const struct replay_goal *g);
uint64_t replay_goal_operations(const struct replay_goal *g);
uint64_t replay_goal_dependencies(const struct replay_goal *g);
uint32_t replay_goal_cpus(const struct replay_goal *g); /* of a rank, at most */
uint32_t replay_goal_nics(const struct replay_goal *g);
/* The operations of a rank. Pointers hold until the next graph is added. */
struct replay_goal_op *replay_goal_ops(const struct replay_goal *g, uint32_t rank, uint32_t *n);
/* All its lists, one behind the other, which operations' `first` counts from. */
const uint32_t *replay_goal_list(const struct replay_goal *g, uint32_t rank, uint32_t *n);
struct replay_goal_waiting replay_goal_waiting(const struct replay_goal *g, uint32_t rank, uint32_t op);
const char *replay_goal_kind_name(unsigned kind);
/* Sorts operations that become ready together by kind; equal ones as LogGOPSim leaves them. */
void replay_goal_order(const struct replay_goal_op *op, uint32_t *which, size_t n);

/* Whether content that begins like this is GOAL, in one of its forms. */
bool replay_goal_text_is(const char *head, size_t n);
bool replay_goal_binary_is(const char *head, size_t n);
/* NULL with st: not readable, or wrong. `ranks`: how many there are to be; 0: as many as there are. */
struct replay_goal *replay_goal_text_read(struct replay_input *in, uint32_t ranks, struct base_status *st);
struct replay_goal *replay_goal_binary_read(struct replay_input *in, uint32_t ranks, struct base_status *st);

#endif
