/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports: who and where a rank is, errors of its program, overflows, warnings, deadlocks, crashes, and ranks
 * that compute while all others wait.
 */
#include "rank/stage.h"

#include <signal.h>
#include <time.h>

/* A provider with code and threads: an actor's local word is its thread's number; all code is in object 1. */
static struct rank_code caller(const struct rank *r)
{
    (void)r;
    return (struct rank_code){1, 41};
}
static bool code_known = true;
static struct rank_code code_of(const struct rank *r, const void *address)
{
    (void)r;
    return (struct rank_code){address && code_known ? 1 : 0, 6};
}
static void code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    snprintf(out->function, sizeof out->function, "mesh_%u", r->id);
    snprintf(out->file, sizeof out->file, "/home/me/mesh.c");
    out->line = c.offset;
    out->object = "/home/me/mesh";
    out->offset = c.offset;
}
static uint32_t thread_of(const void *local)
{
    return (uint32_t)(uintptr_t)local;
}
static const struct rank_names names = {
    ranks_span_count, ranks_span_of, ranks_object_find, ranks_static_name, code_of, ranks_code_of_low, caller,
    code_source,      NULL};
static const struct rank_life life = {.run = ranks_main, .thread = thread_of};
static const struct rank_provider named = {"named", &rank_memory_plain, &life, &names, NULL};

static void open_named(uint32_t ranks)
{
    stage_prepare(ranks);
    stage.provider = &named;
    stage_begin();
}

/* --- errors of the program ------------------------------------------------------------------------------ */

static void errs(struct rank *r)
{
    char where[RANK_WHERE_SIZE];
    assert_string_equal(rank_where(where, rank_at(r->job, 0)), "rank 0 (host a) at 0 s");
    r->ahead_until = 3 * US;
    assert_string_equal(rank_where(where, r), "rank 1 (host b) at 3.000 us"); /* its own time */
    rank_program_error(r, "shmem_put", "%d is %s", 5, "wrong");
}
static bool went_on;
static void goes_on(struct rank *r)
{
    engine_sleep(r->engine, 10 * US);
    went_on = true;
}
static void an_error_names_rank_time_call_and_caller(void **state)
{
    static const char text[] = "pgasim: error: rank 1 (host b) at 3.000 us: shmem_put: 5 is wrong\n";
    (void)state;
    went_on = false;
    stage_open(2);
    stage.body[1] = errs;
    stage.body[0] = goes_on;
    stage_run(BASE_EXIT_PROGRAM);
    assert_string_equal(stage.report, text);
    stage_close();
    open_named(2);
    stage.body[1] = errs;
    stage_run(BASE_EXIT_PROGRAM);
    assert_string_equal(stage.report, "pgasim: error: rank 1 (host b) at 3.000 us: shmem_put: 5 is wrong\n"
                                      "pgasim:   called in mesh_1, mesh.c:41\n");
    stage_close();
    assert_false(went_on);
}

/* Found in an event, on the stack of whoever waits: nobody called it there. */
static void error_event(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    rank_program_error(rank_at(stage.job, 0), "shmem_collect", "too long");
}
static void run_error_event(void)
{
    static struct engine_event event;
    open_named(2);
    engine_event_init(&event, error_event);
    engine_event_at(stage.engine, &event, 2 * US);
    stage.body[0] = goes_on;
    rank_job_run(stage.job);
}
static void an_error_in_an_event_has_no_caller(void **state)
{
    char *text[2];
    (void)state;
    int status = stage_child(run_error_event, text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == BASE_EXIT_PROGRAM);
    assert_string_equal(text[1], "pgasim: error: rank 0 (host a) at 2.000 us: shmem_collect: too long\n");
    free(text[0]);
    free(text[1]);
}

static void reports_overflow(struct rank *r)
{
    rank_report_overflow(r, ", in f");
}
static void an_overflow_names_the_stack(void **state)
{
    (void)state;
    stage_open(1);
    stage.body[0] = reports_overflow;
    stage_run(0);
    assert_string_equal(stage.report,
                        "pgasim: error: rank 0 (host a) at 0 s: stack overflow: its stack of 128.0 KiB "
                        "is full, in f; raise it with --stack-size\n");
    stage_close();
}

__attribute__((no_sanitize("address"))) static void leaves_its_stack(struct rank *r)
{
    void *low;
    size_t size;
    assert_true(engine_actor_stack(r->engine, r->actor, &low, &size));
    ((volatile uint64_t *)low)[-1] = 1; /* as a frame that is too large would */
}
static void run_overflow(void)
{
    stage_open(2);
    stage.body[0] = goes_on;
    stage.body[1] = leaves_its_stack; /* the first one has a guard page below it */
    rank_job_run(stage.job);
}
static void an_overflow_ends_the_process(void **state)
{
    (void)state;
    stage_expect_exit(run_overflow, 128 + SIGSEGV,
                      "rank 1 (host b) at 0 s: stack overflow: its stack of 128.0 KiB is full; raise");
}

/* --- warnings ------------------------------------------------------------------------------------------- */

static void warning_event(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    base_warn("misuse/of-an-event", "%s", "late");
}
static struct engine_event event;
static void warns(struct rank *r)
{
    base_warn("misuse/of-a-rank", "%s", "wrong");
    engine_event_init(&event, warning_event);
    engine_event_at(r->engine, &event, 2 * US);
    engine_sleep(r->engine, 3 * US);
    went_on = true;
}
static void warnings_say_where(void **state)
{
    (void)state;
    went_on = false;
    open_named(1);
    rank_warnings_begin(false, false);
    stage.body[0] = warns;
    stage_run(0);
    REPORT_HAS("rank 0 (host a) at 0 s: wrong");
    REPORT_HAS("called in mesh_0, mesh.c:41");
    REPORT_HAS("at 2.000 us: late");
    assert_null(strstr(stage.report, "rank 0 (host a) at 2.000 us"));
    assert_true(went_on);
    stage_close();
}
static void warns_again(struct rank *r)
{
    base_warn("misuse/when-strict", "%s", "wrong");
    engine_sleep(r->engine, 3 * US);
    fail_msg("not strict");
}
static void strict_ends_the_job(void **state)
{
    (void)state;
    open_named(1);
    rank_warnings_begin(true, false);
    stage.body[0] = warns_again;
    stage_run(BASE_EXIT_PROGRAM);
    REPORT_HAS("error: rank 0 (host a) at 0 s: wrong");
    stage_close();
    rank_warnings_begin(false, false);
}

/* --- deadlocks ------------------------------------------------------------------------------------------ */

static void describe(const void *arg, char *buf, size_t size)
{
    snprintf(buf, size, "at %s", (const char *)arg);
}
static void waits(struct rank *r)
{
    static const struct engine_reason why = {"wait_until", describe, "grid+8"};
    engine_block(r->engine, &why);
}
static void second_thread(void *arg)
{
    waits(arg);
}
static void waits_in_two_threads(struct rank *r)
{
    struct engine_actor *a = engine_actor_spawn(r->engine, second_thread, r, r);
    engine_actor_set_local(a, (void *)(uintptr_t)5);
    rank_threads_add(r, 1);
    engine_sleep(r->engine, 1 * US);
    waits(r);
}
/* Its other thread has ended: reports need no thread's number. */
static void waits_in_the_last_thread(struct rank *r)
{
    engine_actor_set_local(engine_current(r->engine), (void *)(uintptr_t)5);
    rank_threads_add(r, 1);
    rank_threads_add(r, -1);
    waits(r);
}
static void a_deadlock_names_ranks_and_threads(void **state)
{
    (void)state;
    open_named(3);
    stage.body[0] = stage.body[1] = waits;
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS(
        "pgasim: error: deadlock at 0 s of simulated time: 2 of 3 ranks wait and nothing is left that could "
        "wake them\n");
    REPORT_HAS("wait_until: 2 ranks: 0-1\n");
    REPORT_HAS("rank 0 since 0 s: at grid+8\n");
    stage_close();
    open_named(3);
    stage.body[1] = waits_in_two_threads;
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS("1 of 3 ranks wait");
    REPORT_HAS("rank 1, thread 6 since 0 s: at grid+8\n");
    REPORT_HAS("rank 1 since 1.000 us: at grid+8\n");
    stage_close();
    open_named(3);
    stage.body[1] = waits_in_the_last_thread;
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS("wait_until: 1 rank: 1\n    rank 1 since 0 s: at grid+8\n");
    stage_close();
}

static bool speaks(const struct rank *r)
{
    return r->id != 1;
}
static void says(struct rank *r, char *text, size_t size)
{
    assert_ptr_equal(r, rank_current);
    if (r->id == 3)
        rank_enter("query");
    snprintf(text, size, r->id ? "" : "one\n\x1btwo");
}
static void what_ranks_say_is_in_it(void **state)
{
    static const struct rank_life talks = {.run = ranks_main, .says = says, .speaks = speaks};
    static const struct rank_provider talking = {"talking", &rank_memory_plain, &talks, &ranks_names, NULL};
    (void)state;
    stage_prepare(5);
    stage.provider = &talking;
    stage_begin();
    for (int k = 0; k < 4; k++)
        stage.body[k] = k == 2 ? waits_in_two_threads : waits;
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS(
        "\n  what rank 0 says:\n    one\n    ?two\n  what rank 3 says:\n    (it ends here: it calls query, "
        "and may not make calls)\n");
    stage_close();
}

/* --- crashes -------------------------------------------------------------------------------------------- */

static bool explain_never(struct rank_fault *fault, char *buf, size_t size)
{
    assert_non_null(fault);
    (void)buf, (void)size;
    note("never");
    return false;
}
static bool explain_when_told;
static bool explain_sometimes(struct rank_fault *fault, char *buf, size_t size)
{
    assert_non_null(fault);
    note("sometimes");
    snprintf(buf, size, "because");
    return explain_when_told;
}
static bool explain_always(struct rank_fault *fault, char *buf, size_t size)
{
    assert_non_null(fault);
    note("always");
    snprintf(buf, size, "therefore");
    return true;
}
static void the_first_explanation_counts(void **state)
{
    char text[32] = "";
    struct rank_fault fault = {0};
    (void)state;
    assert_false(rank_crash_explain(&fault, text, sizeof text));
    rank_on_crash(explain_never);
    rank_on_crash(explain_never); /* once is enough */
    assert_false(rank_crash_explain(&fault, text, sizeof text));
    rank_on_crash(explain_sometimes);
    rank_on_crash(explain_always);
    noted[0] = 0;
    assert_true(rank_crash_explain(&fault, text, sizeof text));
    assert_string_equal(text, "therefore");
    NOTES_ARE(" never sometimes always");
    explain_when_told = true;
    assert_true(rank_crash_explain(&fault, text, sizeof text));
    assert_string_equal(text, "because");
    NOTES_ARE(" never sometimes");
}

static uintptr_t crashed_at;
static sigjmp_buf back;
static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    crashed_at = rank_program_counter(context);
    siglongjmp(back, 1);
}
__attribute__((noinline)) static void crash(void)
{
    __builtin_trap();
}
static void the_program_counter_is_where_it_crashed(void **state)
{
    static const int signals[] = {SIGILL, SIGTRAP}; /* of a trap */
    struct sigaction sa = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO}, old[2];
    (void)state;
    for (int k = 0; k < 2; k++)
        sigaction(signals[k], &sa, &old[k]);
    if (!sigsetjmp(back, 1))
        crash();
    for (int k = 0; k < 2; k++)
        sigaction(signals[k], &old[k], NULL);
    assert_in_range(crashed_at, (uintptr_t)crash, (uintptr_t)crash + 64);
}

/* --- who computes while all others wait
 * ------------------------------------------------------------------ */

static char stall_text[1024];
static uint64_t stalls;
static void find_stall(void *arg, const char *key, const char *text, uint64_t n)
{
    (void)arg;
    if (strcmp(key, "stall") != 0)
        return;
    snprintf(stall_text, sizeof stall_text, "%s", text);
    stalls = n;
}
static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static bool watched;
static double patience, computed; /* CPU seconds */
static struct engine_actor *waiter;
static bool is_watched(void)
{
    struct sigaction handler;
    assert_int_equal(sigaction(SIGRTMAX - 3, NULL, &handler), 0);
    return handler.sa_flags & SA_SIGINFO;
}
static void computes(struct rank *r)
{
    double since = cpu_now();
    assert_int_equal(is_watched(), watched);
    uint64_t before = stalls;
    while (cpu_now() < since + patience && stalls == before)
        base_warnings_each(find_stall, NULL);
    computed = cpu_now() - since;
    engine_wake(r->engine, waiter);
}
static void waits_for_that(struct rank *r)
{
    static const struct engine_reason why = {"wait_until", NULL, NULL};
    waiter = r->actor;
    engine_block(r->engine, &why);
}
/* Rank 0 waits for rank 1; the others have not begun then. */
static void run_stall(const char *after, double seconds, uint32_t ranks)
{
    stage_prepare(ranks);
    stage.provider = &named;
    ranks_setting(&stage, "fold/stall-after", after);
    stage_begin();
    patience = seconds;
    watched = strcmp(after, "0") != 0;
    stage.body[0] = waits_for_that;
    stage.body[1] = computes;
    stage_run(0);
    assert_false(is_watched()); /* after the run nobody is */
    stage_close();
}
static void a_rank_that_never_calls_is_warned_of(void **state)
{
    (void)state;
    run_stall("0", 0.15, 2);
    assert_string_equal(stall_text, "");
    code_known = false; /* its own code is safe to interrupt, no other */
    run_stall("50ms", 0.15, 2);
    assert_string_equal(stall_text, "");
    code_known = true;
    run_stall("200ms", 20, 2);
    assert_true(computed >= 0.19);
    expect_in(stall_text, "rank 1 (host b) at 0 s has computed for 0.", __LINE__);
    expect_in(stall_text, "without a call, in mesh_1, mesh.c:7, while all others wait", __LINE__);
}
/* With more than two ranks, some were never resumed when the warning is due: they are ready, not blocked. */
static void it_is_warned_of_before_others_have_begun(void **state)
{
    (void)state;
    static const uint32_t ranks[] = {2, 3, 64};
    for (size_t k = 0; k < BASE_LENGTH(ranks); k++) {
        uint64_t before = stalls;
        run_stall("50ms", 20, ranks[k]);
        assert_int_equal(stalls, before + 1);
    }
}

static void lists_are_short(void **state)
{
    static const uint32_t pair[][2] = {{3, 0}, {0, 1}, {1, 1}, {2, 1}, {7, 1}},
                          odd[] = {1, 3, 5, 7, 9, 11, 13, 15, 17};
    char buf[100], little[8];
    (void)state;
    assert_string_equal(rank_list(pair[0], sizeof *pair, 1, buf, sizeof buf), "rank 3");
    assert_string_equal(rank_list(pair[1], sizeof *pair, 4, buf, sizeof buf), "ranks 0-2, 7");
    assert_string_equal(rank_list(odd, sizeof *odd, 8, buf, sizeof buf), "ranks 1, 3, 5, 7, 9, 11, 13, 15");
    assert_string_equal(rank_list(odd, sizeof *odd, 9, buf, sizeof buf),
                        "ranks 1, 3, 5, 7, 9, 11, 13, 15, ...");
    assert_string_equal(rank_list(odd, sizeof *odd, 9, little, sizeof little), "ranks 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_short),
        cmocka_unit_test(an_error_names_rank_time_call_and_caller),
        cmocka_unit_test(an_error_in_an_event_has_no_caller),
        cmocka_unit_test(an_overflow_names_the_stack),
        cmocka_unit_test(an_overflow_ends_the_process),
        cmocka_unit_test(warnings_say_where),
        cmocka_unit_test(strict_ends_the_job),
        cmocka_unit_test(a_deadlock_names_ranks_and_threads),
        cmocka_unit_test(what_ranks_say_is_in_it),
        cmocka_unit_test(the_first_explanation_counts),
        cmocka_unit_test(the_program_counter_is_where_it_crashed),
        cmocka_unit_test(a_rank_that_never_calls_is_warned_of),
        cmocka_unit_test(it_is_warned_of_before_others_have_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
