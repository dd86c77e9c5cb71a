/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a validation: what it gives, and its messages. Medians and their intervals, against binomial sums. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/validate/parts.h"

#define PLATFORM                                                                                             \
    "platforms: {a: {file: a.xml, run: 'mpirun ${program}'}, b: {file: b.xml, run: '${program}'}}\n"

static struct study_validation *read_file(const char *text, struct base_status *st)
{
    struct study_validation *v;
    return study_validation_read_text(&v, text, strlen(text), "v.yaml", st) ? NULL : v;
}

static void test_points(void **state)
{
    struct base_status st;
    struct study_validation *v = read_file(
        "target: {median: 3%, p95: 0.08}\nseconds: {output: 'x (.*)'}\n" PLATFORM
        "programs:\n  p: {real: r, simulated: s, parameters: {n: [1, 2]}, ranks: 4, where: not (platform == "
        "'b' and n == 1)}\n  q: {real: r, trace: t, ranks: 2, platforms: b, measured: whole, unit: ms}\n",
        &st);
    (void)state;
    if (!v) {
        fail_msg("%s", st.text);
        return;
    }
    assert_true(v->target.median == 0.03 && v->target.p95 == 0.08 && isnan(v->target.worst));
    assert_int_equal(v->least, 6);
    assert_int_equal(v->subject[0].study->points, 3);
    char *last = study_point_json(v->subject[0].study, &v->subject[0].study->point[2]);
    assert_string_equal(last, "{\"platform\":\"b\",\"n\":2,\"ranks\":4}");
    free(last);
    assert_int_equal(v->subject[1].study->points, 1);
    assert_true(v->subject[1].measured.whole && !v->subject[1].predicted.whole);
    assert_string_equal(v->subject[1].predicted.keep.what.at, "x (.*)");
    assert_true(fabs(v->subject[1].unit - 1e-3) < 1e-15);
    study_validation_destroy(v);
}

static void test_errors(void **state)
{
    static const char *const pairs[][2] = {
        {"", "v.yaml:1: the file is empty"},
        {"title: x\n", "v.yaml:1: expected platforms"},
        {PLATFORM, "v.yaml:1: expected programs"},
        {"programs: {p: {}}\n", "v.yaml:1: programs: expected platforms, too"},
        {"target: 3%\n", "v.yaml:1: target: expected keys with their values"},
        {"target: {p95: -1%}\n", "v.yaml:1: expected a part, as in 3%, not '-1%'"},
        {"repetitions: 0\n", "v.yaml:1: expected 1 to 1000, not '0'"},
        {"repetitions: {least: 20}\n", "v.yaml:1: repetitions: expected least <= most (15), not 20"},
        {"seconds: 3\n",
         "v.yaml:1: seconds: expected whole, {output: EXPRESSION}, {errors: EXPRESSION} or {json: "
         "PATH}"},
        {"seconds: {output: '('}\n", "v.yaml:1: '(' is no regular expression: Unmatched ( or \\("},
        {"seconds: {file: x}\n", "v.yaml:1: seconds: expected output, errors or json"},
        {"platforms: {a: {run: '${program}'}}\n", "v.yaml:1: platform a: expected its file"},
        {PLATFORM "programs: {p: {real: r, simulated: s, ranks: 2, parameters: {seed: 1}}}\n",
         "v.yaml:2: 'seed' is no name for a parameter here"},
        {PLATFORM "programs: {p: {real: r, ranks: 2}}\n",
         "v.yaml:2: program p: expected source, or real with simulated or trace"},
        {PLATFORM "programs: {p: {real: r, simulated: s, ranks: 2, measured: {json: x}}}\n",
         "v.yaml:2: program p: a real run has no JSON; expected measured: {output: EXPRESSION}"},
        {PLATFORM "programs: {p: {source: s.c, ranks: 2}}\n",
         "v.yaml:2: program p: a source needs real-cc, the compiler of the real MPI"},
        {PLATFORM "programs: {p: {real: r, simulated: s, ranks: 2, platforms: [c]}}\n",
         "v.yaml:2: there is no platform 'c'"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++) {
        struct base_status st;
        struct study_validation *v = read_file(pairs[k][0], &st);
        if (v || strcmp(st.text, pairs[k][1]) != 0)
            fail_msg("%s: '%s', not '%s'", pairs[k][0], v ? "a validation" : st.text, pairs[k][1]);
    }
}

/* The probability that the interval without `skip` values at each end has the median. */
static double coverage(uint32_t n, uint32_t skip)
{
    double sum = 0;
    for (uint32_t k = 0; k <= skip; k++)
        sum += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) - n * log(2));
    return 1 - 2 * sum;
}

static void test_intervals(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 200; n++) {
        struct validate_sample s = {0};
        double *value = base_alloc(n * sizeof *value, "values");
        for (uint32_t k = 0; k < n; k++)
            value[k] = n - 1 - k;
        validate_sample_of(value, n, true, &s);
        uint32_t skip = (uint32_t)s.low;
        if (s.high != n - 1 - skip || s.median != (n - 1) / 2.0)
            fail_msg("%u values: median %g, %g to %g", n, s.median, s.low, s.high);
        if (n >= 6 && (coverage(n, skip) < 0.95 || coverage(n, skip + 1) >= 0.95))
            fail_msg("%u values: %u are left out at each end: %g", n, skip, coverage(n, skip));
        if (n < 6 && skip)
            fail_msg("%u values: expected all of them", n);
        validate_sample_release(&s);
    }
    struct validate_sample none = {0};
    validate_sample_of(NULL, 0, true, &none);
    assert_true(isnan(none.median));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
