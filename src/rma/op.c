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

static void emit(const struct rma_op *op, enum trace_type type)
{
    const struct rma_job *j = op->ctx->job;
    if (BASE_LIKELY(!j->trace->on))
        return;
    trace_emit(j->trace, &(struct trace_event){.time = engine_now(j->engine),
                                               .type = type,
                                               .rank = op->ctx->rank->id,
                                               .peer = op->target->id,
                                               .op = op->number,
                                               .bytes = op->fabric.bytes,
                                               .call = op->call});
}

/* At its origin's own time, which may be ahead of the clock. */
static __attribute__((noinline)) void emit_issued(const struct rma_op *op)
{
    const struct rma_class *class = op->class;
    struct trace_event ev = {.type = class->issued,
                             .peer = op->target->id,
                             .op = op->number,
                             .bytes = op->fabric.bytes,
                             .call = op->call};
    if (trace_wants(op->ctx->job->trace, TRACE_CATEGORY_SYNC))
        ev.context = op->ctx->number;
    if (trace_wants(op->ctx->job->trace, TRACE_CATEGORY_REPLAY))
        ev.address = op->remote;
    ev.least = fabric_least(op->ctx->job->fabric, &op->fabric,
                            class->arrive != NULL && class->kind != FABRIC_PUT, class->update != NULL);
    rank_trace_emit(op->ctx->rank, &ev);
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
    if (BASE_UNLIKELY(op->ctx->job->trace->on))
        emit_issued(op);
    fabric_issue_at(op->ctx->job->fabric, &op->fabric, rank_now(op->ctx->rank));
}

/* --- completion --------------------------------------------------------------------------------- */

static void wake_event(struct engine *e, struct engine_event *ev)
{
    struct rma_op *op = BASE_CONTAINER(ev, struct rma_op, fabric.event);
    op->fabric.owner_state = RMA_OVER;
    engine_wake_for(e, op->waiter, op->number);
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
        rma_ack_add(c, op->target->id, known, number);
    op->fabric.owner_flags |= RMA_COMPLETE;
    if (rma_op_is_large(op)) {
        c->large--;
        c->large_known = known;
        c->large_last = number;
    }
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_NOTICED))
        rma_notice_complete(op, known);
    struct rma_done done = {l, number, known, rma_op_is_local(op)};
    if (BASE_UNLIKELY(l != NULL))
        l->outstanding--;
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
 * epochs wait for that, too. */
static void take_effect(struct rma_op *op)
{
    const struct rma_class *class = op->class;
    if (class->update) {
        if (class->effect) {
            class->effect(op);
            emit(op, class->effected);
        }
        op->fabric.owner_state = RMA_UPDATING;
        fabric_update(op->ctx->job->fabric, &op->fabric);
        return;
    }
    if (rma_op_lane(op) && class->ordered)
        rma_lane_leave(op);
    class->effect(op);
    emit(op, class->effected);
    go_back(op);
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
            if (op->fabric.owner_state == RMA_HELD && rma_lane_turn(op))
                take_effect(op);
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
        take_effect(op);
        return;
    }
    if (!rma_lane_turn(op)) {
        op->fabric.owner_state = RMA_HELD;
        return;
    }
    uint32_t epoch = op->fabric.owner_number;
    take_effect(op);
    let_next(l, epoch);
}

static void updated(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = op->fabric.owner_number;
    op->class->update(op);
    emit(op, op->class->updated);
    if (l)
        rma_lane_leave(op);
    go_back(op);
    if (l)
        let_next(l, epoch);
}

static void at_origin(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    op->class->arrive(op);
    emit(op, op->class->arrived);
    complete(op, 0);
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

/* With a trace, whatever an arrival causes refers to its operation. */
static void traced_at_target(struct fabric *f, struct fabric_op *fop)
{
    struct engine *e = fabric_engine(f);
    engine_cause_set(e, BASE_CONTAINER(fop, struct rma_op, fabric)->number);
    at_target(f, fop);
    engine_cause_set(e, 0);
}

static void traced_at_origin(struct fabric *f, struct fabric_op *fop)
{
    struct engine *e = fabric_engine(f);
    engine_cause_set(e, BASE_CONTAINER(fop, struct rma_op, fabric)->number);
    at_origin(f, fop);
    engine_cause_set(e, 0);
}

static void traced_updated(struct fabric *f, struct fabric_op *fop)
{
    struct engine *e = fabric_engine(f);
    engine_cause_set(e, BASE_CONTAINER(fop, struct rma_op, fabric)->number);
    updated(f, fop);
    engine_cause_set(e, 0);
}

static const struct fabric_handler traced_handler = {traced_at_target, traced_at_origin, traced_updated,
                                                     failed, soon};

const struct fabric_handler *rma_op_handler(bool traced)
{
    return traced ? &traced_handler : &handler;
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
    op->waiter = engine_current(e);
    op->fabric.owner_flags |= RMA_AWAITED;
    while (op->fabric.owner_state != RMA_OVER)
        engine_block(e, &why);
    op->ctx->rank->ahead_until = 0; /* later than the issue, which was at the rank's own time */
}
