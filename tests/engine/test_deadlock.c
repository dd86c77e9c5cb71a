/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that a deadlock is found, and the text of its report: groups, ranges, details. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct engine *e;

static void describe(const void *arg, char *buf, size_t size)
{
    snprintf(buf, size, "flag of rank %d", *(const int *)arg);
}

static void waits(void *arg)
{
    int me = (int)(intptr_t)arg, next = me + 1;
    struct engine_reason barrier = {.what = "barrier_all"};
    struct engine_reason flag = {.what = "wait_until", .describe = describe, .arg = &next};
    if (me == 7)
        return;
    engine_sleep(e, me * 1e-3);
    engine_block(e, me == 3 ? &flag : &barrier);
    fail_msg("%d was woken", me);
}

static uint64_t number(void *owner)
{
    return (uint64_t)(uintptr_t)owner;
}

static char *report_of(int actors, engine_actor_fn fn)
{
    struct engine_config config = {.max_actors = (uint32_t)actors, .stack_size = 65536};
    char *text = NULL;
    size_t size;
    e = engine_create(&config);
    for (int k = 0; k < actors; k++)
        engine_actor_spawn(e, fn, (void *)(intptr_t)k, (void *)(intptr_t)k);
    assert_int_equal(engine_run(e), ENGINE_DEADLOCK);
    FILE *out = open_memstream(&text, &size);
    engine_deadlock_report(e, out, "rank", number);
    fclose(out);
    engine_check(e);
    engine_destroy(e);
    return text;
}

static void test_report(void **state)
{
    (void)state;
    char *text = report_of(10, waits);
    assert_string_equal(text, "  barrier_all: 8 ranks: 0-2, 4-6, 8-9\n"
                              "    rank 0 since 0 s\n"
                              "    rank 1 since 1.000 ms\n"
                              "    rank 2 since 2.000 ms\n"
                              "    rank 4 since 4.000 ms\n"
                              "  wait_until: 1 rank: 3\n"
                              "    rank 3 since 3.000 ms: flag of rank 4\n");
    free(text);
}

static void even_ones_wait(void *arg)
{
    struct engine_reason why = {.what = "lock"};
    if ((intptr_t)arg % 2 == 0)
        engine_block(e, &why);
}

static void test_many_ranges(void **state)
{
    (void)state;
    char *text = report_of(40, even_ones_wait);
    assert_string_equal(text, "  lock: 20 ranks: 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, and 8 more\n"
                              "    rank 0 since 0 s\n"
                              "    rank 2 since 0 s\n"
                              "    rank 4 since 0 s\n"
                              "    rank 6 since 0 s\n");
    free(text);
}

static void test_one(void **state)
{
    (void)state;
    char *text = report_of(1, even_ones_wait);
    assert_string_equal(text, "  lock: 1 rank: 0\n"
                              "    rank 0 since 0 s\n");
    free(text);
}

static void test_reason(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = 1, .stack_size = 65536};
    e = engine_create(&config);
    struct engine_actor *a = engine_actor_spawn(e, even_ones_wait, NULL, NULL);
    double since = -1;
    assert_null(engine_actor_reason(a, &since));
    assert_int_equal(engine_run(e), ENGINE_DEADLOCK);
    assert_string_equal(engine_actor_reason(a, &since)->what, "lock");
    assert_true(since == 0);
    assert_int_equal(engine_waiting_count(e), 1);
    engine_wake(e, a); /* a deadlock is a state, not an end: the run can go on */
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    engine_destroy(e);
}

/* Several actors of one number: what tells them apart orders them, and else their age. */
static void waits_as(void *arg)
{
    struct engine_reason why = {.what = "lock", .describe = describe, .arg = arg};
    engine_block(e, &why);
}

static uint64_t part(void *owner, void *local)
{
    assert_non_null(owner);
    return (uint64_t)(uintptr_t)local;
}

/* On the actor's own stack. */
static void place(void *owner, char *buf, size_t size)
{
    assert_ptr_equal(owner, engine_actor_owner(engine_current(e)));
    if ((uintptr_t)owner == 4)
        snprintf(buf, size, "somewhere");
}

static void title(void *owner, char *buf, size_t size)
{
    if ((uintptr_t)owner == 5)
        snprintf(buf, size, "job b, rank 0");
}

static void test_parts(void **state)
{
    static int id[] = {0, 1, 2, 3};
    static const uintptr_t number_of[] = {5, 4, 4, 4}, part_of[] = {0, 3, 0, 1};
    struct engine_config config = {.max_actors = 4, .stack_size = 65536};
    char *text[2] = {NULL};
    size_t size;
    (void)state;
    e = engine_create(&config);
    for (int k = 0; k < 4; k++)
        engine_actor_set_local(engine_actor_spawn(e, waits_as, &id[k], (void *)number_of[k]),
                               (void *)part_of[k]);
    assert_int_equal(engine_run(e), ENGINE_DEADLOCK);
    for (int k = 0; k < 2; k++) {
        FILE *out = open_memstream(&text[k], &size);
        if (k)
            engine_deadlock_report(e, out, "rank", number);
        else
            engine_deadlock_report_parts(
                e, out, &(struct engine_naming){"rank", "thread", number, part, title, place});
        fclose(out);
    }
    engine_destroy(e);
    assert_string_equal(text[0], "  lock: 4 threads of ranks: 4-5\n"
                                 "    rank 4 since 0 s: flag of rank 2\n"
                                 "      called in somewhere\n"
                                 "    rank 4, thread 1 since 0 s: flag of rank 3\n"
                                 "      called in somewhere\n"
                                 "    rank 4, thread 3 since 0 s: flag of rank 1\n"
                                 "      called in somewhere\n"
                                 "    rank 5 (job b, rank 0) since 0 s: flag of rank 0\n");
    assert_string_equal(text[1], "  lock: 4 ranks: 4-5\n"
                                 "    rank 4 since 0 s: flag of rank 1\n"
                                 "    rank 4 since 0 s: flag of rank 2\n"
                                 "    rank 4 since 0 s: flag of rank 3\n"
                                 "    rank 5 since 0 s: flag of rank 0\n");
    free(text[0]);
    free(text[1]);
}

/* Actors wait for the numbers in a list; 0, which waits for 4, is not in the ring of 2, 4 and 5. */
static const uint64_t waits_for[] = {4, ENGINE_NOBODY, 4, 99, 5, 2, 6};

static void describe_wait(const void *arg, char *buf, size_t size)
{
    const uint64_t *whom = arg;
    snprintf(buf, size, "number %d", (int)*whom);
}

static uint64_t whom_of(const void *arg)
{
    return *(const uint64_t *)arg;
}

static void waits_for_one(void *arg)
{
    struct engine_reason why = {
        .what = "another", .describe = describe_wait, .arg = &waits_for[(intptr_t)arg]};
    engine_block(e, &why);
}

static void test_cycle(void **state)
{
    (void)state;
    engine_waits_register(describe_wait, whom_of);
    char *text = report_of(7, waits_for_one);
    assert_non_null(strstr(text, "\n  a cycle of 3 ranks: rank 2 waits for 4, 4 for 5, 5 for 2\n"));
    free(text);
    text = report_of(2, waits_for_one); /* for one that does not wait, and for nobody */
    assert_null(strstr(text, "cycle"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report), cmocka_unit_test(test_cycle),  cmocka_unit_test(test_many_ranges),
        cmocka_unit_test(test_one),    cmocka_unit_test(test_reason), cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
