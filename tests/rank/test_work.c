/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work that is left for a rank: done on its actor while it waits in a call or when it enters one, not while it
 * computes; in order; in its own time; and a wait that it interrupts ends when it would have ended.
 */
#include "rank/stage.h"

/* --- work that notes when it is done ---------------------------------------------------------------- */

struct job {
    struct rank_work work;
    struct rank *rank;
    char name;
    double flops;      /* computed by code of the program */
    struct job *posts; /* another one, NULL: none */
};

static double done_at[128];

static void program(void *arg)
{
    const struct job *j = arg;
    assert_ptr_equal(rank_current, j->rank);
    if (j->flops > 0)
        rank_execute(j->rank, j->flops);
}

static void work(struct rank *r, struct rank_work *w)
{
    struct job *j = BASE_CONTAINER(w, struct job, work);
    assert_ptr_equal(j->rank, r);
    assert_ptr_equal(rank_current, r);
    assert_ptr_equal(engine_actor_owner(engine_current(r->engine)), r);
    note("%c", j->name);
    if (j->posts)
        rank_work_post(j->posts->rank, &j->posts->work);
    rank_call_back(r, program, j);
    note("%c.", j->name);
    done_at[(int)j->name] = stage_now();
}

static void post(struct job *j, uint32_t rank)
{
    j->rank = rank_at(stage.job, rank);
    j->work.fn = work;
    rank_work_post(j->rank, &j->work);
}

/* --- waits ------------------------------------------------------------------------------------------ */

static struct engine_actor *waiting;
static double waited[2];

static void wait_once(struct rank *r)
{
    static const struct engine_reason why = {"a wait", NULL, NULL};
    rank_enter("wait");
    waiting = engine_current(r->engine);
    engine_block(r->engine, &why);
    waited[r->id] = stage_now();
    rank_leave(r, "wait");
}
static void wake(double us)
{
    engine_sleep_until(stage.engine, us * US);
    engine_wake(stage.engine, waiting);
}

static struct job a = {.name = 'a'}, b = {.name = 'b'}, c = {.name = 'c'};

static void prepare(void)
{
    a = (struct job){.name = 'a'};
    b = (struct job){.name = 'b'};
    c = (struct job){.name = 'c'};
    noted[0] = 0;
    memset(done_at, 0, sizeof done_at);
    waited[0] = waited[1] = 0;
}

/* Two units of work of 2 us within a wait from 0 to 10 us. */
static void posts_two_and_wakes_later(struct rank *r)
{
    (void)r;
    a.flops = b.flops = 2000;
    engine_sleep_until(stage.engine, 3 * US);
    post(&a, 0);
    post(&b, 0);
    wake(10);
}
static void a_wait_goes_on_after_the_work(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        prepare();
        stage_prepare(2);
        ranks_setting(&stage, "fold/stacks", shared ? "shared" : "own");
        stage_begin();
        stage.body[0] = wait_once;
        stage.body[1] = posts_two_and_wakes_later;
        stage_run(0);
        NOTES_ARE(" a a. b b.");
        time_is(done_at['a'], 5, __LINE__);
        time_is(done_at['b'], 7, __LINE__);
        time_is(waited[0], 10, __LINE__);
        stage_close();
    }
}

/* The wait's end comes in the middle of the work. */
static void wakes_while_it_works(struct rank *r)
{
    (void)r;
    a.flops = 2000;
    engine_sleep_until(stage.engine, 3 * US);
    post(&a, 0);
    wake(4);
}
/* At the same instant as the work, before the rank has begun with it. */
static void wakes_before_it_works(struct rank *r)
{
    (void)r;
    a.flops = 2000;
    engine_sleep_until(stage.engine, 3 * US);
    post(&a, 0);
    engine_wake(stage.engine, waiting);
}
static void a_wait_that_ends_meanwhile_ends_after_the_work(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        prepare();
        stage_open(2);
        stage.body[0] = wait_once;
        stage.body[1] = k ? wakes_before_it_works : wakes_while_it_works;
        stage_run(0);
        NOTES_ARE(" a a.");
        time_is(done_at['a'], 5, __LINE__);
        time_is(waited[0], 5, __LINE__);
        stage_close();
    }
}

/* Three ranks share two cores, so the work's computation is an activity whose end wakes its actor; the wait's
 * wake-up must not be taken for it, nor it for the wait's. */
static void computes(struct rank *r)
{
    rank_execute(r, 12000);
}
static void work_that_shares_a_core_is_not_cut_short(void **state)
{
    (void)state;
    prepare();
    stage_open(6);
    stage.body[0] = wait_once;
    stage.body[1] = wakes_while_it_works;
    stage.body[2] = stage.body[4] = computes;
    stage_run(0);
    NOTES_ARE(" a a.");
    assert_true(done_at['a'] > 5 * US && done_at['a'] < 6.1 * US);
    assert_memory_equal(&done_at['a'], &waited[0], sizeof waited[0]);
    stage_close();
}

/* --- computation -------------------------------------------------------------------------------------- */

static void computes_then_calls(struct rank *r)
{
    rank_enter_plain("annotation");
    rank_execute(r, 10000);
    rank_leave(r, "annotation");
    NOTES_ARE("");
    rank_enter_issue("put");
    NOTES_ARE(" a a.");
    CLOCK_IS(12);
    rank_leave(r, "put");
}
static void posts_at_3(struct rank *r)
{
    (void)r;
    a.flops = 2000;
    engine_sleep_until(stage.engine, 3 * US);
    post(&a, 0);
}
static void work_waits_for_the_next_call_of_a_rank_that_computes(void **state)
{
    (void)state;
    for (uint32_t ranks = 2; ranks <= 6; ranks += 4) { /* on a core of its own, and on two for three */
        prepare();
        stage_open(ranks);
        stage.body[0] = computes_then_calls;
        stage.body[1] = posts_at_3;
        stage_run(0);
        stage_close();
    }
}

/* A rank that is ahead of the clock does the work at its own time. */
static void is_ahead_and_waits(struct rank *r)
{
    rank_enter_issue("put");
    rank_spend(r, 4 * US);
    rank_leave(r, "put");
    OWN_IS(r, 4);
    wait_once(r);
    rank_enter_issue("put");
    rank_spend(r, 1 * US);
    rank_leave(r, "put");
}
static void issues_and_calls(struct rank *r)
{
    rank_enter_issue("put");
    rank_spend(r, 4 * US);
    rank_leave(r, "put");
    post(&a, r->id);
    rank_enter_issue("put");
    OWN_IS(r, 6);
    CLOCK_IS(6);
    rank_spend(r, 1 * US);
    OWN_IS(r, 7);
    CLOCK_IS(6); /* it may still issue ahead */
    rank_leave(r, "put");
}
static void work_is_done_at_the_ranks_own_time(void **state)
{
    (void)state;
    prepare();
    a.flops = 2000;
    stage_open(2);
    stage.body[0] = issues_and_calls;
    stage_run(0);
    time_is(done_at['a'], 6, __LINE__);
    NOTES_ARE(" a a.");
    stage_close();
    prepare();
    stage_open(2);
    stage.body[0] = is_ahead_and_waits;
    stage.body[1] = posts_two_and_wakes_later;
    stage_run(0);
    NOTES_ARE(" a a. b b.");
    stage_close();
}

/* --- from within ---------------------------------------------------------------------------------------- */

/* Posted by the rank itself, in a call that then waits; and from within other work. */
static void posts_and_waits(struct rank *r)
{
    rank_enter("call");
    a.posts = &c;
    c.rank = r;
    c.work.fn = work;
    a.flops = 1000;
    post(&a, r->id);
    post(&b, r->id);
    NOTES_ARE("");
    rank_leave(r, "call");
    wait_once(r);
}
static void wakes_at_10(struct rank *r)
{
    (void)r;
    wake(10);
}
static void work_posted_within_a_call_is_done_before_it_waits(void **state)
{
    (void)state;
    prepare();
    stage_open(2);
    stage.body[0] = posts_and_waits;
    stage.body[1] = wakes_at_10;
    stage_run(0);
    NOTES_ARE(" a a. b b. c c.");
    time_is(done_at['a'], 1, __LINE__);
    time_is(waited[0], 10, __LINE__);
    stage_close();
}

/* --- threads ------------------------------------------------------------------------------------------- */

static void second_thread(void *arg)
{
    struct rank *r = arg;
    wait_once(r);
    rank_threads_add(r, -1);
}
static void computes_beside_a_thread(struct rank *r)
{
    engine_actor_spawn(r->engine, second_thread, r, r);
    rank_threads_add(r, 1);
    rank_execute(r, 20000);
    NOTES_ARE(" a a. b b.");
}
static void another_thread_that_waits_does_it(void **state)
{
    (void)state;
    prepare();
    stage_open(2);
    stage.body[0] = computes_beside_a_thread;
    stage.body[1] = posts_two_and_wakes_later;
    stage_run(0);
    time_is(waited[0], 10, __LINE__);
    stage_close();
}

/* --- ends ---------------------------------------------------------------------------------------------- */

static void posts_to_the_dead(struct rank *r)
{
    engine_sleep_until(r->engine, 3 * US);
    post(&a, 0);
    wait_once(r);
}
static void work_for_an_ended_rank_is_dropped(void **state)
{
    (void)state;
    prepare();
    stage_open(2);
    stage.body[1] = posts_to_the_dead;
    stage_run(BASE_EXIT_DEADLOCK);
    NOTES_ARE("");
    REPORT_HAS("a wait");
    stage_close();
}

/* A rank that is blocked for good has done its work all the same, and is reported where it waits. */
static void never_woken(void **state)
{
    (void)state;
    prepare();
    stage_open(2);
    stage.body[0] = wait_once;
    stage.body[1] = posts_at_3;
    stage_run(BASE_EXIT_DEADLOCK);
    NOTES_ARE(" a a.");
    REPORT_HAS("a wait");
    REPORT_HAS("since 0 s");
    stage_close();
}

/* --- on threads ---------------------------------------------------------------------------------------- */

static bool ahead_begin(struct rank_job *job)
{
    (void)job;
    return true;
}
static const char *refusal(const struct rank_job *job)
{
    (void)job;
    return NULL;
}
static void thread_begin(void)
{
}
static void change(struct rank *from, struct rank *to)
{
    (void)from, (void)to;
}
static const struct rank_ahead_hooks hooks = {refusal, ahead_begin, thread_begin, change};
static const struct rank_life life = {.job_begin = ranks_job_begin, .run = ranks_main};
static const struct rank_provider provider = {"ahead", &rank_memory_plain, &life, &ranks_names, &hooks};

enum { RANKS = 6, ROUNDS = 100 };
static struct job every[RANKS][ROUNDS];
static double ended[2][RANKS];
static unsigned run_of;

/* Each leaves work for its neighbour, which waits, computes, or runs ahead of its turn at the end of a call. */
static void leave_work(struct rank *r)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        struct job *j = &every[r->id][k];
        rank_enter("call");
        *j = (struct job){.name = 'x', .flops = 100 + 7 * (r->id + k) % 5};
        noted[0] = 0;
        post(j, (r->id + 1) % RANKS);
        if (k % 3)
            rank_execute_last(r, 1000 + 10 * ((r->id * 7 + k) % 5));
        else
            engine_sleep(r->engine, 1e-7);
        rank_leave(r, "call");
    }
    rank_enter("end");
    ended[run_of][r->id] = stage_now();
    rank_leave(r, "end");
}
static void times_are_those_of_one_thread(void **state)
{
    (void)state;
    for (run_of = 0; run_of < 2; run_of++) {
        prepare();
        stage_prepare(RANKS);
        stage.provider = &provider;
        stage.config.ahead = run_of ? 3 : 0;
        stage_begin();
        stage.all = leave_work;
        stage_run(0);
        stage_close();
    }
    assert_memory_equal(ended[0], ended[1], sizeof ended[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_goes_on_after_the_work),
        cmocka_unit_test(a_wait_that_ends_meanwhile_ends_after_the_work),
        cmocka_unit_test(work_that_shares_a_core_is_not_cut_short),
        cmocka_unit_test(work_waits_for_the_next_call_of_a_rank_that_computes),
        cmocka_unit_test(work_is_done_at_the_ranks_own_time),
        cmocka_unit_test(work_posted_within_a_call_is_done_before_it_waits),
        cmocka_unit_test(another_thread_that_waits_does_it),
        cmocka_unit_test(work_for_an_ended_rank_is_dropped),
        cmocka_unit_test(never_woken),
        cmocka_unit_test(times_are_those_of_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
