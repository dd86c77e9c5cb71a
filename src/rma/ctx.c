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

static void tell_fence(struct rma_ctx *c)
{
    const struct rma_sync s = {.kind = RMA_SYNC_FENCE,
                               .rank = c->rank,
                               .context = c->number,
                               .at = rank_now(c->rank),
                               .call = "fence",
                               .limit = ++c->fences,
                               .stream = &c->stream};
    rma_emit_sync(c->job, &s);
}

void rma_fence(struct rma_ctx *c)
{
    if (BASE_UNLIKELY(c->job->observed))
        tell_fence(c);
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

void rma_describe_waiter(const void *arg, char *buf, size_t size)
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
    struct rma_need *need = NULL;
    *w = *what;
    struct engine_reason why = {call, rma_describe_waiter, w};
    struct rma_waiter **end = &c->waiters;
    w->actor = engine_current(e);
    engine_event_init(&w->wake, wake_event);
    while (*end)
        end = &(*end)->next;
    *end = w;
    if (BASE_UNLIKELY(c->job->rules))
        need = rma_need_quiet(c, w);
    while (!w->over)
        engine_block(e, &why);
    if (BASE_UNLIKELY(need))
        rma_need_end(need);
    base_pool_put(&c->job->waiters, w);
}

/* The targets of a quiet; n = 0: all. */
struct targets {
    const uint32_t *at;
    size_t n;
};

static void tell_quiet(const struct rma_ctx *c, const struct rma_waiter *w, struct targets t, bool local,
                       const char *call)
{
    const struct rma_sync s = {.kind = local ? RMA_SYNC_LOCAL : RMA_SYNC_QUIET,
                               .rank = c->rank,
                               .context = c->number,
                               .at = rank_now(c->rank),
                               .call = call,
                               .limit = w->limit,
                               .targets = t.n ? t.at : NULL,
                               .n = t.n,
                               .stream = &c->stream};
    rma_emit_sync(c->job, &s);
}

/* Blocks until the w->left operations are over and the origin knows it. */
static void await(struct rma_ctx *c, const struct rma_waiter *w, const char *call)
{
    if (w->left)
        await_operations(c, w, call);
    else if (w->known > engine_now(c->job->engine))
        rank_await_until(c->rank, call, w->known, w->cause);
}

static uint64_t limit(const struct rma_ctx *c)
{
    return rma_operations(c->rank);
}

/* Listeners are told of completion, or of local completion only. */
static void quiet(struct rma_ctx *c, struct targets t, bool local, const char *call)
{
    struct rma_waiter w = {
        .limit = limit(c), .left = c->outstanding, .known = c->last_ack, .cause = c->last_acked};
    await(c, &w, call);
    tell_quiet(c, &w, t, local, call);
}

void rma_quiet(struct rma_ctx *c, const char *call)
{
    quiet(c, (struct targets){NULL, 0}, false, call);
}

void rma_drain(struct rma_ctx *c, const char *call)
{
    quiet(c, (struct targets){NULL, 0}, true, call);
}

/* Operations with a reply, and large puts. */
static void quiet_local(struct rma_ctx *c, struct targets t, const char *call)
{
    struct rma_waiter w = {.limit = limit(c),
                           .left = (uint32_t)(c->issued[1] - c->completed[1]) + c->large,
                           .known = c->large_known,
                           .cause = c->large_last,
                           .local = true};
    await(c, &w, call);
    rma_sources_ask(c, w.limit, NULL);
    c->sources_free = w.limit;
    tell_quiet(c, &w, t, true, call);
}

void rma_quiet_local(struct rma_ctx *c, const char *call)
{
    quiet_local(c, (struct targets){NULL, 0}, call);
}

static void watch_targets(struct rma_ctx *c, struct rma_waiter *w, struct targets t)
{
    for (size_t k = 0; k < t.n; k++) {
        struct rma_lane *l = rma_lane_find(c, t.at[k]);
        if (!l || l->watched & w->bit) /* named twice */
            continue;
        w->left += w->local ? l->inner : l->outstanding;
        l->watched |= w->bit;
    }
}

static void forget_targets(struct rma_ctx *c, const struct rma_waiter *w, struct targets t)
{
    for (size_t k = 0; k < t.n; k++) {
        struct rma_lane *l = rma_lane_find(c, t.at[k]);
        if (!l || !(l->watched & w->bit))
            continue;
        l->watched &= ~w->bit;
        if (!w->local)
            continue;
        rma_sources_ask(c, w->limit, l);
        l->sources_free = w->limit;
    }
}

/* A waiter's bit marks its targets' lanes. If no bit is left, it waits for all targets. */
static void quiet_targets(struct rma_ctx *c, struct targets t, bool local, const char *call)
{
    struct rma_waiter w = {.limit = limit(c), .local = local, .bit = ~c->bits & (c->bits + 1)};
    if (!t.n)
        return;
    rma_lanes_begin(c);
    if (!w.bit) {
        if (local)
            quiet_local(c, t, call);
        else
            quiet(c, t, false, call);
        return;
    }
    c->bits |= w.bit;
    w.known = rma_ack_last(c, t.at, t.n, local, &w.cause);
    watch_targets(c, &w, t);
    await(c, &w, call);
    forget_targets(c, &w, t);
    tell_quiet(c, &w, t, local, call);
    c->bits &= ~w.bit;
}

void rma_quiet_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call)
{
    quiet_targets(c, (struct targets){targets, n}, false, call);
}

void rma_quiet_local_targets(struct rma_ctx *c, const uint32_t *targets, size_t n, const char *call)
{
    quiet_targets(c, (struct targets){targets, n}, true, call);
}
