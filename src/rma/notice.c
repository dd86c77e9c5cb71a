/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notice: tells whoever asked that one operation is complete, in an event, so that a request costs no switch
 * to its rank.
 *
 * Invariants
 *  C1  A notice is told of each of its two instants once, and of the local one first.
 */
#include "rma/internal.h"

static void tell_local(struct engine *e, struct engine_event *ev)
{
    struct rma_notice *n = BASE_CONTAINER(ev, struct rma_notice, at_local);
    (void)e;
    if (n->local)
        n->local(n);
}

static void tell_complete(struct engine *e, struct engine_event *ev)
{
    struct rma_notice *n = BASE_CONTAINER(ev, struct rma_notice, at_complete);
    (void)e;
    if (n->complete)
        n->complete(n);
}

static void later(struct engine *e, struct engine_event *ev, engine_event_fn fn, double when)
{
    engine_event_init(ev, fn);
    engine_event_at(e, ev, when);
}

void rma_notify_next(struct rma_ctx *c, struct rma_notice *n)
{
    BASE_ASSERT("C1", !c->notice);
    c->notice = n;
}

void rma_notice_attach(struct rma_op *op)
{
    struct rma_ctx *c = op->ctx;
    op->notice = c->notice;
    op->notice->operation = op->number;
    c->notice = NULL;
    op->fabric.owner_flags |= RMA_NOTICED;
    if (rma_op_is_local(op))
        later(c->job->engine, &op->notice->at_local, tell_local, rank_now(c->rank));
}

/* In an event. The two notices come in the order of C1, even at the same time. */
void rma_notice_complete(const struct rma_op *op, double known)
{
    struct engine *e = rma_op_job(op)->engine;
    struct rma_notice *n = op->notice;
    bool now = known <= engine_now(e), both = !rma_op_is_local(op);
    if (both && now)
        tell_local(e, &n->at_local);
    else if (both)
        later(e, &n->at_local, tell_local, known);
    if (now)
        tell_complete(e, &n->at_complete);
    else
        later(e, &n->at_complete, tell_complete, known);
}

void rma_notice_nothing(struct rma_ctx *c)
{
    struct rma_notice *n = c->notice;
    if (BASE_LIKELY(!n))
        return;
    c->notice = NULL;
    n->operation = 0;
    later(c->job->engine, &n->at_local, tell_local, rank_now(c->rank));
    later(c->job->engine, &n->at_complete, tell_complete, rank_now(c->rank));
}
