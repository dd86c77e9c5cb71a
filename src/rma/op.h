/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op: an operation's record and its kind, and the lanes that put operations in order. A part of internal.h.
 *
 * Life of an operation
 *   state     what holds                                          left by
 *   FLYING    in its context's list or its lane                   arrival at the target: effect, or HELD
 *   HELD      at the target before its turn                       the last earlier operation's effect
 *   KEPT      at the target in its turn: a policy keeps it back   the policy's verdict: effect
 *   UPDATING  payload delivered; its signal is in the atomic unit the unit is done: the word is updated
 *   RETURNING took effect, left its lane's list; reply on its way arrival at the origin
 *   OVER      not counted; its record waits for a blocked caller  the caller
 */
#ifndef PGASIM_RMA_OP_H
#define PGASIM_RMA_OP_H

#include "rma/rma.h"

struct rma_job;
struct rma_op;

struct rma_range {
    uint64_t from, to;
};

/* One of the three functions of a class, for a policy that cuts: `act` for the bytes [from, to), whole units,
 * as often as needed, then `end` (NULL: nothing is left to do). Together they equal the function. */
struct rma_pieces {
    void (*act)(struct rma_op *op, uint64_t from, uint64_t to);
    void (*end)(struct rma_op *op);
    uint64_t (*unit)(const struct rma_op *op); /* bytes; NULL: 1 */
};

/* The kinds of operations. */
enum rma_kind {
    RMA_PUT,
    RMA_PUT_NBI,
    RMA_GET,
    RMA_PUT_PACKED,
    RMA_GET_PACKED,
    RMA_PUT_SIGNAL,
    RMA_PUT_SIGNAL_NBI,
    RMA_ATOMIC_FETCH,
    RMA_ATOMIC_FETCH_NBI,
    RMA_ATOMIC_POST,
    RMA_ACCUMULATE,
    RMA_ACCUMULATE_MANY,
    RMA_GET_ACCUMULATE,
    RMA_GET_ACCUMULATE_MANY,
    RMA_COMPARE_AND_SWAP,
    RMA_CLASSES
};

/* What a kind is. The job has copies, in which the first two fields are filled in: an operation's handler
 * says all of this, so that its record needs no other pointer. */
struct rma_class {
    struct fabric_handler handler;
    struct rma_job *job;
    void (*effect)(struct rma_op *op); /* what it does at the target; NULL: only `update` acts */
    void (*arrive)(struct rma_op *op); /* what its reply does at the origin; NULL: no reply */
    void (*update)(struct rma_op *op); /* its second effect at the target, in the atomic unit; NULL: none */
    enum fabric_kind kind;
    bool ordered; /* by fence */
    bool keeps;   /* its result stays in its record, for a caller that blocks */
    bool packed;  /* its source is free at issue, whatever its size; atomics have no source */
    enum trace_type issued, effected, updated, arrived;
    /* For policies and listeners only. */
    const struct rma_pieces *effect_in, *arrive_in, *update_in; /* NULL: not divisible */
    void (*check)(const struct rma_op *op); /* compares its source, which it keeps, with what it took */
    enum rma_access access;                 /* at the target */
    bool along_items;                       /* its data lies along op->items.there and here */
    bool result;                            /* its reply's data goes to op->local */
    void (*update_of)(const struct rma_op *op, struct rma_issue *out); /* fills in `element` and `op` */
};

/* Of a lane: which of its operations have to act before those that a completion call names (need.c). */
struct rma_ahead {
    uint64_t round; /* the call's demand */
    uint64_t turn;  /* those with turns and lower numbers */
    uint32_t epoch; /* those of earlier epochs */
};

/* The operations of one context to one target: a list, in order of issue, of the ordered ones that have not
 * taken effect there, and the number of all that are not over. */
struct rma_lane {
    struct rma_op *head, *tail;
    struct rma_lane *link; /* used while the table is swept */
    uint32_t target;
    uint32_t outstanding;
    uint32_t inner;        /* of those: not locally complete at issue */
    uint32_t turns, turn;  /* of ordered accumulates: turns given so far; the current turn */
    uint32_t held;         /* operations that have arrived before their turn */
    uint32_t watched;      /* one bit for each waiter of the context that waits for this target */
    uint64_t sources_free; /* puts with lower numbers: their sources are their callers' again */
    struct rma_ahead ahead;
};

enum rma_state { RMA_FLYING, RMA_HELD, RMA_KEPT, RMA_UPDATING, RMA_RETURNING, RMA_OVER };
enum {
    RMA_AWAITED = 1,
    RMA_IN_LANE = 2,
    RMA_COMPLETE = 4,
    RMA_IN_TURN = 8,
    RMA_NOTICED = 16,
    RMA_OBSERVED = 32,    /* listeners are told of it, or: */
    RMA_POLICED = 64,     /* a policy is asked about it */
    RMA_SOURCE_FREE = 128 /* a put's source is its caller's again */
};                        /* owner_flags */
enum { RMA_BLOCKS = 1, RMA_INNER = 2, RMA_SIGNALS = 4, RMA_FAILED = 8, RMA_MARKED = 16 }; /* says */
enum { RMA_INLINE = 32, RMA_SNAPSHOT = 64 << 10 };

/* One operation, from its issue until it is complete (and its caller, if it blocks, has seen that). A
 * hundred thousand of them do not fit in the cache, so a put of one word and an atomic touch only the first
 * two lines. */
struct rma_op {
    struct fabric_op fabric; /* first; its owner_state is an rma_state, its owner_flags: RMA_AWAITED ... */
    struct rma_ctx *ctx;
    uintptr_t remote;
    uint64_t number;  /* ties its trace events together */
    int32_t call;     /* rma_op_call */
    uint32_t caller;  /* as a rank's */
    uint32_t to;      /* the target's id */
    uint8_t operator; /* of an atomic: enum rma_atomic; of an accumulate: enum types_op */
    bool inside;      /* `word` or `value` is in use, not `data` */
    uint8_t
        says; /* RMA_BLOCKS ...: for listeners; RMA_FAILED: a swap of 16 bytes changed nothing; RMA_MARKED */
    uint8_t type; /* of an update: enum types_element; for listeners */
    union {
        unsigned char word[8]; /* payload of 8 bytes or less */
        uint64_t value;        /* an atomic's operand, then the word's old value */
        void *data;            /* payload: `small`, a buffer, or NULL (uncopied) */
    };
    union {
        uintptr_t local; /* the origin's address: a get's dest; the source of a put that may see it change */
        struct engine_actor *waiter; /* RMA_AWAITED: blocks until the operation is over, then releases it */
    };
    /* the third line */
    union {
        unsigned char small[RMA_INLINE];
        struct {
            struct rma_items there, here;
        } items;
        uint64_t compare; /* of an atomic */
        struct {
            struct rma_signal update;
            unsigned char room[8]; /* instead of `small` */
        } signal;
    };
    struct rma_lane *lane;      /* RMA_IN_LANE; else it is in its context's list */
    struct rma_op *next, *prev; /* in its lane */
    uint32_t epoch;             /* in its lane */
    uint32_t turn;              /* RMA_IN_TURN: among the accumulates of its lane */
    /* the rest */
    struct rma_notice *notice;         /* RMA_NOTICED */
    struct engine_actor *waiter_apart; /* instead of `waiter`, if `local` is in use */
    uint64_t mark;                     /* RMA_MARKED: the front end's number */
};

/* Records begin at cache lines. Of an odd number of lines, so that those in use share no sets of a cache. */
enum { RMA_OP_SHORT = 128, RMA_OP_ROOM = (sizeof(struct rma_op) + 63) / 128 * 128 + 64 };
_Static_assert(offsetof(struct rma_op, small) == RMA_OP_SHORT, "two cache lines");
_Static_assert(offsetof(struct rma_op, notice) == 192, "three cache lines");
_Static_assert(RMA_OP_ROOM >= sizeof(struct rma_op), "room");

static inline void rma_pieces_all(const struct rma_pieces *in, struct rma_op *op)
{
    in->act(op, 0, op->fabric.bytes);
    if (in->end)
        in->end(op);
}

static inline const struct rma_class *rma_op_class(const struct rma_op *op)
{
    return BASE_CONTAINER(op->fabric.handler, const struct rma_class, handler);
}
static inline const char *rma_op_call(const struct rma_op *op)
{
    return rank_call_of(op->call);
}
static inline struct rma_job *rma_op_job(const struct rma_op *op)
{
    return rma_op_class(op)->job;
}
static inline void *rma_op_data(const struct rma_op *op)
{
    return op->inside ? (void *)(uintptr_t)op->word : op->data;
}

/* Who blocks for it. One that takes its result from the record has nothing in `local`. */
static inline struct engine_actor **rma_op_waiter(struct rma_op *op)
{
    return rma_op_class(op)->keeps ? &op->waiter : &op->waiter_apart;
}

/* Its lane; NULL: it is in its context's list. */
static inline struct rma_lane *rma_op_lane(const struct rma_op *op)
{
    return BASE_UNLIKELY(op->fabric.owner_flags & RMA_IN_LANE) ? op->lane : NULL;
}
static inline uint32_t rma_op_epoch(const struct rma_op *op)
{
    return BASE_UNLIKELY(op->fabric.owner_flags & RMA_IN_LANE) ? op->epoch : 0;
}

/* Its turn: no earlier epoch and no earlier ordered accumulate is in its lane. */
static inline bool rma_lane_turn(const struct rma_op *op)
{
    const struct rma_lane *l = op->lane;
    return l->head->epoch == op->epoch &&
           (BASE_LIKELY(!(op->fabric.owner_flags & RMA_IN_TURN)) || op->turn == l->turn);
}

/* notice.c */
void rma_notice_attach(struct rma_op *op);
void rma_notice_complete(const struct rma_op *op, double known);
void rma_notice_nothing(struct rma_ctx *c); /* the call moves nothing */

/* issue.c, op.c */
extern const struct rma_op *rma_acting; /* whose bytes are being read or written in an event; NULL: none's */
struct rma_op *rma_op_create(struct rma_ctx *c, enum rma_kind class, struct rma_target t, uint64_t bytes,
                             const char *call);
void *rma_op_buffer(struct rma_op *op); /* room for the payload, in op->data */

void rma_op_issue(struct rma_op *op);
void rma_op_finish(struct rma_op *op); /* blocks until it is over; the caller may read it, then destroys it */
void rma_op_destroy(struct rma_op *op);
void rma_op_handle(struct rma_job *j); /* fills in the classes; again when it has become observed */
extern const struct rma_class rma_put_class, rma_put_nbi_class, rma_get_class, rma_put_packed_class,
    rma_get_packed_class, rma_put_signal_class, rma_put_signal_nbi_class, rma_atomic_fetch_class,
    rma_atomic_fetch_nbi_class, rma_atomic_post_class, rma_accumulate_class, rma_accumulate_many_class,
    rma_get_accumulate_class, rma_get_accumulate_many_class, rma_swap_class;
/* What a policy has put off: the step, and what follows it. `acted`: the step's bytes have been dealt with,
 * in pieces. Then rma_op_let_next, with the lane (NULL: none) and the epoch that the operation had before. */
void rma_op_step(struct rma_op *op, enum rma_step step, bool acted);
void rma_op_let_next(struct rma_lane *l, uint32_t epoch);
void rma_op_charge(struct rma_ctx *c, enum fabric_work work, const struct rank *target, uint64_t bytes);
void rma_pack_charge(const struct rma_ctx *c, uint64_t bytes); /* its rank packs or unpacks so many */
enum fabric_work rma_work(unsigned op); /* what a library is called for: of an rma_atomic or types_op */

#endif
