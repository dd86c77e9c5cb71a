/* SPDX-License-Identifier: BSD-3-Clause */
/* A policy by hand cuts operations into pieces. */
#include "rma/policy_by_hand.h"

static unsigned char block[100];

static void put_in_pieces(struct rank *r)
{
    unsigned char *out = stage.heap[1];
    ctx = stage_ctx(r);
    memset(block, 1, 40);
    rma_put(ctx, at(1, 0), block, 40, RMA_NONBLOCKING, "put");
    until(2); /* delivered at 0.14 + 1 + 0.04 */
    assert_true(!out[9] && out[10] && out[19] && !out[20]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 40);
    until(2.3); /* a microsecond after */
    assert_true(!out[9] && out[10] && out[19] && !out[20] && !out[29] && out[30] && out[39]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 30);
    assert_false(rma_ctx_idle(ctx));
    until(3.3);
    assert_true(out[0] && out[20] && out[29] && !out[40]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 20);
}
static void a_put_in_pieces(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = (struct rma_verdict){10, 20, 1 * US, false};
    plan.verdict[RMA_AT_TARGET][1] =
        (struct rma_verdict){15, 16, 0, false}; /* nothing new; in this instant */
    plan.verdict[RMA_AT_TARGET][2] = (struct rma_verdict){30, 99, 1 * US, false};
    run_planned(put_in_pieces);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 4);
}

/* Every second byte: the gaps are limited, and nothing is written twice. */
static void combed(struct rank *r)
{
    ctx = stage_ctx(r);
    memset(block, 3, 100);
    rma_put(ctx, at(1, 0), block, 100, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    for (int k = 0; k < 100; k++)
        assert_int_equal(stage.heap[1][k], 3);
}
static void many_gaps_are_few(void **state)
{
    (void)state;
    plan_begin();
    for (int k = 0; k < 20; k++)
        plan.verdict[RMA_AT_TARGET][k] =
            (struct rma_verdict){90 - 4 * (uint64_t)k, 91 - 4 * (uint64_t)k, 0, false};
    run_planned(combed);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 21);
    /* the seven highest split; each further one takes the lower part of its gap: all from 0 on */
    assert_true(plan.last[RMA_AT_TARGET].left > 20 && plan.last[RMA_AT_TARGET].left < 40);
}

/* Whole elements, in one event each; the old values come back as one. */
static void summed(struct rank *r)
{
    uint64_t operand[4] = {1, 2, 3, 4}, old[4] = {0};
    const struct rma_items four = {types_layout_of(TYPES_UINT64), 4};
    ctx = stage_ctx(r);
    rma_get_accumulate(ctx, at(1, 0), &four, &(struct rma_operands){TYPES_SUM, operand, four}, old, &four,
                       RMA_NONBLOCKING, "get_accumulate");
    memset(operand, 0, sizeof operand);
    until(3);
    assert_true(!there(0) && there(8) == 2 && there(16) == 3 && !there(24));
    const uint64_t hundred = 100;
    memcpy(stage.heap[1] + 24, &hundred, 8);
    until(5);
    assert_true(there(0) == 1 && there(24) == 104);
    rma_quiet(ctx, "quiet");
    assert_true(!old[0] && !old[1] && !old[2] && old[3] == 100);
    assert_int_equal(plan.last[RMA_IN_UNIT].unit, 8);
}
static void accumulates_are_cut_between_elements(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_IN_UNIT][0] = (struct rma_verdict){9, 17, 2 * US, false};
    run_planned(summed);
}

static void swapped(struct rank *r)
{
    uint64_t value[2] = {1, 2}, compare[2] = {0, 0}, old[2];
    ctx = stage_ctx(r);
    rma_compare_swap(ctx, at(1, 0), stage_word(16), compare, value, old, RMA_BLOCKING, "swap");
    assert_true(there(0) == 1 && there(8) == 2);
    assert_int_equal(plan.last[RMA_AT_TARGET].unit, 16);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].unit, 16);
}
static void words_are_not_cut(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = (struct rma_verdict){7, 8, 0, false};
    run_planned(swapped);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(a_put_in_pieces),
        STAGE_TEST(many_gaps_are_few),
        STAGE_TEST(accumulates_are_cut_between_elements),
        STAGE_TEST_EXCHANGED(accumulates_are_cut_between_elements),
        STAGE_TEST(words_are_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
