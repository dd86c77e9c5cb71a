/* SPDX-License-Identifier: BSD-3-Clause */
/* Which operations that a policy keeps back a completion call needs: no other has to go. */
#include "rma/policy_by_hand.h"

static unsigned char block[8];

/* A blocking fetch waits behind a fence for a put that is kept back; a local quiet for the same. The put to
 * another target stays where it is. */
static void behind(struct rank *r)
{
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    uint64_t old = 0;
    ctx = stage_ctx(r);
    for (uint64_t round = 1; round < 3; round++) {
        put_word(0, 5);
        rma_put(ctx, at(2, 0), &round, 8, RMA_NONBLOCKING, "put");
        rma_fence(ctx);
        if (round == 1) {
            old = rma_atomic_fetch(ctx, at(1, 0), &add, "fetch");
        } else {
            rma_atomic_fetch_nbi(ctx, at(1, 0), &add, &old, "fetch_nbi");
            rma_quiet_local(ctx, "local");
        }
        assert_int_equal(old, 5);
        assert_int_equal(there(0), 6);
        assert_int_equal(word(stage.heap[2]), round - 1);
        assert_false(rma_ctx_idle(ctx));
        rma_quiet(ctx, "quiet");
        assert_int_equal(word(stage.heap[2]), round);
        assert_int_equal(plan.demanded, 1);
    }
}
static void what_is_ahead_is_needed_too(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep);
    all_verdicts(RMA_AT_ORIGIN, keep);
    run_planned(behind);
}

/* A quiet to some targets leaves the others where they are. */
static void some_targets(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_put(ctx, at(2, 0), block, 8, RMA_NONBLOCKING, "put");
    rma_quiet_targets(ctx, (const uint32_t[]){1}, 1, "pe_quiet");
    assert_int_equal(plan.demanded, 1);
    assert_int_equal(there(0), 1);
    assert_false(rma_ctx_idle(ctx));
    until(20);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    rma_ctx_destroy(ctx);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 2);
}
static void a_quiet_needs_its_targets_alone(void **state)
{
    (void)state;
    plan_begin();
    keep_first(3);
    run_planned(some_targets);
}

static bool noted;
static void note(struct rma_notice *n)
{
    (void)n;
    noted = true;
}
static void requested(struct rank *r)
{
    static struct rma_notice n;
    static uint64_t got;
    uint64_t v = 3;
    ctx = stage_ctx(r);
    memcpy(stage.heap[1], &v, 8);
    n = (struct rma_notice){.complete = note};
    rma_need(ctx, &n); /* not under way: nothing */
    rma_notify_next(ctx, &n);
    rma_get(ctx, at(1, 0), &got, 8, RMA_NONBLOCKING, "get");
    until(20);
    assert_false(noted);
    rma_need(ctx, &n);
    rma_need(ctx, &n);
    until(30);
    assert_true(noted && got == 3);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 2); /* at the target, at the origin */
}
static void a_request_can_be_needed(void **state)
{
    (void)state;
    plan_begin();
    noted = false;
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_ORIGIN][0] = keep;
    run_planned(requested);
    assert_true(noted);
}

/* The policy's own release, in an event of the instant. */
static void released(struct rank *r)
{
    uint64_t number;
    ctx = stage_ctx(r);
    put_word(0, 5);
    assert_false(rma_release(r->job, 1));
    until(4);
    number = plan.last[RMA_AT_TARGET].operation;
    assert_false(rma_release(r->job, number + 1));
    assert_true(rma_release(r->job, number));
    assert_false(rma_release(r->job, number)); /* it is not kept any more, though it has not acted yet */
    assert_int_equal(there(0), 0);
    until(4.001);
    assert_int_equal(there(0), 5);
    assert_false(rma_release(r->job, number));
    rma_quiet(ctx, "quiet");
    TIME_IS(4 + 1.01);
    put_word(8, 5);
    until(8);
    assert_false(rma_release(r->job, number)); /* of an operation that is over */
    assert_true(rma_release(r->job, plan.last[RMA_AT_TARGET].operation));
}
static void a_policy_releases(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][2] = keep;
    run_planned(released);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(what_is_ahead_is_needed_too),
        STAGE_TEST(a_quiet_needs_its_targets_alone),
        STAGE_TEST(a_request_can_be_needed),
        STAGE_TEST(a_policy_releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
