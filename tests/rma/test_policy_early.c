/* SPDX-License-Identifier: BSD-3-Clause */
/* A policy by hand lets operations act early, and reads their sources late. */
#include "rma/policy_by_hand.h"

/* A put at its issue; a get reads at its issue and writes half of it when the reply leaves. */
static void early(struct rank *r)
{
    uint64_t got[2] = {0, 0}, v[2] = {6, 7};
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(0.2);
    assert_int_equal(there(0), 5);
    until(4);
    assert_true(rma_ctx_idle(ctx)); /* at the usual time */
    assert_int_equal(plan.asked[RMA_AT_TARGET], 0);
    memcpy(stage.heap[1] + 64, v, sizeof v);
    rma_get(ctx, at(1, 64), got, 16, RMA_NONBLOCKING, "get");
    until(4.5);
    memset(stage.heap[1] + 64, 0, sizeof v);
    until(5.6); /* read at 4 + 0.2 + 1.3 */
    assert_true(got[0] == 6 && got[1] == 0);
    rma_quiet(ctx, "quiet");
    assert_int_equal(got[1], 7);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].left, 8);
}
static void effects_can_be_early(void **state)
{
    (void)state;
    plan_begin();
    policy.early = true;
    plan.verdict[RMA_REPLIED][0] = (struct rma_verdict){0, 8, INFINITY, false};
    run_planned(early);
    assert_int_equal(plan.asked[RMA_AT_ORIGIN], 1);
}

/* Not before its turn: the second put is behind a fence. */
static void early_behind(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_fence(ctx);
    put_word(8, 2);
    until(1);
    assert_int_equal(there(0), 0);
    assert_int_equal(there(8), 0);
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(8), 2);
    assert_int_equal(plan.asked[RMA_ISSUED], 1);
}
static void nothing_is_early_before_its_turn(void **state)
{
    (void)state;
    plan_begin();
    policy.early = true;
    plan.verdict[RMA_ISSUED][0] = (struct rma_verdict){0, 0, INFINITY, false};
    run_planned(early_behind);
}

/* The source is read when the put is let go, until the local quiet gives it back. */
static void late(struct rank *r)
{
    uint64_t v = 1;
    ctx = stage_ctx(r);
    rma_put(ctx, at(1, 0), &v, 8, RMA_NONBLOCKING, "put");
    rma_put(ctx, at(1, 8), &v, 8, RMA_BLOCKING, "put");
    v = 2;
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(0), 2);
    assert_int_equal(there(8), 1);
    rma_put(ctx, at(1, 16), &v, 8, RMA_NONBLOCKING, "put");
    rma_put(ctx, at(2, 16), &v, 8, RMA_NONBLOCKING, "put");
    v = 3;
    rma_quiet_local_targets(ctx, (const uint32_t[]){2}, 1, "local");
    v = 4;
    rma_quiet_local(ctx, "local");
    v = 5;
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(16), 4);
    assert_int_equal(word(stage.heap[2] + 16), 3);
    assert_int_equal(plan.asked[RMA_SOURCE], 2);
}
static void sources_are_read_as_late_as_they_may(void **state)
{
    (void)state;
    plan_begin();
    for (int k = 0; k < MOST; k++)
        plan.verdict[RMA_AT_TARGET][k].late = plan.verdict[RMA_SOURCE][k].late = true;
    for (int k = 0; k < 8; k += 2) /* each is kept until the quiet */
        plan.verdict[RMA_AT_TARGET][k / 4 * 4] = plan.verdict[RMA_AT_TARGET][k / 4 * 4 + 1] = keep;
    run_planned(late);
    assert_true(base_warn_again("misuse/source-changed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(effects_can_be_early),
        STAGE_TEST(nothing_is_early_before_its_turn),
        STAGE_TEST(sources_are_read_as_late_as_they_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
