/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins the fits on synthetic data with known constants: lines, outliers, cuts where there are some and none where there
 * are none, and intervals that hold the truth as often as they say. PGASIM_TEST_SEED draws other data.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit.h"
#include "seed.h"

enum { SIZES = 80 };

static uint64_t seed(void)
{
    return seed_of_test(1);
}

static double normal(struct base_random *r)
{
    double u = base_random_unit(r), v = base_random_unit(r);
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

struct truth {
    double a, b, cut, a2, b2; /* above the cut; 0: there is none */
    double noise;             /* relative, a standard deviation */
    double outliers;          /* part of the points that take 1.5 to 3.5 times as long */
};

static double truth_at(const struct truth *t, double x)
{
    return t->cut > 0 && x > t->cut ? t->a2 + t->b2 * x : t->a + t->b * x;
}

/* Sizes as runtime/calibrate takes them: two an octave, up to 1 MiB, twice. */
static struct fit_point *draw(const struct truth *t, struct base_random *r)
{
    struct fit_point *p = calloc(SIZES, sizeof *p);
    for (int k = 0; k < SIZES; k++) {
        int pair = k / 2;
        double x = floor(exp2((pair + base_random_unit(r)) / 2));
        double y = truth_at(t, x) * (1 + t->noise * normal(r));
        if (base_random_unit(r) < t->outliers)
            y *= 1.5 + 2 * base_random_unit(r);
        p[k] = (struct fit_point){.x = x, .u = 1, .v = x, .y = y, .unit = y};
    }
    return p;
}

static void exact_lines_are_found(void **state)
{
    struct truth t = {.a = 50e-6, .b = 1e-8};
    struct base_random r;
    struct fit f;
    (void)state;
    base_random_seed(&r, seed(), 1);
    fit_segments(&f, draw(&t, &r), SIZES, FIT_SEGMENTS, 0);
    assert_int_equal(f.segments, 1);
    assert_true(fabs(f.segment[0].line.a / t.a - 1) < 1e-9 && fabs(f.segment[0].line.b / t.b - 1) < 1e-9);
    assert_true(f.outliers == 0 && f.error < 1e-9);
    fit_release(&f);
}

/* A tenth of the points take up to 3.5 times as long. */
static void outliers_are_counted_and_have_little_weight(void **state)
{
    struct truth t = {.a = 20e-6, .b = 2e-9, .noise = 0.005, .outliers = 0.1};
    struct base_random r;
    struct fit f;
    (void)state;
    base_random_seed(&r, seed(), 2);
    fit_segments(&f, draw(&t, &r), SIZES, 1, 0);
    double a = f.segment[0].line.a / t.a - 1, b = f.segment[0].line.b / t.b - 1;
    if (fabs(a) > 0.01 || fabs(b) > 0.02 || f.outliers < 3 || f.outliers > 20)
        fail_msg("off by %g and %g, with %zu outliers", a, b, f.outliers);
    fit_release(&f);
}

static void a_cut_is_found_where_there_is_one(void **state)
{
    static const struct truth exact = {2e-6, 1e-10, 16384, 12e-6, 1e-10, 0, 0};
    static const struct truth noisy = {10e-6, 1e-9, 8192, 20e-6, 0.6e-9, 0.02, 0.03};
    struct base_random r;
    struct fit f;
    int found = 0;
    (void)state;
    base_random_seed(&r, seed(), 3);
    fit_segments(&f, draw(&exact, &r), SIZES, FIT_SEGMENTS, 0);
    assert_int_equal(f.segments, 2);
    assert_true(f.segment[1].above == exact.cut);
    assert_true(fabs(f.segment[1].line.a / exact.a2 - 1) < 1e-6);
    fit_release(&f);
    for (int k = 0; k < 50; k++) {
        fit_segments(&f, draw(&noisy, &r), SIZES, FIT_SEGMENTS, 0);
        found += f.segments == 2 && f.segment[1].above >= 4096 && f.segment[1].above <= 16384;
        fit_release(&f);
    }
    if (found < 45)
        fail_msg("%d of 50 cuts are found; expected 45 at least", found);
}

static void no_cut_is_found_where_there_is_none(void **state)
{
    struct truth t = {.a = 30e-6, .b = 1e-9, .noise = 0.03, .outliers = 0.02};
    struct base_random r;
    int wrong = 0;
    (void)state;
    base_random_seed(&r, seed(), 4);
    for (int k = 0; k < 100; k++) {
        struct fit f;
        fit_segments(&f, draw(&t, &r), SIZES, FIT_SEGMENTS, 0);
        wrong += f.segments != 1;
        fit_release(&f);
    }
    if (wrong > 5)
        fail_msg("%d of 100 lines are cut; expected 5 at most", wrong);
}

static bool holds(const struct fit *f, bool slope, double truth)
{
    double value[FIT_REPLICAS];
    const struct fit_segment *s = &f->segment[0];
    for (unsigned k = 0; k < FIT_REPLICAS; k++)
        value[k] = slope ? f->replica[k].b : f->replica[k].a;
    struct fit_interval i = fit_interval_of(slope ? s->line.b : s->line.a, value, FIT_REPLICAS, s->n);
    return i.low <= truth && truth <= i.high;
}

/* Short messages are disturbed more than long ones, and their envelope makes their sizes alike: lines through few of
 * them would be steep, and say anything about the time at 0. */
static void sizes_that_are_alike_are_no_segment(void **state)
{
    const double a = 1.1e-3, b = 1.6e-7, envelope = 16;
    struct base_random r;
    struct fit f;
    (void)state;
    base_random_seed(&r, seed(), 7);
    for (int round = 0; round < 100; round++) {
        struct truth none = {.a = a, .b = b};
        struct fit_point *p = draw(&none, &r);
        for (int k = 0; k < SIZES; k++) {
            p[k].x = p[k].v = p[k].x + envelope;
            p[k].y = (a + b * p[k].x) * (1 + (p[k].x < 300 ? 0.02 : 0.001) * normal(&r));
            p[k].unit = p[k].y;
        }
        fit_segments(&f, p, SIZES, FIT_SEGMENTS, envelope);
        for (unsigned k = 0; k < f.segments; k++) {
            const struct fit_segment *s = &f.segment[k];
            assert_true(p[s->first + s->n - 1].x >= 2 * p[s->first].x);
        }
        if (fabs(f.segment[0].line.a / a - 1) > 0.08)
            fail_msg("round %d: %g s at 0 instead of %g, of %u segments", round, f.segment[0].line.a, a,
                     f.segments);
        fit_release(&f);
    }
}

static void intervals_hold_the_truth(void **state)
{
    struct truth t = {.a = 30e-6, .b = 1e-9, .noise = 0.02, .outliers = 0.03};
    struct base_random r;
    int held[2] = {0, 0};
    (void)state;
    base_random_seed(&r, seed(), 5);
    for (int k = 0; k < 100; k++) {
        struct fit f;
        fit_segments(&f, draw(&t, &r), SIZES, 1, 0);
        fit_bootstrap(&f, seed(), (uint64_t)k, NULL, NULL);
        for (int i = 0; i < 2; i++)
            held[i] += holds(&f, i, i ? t.b : t.a);
        fit_release(&f);
    }
    int least = seed_is_given() ? 85 : 90; /* any seed: chance */
    if (held[0] < least || held[1] < least)
        fail_msg("%d and %d of 100 intervals hold the truth; expected %d at least", held[0], held[1], least);
}

static void few_points_have_no_fit(void **state)
{
    struct fit f;
    (void)state;
    fit_segments(&f, NULL, 0, 3, 0);
    assert_true(f.segments == 0 && fit_at(&f, 10) == 0);
    struct fit_point *p = calloc(6, sizeof *p);
    for (int k = 0; k < 6; k++) /* of one size: no line */
        p[k] = (struct fit_point){.x = 5, .u = 1, .v = 5, .y = 1, .unit = 1};
    fit_segments(&f, p, 6, 3, 0);
    assert_int_equal(f.segments, 0);
    fit_release(&f);
}

/* A time that falls with the size has no negative slope, and one that is 0 at 0 no negative start. */
static void neither_number_is_negative(void **state)
{
    struct fit f;
    (void)state;
    for (int rising = 0; rising < 2; rising++) {
        struct fit_point *p = calloc(10, sizeof *p);
        for (int k = 0; k < 10; k++) {
            double x = k + 1, y = rising ? 2 * x - 1.5 : 20 - x;
            p[k] = (struct fit_point){.x = x, .u = 1, .v = x, .y = y, .unit = y};
        }
        fit_segments(&f, p, 10, 1, 0);
        assert_true(f.segment[0].line.a >= 0 && f.segment[0].line.b >= 0);
        assert_true(rising ? f.segment[0].line.a == 0 && f.segment[0].line.b > 1
                           : f.segment[0].line.b == 0 && f.segment[0].line.a > 10);
        fit_release(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_lines_are_found),
        cmocka_unit_test(outliers_are_counted_and_have_little_weight),
        cmocka_unit_test(a_cut_is_found_where_there_is_one),
        cmocka_unit_test(no_cut_is_found_where_there_is_none),
        cmocka_unit_test(sizes_that_are_alike_are_no_segment),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(few_points_have_no_fit),
        cmocka_unit_test(neither_number_is_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
