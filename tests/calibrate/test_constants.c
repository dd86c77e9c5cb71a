/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins constants on synthetic noisy machines: intervals hold the truth as often as they say, also of a latency from which
 * noisy overheads are subtracted; thresholds are found in spite of wrong points. PGASIM_TEST_SEED draws other data.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/internal.h"
#include "seed.h"

#define OS        2e-6
#define OR        3e-6
#define LATENCY   20e-6
#define BANDWIDTH 1e9
enum { RUNS = 200, ASYNC = 16384, DETACHED = 65536 };

static uint64_t seed(void)
{
    return seed_of_test(1);
}

static double noisy(struct base_random *r, double value, double noise)
{
    double u = base_random_unit(r), v = base_random_unit(r);
    double tail = base_random_unit(r) < 0.03 ? 1 + base_random_unit(r) : 1; /* a delayed point */
    return value * tail * (1 + noise * sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v));
}

static void point(struct calibrate_table *t, enum calibrate_kind kind, enum calibrate_mode mode, double bytes,
                  double seconds, unsigned pass)
{
    struct calibrate_point p = {
        .kind = kind, .mode = mode, .where = CALIBRATE_NETWORK, .identified = true, .from = 0, .to = 1};
    p.bytes = (uint64_t)bytes;
    p.seconds = seconds;
    p.wait = 1e-3;
    p.pass = pass;
    BASE_ARRAY_PUSH(&t->point, p);
}

/* A receive that is late by more than a message takes. `ahead`: bytes that go with a request. */
static double late_receive(double n, double transfer, double ahead)
{
    return n < ASYNC                    ? OR
           : n < DETACHED || ahead <= 0 ? transfer + OR
                                        : transfer - LATENCY - ahead / BANDWIDTH;
}

/* What runtime/calibrate would measure on a machine of these constants. */
static void measure(struct calibrate_table *t, struct base_random *r, double noise, double ahead)
{
    BASE_ARRAY_PUSH(&t->file,
                    ((struct calibrate_file){.format = "synthetic", .name = base_strdup("synthetic")}));
    for (unsigned k = 0; k < 84; k++) {
        unsigned pair = k / 2;
        double n = floor(exp2((pair + base_random_unit(r)) / 2)); /* up to 2 MiB, twice */
        double transfer = LATENCY + (n + CALIBRATE_ENVELOPE) / BANDWIDTH,
               overheads = n < DETACHED ? OS + OR : 0;
        point(t, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, n, noisy(r, transfer + overheads, noise), k % 2);
        if (n > 262144)
            continue;
        point(t, CALIBRATE_CALL, CALIBRATE_SEND, n, noisy(r, n < DETACHED ? OS : transfer, noise), k % 2);
        point(t, CALIBRATE_CALL, CALIBRATE_RECV, n, noisy(r, late_receive(n, transfer, ahead), noise), k % 2);
        point(t, CALIBRATE_LATE, CALIBRATE_SEND, n, noisy(r, n < DETACHED ? OS : 1e-3 + transfer, noise),
              k % 2);
    }
}

static const struct calibrate_constant *constant(const struct calibrate_result *r, const char *name)
{
    for (size_t k = 0; k < r->constant.n; k++)
        if (!strcmp(r->constant.at[k].name, name))
            return &r->constant.at[k];
    fail_msg("the constant '%s' is missing", name);
    return NULL;
}

static void intervals_of_constants_hold_the_truth(void **state)
{
    static const struct {
        const char *name;
        double value;
    } truth[] = {{"os", OS},
                 {"or", OR},
                 {"latency of the network", LATENCY},
                 {"bandwidth of one message", BANDWIDTH},
                 {"threshold of sends that wait", DETACHED},
                 {"threshold of messages that wait for a receive", ASYNC}};
    struct calibrate_options o = {.seed = seed()};
    int held[BASE_LENGTH(truth)] = {0},
        least = seed_is_given() ? RUNS * 17 / 20 : RUNS * 9 / 10; /* any seed: chance */
    struct base_random r;
    (void)state;
    base_random_seed(&r, seed(), 6);
    for (int run = 0; run < RUNS; run++) {
        struct calibrate_table t = {0};
        measure(&t, &r, 0.02, 0);
        struct calibrate_result *result = calibrate_fit(&t, &o);
        for (size_t k = 0; k < BASE_LENGTH(truth); k++) {
            const struct calibrate_constant *c = constant(result, truth[k].name);
            held[k] += c->low <= truth[k].value && truth[k].value <= c->high;
        }
        calibrate_result_destroy(result);
        calibrate_table_release(&t);
    }
    for (size_t k = 0; k < BASE_LENGTH(truth); k++)
        if (held[k] < least)
            fail_msg("%d of %d intervals of '%s' hold %g; expected %d", held[k], RUNS, truth[k].name,
                     truth[k].value, least);
}

/* Calls that are slower than the whole half of a round trip are no part of it. */
static void overheads_that_do_not_fit_are_left_out(void **state)
{
    struct calibrate_table t = {0};
    struct calibrate_options o = {.seed = 1};
    struct base_random r;
    bool told = false;
    (void)state;
    base_random_seed(&r, seed(), 7);
    measure(&t, &r, 0.01, 0);
    for (size_t k = 0; k < t.point.n; k++)
        if (t.point.at[k].kind == CALIBRATE_CALL && t.point.at[k].mode == CALIBRATE_SEND &&
            t.point.at[k].bytes < DETACHED)
            t.point.at[k].seconds *= 20;
    struct calibrate_result *result = calibrate_fit(&t, &o);
    assert_false(result->apart);
    assert_true(fabs(result->latency / (LATENCY + OS + OR) - 1) < 0.05);
    for (size_t k = 0; k < result->missing.n; k++)
        told |= !strcmp(result->missing.at[k].name, "os and or in the platform");
    assert_true(told);
    calibrate_result_destroy(result);
    calibrate_table_release(&t);
}

/* Bytes that have come with the request; about as many as a message without one has: as many as its longest. */
static void late_receives_tell_what_went_ahead(void **state)
{
    static const double ahead[] = {0, 30000, 63000, 65472, 120000};
    struct calibrate_options o = {.seed = 1};
    struct base_random r;
    (void)state;
    base_random_seed(&r, seed(), 8);
    for (size_t k = 0; k < BASE_LENGTH(ahead); k++) {
        struct calibrate_table t = {0};
        measure(&t, &r, 0.001, ahead[k]);
        struct calibrate_result *result = calibrate_fit(&t, &o);
        if (k == 0) {
            assert_null(calibrate_find(result, "data that goes with a request"));
            assert_true(result->ahead == 0);
        } else if (fabs(ahead[k] / DETACHED - 1) < 0.1) {
            assert_true(result->ahead == DETACHED - 1);
        } else {
            const struct calibrate_constant *c = constant(result, "data that goes with a request");
            assert_true(fabs(result->ahead / ahead[k] - 1) < 0.2);
            assert_true(c->low <= result->ahead && result->ahead <= c->high);
        }
        calibrate_result_destroy(result);
        calibrate_table_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_receives_tell_what_went_ahead),
        cmocka_unit_test(intervals_of_constants_hold_the_truth),
        cmocka_unit_test(overheads_that_do_not_fit_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
