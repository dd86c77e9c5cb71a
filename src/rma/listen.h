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

struct rma_items;

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
    bool local;       /* locally complete at issue; else only when complete */
    bool blocks;      /* when its call returns it is locally complete, and its results are there */
    bool fetches;     /* an update whose old value returns to the caller */
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
    RMA_SYNC_OPERATION, /* a blocking call's operation, number `limit`, is over */
    RMA_SYNC_MEMORY,    /* a wait for memory is over; `limit`: the operation that ended it, or 0 */
};
struct rma_sync {
    enum rma_sync_kind kind;
    struct rank *rank;
    uint32_t context;
    double at;
    const char *call;
    uint64_t limit;
    const uint32_t *targets; /* n of them; NULL: all */
    size_t n;
    uintptr_t low, high; /* RMA_SYNC_MEMORY: the bytes waited for */
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

#endif
