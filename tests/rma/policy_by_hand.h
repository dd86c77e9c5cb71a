/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy_by_hand: a policy whose verdicts the test writes down (`plan`), and what the tests of its effects
 * share. A put of 8 bytes from rank 0 to rank 1 is delivered 0.1 + 0.008 + 1 + 0.008 us after the call.
 */
#ifndef PGASIM_TESTS_RMA_POLICY_BY_HAND_H
#define PGASIM_TESTS_RMA_POLICY_BY_HAND_H

#include "rma/stage.h"

static struct rma_ctx *ctx;

enum { MOST = 64 };
static struct {
    struct rma_verdict verdict[RMA_AT_ORIGIN + 1][MOST]; /* of each step, in the order of questions */
    uint32_t asked[RMA_AT_ORIGIN + 1];
    struct rma_question last[RMA_AT_ORIGIN + 1];
    size_t gives[RMA_FOR_PROGRESS + 1]; /* how many operations each kind of demand gets */
    uint32_t demands[RMA_FOR_PROGRESS + 1];
    size_t demanded; /* the number of operations of the last demand */
    double at;       /* and its time, us */
} plan;

static struct rma_verdict planned(void *arg, const struct rma_question *q)
{
    uint32_t k = plan.asked[q->step]++;
    (void)arg;
    assert_true(k < MOST);
    plan.last[q->step] = *q;
    return plan.verdict[q->step][k];
}
static size_t planned_demand(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n)
{
    (void)arg, (void)operations;
    plan.demands[d->reason]++;
    plan.demanded = n;
    plan.at = stage_now() / US;
    assert_true(d->reason == RMA_FOR_PROGRESS ? !d->rank : d->rank != NULL);
    return plan.gives[d->reason] < n ? plan.gives[d->reason] : n;
}
static struct rma_policy policy = {planned, planned_demand, false, NULL};

static void at_begin(struct rank_job *job)
{
    rma_police(job, &policy, NULL);
}
static inline void run_planned(ranks_body_fn body)
{
    stage_at_begin = at_begin;
    stage_run_rank0(body);
    policy.early = false;
}

static const struct rma_verdict now = {0, UINT64_MAX, 0, false}, keep = {0, 0, INFINITY, false};
static inline void all_verdicts(enum rma_step step, struct rma_verdict v)
{
    for (int k = 0; k < MOST; k++)
        plan.verdict[step][k] = v;
}
/* Everything acts at once, and every demand is met, unless the test changes it. */
static inline void plan_begin(void)
{
    memset(&plan, 0, sizeof plan);
    for (enum rma_step s = RMA_SOURCE; s <= RMA_AT_ORIGIN; s++)
        all_verdicts(s, now);
    for (int k = 0; k <= RMA_FOR_PROGRESS; k++)
        plan.gives[k] = SIZE_MAX;
}
/* The first `n` questions at the target are answered with "keep it back". */
static inline void keep_first(int n)
{
    for (int k = 0; k < n; k++)
        plan.verdict[RMA_AT_TARGET][k] = keep;
}

static inline struct rma_target at(uint32_t rank, size_t offset)
{
    return stage_to(rank, ranks_heap_at(rank, offset));
}
static inline void put_word(size_t offset, uint64_t value)
{
    rma_put(ctx, at(1, offset), &value, sizeof value, RMA_BLOCKING, "put");
}
static inline uint64_t there(size_t offset)
{
    return word(stage.heap[1] + offset);
}

#endif
