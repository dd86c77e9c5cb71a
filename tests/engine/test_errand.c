/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins errands: who is called for them, that they leave the wait as it was, that a wake-up meanwhile is kept
 * for it; and that an actor that computes is not called, and continues only when its computation ends. */
#include "engine/checked.h"

#include <stdio.h>
#include <string.h>

enum { WAITING = 3 };

static struct engine_actor *actor[WAITING]; /* a's, b's and a's */
static char did[8];                         /* who did an errand, by number, in order */
static bool wakes;                          /* an errand wakes the actor that does it */
static int returned;                        /* from waits */
static const struct engine_reason why = {.what = "a word"};

static void do_errand(void *ctx, struct engine_actor *a)
{
    assert_ptr_equal(ctx, &e);
    assert_ptr_equal(engine_current(e), a);
    for (int k = 0; k < WAITING; k++)
        if (actor[k] == a)
            did[strlen(did)] = (char)('0' + k);
    engine_errands_add(e, -1);
    engine_sleep(e, 1);
    if (wakes)
        engine_wake(e, a);
}

static int setup(void **state)
{
    (void)state;
    e = engine_create(&(struct engine_config){.max_actors = 8, .stack_size = 65536});
    engine_on_errand(e, do_errand, &e);
    memset(did, 0, sizeof did);
    wakes = false;
    returned = 0;
    return 0;
}

static void waits(void *arg)
{
    (void)arg;
    engine_block(e, &why);
    returned++;
}

static void spawn_waiting(void (*caller)(void *arg))
{
    static char *const owner[WAITING] = {"a", "b", "a"};
    for (int k = 0; k < WAITING; k++)
        actor[k] = engine_actor_spawn(e, waits, NULL, owner[k]);
    engine_actor_spawn(e, caller, engine_actor_owner(actor[0]), NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(returned, WAITING);
}

/* --- whom to call ------------------------------------------------------------------------------- */

/* Each that waits can be called, the first of all too; those that are called already cannot. */
static void call_all(void *arg)
{
    engine_errands_add(e, 2);
    assert_false(engine_errand_call_any(e, "nobody's"));
    assert_true(engine_errand_call_any(e, arg));
    assert_true(engine_errand_call_any(e, arg));
    assert_false(engine_errand_call_any(e, arg));
    assert_false(engine_errand_call(e, actor[0]));
    engine_sleep(e, 2);
    assert_string_equal(did, "02");
    for (int k = 0; k < WAITING; k++)
        assert_true(engine_actor_blocked(actor[k])); /* it went back to its wait */
    assert_int_equal(returned, 0);
    for (int k = 0; k < WAITING; k++)
        engine_wake(e, actor[k]);
}

static void test_any_of_an_owner(void **state)
{
    (void)state;
    spawn_waiting(call_all);
    assert_true(engine_now(e) == 2);
}

/* A wake-up before the errand, and one within it: the wait ends when the errand is done. */
static void wake_meanwhile(void *arg)
{
    (void)arg;
    engine_errands_add(e, 1);
    assert_true(engine_errand_call(e, actor[1]));
    engine_wake(e, actor[1]);
    engine_sleep(e, 0.5);
    assert_int_equal(returned, 0);
    engine_sleep(e, 1);
    assert_int_equal(returned, 1);
    wakes = true;
    engine_errands_add(e, 1);
    assert_true(engine_errand_call(e, actor[2]));
    engine_sleep(e, 2);
    assert_int_equal(returned, 2);
    engine_wake(e, actor[0]);
}

static void test_woken_meanwhile(void **state)
{
    (void)state;
    spawn_waiting(wake_meanwhile);
    assert_string_equal(did, "12");
}

/* --- waiting alone ------------------------------------------------------------------------------ */

static struct engine_event bell;
static void ends(struct engine *engine, struct engine_event *ev)
{
    (void)ev;
    engine_wake_alone(engine, actor[0]);
}

static void computes(void *arg)
{
    (void)arg;
    engine_block_alone(e, &why);
    assert_true(engine_now(e) == 5);
    engine_block(e, &why); /* the usual wait; no end of a computation ends it */
    assert_true(engine_now(e) == 8);
    returned++;
}

static void disturb(void *arg)
{
    (void)arg;
    engine_event_init(&bell, ends);
    engine_event_at(e, &bell, 5);
    assert_true(engine_actor_blocked(actor[0]));
    assert_false(engine_errand_call(e, actor[0]));
    assert_false(engine_errand_call_any(e, engine_actor_owner(actor[0])));
    engine_sleep(e, 1);
    engine_wake(e, actor[0]); /* for another wait than this one */
    engine_sleep(e, 6);
    engine_wake_alone(e, actor[0]);
    engine_sleep(e, 1);
    engine_wake(e, actor[0]);
}

static void test_alone(void **state)
{
    (void)state;
    actor[0] = engine_actor_spawn(e, computes, NULL, "a");
    engine_actor_spawn(e, disturb, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(returned, 1);
    assert_string_equal(did, "");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, checked_destroy)
int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_any_of_an_owner), CASE(test_woken_meanwhile),
                                       CASE(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
