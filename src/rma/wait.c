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
 *      be kept aside). The rank's `watching` counts it.
 */
#include "rma/internal.h"

/* The look itself. */
static void spend_poll(struct rank *r, const struct rma_job *j)
{
    r->ahead_until = rank_now(r) + fabric_host_poll_cost(j->fabric, r->host);
    rank_catch_up(r);
}

void rma_poll(struct rank *r)
{
    const struct rma_job *j = rma_job_of(r);
    if (BASE_UNLIKELY(j->observed))
        rma_need_memory(r, 0, UINTPTR_MAX, RMA_FOR_POLL);
    spend_poll(r, j);
}

/* The wait is over, thanks to operation `cause`, if known. */
static void tell(struct rank *r, const struct rma_condition *c, const char *call, uint64_t cause)
{
    rma_tell((struct rma_sync){
        .kind = RMA_SYNC_MEMORY, .rank = r, .call = call, .limit = cause, .low = c->low, .high = c->high});
}

/* Blocks until the condition holds; returns the operation that made it hold. */
static uint64_t watch(struct rank *r, struct rma_job *j, const struct rma_condition *c,
                      const struct engine_reason *why)
{
    struct rma_watch *w = base_pool_get(&j->watches), **end = &rma_rank_of(r)->watches;
    *w = (struct rma_watch){.condition = *c, .actor = engine_current(r->engine)};
    while (*end)
        end = &(*end)->next;
    *end = w;
    r->watching++;
    if (BASE_UNLIKELY(j->observed))
        rma_need_memory(r, c->low, c->high, RMA_FOR_MEMORY);
    while (!w->over)
        engine_block(r->engine, why);
    uint64_t cause = w->cause;
    base_pool_put(&j->watches, w);
    return cause;
}

uint64_t rma_wait_untold(struct rank *r, const struct rma_condition *c, const struct engine_reason *why)
{
    struct rma_job *j = rma_job_of(r);
    uint64_t cause = 0;
    if (c->ready(r, c->arg)) {
        spend_poll(r, j);
    } else {
        cause = watch(r, j, c, why);
        if (r->ahead_until > engine_now(r->engine))
            spend_poll(r, j); /* it held before the rank came to look */
        r->ahead_until = 0;
    }
    return cause;
}

void rma_wait(struct rank *r, const struct rma_condition *c, const struct engine_reason *why)
{
    uint64_t cause = rma_wait_untold(r, c, why);
    if (BASE_UNLIKELY(rma_job_of(r)->observed))
        tell(r, c, why->what, cause);
}

static void ask_watches(struct rank *r, uintptr_t low, uintptr_t high)
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
        w->cause = rma_job_of(r)->cause;
        r->watching--;
        engine_wake(r->engine, w->actor);
    }
}

void rma_watches_check(struct rank *r, uintptr_t low, uintptr_t high)
{
    ask_watches(r, low, high);
    if (r->watching)
        rank_changed(r, low, high); /* others watch it, too */
}

void rma_stored(struct rank *r)
{
    ask_watches(r, 0, UINTPTR_MAX);
}

void rma_touched(struct rank *r, uintptr_t address, size_t bytes)
{
    rma_changed(r, address, bytes);
    if (BASE_UNLIKELY(rma_job_of(r)->ears))
        rma_emit_stored(r, address, bytes);
}

void rma_mark_touch(const struct rma_marked *m)
{
    struct rma_job *j = rma_job_of(m->memory);
    j->acting = *m;
    j->marked(j->marked_arg, &j->acting);
    rma_touched(m->memory, m->low, m->high - m->low);
    if (j->ask)
        j->ask(j, &j->acting);
    j->acting.mark = 0;
}
