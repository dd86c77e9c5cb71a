/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that daemons run at their times between other events, do not keep a run alive unless
 * something is held, and hide no deadlock. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct {
    struct engine_daemon daemon;
    int rang, held;
    double last, period;
    struct engine_actor *waiter;
    bool stood_still;
} world;

static struct engine *engine(void)
{
    struct engine_config config = {.max_actors = 4, .stack_size = 65536};
    world.rang = world.held = 0;
    world.last = -1;
    world.waiter = NULL;
    world.stood_still = false;
    return engine_create(&config);
}

static void rang(struct engine *e, struct engine_event *ev)
{
    (void)ev;
    world.rang++;
    world.last = engine_now(e);
    world.stood_still = engine_stands_still(e);
    if (world.waiter && world.rang == 3) {
        engine_hold(e, -world.held);
        engine_wake(e, world.waiter);
    }
    engine_check(e);
    engine_daemon_at(e, &world.daemon, engine_now(e) + world.period);
}

static void start(struct engine *e, double first, double period)
{
    world.daemon.fn = rang;
    world.period = period;
    engine_daemon_at(e, &world.daemon, first);
}

static void sleeper(void *arg)
{
    engine_sleep(arg, 10);
}

static void blocker(void *arg)
{
    struct engine_reason why = {"a thing that never comes", NULL, NULL};
    engine_sleep(arg, 5);
    world.waiter = engine_current(arg);
    engine_block(arg, &why);
}

static void lasts_as_long_as_the_rest(void **state)
{
    struct engine *e = engine();
    (void)state;
    start(e, 0, 3);
    engine_actor_spawn(e, sleeper, e, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_true(engine_now(e) == 10);
    assert_int_equal(world.rang, 4); /* 0 3 6 9 */
    assert_true(world.last == 9 && !world.stood_still);
    engine_destroy(e);
}

static void hides_no_deadlock(void **state)
{
    struct engine *e = engine();
    (void)state;
    start(e, 1, 100);
    engine_actor_spawn(e, blocker, e, NULL);
    assert_int_equal(engine_run(e), ENGINE_DEADLOCK);
    assert_true(engine_now(e) == 5);
    assert_int_equal(world.rang, 1);
    assert_int_equal(engine_waiting_count(e), 1);
    engine_destroy(e);
}

static void may_change_the_rest(void **state)
{
    struct engine *e = engine();
    (void)state;
    start(e, 3, 3); /* the third one, at 9, wakes the waiter */
    engine_actor_spawn(e, blocker, e, NULL);
    engine_actor_spawn(e, sleeper, e, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_true(engine_now(e) == 10);
    engine_destroy(e);
}

static void held_until_a_daemon_helps(void **state)
{
    struct engine *e = engine();
    (void)state;
    start(e, 3, 3); /* the third one, at 9, wakes the waiter */
    engine_hold(e, world.held = 1);
    engine_actor_spawn(e, blocker, e, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_true(engine_now(e) == 9 && world.rang == 3 && world.stood_still);
    engine_destroy(e);
}

static void held_without_daemons(void **state)
{
    struct engine *e = engine();
    (void)state;
    engine_hold(e, 2);
    engine_hold(e, -1);
    engine_actor_spawn(e, blocker, e, NULL);
    assert_int_equal(engine_run(e), ENGINE_DEADLOCK);
    assert_true(engine_now(e) == 5);
    engine_destroy(e);
}

static void knows_standing_still(void **state)
{
    struct engine *e = engine();
    struct engine_event soon;
    (void)state;
    engine_event_init(&soon, rang);
    assert_true(engine_stands_still(e));
    start(e, 1, 1);
    assert_true(engine_stands_still(e));
    engine_event_at(e, &soon, 2);
    assert_false(engine_stands_still(e));
    engine_event_cancel(e, &soon);
    assert_true(engine_stands_still(e));
    engine_destroy(e);
}

static void sum(void *ctx, struct engine_event *ev)
{
    *(uint64_t *)ctx += ev->seq + 1;
}

/* In the heap, in a chain, in a series. */
static void visits_all_events(void **state)
{
    struct engine *e = engine();
    struct engine_series s = {0};
    struct engine_event ev[9];
    uint64_t seen = 0, wanted = 0;
    (void)state;
    for (int k = 0; k < 9; k++) {
        engine_event_init(&ev[k], rang);
        if (k < 3)
            engine_event_at(e, &ev[k], 9 - k);
        else if (k < 6)
            engine_event_post(e, &ev[k], 4);
        else
            engine_series_post(e, &s, &ev[k], 2 + k);
        wanted += ev[k].seq + 1;
    }
    engine_visit(e, sum, &seen);
    assert_int_equal(seen, wanted);
    engine_series_release(&s);
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lasts_as_long_as_the_rest), cmocka_unit_test(hides_no_deadlock),
        cmocka_unit_test(may_change_the_rest),       cmocka_unit_test(held_until_a_daemon_helps),
        cmocka_unit_test(visits_all_events),         cmocka_unit_test(held_without_daemons),
        cmocka_unit_test(knows_standing_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
