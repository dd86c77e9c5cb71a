/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: calls of the current rank that wait or look for requests to be complete, and what they take of its
 * CPU. A rank that is ahead of the clock need not catch up to wait: it goes on at the later one of its own
 * time and the completion's.
 *
 * Invariants
 *  P9  A request has a waiter exactly while an actor is blocked that waits for it, or is about to go on.
 */
#include "p2p/internal.h"

#include <stdio.h>

/* --- paying -------------------------------------------------------------------------------------- */

/* Seconds of the calling rank's CPU. */
void p2p_spend(struct p2p_rank *k, double seconds)
{
    if (seconds > 0)
        rank_spend(k->rank, seconds);
}

/* The same, of a call that does not run ahead. */
void p2p_pay(const struct rank *r, double seconds)
{
    if (seconds > 0)
        engine_sleep(r->engine, seconds);
}

void p2p_init_pay(struct rank *r)
{
    p2p_pay(r, fabric_call_costs(p2p_model(r)).init);
}

void p2p_clock_pay(struct rank *r)
{
    p2p_pay(r, fabric_call_costs(p2p_model(r)).wtime);
}

static void finish(struct p2p_request *q)
{
    p2p_spend(q->rank, p2p_finish_cost(q));
    if (BASE_UNLIKELY(rank_checker != NULL))
        rank_pending_end(q->rank->rank, &q->pending);
    p2p_request_finish(q);
}

/* --- waiting ------------------------------------------------------------------------------------- */

/* Of several requests, the first one that was not complete when the wait began. */
static void describe(const void *arg, char *buf, size_t size)
{
    const struct p2p_waiter *w = arg;
    char text[400];
    p2p_request_text(w->first, text, sizeof text);
    if (w->of > 1)
        snprintf(buf, size, "%zu of %zu requests: %s, ...", w->left, w->of, text);
    else
        snprintf(buf, size, "%s", text);
}

/* One request that must complete, and that only one rank can complete. */
static uint64_t whom(const void *arg)
{
    const struct p2p_waiter *w = arg;
    const struct p2p_request *q = w->first;
    if ((!w->all && w->of > 1) || q->state != P2P_ACTIVE)
        return ENGINE_NOBODY;
    if (q->other)
        return engine_waits_for(q->describe, q->about);
    if (q->to)
        return q->to->id;
    return q->item.envelope.source == P2P_ANY_SOURCE ? ENGINE_NOBODY : q->item.envelope.source;
}

void p2p_waits_register(void)
{
    engine_waits_register(describe, whom);
}

/* Blocks until `left` of the n requests that are active now are complete; *first is active. */
static void block(struct p2p_rank *k, struct p2p_request *const *q, size_t n, size_t left,
                  const struct p2p_request *first, bool all, const char *call)
{
    struct engine *e = k->job->engine;
    struct p2p_waiter *w = base_pool_get(&k->job->waiter_pool);
    *w = (struct p2p_waiter){engine_current(e), first, n, left, all};
    for (size_t i = 0; i < n; i++)
        if (q[i] && q[i]->state == P2P_ACTIVE) {
            BASE_ASSERT("P9", !q[i]->waiter);
            q[i]->waiter = w;
        }
    struct engine_reason why = {call, describe, w};
    while (w->left)
        engine_block(e, &why);
    for (size_t i = 0; i < n; i++)
        if (q[i])
            q[i]->waiter = NULL;
    base_pool_put(&k->job->waiter_pool, w);
}

/* How many are active, and the first of them. */
static size_t active(struct p2p_request *const *q, size_t n, const struct p2p_request **first)
{
    size_t left = 0;
    for (size_t i = n; i-- > 0;)
        if (q[i] && q[i]->state == P2P_ACTIVE) {
            left++;
            *first = q[i];
        }
    return left;
}

static bool is_complete(const struct p2p_request *q)
{
    return q && q->state == P2P_COMPLETE;
}

/* The first one that is complete, or, if somebody chooses, any. */
static size_t any_complete(struct rank *r, struct p2p_request *const *q, size_t n)
{
    size_t i = 0, all = 0;
    for (size_t k = 0; BASE_UNLIKELY(rank_adversary != NULL) && k < n; k++)
        all += is_complete(q[k]);
    for (size_t skip = rank_choose(r, RANK_CHOOSE_REQUEST, all);; i++) {
        while (i < n && !is_complete(q[i]))
            i++;
        if (i == n || !skip--)
            return i;
    }
}

static void finish_all(struct p2p_request *const *q, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (q[i] && q[i]->state == P2P_COMPLETE)
            finish(q[i]);
}

void p2p_wait_all(struct rank *r, struct p2p_request *const *q, size_t n, const char *call)
{
    const struct p2p_request *first = NULL;
    size_t left = active(q, n, &first);
    if (left)
        block(p2p_rank_of(r), q, n, left, first, true, call);
    finish_all(q, n);
}

size_t p2p_wait_any(struct rank *r, struct p2p_request *const *q, size_t n, const char *call)
{
    const struct p2p_request *first = NULL;
    size_t i = any_complete(r, q, n);
    if (i == n && active(q, n, &first)) {
        block(p2p_rank_of(r), q, n, 1, first, false, call);
        i = any_complete(r, q, n);
    }
    if (i < n)
        finish(q[i]);
    return i;
}

/* --- looking ------------------------------------------------------------------------------------- */

static struct p2p_rank *test_begin(struct rank *r)
{
    struct p2p_rank *k = p2p_rank_of(r);
    struct fabric_call_costs costs = fabric_call_costs(k->job->messages);
    rank_catch_up(r);
    p2p_pay(r, costs.test * (costs.grow ? 1 + k->tests : 1));
    return k;
}

void p2p_test_pay(struct rank *r)
{
    test_begin(r)->tests++;
}

bool p2p_test_all(struct rank *r, struct p2p_request *const *q, size_t n)
{
    const struct p2p_request *first;
    struct p2p_rank *k = test_begin(r);
    bool all = active(q, n, &first) == 0;
    k->tests = all ? 0 : k->tests + 1;
    if (all)
        finish_all(q, n);
    return all;
}

size_t p2p_test_any(struct rank *r, struct p2p_request *const *q, size_t n)
{
    struct p2p_rank *k = test_begin(r);
    size_t i = any_complete(r, q, n);
    k->tests = i < n ? 0 : k->tests + 1;
    if (i < n)
        finish(q[i]);
    return i;
}
