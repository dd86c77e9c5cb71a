/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins running ahead: random actors do the same things in the
 * same order on any number of threads, and without threads. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ACTORS = 12, STEPS = 60, MOST = ACTORS * STEPS };

/* What happened, in order of turns. */
struct record {
    double at;
    uint32_t actor, seen;
};

/* `made` is written while ahead, and read by others in their turns. */
struct self {
    struct engine_actor *actor;
    struct base_random random;
    uint32_t id, made;
};

static struct engine *e;
static struct self self[ACTORS];
static struct record record[MOST];
static size_t records;
static bool jobs;
static uint64_t switches;
static int begun, ended; /* no lock needed: at most one thread at a time calls begin */
static _Thread_local void *on;

static void begin(void *ctx)
{
    (void)ctx;
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
}

static void end(void *ctx)
{
    (void)ctx;
    __atomic_add_fetch(&ended, 1, __ATOMIC_RELAXED);
}

static void change(void *ctx, void *from, void *to)
{
    (void)ctx;
    assert_true(from == on || !from);
    on = to;
}

static void ahead(void *ctx, void *owner)
{
    (void)ctx, (void)owner;
}

static const struct engine_ahead_hooks hooks = {begin, end, change, ahead};

/* Some work, of unlike length. */
static uint32_t compute(uint32_t x, uint32_t rounds)
{
    for (uint32_t k = 0; k < rounds; k++)
        x = x * 1664525 + 1013904223;
    return x;
}

static void body(void *arg)
{
    struct self *s = arg;
    for (int k = 0; k < STEPS; k++) {
        s->made = compute(s->made + s->id, 100 + 1000 * (uint32_t)base_random_below(&s->random, 20));
        struct self *other = &self[base_random_below(&s->random, ACTORS)];
        uint64_t how = base_random_below(&s->random, 4);
        if (engine_is_ahead(e)) {
            engine_take_turn(e);
            assert_ptr_equal(on, s);
        }
        if (jobs && other != s)
            engine_actor_await(e, other->actor);
        record[records++] = (struct record){engine_now(e), s->id, other->made};
        double until = engine_now(e) + 1e-6 * (double)base_random_below(&s->random, 6);
        if (jobs && how)
            engine_sleep_ahead(e, until);
        else
            engine_sleep_until(e, until);
    }
    if (engine_is_ahead(e))
        engine_take_turn(e);
}

static void run(uint64_t seed, uint32_t threads)
{
    struct engine_config config = {.max_actors = ACTORS, .stack_size = 65536, .guard_pages = true};
    e = engine_create(&config);
    jobs = threads > 0;
    records = 0;
    begun = ended = 0;
    if (jobs)
        assert_true(engine_ahead_open(e, threads, &hooks, NULL));
    for (uint32_t k = 0; k < ACTORS; k++) {
        self[k] = (struct self){.id = k};
        base_random_seed(&self[k].random, seed, k);
        self[k].actor = engine_actor_spawn(e, body, &self[k], &self[k]);
        if (threads)
            engine_actor_assign(e, self[k].actor, k % threads);
    }
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(records, MOST);
    assert_int_equal(begun, threads);
    assert_int_equal(ended, threads);
    if (jobs)
        assert_true(engine_ahead_count(e) > MOST / 8);
    else
        assert_int_equal(engine_ahead_count(e), 0);
    switches = engine_switch_count(e);
    engine_check(e);
    engine_destroy(e);
}

/* `seen` is compared among threaded runs only: what another
 * actor made ahead is visible earlier than without threads. */
static void test_order(void **state)
{
    static struct record first[MOST], one[MOST];
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        print_message("seed %d\n", (int)seed);
        run(seed, 0);
        memcpy(first, record, sizeof first);
        uint64_t expected = switches;
        assert_true(expected > MOST / 2);
        run(seed, 1);
        assert_int_equal(switches, expected);
        memcpy(one, record, sizeof one);
        for (uint32_t threads = 2; threads <= 4; threads++) {
            run(seed, threads);
            assert_int_equal(switches, expected);
            assert_memory_equal(record, one, sizeof one);
        }
        for (size_t k = 0; k < MOST; k++) {
            assert_true(first[k].at == one[k].at);
            assert_int_equal(first[k].actor, one[k].actor);
        }
    }
}

/* --- ends --- */

static void go_ahead_and_stop(void *arg)
{
    struct self *s = arg;
    engine_sleep_ahead(e, 1 + s->id);
    s->made = compute(1, 1000);
    if (engine_is_ahead(e))
        engine_take_turn(e);
    if (s->id == 1)
        engine_stop(e, 5);
    s->made = 7; /* the later ones' turns never come */
}

static void test_stop(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = ACTORS, .stack_size = 65536, .guard_pages = true};
    e = engine_create(&config);
    begun = ended = 0;
    assert_true(engine_ahead_open(e, 2, &hooks, NULL));
    for (uint32_t k = 0; k < ACTORS; k++) {
        self[k] = (struct self){.id = k};
        self[k].actor = engine_actor_spawn(e, go_ahead_and_stop, &self[k], &self[k]);
        engine_actor_assign(e, self[k].actor, k % 2);
    }
    assert_int_equal(engine_run(e), ENGINE_STOPPED);
    assert_int_equal(engine_stop_code(e), 5);
    assert_true(engine_now(e) == 2);
    assert_int_equal(ended, 2);
    assert_false(engine_ahead_lost(e));
    assert_int_equal(self[0].made, 7);
    for (uint32_t k = 1; k < ACTORS; k++)
        assert_int_not_equal(self[k].made, 7);
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
