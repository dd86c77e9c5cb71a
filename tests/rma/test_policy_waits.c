/* SPDX-License-Identifier: BSD-3-Clause */
/* A policy and waits for memory: what a wait makes go, and what happens when nothing else can. */
#include "rma/policy_by_hand.h"

/* A word of the rank's heap, and the value that a rank waits for. */
struct awaited {
    size_t at;
    uint64_t value;
};
static bool is_there(struct rank *r, void *arg)
{
    const struct awaited *a = arg;
    uint64_t v;
    rank_read(r, ranks_heap_at(r->id, a->at), &v, sizeof v);
    return v == a->value;
}
static void wait_for(struct rank *r, struct awaited a)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(r->id, a.at);
    rma_wait(r, &(struct rma_condition){is_there, &a, low, low + 8}, &why);
}
static const struct awaited five = {0, 5};

static void puts_and_sleeps(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    put_word(64, 5); /* of no interest to the wait */
    until(50);
}
static double waited_until;
static void waits(struct rank *r)
{
    until(6);
    wait_for(r, five);
    waited_until = stage_now() / US;
}
static void memory_that_is_waited_for(void **state)
{
    (void)state;
    plan_begin();
    keep_first(2);
    plan.verdict[RMA_AT_TARGET][3] = keep;
    stage.body[1] = waits;
    run_planned(puts_and_sleeps);
    assert_true(fabs(waited_until - 6) < 1e-9);
    assert_int_equal(plan.demands[RMA_FOR_MEMORY], 1);
    assert_int_equal(plan.demanded, 1);
}

/* For the last of a layout's bytes; its data is shorter than its span. */
static void waits_for_the_end(struct rank *r)
{
    until(6);
    wait_for(r, (struct awaited){16, 1});
}
static void puts_a_layout(struct rank *r)
{
    const uint64_t ones[2] = {1, 1};
    struct base_status st;
    struct types_layout *v = types_layout_vector(2, 1, 2, types_layout_of(TYPES_UINT64), &st);
    const struct rma_items there_items = {v, 1}, here = {types_layout_of(TYPES_UINT64), 2};
    ctx = stage_ctx(r);
    rma_put_packed(ctx, at(1, 0), &there_items, ones, &here, "put");
    types_layout_release(v);
    until(50);
}
static void memory_along_a_layout(void **state)
{
    (void)state;
    plan_begin();
    keep_first(1);
    stage.body[1] = waits_for_the_end;
    run_planned(puts_a_layout);
    assert_int_equal(plan.demands[RMA_FOR_MEMORY], 1);
}

static void polls(struct rank *r)
{
    struct awaited a = five;
    until(6);
    while (!is_there(r, &a))
        rma_poll(r);
    waited_until = stage_now() / US;
}
static void memory_that_is_polled(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep);
    stage.body[1] = polls;
    run_planned(puts_and_sleeps);
    assert_true(fabs(waited_until - 6.025) < 1e-9);
    assert_int_equal(plan.demands[RMA_FOR_POLL], 1);
}

static void puts_and_waits(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    rma_fence(ctx);
    put_word(8, 5); /* before its turn */
    wait_for(r, five);
}
static void answers(struct rank *r)
{
    until(6);
    wait_for(r, five);
    rma_put(stage_ctx(r), at(0, 0), &five.value, 8, RMA_BLOCKING, "put");
}
/* Nothing else can happen: both are given in turn. */
static void standstill(void **state)
{
    (void)state;
    plan_begin();
    plan.gives[RMA_FOR_MEMORY] = 0;
    plan.gives[RMA_FOR_PROGRESS] = 1;
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][2] = keep;
    stage.body[1] = answers;
    run_planned(puts_and_waits);
    assert_true(plan.demands[RMA_FOR_PROGRESS] >= 1);
}
static void a_policy_that_gives_nothing(void **state)
{
    (void)state;
    plan_begin();
    plan.gives[RMA_FOR_MEMORY] = plan.gives[RMA_FOR_PROGRESS] = 0;
    keep_first(1);
    stage_at_begin = at_begin;
    stage.body[0] = puts_and_waits;
    stage.body[1] = answers;
    assert_int_equal(ranks_run(&stage), ENGINE_DEADLOCK);
    assert_int_equal(plan.demands[RMA_FOR_PROGRESS], 1);
    assert_int_equal(plan.demanded, 1);
    base_remainder_clear();
}

/* One that only delays is given up on. */
static struct rma_verdict never(void *arg, const struct rma_question *q)
{
    ++*(uint32_t *)arg;
    assert_true(q->asked < RMA_ASKED_MOST);
    return (struct rma_verdict){0, 0, 0, false};
}
static uint32_t evasions;
static const struct rma_policy evasive = {.decide = never, .demand = planned_demand};
static void evaded(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    rma_quiet(ctx, "quiet");
    TIME_IS(1.116 + 1.01);
    assert_int_equal(there(0), 5);
}
static void evade_at_begin(struct rank_job *job)
{
    rma_police(job, &evasive, &evasions);
}
static void a_policy_that_evades(void **state)
{
    (void)state;
    evasions = 0;
    stage_at_begin = evade_at_begin;
    stage_run_rank0(evaded);
    assert_int_equal(evasions, RMA_ASKED_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(memory_along_a_layout),       STAGE_TEST(memory_that_is_waited_for),
        STAGE_TEST(memory_that_is_polled),       STAGE_TEST(standstill),
        STAGE_TEST(a_policy_that_gives_nothing), STAGE_TEST(a_policy_that_evades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
