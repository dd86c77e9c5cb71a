/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of rma/ share. rma.c keeps the job's and the ranks' parts; ctx.c contexts, quiet
 * and fence; lane.c the order of operations to one target; issue.c and op.c the life of an operation
 * (op.h); notice.c reports of its completion; move.c put and get; items.c both of items of layouts, along.c
 * memory along these; signal.c put-with-signal; atomic.c atomics; accumulate.c accumulates; word.c numbers of
 * words; source.c sources that change; ack.c acknowledgements; wait.c waiting; policy.c, need.c the job's
 * policy (fate.h); listen.c its listeners; area.c which memory operations touch;
 * mark.c operations that a front end numbers.
 *
 *   context ---- operations in order of issue (R2)
 *           `--- after a fence or a quiet to some targets: a lane for each target ---- operations (R2, R3)
 */
#ifndef PGASIM_RMA_INTERNAL_H
#define PGASIM_RMA_INTERNAL_H

#include "rma/op.h"

#include "base/table.h"

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
    uint64_t mark;    /* of its first thread's next operation; 0: it gets none */
    uint64_t counted; /* operations of its first thread (causes.c) */
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
    struct base_table frames;  /* of pages that a card or a core's caches have seen: a uint64_t (word.c) */
    uint64_t *frames_used;     /* of each host; NULL: none */
    struct base_table layouts; /* held by operations, with the number of holders, a uint64_t (items.c) */
    struct rma_class classes[RMA_CLASSES];
    bool observed; /* there is a trace, a policy or a listener */
    struct rma_counts counts;
    struct rma_rules *rules;          /* the policy; NULL: none */
    struct rma_ears *ears;            /* the listeners; NULL: none */
    struct rma_area source, compared; /* of the operation being issued, for listeners; no bytes: none */
    uint32_t *first_at;               /* of each host its first rank (traced_cards.c); NULL: not traced */
    uint64_t cause;                   /* the operation to which what happens now is due; 0: none */
    rma_mark_fn marked;               /* is told of operations with marks; NULL: nobody is */
    void *marked_arg;
    struct base_table marks;     /* rank and further thread -> mark, a uint64_t */
    struct rma_marked acting;    /* whose bytes change now; mark 0: none's */
    struct rma_writers *writers; /* of a run that is recorded; else NULL */
    struct rma_effects *effects; /* of a replay; else NULL */
    struct rma_awaited *awaited; /* players that wait for memory of any rank (causes.c), */
    rma_mark_fn ask;             /* and who asks them, with the job; NULL: there were none */
    struct base_table numbers;   /* operations counted so far, of rank and further thread: a uint64_t */
    struct base_table before; /* likewise of any thread, when its rank began its present trace (causes.c) */
    uint32_t threads;         /* no thread with a greater number has counted any */
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
    struct rma_fate *last_fate; /* for the job's policy; */
    struct rma_fate *stuck;     /* those that it keeps back */
    struct rma_need *needs;     /* completion calls under way, for the same */
    uint64_t fences;            /* counted for listeners */
    struct rma_stream stream;   /* for the same */
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

/* mark.c: an operation takes its mark; it is about to touch memory, and has. */
void rma_mark_issue(struct rma_op *op);
void rma_mark_begin(struct rma_op *op, enum rma_step step);
void rma_mark_end(struct rma_op *op);
/* causes.c: the job ends. */
void rma_causes_release(struct rma_job *j);

/* lane.c */
struct rma_lane *rma_lane_find(const struct rma_ctx *c, uint32_t target); /* NULL: it has none */
void rma_lanes_begin(struct rma_ctx *c);
void rma_list_sweep(struct rma_ctx *c); /* makes room in its list */
void rma_lane_enter(struct rma_op *op); /* counts it; if ordered, appends it to the list */
void rma_lane_leave(struct rma_op *op); /* the list */
void rma_lanes_release(struct rma_ctx *c);

/* card.c: for a card with a core. */
bool rma_op_describe(const struct fabric_op *op, bool updates, struct node_request *r);
uint64_t rma_op_page(const struct fabric_op *op, bool updates, uint64_t offset);
/* word.c */
void rma_frames_release(struct rma_job *j);
/* traced_cards.c */
void rma_cards_trace(struct rma_job *j); /* if there is a trace that wants it */
void rma_cards_release(struct rma_job *j);

static inline struct rank *rma_op_target(const struct rma_op *op)
{
    return rank_at(rma_op_job(op)->job, op->to);
}

/* move.c: what put-with-signal shares with put. */
void rma_put_take(struct rma_op *op, const void *source, void *room, size_t size, enum rma_mode mode);
void rma_put_effect(struct rma_op *op);
extern const struct rma_pieces rma_put_pieces;
void rma_put_issue(struct rma_op *op, enum rma_mode mode);

/* along.c */
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
/* items.c: the reply's data goes along op->items.here. */
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
    return BASE_UNLIKELY(op->fabric.bytes > op->ctx->buffered_limit) && !rma_op_class(op)->arrive &&
           !rma_op_class(op)->packed;
}
static inline bool rma_op_is_local(const struct rma_op *op)
{
    return !rma_op_class(op)->arrive && !rma_op_is_large(op);
}

/* A put that is not copied at its issue. */
static inline bool rma_op_reads_late(const struct rma_op *op)
{
    return rma_op_class(op)->kind == FABRIC_PUT && !rma_op_class(op)->packed && !rma_op_data(op) &&
           op->fabric.bytes;
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

/* An accumulate or atomic is about to be issued. If such operations are ordered, and it is not the only one,
 * lanes give them turns. */
static inline void rma_op_in_turn(struct rma_op *op)
{
    if (BASE_LIKELY(!op->ctx->accumulates_ordered))
        return;
    op->fabric.owner_flags |= RMA_IN_TURN;
    if (op->ctx->outstanding)
        rma_lanes_begin(op->ctx);
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

/* area.c */
bool rma_has_area(const struct rma_class *class, enum rma_step step); /* an operation of it */
struct rma_area rma_area_of(const struct rma_op *op, enum rma_step step);
/* Whose memory the step touches, and between which addresses. */
struct rank *rma_op_memory(const struct rma_op *op, enum rma_step step, uintptr_t *low, uintptr_t *high);
bool rma_op_touches(const struct rma_op *op, enum rma_step step, const struct rank *r, uintptr_t low,
                    uintptr_t high);
/* listen.c */
void rma_observe(struct rma_job *j);
void rma_ears_release(struct rma_job *j);
void rma_emit(const struct rma_op *op, enum rma_step step, bool acted);
void rma_emit_kept(const struct rma_op *op, enum rma_step step);
void rma_emit_issued(struct rma_op *op);
void rma_emit_completed(const struct rma_op *op, double known);
void rma_emit_piece(const struct rma_op *op, enum rma_step step, uint64_t from, uint64_t to);
void rma_emit_source(struct rma_op *op, const void *source, const struct rma_items *items);
void rma_emit_compared(struct rma_op *op, const void *compared);     /* a second one */
void rma_emit_finished(const struct rma_op *op, struct rma_need *n); /* its blocked caller goes on */
void rma_emit_stored(struct rank *r, uintptr_t address, size_t bytes);
void rma_emit_sync(const struct rma_job *j, const struct rma_sync *s);
/* What the API says of an operation that is about to be issued (struct rma_op's `says`). */
static inline void rma_op_blocks(struct rma_op *op, enum rma_mode mode)
{
    op->says = mode == RMA_BLOCKING ? RMA_BLOCKS : 0;
}
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

/* What a caller waits for, for reports: a struct rma_waiter (ctx.c), an operation (issue.c). */
void rma_describe_waiter(const void *arg, char *buf, size_t size);
void rma_describe_op(const void *arg, char *buf, size_t size);

#endif
