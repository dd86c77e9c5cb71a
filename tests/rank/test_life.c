/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job's and a rank's life: who is told in which order, what becomes of exit statuses, several providers in
 * one job, what happens at switches.
 */
#include "rank/stage.h"

/* --- fronts and a provider that needs everything --------------------------------------------------- */

#define FRONT(name)                                                                                          \
    static void name##_begin(struct rank_job *job)                                                           \
    {                                                                                                        \
        assert_ptr_equal(job, stage.job);                                                                    \
        note(#name ".begin");                                                                                \
    }                                                                                                        \
    static void name##_end(struct rank_job *job)                                                             \
    {                                                                                                        \
        assert_ptr_equal(job, stage.job);                                                                    \
        note(#name ".end");                                                                                  \
    }                                                                                                        \
    static void name##_exit(struct rank *r, int code)                                                        \
    {                                                                                                        \
        note(#name ".exit(%u,%d)", r->id, code);                                                             \
    }
FRONT(first)
FRONT(second)
static const struct rank_front first = {"first", first_begin, first_end, first_exit},
                               nothing = {"nothing", NULL, NULL, NULL},
                               second = {"second", second_begin, second_end, second_exit};

static int register_fronts(void **state)
{
    (void)state;
    rank_front_register(&first);
    rank_front_register(&nothing);
    rank_front_register(&second);
    rank_front_register(&first); /* once is enough */
    return 0;
}

static void life_job_begin(struct rank_job *job)
{
    assert_ptr_equal(rank_running_job, job);
    note("job_begin");
}
static void life_run(struct rank *r)
{
    assert_ptr_equal(rank_current, r);
    note("run(%u)", r->id);
    ranks_main(r);
}
static void life_claim_end(struct rank *r)
{
    note("claim_end(%u)", r->id);
}
static int leave_adds;
static int life_leave(struct rank *r, int code)
{
    note("leave(%u,%d)", r->id, code);
    return code + leave_adds;
}
static void life_close(struct rank *r)
{
    note("close(%u)", r->id);
}
static void life_release(struct rank *r)
{
    assert_true(r->ended);
    note("release(%u)", r->id);
}
static void life_job_end(struct rank_job *job)
{
    assert_ptr_equal(rank_running_job, job);
    note("job_end");
}
static void life_job_destroy(struct rank_job *job)
{
    (void)job;
    note("job_destroy");
}
static const struct rank_life life = {
    .job_begin = life_job_begin,
    .run = life_run,
    .claim_end = life_claim_end,
    .leave = life_leave,
    .close = life_close,
    .release = life_release,
    .job_end = life_job_end,
    .job_destroy = life_job_destroy,
};
static const struct rank_provider provider = {"test", &rank_memory_plain, &life, NULL, NULL};

static void open_noted(uint32_t ranks)
{
    stage_prepare(ranks);
    stage.provider = &provider;
    stage_begin();
    noted[0] = 0;
    leave_adds = 0;
}

static void all_are_told_in_order(void **state)
{
    (void)state;
    open_noted(2);
    assert_null(rank_running_job);
    stage_run(0);
    assert_null(rank_running_job);
    assert_null(rank_current);
    assert_int_equal(rank_at(stage.job, 1)->threads, 0);
    NOTES_ARE(" job_begin first.begin second.begin"
              " run(0) claim_end(0) leave(0,0) second.exit(0,0) first.exit(0,0) close(0) release(0)"
              " run(1) claim_end(1) leave(1,0) second.exit(1,0) first.exit(1,0) close(1) release(1)"
              " job_end second.end first.end");
    stage_close();
    NOTES_ARE(" job_destroy");
}

static void exits_with_3(struct rank *r)
{
    (void)r;
    rank_exit(3);
}
static void statuses_go_through_leave(void **state)
{
    (void)state;
    open_noted(1);
    stage.body[0] = exits_with_3;
    leave_adds = 4;
    stage_run(7);
    NOTES_ARE(" job_begin first.begin second.begin"
              " run(0) claim_end(0) leave(0,3) second.exit(0,7) first.exit(0,7) close(0)"
              " job_end second.end first.end"); /* the job ends before the rank is released */
    stage_close();
    noted[0] = 0;
}

/* An exit handler that calls exit: the rest of the end follows, with the new status, and once. */
static int exit_again(struct rank *r, int code)
{
    note("leave(%u,%d)", r->id, code);
    r->left_in_order = true;
    rank_exit(9);
}
static void exit_in_an_exit_handler_goes_on(void **state)
{
    struct rank_life again = life;
    struct rank_provider p = provider;
    (void)state;
    again.leave = exit_again;
    p.life = &again;
    stage_prepare(1);
    stage.provider = &p;
    stage_begin();
    noted[0] = 0;
    stage_run(9);
    NOTES_ARE(" job_begin first.begin second.begin"
              " run(0) claim_end(0) leave(0,0) claim_end(0) release(0)"
              " job_end second.end first.end");
    stage_close();
    noted[0] = 0;
}

/* --- statuses --------------------------------------------------------------------------------------- */

static bool others_ended;
static void goes_on(struct rank *r)
{
    engine_sleep(r->engine, 10 * US);
    others_ended = true;
}

/* Rank 0 does this; rank 1 sleeps. The job ends with `status`, and if `at_once` before rank 1 does. */
static void expect_status(ranks_body_fn body, int status, bool at_once, const char *report)
{
    stage_open(2);
    others_ended = false;
    stage.body[0] = body;
    stage.body[1] = goes_on;
    stage_run(status);
    assert_int_equal(others_ended, !at_once);
    assert_string_equal(stage.report, report);
    stage_close();
}

static const char ended_3[] = "pgasim: error: rank 0 (host a) at 0 s ended with exit status 3\n";

static void opens_and_exits(struct rank *r)
{
    rank_api_opened(r);
    rank_exit(3);
}
static void closes_and_exits(struct rank *r)
{
    rank_api_opened(r);
    assert_false(r->left_in_order);
    rank_api_closed(r);
    assert_true(r->left_in_order);
    rank_exit(3);
}
static void closes_one_of_two(struct rank *r)
{
    rank_api_opened(r);
    rank_api_opened(r);
    rank_api_closed(r);
    rank_exit(3);
}
static void closes_two_of_two(struct rank *r)
{
    rank_api_opened(r);
    rank_api_opened(r);
    rank_api_closed(r);
    rank_api_closed(r);
    rank_exit(3);
}
static void opens_again(struct rank *r)
{
    rank_api_opened(r);
    rank_api_closed(r);
    rank_api_opened(r);
    rank_exit(3);
}
static void exits_with_256(struct rank *r)
{
    (void)r;
    rank_exit(256);
}
static void exits_with_259(struct rank *r)
{
    (void)r;
    rank_exit(256 + 3);
}
static void only_who_left_in_order_leaves_the_others_alone(void **state)
{
    (void)state;
    expect_status(exits_with_3, 3, true, ended_3);
    expect_status(opens_and_exits, 3, true, ended_3);
    expect_status(closes_and_exits, 3, false, ended_3);
    expect_status(closes_one_of_two, 3, true, ended_3);
    expect_status(closes_two_of_two, 3, false, ended_3);
    expect_status(opens_again, 3, true, ended_3);
    expect_status(exits_with_256, 0, false, "");
    expect_status(exits_with_259, 3, true, ended_3);
    noted[0] = 0;
}

static void leaves_with_its_number(struct rank *r)
{
    rank_api_opened(r);
    rank_api_closed(r);
    engine_sleep(r->engine, (4 - r->id) * US);
    rank_exit((int)r->id);
}
static void the_first_status_is_the_jobs(void **state)
{
    (void)state;
    stage_open(4);
    stage.all = leaves_with_its_number;
    stage_run(3);
    assert_string_equal(stage.report,
                        "pgasim: error: rank 3 (host b) at 1.000 us ended with exit status 3\n");
    stage_close();
    noted[0] = 0;
}

static void stops_the_job(struct rank *r)
{
    rank_job_exit(r->job, 42);
}
static void a_rank_may_end_the_job(void **state)
{
    (void)state;
    expect_status(stops_the_job, 42, true, "");
    noted[0] = 0;
}
static void exit_on_the_main_stack(void)
{
    stage_open(1);
    rank_job_exit(stage.job, 42);
}
static void outside_of_ranks_that_is_the_end_of_the_process(void **state)
{
    (void)state;
    stage_expect_exit(exit_on_the_main_stack, 42, "");
}

/* A rank that is ahead of the clock ends when its own time has come. */
static void is_ahead(struct rank *r)
{
    r->ahead_until = 5 * US;
}
static double exit_clock;
static void note_clock(struct rank *r, int code)
{
    (void)r, (void)code;
    exit_clock = stage_now();
}
static void a_rank_ends_at_its_own_time(void **state)
{
    static const struct rank_front clock = {"clock", NULL, NULL, note_clock};
    (void)state;
    rank_front_register(&clock);
    stage_open(1);
    stage.body[0] = is_ahead;
    stage_run(0);
    time_is(exit_clock, 5, __LINE__);
    CLOCK_IS(5);
    stage_close();
    noted[0] = 0;
}

/* --- two providers ------------------------------------------------------------------------------------ */

static void other_run(struct rank *r)
{
    note("other(%u)", r->id);
}
static void other_begin(struct rank_job *job)
{
    (void)job;
    note("other_begin");
}
static void other_destroy(struct rank_job *job)
{
    (void)job;
    note("other_destroy");
}
static void two_providers_in_one_job(void **state)
{
    static const struct rank_life other_life = {
        .run = other_run, .job_begin = other_begin, .job_destroy = other_destroy};
    static const struct rank_provider other = {"other", &ranks_memory, &other_life, NULL, NULL};
    (void)state;
    open_noted(4);
    rank_job_supply(stage.job, &other, 1, 1);
    rank_job_supply(stage.job, &other, 2, 1);
    for (uint32_t k = 0; k < 4; k++) {
        bool others = k == 1 || k == 2;
        assert_ptr_equal(rank_at(stage.job, k)->provider, others ? &other : &provider);
        assert_ptr_equal(rank_at(stage.job, k)->memory, others ? &ranks_memory : &rank_memory_plain);
    }
    stage_run(0);
    NOTES_ARE(" job_begin other_begin first.begin second.begin"
              " run(0) claim_end(0) leave(0,0) second.exit(0,0) first.exit(0,0) close(0) release(0)"
              " other(1) second.exit(1,0) first.exit(1,0)"
              " other(2) second.exit(2,0) first.exit(2,0)"
              " run(3) claim_end(3) leave(3,0) second.exit(3,0) first.exit(3,0) close(3) release(3)"
              " job_end second.end first.end");
    stage_close();
    NOTES_ARE(" job_destroy other_destroy");
}

/* --- switches ------------------------------------------------------------------------------------------ */

static int number(const struct rank *r)
{
    return r ? (int)r->id : -1;
}
static void on_switch(void *ctx, struct rank *from, struct rank *to, struct engine_actor *to_actor)
{
    assert_ptr_equal(rank_current, from); /* not yet exchanged */
    assert_true(to_actor ? engine_actor_owner(to_actor) == to : !to);
    note("%s%d>%d", (const char *)ctx, number(from), number(to));
}
static void thread(void *arg)
{
    struct rank *r = arg;
    assert_ptr_equal(rank_current, r);
    engine_sleep(r->engine, 2 * US);
}
static void with_a_thread(struct rank *r)
{
    engine_actor_spawn(r->engine, thread, r, r);
    engine_sleep(r->engine, 1 * US);
    assert_ptr_equal(rank_current, r);
}
static void switches_are_told_in_order(void **state)
{
    static char a[] = "a", b[] = "b";
    (void)state;
    stage_open(2);
    rank_on_switch(stage.job, on_switch, a);
    rank_on_switch(stage.job, on_switch, b);
    stage.body[1] = with_a_thread;
    stage_run(0);
    stage_close();
    NOTES_ARE(" first.begin second.begin a-1>0 b-1>0 second.exit(0,0) first.exit(0,0) a0>1 b0>1"
              " a1>1 b1>1 a1>1 b1>1 second.exit(1,0) first.exit(1,0) a1>1 b1>1 a1>-1 b1>-1"
              " second.end first.end"); /* rank 1, its thread, rank 1 until it ends, its thread */
}

/* --- what a job knows
 * ------------------------------------------------------------------------------------ */

static void counts_hosts_and_threads(void **state)
{
    (void)state;
    stage_open(3);
    assert_int_equal(rank_counts(stage.job).hosts_used, 2);
    assert_int_equal(rank_counts(stage.job).ahead, 0);
    assert_int_equal(rank_host_share(rank_at(stage.job, 0)), 2);
    assert_int_equal(rank_host_share(rank_at(stage.job, 1)), 1);
    assert_int_equal(rank_count(stage.job), 3);
    assert_int_equal(rank_at(stage.job, 2)->threads, 1);
    rank_threads_add(rank_at(stage.job, 2), 2);
    assert_int_equal(rank_at(stage.job, 2)->threads, 3);
    stage_close();
    stage_open(1);
    assert_int_equal(rank_counts(stage.job).hosts_used, 1);
    stage_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_told_in_order),
        cmocka_unit_test(statuses_go_through_leave),
        cmocka_unit_test(exit_in_an_exit_handler_goes_on),
        cmocka_unit_test(only_who_left_in_order_leaves_the_others_alone),
        cmocka_unit_test(the_first_status_is_the_jobs),
        cmocka_unit_test(a_rank_may_end_the_job),
        cmocka_unit_test(outside_of_ranks_that_is_the_end_of_the_process),
        cmocka_unit_test(a_rank_ends_at_its_own_time),
        cmocka_unit_test(two_providers_in_one_job),
        cmocka_unit_test(switches_are_told_in_order),
        cmocka_unit_test(counts_hosts_and_threads),
    };
    return cmocka_run_group_tests(tests, register_fronts, NULL);
}
