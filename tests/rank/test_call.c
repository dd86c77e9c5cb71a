/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls: entering and leaving, a rank's own time, looking again at what was stored, what a trace is told of
 * calls and waits, by which thread, and calls from outside of ranks.
 */
#include "rank/stage.h"

/* --- a rank's own time ------------------------------------------------------------------------------ */

static void times(struct rank *r)
{
    OWN_IS(r, 0);
    r->ahead_until = 3 * US;
    OWN_IS(r, 3);
    CLOCK_IS(0);
    assert_ptr_equal(rank_enter_issue("issue"), r); /* leaves it ahead */
    assert_true(r->issuing);
    CLOCK_IS(0);
    OWN_IS(r, 3);
    rank_leave(r, "issue");
    assert_ptr_equal(rank_enter("call"), r); /* comes up */
    assert_false(r->issuing);
    CLOCK_IS(3);
    assert_true(r->ahead_until == 0);
    rank_leave(r, "call");
    r->ahead_until = 2 * US; /* in the past */
    OWN_IS(r, 3);
    rank_catch_up(r);
    CLOCK_IS(3);
    assert_true(r->ahead_until == 0);
    rank_enter_plain("annotation");
    assert_true(r->issuing);
    rank_leave(r, "annotation");
    rank_threads_add(r, 1); /* one of several is never ahead */
    rank_enter_issue("issue");
    assert_false(r->issuing);
    rank_leave(r, "issue");
    rank_threads_add(r, -1);
    rank_await_until(r, "wait", 7 * US, 0);
    CLOCK_IS(7);
}
static void a_rank_has_its_own_time(void **state)
{
    (void)state;
    stage_open(1);
    stage.body[0] = times;
    stage_run(0);
    stage_close();
}

/* --- what was stored ----------------------------------------------------------------------------------- */

static void look_1(struct rank *r)
{
    note("1(%u)", r->id);
}
static void look_2(struct rank *r)
{
    note("2(%u)", r->id);
}
static void looks(struct rank *r)
{
    rank_leave(rank_enter("call"), "call");
    NOTES_ARE("");
    r->watching = 1;
    rank_leave(rank_enter("call"), "call");
    NOTES_ARE(" 1(0) 2(0)");
    rank_leave(rank_enter_issue("call"), "call");
    NOTES_ARE(" 1(0) 2(0)");
    rank_leave(rank_enter_plain("call"), "call");
    NOTES_ARE(" 1(0) 2(0)");
    r->watching = 0;
}
static void each_call_looks_again(void **state)
{
    (void)state;
    rank_on_stored(look_1);
    rank_on_stored(look_2);
    rank_on_stored(look_1);
    stage_open(1);
    stage.body[0] = looks;
    stage_run(0);
    stage_close();
}

/* --- traces ------------------------------------------------------------------------------------------- */

static void trace_event(void *ctx, const struct trace_event *ev)
{
    static const char *const names[TRACE_TYPES] = {
        [TRACE_RANK_BEGIN] = "begin", [TRACE_RANK_END] = "end",     [TRACE_CALL_ENTER] = "enter",
        [TRACE_CALL_LEAVE] = "leave", [TRACE_WAIT_BEGIN] = "waits", [TRACE_WAIT_END] = "waited",
    };
    (void)ctx;
    if (!names[ev->type])
        return;
    note("%s(%u", names[ev->type], ev->rank);
    if (ev->thread)
        note("thread%u", ev->thread);
    note("%s,%g", ev->call ? ev->call : "-", ev->time / US);
    if (ev->cause & TRACE_BY_RANK)
        note("by%u", (unsigned)(ev->cause & ~TRACE_BY_RANK));
    else if (ev->cause)
        note("cause%u", (unsigned)ev->cause);
}
static int trace_end(void *ctx)
{
    (void)ctx;
    return 0;
}

/* A provider whose ranks have threads: an actor's local word is its number. */
static uint32_t thread_of(const void *local)
{
    return (uint32_t)(uintptr_t)local;
}
static const struct rank_life threaded_life = {.run = ranks_main, .thread = thread_of};
static const struct rank_provider threaded = {"threaded", &rank_memory_plain, &threaded_life, &ranks_names,
                                              NULL};

static void open_traced(uint32_t ranks, const struct rank_provider *provider)
{
    stage_prepare(ranks);
    stage.provider = provider;
    trace_attach(&stage.trace, &(struct trace_sink){trace_event, trace_end, NULL, NULL, NULL});
    stage_begin();
    noted[0] = 0;
}

static struct engine_actor *waiter;
static void waits(struct rank *r)
{
    const struct engine_reason why = {.what = "signal"};
    rank_enter("wait");
    waiter = engine_current(r->engine);
    engine_block(r->engine, &why);
    rank_leave(r, "wait");
}
static void wakes(void *arg)
{
    struct rank *r = arg;
    engine_sleep(r->engine, 2 * US);
    engine_wake(r->engine, waiter);
}
static void wakes_by_a_thread(struct rank *r) /* the third actor */
{
    engine_actor_spawn(r->engine, wakes, r, r);
    engine_sleep(r->engine, 3 * US);
}
static void calls_and_waits_are_traced(void **state)
{
    (void)state;
    open_traced(2, NULL);
    assert_true(rank_calls_traced);
    stage.body[0] = waits;
    stage.body[1] = wakes_by_a_thread;
    stage_run(0);
    stage_close();
    NOTES_ARE(" begin(0 -,0 enter(0 wait,0 waits(0 signal,0 begin(1 -,0"
              " waited(0 signal,2 by1 leave(0 wait,2 end(0 -,2 end(1 -,3");
    stage_open(1);
    assert_false(rank_calls_traced);
    stage_close();
}

static void wake_event(struct engine *e, struct engine_event *ev)
{
    (void)ev;
    engine_cause_set(e, 77);
    engine_wake(e, waiter);
    engine_cause_set(e, 0);
}
static struct engine_event wake_at;
static void awaits(struct rank *r)
{
    rank_await_until(r, "known", 3 * US, 5);
    engine_event_init(&wake_at, wake_event);
    engine_event_at(r->engine, &wake_at, 4 * US);
    waits(r);
    /* woken before its own time: it has not waited for that */
    engine_event_init(&wake_at, wake_event);
    engine_event_at(r->engine, &wake_at, 6 * US);
    rank_enter_issue("ahead");
    r->ahead_until = 9 * US;
    const struct engine_reason why = {.what = "signal"};
    engine_block(r->engine, &why);
    CLOCK_IS(6);
    rank_leave(r, "ahead");
}
static void waits_have_causes(void **state)
{
    (void)state;
    open_traced(1, NULL);
    stage.body[0] = awaits;
    stage_run(0);
    stage_close();
    NOTES_ARE(" begin(0 -,0 waits(0 known,0 waited(0 known,3 cause5"
              " enter(0 wait,3 waits(0 signal,3 waited(0 signal,4 cause77 leave(0 wait,4"
              " enter(0 ahead,4 waits(0 signal,9 waited(0 signal,9 leave(0 ahead,9 end(0 -,9");
}

static void second_thread(void *arg)
{
    struct rank *r = arg;
    char where[RANK_WHERE_SIZE];
    rank_leave(rank_enter("there"), "there");
    assert_string_equal(rank_where(where, r), "rank 0, thread 6 (host a) at 0 s");
    rank_await_until(r, "known", stage_now(), 0);
    rank_threads_add(r, -1);
}
static void spawns(struct rank *r)
{
    char where[RANK_WHERE_SIZE];
    struct engine_actor *a = engine_actor_spawn(r->engine, second_thread, r, r);
    engine_actor_set_local(a, (void *)(uintptr_t)5);
    rank_threads_add(r, 1);
    rank_leave(rank_enter("here"), "here");
    assert_string_equal(rank_where(where, r), "rank 0, thread 1 (host a) at 0 s");
    engine_sleep(r->engine, 1 * US);
    assert_string_equal(rank_where(where, r), "rank 0 (host a) at 1.000 us");
}
static void threads_have_numbers(void **state)
{
    (void)state;
    open_traced(1, &threaded);
    stage.body[0] = spawns;
    stage_run(0);
    stage_close();
    NOTES_ARE(" begin(0 -,0 enter(0 here,0 leave(0 here,0 enter(0 thread5 there,0 leave(0 thread5 there,0"
              " waits(0 thread5 known,0 waited(0 thread5 known,0 end(0 -,1");
}

/* --- no rank
 * --------------------------------------------------------------------------------------------- */

static void call_outside(void)
{
    rank_enter("shmem_init");
}
static void helper(void)
{
    static const char text[] = "helped\n";
    assert_int_equal(write(2, text, sizeof text - 1), sizeof text - 1);
}
static void call_with_help(void)
{
    rank_on_stray(helper);
    rank_enter("shmem_init");
}
static void stray_during_a_job(void)
{
    stage_open(1);
    rank_running_job = stage.job;
    rank_on_stray(helper);
    rank_enter("shmem_init");
}
static void calls_outside_of_ranks_are_reported(void **state)
{
    char *text[2];
    (void)state;
    stage_expect_exit(
        call_outside, BASE_EXIT_INPUT,
        "shmem_init was called outside of a simulated rank; start the program with `pgasim run");
    stage_expect_exit(call_with_help, BASE_EXIT_INPUT, "helped\n");
    int status = stage_child(stray_during_a_job, text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == BASE_EXIT_PROGRAM);
    assert_null(strstr(text[1], "helped"));
    expect_in(text[1], "shmem_init was called by a thread that pgasim does not know", __LINE__);
    free(text[0]);
    free(text[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_has_its_own_time),    cmocka_unit_test(each_call_looks_again),
        cmocka_unit_test(calls_and_waits_are_traced), cmocka_unit_test(waits_have_causes),
        cmocka_unit_test(threads_have_numbers),       cmocka_unit_test(calls_outside_of_ranks_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
