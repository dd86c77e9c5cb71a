/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings of the adversary: the six of the paper's tool by their environment names, bad values with a message
 * each, the command line before the environment; patterns where results will be.
 */
#include "rma/stage.h"

#include "check/nasty.h"

static void environment_is_checked(void **state)
{
    static const struct {
        const char *name, *good, *bad, *expected;
    } rows[] = {
        {"NASTY_SKIP_COMPLETION_STAGE", "1", "2", "expected 0 or 1"},
        {"NASTY_LOCAL_COMPLETION_ENABLED", "0", "yes", "expected 0 or 1"},
        {"NASTY_SKIP_ATOMICITY_STAGE", "0", "-1", "expected 0 or 1"},
        {"NASTY_SUBMIT_ORDER", "reverse_po", "reverse", "reverse_po, put_before_get or get_before_put"},
        {"NASTY_SUBMIT_ORDER", "random", "mixed", "expected random"},
        {"NASTY_ADD_FLUSH_ENABLED", "0", "", "expected 0 or 1"},
        {"NASTY_ADD_LATENCY", "31", "1000001", "expected microseconds"},
    };
    struct base_status st;
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(rows); k++) {
        setenv(rows[k].name, rows[k].good, 1);
        assert_int_equal(nasty_next(1, NULL, &st), 0);
        setenv(rows[k].name, rows[k].bad, 1);
        assert_int_equal(nasty_next(1, NULL, &st), -1);
        assert_non_null(strstr(st.text, rows[k].name));
        assert_non_null(strstr(st.text, rows[k].expected));
        unsetenv(rows[k].name);
    }
}

static void words_are_checked(void **state)
{
    static const struct nasty_setting order[] = {{"check/order", "backwards"}, {NULL, NULL}},
                                      progress[] = {{"check/progress", "never"}, {NULL, NULL}};
    struct base_status st;
    (void)state;
    assert_int_equal(nasty_next(1, order, &st), -1);
    assert_non_null(strstr(st.text, "check/order=backwards: expected mixed, random, reverse_po"));
    assert_int_equal(nasty_next(1, progress, &st), -1);
    assert_string_equal(st.text, "check/progress=never: expected standard or defer");
}

static void words_of_the_option(void **state)
{
    const char *list = "races,nasty";
    struct base_status st;
    (void)state;
    assert_string_equal(check_word(&list, &st), "check/races");
    assert_string_equal(check_word(&list, &st), "check/nasty");
    assert_string_equal(list, "");
    list = "nasti";
    assert_null(check_word(&list, &st));
    assert_string_equal(st.text, "--check nasti: expected nasty or races, or both with a comma");
}

/* --- patterns ---------------------------------------------------------------------------------------- */

enum { BYTES = 24 };
static unsigned patterns, old;

static bool is_all(const unsigned char *bytes, unsigned char value)
{
    for (int k = 0; k < BYTES; k++)
        if (bytes[k] != value)
            return false;
    return true;
}

/* What lies where a nonblocking get's results will be is the pattern, the results or what was there. */
static void get_twice(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    memset(stage.heap[1], 7, BYTES);
    for (int k = 0; k < 20; k++) {
        unsigned char *heap = stage.heap[0] + k * 64; /* the same place would be a loop that polls */
        memset(heap, 1, BYTES);
        rma_get(c, stage_to(1, ranks_heap_at(1, 0)), heap, BYTES, RMA_NONBLOCKING, "get");
        patterns += is_all(heap, RMA_PATTERN);
        old += is_all(heap, 1);
        rma_quiet(c, "quiet");
        assert_true(is_all(heap, 7));
    }
    rma_ctx_destroy(c);
}

static void run_gets(const char *wanted)
{
    const struct nasty_setting given[] = {{"check/patterns", wanted}, {NULL, NULL}};
    struct base_status st;
    patterns = old = 0;
    for (uint64_t k = 0; k < 30; k++) {
        assert_int_equal(nasty_next(k, given, &st), 0);
        stage_prepare(k % 2);
        stage_begin();
        stage.body[0] = get_twice;
        stage_run();
        ranks_end(&stage);
    }
}

static void patterns_lie_where_results_will_be(void **state)
{
    (void)state;
    run_gets("yes");
    assert_true(patterns > 5 && old > 100);
    run_gets("no");
    assert_true(!patterns && old > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_is_checked),
        cmocka_unit_test(words_are_checked),
        cmocka_unit_test(words_of_the_option),
        cmocka_unit_test(patterns_lie_where_results_will_be),
    };
    nasty_first();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
