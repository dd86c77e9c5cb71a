/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians, intervals and sizes of runtime/calibrate, against numbers derived by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/measure.h"

static void quantiles(void **state)
{
    struct measure m = {0};
    (void)state;
    for (int k = 0; k <= 100; k++)
        measure_add(&m, (k * 37) % 101); /* 0 to 100 in some order */
    struct measure_summary s = measure_summary(&m);
    assert_true(s.median == 50 && s.least == 0 && s.most == 100 && s.q10 == 10 && s.q90 == 90 && s.n == 101);
    /* 50.5 - 0.98 sqrt(101) = 40.65, 50.5 + 9.85 = 60.35 */
    assert_true(s.low == 40 && s.high == 61);
    measure_clear(&m);
    assert_true(measure_summary(&m).n == 0);
    measure_release(&m);
}

/* Of 1000 medians of 25 samples, the interval holds the true one in about 95% of cases. */
static void the_interval_holds_the_median(void **state)
{
    struct measure_random r = {7};
    int held = 0;
    (void)state;
    for (int k = 0; k < 1000; k++) {
        struct measure m = {0};
        for (int i = 0; i < 25; i++)
            measure_add(&m, measure_below(&r, 1000001));
        struct measure_summary s = measure_summary(&m);
        held += s.low <= 500000 && s.high >= 500000;
        measure_release(&m);
    }
    if (held < 930 || held > 990)
        fail_msg("%d of 1000 intervals hold the median; expected 930 to 990", held);
}

static void enough_is_precise_or_a_limit(void **state)
{
    struct measure_limits l = {.least = 5, .most = 50, .precision = 0.1, .seconds = 1};
    struct measure m = {0};
    (void)state;
    for (int k = 0; k < 4; k++)
        measure_add(&m, 1);
    assert_false(measure_enough(&m, &l, 100));
    measure_add(&m, 1);
    assert_true(measure_enough(&m, &l, 0));
    measure_clear(&m);
    for (int k = 0; k < 49; k++)
        measure_add(&m, k % 2 ? 1 : 2);
    assert_false(measure_enough(&m, &l, 0.5));
    assert_true(measure_enough(&m, &l, 1));
    measure_add(&m, 1);
    assert_true(measure_enough(&m, &l, 0));
    measure_release(&m);
}

static void sizes_ascend_and_differ_by_seed(void **state)
{
    struct measure_random a = {1}, b = {2};
    size_t *x, *y;
    int differ = 0, n = measure_sizes(&a, 4096, &x), other = measure_sizes(&b, 4096, &y);
    (void)state;
    assert_true(x[0] == 0 && x[1] == 1 && x[n - 1] == 4096 && n > 20);
    for (int k = 1; k < n; k++) {
        assert_true(x[k] > x[k - 1]);
        assert_true(k < 3 || (double)x[k] / (double)x[k - 1] <= 2.01);
        differ += k < other && x[k] != y[k];
    }
    assert_true(differ > 5);
    free(x);
    free(y);
}

static void lines_are_json(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct measure_summary none = {.most = 1e-9};
    (void)state;
    line_begin(f, "k");
    line_text(f, "t", "a\"b\\\n");
    line_number(f, "x", 0.25);
    line_count(f, "n", -3);
    line_summary(f, &none, 1e-9);
    line_end(f);
    fclose(f);
    assert_string_equal(text, "{\"kind\":\"k\",\"t\":\"a\\\"b\\\\\\u000a\",\"x\":0.25,\"n\":-3,"
                              "\"unidentified\":\"no time passes\"}\n");
    free(text);
}

/* 95 samples of 100, and five that are 1 to 5 more; one of 100.9 is within a percent. */
static void disturbed_samples(void **state)
{
    struct measure m = {0};
    (void)state;
    for (int k = 0; k < 94; k++)
        measure_add(&m, 100);
    measure_add(&m, 100.9);
    for (int k = 1; k <= 5; k++)
        measure_add(&m, 100 + k + 0.5);
    (void)measure_summary(&m);
    struct measure_disturbed d = measure_disturbed(&m);
    assert_int_equal(d.n, 5);
    assert_true(fabs(d.mean - 3.5) < 1e-9);
    assert_true(fabs(d.excess[0] - 1.5) < 1e-9 && fabs(d.excess[3] - 3.5) < 1e-9 &&
                fabs(d.excess[8] - 5.5) < 1e-9);
    measure_clear(&m);
    for (int k = 0; k < 10; k++)
        measure_add(&m, 1);
    (void)measure_summary(&m);
    d = measure_disturbed(&m);
    assert_true(d.n == 0 && d.mean == 0);
    measure_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles),
        cmocka_unit_test(the_interval_holds_the_median),
        cmocka_unit_test(enough_is_precise_or_a_limit),
        cmocka_unit_test(sizes_ascend_and_differ_by_seed),
        cmocka_unit_test(lines_are_json),
        cmocka_unit_test(disturbed_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
