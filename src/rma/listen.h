/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listen: access events, for checkers. A part of rma.h. A listener is told which bytes each operation
 * touches, in which order domain, when it really touches them, and what completes it. Free when nobody
 * listens.
 *
 * An operation is described once, at its issue: its areas, each with the step at which the operation touches
 * it. It may do so at any time from the issue until its completion: for an origin's area until it is locally
 * complete, for a target's until it is complete. `touched` tells when it did in this run.
 */
#ifndef PGASIM_RMA_LISTEN_H
#define PGASIM_RMA_LISTEN_H

#include "rank/rank.h"

struct rma_ctx;
struct rma_items;
struct rma_names;

/* Where an operation touches memory. */
enum rma_step {
    RMA_SOURCE,    /* origin: the source of a put, operands, a comparand are read */
    RMA_ISSUED,    /* as RMA_AT_TARGET, but before the request arrives (policies only) */
    RMA_AT_TARGET, /* target: a put's bytes are written, a get's read, one element is updated */
    RMA_IN_UNIT,   /* target: the atomic unit updates a signal, or the elements of an accumulate */
    RMA_REPLIED,   /* as RMA_AT_ORIGIN, but before the reply arrives (policies only) */
    RMA_AT_ORIGIN, /* origin: results are written */
};
enum rma_access { RMA_READS, RMA_WRITES, RMA_UPDATES /* atomic */ };

/* Bytes of a rank's memory: one run, or items of a layout from an address on. */
struct rma_area {
    struct rank *rank;
    uintptr_t address;
    uint64_t bytes;                /* of data */
    const struct rma_items *items; /* NULL: one run. Valid within the call that is told of it: retain it */
    enum rma_step step;
    enum rma_access access;
};
enum { RMA_AREAS = 4 };

/* What a front end says of a context. */
enum rma_ops { RMA_ANY_OPS, RMA_SAME_OP, RMA_SAME_OP_NO_OP }; /* updates that may meet at one element */
struct rma_stream {
    uintptr_t about; /* the front end's: for rma_names' `stream` */
    uint32_t domain; /* updates are atomic towards others of their domain */
    uint8_t ops;     /* enum rma_ops */
    bool blind;      /* its API has no waits that see what its operations have changed */
    bool nostore;    /* fence and quiet order no stores of the rank's own (SHMEM_CTX_NOSTORE) */
};

struct rma_issue {
    uint64_t operation; /* numbers rise in the order of issue */
    const char *call;
    double at; /* the rank's own time, which may be ahead of the clock */
    struct rank *origin, *target;
    uint32_t context; /* of the origin: effects are ordered within a context only, */
    uint64_t fences;  /* and only across fences. Fences that the context had before this operation */
    uint32_t word;    /* of an update: updates of one word exclude each other */
    uint32_t element; /* of an update: bytes of an element; 0: no update */
    uint8_t op;       /* of an update: enum types_op or enum rma_atomic */
    uint8_t type;     /* of an update: enum types_element */
    bool local;       /* locally complete at issue; else only when complete */
    bool fetches;     /* its reply brings something: results, or the value that its call returns */
    bool alone;       /* a request tells of it: RMA_SYNC_OPERATION */
    bool blocks;      /* the API lets the caller use its buffers again when the call returns */
    bool signals;     /* its update is a signal's */
    bool in_turn; /* such ones of one context to one target act in the order of issue (ordered accumulates) */
    bool inner;   /* a front end's own, on words that programs do not touch (locks) */
    const struct rma_stream *stream; /* of the context, and how reports name that: names->stream */
    const struct rma_names *names;
    uint32_t areas;
    struct rma_area area[RMA_AREAS];
};
/* The bytes [from, to) of the operation's area of this step. Operation 0: a collective or a front end wrote
 * rank's memory [from, to). */
struct rma_touch {
    uint64_t operation;
    enum rma_step step;
    struct rank *rank;
    uint64_t from, to;
    double at;
    bool failed; /* a compare-and-swap that has found another value, and has changed nothing */
};
/* An operation is complete at its target. Its origin can know that from `known` on. */
struct rma_completion {
    uint64_t operation;
    double known;
};
enum rma_sync_kind {
    RMA_SYNC_FENCE,
    RMA_SYNC_QUIET,     /* the context's operations below `limit`, to `targets`, are complete */
    RMA_SYNC_LOCAL,     /* the same, locally */
    RMA_SYNC_OPERATION, /* operation `limit` is over for its caller, which blocked for it or has learned so
                         * from a request: its result is there, its buffers are free. Of what it does at the
                         * target that says nothing, unless it only reads */
    RMA_SYNC_SENT, /* the context's operations below `limit` are complete for its rank; their targets are told
                         * so, and learn that they are complete there, too (MPI_Win_complete) */
    RMA_SYNC_DELIVERED, /* those of `origin`'s context below `limit`, to `rank`, are complete, and `rank` knows
                         * that (MPI_Win_wait) */
    RMA_SYNC_MEMORY,    /* a wait or test has seen the bytes it asked for; `limit`: the operation that ended
                         * it, or 0 */
    RMA_SYNC_LAST,      /* the API ends: the context is completed now, because no call of the program
                         * can wait for its operations any more */
    RMA_SYNC_COPIES,    /* these bytes of the rank's own memory, as it sees them and as others do, are one
                         * (MPI_Win_sync; in MPI's separate memory model also what else unites them) */
};
/* Told on the thread that has learned it. */
struct rma_sync {
    enum rma_sync_kind kind;
    struct rank *rank;
    struct rank *origin; /* RMA_SYNC_DELIVERED: whose context it is; else it is `rank`'s */
    uint32_t context;
    double at;
    const char *call;
    uint64_t limit;
    const uint32_t *targets; /* n of them; NULL: all */
    size_t n;
    uintptr_t low, high;             /* RMA_SYNC_MEMORY, _COPIES: the bytes */
    const struct rma_stream *stream; /* RMA_SYNC_FENCE, _QUIET, _LOCAL: of the context */
};

struct rma_listener {
    void (*issued)(void *arg, const struct rma_issue *i);
    void (*touched)(void *arg, const struct rma_touch *t);
    void (*completed)(void *arg, const struct rma_completion *c);
    void (*synchronized)(void *arg, const struct rma_sync *s);
};
/* Adds a listener; when: as rma_police. Listeners are told in the order of registration; they
 * change nothing, and call no function of rma. */
void rma_listen(struct rank_job *job, const struct rma_listener *l, void *arg);

/* For front ends: whether somebody listens; and what is told of a front end's own synchronization. `at` is
 * filled in. */
bool rma_is_heard(const struct rank *r);
void rma_tell(struct rma_sync s);
/* What listeners are told of the context's operations. */
void rma_ctx_describe(struct rma_ctx *c, const struct rma_stream *s);
/* The number below which all operations so far are: a limit. */
uint64_t rma_operations(const struct rank *r);

#endif
