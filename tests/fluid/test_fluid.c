/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows in simulated time: cases worked out by hand, their
 * cost to the solver, and what must not be allocated. */
#include "fluid/fluid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* The stage of a test: one actor plays the script, flows write their end into ends[]. */
enum { MAX_FLOWS = 4096 };
static struct engine *engine;
static struct fluid *fluid;
static double ends[MAX_FLOWS];
static int order[MAX_FLOWS], n_ended;

static void ended(struct fluid *f, void *arg)
{
    (void)f;
    double *end = arg;
    *end = engine_now(engine);
    order[n_ended++] = (int)(end - ends);
}

static void idle(void *arg)
{
    (void)arg;
    engine_sleep(engine, 1e6);
}

static int setup(void **state)
{
    (void)state;
    engine = engine_create(&(struct engine_config){.max_actors = 4, .stack_size = 64 << 10});
    fluid = fluid_create(engine);
    for (int i = 0; i < MAX_FLOWS; i++)
        ends[i] = -1;
    n_ended = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fluid_destroy(fluid);
    engine_destroy(engine);
    return 0;
}

static void run(engine_actor_fn script, void *arg)
{
    engine_actor_spawn(engine, script ? script : idle, arg, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    fluid_check(fluid);
}

static struct fluid_flow *start(int id, double amount, double weight, double bound, fluid_resource a,
                                float usage)
{
    struct fluid_use u = {a, usage};
    return fluid_start(fluid, &u, 1, amount, weight, bound, ended, &ends[id]);
}

static void expect(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: got %.17g, want %.17g", what, got, want);
}

#define EXPECT_END(id, want) expect(ends[id], want, 1e-14, "end of flow " #id)

/* --- by hand -------------------------------------------------------------------------------------- */

/* 100 and 200 units over 10/s: 5/s each until 20 s, then 10/s for the last 100. */
static void two_share(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED);
    start(0, 100, 1, INFINITY, r, 1);
    start(1, 200, 1, INFINITY, r, 1);
    run(NULL, NULL);
    EXPECT_END(0, 20);
    EXPECT_END(1, 30);
}

/* Each alone could get 10; the last one could get 20, but it is stopped at the level of the others. */
static void fatpipe_stops_all_at_one_level(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_FATPIPE);
    for (int i = 0; i < 3; i++)
        start(i, 100, 1, INFINITY, r, 1);
    start(3, 100, 1, INFINITY, r, 0.5f);
    run(NULL, NULL);
    EXPECT_END(0, 10);
    EXPECT_END(2, 10);
    EXPECT_END(3, 10);
    assert_int_equal(fluid_counts(fluid).solves, 1);
}

/* 12/s, weights 1 and 2: 8 and 4. 80 units end at 10 s; the other has 40 of 80 left: 10 + 40/12. */
static void weights(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 12, FLUID_SHARED);
    start(0, 80, 1, INFINITY, r, 1);
    start(1, 80, 2, INFINITY, r, 1);
    run(NULL, NULL);
    EXPECT_END(0, 10);
    EXPECT_END(1, 10 + 40.0 / 12);
}

/* A flow bound to 2 leaves 8 of 10; two flows bound to 5 fill 10 without meeting. */
static void bounds(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED),
                   q = fluid_resource_add(fluid, 10, FLUID_SHARED);
    start(0, 100, 1, 2, r, 1);
    start(1, 80, 1, INFINITY, r, 1);
    start(2, 50, 1, 5, q, 1);
    start(3, 50, 1, 5, q, 1);
    run(NULL, NULL);
    EXPECT_END(0, 50);
    EXPECT_END(1, 10);
    EXPECT_END(2, 10);
    EXPECT_END(3, 10);
    assert_int_equal(fluid_counts(fluid).solo, 2);
}

/* A resource named twice is crossed twice: 10/2. For a FATPIPE one the larger usage counts: 10/4. */
static void named_twice(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED),
                   p = fluid_resource_add(fluid, 10, FLUID_FATPIPE);
    struct fluid_use twice[] = {{r, 1}, {r, 1}}, pipe[] = {{p, 1}, {p, 4}, {p, 1}};
    fluid_start(fluid, twice, 2, 10, 1, INFINITY, ended, &ends[0]);
    fluid_start(fluid, pipe, 3, 10, 1, INFINITY, ended, &ends[1]);
    run(NULL, NULL);
    EXPECT_END(0, 2);
    EXPECT_END(1, 4);
}

/* The line of two resources, 10 and 4: rates 2, 8, 2 for amounts 10, 40, 4. The last ends at 2 s; then the
 * long flow has 6 left and gets 4, the other 24 left and gets 6: ends at 3.5 s; then 15 left at 10/s. */
static void line_of_two(void **state)
{
    (void)state;
    fluid_resource a = fluid_resource_add(fluid, 10, FLUID_SHARED),
                   b = fluid_resource_add(fluid, 4, FLUID_SHARED);
    struct fluid_use both[] = {{a, 1}, {b, 1}};
    struct fluid_flow *f = fluid_start(fluid, both, 2, 10, 1, INFINITY, ended, &ends[0]);
    struct fluid_flow *g = start(1, 40, 1, INFINITY, a, 1);
    start(2, 4, 1, INFINITY, b, 1);
    expect(fluid_rate(fluid, f), 2, 0, "rate over both");
    expect(fluid_rate(fluid, g), 8, 0, "rate over 10");
    expect(fluid_resource_load(fluid, a), 10, 0, "load");
    assert_int_equal(fluid_resource_flows(fluid, a), 2);
    run(NULL, NULL);
    EXPECT_END(2, 2);
    EXPECT_END(0, 3.5);
    EXPECT_END(1, 5);
}

static void cancel_script(void *arg)
{
    struct fluid_flow **flow = arg;
    engine_sleep(engine, 4);
    expect(fluid_remaining(fluid, flow[0]), 80, 1e-15, "remaining");
    fluid_cancel(fluid, flow[0]);
    engine_sleep(engine, 100);
}

/* Two of 100 at 5/s; the first is cancelled at 4 s: 80 left at 10/s. */
static void cancelled(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED);
    struct fluid_flow *flow[] = {start(0, 100, 1, INFINITY, r, 1), start(1, 100, 2, INFINITY, r, 1)};
    fluid_cancel(fluid, flow[1]);
    flow[1] = start(1, 100, 1, INFINITY, r, 1);
    run(cancel_script, flow);
    assert_int_equal(n_ended, 1);
    EXPECT_END(1, 12);
}

static void capacity_script(void *arg)
{
    engine_sleep(engine, 4);
    fluid_resource_set_capacity(fluid, *(fluid_resource *)arg, 5);
    expect(fluid_resource_capacity(fluid, *(fluid_resource *)arg), 5, 0, "capacity");
    engine_sleep(engine, 100);
}

/* 100 at 10/s, 5/s from 4 s on; a second flow, on another resource, is not affected. */
static void capacity_changes(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED),
                   q = fluid_resource_add(fluid, 10, FLUID_SHARED);
    start(0, 100, 1, INFINITY, r, 1);
    start(1, 100, 1, INFINITY, q, 1);
    run(capacity_script, &r);
    EXPECT_END(0, 16);
    EXPECT_END(1, 10);
}

/* Starts a flow on the same path from within the end of another, five times. */
static void chain(struct fluid *f, void *arg)
{
    struct fluid_path *p = arg;
    ends[n_ended++] = engine_now(engine);
    if (n_ended < 5)
        fluid_path_start(f, p, 20, chain, p);
    else
        fluid_path_destroy(f, p);
}

static void started_in_the_end(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 10, FLUID_SHARED);
    struct fluid_use u = {r, 1};
    struct fluid_path *p = fluid_path_create(fluid, &u, 1, 1, INFINITY);
    assert_true(fluid_path_idle(fluid, p));
    fluid_path_start(fluid, p, 10, chain, p);
    assert_false(fluid_path_idle(fluid, p));
    assert_false(fluid_idle(fluid, &u, 1));
    run(NULL, NULL);
    EXPECT_END(0, 1);
    EXPECT_END(4, 9);
    assert_true(fluid_idle(fluid, &u, 1));
    assert_int_equal(fluid_counts(fluid).solo, 5);
}

/* A byte beside a terabyte on one path: the large progress costs the short flow no digits. */
static void small_beside_large_script(void *arg)
{
    fluid_resource *r = arg;
    for (int i = 1; i < 4; i++) {
        engine_sleep(engine, 300000);
        start(i, 1e-3, 1, INFINITY, *r, 1);
    }
    engine_sleep(engine, 1);
}

static void small_beside_large(void **state)
{
    (void)state;
    fluid_resource r = fluid_resource_add(fluid, 1e9, FLUID_SHARED);
    start(0, 1e15, 1, INFINITY, r, 1);
    start(5, 1e15, 1, INFINITY, r, 1);
    run(small_beside_large_script, &r);
    for (int i = 1; i < 4; i++) /* at this time the clock's resolution is 2^-34 s */
        assert_true(ends[i] >= 300000.0 * i && ends[i] - 300000.0 * i < 1e-10);
}

/* --- cost ----------------------------------------------------------------------------------------- */

/* 1000 flows of one route are one variable; those that start together end together. */
static void equal_flows_are_one(void **state)
{
    (void)state;
    fluid_resource up = fluid_resource_add(fluid, 100, FLUID_SHARED);
    fluid_resource down = fluid_resource_add(fluid, 100, FLUID_SHARED);
    struct fluid_use uses[] = {{up, 1}, {down, 1}};
    for (int i = 0; i < 1000; i++)
        fluid_start(fluid, uses, 2, 10, 1, INFINITY, ended, &ends[i]);
    struct fluid_use other[] = {{up, 1}};
    fluid_start(fluid, other, 1, 20, 1, INFINITY, ended, &ends[1000]);
    run(NULL, NULL);
    for (int i = 0; i < 1000; i++) {
        EXPECT_END(i, 100.1);
        assert_int_equal(order[i], i);
    }
    EXPECT_END(1000, 100.2);
    assert_int_equal(fluid_counts(fluid).solves, 1);
    assert_int_equal(fluid_counts(fluid).solved_flows, 2);
}

/* 1000 pairs of hosts over one backbone, all at once: one solve for the starts, none for the ends. */
static void symmetric_flows_solve_once(void **state)
{
    (void)state;
    fluid_resource bone = fluid_resource_add(fluid, 2.25e9, FLUID_SHARED);
    for (int i = 0; i < 1000; i++) {
        fluid_resource up = fluid_resource_add(fluid, 1.25e8, FLUID_SHARED);
        fluid_resource down = fluid_resource_add(fluid, 1.25e8, FLUID_SHARED);
        struct fluid_use uses[] = {{up, 1}, {bone, 1}, {down, 1}};
        fluid_start(fluid, uses, 3, 1024, 1, INFINITY, ended, &ends[i]);
    }
    run(NULL, NULL);
    for (int i = 0; i < 1000; i++)
        EXPECT_END(i, 1024.0 * 1000 / 2.25e9);
    assert_int_equal(fluid_counts(fluid).solves, 1);
    assert_int_equal(fluid_counts(fluid).solved_flows, 1000);
}

/* A wide backbone couples no flows; a change behind a resource with room is solved without its neighbours. */
static void slack_couples_nobody(void **state)
{
    (void)state;
    fluid_resource bone = fluid_resource_add(fluid, 1000, FLUID_SHARED);
    for (int i = 0; i < 100; i++) {
        fluid_resource up = fluid_resource_add(fluid, 10, FLUID_SHARED);
        struct fluid_use uses[] = {{up, 1}, {bone, 1}};
        fluid_start(fluid, uses, 2, 100 + i, 1, INFINITY, ended, &ends[i]);
    }
    fluid_resource narrow = fluid_resource_add(fluid, 7, FLUID_SHARED);
    start(100, 1, 1, INFINITY, narrow, 1);
    start(101, 1, 2, INFINITY, narrow, 1);
    run(NULL, NULL);
    EXPECT_END(99, 19.9);
    assert_int_equal(fluid_counts(fluid).solo, 100);
    assert_int_equal(fluid_counts(fluid).solves, 1);
    assert_int_equal(fluid_counts(fluid).solved_flows, 2);
}

struct steady {
    fluid_resource link[8];
    int round;
};

static void steady_script(void *arg)
{
    struct steady *s = arg;
    struct base_random rnd;
    for (int round = 0; round < 40; round++) {
        base_random_seed(&rnd, 7, round % 4u);
        if (round == 20)
            base_alloc_fail_at(1); /* from here on any allocation ends the program */
        for (int i = 0; i < 200; i++) {
            struct fluid_use uses[3];
            for (int k = 0; k < 3; k++)
                uses[k] = (struct fluid_use){s->link[base_random_below(&rnd, 8)], 1};
            n_ended = 0;
            fluid_start(fluid, uses, 3, 1 + base_random_unit(&rnd), 1, INFINITY, ended, &ends[i]);
            engine_sleep(engine, base_random_unit(&rnd) * 0.01);
        }
        engine_sleep(engine, 1000);
    }
    base_alloc_fail_at(0);
}

static void nothing_allocated_in_steady_state(void **state)
{
    (void)state;
    struct steady s = {0};
    for (int i = 0; i < 8; i++)
        s.link[i] = fluid_resource_add(fluid, 10 + i, FLUID_SHARED);
    run(steady_script, &s);
    assert_true(fluid_counts(fluid).solves > 1000);
}

/* 12/s. Three flows of 80 get 4 each, until one at 5 s is limited to 2; the
 * others end at 17 s. Its remaining 36 progress at 2 until 25 s, when the
 * limit is lifted: 20 at 12. The same with a path that the caller keeps. */
static void change_script(void *arg)
{
    struct fluid_path *kept = arg;
    struct fluid_flow *first = NULL;
    for (int i = 0; i < 3; i++) {
        struct fluid_flow *flow =
            kept ? fluid_path_start(fluid, kept, 80, ended, &ends[i]) : start(i, 80, 1, INFINITY, 0, 1);
        first = first ? first : flow;
    }
    engine_sleep(engine, 5);
    fluid_change(fluid, first, 1, 2);
    expect(fluid_rate(fluid, first), 2, 0, "rate at 5 s");
    expect(fluid_remaining(fluid, first), 60, 1e-15, "left at 5 s");
    engine_sleep(engine, 20);
    fluid_check(fluid);
    fluid_change(fluid, first, 7, INFINITY);
}

static void changed(void **state)
{
    (void)state;
    fluid_resource_add(fluid, 12, FLUID_SHARED);
    run(change_script, NULL);
    EXPECT_END(0, 25 + 20.0 / 12);
    EXPECT_END(1, 17);
    EXPECT_END(2, 17);
}

static void changed_on_a_kept_path(void **state)
{
    struct fluid_use use = {fluid_resource_add(fluid, 12, FLUID_SHARED), 1};
    struct fluid_path *p = fluid_path_create(fluid, &use, 1, 1, INFINITY);
    (void)state;
    run(change_script, p);
    EXPECT_END(0, 25 + 20.0 / 12);
    EXPECT_END(1, 17);
    assert_true(fluid_path_idle(fluid, p));
    fluid_path_destroy(fluid, p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_share),
        TEST(fatpipe_stops_all_at_one_level),
        TEST(weights),
        TEST(bounds),
        TEST(named_twice),
        TEST(line_of_two),
        TEST(cancelled),
        TEST(capacity_changes),
        TEST(changed),
        TEST(changed_on_a_kept_path),
        TEST(started_in_the_end),
        TEST(small_beside_large),
        TEST(equal_flows_are_one),
        TEST(symmetric_flows_solve_once),
        TEST(slack_couples_nobody),
        TEST(nothing_allocated_in_steady_state),
    };
    return cmocka_run_group_tests_name("fluid", tests, NULL, NULL);
}
