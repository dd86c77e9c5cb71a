/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that numbers are read and printed as by the C library, over
 * the whole range, at halves and at powers of ten. Prints its seed. */
#include "base/base.h"

#include <setjmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROUNDS = 300000 };

static void expect_written(double x)
{
    char ours[BASE_DECIMAL], theirs[BASE_DECIMAL];
    const char *end = base_decimal_write(ours, x);
    snprintf(theirs, sizeof theirs, "%.15g", x);
    if (strcmp(ours, theirs) != 0 || end != ours + strlen(ours))
        fail_msg("%a was written as '%s', expected '%s'", x, ours, theirs);
}

static void expect_near(double x)
{
    expect_written(x);
    expect_written(nextafter(x, 0));
    expect_written(nextafter(x, INFINITY));
}

static void test_write_edges(void **state)
{
    (void)state;
    for (int power = -8; power <= 18; power++)
        for (int digit = 1; digit < 10; digit++)
            expect_near(digit * pow(10, power));
    for (int power = -30; power <= 55; power++)
        expect_near(ldexp(1, power));
    const double others[] = {0,
                             -0.0,
                             -1.5,
                             INFINITY,
                             NAN,
                             0x1p-1074,
                             99999999999999.95,
                             0.1 + 0.2,
                             999999999999999.5,
                             123456789012345.5};
    for (size_t k = 0; k < BASE_LENGTH(others); k++)
        expect_near(others[k]);
    for (int k = 0; k < 1000; k++) /* exact halves of the last digit */
        expect_near(100000000000000.5 + k);
}

static void test_write_random(void **state)
{
    (void)state;
    struct base_random r;
    print_message("seed 15\n");
    base_random_seed(&r, 15, 0);
    for (int k = 0; k < ROUNDS; k++) {
        expect_written(pow(10, 24 * base_random_unit(&r) - 6));
        expect_written(round(1e6 * base_random_unit(&r)) / 1e3);
        expect_written((double)base_random_below(&r, UINT64_C(1) << 52));
    }
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void expect_read(const char *text)
{
    const char *rest = NULL;
    double x = -1;
    char *end;
    const double expected = strtod(text, &end);
    if (base_decimal_read(text, &x, &rest) && (bits_of(x) != bits_of(expected) || rest != end))
        fail_msg("'%s' was read as %a up to '%s', expected %a up to '%s'", text, x, rest, expected, end);
}

static void test_read_random(void **state)
{
    (void)state;
    struct base_random r;
    char text[64];
    print_message("seed 16\n");
    base_random_seed(&r, 16, 0);
    for (int k = 0; k < ROUNDS; k++) {
        snprintf(text, sizeof text, "%.*f", (int)base_random_below(&r, 18), 1e3 * base_random_unit(&r));
        expect_read(text);
        snprintf(text, sizeof text, "%.*gus", (int)base_random_below(&r, 20), 1e6 * base_random_unit(&r));
        expect_read(text);
    }
}

static void test_read_edges(void **state)
{
    (void)state;
    const char *const texts[] = {"0",
                                 "1024",
                                 "5.",
                                 ".5",
                                 "1.2.3",
                                 "9007199254740993",
                                 "9007199254740992",
                                 "1e3",
                                 "1E-3s",
                                 "0x10",
                                 "007.50",
                                 "1 s",
                                 "0.000000000000000001",
                                 "2.5us",
                                 "12345678901234567890123",
                                 "1.00000000000000000000000",
                                 "3exaflops"};
    for (size_t k = 0; k < BASE_LENGTH(texts); k++)
        expect_read(texts[k]);
    double x;
    const char *rest;
    assert_true(base_decimal_read("1024 node", &x, &rest));
    assert_true(x == 1024);
    assert_string_equal(rest, " node");
    assert_false(base_decimal_read("1e3", &x, &rest));
    assert_false(base_decimal_read("9007199254740993", &x, &rest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_edges),
        cmocka_unit_test(test_write_random),
        cmocka_unit_test(test_read_random),
        cmocka_unit_test(test_read_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
