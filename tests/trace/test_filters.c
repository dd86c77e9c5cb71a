/* SPDX-License-Identifier: BSD-3-Clause */
/* Filters: which events of a run a file keeps, and which filters are refused. */
#include "trace/pgt_files.h"

#include <math.h>

static size_t played(const struct trace_filter *filter)
{
    struct trace_sink s;
    struct base_status st;
    if (trace_writer_open(&s, other, &about, filter, &st))
        fail_msg("%s", st.text);
    stage_play(&s);
    assert_int_equal(s.close(s.ctx), 0);
    struct trace_file *f = open_reader(other);
    size_t n = trace_file_totals(f).events;
    trace_file_close(f);
    return n;
}

static void filters(void **state)
{
    (void)state;
    uint64_t passed = 0;
    struct trace_filter all = {.to = INFINITY}, f = {.to = INFINITY, .passed = &passed};
    size_t whole_n = played(&all);
    assert_int_equal(whole_n, played(NULL));
    assert_true(trace_filter_is_open(&all));
    f.wanted = UINT32_C(1) << TRACE_CATEGORY_CALLS;
    assert_int_equal(played(&f), 4 + 6); /* and the ranks' lives */
    assert_int_equal(passed, 10);
    assert_int_equal(trace_categories_parse("operations,waits", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 15 + 2 + 6);
    assert_int_equal(trace_categories_parse("messages", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 5 + 6);
    assert_int_equal(trace_categories_parse("races", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 3 + 6);
    assert_int_equal(trace_categories_parse("cards", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 14 + 6);
    f.ranks = "2"; /* a request of its own, in another host's card; its end */
    assert_int_equal(played(&f), 2 + 2);
    f.ranks = NULL;
    assert_int_equal(trace_categories_parse("cores", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), 3 + 6);
    assert_int_equal(trace_categories_parse("default,sync,memory,replay", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), whole_n);
    assert_int_equal(trace_categories_parse("all", &f.wanted, NULL), 0);
    assert_int_equal(played(&f), whole_n);
    assert_int_equal(trace_categories_parse("default", &f.wanted, NULL), 0);
    assert_true(trace_filter_is_open(&f));
    f.from = 1e-12; /* filters: drops kinds that are off by default, and events at 0 */
    assert_int_equal(played(&f), whole_n - 4 - 2 - 1 - 3);
    f.from = 0;
    f.wanted = UINT32_C(1) << TRACE_CATEGORIES | trace_categories_unasked();
    f.ranks = "1-2";
    assert_int_equal(played(&f), whole_n - 14 - 7);
    f.ranks = NULL;
    f.from = 3e-9;
    f.to = 5e-9;
    assert_int_equal(played(&f), 3);
}

static void bad_filters(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "x", "1-", "2-1", "0,,1", "3", "0-3", "-1", "1 2"};
    struct trace_sink s;
    struct base_status st;
    uint32_t wanted;
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct trace_filter f = {.to = INFINITY, .ranks = wrong[k]};
        if (trace_writer_open(&s, other, &about, &f, &st) != -1)
            fail_msg("'%s' was taken", wrong[k]);
        assert_non_null(strstr(st.text, "ranks to trace"));
    }
    assert_int_equal(trace_categories_parse("calls,operation", &wanted, &st), -1);
    assert_non_null(strstr(st.text, "'operation' is not a kind of event"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(filters, setup),
        cmocka_unit_test_setup(bad_filters, setup),
    };
    pgt_begin();
    return pgt_end(cmocka_run_group_tests(tests, NULL, NULL));
}
