/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins waits without frames: random actors that rest do what they do when they wait in their functions, at the same
 * times and in the same order, on stacks of their own or on a shared one; a resting lodger keeps no frames; it does
 * errands, and goes back to its wait; the report of a deadlock has it. PGASIM_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/internal.h"
#include "seed.h"

#include <stdlib.h>
#include <string.h>

enum { ACTORS = 100, ROUNDS = 50, EVENTS = ACTORS * (ROUNDS + 1), STACK = 64 << 10 };
static const struct engine_reason why = {.what = "a bell"};

static struct engine *engine;
static struct engine_actor *actors[ACTORS];
static unsigned played[ACTORS]; /* rounds */
static uint64_t first_seed;
static bool resting;
static struct happened {
    double at;
    unsigned actor, round;
} happened[2][EVENTS];
static unsigned n;

static uint64_t random_of(unsigned id, unsigned round)
{
    struct base_random r;
    base_random_seed(&r, first_seed, (uint64_t)id * ROUNDS + round);
    return base_random_below(&r, 1 << 16);
}

static void note(unsigned id)
{
    happened[resting][n++] = (struct happened){engine_now(engine), id, played[id]};
}

/* true: the wait is left to the caller, as a rest. */
static bool wait_once(unsigned id)
{
    uint64_t what = random_of(id, played[id]++);
    double until = engine_now(engine) + (double)(what % 7);
    engine_wake(engine, actors[what / 8 % ACTORS]);
    if (what % 4 == 0 || !resting) { /* with frames */
        if (what % 4 == 1)
            engine_block(engine, &why);
        else
            engine_sleep_until(engine, until);
        return false;
    }
    if (what % 4 == 1)
        engine_rest(engine, &why);
    else
        engine_rest_until(engine, until);
    return true;
}

static void body(void *arg)
{
    unsigned id = (unsigned)(uintptr_t)arg;
    while (played[id] < ROUNDS) {
        note(id);
        if (wait_once(id))
            return;
    }
    note(id);
}

static void wake_all(void *arg)
{
    (void)arg;
    for (bool left = true; left;) {
        engine_sleep(engine, 50);
        left = false;
        for (unsigned k = 0; k < ACTORS; k++) {
            left |= played[k] < ROUNDS;
            engine_wake(engine, actors[k]);
        }
    }
}

static void begin(unsigned max)
{
    engine = engine_create(&(struct engine_config){.max_actors = max, .stack_size = STACK});
}

static void play(bool rests, unsigned lodgers)
{
    begin(ACTORS + 1);
    bool open = lodgers && engine_lodge_open(engine);
    resting = rests;
    n = 0;
    for (unsigned k = 0; k < ACTORS; k++) {
        played[k] = 0;
        actors[k] = engine_actor_spawn(engine, body, (void *)(uintptr_t)k, NULL);
        if (open && k < lodgers)
            engine_actor_lodge(engine, actors[k]);
    }
    engine_actor_spawn(engine, wake_all, NULL, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    assert_int_equal(n, EVENTS);
    engine_check(engine);
    engine_destroy(engine);
}

static void test_as_waits_with_frames(void **state)
{
    (void)state;
    play(false, 0);
    for (unsigned lodgers = 0; lodgers <= ACTORS; lodgers += ACTORS / 2) {
        play(true, lodgers);
        for (unsigned k = 0; k < EVENTS; k++) {
            const struct happened *x = &happened[0][k], *y = &happened[1][k];
            if (x->at != y->at || x->actor != y->actor || x->round != y->round)
                fail_msg("%u lodgers: step %u is round %u of actor %u at %g, not round %u of %u at %g",
                         lodgers, k, y->round, y->actor, y->at, x->round, x->actor, x->at);
        }
    }
}

/* --- memory, errands, reports ---------------------------------------------------------------------- */

static unsigned times[2], errands;
static struct engine_actor *rests[2];

/* The first time it waits, the second time it ends. */
static void rest_once(void *arg)
{
    unsigned *time = arg;
    if (++*time == 1)
        engine_rest(engine, &why);
}

static void do_errand(void *ctx, struct engine_actor *a)
{
    (void)ctx;
    assert_ptr_equal(a, rests[0]);
    assert_ptr_equal(a, engine_current(engine));
    engine_errands_add(engine, -1);
    engine_sleep(engine, 1);
    errands++;
}

static void ask_and_wake(void *arg)
{
    (void)arg;
    engine_sleep(engine, 1);
    if (engine->public.lodgers) {
        assert_null(rests[0]->context); /* the other one was there after it */
        assert_int_equal(engine->lodge.kept.fresh, 0);
    }
    engine_errands_add(engine, 1);
    assert_true(engine_errand_call(engine, rests[0]));
    engine_sleep(engine, 2);
    assert_int_equal(errands, 1);
    assert_true(engine_actor_blocked(rests[0]));
    assert_int_equal(times[0], 1);
    engine_wake(engine, rests[0]);
    engine_wake(engine, rests[1]);
}

static void spawn_two(void)
{
    bool open = engine_lodge_open(engine);
    for (unsigned k = 0; k < 2; k++) {
        times[k] = 0;
        rests[k] = engine_actor_spawn(engine, rest_once, &times[k], NULL);
        if (open)
            engine_actor_lodge(engine, rests[k]);
    }
}

static void test_errand(void **state)
{
    (void)state;
    begin(3);
    engine_on_errand(engine, do_errand, NULL);
    errands = 0;
    spawn_two();
    engine_actor_spawn(engine, ask_and_wake, NULL, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    assert_int_equal(times[0], 2);
    assert_int_equal(times[1], 2);
    engine_destroy(engine);
}

static uint64_t number(void *owner)
{
    return (uintptr_t)owner;
}

static void test_deadlock(void **state)
{
    char *text = NULL;
    size_t size;
    (void)state;
    begin(2);
    spawn_two();
    engine_actor_set_owner(rests[1], (void *)1);
    assert_int_equal(engine_run(engine), ENGINE_DEADLOCK);
    FILE *out = open_memstream(&text, &size);
    engine_deadlock_report(engine, out, "rank", number);
    fclose(out);
    if (!strstr(text, "a bell") || !strstr(text, "0-1"))
        fail_msg("the report does not have ranks 0-1 in a bell: %s", text);
    free(text);
    engine_destroy(engine);
}

int main(void)
{
    first_seed = seed_of_test(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_waits_with_frames),
                                       cmocka_unit_test(test_errand), cmocka_unit_test(test_deadlock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
