/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: a rank waits for its own memory to change. It leaves a watch; whoever changes bytes within the
 * watch's range asks the condition again, and wakes the rank only when it holds. A rank that is ahead of the
 * clock watches from the clock's time on, and goes on at its own time at the earliest.
 *
 * Invariants
 *  R4  A waiting rank is woken only when its condition holds.
 *  W1  A rank has at most one watch; it lies on the waiting rank's stack.
 */
#include "rma/inside.h"

void rma_poll(struct fold_rank *r)
{
    r->ahead_until = rank_now(r) + fabric_poll_cost(rma_job_of(r)->fabric);
    fold_catch_up(r);
}

void rma_wait(struct fold_rank *r, const struct rma_condition *c, const struct engine_reason *why)
{
    if (c->ready(r, c->arg)) {
        rma_poll(r);
        return;
    }
    struct rma_rank *k = rma_rank_of(r);
    struct rma_watch watch = {c, engine_current(r->engine)};
    BASE_ASSERT("W1", !k->watch);
    k->watch = &watch;
    while (k->watch)
        engine_block(r->engine, why);
    if (r->ahead_until > engine_now(r->engine))
        rma_poll(r); /* it held before the rank came to look */
    r->ahead_until = 0;
}

void rma_watch_check(struct fold_rank *r, struct rma_watch *w, uintptr_t low, uintptr_t high)
{
    const struct rma_condition *c = w->condition;
    if (high <= c->low || low >= c->high || !c->ready(r, c->arg))
        return;
    rma_rank_of(r)->watch = NULL;
    engine_wake(r->engine, w->actor);
}

void rma_touched(struct fold_rank *r, uintptr_t address, size_t bytes)
{
    rma_changed(r, address, bytes);
}
