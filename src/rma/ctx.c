/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctx: contexts, their fence and their quiet. A fence only counts (paper 000, section III-D b): operations
 * issued after it carry a higher epoch, and the lanes do the rest. A quiet waits until nothing is outstanding
 * and the last acknowledgement is back.
 *
 * Invariants
 *  X1  A context's wake event is pending only while its waiter waits for the last acknowledgement.
 */
#include "rma/inside.h"

#include <inttypes.h>

static void wake_event(struct engine *e, struct engine_event *ev)
{
    struct rma_ctx *c = BASE_CONTAINER(ev, struct rma_ctx, wake);
    engine_wake(e, c->waiter);
}

struct rma_ctx *rma_ctx_create(struct fold_rank *r)
{
    struct rma_job *j = rma_job_of(r);
    struct rma_rank *k = rma_rank_of(r);
    struct rma_ctx *c = base_pool_get(&j->contexts);
    *c = (struct rma_ctx){.job = j, .rank = r, .next = k->contexts};
    engine_event_init(&c->wake, wake_event);
    return k->contexts = c;
}

void rma_ctx_destroy(struct rma_ctx *c)
{
    rma_quiet(c, "context destroy");
    struct rma_ctx **link = &rma_rank_of(c->rank)->contexts;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    rma_lanes_release(c);
    base_pool_put(&c->job->contexts, c);
}

void rma_fence(struct rma_ctx *c)
{
    c->epoch = c->ordered ? c->epoch + 1 : 0;
}

bool rma_ctx_idle(const struct rma_ctx *c)
{
    return !c->outstanding && c->last_ack <= engine_now(c->job->engine);
}

/* The last outstanding operation is over. */
void rma_ctx_completed(struct rma_ctx *c)
{
    if (!c->waiter)
        return;
    if (c->last_ack > engine_now(c->job->engine))
        engine_event_at(c->job->engine, &c->wake, c->last_ack);
    else
        engine_wake(c->job->engine, c->waiter);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct rma_ctx *c = arg;
    snprintf(buf, size, "%" PRIu32 " outstanding operations", c->outstanding);
}

void rma_quiet(struct rma_ctx *c, const char *call)
{
    struct engine *e = c->job->engine;
    if (c->outstanding) {
        struct engine_reason why = {call, describe, c};
        c->waiter = engine_current(e);
        while (c->outstanding || engine_event_pending(&c->wake))
            engine_block(e, &why);
        c->waiter = NULL;
    } else if (c->last_ack > engine_now(e)) {
        engine_sleep(e, c->last_ack - engine_now(e));
    }
    BASE_ASSERT("X1", !engine_event_pending(&c->wake));
}

void rma_quiet_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call)
{
    (void)targets;
    if (n)
        rma_quiet(c, call);
}
