/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what a range contains, which texts are ranges, and that the widest ranges mean what they say. */
#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const char *parse(enum base_kind kind, const char *range, const char *text)
{
    static struct base_status st;
    struct base_number x;
    return base_parse_range(kind, range, text, &x, &st) ? st.text : NULL;
}

static void test_ends_belong_to_it(void **state)
{
    (void)state;
    assert_null(parse(BASE_UINT, "2 to 9", "2"));
    assert_null(parse(BASE_UINT, "2 to 9", "9"));
    assert_string_equal(parse(BASE_UINT, "2 to 9", "1"), "'1' is out of range; expected 2 to 9");
    assert_string_equal(parse(BASE_UINT, "2 to 9", "10"), "'10' is out of range; expected 2 to 9");
    assert_string_equal(parse(BASE_UINT, "2 to 9", "0"), "'0' is out of range; expected 2 to 9");
    assert_null(parse(BASE_UINT, "0 or 2 to 9", "0"));
    assert_non_null(parse(BASE_UINT, "0 or 2 to 9", "1"));
}

/* The largest counts differ by less than doubles can tell. */
static void test_whole_numbers_are_exact(void **state)
{
    (void)state;
    assert_null(parse(BASE_UINT, "0 to 9223372036854775807", "9223372036854775807"));
    assert_non_null(parse(BASE_UINT, "0 to 9223372036854775807", "9223372036854775808"));
    assert_null(parse(BASE_UINT, "0 to 18446744073709551615", "18446744073709551615"));
}

static void test_units(void **state)
{
    (void)state;
    assert_null(parse(BASE_TIME, "1us to 2h", "7200"));
    assert_non_null(parse(BASE_TIME, "1us to 2h", "7200.001"));
    assert_non_null(parse(BASE_TIME, "1us to 2h", "999ns"));
    assert_null(parse(BASE_SIZE, "1KiB to 1MiB", "1024"));
    assert_non_null(parse(BASE_SIZE, "1KiB to 1MiB", "1023"));
    assert_null(parse(BASE_DOUBLE, "-1.5 to 1.5", "-1.5"));
    assert_non_null(parse(BASE_DOUBLE, "-1.5 to 1.5", "-1.6"));
}

static void test_what_is_no_range(void **state)
{
    (void)state;
    static const char *const texts[] = {"",       "3",    "1 to",   "to 4",  "1 to 1",
                                        "2 to 1", "1to2", "1 to x", "x to 2"};
    struct base_range r;
    for (size_t k = 0; k < BASE_LENGTH(texts); k++)
        if (base_range_read(BASE_UINT, texts[k], &r))
            fail_msg("'%s' was taken for a range", texts[k]);
    assert_true(base_range_read(BASE_UINT, "0 or 5 to 6", &r));
    assert_true(r.or_zero);
    assert_string_equal(r.least_text, "5");
    assert_int_equal(r.most.whole, 6);
}

static void test_widest(void **state)
{
    (void)state;
    static const struct {
        enum base_kind kind;
        const char *text;
    } rows[] = {{BASE_TIME, BASE_TIMES}, {BASE_BANDWIDTH, BASE_BANDWIDTHS}, {BASE_SPEED, BASE_SPEEDS}};
    for (size_t k = 0; k < BASE_LENGTH(rows); k++) {
        struct base_range r;
        assert_true(base_range_read(rows[k].kind, rows[k].text, &r));
        assert_int_equal(base_within(rows[k].kind, r.least.number, "", NULL), 0);
        assert_int_equal(base_within(rows[k].kind, r.most.number, "", NULL), 0);
        assert_int_equal(base_within(rows[k].kind, nextafter(r.least.number, -1), "", NULL), -1);
        assert_int_equal(base_within(rows[k].kind, nextafter(r.most.number, INFINITY), "", NULL), -1);
        assert_int_equal(base_within(rows[k].kind, NAN, "", NULL), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_belong_to_it),
        cmocka_unit_test(test_whole_numbers_are_exact),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_what_is_no_range),
        cmocka_unit_test(test_widest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
