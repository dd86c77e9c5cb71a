/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs under the adversary, against the naive model: whatever the seed, what is ordered stays ordered,
 * no byte is lost or written twice, and all that a completion call needs is there when it returns.
 */
#include "rma/random_program.h"

#include "check/nasty.h"

enum { SEEDS = 40 };

static struct outcome run_nasty(bool exchanged, uint64_t nasty_seed, const struct nasty_setting *given)
{
    struct base_status st;
    assert_int_equal(nasty_next(nasty_seed, given, &st), 0);
    return run(exchanged, NULL);
}

static void results_are_the_models(void **state)
{
    static const struct nasty_setting given[] = {{"check/patterns", "no"}, {NULL, NULL}};
    (void)state;
    uint64_t first = stage_seed(), pieces = 0, overtaken = 0;
    for (uint64_t k = 0; k < SEEDS; k++) {
        seed = first + k / 4;
        run_nasty(k % 2, first + k, given);
        pieces += model.pieces;
        overtaken += model.overtaken;
    }
    assert_true(pieces > 1000 && overtaken > 500);
}

/* Each of the settings leaves out what it says. */
static void nothing_is_cut_if_not_wanted(void **state)
{
    static const struct nasty_setting given[] = {{"check/patterns", "no"},
                                                 {"check/cut", "no"},
                                                 {"check/order", "reverse_po"},
                                                 {"check/keep", "no"},
                                                 {NULL, NULL}};
    (void)state;
    seed = stage_seed();
    for (uint64_t k = 0; k < 4; k++) {
        run_nasty(k % 2, seed + k, given);
        assert_int_equal(model.pieces, 0);
    }
}

static void the_same_seed_is_the_same_run(void **state)
{
    static const struct nasty_setting given[] = {{"check/patterns", "no"}, {NULL, NULL}};
    (void)state;
    seed = stage_seed();
    struct outcome one = run_nasty(false, seed, given), two = run_nasty(false, seed, given),
                   exchanged = run_nasty(true, seed, given), other = run_nasty(false, seed + 1, given);
    assert_memory_equal(&one, &two, sizeof one);
    assert_memory_equal(&one, &exchanged, sizeof one);
    assert_true(one.hash != other.hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_models),
        cmocka_unit_test(nothing_is_cut_if_not_wanted),
        cmocka_unit_test(the_same_seed_is_the_same_run),
    };
    nasty_first();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
