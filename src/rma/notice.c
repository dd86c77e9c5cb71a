/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notice: tells whoever asked that one operation is complete, in an event, so that a request costs no switch
 * to its rank.
 *
 * Invariants
 *  C1  A notice is told of each of its two instants once, and of the local one first.
 */
#include "rma/fate.h"

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

/* --- a policy's ------------------------------------------------------------------------------------- */

static struct rma_need *noticed_need(const struct rma_ctx *c, uint64_t number)
{
    struct rma_need *n = c->needs;
    while (n && !(n->noticed && n->only == number))
        n = n->next;
    return n;
}

/* The operation that is under way and has this notice. */
static const struct rma_op *noticed(const struct rma_ctx *c, const struct rma_notice *n)
{
    const struct rma_rules *k = c->job->rules;
    const struct rma_fate *f = k && n->operation ? rma_fate_find(k, n->operation) : NULL;
    return f && f->op->fabric.owner_flags & RMA_NOTICED && f->op->notice == n ? f->op : NULL;
}

void rma_need(struct rma_ctx *c, const struct rma_notice *notice)
{
    const struct rma_op *op = noticed(c, notice);
    if (op && !noticed_need(c, op->number))
        rma_need_one(c, op->number)->noticed = true;
}

void rma_need_local(struct rma_ctx *c, const struct rma_notice *notice)
{
    const struct rma_op *op = noticed(c, notice);
    if (op && !rma_op_is_local(op))
        rma_need(c, notice);
}

void rma_need_over(struct rma_ctx *c, uint64_t number)
{
    struct rma_need *n = noticed_need(c, number);
    if (n)
        rma_need_end(n);
}
