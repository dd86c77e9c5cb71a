/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of rma/ share. rma.c keeps the job's and the ranks' parts; ctx.c contexts, quiet
 * and fence; lane.c the order of operations to one target; op.c the life of an operation; notice.c reports
 * of its completion; move.c put and get; items.c both of items of layouts; signal.c put-with-signal;
 * atomic.c atomics; accumulate.c accumulates; word.c numbers of words; source.c sources that change; ack.c
 * acknowledgements; wait.c waiting; policy.c, need.c the job's policy (fate.h); listen.c its listeners.
 *
 *   context ---- operations in order of issue (R2)
 *           `--- after a fence or a quiet to some targets: a lane for each target ---- operations (R2, R3)
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
#ifndef PGASIM_RMA_INTERNAL_H
#define PGASIM_RMA_INTERNAL_H

#include "rma/rma.h"

#include "base/table.h"

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

/* A kind of operation. */
struct rma_class {
    void (*effect)(struct rma_op *op); /* what it does at the target; NULL: only `update` acts */
    void (*arrive)(struct rma_op *op); /* what its reply does at the origin; NULL: no reply */
    void (*update)(struct rma_op *op); /* its second effect at the target, in the atomic unit; NULL: none */
    enum fabric_kind kind;
    bool ordered; /* by fence */
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

/* The operations of one context to one target: a list, in order of issue, of the ordered ones that have not
 * taken effect there, and the number of all that are not over. */
struct rma_lane {
    struct rma_op *head, *tail;
    struct rma_lane *link; /* used while the table is swept */
    uint32_t target;
    uint32_t outstanding;
    uint32_t inner;        /* of those: not locally complete at issue */
    uint32_t turns, turn;  /* of ordered accumulates: turns given so far; the current turn */
    uint32_t watched;      /* one bit for each waiter of the context that waits for this target */
    uint64_t sources_free; /* puts with lower numbers: their sources are their callers' again */
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
enum { RMA_INLINE = 32, RMA_SNAPSHOT = 64 << 10 };

/* One operation, from its issue until it is complete (and its caller, if it blocks, has seen that). A
 * hundred thousand of them do not fit in the cache, so a short put touches only three lines, up to
 * `lane`. */
struct rma_op {
    struct fabric_op
        fabric; /* first; its owner_state is an rma_state, its owner_number the epoch, its owner_flags:
                 * RMA_AWAITED ... */
    struct rma_ctx *ctx;
    struct rank *target;
    const struct rma_class *class;
    uintptr_t remote;
    void *data;      /* payload: `small`, a buffer, or NULL (uncopied) */
    uint64_t number; /* ties its trace events together */
    const char *call;
    struct engine_actor *waiter; /* RMA_AWAITED: blocks until the operation is over, then releases it */
    union {
        unsigned char small[RMA_INLINE];
        struct {
            struct rma_items there, here;
        } items;
        struct {
            struct rma_atomic_args args;
            uint64_t old;
        } atomic;
        struct {
            struct rma_signal update;
            unsigned char room[8]; /* for a short payload, instead of `small` */
        } signal;
    };
    struct rma_lane *lane;      /* RMA_IN_LANE; else it is in its context's list */
    struct rma_op *next, *prev; /* in its lane */
    uintptr_t local; /* the origin's address: a get's dest; the source of a put that may see it change */
    uint32_t turn;   /* RMA_IN_TURN: among the accumulates of its lane */
    struct rma_notice *notice; /* RMA_NOTICED */
    uint8_t operator;          /* of an accumulate: enum types_op */
};

/* notice.c */
void rma_notice_attach(struct rma_op *op);
void rma_notice_complete(const struct rma_op *op, double known);
void rma_notice_nothing(struct rma_ctx *c); /* the call moves nothing */

/* Records begin at cache lines. */
enum { RMA_OP_ROOM = (sizeof(struct rma_op) + 63) / 64 * 64 };
_Static_assert(offsetof(struct rma_op, lane) == 192, "three cache lines");

static inline void rma_pieces_all(const struct rma_pieces *in, struct rma_op *op)
{
    in->act(op, 0, op->fabric.bytes);
    if (in->end)
        in->end(op);
}

/* Its lane; NULL: it is in its context's list. */
static inline struct rma_lane *rma_op_lane(const struct rma_op *op)
{
    return BASE_UNLIKELY(op->fabric.owner_flags & RMA_IN_LANE) ? op->lane : NULL;
}

/* One of a context's operations while it has no lanes. The entry stays after the operation is over, so that
 * ending one needs no search: its record then says so, or has been reused under another number. */
struct rma_entry {
    struct rma_op *op;
    uint64_t number;
};

/* At `known` the origin learns of a delivery at `target`. */
struct rma_ack {
    double known;
    uint64_t operation;
    uint32_t target;
    bool large; /* of a large put */
};

/* An actor of a rank that waits for the rank's memory to change. */
struct rma_watch {
    struct rma_condition condition;
    struct engine_actor *actor;
    struct rma_watch *next; /* of the rank, in order of arrival */
    uint64_t cause;         /* the operation that made it hold; 0: unknown */
    bool over;              /* the condition holds; no longer in the list */
};

/* An actor in quiet. It waits for the operations with numbers below `limit`. */
struct rma_waiter {
    struct engine_actor *actor;
    struct rma_waiter *next; /* of the context, in order of arrival */
    uint64_t limit;
    double known;             /* when the origin learns of the last of them */
    uint64_t cause;           /* the number of that one */
    uint32_t left;            /* operations that it waits for */
    bool local;               /* only for operations that are not locally complete at issue */
    uint32_t bit;             /* set in the lanes of its targets; 0: all targets */
    struct engine_event wake; /* at `known` */
    bool over;
};

/* What rma keeps for a rank; created when first needed. */
struct rma_rank {
    struct rma_watch *watches;
    struct rma_ctx *contexts;
    uint32_t contexts_made;
};

struct rma_job {
    struct rank_job *job;
    struct engine *engine;
    struct fabric *fabric;
    struct trace *trace;
    struct base_pool ops, lanes, contexts, ranks, watches, waiters;
    struct base_buffers buffers;
    uint64_t *arrived;         /* of each rank: operations that took effect there */
    struct base_table pages;   /* word.c */
    struct base_table layouts; /* held by operations, with the number of holders, a uint64_t (items.c) */
    const struct fabric_handler *handler;
    bool observed;       /* there is a trace, a policy or a listener */
    bool source_changed; /* warned of */
    struct rma_counts counts;
    struct rma_rules *rules; /* the policy; NULL: none */
    struct rma_ears *ears;   /* the listeners; NULL: none */
    struct rma_area source;  /* of the operation being issued, for listeners; no bytes: none */
    uint64_t cause;          /* the operation to which what happens now is due; 0: none */
};

/* Epochs count the fences that had something to order, and restart when nothing is ordered. */
struct rma_ctx {
    /* what completions touch */
    struct rma_job *job;
    double last_ack;      /* when the origin learns of the last delivery so far */
    uint64_t last_acked;  /* the number of that operation */
    struct rma_ack *acks; /* a ring: those on their way, and some that have arrived */
    uint32_t ack_head, ack_n, ack_cap;
    uint32_t outstanding; /* operations not over */
    struct rma_waiter *waiters;
    uint64_t completed[2]; /* as in struct rma_progress */
    /* what issues touch besides */
    struct rma_entry *list; /* operations not in lanes, in order of issue; some are over */
    uint32_t listed, list_cap;
    uint64_t issued[2];
    struct rank *rank;
    uint64_t buffered_limit; /* of the rank's host */
    bool in_lanes;           /* all operations are in lanes, until none is outstanding */
    bool accumulates_ordered;
    struct rma_notice *notice; /* of the next operation */
    double large_known;        /* when the origin learns of the last large put so far */
    uint64_t large_last;       /* that put's number */
    uint32_t large;            /* large puts (whose sources stay in use) that are not over */
    uint32_t epoch;
    uint32_t ordered;         /* operations in lanes' lists */
    uint32_t lanes_most;      /* number of lanes at which empty ones are swept out */
    struct base_table *lanes; /* struct rma_lane *, by target; NULL: none so far */
    struct rma_lane *last_lane;
    uint32_t bits;   /* in use by waiters */
    uint32_t number; /* for traces: of the rank, from 0 */
    const struct rma_names *names;
    struct rma_ctx *next;       /* of the rank */
    struct rma_fate *fates;     /* its operations in order of issue, */
    struct rma_fate *last_fate; /* for the job's policy */
    struct rma_need *needs;     /* completion calls under way, for the same */
    uint64_t fences;            /* counted for listeners */
    uint64_t sources_free;      /* as of a lane */
} __attribute__((aligned(64)));

/* kept.c */
extern struct rank_slot rma_slot; /* a rank's: struct rma_rank *; the job's: struct rma_job */
static inline struct rma_job *rma_job_of(const struct rank *r)
{
    return rank_part(r->job, &rma_slot);
}
struct rma_rank *rma_rank_create(struct rank *r);
static inline struct rma_rank *rma_rank_of(struct rank *r)
{
    struct rma_rank *k = rank_kept(r, &rma_slot);
    return BASE_LIKELY(k != NULL) ? k : rma_rank_create(r);
}

/* lane.c */
struct rma_lane *rma_lane_find(const struct rma_ctx *c, uint32_t target); /* NULL: it has none */
void rma_lanes_begin(struct rma_ctx *c);
void rma_list_sweep(struct rma_ctx *c); /* makes room in its list */
void rma_lane_enter(struct rma_op *op); /* counts it; if ordered, appends it to the list */
void rma_lane_leave(struct rma_op *op); /* the list */
void rma_lanes_release(struct rma_ctx *c);
/* Its turn: no earlier epoch and no earlier ordered accumulate is in its lane. */
static inline bool rma_lane_turn(const struct rma_op *op)
{
    const struct rma_lane *l = op->lane;
    return l->head->fabric.owner_number == op->fabric.owner_number &&
           (BASE_LIKELY(!(op->fabric.owner_flags & RMA_IN_TURN)) || op->turn == l->turn);
}

/* op.c */
struct rma_op *rma_op_create(struct rma_ctx *c, const struct rma_class *class, struct rma_target t,
                             uint64_t bytes, const char *call);
void *rma_op_buffer(struct rma_op *op); /* room for the payload, in op->data */

void rma_op_issue(struct rma_op *op);
void rma_op_finish(struct rma_op *op); /* blocks until it is over; the caller may read it, then destroys it */
void rma_op_destroy(struct rma_op *op);
const struct fabric_handler *rma_op_handler(bool observed);
/* What a policy has put off: the step, and what follows it. `acted`: the step's bytes have been dealt with,
 * in pieces. Then rma_op_let_next, with the lane (NULL: none) and the epoch that the operation had before. */
void rma_op_step(struct rma_op *op, enum rma_step step, bool acted);
void rma_op_let_next(struct rma_lane *l, uint32_t epoch);
void rma_op_charge(struct rma_ctx *c, enum fabric_kind kind, const struct rank *target, uint64_t bytes);

/* move.c: what put-with-signal shares with put. */
void rma_put_take(struct rma_op *op, const void *source, void *room, size_t size, enum rma_mode mode);
void rma_put_effect(struct rma_op *op);
extern const struct rma_pieces rma_put_pieces;
void rma_put_issue(struct rma_op *op, enum rma_mode mode);

/* items.c */
static inline uint64_t rma_items_bytes(const struct rma_items *it)
{
    return it->count * types_layout_size(it->layout);
}
/* The items' bytes, from the first to the last, in this process; NULL: not contiguous. */
char *rma_items_direct(struct rank *r, uintptr_t address, const struct rma_items *it, int64_t *low,
                       int64_t *high);
/* The bytes [range.from, range.to) of the items' data, which `packed` begins with. */
void rma_items_read(struct rank *r, uintptr_t address, const struct rma_items *it, struct rma_range range,
                    void *packed);
void rma_items_write(struct rank *r, uintptr_t address, const struct rma_items *it, struct rma_range range,
                     void *packed);
/* The reply's data goes along op->items.here. */
void rma_items_arrive(struct rma_op *op);
extern const struct rma_pieces rma_items_arrival;
void rma_layout_hold(struct rma_job *j, const struct types_layout *l);
void rma_layout_drop(struct rma_job *j, const struct types_layout *l);
void rma_layouts_release(struct rma_job *j);
void rma_items_take(struct rma_op *op, const void *source, const struct rma_items *here);
void rma_items_charge(struct rma_ctx *c, struct rma_target t, uint64_t bytes);

/* Whether its source stays in use until the put is complete. */
static inline bool rma_op_is_large(const struct rma_op *op)
{
    return BASE_UNLIKELY(op->fabric.bytes > op->ctx->buffered_limit) && !op->class->arrive &&
           !op->class->packed;
}
static inline bool rma_op_is_local(const struct rma_op *op)
{
    return !op->class->arrive && !rma_op_is_large(op);
}

/* A put that is not copied at its issue. */
static inline bool rma_op_reads_late(const struct rma_op *op)
{
    return op->class->kind == FABRIC_PUT && !op->class->packed && !op->data && op->fabric.bytes;
}

/* A context's own list, used until lanes are needed. */
static inline void rma_list_enter(struct rma_ctx *c, struct rma_op *op)
{
    if (c->outstanding == 1) /* the only one */
        c->listed = 0;
    if (BASE_UNLIKELY(c->listed == c->list_cap))
        rma_list_sweep(c);
    c->list[c->listed++] = (struct rma_entry){op, op->number};
}

/* ack.c: when the origin learns of deliveries. */
void rma_ack_add(struct rma_ctx *c, const struct rma_ack *a);
/* The last acknowledgement from these targets, or the last of a large put: when it arrives, and its
 * operation. */
double rma_ack_last(const struct rma_ctx *c, const uint32_t *targets, size_t n, bool large,
                    uint64_t *operation);
void rma_acks_release(struct rma_ctx *c);

/* policy.c: an operation's fate (fate.h) */
void rma_fate_begin(struct rma_op *op);
void rma_fate_end(const struct rma_op *op);
void rma_fate_behind(struct rma_op *op);                      /* arrived before its turn */
void rma_fate_arrived(struct rma_op *op, enum rma_step step); /* asks */
/* The sources of puts below `limit` become free: those of a lane, or (NULL) all. */
void rma_sources_ask(struct rma_ctx *c, uint64_t limit, const struct rma_lane *l);

/* need.c */
void rma_rules_release(struct rma_job *j);
/* A quiet, or a blocking call for one operation, begins; and ends. */
struct rma_need *rma_need_quiet(struct rma_ctx *c, const struct rma_waiter *w);
struct rma_need *rma_need_one(struct rma_ctx *c, uint64_t number);
void rma_need_end(struct rma_need *n);
void rma_need_over(struct rma_ctx *c, uint64_t number); /* this operation is complete */
/* r waits for bytes of its memory, or has looked at them in vain. */
void rma_need_memory(struct rank *r, uintptr_t low, uintptr_t high, enum rma_reason why);

/* listen.c */
void rma_observe(struct rma_job *j);
void rma_ears_release(struct rma_job *j);
struct rma_area rma_area_of(const struct rma_op *op, enum rma_step step);
bool rma_op_touches(const struct rma_op *op, enum rma_step step, const struct rank *r, uintptr_t low,
                    uintptr_t high);
void rma_emit(const struct rma_op *op, enum rma_step step, bool acted);
void rma_emit_issued(struct rma_op *op);
void rma_emit_completed(const struct rma_op *op, double known);
void rma_emit_piece(const struct rma_op *op, enum rma_step step, uint64_t from, uint64_t to);
void rma_emit_source(struct rma_op *op, const void *source, const struct rma_items *items);
void rma_emit_finished(const struct rma_op *op, struct rma_need *n); /* its blocked caller goes on */
void rma_emit_stored(struct rank *r, uintptr_t address, size_t bytes);
void rma_emit_sync(const struct rma_job *j, const struct rma_sync *s);
void rma_cause(struct rma_job *j, uint64_t number); /* of what happens now; 0: none */

/* ctx.c */
struct rma_done { /* an operation that is over */
    const struct rma_lane *lane;
    uint64_t number;
    double known; /* when the origin knows */
    bool local;   /* it was locally complete at its issue */
};
void rma_ctx_completed(struct rma_ctx *c, const struct rma_done *d);

/* wait.c */
void rma_stored(struct rank *r); /* one of its threads makes a call, and may have stored anything before */
void rma_watches_check(struct rank *r, uintptr_t low, uintptr_t high);
static inline void rma_changed(struct rank *r, uintptr_t address, size_t bytes)
{
    if (BASE_UNLIKELY(r->watching)) /* W1: in a cache line that the access touched anyway */
        rma_watches_check(r, address, address + bytes);
}

/* source.c: has a nonblocking put's source changed? `room` is that of rma_put_take, which holds the checksum
 * of a source that is not copied. */
void rma_source_begin(void);
uint64_t rma_source_sum(struct rank *r, uintptr_t source, size_t bytes);
void rma_source_check(const struct rma_op *op, const void *room);
bool rma_source_is_free(const struct rma_op *op); /* its caller may change it */

#endif
