/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ctx: contexts, their fence and their quiet. A fence only counts (paper 000, section III-D b): operations
 * issued after it carry a higher epoch, and the lanes do the rest. A quiet waits until the operations issued
 * before it, to all targets or to some, are over and the last acknowledgement is back; several actors of a
 * rank may be in one at a time; what others issue meanwhile does not prolong it.
 *
 * Invariants
 *  X1  A waiter is in its context's list exactly while operations that it waits for are outstanding.
 */
#include "rma/internal.h"

#include <inttypes.h>

struct rma_ctx *rma_ctx_create(struct rank *r, const struct rma_names *names)
{
    struct rma_job *j = rma_job_of(r);
    struct rma_rank *k = rma_rank_of(r);
    struct rma_ctx *c = base_pool_get(&j->contexts);
    *c = (struct rma_ctx){.job = j,
                          .rank = r,
                          .buffered_limit = fabric_host_buffered_limit(j->fabric, r->host),
                          .number = k->contexts_made++,
                          .names = names,
                          .next = k->contexts};
    return k->contexts = c;
}

uint32_t rma_ctx_number(const struct rma_ctx *c)
{
    return c->number;
}

void rma_ctx_destroy(struct rma_ctx *c)
{
    rma_quiet(c, "context destroy");
    struct rma_ctx **link = &rma_rank_of(c->rank)->contexts;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    rma_lanes_release(c);
    rma_acks_release(c);
    base_pool_put(&c->job->contexts, c);
}

void rma_fence(struct rma_ctx *c)
{
    if (!c->outstanding)
        return;
    rma_lanes_begin(c);
    c->epoch = c->ordered ? c->epoch + 1 : 0;
}

struct rma_progress rma_ctx_progress(const struct rma_ctx *c)
{
    return (struct rma_progress){{c->issued[0], c->issued[1]}, {c->completed[0], c->completed[1]}};
}

uint64_t rma_arrived(struct rank *r)
{
    return rma_job_of(r)->arrived[r->id];
}

bool rma_ctx_idle(const struct rma_ctx *c)
{
    return !c->outstanding && c->last_ack <= engine_now(c->job->engine);
}

/* --- quiet -------------------------------------------------------------------------------------- */

static void wake_event(struct engine *e, struct engine_event *ev)
{
    struct rma_waiter *w = BASE_CONTAINER(ev, struct rma_waiter, wake);
    w->over = true;
    engine_wake_for(e, w->actor, w->cause);
}

static void waiter_leaves(struct rma_ctx *c, const struct rma_waiter *w)
{
    struct rma_waiter **link = &c->waiters;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
}

void rma_ctx_completed(struct rma_ctx *c, const struct rma_done *d)
{
    struct engine *e = c->job->engine;
    for (struct rma_waiter *w = c->waiters, *next; w; w = next) {
        next = w->next;
        if (d->number >= w->limit || (w->bit && !(w->bit & d->lane->watched)) || (w->local && d->local))
            continue;
        if (d->known > w->known) {
            w->known = d->known;
            w->cause = d->number;
        }
        BASE_ASSERT("X1", w->left > 0);
        if (--w->left > 0)
            continue;
        waiter_leaves(c, w);
        if (w->known > engine_now(e))
            engine_event_at(e, &w->wake, w->known);
        else
            wake_event(e, &w->wake);
    }
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct rma_waiter *w = arg;
    snprintf(buf, size, "%" PRIu32 " outstanding operations", w->left);
}

/* Blocks until the operations are over and the origin knows it. */
static void await_operations(struct rma_ctx *c, const struct rma_waiter *what, const char *call)
{
    struct engine *e = c->job->engine;
    struct rma_waiter *w = base_pool_get(&c->job->waiters); /* other actors access it, so it is not on a
                                                             * stack */
    *w = *what;
    struct engine_reason why = {call, describe, w};
    struct rma_waiter **end = &c->waiters;
    w->actor = engine_current(e);
    engine_event_init(&w->wake, wake_event);
    while (*end)
        end = &(*end)->next;
    *end = w;
    while (!w->over)
        engine_block(e, &why);
    base_pool_put(&c->job->waiters, w);
}

/* Blocks until the w->left operations are over and the origin knows it. */
static void await(struct rma_ctx *c, const struct rma_waiter *w, const char *call)
{
    if (w->left)
        await_operations(c, w, call);
    else if (w->known > engine_now(c->job->engine))
        rank_await_until(c->rank, call, w->known, w->cause);
}

void rma_quiet(struct rma_ctx *c, const char *call)
{
    struct rma_waiter w = {.limit = rank_public(c->job->job)->operations + 1,
                           .left = c->outstanding,
                           .known = c->last_ack,
                           .cause = c->last_acked};
    await(c, &w, call);
}

/* Operations with a reply, and large puts. */
void rma_quiet_local(struct rma_ctx *c, const char *call)
{
    struct rma_waiter w = {.limit = rank_public(c->job->job)->operations + 1,
                           .left = (uint32_t)(c->issued[1] - c->completed[1]) + c->large,
                           .known = c->large_known,
                           .cause = c->large_last,
                           .local = true};
    await(c, &w, call);
}

static void watch_targets(struct rma_ctx *c, struct rma_waiter *w, const uint32_t *targets, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct rma_lane *l = rma_lane_find(c, targets[k]);
        if (!l || l->watched & w->bit) /* named twice */
            continue;
        w->left += l->outstanding;
        l->watched |= w->bit;
    }
}

static void forget_targets(struct rma_ctx *c, const struct rma_waiter *w, const uint32_t *targets, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct rma_lane *l = rma_lane_find(c, targets[k]);
        if (l)
            l->watched &= ~w->bit;
    }
}

/* A waiter's bit marks its targets' lanes. If no bit is left, it waits for all targets. */
void rma_quiet_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call)
{
    struct rma_waiter w = {.limit = rank_public(c->job->job)->operations + 1,
                           .bit = ~c->bits & (c->bits + 1)};
    if (!n)
        return;
    rma_lanes_begin(c);
    if (!w.bit) {
        rma_quiet(c, call);
        return;
    }
    c->bits |= w.bit;
    w.known = rma_ack_last(c, targets, n, &w.cause);
    watch_targets(c, &w, targets, n);
    await(c, &w, call);
    forget_targets(c, &w, targets, n);
    c->bits &= ~w.bit;
}
