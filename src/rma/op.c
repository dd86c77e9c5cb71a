/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op: the life of a one-sided operation (table in internal.h): issue, arrival at the target, its turn,
 * arrival at the origin, completion. What it does to memory is its class's business.
 *
 * Invariants (also R1 of rma.h)
 *  O1  An operation's record is destroyed once: by its completion, or by the caller that blocks for it.
 */
#include "rma/internal.h"

#include <inttypes.h>

/* After the step. */
static inline void emit(const struct rma_op *op, enum rma_step step, bool acted)
{
    if (BASE_UNLIKELY(op->ctx->job->observed))
        rma_emit(op, step, acted);
}

/* Operations come in bursts, and with thousands of ranks the records are not in the cache: the next one is
 * prefetched while this one is filled. */
static inline void prefetch_next(const struct rma_job *j)
{
    const char *next = j->ops.free;
    for (size_t at = 0; next && at < offsetof(struct rma_op, lane); at += 64)
        __builtin_prefetch(next + at, 1);
}

struct rma_op *rma_op_create(struct rma_ctx *c, const struct rma_class *class, struct rma_target t,
                             uint64_t bytes, const char *call)
{
    struct rma_job *j = c->job;
    struct rma_op *op = base_pool_get(&j->ops);
    prefetch_next(j);
    op->target = t.rank;
    op->fabric.handler = j->handler;
    op->fabric.bytes = bytes;
    op->fabric.origin = c->rank->host;
    op->fabric.target = op->target->host;
    op->fabric.server = op->target->server;
    op->fabric.kind = class->kind;
    op->class = class;
    op->ctx = c;
    op->fabric.owner_flags = 0;
    op->remote = t.address;
    op->data = NULL;
    op->call = call;
    op->number = rank_operation_number(j->job);
    return op;
}

void *rma_op_buffer(struct rma_op *op)
{
    return op->data = base_buffers_get(&op->ctx->job->buffers, op->fabric.bytes);
}

void rma_op_destroy(struct rma_op *op)
{
    struct rma_job *j = op->ctx->job;
    if (op->data && (uintptr_t)op->data - (uintptr_t)op >= sizeof *op)
        base_buffers_put(&j->buffers, op->data, op->fabric.bytes);
    base_pool_put(&j->ops, op);
}

/* Seconds of the origin's CPU until the network card has the operation. */
void rma_op_charge(struct rma_ctx *c, enum fabric_kind kind, const struct rank *target, uint64_t bytes)
{
    struct rma_job *j = c->job;
    uint32_t origin_host = c->rank->host, target_host = target->host;
    rank_spend(c->rank, fabric_host_issue_cost(j->fabric, kind, bytes, origin_host, target_host));
}

void rma_op_issue(struct rma_op *op)
{
    op->fabric.owner_state = RMA_FLYING;
    op->ctx->outstanding++;
    op->ctx->issued[op->class->arrive != NULL]++;
    if (rma_op_is_large(op))
        op->ctx->large++;
    if (BASE_UNLIKELY(op->ctx->notice))
        rma_notice_attach(op);
    if (BASE_UNLIKELY(op->ctx->in_lanes))
        rma_lane_enter(op);
    else
        rma_list_enter(op->ctx, op);
    if (BASE_UNLIKELY(op->ctx->job->observed))
        rma_emit_issued(op);
    fabric_issue_at(op->ctx->job->fabric, &op->fabric, rank_now(op->ctx->rank));
}

/* --- completion --------------------------------------------------------------------------------- */

static void wake_event(struct engine *e, struct engine_event *ev)
{
    struct rma_op *op = BASE_CONTAINER(ev, struct rma_op, fabric.event);
    op->fabric.owner_state = RMA_OVER;
    engine_wake_for(e, op->waiter, op->number);
}

static __attribute__((noinline)) void tell_completion(const struct rma_op *op, double known)
{
    if (op->fabric.owner_flags & RMA_OBSERVED)
        rma_emit_completed(op, known);
    if (op->fabric.owner_flags & RMA_NOTICED)
        rma_notice_complete(op, known);
}

/* The origin knows `delay` seconds from now that the operation is complete. */
static void complete(struct rma_op *op, double delay)
{
    struct rma_ctx *c = op->ctx;
    struct rma_lane *l = rma_op_lane(op);
    struct engine *e = c->job->engine;
    uint64_t number = op->number;
    double known = engine_now(e) + delay;
    if (known > c->last_ack) {
        c->last_ack = known;
        c->last_acked = number;
    }
    if (delay > 0)
        rma_ack_add(c, &(struct rma_ack){known, number, op->target->id, rma_op_is_large(op)});
    op->fabric.owner_flags |= RMA_COMPLETE;
    if (rma_op_is_large(op)) {
        c->large--;
        c->large_known = known;
        c->large_last = number;
    }
    if (BASE_UNLIKELY(op->fabric.owner_flags & (RMA_NOTICED | RMA_OBSERVED)))
        tell_completion(op, known);
    struct rma_done done = {l, number, known, rma_op_is_local(op)};
    if (BASE_UNLIKELY(l != NULL)) {
        l->outstanding--;
        l->inner -= !done.local;
    }
    c->completed[op->class->arrive != NULL]++;
    if (--c->outstanding == 0) {
        c->in_lanes = false;
        c->epoch = 0;
    }
    if (!(op->fabric.owner_flags & RMA_AWAITED)) {
        rma_op_destroy(op);
    } else if (delay > 0) {
        engine_event_init(&op->fabric.event, wake_event);
        engine_event_at(e, &op->fabric.event, known);
    } else {
        wake_event(e, &op->fabric.event);
    }
    if (BASE_UNLIKELY(c->waiters))
        rma_ctx_completed(c, &done);
}

/* All that it does at the target is done. */
static void go_back(struct rma_op *op)
{
    struct fabric *f = op->ctx->job->fabric;
    op->ctx->job->arrived[op->target->id]++;
    if (op->class->arrive) {
        op->fabric.owner_state = RMA_RETURNING;
        fabric_reply(f, &op->fabric);
    } else {
        complete(op, fabric_ack_delay(f, &op->fabric));
    }
}

/* Its turn has come. While its signal is on its way through the atomic unit it stays in its lane: later
 * epochs wait for that, too. `acted`, here and below: the bytes have been dealt with. */
static inline void take_effect(struct rma_op *op, bool acted)
{
    const struct rma_class *class = op->class;
    if (class->update) {
        if (class->effect) {
            if (!acted)
                class->effect(op);
            emit(op, RMA_AT_TARGET, acted);
        }
        op->fabric.owner_state = RMA_UPDATING;
        fabric_update(op->ctx->job->fabric, &op->fabric);
        return;
    }
    if (rma_op_lane(op) && class->ordered)
        rma_lane_leave(op);
    if (!acted)
        class->effect(op);
    emit(op, RMA_AT_TARGET, acted);
    go_back(op);
}

static inline void finish_update(struct rma_op *op, bool acted)
{
    if (!acted)
        op->class->update(op);
    emit(op, RMA_IN_UNIT, acted);
    if (rma_op_lane(op))
        rma_lane_leave(op);
    go_back(op);
}

static inline void finish_reply(struct rma_op *op, bool acted)
{
    if (!acted)
        op->class->arrive(op);
    emit(op, RMA_AT_ORIGIN, acted);
    complete(op, 0);
}

void rma_op_step(struct rma_op *op, enum rma_step step, bool acted)
{
    if (step == RMA_AT_TARGET)
        take_effect(op, acted);
    else if (step == RMA_IN_UNIT)
        finish_update(op, acted);
    else
        finish_reply(op, acted);
}

/* The lane's oldest epoch or current turn changed: operations that waited for that take effect, in order of
 * issue. */
static void release_held(struct rma_lane *l)
{
    while (l->head) {
        uint32_t epoch = l->head->fabric.owner_number;
        struct rma_op *next;
        for (struct rma_op *op = l->head; op && op->fabric.owner_number == epoch; op = next) {
            next = op->next;
            if (op->fabric.owner_state != RMA_HELD || !rma_lane_turn(op))
                continue;
            if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_POLICED))
                rma_fate_arrived(op, RMA_AT_TARGET);
            else
                take_effect(op, false);
        }
        if (l->head && l->head->fabric.owner_number == epoch)
            return;
    }
}

/* An operation of this epoch has taken effect. */
static inline void let_next(struct rma_lane *l, uint32_t epoch)
{
    if (l->head && (l->head->fabric.owner_number != epoch || l->turn != l->turns))
        release_held(l);
}

/* The memory that it will touch, and what the origin keeps in it. */
static void soon(const struct fabric_op *fop, bool at_origin)
{
    const struct rma_op *op = BASE_CONTAINER(fop, const struct rma_op, fabric);
    if (at_origin)
        __builtin_prefetch(op->ctx, 1);
    else if (!rank_ahead_on) /* asking for the place may mean waiting */
        __builtin_prefetch(rank_direct(op->target, op->remote, 1), 1);
}

static void at_target(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_lane *l = rma_op_lane(op);
    if (!l || !op->class->ordered) {
        take_effect(op, false);
        return;
    }
    if (!rma_lane_turn(op)) {
        op->fabric.owner_state = RMA_HELD;
        return;
    }
    uint32_t epoch = op->fabric.owner_number;
    take_effect(op, false);
    let_next(l, epoch);
}

static void updated(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = op->fabric.owner_number;
    finish_update(op, false);
    if (l)
        let_next(l, epoch);
}

static void at_origin(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    finish_reply(BASE_CONTAINER(fop, struct rma_op, fabric), false);
}

/* Its rank ends, or all do. The record stays in its list until the job's end: nobody asks for it any more. */
static void failed(struct fabric *f, struct fabric_op *fop, const struct fabric_failure *why)
{
    const struct rma_op *op = BASE_CONTAINER(fop, const struct rma_op, fabric);
    char text[200];
    snprintf(text, sizeof text, "%s of %" PRIu64 " bytes to rank %" PRIu32 " (host %.100s)", op->call,
             op->fabric.bytes, op->target->id, platform_host(fabric_platform(f), op->target->host)->name);
    rank_operation_failed(op->ctx->rank, text, why);
}

static const struct fabric_handler handler = {at_target, at_origin, updated, failed, soon};

void rma_op_let_next(struct rma_lane *l, uint32_t epoch)
{
    if (l)
        let_next(l, epoch);
}

/* With a trace, whatever an arrival causes refers to its operation; and a policy may put it off. */
static void observe(struct fabric_op *fop, enum rma_step step,
                    void (*arrived)(struct fabric *f, struct fabric_op *fop))
{
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_job *j = op->ctx->job;
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = op->fabric.owner_number;
    rma_cause(j, op->number);
    if (!(op->fabric.owner_flags & RMA_POLICED)) {
        arrived(j->fabric, fop);
    } else if (step == RMA_AT_TARGET && l && op->class->ordered && !rma_lane_turn(op)) {
        op->fabric.owner_state = RMA_HELD;
        rma_fate_behind(op);
    } else {
        rma_fate_arrived(op, step);
        rma_op_let_next(l, epoch);
    }
    rma_cause(j, 0);
}

static void observed_at_target(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    observe(fop, RMA_AT_TARGET, at_target);
}

static void observed_updated(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    observe(fop, RMA_IN_UNIT, updated);
}

static void observed_at_origin(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    observe(fop, RMA_AT_ORIGIN, at_origin);
}

static const struct fabric_handler observed_handler = {observed_at_target, observed_at_origin,
                                                       observed_updated, failed, soon};

const struct fabric_handler *rma_op_handler(bool observed)
{
    return observed ? &observed_handler : &handler;
}

/* --- a caller that blocks ----------------------------------------------------------------------- */

static void describe(const void *arg, char *buf, size_t size)
{
    const struct rma_op *op = arg;
    snprintf(buf, size, "%" PRIu64 " bytes at 0x%" PRIxPTR " of rank %" PRIu32, op->fabric.bytes, op->remote,
             op->target->id);
}

void rma_op_finish(struct rma_op *op)
{
    struct engine *e = op->ctx->job->engine;
    struct engine_reason why = {op->call, describe, op};
    struct rma_need *need = NULL;
    op->waiter = engine_current(e);
    op->fabric.owner_flags |= RMA_AWAITED;
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_POLICED))
        need = rma_need_one(op->ctx, op->number);
    while (op->fabric.owner_state != RMA_OVER)
        engine_block(e, &why);
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_OBSERVED))
        rma_emit_finished(op, need);
    op->ctx->rank->ahead_until = 0; /* later than the issue, which was at the rank's own time */
}
