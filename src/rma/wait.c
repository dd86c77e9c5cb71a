/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: an actor of a rank waits for the rank's memory to change. It leaves a watch; whoever changes bytes
 * within the watch's range asks the condition again, and wakes the actor only when it holds. A rank that is
 * ahead of the clock watches from the clock's time on, and goes on at its own time at the earliest.
 *
 * A store of the application's is seen only when another thread of the rank makes a call (rma_stored).
 *
 * Invariants (also R4 of rma.h)
 *  W1  A watch is in its rank's list until its condition holds; it lies on no stack (a waiting actor's may
 *      be kept aside). The rank's `watching` is the list's length.
 */
#include "rma/internal.h"

void rma_poll(struct rank *r)
{
    r->ahead_until = rank_now(r) + fabric_host_poll_cost(rma_job_of(r)->fabric, r->host);
    rank_catch_up(r);
}

void rma_wait(struct rank *r, const struct rma_condition *c, const struct engine_reason *why)
{
    if (c->ready(r, c->arg)) {
        rma_poll(r);
        return;
    }
    struct rma_rank *k = rma_rank_of(r);
    struct base_pool *pool = &rma_job_of(r)->watches;
    struct rma_watch *watch = base_pool_get(pool), **end = &k->watches;
    *watch = (struct rma_watch){.condition = *c, .actor = engine_current(r->engine)};
    while (*end)
        end = &(*end)->next;
    *end = watch;
    r->watching++;
    while (!watch->over)
        engine_block(r->engine, why);
    base_pool_put(pool, watch);
    if (r->ahead_until > engine_now(r->engine))
        rma_poll(r); /* it held before the rank came to look */
    r->ahead_until = 0;
}

void rma_watches_check(struct rank *r, uintptr_t low, uintptr_t high)
{
    struct rma_watch **link = &rma_rank_of(r)->watches;
    while (*link) {
        struct rma_watch *w = *link;
        const struct rma_condition *c = &w->condition;
        if (high <= c->low || low >= c->high || !c->ready(r, c->arg)) {
            link = &w->next;
            continue;
        }
        *link = w->next;
        w->over = true;
        r->watching--;
        engine_wake(r->engine, w->actor);
    }
}

void rma_stored(struct rank *r)
{
    rma_watches_check(r, 0, UINTPTR_MAX);
}

void rma_touched(struct rank *r, uintptr_t address, size_t bytes)
{
    rma_changed(r, address, bytes);
}
