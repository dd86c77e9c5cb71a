/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the life of actors: no switch where none is needed, ends, stops, settle requests before the clock
 * moves, the hooks. */
#include "engine/checked.h"

#include <stdlib.h>
#include <string.h>

static char said[512];

static void say(const char *text)
{
    strncat(said, text, sizeof said - strlen(said) - 1);
}

static int setup(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = 8, .stack_size = 65536, .guard_pages = true};
    e = engine_create(&config);
    said[0] = 0;
    return 0;
}

/* --- sleeping --- */

static void sleep_thrice(void *arg)
{
    (void)arg;
    for (int k = 0; k < 3; k++)
        engine_sleep(e, 0.25);
    assert_true(engine_now(e) == 0.75);
}

static void test_sleep_alone(void **state)
{
    (void)state;
    engine_actor_spawn(e, sleep_thrice, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(engine_event_count(e), 0);  /* only the clock moved */
    assert_int_equal(engine_switch_count(e), 2); /* there and back */
    assert_true(engine_now(e) == 0.75);
}

static struct engine_event ring;
static struct engine_actor *sleeper;
static void wake_sleeper(struct engine *engine, struct engine_event *ev)
{
    (void)ev;
    engine_wake(engine, sleeper);
}

static void block_once(void *arg)
{
    struct engine_reason why = {.what = "a ring"};
    engine_event_init(&ring, wake_sleeper);
    engine_event_at(e, &ring, 2);
    assert_false(engine_actor_blocked(sleeper));
    engine_block(e, &why);
    assert_true(engine_now(e) == 2);
    *(bool *)arg = true;
}

/* The waiting actor runs the event that wakes it on its own stack. */
static void test_block_alone(void **state)
{
    (void)state;
    bool done = false;
    sleeper = engine_actor_spawn(e, block_once, &done, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_true(done);
    assert_int_equal(engine_switch_count(e), 2);
}

/* What traces are told of a wait: its reason when it begins, and again, with its cause, when it ends. */
static const struct engine_actor *told_actor;
static uint64_t told_cause;
static void tell_wait(void *ctx, struct engine_actor *a, const struct engine_reason *why, bool begins,
                      uint64_t cause)
{
    assert_ptr_equal(ctx, said);
    told_actor = a;
    told_cause = cause;
    assert_true(!begins || !cause);
    say(begins ? " begins " : " ends ");
    say(why->what);
}

static void wake_as_operation(struct engine *engine, struct engine_event *ev)
{
    (void)ev;
    engine_cause_set(engine, 17);
    engine_wake(engine, sleeper);
    engine_cause_set(engine, 0);
}

static const struct engine_actor *helper;
static void wake_and_end(void *arg)
{
    (void)arg;
    engine_wake(e, sleeper);
}

static void block_for_both(void *arg)
{
    static const struct engine_reason of_event = {.what = "an arrival"}, of_actor = {.what = "help"};
    (void)arg;
    engine_event_init(&ring, wake_as_operation);
    engine_event_at(e, &ring, 1);
    engine_block(e, &of_event);
    assert_int_equal(told_cause, 17);
    assert_null(engine_cause_actor(e, told_cause));
    helper = engine_actor_spawn(e, wake_and_end, NULL, NULL);
    engine_block(e, &of_actor);
    assert_ptr_equal(engine_cause_actor(e, told_cause), helper);
    assert_ptr_equal(told_actor, sleeper);
    engine_on_wait(e, NULL, NULL);
    engine_event_at(e, &ring, 2);
    engine_block(e, &of_event);
}

static void test_wait_hook(void **state)
{
    (void)state;
    engine_on_wait(e, tell_wait, said);
    sleeper = engine_actor_spawn(e, block_for_both, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, " begins an arrival ends an arrival begins help ends help");
}

/* A wake-up that is not for it does not end a sleep. */
static void doze(void *arg)
{
    (void)arg;
    engine_sleep(e, 5);
    assert_true(engine_now(e) == 5);
}

static void test_wake_is_for_blocked(void **state)
{
    (void)state;
    sleeper = engine_actor_spawn(e, doze, NULL, NULL);
    engine_event_init(&ring, wake_sleeper);
    engine_event_at(e, &ring, 2);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_true(engine_now(e) == 5);
}

/* --- ends --- */

static volatile bool leave = true;
static void leave_deep(int depth)
{
    volatile char room[256];
    room[0] = (char)depth;
    if (depth > 0)
        leave_deep(depth - 1);
    else if (leave)
        engine_actor_exit(e);
    room[1] = room[0];
}

static void ends_early(void *arg)
{
    leave_deep((int)(intptr_t)arg);
    fail_msg("went on after its end");
}

static void test_exit(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++)
        engine_actor_spawn(e, ends_early, (void *)(intptr_t)(k * 5), NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
}

static void spawn_another(void *arg)
{
    intptr_t left = (intptr_t)arg;
    if (left > 0)
        engine_actor_spawn(e, spawn_another, (void *)(left - 1), NULL);
    else
        say("last");
}

/* Records and stacks are reused: many more actors than may be alive at once. */
static void test_reuse(void **state)
{
    (void)state;
    engine_actor_spawn(e, spawn_another, (void *)(intptr_t)5000, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, "last");
}

static void stop_now(void *arg)
{
    (void)arg;
    engine_sleep(e, 1);
    engine_stop(e, 17);
    fail_msg("went on after a stop");
}

static void sleep_long(void *arg)
{
    (void)arg;
    engine_sleep(e, 100);
    fail_msg("ran after the stop");
}

static void test_stop_by_actor(void **state)
{
    (void)state;
    engine_actor_spawn(e, sleep_long, NULL, NULL);
    engine_actor_spawn(e, stop_now, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_STOPPED);
    assert_int_equal(engine_stop_code(e), 17);
    assert_true(engine_now(e) == 1);
    assert_null(engine_current(e));
}

static void stop_by_event(struct engine *engine, struct engine_event *ev)
{
    (void)ev;
    engine_stop(engine, 18);
    say("stopping ");
}

static void test_stop_by_event(void **state)
{
    (void)state;
    engine_actor_spawn(e, sleep_long, NULL, NULL);
    engine_event_init(&ring, stop_by_event);
    engine_event_at(e, &ring, 3);
    assert_int_equal(engine_run(e), ENGINE_STOPPED);
    assert_int_equal(engine_stop_code(e), 18);
    assert_string_equal(said, "stopping ");
}

/* --- settling --- */

static struct engine_settle settle;
static void settled(void *arg)
{
    (void)arg;
    char text[32];
    snprintf(text, sizeof text, "settled@%g ", engine_now(e));
    say(text);
}

static void asks(void *arg)
{
    engine_settle_ask(e, &settle);
    engine_settle_ask(e, &settle);
    say((const char *)arg);
    engine_yield(e);
    say((const char *)arg);
    engine_sleep(e, 0);
    say((const char *)arg);
    engine_sleep(e, 1);
    engine_settle_ask(e, &settle);
    engine_sleep(e, 1);
}

/* Once per instant, after all its actors and events, before the clock moves. */
static void test_settle(void **state)
{
    (void)state;
    settle = (struct engine_settle){.fn = settled};
    engine_actor_spawn(e, asks, "a ", NULL);
    engine_actor_spawn(e, asks, "b ", NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, "a b a b a b settled@0 settled@1 ");
}

static void settled_plainly(void *arg)
{
    say((const char *)arg);
}

static struct engine_settle several[3];
static void settled_again(void *arg)
{
    static bool asked;
    say((const char *)arg);
    if (!asked)
        engine_settle_ask(e, &several[1]); /* which has been run in this instant */
    asked = true;
}

static void asks_several(void *arg)
{
    (void)arg;
    for (int k = 0; k < 3; k++)
        engine_settle_ask(e, &several[k]);
    engine_sleep(e, 1);
    engine_settle_ask(e, &several[2]);
    engine_settle_ask(e, &several[0]);
}

/* Those of an instant run in the order in which they were asked for. */
static void test_several_settle(void **state)
{
    static const char *const names[] = {"one ", "two ", "three "};
    (void)state;
    for (int k = 0; k < 3; k++)
        several[k] = (struct engine_settle){.fn = k == 2 ? settled_again : settled_plainly,
                                            .arg = (void *)(uintptr_t)names[k]};
    engine_actor_spawn(e, asks_several, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, "one two three two three one ");
}

/* --- hooks --- */

static void on_switch(void *ctx, struct engine_actor *from, struct engine_actor *to)
{
    say(ctx);
    say(from ? engine_actor_owner(from) : "-");
    say(to ? engine_actor_owner(to) : "-");
    say(" ");
}

static void yield_twice(void *arg)
{
    (void)arg;
    engine_yield(e);
    engine_yield(e);
}

static void test_switch_hook(void **state)
{
    (void)state;
    engine_on_switch(e, on_switch, ">");
    engine_actor_spawn(e, yield_twice, NULL, "a");
    engine_actor_spawn(e, yield_twice, NULL, "b");
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, ">-a >ab >ba >ab >ba >-b >-- ");
    assert_int_equal(engine_switch_count(e), 7);
}

static void tick(void *ctx)
{
    ++*(int *)ctx;
}

static void yield_often(void *arg)
{
    (void)arg;
    for (int k = 0; k < 100000; k++)
        engine_yield(e);
}

static void test_tick(void **state)
{
    (void)state;
    int ticks = 0;
    engine_on_tick(e, tick, &ticks);
    engine_actor_spawn(e, yield_often, NULL, NULL);
    engine_actor_spawn(e, yield_often, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(ticks, 3); /* 200 000 switches, one in 65 536 */
}

/* --- dropping --- */

static struct engine_actor *doomed[7];
static struct engine_reason never = {"never", NULL, NULL};

static void wait_forever(void *arg)
{
    (void)arg;
    engine_block(e, &never);
    say("woken ");
}

/* Sleeps of equal length share a place in the heap. */
static void sleep_five(void *arg)
{
    engine_sleep(e, 5);
    say(arg);
}

static void drop_all(void *arg)
{
    (void)arg;
    engine_sleep(e, 1);
    doomed[5] = engine_actor_spawn(e, sleep_five, "ready ", NULL);
    doomed[6] = engine_actor_spawn(e, sleep_five, "next ", NULL);
    uint32_t room = engine_actor_room(e);
    for (int k = 0; k < 6; k++)
        if (k != 2)
            engine_actor_drop(e, doomed[k]);
    engine_wake(e, doomed[0]);
    engine_actor_drop(e, doomed[0]); /* once more */
    assert_int_equal(engine_actor_room(e), room);
    engine_check(e);
}

static void test_drop(void **state)
{
    (void)state;
    doomed[0] = engine_actor_spawn(e, wait_forever, NULL, NULL);
    doomed[1] = engine_actor_spawn(e, sleep_five, "first ", NULL);
    doomed[2] = engine_actor_spawn(e, sleep_five, "kept ", NULL);
    doomed[3] = engine_actor_spawn(e, sleep_five, "middle ", NULL);
    doomed[4] = engine_actor_spawn(e, sleep_five, "last ", NULL);
    engine_actor_spawn(e, drop_all, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_string_equal(said, "kept next ");
    assert_true(engine_now(e) == 6);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, checked_destroy)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_sleep_alone),   CASE(test_block_alone),
        CASE(test_wait_hook),     CASE(test_wake_is_for_blocked),
        CASE(test_exit),          CASE(test_reuse),
        CASE(test_stop_by_actor), CASE(test_stop_by_event),
        CASE(test_settle),        CASE(test_several_settle),
        CASE(test_switch_hook),   CASE(test_tick),
        CASE(test_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
