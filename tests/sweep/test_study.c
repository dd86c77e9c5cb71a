/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what a study means: its points and their order, expressions, and reports with file and line. Numbers are worked
 * out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/study/study.h"

static struct study *read_study(const char *text, struct base_status *st)
{
    struct study *s = NULL;
    st->text[0] = 0;
    if (study_read_text(&s, text, strlen(text), "s.yaml", st))
        return NULL;
    return s;
}

static void check_points(const char *text, const char *const *expected, uint32_t n)
{
    struct base_status st;
    struct study *s = read_study(text, &st);
    if (!s) {
        fail_msg("%s: %s", text, st.text);
        return;
    }
    if (s->points != n)
        fail_msg("%s: %u points, not %u", text, s->points, n);
    for (uint32_t k = 0; k < n; k++) {
        char *json = study_point_json(s, &s->point[k]);
        if (strcmp(json, expected[k]) != 0)
            fail_msg("%s: point %u is %s, not %s", text, k + 1, json, expected[k]);
        free(json);
    }
    study_destroy(s);
}
#define POINTS(text, ...)                                                                                    \
    do {                                                                                                     \
        const char *const expected[] = {__VA_ARGS__};                                                        \
        check_points("program: p\n" text, expected, BASE_LENGTH(expected));                                  \
    } while (0)

static void test_points(void **state)
{
    (void)state;
    POINTS("parameters: {a: [1, x], b: {powers: 2, from: 4, to: 9}}\n", "{\"a\":1,\"b\":4}",
           "{\"a\":1,\"b\":8}", "{\"a\":\"x\",\"b\":4}", "{\"a\":\"x\",\"b\":8}");
    POINTS("parameters: {a: {from: 1, to: 2, step: 0.5}}\n", "{\"a\":1}", "{\"a\":1.5}", "{\"a\":2}");
    POINTS("parameters: {a: {from: 0, to: 0.3, step: 0.1}}\nwhere: a > 0.25\n",
           "{\"a\":0.30000000000000004}");
    POINTS("parameters: {c: [7]}\npoints: [{a: 1, b: u}, {b: v, a: 2}]\nseeds: 2\nwhere: [a == 2 or seed == "
           "1, not (b == 'z')]\n",
           "{\"a\":1,\"b\":\"u\",\"c\":7,\"seed\":1}", "{\"a\":2,\"b\":\"v\",\"c\":7,\"seed\":1}",
           "{\"a\":2,\"b\":\"v\",\"c\":7,\"seed\":2}");
    POINTS("parameters: {a: \"16\"}\n", "{\"a\":\"16\"}");
    POINTS("title: t\n", "{}");
}

static void check_expression(const char *text, const char *expected)
{
    struct base_status st;
    struct study *s = read_study("program: p\nparameters: {n: 12, t: tree, q: \"12\"}\n", &st);
    assert_non_null(s);
    const struct study_point_scope inner = {s, s->point, {0}};
    const struct study_scope scope = study_scope_of(&inner);
    char *got = study_expand(text, &scope, &st);
    if (strcmp(got ? got : st.text, expected) != 0)
        fail_msg("%s gives %s, not %s", text, got ? got : st.text, expected);
    free(got);
    study_destroy(s);
}

static void test_expressions(void **state)
{
    static const char *const pairs[][2] = {
        {"${n / 2 - 1}", "5"},
        {"${2 + 3 * 4 - -1}", "15"},
        {"${(2 + 3) * 4 % 6}", "2"},
        {"${8 - 4 - 2}", "2"},
        {"a${n}b${t}$$c$d", "a12btree$c$d"},
        {"${n == 12 and t == \"tree\"}", "1"},
        {"${n == 12 and not t == 'tree' or n < 5}", "0"},
        {"${q == n}", "0"},
        {"${max(1, n, 3) + min(4, 2) + log2(8) + floor(1.5) + ceil(0.5) + round(1.4) + sqrt(9)}", "23"},
        {"${1 / 0}", "'1 / 0': a division by 0"},
        {"${m}", "'m': there is no 'm' here"},
        {"${t < 3}", "'t < 3': expected a number, not 'tree'"},
        {"${n + t}", "'n + t': expected a number, not 'tree'"},
        {"${n", "'${n': '}' is missing"},
        {"${(n}", "'(n': ')' is missing"},
        {"${n n}", "'n n': 'n' is not understood"},
        {"${'a}", "''a': a text without an end"},
        {"${}", "'': it ends too early"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++)
        check_expression(pairs[k][0], pairs[k][1]);
}

static void test_errors(void **state)
{
    static const char *const pairs[][2] = {
        {"program: p\nrank: 3\n",
         "s.yaml:2: unknown key 'rank' of the study; the nearest known one is ranks"},
        {"program: p\nparameters:\n  a: []\n", "s.yaml:3: a list without values"},
        {"program: p\nparameters: {a: [1, 1]}\n", "s.yaml:1: 'a' has '1' twice"},
        {"program: p\nparameters: {a-b: 1}\n", "s.yaml:2: 'a-b': expected a name of letters, digits and '_'"},
        {"program: p\nparameters:\n  status: [1, 2]\n",
         "s.yaml:3: 'status' is no name for a parameter: each point has a result of this name; expected "
         "another one"},
        {"program: p\npoints: [{a: 1, peak_bytes: 2}]\n",
         "s.yaml:2: 'peak_bytes' is no name for a parameter: each point has a result of this name; expected "
         "another one"},
        {"program: p\nparameters: {and: 1}\n",
         "s.yaml:2: 'and' is no name for a parameter: it has a meaning already"},
        {"program: p\nparameters: {a: {from: 3, to: 1}}\n",
         "s.yaml:2: expected {from: A, to: B} with A <= B"},
        {"program: p\nparameters: {a: {from: 0, to: 1e9}}\n", "s.yaml:2: more than 100000 values"},
        {"program: p\nparameters: {a: 1}\n\nwhere: b > 1\n",
         "s.yaml:4: where: 'b > 1': there is no 'b' here"},
        {"program: p\nparameters: {a: 1}\nwhere: a > 1\n", "s.yaml:3: no point is left"},
        {"program: p\npoints: [{a: 1}, {b: 1}]\n", "s.yaml:2: a point without 'a', which the first one has"},
        {"program: p\nkeep: {t: {output: '('}}\n",
         "s.yaml:2: '(' is no regular expression: Unmatched ( or \\("},
        {"program: p\nplots:\n- {chart: lines, x: a, y: b}\n",
         "s.yaml:3: 'a' is no parameter and nothing that is kept"},
        {"program: p\nprogram: q\n", "s.yaml:2: 'program' is there twice"},
        {"command: walk\n", "s.yaml:1: command: expected run, replay, riscv or a list of words"},
        {"title: x\n", "s.yaml:1: expected a program, a trace, or a command"},
        {"program: p\ntimeout: soon\n", "s.yaml:2: timeout: expected a time above 0, as in 10m, not 'soon'"},
        {"", "s.yaml:1: the file is empty"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(pairs); k++) {
        struct base_status st;
        struct study *s = read_study(pairs[k][0], &st);
        if (s || strcmp(st.text, pairs[k][1]) != 0)
            fail_msg("%s: '%s', not '%s'", pairs[k][0], s ? "a study" : st.text, pairs[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_expressions),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
