/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors that share a stack: their frames, of any size, stay as they left them; pointers into them stay
 * valid; others find and change their bytes by engine_actor_place while they are out; actors with stacks of
 * their own run among them; records are reused. PGASIM_TEST_SEED repeats a run.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "seed.h"

#include <stdlib.h>
#include <string.h>

enum { ACTORS = 200, ROUNDS = 60, MOST = 12000, FRAMES = 64 << 10 };

static struct engine *engine;
static struct engine_actor *actors[ACTORS];
static uint64_t *cells[ACTORS]; /* each actor's word, on its stack */
static uint64_t expected[ACTORS], seed;
static unsigned wrong, ended;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void check(const unsigned char *bytes, size_t n, unsigned char fill)
{
    for (size_t k = 0; k < n; k++)
        wrong += bytes[k] != fill;
}

enum { BELOW = 1 << 20 };

/* Changes the word of another actor, wherever its frames are now. */
static void change_other(void)
{
    unsigned other = (unsigned)(next_random() % ACTORS);
    if (!cells[other])
        return;
    uint64_t *there = engine_actor_place(engine, actors[other], cells[other]);
    wrong += *there != expected[other];
    wrong += engine_actor_range(engine, actors[other], cells[other], sizeof *there) != there;
    if (there != cells[other]) /* out: bytes below its frames are elsewhere */
        wrong += engine_actor_range(engine, actors[other], (char *)cells[other] - BELOW, BELOW + 1) != NULL;
    *there = expected[other] = next_random();
}

static __attribute__((noinline)) void deeper(unsigned id, unsigned round)
{
    size_t n = 1 + next_random() % (round % 7 ? 300 : MOST);
    unsigned char bytes[n]; /* NOLINT: frames of any size are the point */
    memset(bytes, (int)(id + round), n);
    change_other();
    if (next_random() % 2)
        engine_yield(engine);
    else
        engine_sleep(engine, (double)(next_random() % 100));
    check(bytes, n, (unsigned char)(id + round));
}

static void body(void *arg)
{
    unsigned id = (unsigned)(uintptr_t)arg;
    volatile uint64_t cell = expected[id] = id;
    cells[id] = (uint64_t *)(uintptr_t)&cell;
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool overflow = true;
        deeper(id, round);
        wrong += cell != expected[id];
        wrong += engine_stack_owner(engine, cells[id], &overflow) != actors[id] || overflow;
    }
    cells[id] = NULL;
    ended++;
}

static void spawn_all(unsigned lodgers)
{
    for (unsigned k = 0; k < ACTORS; k++) {
        actors[k] = engine_actor_spawn(engine, body, (void *)(uintptr_t)k, NULL);
        if (k < lodgers)
            engine_actor_lodge(engine, actors[k]);
    }
}

static void run(unsigned lodgers)
{
    engine = engine_create(&(struct engine_config){.max_actors = ACTORS, .stack_size = FRAMES});
    bool open = engine_lodge_open(engine);
    for (unsigned again = 0; again < 2; again++) {
        ended = wrong = 0;
        spawn_all(open ? lodgers : 0);
        assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
        assert_int_equal(ended, ACTORS);
        assert_int_equal(wrong, 0);
        engine_check(engine);
    }
    engine_destroy(engine);
}

static void test_all_lodge(void **state)
{
    (void)state;
    run(ACTORS);
}

static void test_some_lodge(void **state)
{
    (void)state;
    run(ACTORS / 2);
}

/* --- the report of a deadlock ------------------------------------------------------------------- */

static void describe(const void *arg, char *buf, size_t size)
{
    snprintf(buf, size, "for %s", (const char *)arg);
}

static void wait_for_ever(void *arg)
{
    char text[32];
    snprintf(text, sizeof text, "word %d", (int)(uintptr_t)arg);
    const struct engine_reason why = {"a word", describe, text};
    engine_block(engine, &why);
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
    engine = engine_create(&(struct engine_config){.max_actors = 3, .stack_size = FRAMES});
    bool open = engine_lodge_open(engine);
    for (uintptr_t k = 0; k < 3; k++) {
        struct engine_actor *a = engine_actor_spawn(engine, wait_for_ever, (void *)k, (void *)k);
        if (open)
            engine_actor_lodge(engine, a);
    }
    assert_int_equal(engine_run(engine), ENGINE_DEADLOCK);
    FILE *out = open_memstream(&text, &size);
    engine_deadlock_report(engine, out, "rank", number);
    fclose(out);
    for (int k = 0; k < 3; k++) {
        char line[64];
        snprintf(line, sizeof line, "rank %d since 0 s: for word %d\n", k, k);
        assert_non_null(strstr(text, line));
    }
    free(text);
    engine_destroy(engine);
}

int main(void)
{
    seed = seed_of_test(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_lodge), cmocka_unit_test(test_some_lodge),
                                       cmocka_unit_test(test_deadlock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
