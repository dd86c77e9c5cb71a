/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the writers of other tools' forms, compared with naive ones: names, operations under way. */
#include "trace/foreign/foreign.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Equal texts are one name wherever they lie; another kind or detail makes another. */
static void test_names(void **state)
{
    (void)state;
    static struct trace_names n;
    char a[] = "text", b[] = "text";
    trace_names_init(&n);
    assert_int_equal(trace_names_number(&n, TRACE_NAME_CALL, a, NULL), 0);
    assert_int_equal(trace_names_number(&n, TRACE_NAME_WAIT, a, NULL), 1);
    assert_int_equal(trace_names_number(&n, TRACE_NAME_CALL, b, NULL), 0);
    assert_int_equal(trace_names_number(&n, TRACE_NAME_CALL, b, "detail"), 2);
    assert_int_equal(trace_names_number(&n, TRACE_NAME_CALL, NULL, NULL), 3);
    char *many[5000];
    for (uint32_t k = 0; k < 5000; k++) {
        many[k] = base_strfmt("%u", k);
        assert_int_equal(trace_names_number(&n, TRACE_NAME_MARK, many[k], NULL), 4 + k);
    }
    for (uint32_t k = 0; k < 5000; k++) {
        char again[16];
        snprintf(again, sizeof again, "%u", k);
        assert_int_equal(trace_names_number(&n, TRACE_NAME_MARK, again, NULL), 4 + k);
        again[0] = 0; /* the same address holds another text in the next round (emitters never do that) */
        memset(n.lately, 0, sizeof n.lately);
    }
    trace_names_release(&n);
    for (uint32_t k = 0; k < 5000; k++)
        free(many[k]);
}

/* Against an array of flags: all kinds of 500 numbers, at random. */
static void test_table_of_flights(void **state)
{
    (void)state;
    enum { NUMBERS = 500 };
    static bool there[TRACE_FLIGHT_KINDS][NUMBERS + 1];
    struct trace_flights f;
    struct base_random r;
    const uint64_t seed = 20261;
    size_t n = 0;
    print_message("seed %u\n", (unsigned)seed);
    base_random_seed(&r, seed, 0);
    trace_flights_init(&f);
    for (int k = 0; k < 200000; k++) {
        enum trace_flight_kind kind = (enum trace_flight_kind)base_random_below(&r, TRACE_FLIGHT_KINDS);
        uint64_t op = 1 + base_random_below(&r, NUMBERS);
        struct trace_flight *found = trace_flights_find(&f, kind, op);
        assert_int_equal(found != NULL, there[kind][op]);
        if (found)
            trace_flights_remove(&f, found);
        else
            trace_flights_add(&f, &(struct trace_flight){.op = op, .kind = kind, .bytes = op});
        n += found ? (size_t)-1 : 1;
        there[kind][op] = !found;
        assert_int_equal(f.n, n);
    }
    struct trace_flight *list = trace_flights_list(&f);
    size_t at = 0;
    for (int kind = 0; kind < TRACE_FLIGHT_KINDS; kind++)
        for (uint64_t op = 1; op <= NUMBERS; op++)
            if (there[kind][op]) {
                assert_int_equal(list[at].kind, kind);
                assert_int_equal(list[at].op, op);
                assert_int_equal(list[at++].bytes, op);
            }
    assert_int_equal(at, n);
    free(list);
    trace_flights_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_table_of_flights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
