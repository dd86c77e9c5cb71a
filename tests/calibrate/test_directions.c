/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins why both directions lose, and the factors, on synthetic noisy measurements of eight nodes. PGASIM_TEST_SEED draws
 * other noise.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calibrate/internal.h"
#include "seed.h"

#define LATENCY   50e-6
#define BANDWIDTH 100e6
enum { NODES = 8, RUNS = 10, THRESHOLD = 65536 };

/* Parts of what nodes have one way: of many one way, of two both ways, of a ring, of both halves; and of these, of
 * shorter messages. Negative: not measured. */
struct machine {
    double oneway, pair, ring, both, shorter;
};
static struct base_random random_numbers;
static uint64_t threshold = THRESHOLD; /* of sends that wait */

/* Within half of `noise` of the value, which is 2%. */
static double noise = 0.04;
static double noisy(double value)
{
    return value * (1 + noise * (base_random_unit(&random_numbers) - 0.5));
}

static void point(struct calibrate_table *t, enum calibrate_kind kind, enum calibrate_mode mode,
                  uint64_t width, uint64_t bytes, double seconds)
{
    struct calibrate_point p = {.kind = kind, .mode = mode, .identified = true, .from = -1, .to = -1};
    if (kind == CALIBRATE_PINGPONG || kind == CALIBRATE_LATE || kind == CALIBRATE_PAIRS)
        p.where = CALIBRATE_NETWORK;
    p.bytes = bytes;
    p.width = width;
    p.wait = 1;
    p.seconds = seconds;
    BASE_ARRAY_PUSH(&t->point, p);
}

static void streams(struct calibrate_table *t, enum calibrate_kind kind, uint64_t width, uint64_t bytes,
                    double part)
{
    if (part > 0)
        point(t, kind, CALIBRATE_PLAIN, width, bytes, noisy((double)bytes / (BANDWIDTH * part)));
}

static void measure(struct calibrate_table *t, const struct machine *m)
{
    struct calibrate_file file = {.format = "synthetic", .name = base_strdup("synthetic"), .ranks = NODES};
    file.nodes = NODES;
    BASE_ARRAY_PUSH(&t->file, file);
    for (unsigned k = 0; k < 40; k++) {
        uint64_t bytes = (uint64_t)exp2((k + 0.6) / 2);
        point(t, CALIBRATE_PINGPONG, CALIBRATE_STANDARD, 0, bytes,
              noisy(LATENCY + ((double)bytes + CALIBRATE_ENVELOPE) / BANDWIDTH));
        point(t, CALIBRATE_LATE, CALIBRATE_SEND, 0, bytes, bytes < threshold ? 1e-6 : 1.1);
    }
    for (uint64_t bytes = 16384; bytes <= 1048576; bytes *= 64) {
        bool longer = bytes >= THRESHOLD;
        streams(t, CALIBRATE_PAIRS, 1, bytes, 1);
        streams(t, CALIBRATE_ONEWAY, 1, bytes, m->oneway < 0 ? -1 : 1);
        streams(t, CALIBRATE_ONEWAY, NODES / 2, bytes, m->oneway);
        streams(t, CALIBRATE_RING, 2, bytes, m->pair);
        streams(t, CALIBRATE_RING, NODES, bytes, m->ring);
        streams(t, CALIBRATE_BISECTION, NODES / 2, bytes, longer ? m->both : m->shorter);
    }
}

static struct calibrate_result *fit(struct calibrate_table *t, const struct machine *m)
{
    *t = (struct calibrate_table){0};
    measure(t, m);
    return calibrate_fit(t, &(struct calibrate_options){.seed = 1});
}

static void release(struct calibrate_table *t, struct calibrate_result *r)
{
    calibrate_result_destroy(r);
    calibrate_table_release(t);
}

static void expect_near(const char *what, double got, double expected)
{
    if (fabs(got - expected) > 0.1 * fmax(expected, 1))
        fail_msg("%s is %g, expected %g", what, got, expected);
}

static void expect(const struct machine *m, enum calibrate_cause cause, double crosstraffic,
                   double bidirectional, double above)
{
    base_random_seed(&random_numbers, seed_of_test(1), (uint64_t)cause);
    for (int run = 0; run < RUNS; run++) {
        struct calibrate_table t;
        struct calibrate_result *r = fit(&t, m);
        if (r->cause != cause)
            fail_msg("run %d: %s; expected: %s", run, calibrate_cause_text(r->cause),
                     calibrate_cause_text(cause));
        expect_near("crosstraffic", r->crosstraffic, crosstraffic);
        expect_near("bidirectional", r->bidirectional, bidirectional);
        if (r->above != above)
            fail_msg("above %g bytes; expected %g", r->above, above);
        assert_int_equal(r->half_duplex, cause == CALIBRATE_HALF);
        assert_int_equal(r->backbone > 0, cause == CALIBRATE_MIDDLE);
        release(&t, r);
    }
}

static void nothing_is_lost(void **state)
{
    (void)state;
    expect(&(struct machine){1, 1, 1, 1, 1}, CALIBRATE_FULL, 0, 0, 0);
}

static void links_are_half_duplex(void **state)
{
    (void)state;
    expect(&(struct machine){1, 0.5, 0.5, 0.5, 0.5}, CALIBRATE_HALF, 0, 0, 0);
}

static void the_middle_is_shared(void **state)
{
    (void)state;
    expect(&(struct machine){1, 1, 0.5, 0.5, 0.5}, CALIBRATE_MIDDLE, 0, 0, 0);
    expect(&(struct machine){0.6, 1, 0.3, 0.3, 0.3}, CALIBRATE_MIDDLE, 0, 0, 0);
}

/* Open MPI over TCP; MPICH, which loses as much everywhere. */
static void it_is_the_protocol(void **state)
{
    (void)state;
    expect(&(struct machine){1, 0.5, 0.67, 0.5, 0.8}, CALIBRATE_PROTOCOL, 0.5, 1, THRESHOLD + 15);
    expect(&(struct machine){1, 0.81, 0.81, 0.81, 0.81}, CALIBRATE_PROTOCOL, 0.23, 0, 0);
}

/* A threshold somewhere between 14 263 and 20 171 bytes, and streams of 16 384: they tell that they are below. */
static void streams_tell_on_which_side_they_are(void **state)
{
    (void)state;
    threshold = 16384;
    expect(&(struct machine){1, 0.6, 0.6, 0.6, 0.95}, CALIBRATE_PROTOCOL, 0.67, 0, 20171 + 15);
    threshold = THRESHOLD;
}

/* Files from before there were rings: shorter messages tell the protocol, and else the middle is taken. */
static void without_rings_less_is_known(void **state)
{
    (void)state;
    expect(&(struct machine){-1, -1, -1, 0.5, 0.8}, CALIBRATE_PROTOCOL, 0, 1, THRESHOLD + 15);
    expect(&(struct machine){-1, -1, -1, 0.5, 0.5}, CALIBRATE_MIDDLE, 0, 0, 0);
    expect(&(struct machine){-1, -1, -1, 1, 1}, CALIBRATE_FULL, 0, 0, 0);
}

/* A message of the threshold's size has the factors of longer ones. */
static void a_threshold_is_above_its_cut(void **state)
{
    (void)state;
    base_random_seed(&random_numbers, seed_of_test(1), 9);
    struct calibrate_table t = {0};
    struct machine m = {1, 1, 1, 1, 1};
    noise = 0; /* no reason for other segments */
    measure(&t, &m);
    for (size_t k = 0; k < t.point.n; k++)
        if (t.point.at[k].kind == CALIBRATE_PINGPONG && t.point.at[k].bytes >= THRESHOLD)
            t.point.at[k].seconds += 4 * LATENCY;
    struct calibrate_result *r = calibrate_fit(&t, &(struct calibrate_options){.seed = 1});
    const struct fit *f = &r->curve[CALIBRATE_TRANSFER].fit;
    assert_int_equal(f->segments, 2);
    assert_int_equal((int)r->detached.bytes, THRESHOLD);
    if (f->segment[1].above != THRESHOLD - 1 + CALIBRATE_ENVELOPE)
        fail_msg("longer messages are above %g bytes, expected %d", f->segment[1].above,
                 THRESHOLD - 1 + CALIBRATE_ENVELOPE);
    release(&t, r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(links_are_half_duplex),
        cmocka_unit_test(the_middle_is_shared),
        cmocka_unit_test(it_is_the_protocol),
        cmocka_unit_test(without_rings_less_is_known),
        cmocka_unit_test(streams_tell_on_which_side_they_are),
        cmocka_unit_test(a_threshold_is_above_its_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
