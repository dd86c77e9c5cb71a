/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the value of each unit, what is refused, and how
 * numbers are shown. Expected values are from the DTD's units. */
#include "base/base.h"

#include <setjmp.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

typedef int (*parse_fn)(const char *text, double *out, struct base_status *st);

struct good {
    const char *text;
    double value;
};

static void expect_good(parse_fn parse, const struct good *g, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct base_status st = {""};
        double x = -1;
        if (parse(g[k].text, &x, &st))
            fail_msg("'%s' refused: %s", g[k].text, st.text);
        if (fabs(x - g[k].value) > 1e-12 * fabs(g[k].value))
            fail_msg("'%s' gave %.17g, expected %.17g", g[k].text, x, g[k].value);
    }
}

static void expect_bad(parse_fn parse, const char *const *texts)
{
    for (; *texts; texts++) {
        struct base_status st = {""};
        double x = 42;
        if (parse(*texts, &x, &st) != -1)
            fail_msg("'%s' was taken as %g", *texts, x);
        if (x != 42)
            fail_msg("'%s' was refused but wrote %g", *texts, x);
        if (!strstr(st.text, *texts))
            fail_msg("the report does not name '%s': %s", *texts, st.text);
    }
}

static void test_time(void **state)
{
    (void)state;
    static const struct good good[] = {{"0", 0},        {"2", 2},       {"2.5us", 2.5e-6}, {"1h", 3600},
                                       {"1.5m", 90},    {"1d", 86400},  {"1w", 604800},    {"3ms", 3e-3},
                                       {"7ns", 7e-9},   {"9ps", 9e-12}, {"1e-3s", 1e-3},   {".5s", 0.5},
                                       {"1e3", 1000.0}, {"+1s", 1}};
    static const char *const bad[] = {"-1s",   "1min", "x",   "1 hour", "inf", "nan",
                                      "0x10s", "1ss",  "1US", "1e999s", NULL};
    expect_good(base_parse_time, good, BASE_LENGTH(good));
    expect_bad(base_parse_time, bad);
}

static void test_bandwidth(void **state)
{
    (void)state;
    static const struct good good[] = {{"1", 1},           {"8bps", 1},        {"100Gbps", 12.5e9},
                                       {"125MBps", 125e6}, {"1MiBps", 0x1p20}, {"1Kibps", 128},
                                       {"2kBps", 2000},    {"2KBps", 2000},    {"1TBps", 1e12},
                                       {"1EiBps", 0x1p60}, {"1PBps", 1e15}};
    static const char *const bad[] = {"1GB",   "1gbps",   "1mBps", "1kiBps", "1Gb/s",
                                      "-1Bps", "1GiiBps", "",      NULL};
    expect_good(base_parse_bandwidth, good, BASE_LENGTH(good));
    expect_bad(base_parse_bandwidth, bad);
}

static void test_speed(void **state)
{
    (void)state;
    static const struct good good[] = {{"1", 1},
                                       {"1f", 1},
                                       {"2.5Gf", 2.5e9},
                                       {"100Mf", 1e8},
                                       {"1kf", 1e3},
                                       {"1Kf", 1e3},
                                       {"1Tf", 1e12},
                                       {"3Pf", 3e15},
                                       {"98.095Mf", 98.095e6},
                                       {"2megaflops", 2e6},
                                       {"1exaflops", 1e18},
                                       {"7flops", 7}};
    static const char *const bad[] = {"1Gif", "1gf", "1Ghz", "1megaf", NULL};
    expect_good(base_parse_speed, good, BASE_LENGTH(good));
    expect_bad(base_parse_speed, bad);
}

static void test_size(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"64", 64},
                {"64K", 65536},
                {"64k", 65536},
                {"1m", 1 << 20},
                {"2G", 2ull << 30},
                {"1t", 1ull << 40},
                {"1MiB", 1 << 20},
                {"2GB", 2000000000},
                {"8kB", 8000},
                {"8KB", 8000},
                {"8KiB", 8192},
                {"10B", 10},
                {"16b", 2},
                {"1.5K", 1536},
                {"1EiB", 1ull << 60}};
    for (size_t k = 0; k < BASE_LENGTH(good); k++) {
        struct base_status st = {""};
        uint64_t x = 1;
        if (base_parse_size(good[k].text, &x, &st) || x != good[k].value)
            fail_msg("'%s' gave %llu, expected %llu (%s)", good[k].text, (unsigned long long)x,
                     (unsigned long long)good[k].value, st.text);
    }
    static const char *const bad[] = {"-1", "64KK", "1mB", "20EiB", "x", "", "1kiB", "1 0", NULL};
    for (const char *const *t = bad; *t; t++) {
        uint64_t x = 42;
        if (base_parse_size(*t, &x, NULL) != -1 || x != 42)
            fail_msg("'%s' was taken as %llu", *t, (unsigned long long)x);
    }
}

static void test_plain(void **state)
{
    (void)state;
    uint64_t u = 7;
    bool b = false;
    double d = 0;
    assert_int_equal(base_parse_uint("18446744073709551615", &u, NULL), 0);
    assert_true(u == UINT64_MAX);
    assert_int_equal(base_parse_uint("18446744073709551616", &u, NULL), -1);
    assert_int_equal(base_parse_uint("-1", &u, NULL), -1);
    assert_int_equal(base_parse_uint("1.5", &u, NULL), -1);
    assert_int_equal(base_parse_uint("", &u, NULL), -1);
    assert_int_equal(base_parse_bool("Yes", &b, NULL), 0);
    assert_true(b);
    assert_int_equal(base_parse_bool("off", &b, NULL), 0);
    assert_false(b);
    assert_int_equal(base_parse_bool("maybe", &b, NULL), -1);
    assert_int_equal(base_parse_double("-2.5e3", &d, NULL), 0);
    assert_true(d == -2500);
    assert_int_equal(base_parse_double("1x", &d, NULL), -1);
}

static void test_show(void **state)
{
    (void)state;
    char buf[32];
    assert_string_equal(base_show_time(buf, 0), "0 s");
    assert_string_equal(base_show_time(buf, 1.234e-3), "1.234 ms");
    assert_string_equal(base_show_time(buf, 12.5e-6), "12.50 us");
    assert_string_equal(base_show_time(buf, 999.99e-6), "1.000 ms");
    assert_string_equal(base_show_time(buf, 86400), "86400 s");
    assert_string_equal(base_show_time(buf, 25e-9), "25.00 ns");
    assert_string_equal(base_show_size(buf, 100), "100 B");
    assert_string_equal(base_show_size(buf, 3.25 * 1048576), "3.250 MiB");
    assert_string_equal(base_show_size(buf, 1023.99 * 1048576), "1.000 GiB");
    assert_in_range(strlen(base_show_size(buf, -1e308)), 1, sizeof buf - 1);
    assert_string_equal(base_show_count(buf, 950), "950");
    assert_string_equal(base_show_count(buf, 12345), "12.35 k");
    assert_string_equal(base_show_count(buf, 4.5e6), "4.500 M");
    static const uint32_t some[] = {0, 2, 3, 7}, many[] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19},
                          pairs[] = {4, 0, 5, 0};
    assert_string_equal(base_show_runs(buf, sizeof buf, some, sizeof *some, 4), "0, 2-3, 7");
    assert_string_equal(base_show_runs(buf, sizeof buf, some, sizeof *some, 1), "0");
    assert_string_equal(base_show_runs(buf, sizeof buf, pairs, 2 * sizeof *pairs, 2), "4-5");
    assert_string_equal(base_show_runs(buf, sizeof buf, many, sizeof *many, 10),
                        "1, 3, 5, 7, 9, 11, 13, 15, ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time), cmocka_unit_test(test_bandwidth), cmocka_unit_test(test_speed),
        cmocka_unit_test(test_size), cmocka_unit_test(test_plain),     cmocka_unit_test(test_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
