/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * need: which operations that a policy keeps back must be let go, and when. A completion call needs its
 * operations and also those ahead of them in their lanes, because each acts in its turn. First, those that
 * still move go on until they arrive or get stuck. Once none moves, the policy is told that those which are
 * stuck must go, in an order of its choice. When a rank waits for memory or polls it, or when nothing else
 * can happen, the policy is asked, and may refuse.
 *
 * Invariants
 *  P5  Whenever an operation becomes STUCK or BEHIND, its context's needs are looked at again (so that P1 of
 *      policy.h holds).
 *  P4  A need's `moving` is the number of operations that it names directly and that move.
 */
#include "rma/fate.h"

#include <stdlib.h>

static bool names(const struct rma_need *n, const struct rma_op *op)
{
    if (n->only)
        return op->number == n->only;
    return op->number < n->limit && (!n->bit || n->bit & op->lane->watched) &&
           !(n->local && rma_op_is_local(op));
}

/* --- who has to go ---------------------------------------------------------------------------------- */

static void note(struct rma_ahead *a, const struct rma_need *n, const struct rma_op *op)
{
    if (op->fabric.owner_state != RMA_HELD || !names(n, op))
        return;
    a->epoch = op->epoch;
    if (op->fabric.owner_flags & RMA_IN_TURN)
        a->turn = op->number;
}

/* For which operations of the lane do those that the need names directly wait there? */
static struct rma_ahead waited_for(const struct rma_rules *k, const struct rma_need *n,
                                   const struct rma_lane *l)
{
    struct rma_ahead a = {.round = k->rounds};
    const struct rma_fate *only = n->only ? rma_fate_find(k, n->only) : NULL;
    if (only && rma_op_lane(only->op) == l)
        note(&a, n, only->op);
    for (const struct rma_op *op = l->head; op && op->number < n->limit; op = op->next)
        note(&a, n, op);
    return a;
}

/* The call does not name it, but an operation that waits for it in their lane. */
static bool is_waited_for(const struct rma_rules *k, const struct rma_need *n, const struct rma_op *op)
{
    struct rma_lane *l = rma_op_lane(op);
    bool in_line = l && rma_op_class(op)->ordered && op->fabric.owner_state < RMA_RETURNING;
    if (!in_line || !l->held || (!n->only && (op->number >= n->limit || !n->local)))
        return false;
    if (l->ahead.round != k->rounds)
        l->ahead = waited_for(k, n, l);
    return op->epoch < l->ahead.epoch || (op->fabric.owner_flags & RMA_IN_TURN && op->number < l->ahead.turn);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Puts the names into the order of issue, each once. */
static void sort_names(struct rma_rules *k)
{
    size_t n = 0;
    if (k->named.n > 1)
        qsort(k->named.at, k->named.n, sizeof *k->named.at, by_number);
    for (size_t i = 0; i < k->named.n; i++)
        if (!n || k->named.at[i] != k->named.at[n - 1])
            k->named.at[n++] = k->named.at[i];
    k->named.n = n;
}

static void name_needed(struct rma_rules *k, const struct rma_need *n)
{
    const struct rma_fate *only = n->only ? rma_fate_find(k, n->only) : NULL;
    bool alone = n->only && !(only && only->op->fabric.owner_state == RMA_HELD);
    k->rounds++;
    k->named.n = 0;
    if (alone && only && only->state == RMA_STUCK)
        BASE_ARRAY_PUSH(&k->named, n->only);
    for (const struct rma_fate *f = alone ? NULL : n->ctx->stuck; f; f = f->stuck[RMA_STUCK_CONTEXT].next)
        if (names(n, f->op) || is_waited_for(k, n, f->op))
            BASE_ARRAY_PUSH(&k->named, f->op->number);
    sort_names(k);
}

static uint64_t sum_of_names(const struct rma_rules *k)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < k->named.n; i++)
        sum += base_hash_fold(k->named.at[i]);
    return sum;
}

/* Lets the operations go that the policy agrees to; `all`: it may only choose their order. */
static size_t let_go(struct rma_rules *k, const struct rma_demand *d, bool all)
{
    uint64_t sum = sum_of_names(k);
    size_t go = k->named.n ? k->policy->demand(k->arg, d, k->named.at, k->named.n) : 0;
    BASE_ASSERT("P5", go <= k->named.n && sum == sum_of_names(k) && (!all || go == k->named.n));
    for (size_t i = 0; i < go; i++)
        rma_release(k->job->job, k->named.at[i]);
    return go;
}

/* --- needs ------------------------------------------------------------------------------------------ */

static void consider(struct rma_need *n, double when)
{
    struct engine *e = n->ctx->job->engine;
    if (!n->moving && !engine_event_pending(&n->event) && n->ctx->job->rules->stuck_now)
        engine_event_at(e, &n->event, when);
}

static void need_event(struct engine *e, struct engine_event *ev)
{
    struct rma_need *n = BASE_CONTAINER(ev, struct rma_need, event);
    struct rma_rules *k = n->ctx->job->rules;
    (void)e;
    if (n->moving)
        return;
    name_needed(k, n);
    let_go(k, &n->demand, true);
}

void rma_need_moved(struct rma_fate *f, enum rma_fate_state to)
{
    struct rma_ctx *c = f->op->ctx;
    bool moved = f->state == RMA_MOVING, moves = to == RMA_MOVING;
    if (f->state == RMA_STUCK)
        rma_stuck_leave(f);
    if (to == RMA_STUCK)
        rma_stuck_enter(f);
    f->state = (uint8_t)to;
    for (struct rma_need *n = c->needs; n; n = n->next) {
        if (moved != moves && names(n, f->op))
            n->moving += (uint32_t)(moves - moved);
        if (!moves)
            consider(n, engine_now(c->job->engine));
    }
}

static void count_moving(struct rma_need *n)
{
    const struct rma_fate *only = n->only ? rma_fate_find(n->ctx->job->rules, n->only) : NULL;
    n->moving = only && only->state == RMA_MOVING;
    for (const struct rma_fate *f = n->only ? NULL : n->ctx->fates; f; f = f->next)
        n->moving += f->state == RMA_MOVING && names(n, f->op);
}

static struct rma_need *begin(struct rma_ctx *c, const struct rma_need *what)
{
    struct rma_rules *k = c->job->rules;
    struct rma_need *n = base_pool_get(&k->needs);
    *n = *what;
    n->ctx = c;
    n->demand = (struct rma_demand){RMA_FOR_COMPLETION, c->rank};
    n->next = c->needs;
    c->needs = n;
    count_moving(n);
    engine_event_init(&n->event, need_event);
    engine_event_at(c->job->engine, &n->event, rank_now(c->rank));
    return n;
}

struct rma_need *rma_need_quiet(struct rma_ctx *c, const struct rma_waiter *w)
{
    return begin(c, &(struct rma_need){.limit = w->limit, .bit = w->bit, .local = w->local});
}

struct rma_need *rma_need_one(struct rma_ctx *c, uint64_t number)
{
    return begin(c, &(struct rma_need){.only = number});
}

void rma_need_end(struct rma_need *n)
{
    struct rma_need **link = &n->ctx->needs;
    while (*link != n)
        link = &(*link)->next;
    *link = n->next;
    engine_event_cancel(n->ctx->job->engine, &n->event);
    base_pool_put(&n->ctx->job->rules->needs, n);
}

/* --- suggestions ------------------------------------------------------------------------------------ */

static void memory_event(struct engine *e, struct engine_event *ev)
{
    struct rma_need *n = BASE_CONTAINER(ev, struct rma_need, event);
    struct rma_rules *k = rma_job_of(n->demand.rank)->rules;
    (void)e;
    rma_stuck_name(k, n->demand.rank, n->low, n->high);
    sort_names(k);
    let_go(k, &n->demand, false);
    base_pool_put(&k->needs, n);
}

void rma_need_memory(struct rank *r, uintptr_t low, uintptr_t high, enum rma_reason why)
{
    const struct rma_job *j = rma_job_of(r);
    if (!j->rules || !j->rules->stuck_now)
        return;
    struct rma_need *n = base_pool_get(&j->rules->needs);
    *n = (struct rma_need){.demand = {why, r}, .low = low, .high = high};
    engine_event_init(&n->event, memory_event);
    engine_event_at(j->engine, &n->event, rank_now(r));
}

/* Called when nothing else can happen. */
static bool idle(void *arg)
{
    struct rma_rules *k = arg;
    rma_stuck_name_any(k);
    sort_names(k);
    return let_go(k, &(struct rma_demand){RMA_FOR_PROGRESS, NULL}, false) > 0;
}

/* --- a job's policy --------------------------------------------------------------------------------- */

void rma_police(struct rank_job *job, const struct rma_policy *policy, void *arg)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    struct rma_rules *k = base_zalloc(sizeof *k, "a policy");
    BASE_ASSERT("P5", !j->rules && !rank_public(job)->operations);
    *k = (struct rma_rules){.job = j, .policy = policy, .arg = arg};
    base_pool_init(&k->fates, sizeof(struct rma_fate), "operations under a policy");
    base_pool_init(&k->needs, sizeof(struct rma_need), "demands on a policy");
    base_pool_of_operations(&k->fates);
    base_pool_of_operations(&k->needs);
    rma_stuck_begin(k, rank_count(job));
    base_table_init(&k->by_number, BASE_NUMBERS, sizeof(struct rma_fate *), "operations under a policy");
    engine_on_idle(j->engine, idle, k);
    j->rules = k;
    rma_observe(j);
}

void rma_rules_release(struct rma_job *j)
{
    struct rma_rules *k = j->rules;
    if (!k)
        return;
    engine_on_idle_end(j->engine, idle, k);
    rma_stuck_end(k);
    base_table_release(&k->by_number);
    base_pool_release(&k->needs);
    base_pool_release(&k->fates);
    free(k->named.at);
    free(k);
}
