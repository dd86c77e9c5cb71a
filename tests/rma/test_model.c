/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs (random_program.h) without a policy and with several, against the naive model. */
#include "rma/random_program.h"

static void run_many(const struct rma_policy *policy)
{
    uint64_t first = stage_seed();
    large = waits = locals = 0;
    for (seed = first; seed < first + 6; seed++)
        run(seed % 2, policy);
    assert_true(large > 100 && waits > 100 && locals > 50);
}

static void without_a_policy(void **state)
{
    (void)state;
    run_many(NULL);
    assert_true(model.overtaken > 20);
    assert_int_equal(model.pieces, 0);
}
static void everything_kept_until_needed(void **state)
{
    (void)state;
    run_many(policy_keep);
    assert_true(policies_seen.kept > 100 && policies_seen.demanded > 10 && policies_seen.given_in > 0);
}
static void everything_backwards(void **state)
{
    (void)state;
    run_many(policy_reverse);
    assert_true(model.overtaken > 20);
}
static void anything(void **state)
{
    (void)state;
    run_many(policy_random);
    assert_true(policies_seen.cut > 50 && policies_seen.delayed > 50 && policies_seen.late > 10);
    assert_true(model.pieces > 100 && !policies_seen.early);
}
static void anything_early_too(void **state)
{
    (void)state;
    run_many(policy_random_early);
    assert_true(policies_seen.early > 50 && model.pieces > 100);
}

/* To the last bit: when everything was touched, and the end. */
static void now_is_as_without(void **state)
{
    (void)state;
    seed = stage_seed();
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        struct outcome without = run(exchanged, NULL), now = run(exchanged, policy_now);
        assert_true(policies_seen.asked > 100);
        assert_memory_equal(&without.end, &now.end, sizeof now.end);
        assert_int_equal(without.memory, now.memory);
        assert_int_equal(without.hash, now.hash);
    }
}
static void the_same_seed_is_the_same_run(void **state)
{
    (void)state;
    seed = stage_seed();
    struct outcome one = run(false, policy_random_early), two = run(false, policy_random_early),
                   exchanged = run(true, policy_random_early);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_equal(&one, &exchanged, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_policy),
        cmocka_unit_test(everything_kept_until_needed),
        cmocka_unit_test(everything_backwards),
        cmocka_unit_test(anything),
        cmocka_unit_test(anything_early_too),
        cmocka_unit_test(now_is_as_without),
        cmocka_unit_test(the_same_seed_is_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
