/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory compared point by point: files hold what has changed since the point before. What is open, or differs on
 * other platforms, is no difference; what comes behind the last point that both have is not compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/explore_lines.h"

static const char plain[] = "point A\n"
                            "0 0 0 aa window\n"
                            "1 0 40 bb window\n"
                            "1 1 40 cc window\n"
                            "point B\n"
                            "0 0 0 0 window\n"
                            "1 0 80 - static data\n"
                            "point C\n"
                            "1 0 80 dd static data\n";

struct compared {
    const char *other, *varied, *text; /* varied: of a plain run on another platform; text NULL: equal */
};

static void check(const struct compared *c)
{
    struct explore_memory m;
    explore_memory_init(&m);
    struct explore_lines one = lines(plain), other = lines(c->other),
                         varied = lines(c->varied ? c->varied : "");
    explore_memory_plain(&m, &one);
    if (c->varied)
        explore_memory_vary(&m, &varied);
    char *text = explore_memory_unlike(&m, &other);
    if (c->text && text)
        assert_string_equal(text, c->text);
    else if (c->text || text)
        fail_msg("%s\nexpected %s, got %s", c->other, c->text ? c->text : "no difference",
                 text ? text : "none");
    free(text);
    explore_lines_release(&other);
    explore_lines_release(&varied);
    explore_memory_release(&m);
}

static void test_compare(void **state)
{
    (void)state;
    static const struct compared cases[] = {
        {plain, NULL, NULL},
        /* in another order */
        {"point A\n1 1 40 cc window\n0 0 0 aa window\n1 0 40 bb window\npoint B\n0 0 0 0 window\n", NULL,
         NULL},
        /* another value; one that is missing; one that is too much */
        {"point A\n0 0 0 a1 window\n1 0 40 bb window\n1 1 40 cc window\n", NULL,
         "at point 1, A: window+0x0 of rank 0"},
        {"point A\n0 0 0 aa window\n1 0 40 bb window\n", NULL, "at point 1, A: window 2+0x40 of rank 1"},
        {"point A\n0 0 0 aa window\n1 0 40 bb window\n1 1 40 cc window\n3 0 0 1f window\n", NULL,
         "at point 1, A: window+0x0 of rank 3"},
        /* one that has not changed, although it should */
        {"point A\n0 0 0 aa window\n1 0 40 bb window\n1 1 40 cc window\npoint B\n", NULL,
         "at point 2, B: window+0x0 of rank 0"},
        /* open there, with another value than the plain run's later */
        {"point A\n0 0 0 aa window\n1 0 40 bb window\n1 1 40 cc window\npoint B\n0 0 0 - window\n1 0 80 ee "
         "static data\n",
         NULL, NULL},
        {"point A\n0 0 0 aa window\n1 0 40 bb window\n1 1 40 cc window\npoint B\n0 0 0 - window\npoint C\n1 "
         "0 80 dd static "
         "data\n0 0 0 aa window\n",
         NULL, "at point 3, C: window+0x0 of rank 0"},
        /* what differs on another platform */
        {"point A\n0 0 0 a1 window\n1 0 40 bb window\n1 1 40 cc window\n",
         "point A\n0 0 0 a2 window\n1 0 40 bb window\n1 1 40 cc window\npoint B\npoint C\n", NULL},
        {"point A\n0 0 0 a1 window\n", "point A\n0 0 0 aa window\n", NULL}, /* not as many points */
    };
    for (size_t k = 0; k < BASE_LENGTH(cases); k++)
        check(&cases[k]);
}

static void test_outcome(void **state)
{
    (void)state;
    struct explore_plain p = {.compare = EXPLORE_WHOLE};
    explore_memory_init(&p.memory);
    struct explore_lines one = lines(plain);
    explore_memory_plain(&p.memory, &one);
    struct explore_result t = {.ended = true, .memory = lines("point A\n0 0 0 ab window\n")};
    struct explore_outcome o = explore_outcome_of(&t, &p);
    struct explore_request q = {.same_output = false}, strict = {.same_output = true};
    assert_int_equal(o.end, EXPLORE_MEMORY);
    assert_string_equal(o.text, "other memory than the plain run's");
    assert_false(explore_is_failure(&q, &o));
    assert_true(explore_is_failure(&strict, &o));
    explore_outcome_release(&o);
    explore_result_release(&t);
    explore_memory_release(&p.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compare), cmocka_unit_test(test_outcome)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
