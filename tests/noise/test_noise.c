/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins noise: quantiles known from tables, moments of what is drawn, what a text must be; that streams differ by seed,
 * kind and owner and by nothing else; that interruptions depend on the work that is done, not on how it is divided.
 * PGASIM_TEST_SEED=n draws other numbers.
 */
#include "noise/internal.h"
#include "noise/recorded.h"
#include "seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static uint64_t seed_of_tests(void)
{
    return seed_of_test(1);
}

static struct noise_distribution *known(const char *text, enum noise_unit unit)
{
    struct base_status st;
    struct noise_distribution *d = noise_distribution_read(text, unit, &st);
    if (!d)
        fail_msg("%s: %s", text, st.text);
    return d;
}

static void near(const char *what, double u, double got, double want, double error)
{
    if (!(fabs(got - want) <= error * fabs(want)))
        fail_msg("%s at %g: %.15g, want %.15g", what, u, got, want);
}

/* --- quantiles ----------------------------------------------------------------------------------------------------- */

/* Of the normal and the chi square distribution (gamma with shape n/2 and scale 2) as tables print them. */
static void quantiles_of_tables(void **state)
{
    const struct {
        const char *text;
        double u, want, error;
    } row[] = {
        {"lognormal:1:1", 0.975, exp(1.959963984540054), 1e-13},
        {"lognormal:1:1", 0.01, exp(-2.326347874040841), 1e-13},
        {"lognormal:3:0.5", 0.5, 3, 1e-13},
        {"lognormal:1:1", 1e-9, exp(-5.997807015007687), 1e-12},
        {"gamma:0.5:1", 0.95, 3.841458820694124, 1e-12},
        {"gamma:5:10", 0.95, 18.307038053275146, 1e-12},
        {"gamma:5:10", 0.05, 3.940299136119061, 1e-12},
        {"gamma:50:100", 0.99, 135.80672317102679, 1e-12},
        {"gamma:1:2", 0.3, -2 * log(0.7), 1e-12}, /* is exponential */
        {"gamma:0.05:1", 0.2, 0, 1e-9},
        {"exponential:2", 0.5, 2 * 0.69314718055994531, 1e-14},
        {"pareto:2:2", 0.75, 4, 1e-14},
        {"uniform:1:3", 0.25, 1.5, 1e-14},
        {"constant:7", 0.3, 7, 0},
        {"quantiles:0=1,0.5=2,1=10", 0.25, 1.5, 1e-14},
        {"quantiles:0=1,0.5=2,1=10", 0.75, 6, 1e-14},
        {"quantiles:0.5=2,0.9=3", 0.1, 2, 0},
        {"quantiles:0.5=2,0.9=3", 0.99, 3, 0},
        {"quantiles:0.5=2,0.99=3,tail=2", 0.9999, 30, 1e-9},
        {" quantiles : 0 = 1 , 1 = 3 ", 0.5, 2, 1e-14},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct noise_distribution *d = known(row[k].text, NOISE_FACTOR);
        double got = noise_quantile(d, row[k].u);
        if (row[k].want > 0)
            near(row[k].text, row[k].u, got, row[k].want, row[k].error);
        else /* no table: the part below the quantile is what was asked for */
            near(row[k].text, row[k].u, noise_gamma_part(0.05, got * 0.05), row[k].u, row[k].error);
        noise_distribution_destroy(d);
    }
}

/* O2, at random points and at the ends. */
static void quantiles_rise(void **state)
{
    static const char *const text[] = {"lognormal:1:10", "gamma:0.01:3",
                                       "gamma:0.7:3",    "gamma:900000:3",
                                       "pareto:1:1.01",  "quantiles:0.3=1,0.4=1,0.7=5,0.9=9,tail=1.5"};
    struct base_random r;
    (void)state;
    base_random_seed(&r, seed_of_tests(), 0);
    for (size_t k = 0; k < BASE_LENGTH(text); k++) {
        struct noise_distribution *d = known(text[k], NOISE_FACTOR);
        double low = noise_quantile(d, 0x1p-53), high = noise_quantile(d, 1 - 0x1p-53);
        for (int n = 0; n < 1000; n++) {
            double u = base_random_unit(&r) * 0.98 + 0.001, v = u + 0.01 * base_random_unit(&r);
            double a = noise_quantile(d, u), b = noise_quantile(d, v);
            if (!(low >= 0 && low <= a && a <= b * (1 + 1e-12) && b <= high && isfinite(high)))
                fail_msg("%s: %g at %g, %g at %g; %g to %g in all", text[k], a, u, b, v, low, high);
        }
        noise_distribution_destroy(d);
    }
}

/* --- moments --------------------------------------------------------------------------------------------------------- */

static void moments(void **state)
{
    static const struct {
        const char *text;
        double mean, deviation;
    } row[] = {
        {"constant:3us", 3e-6, 0},
        {"uniform:1ms:3ms", 2e-3, 2e-3 / 3.4641016151377544},
        {"exponential:5us", 5e-6, 5e-6},
        {"lognormal:1us:0.5", 1e-6 * 1.1331484530668263, 1e-6 * 1.1331484530668263 * 0.53294031},
        {"gamma:4:8us", 8e-6, 4e-6},
        {"pareto:1us:4", 4e-6 / 3, 4e-6 / 3 / 2.8284271247461903},
        {"quantiles:0=0,0.5=1us,1=2us", 1e-6, 2e-6 / 3.4641016151377544},
        {"quantiles:0=1us,0.5=1us,tail=4", 1e-6 * (0.5 + 0.5 * 4 / 3), 3.7267800e-07},
    };
    enum { DRAWS = 200000 };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct noise_distribution *d = known(row[k].text, NOISE_SECONDS);
        struct noise_stream s;
        double sum = 0, squares = 0;
        near(row[k].text, 0, noise_mean(d), row[k].mean, 1e-12);
        noise_stream_begin(&s, seed_of_tests(), NOISE_LATENCY, k);
        for (int n = 0; n < DRAWS; n++) {
            double x = noise_draw(d, &s) / row[k].mean;
            sum += x;
            squares += x * x;
        }
        double mean = sum / DRAWS, deviation = sqrt(fmax(0, squares / DRAWS - mean * mean));
        near(row[k].text, 1, mean, 1, 5 * row[k].deviation / row[k].mean / sqrt(DRAWS) + 1e-12);
        near(row[k].text, 2, deviation + 1, row[k].deviation / row[k].mean + 1, 0.02);
        noise_distribution_destroy(d);
    }
}

/* --- streams --------------------------------------------------------------------------------------------------------- */

static double first_of(uint64_t seed, uint32_t kind, uint64_t owner)
{
    struct noise_stream s;
    noise_stream_begin(&s, seed, kind, owner);
    return noise_stream_unit(&s);
}

/* O1 */
static void streams_by_seed_kind_and_owner(void **state)
{
    double first = first_of(1, NOISE_LATENCY, 7);
    (void)state;
    assert_true(first == first_of(1, NOISE_LATENCY, 7));
    assert_true(first != first_of(2, NOISE_LATENCY, 7));
    assert_true(first != first_of(1, NOISE_LOCAL, 7));
    assert_true(first != first_of(1, NOISE_LATENCY, 8));
    double sum = 0, last = first, products = 0;
    for (uint64_t owner = 0; owner < 20000; owner++) { /* neighbours have nothing to do with each other */
        double u = first_of(seed_of_tests(), NOISE_LATENCY, owner) - 0.5;
        sum += u;
        products += u * last;
        last = u;
    }
    assert_true(fabs(sum / 20000) < 5 * 0.2887 / sqrt(20000));
    assert_true(fabs(products / 20000) < 5 * 0.0833 / sqrt(20000));
}

/* --- interruptions ----------------------------------------------------------------------------------------------------- */

static struct noise_detours *detours(const char *text)
{
    struct base_status st;
    struct noise_detours *d = noise_detours_read(text, &st);
    if (!d)
        fail_msg("%s: %s", text, st.text);
    return d;
}

/* A tick each millisecond of work: exactly as many as there are in the work, wherever it began. */
static void ticks(void **state)
{
    struct noise_detours *d = detours("constant:1ms/constant:10us");
    (void)state;
    near("share", 0, noise_detours_share(d), 0.01, 1e-12);
    for (uint64_t rank = 0; rank < 50; rank++) {
        struct noise_place *p = noise_place_create(d, seed_of_tests(), rank);
        double sum = 0;
        for (int k = 0; k < 100; k++)
            sum += noise_detours_take(d, p, 0.25e-3);
        near("25 ms of work", (double)rank, sum, 250e-6, 1e-9);
        free(p);
    }
    noise_detours_destroy(d);
}

static void division_of_work(void **state)
{
    struct noise_detours *d = detours("exponential:1ms/gamma:2:20us; gamma:3:7ms/pareto:100us:2.5");
    (void)state;
    for (uint64_t rank = 0; rank < 20; rank++) {
        struct noise_place *once = noise_place_create(d, 5, rank), *often = noise_place_create(d, 5, rank);
        double sum = 0;
        for (int k = 0; k < 1024; k++)
            sum += noise_detours_take(d, often, 0x1p-12);
        near("work in parts", (double)rank, sum, noise_detours_take(d, once, 0.25), 1e-9);
        free(once);
        free(often);
    }
    noise_detours_destroy(d);
}

/* Of long work they take their share, with little spread; of short work rarely anything. */
static void scale_of_work(void **state)
{
    struct noise_detours *d = detours("exponential:10ms/constant:100us");
    double longest = 0, least = 1, sum = 0;
    unsigned hit = 0;
    (void)state;
    for (uint64_t rank = 0; rank < 4000; rank++) {
        struct noise_place *p = noise_place_create(d, seed_of_tests(), rank);
        double brief = noise_detours_take(d, p, 100e-6),
               more = rank < 100 ? noise_detours_take(d, p, 10) / 10 : 0.01;
        hit += brief > 0;
        longest = fmax(longest, more);
        least = fmin(least, more);
        sum += brief;
        free(p);
    }
    if (hit < 20 || hit > 65) /* 40 expected, of 1 percent each */
        fail_msg("%u of 4000 short computations were interrupted, want about 40", hit);
    near("100 us of work", 0, sum / 4000, 1e-6, 0.6);
    if (!(least > 0.0085 && longest < 0.0115))
        fail_msg("10 s of work are interrupted for %g to %g of it, want 0.01", least, longest);
    noise_detours_destroy(d);
}

static void endless_work(void **state)
{
    struct noise_detours *d = detours("exponential:1us/exponential:1us");
    struct noise_place *p = noise_place_create(d, 1, 1);
    (void)state;
    near("1e9 s of work", 0, noise_detours_take(d, p, 1e9), 1e9, 1e-9);
    free(p);
    noise_detours_destroy(d);
}

/* --- texts and settings ------------------------------------------------------------------------------------------------ */

static void what_is_no_distribution(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"", "expected constant:X"},
        {"expo:1ms", "'expo': expected constant:X"},
        {"constant", "a value is missing"},
        {"constant:1:2", "'2': one value too many"},
        {"constant:-1s", "'-1s': expected a time"},
        {"constant:nan", "'nan': expected a time"},
        {"uniform:2us:1us", "expected the smaller value first"},
        {"lognormal:1us:11", "'11': expected a number from 0 to 10"},
        {"gamma:0:1us", "'0': expected a number from 0.01"},
        {"pareto:1us:1", "'1': expected a number from 1.01"},
        {"quantiles:", "expected PART=VALUE"},
        {"quantiles:tail=2", "expected quantiles"},
        {"quantiles:0.5=1us,0.5=2us", "expected parts that rise"},
        {"quantiles:0.1=2us,0.5=1us", "values that do not fall"},
        {"quantiles:0.1=2us,1.5=3us", "'1.5': expected a number from 0 to 1"},
        {"file:/nowhere/at/all", "/nowhere/at/all: cannot be read"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct base_status st = {""};
        if (noise_distribution_read(row[k].text, NOISE_SECONDS, &st))
            fail_msg("'%s' was accepted", row[k].text);
        if (!strstr(st.text, row[k].why))
            fail_msg("'%s': \"%s\" does not say \"%s\"", row[k].text, st.text, row[k].why);
    }
}

static void what_is_no_source(void **state)
{
    static const char *const row[][2] = {
        {"exponential:1ms", "expected EVERY/FOR"},
        {";", "expected a source of interruptions"},
        {"constant:1ns/constant:1us", "expected 10ns of work or more"},
        {"lognormal:1ms:8/constant:1us", "not nearly always far below its mean"},
        {"constant:1ms/constant:x", "'x': expected a time"}};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct base_status st = {""};
        assert_null(noise_detours_read(row[k][0], &st));
        if (!strstr(st.text, row[k][1]))
            fail_msg("'%s': \"%s\" does not say \"%s\"", row[k][0], st.text, row[k][1]);
    }
}

/* --- recorded interruptions ------------------------------------------------------------------------------------------ */

static struct noise_recorded *recorded(const char *text)
{
    char path[] = "/tmp/pgasim-test-XXXXXX";
    struct base_status st = {""};
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
        abort();
    struct noise_recorded *t = noise_recorded_read(path, &st);
    unlink(path);
    if (!t)
        fail_msg("%s", st.text);
    return t;
}

/* By hand, from LogGOPSim's rules. */
static void recorded_interruptions(void **state)
{
    static const struct {
        double at, length, wanted;
    } row[] = {
        {40, 50, 0},        /* between the first and the second one */
        {40, 60, 0},        /* the second begins at the end */
        {40, 61, 20},       /* and now before it */
        {40, 300, 27},      /* the second and the third */
        {110, 10, 10},      /* what is left of the second */
        {119, 200, 8},      /* the same, and the third */
        {100, 1, 20},       /* it begins with this one */
        {0, 10, 0},         /* the first does not count for work that does not begin behind it */
        {1, 2, 4},          /* what is left of the first */
        {990, 20, 0},       /* at 10: work does not go beyond the end */
        {2040, 61, 0},      /* at 2040 - 2 (1000 - 61) = 162 */
        {40, 1061, 52},     /* all of them once, and the second */
        {40, 5000, 5 * 32}, /* all of them five times */
    };
    (void)state;
    struct noise_recorded *t = recorded("# begin, duration\n0 5\n100\t20\n\n300 6.6\n1e3 9\n");
    for (size_t k = 0; k < BASE_LENGTH(row); k++)
        if (noise_recorded_take(t, row[k].at, row[k].length) != row[k].wanted)
            fail_msg("%g of work at %g: %g, expected %g", row[k].length, row[k].at,
                     noise_recorded_take(t, row[k].at, row[k].length), row[k].wanted);
    noise_recorded_destroy(t);
}

/* The 10 000th number of MT19937 with seed 5489 is 4123659995, as the standard of C++ says; the first one is everybody's. */
static void places_in_a_recording(void **state)
{
    enum { N = 9999 };
    static double place[N], again[2];
    (void)state;
    struct noise_recorded *t = recorded("0 5\n4294967295 0\n");
    noise_recorded_places(t, 5489, false, place, N);
    assert_true(fabs(place[N - 1] - 4123659995.0) <= 1);
    noise_recorded_places(t, 5489, false, again,
                          2); /* those of the first ranks do not depend on how many there are */
    assert_true(again[0] == place[0] && again[1] == place[1] && again[0] != again[1]);
    noise_recorded_places(t, 5489, true, again, 2);
    assert_true(again[0] == again[1] && fabs(again[0] - 3499211612.0) <= 1);
    noise_recorded_destroy(t);
}

static struct noise *settings(const char *key, const char *value, struct base_status *st)
{
    struct base_settings *s = base_settings_create();
    struct noise *x = NULL;
    base_settings_declare(s, noise_settings, noise_settings_count);
    if (key)
        assert_int_equal(base_settings_set(s, key, value, BASE_FROM_COMMAND, st), 0);
    *st->text = 0;
    (void)noise_create(&x, s, st);
    base_settings_destroy(s);
    return x;
}

static void settings_say_what(void **state)
{
    struct base_status st;
    (void)state;
    assert_null(settings(NULL, NULL, &st));
    assert_null(settings("noise/seed", "5", &st)); /* a seed alone is no noise */
    assert_string_equal(st.text, "");
    struct noise *x = settings("noise/latency", "exponential:1us", &st);
    assert_true(x && x->latency && x->seed == 1 && !x->compute);
    noise_destroy(x);
    assert_null(settings("noise/bandwidth", "constant:0", &st));
    assert_non_null(strstr(st.text, "noise/bandwidth: 'constant:0': expected factors above"));
    assert_null(settings("noise/compute", "constant:1ms", &st));
    assert_non_null(strstr(st.text, "noise/compute: 'constant:1ms': expected EVERY/FOR"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_tables),
        cmocka_unit_test(quantiles_rise),
        cmocka_unit_test(moments),
        cmocka_unit_test(streams_by_seed_kind_and_owner),
        cmocka_unit_test(ticks),
        cmocka_unit_test(division_of_work),
        cmocka_unit_test(scale_of_work),
        cmocka_unit_test(endless_work),
        cmocka_unit_test(what_is_no_distribution),
        cmocka_unit_test(what_is_no_source),
        cmocka_unit_test(recorded_interruptions),
        cmocka_unit_test(places_in_a_recording),
        cmocka_unit_test(settings_say_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
