/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op: the life of a one-sided operation (table in op.h) after its issue (issue.c): arrival at the target, its
 * turn, arrival at the origin, completion. What it does to memory is its class's business.
 *
 * Invariants (also R1 of rma.h)
 *  O1  An operation's record is destroyed once: by its completion, or by the caller that blocks for it.
 */
#include "rma/internal.h"

#include <inttypes.h>

/* After the step. */
static inline void emit(const struct rma_op *op, enum rma_step step, bool acted)
{
    if (BASE_UNLIKELY(rma_op_job(op)->observed))
        rma_emit(op, step, acted);
}

void rma_op_destroy(struct rma_op *op)
{
    struct rma_job *j = rma_op_job(op);
    if (BASE_UNLIKELY(!op->inside && op->data) && (uintptr_t)op->data - (uintptr_t)op >= sizeof *op)
        base_buffers_put(&j->buffers, op->data, op->fabric.bytes);
    base_pool_put(&j->ops, op);
}

/* --- completion --------------------------------------------------------------------------------- */

static void wake_event(struct engine *e, struct engine_event *ev)
{
    struct rma_op *op = BASE_CONTAINER(ev, struct rma_op, fabric.event);
    op->fabric.owner_state = RMA_OVER;
    engine_wake_for(e, *rma_op_waiter(op), op->number);
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
        rma_ack_add(c, &(struct rma_ack){known, number, op->to, rma_op_is_large(op)});
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
    c->completed[rma_op_class(op)->arrive != NULL]++;
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

const struct rma_op *rma_acting;

/* If it faults, the report names the operation. */
static inline void act(struct rma_op *op, enum rma_step step, void (*fn)(struct rma_op *op))
{
    rma_acting = op;
    if (BASE_UNLIKELY(op->says & RMA_MARKED))
        rma_mark_begin(op, step);
    fn(op);
    if (BASE_UNLIKELY(op->says & RMA_MARKED))
        rma_mark_end(op);
    rma_acting = NULL;
}

/* All that it does at the target is done. */
static void go_back(struct rma_op *op)
{
    struct fabric *f = rma_op_job(op)->fabric;
    rma_op_job(op)->arrived[op->to]++;
    if (rma_op_class(op)->arrive) {
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
    const struct rma_class *class = rma_op_class(op);
    if (class->update) {
        if (class->effect) {
            if (!acted)
                act(op, RMA_AT_TARGET, class->effect);
            emit(op, RMA_AT_TARGET, acted);
        }
        op->fabric.owner_state = RMA_UPDATING;
        fabric_update(rma_op_job(op)->fabric, &op->fabric);
        return;
    }
    if (rma_op_lane(op) && class->ordered)
        rma_lane_leave(op);
    if (!acted)
        act(op, RMA_AT_TARGET, class->effect);
    emit(op, RMA_AT_TARGET, acted);
    go_back(op);
}

static inline void finish_update(struct rma_op *op, bool acted)
{
    if (!acted)
        act(op, RMA_IN_UNIT, rma_op_class(op)->update);
    emit(op, RMA_IN_UNIT, acted);
    if (rma_op_lane(op))
        rma_lane_leave(op);
    go_back(op);
}

static inline void finish_reply(struct rma_op *op, bool acted)
{
    if (!acted)
        act(op, RMA_AT_ORIGIN, rma_op_class(op)->arrive);
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

static void hold(struct rma_op *op)
{
    op->fabric.owner_state = RMA_HELD;
    op->lane->held++;
}

/* The lane's oldest epoch (`all`) or current turn changed: operations that waited for that take effect, in
 * order of issue. Where only the turn has changed, one whose turn has not come ends the search. */
static void release_held(struct rma_lane *l, bool all)
{
    for (; l->head && l->held; all = true) {
        uint32_t epoch = l->head->epoch;
        struct rma_op *next;
        for (struct rma_op *op = l->head; op && op->epoch == epoch && l->held; op = next) {
            next = op->next;
            if (op->fabric.owner_state != RMA_HELD || !rma_lane_turn(op)) {
                if (!all && op->fabric.owner_flags & RMA_IN_TURN)
                    break;
                continue;
            }
            l->held--;
            if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_POLICED))
                rma_fate_arrived(op, RMA_AT_TARGET);
            else
                take_effect(op, false);
        }
        if (l->head && l->head->epoch == epoch)
            return;
    }
}

/* An operation of this epoch has taken effect. */
static inline void let_next(struct rma_lane *l, uint32_t epoch)
{
    if (BASE_UNLIKELY(l->held) && l->head && (l->head->epoch != epoch || l->turn != l->turns))
        release_held(l, l->head->epoch != epoch);
}

/* The memory that it will touch, and what the origin keeps in it. */
static void soon(const struct fabric_op *fop, bool at_origin)
{
    const struct rma_op *op = BASE_CONTAINER(fop, const struct rma_op, fabric);
    if (at_origin)
        __builtin_prefetch(op->ctx, 1);
    else if (!rank_ahead_on) /* asking for the place may mean waiting */
        __builtin_prefetch(rank_direct(rma_op_target(op), op->remote, 1), 1);
}

static void at_target(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_lane *l = rma_op_lane(op);
    if (!l || !rma_op_class(op)->ordered) {
        take_effect(op, false);
        return;
    }
    if (!rma_lane_turn(op)) {
        hold(op);
        return;
    }
    uint32_t epoch = op->epoch;
    take_effect(op, false);
    let_next(l, epoch);
}

static void updated(struct fabric *f, struct fabric_op *fop)
{
    (void)f;
    struct rma_op *op = BASE_CONTAINER(fop, struct rma_op, fabric);
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = rma_op_epoch(op);
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
    snprintf(text, sizeof text, "%s of %" PRIu64 " bytes to rank %" PRIu32 " (host %.100s)", rma_op_call(op),
             op->fabric.bytes, op->to, platform_host(fabric_platform(f), rma_op_target(op)->host)->name);
    rank_operation_failed(op->ctx->rank, text, why);
}

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
    struct rma_job *j = rma_op_job(op);
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = rma_op_epoch(op);
    rma_cause(j, op->number);
    if (!(op->fabric.owner_flags & RMA_POLICED)) {
        arrived(j->fabric, fop);
    } else if (step == RMA_AT_TARGET && l && rma_op_class(op)->ordered && !rma_lane_turn(op)) {
        hold(op);
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

void rma_op_handle(struct rma_job *j)
{
    static const struct fabric_handler seen = {.at_target = observed_at_target,
                                               .at_origin = observed_at_origin,
                                               .updated = observed_updated,
                                               .failed = failed,
                                               .soon = soon,
                                               .describe = rma_op_describe,
                                               .page = rma_op_page},
                                       unseen = {.at_target = at_target,
                                                 .at_origin = at_origin,
                                                 .updated = updated,
                                                 .failed = failed,
                                                 .soon = soon,
                                                 .describe = rma_op_describe,
                                                 .page = rma_op_page};
    for (size_t k = 0; k < RMA_CLASSES; k++) {
        j->classes[k].handler = j->observed ? seen : unseen;
        j->classes[k].handler.fabric = j->fabric;
        j->classes[k].job = j;
    }
}
