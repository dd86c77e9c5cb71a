/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal: schedules of GOAL, the language of LogGOPSim and ATLAHS, as text or in LogGOPSim's binary form. The schedule of
 * a rank is a graph of operations: sends, receives and calculations, each of which waits for others to start or to end.
 *
 *   records of rank 0, then for how many others each of its operations waits;  those of rank 1; ...
 *
 * Operations of a schedule are much alike: what they wait for and what waits for them, counted from themselves, is the same
 * in each round of a loop and on most ranks. So that is kept once, as a *shape* (shape.c), and an operation is a record of 16
 * bytes: its shape, size, peer and tag. Records lie in memory, those of large files in a mapped temporary file without a
 * name, of which the system keeps in memory what is in use.
 *
 * Invariants
 *  K1  Dependencies are within a rank, and an operation's `waits` is the number of those that it has.
 *  K2  A send goes to a rank that exists; a receive is from one, or from any.
 *  K4  No two shapes are equal.
 */
#ifndef PGASIM_REPLAY_GOAL_H
#define PGASIM_REPLAY_GOAL_H

#include "base/table.h"
#include "replay/input/input.h"

enum { REPLAY_GOAL_ANY = UINT32_MAX }; /* a source, a tag */

/* In the order in which LogGOPSim starts operations that become ready together. */
enum replay_goal_kind { REPLAY_GOAL_SEND = 1, REPLAY_GOAL_RECEIVE, REPLAY_GOAL_CALCULATION };

/* An operation by itself. */
struct replay_goal_op {
    uint64_t size;      /* bytes; of a calculation: nanoseconds */
    uint32_t peer, tag; /* tags are unsigned, all but REPLAY_GOAL_ANY mean themselves */
    uint32_t waits;     /* for how many others */
    uint8_t kind, cpu, nic;
    bool crosses; /* an operation of another CPU waits for its end */
};

/* p2p/ has tags with a sign, and this one stands for any. */
static inline bool replay_goal_tag_is_free(uint32_t tag)
{
    return tag != UINT32_C(1) << 31;
}

/* --- shapes and records --------------------------------------------------------------------------------- */

/* What operations have in common. Its list: those that wait for the operation's end, then those that wait for its start, each
 * as the distance from the operation itself, modulo 2^32. */
struct replay_goal_shape {
    uint32_t waits;
    uint32_t list, ends, starts; /* where its list begins; how many of the two kinds */
    uint32_t next;               /* the shape of the operation behind it, the last time: a guess */
    uint8_t kind, cpu, nic;
    bool large : 1; /* sizes do not fit in a record */
    bool crosses : 1;
};
struct replay_goal_record {
    uint32_t shape; /* its number times 4, plus the kind */
    uint32_t size;  /* of a large shape: which of the large sizes */
    uint32_t peer, tag;
};
static inline unsigned replay_goal_kind(const struct replay_goal_record *r)
{
    return r->shape & 3;
}

/* Of all schedules, for those who look often. They hold until the next graph is added. */
struct replay_goal_tables {
    const struct replay_goal_shape *shape;
    const uint32_t *list;
    const uint64_t *large;
};
static inline const struct replay_goal_shape *replay_goal_shape_of(const struct replay_goal_tables *t,
                                                                   const struct replay_goal_record *r)
{
    return &t->shape[r->shape >> 2];
}
static inline uint64_t replay_goal_size_of(const struct replay_goal_tables *t,
                                           const struct replay_goal_record *r)
{
    return BASE_UNLIKELY(replay_goal_shape_of(t, r)->large) ? t->large[r->size] : r->size;
}

/* What an operation's end and start release. */
struct replay_goal_waiting {
    const uint32_t *end, *start; /* operations of the rank; in a schedule, distances from the operation */
    uint32_t ends, starts;
};
static inline struct replay_goal_waiting replay_goal_waiting_of(const struct replay_goal_tables *t,
                                                                const struct replay_goal_record *r)
{
    const struct replay_goal_shape *s = replay_goal_shape_of(t, r);
    if (!s->ends && !s->starts)
        return (struct replay_goal_waiting){0};
    const uint32_t *end = t->list + s->list;
    return (struct replay_goal_waiting){end, end + s->ends, s->ends, s->starts};
}

/* --- schedules --------------------------------------------------------------------------------------------- */

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
    BASE_ARRAY(struct replay_goal_op) ops; /* without `waits` and `crosses` */
    BASE_ARRAY(struct replay_goal_edge) edges;
};
void replay_goal_draft_clear(struct replay_goal_draft *d);
void replay_goal_draft_release(struct replay_goal_draft *d);
/* Makes the draft the schedule of a rank that has none. Fills `waits` and `crosses` in. */
void replay_goal_add(struct replay_goal *g, uint32_t rank, struct replay_goal_draft *d);

/* The same without a draft: begins the schedule of a rank with n operations, of which each is put, in order, and then ends
 * it. What was put before the end may be forgotten by another begin. */
void replay_goal_begin(struct replay_goal *g, size_t n);
void replay_goal_put(struct replay_goal *g, uint32_t k, const struct replay_goal_op *op,
                     const struct replay_goal_waiting *waiting);
void replay_goal_end(struct replay_goal *g, uint32_t rank);

bool replay_goal_has(const struct replay_goal *g, uint32_t rank); /* a schedule was added */
uint32_t replay_goal_ranks(const struct replay_goal *g);
uint64_t replay_goal_operations(const struct replay_goal *g);
uint64_t replay_goal_dependencies(const struct replay_goal *g);
uint32_t replay_goal_cpus(const struct replay_goal *g); /* of a rank, at most */
uint32_t replay_goal_nics(const struct replay_goal *g);
uint32_t replay_goal_shapes(const struct replay_goal *g);

/* The operations of a rank. Pointers hold until the next graph is added. */
const struct replay_goal_record *replay_goal_records(const struct replay_goal *g, uint32_t rank, uint32_t *n);
struct replay_goal_tables replay_goal_tables(const struct replay_goal *g);
struct replay_goal_op replay_goal_op(const struct replay_goal *g, uint32_t rank, uint32_t op);
struct replay_goal_waiting replay_goal_waiting(const struct replay_goal *g, uint32_t rank, uint32_t op);
const char *replay_goal_kind_name(unsigned kind);
/* Sorts operations that become ready together by kind; equal ones as LogGOPSim leaves them. */
void replay_goal_order(const struct replay_goal_record *op, uint32_t *which, size_t n);

/* --- for how many others operations still wait --------------------------------------------------------------- */

/* A byte for each operation of a rank, from the schedule itself or copied. It counts down to 0; an operation that waits for
 * more than 255 others then asks replay_goal_goes_on. */
enum { REPLAY_GOAL_COUNTED = UINT8_MAX };
uint8_t *replay_goal_left_waits(struct replay_goal *g, uint32_t rank);
/* `more`: a table of numbers with values of 4 bytes, empty at first, which all ranks may share. true: *count was filled
 * again. */
bool replay_goal_goes_on(struct base_table *more, uint32_t rank, uint32_t op, uint32_t waits, uint8_t *count);

/* --- files --------------------------------------------------------------------------------------------------- */

/* Whether content that begins like this is GOAL, in one of its forms. */
bool replay_goal_text_is(const char *head, size_t n);
bool replay_goal_binary_is(const char *head, size_t n);
/* NULL with st: not readable, or wrong. `ranks`: how many there are to be; 0: as many as there are. */
struct replay_goal *replay_goal_text_read(struct replay_input *in, uint32_t ranks, struct base_status *st);
struct replay_goal *replay_goal_binary_read(struct replay_input *in, uint32_t ranks, struct base_status *st);

#endif
