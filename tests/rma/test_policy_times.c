/* SPDX-License-Identifier: BSD-3-Clause */
/* When operations go that a policy by hand keeps back or delays, and what demands come at which time. */
#include "rma/policy_by_hand.h"

static unsigned char block[10000];

/* Kept until the quiet, which comes at its own time; then the acknowledgement's way. */
static void kept(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(7);
    assert_int_equal(there(0), 0);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 1);
    assert_false(rma_ctx_idle(ctx));
    rma_quiet(ctx, "quiet");
    TIME_IS(7 + 1.01);
    assert_int_equal(there(0), 5);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 2);
    assert_true(plan.last[RMA_AT_TARGET].released && plan.last[RMA_AT_TARGET].asked == 1);
}
static void a_kept_put_goes_with_quiet(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep); /* although released */
    run_planned(kept);
}

/* A quiet that is called ahead of the clock demands at the rank's own time; what is still on its way is
 * waited for before the others have to go. */
static void kept_ahead(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1); /* issued at 0.108 */
    r->issuing = true;
    until(3);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put"); /* delivered 11.5 later, at 14.6 */
    assert_true(r->ahead_until > 3 * US);
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demanded, 2);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    TIME_IS(3.1 + 11.5 + 1.01);
    r->issuing = false;
}
static void demands_wait_for_what_moves(void **state)
{
    (void)state;
    plan_begin();
    keep_first(2);
    run_planned(kept_ahead);
}

/* A quiet that is called at 3 by a rank that is at 3.108. */
static void demands_ahead(struct rank *r)
{
    uint64_t value = 0;
    struct rma_ctx *other = stage_ctx(r);
    ctx = stage_ctx(r);
    put_word(0, 1);
    until(3);
    r->issuing = true;
    rma_put(other, at(2, 0), &value, 8, RMA_BLOCKING, "put");
    rma_quiet(ctx, "quiet");
    r->issuing = false;
    TIME_IS(3.108 + 1.01);
}
static void demands_come_at_the_own_time(void **state)
{
    (void)state;
    plan_begin();
    keep_first(1);
    run_planned(demands_ahead);
    assert_true(fabs(plan.at - 3.108) < 1e-9);
}

/* The long one, the last that moves, goes by itself; then the other must. */
static void last_mover(struct rank *r)
{
    (void)r;
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    assert_int_equal(plan.demands[RMA_FOR_PROGRESS], 0);
}
static void the_last_that_moves_goes_by_itself(void **state)
{
    (void)state;
    plan_begin();
    keep_first(1);
    run_planned(last_mover);
}

/* What another actor issues during a quiet is not needed. */
static void issues_later(void *arg)
{
    (void)arg;
    until(1);
    put_word(0, 1);
}
static void only_before(struct rank *r)
{
    ctx = stage_ctx(r);
    engine_actor_spawn(stage.engine, issues_later, r, r);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demanded, 1);
    assert_int_equal(there(0), 0);
    assert_true(there(4096) == 0 && plan.asked[RMA_AT_TARGET] == 3);
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(0), 1);
}
static void a_quiet_needs_what_came_before(void **state)
{
    (void)state;
    plan_begin();
    keep_first(2);
    memset(block, 0, sizeof block);
    run_planned(only_before);
}

/* 2 us later, and then 3 us later. */
static void delays(struct rank *r)
{
    uint64_t got = 0, v = 9;
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(1.116 + 1.99);
    assert_int_equal(there(0), 0);
    until(1.116 + 2.01);
    assert_int_equal(there(0), 5);
    rma_quiet(ctx, "quiet");
    TIME_IS(1.116 + 2 + 1.01);
    double from = stage_now() / US;
    memcpy(stage.heap[1] + 64, &v, 8);
    rma_get(ctx, at(1, 64), &got, 8, RMA_BLOCKING, "get");
    TIME_IS(from + 0.2 + 1 + 0.3 + 3 + 1.008 + 4);
    assert_int_equal(got, 9);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 0);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].asked, 1); /* about this step */
}
static void delays_are_to_the_nanosecond(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0].to = plan.verdict[RMA_AT_TARGET][2].to = 0;
    plan.verdict[RMA_AT_TARGET][0].again = 2 * US;
    plan.verdict[RMA_AT_TARGET][2].again = 3 * US;
    plan.verdict[RMA_AT_ORIGIN][0] = (struct rma_verdict){0, 0, 4 * US, false};
    run_planned(delays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(a_kept_put_goes_with_quiet),         STAGE_TEST_EXCHANGED(a_kept_put_goes_with_quiet),
        STAGE_TEST(demands_wait_for_what_moves),        STAGE_TEST(demands_come_at_the_own_time),
        STAGE_TEST(the_last_that_moves_goes_by_itself), STAGE_TEST(a_quiet_needs_what_came_before),
        STAGE_TEST(delays_are_to_the_nanosecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
