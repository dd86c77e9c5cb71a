/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that run ahead of their turns on threads: who may, what is exchanged, what waits for the turn; and
 * that times are those of a run without.
 */
#include "rank/stage.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* --- a provider whose ranks may --------------------------------------------------------------------- */

static const char *refused; /* why its ranks may not */
static bool begins = true;
static atomic_uint threads_begun, changes;

static const char *refusal(const struct rank_job *job)
{
    assert_ptr_equal(job, stage.job);
    return refused;
}
static bool ahead_begin(struct rank_job *job)
{
    assert_ptr_equal(job, stage.job);
    return begins;
}
static void thread_begin(void)
{
    atomic_fetch_add(&threads_begun, 1);
}
static _Thread_local uint32_t here; /* whose code was here last, plus 1 */
static void change(struct rank *from, struct rank *to)
{
    atomic_fetch_add(&changes, 1);
    assert_true(!from || here == from->id + 1);
    here = to ? to->id + 1 : 0;
}
static const struct rank_ahead_hooks hooks = {refusal, ahead_begin, thread_begin, change};
static const struct rank_life life = {.job_begin = ranks_job_begin, .run = ranks_main};
static const struct rank_provider provider = {"ahead", &rank_memory_plain, &life, &ranks_names, &hooks};

static void open_ahead(uint32_t ranks, uint32_t threads)
{
    refused = NULL;
    begins = true;
    stage_prepare(ranks);
    stage.provider = &provider;
    stage.config.ahead = threads;
    stage_begin();
}

/* --- code without the turn ---------------------------------------------------------------------------- */

enum { RANKS = 6, ROUNDS = 200 };
static double ended[RANKS][ROUNDS];
static atomic_uint ran_ahead;
static pthread_t first_thread;
static atomic_uint elsewhere;

/* Each round: a call that computes last, its own code, which may be ahead, then the next call, which takes
 * the turn. */
static void rounds(struct rank *r)
{
    volatile uint64_t sum = 0;
    for (unsigned k = 0; k < ROUNDS; k++) {
        assert_ptr_equal(rank_enter("compute"), r);
        assert_ptr_equal(rank_current, r);
        assert_null(rank_ahead);
        errno = (int)(100 * r->id + k % 100);
        rank_execute_last(r, 1000 + 10 * ((r->id * 7 + k) % 5));
        rank_leave(r, "compute");
        if (rank_ahead) {
            atomic_fetch_add(&ran_ahead, 1);
            assert_ptr_equal(rank_ahead, r);
            assert_null(rank_current);
            assert_true(rank_is_ahead(r));
        }
        for (int work = 0; work < 1000; work++)
            sum += (uint64_t)work;
        bool own = errno == (int)(100 * r->id + k % 100); /* N12 */
        assert_ptr_equal(rank_enter("next"), r);
        own = own && errno == (int)(100 * r->id + k % 100);
        assert_true(own || !rank_ahead_on);
        assert_null(rank_ahead);
        if (!pthread_equal(pthread_self(), first_thread))
            atomic_fetch_add(&elsewhere, 1);
        ended[r->id][k] = rank_now(r);
        rank_leave(r, "next");
    }
    (void)sum;
}
static void times_are_those_of_a_run_without(void **state)
{
    double before[RANKS][ROUNDS];
    (void)state;
    first_thread = pthread_self();
    for (uint32_t threads = 0; threads < 4; threads++) {
        open_ahead(RANKS, threads);
        stage.all = rounds;
        atomic_store(&ran_ahead, 0);
        atomic_store(&elsewhere, 0);
        atomic_store(&threads_begun, 0);
        atomic_store(&changes, 0);
        stage_run(0);
        assert_int_equal(rank_counts(stage.job).ahead, threads);
        assert_int_equal(atomic_load(&ran_ahead) > 0, threads > 1);
        assert_int_equal(rank_counts(stage.job).let_go > 0, threads > 0);
        assert_int_equal(atomic_load(&elsewhere) > 0, threads > 0);
        assert_int_equal(atomic_load(&changes) > 0, threads > 0);
        assert_int_equal(atomic_load(&threads_begun), threads);
        if (threads == 0)
            memcpy(before, ended, sizeof before);
        assert_memory_equal(before, ended, sizeof before);
        assert_false(rank_ahead_on && !threads);
        stage_close();
        assert_false(rank_ahead_on);
    }
}

/* --- what waits for the turn
 * ----------------------------------------------------------------------------- */

static unsigned paid[RANKS];
static void pay(void *arg)
{
    struct rank *r = arg;
    assert_ptr_equal(rank_current, r);
    assert_null(rank_ahead);
    paid[r->id]++;
}
static void owes(struct rank *r)
{
    for (unsigned k = 0; k < 50; k++) {
        rank_enter("call");
        unsigned before = paid[r->id];
        rank_execute_last(r, 1000 + 10 * r->id);
        if (!rank_ahead)
            continue;
        rank_owe(r, pay, r);
        assert_int_equal(paid[r->id], before);
        rank_enter("next");
        assert_int_equal(paid[r->id], before + 1);
        rank_execute_last(r, 1000);
        rank_enter("next"); /* once */
        assert_int_equal(paid[r->id], before + 1);
        atomic_fetch_add(&ran_ahead, 1);
    }
}
static void debts_are_paid_in_turn(void **state)
{
    unsigned sum = 0;
    (void)state;
    memset(paid, 0, sizeof paid);
    atomic_store(&ran_ahead, 0);
    open_ahead(RANKS, 2);
    stage.all = owes;
    stage_run(0);
    for (int k = 0; k < RANKS; k++)
        sum += paid[k];
    assert_int_equal(sum, atomic_load(&ran_ahead));
    assert_true(sum > 0);
    stage_close();
}

static double end_clock[RANKS];
static void ends_ahead(struct rank *r)
{
    rank_enter("call");
    rank_execute_last(r, 5000 + 1000 * r->id);
}
static void note_end(struct rank *r, int code)
{
    (void)code;
    assert_ptr_equal(rank_current, r);
    assert_false(rank_ahead_on && rank_may_go(r)); /* the end is the last of its calls */
    end_clock[r->id] = stage_now();
}
static void a_rank_ends_in_its_turn(void **state)
{
    static const struct rank_front front = {"end", NULL, NULL, note_end};
    (void)state;
    rank_front_register(&front);
    open_ahead(3, 2);
    stage.all = ends_ahead;
    stage_run(0);
    time_is(end_clock[0], 5, __LINE__);
    time_is(end_clock[1], 3, __LINE__);
    time_is(end_clock[2], 7, __LINE__);
    stage_close();
}

/* --- who may
 * ------------------------------------------------------------------------------------------------ */

/* Something else is to come before each of its steps, so that it could. */
static void busy(struct rank *r)
{
    for (unsigned k = 0; k < 500; k++)
        engine_sleep(r->engine, 0.5 * US);
}
static void never_ahead(struct rank *r)
{
    for (unsigned k = 0; k < 50; k++) {
        rank_enter("call");
        rank_execute_last(r, 1000);
        assert_null(rank_ahead);
        assert_ptr_equal(rank_current, r);
        rank_leave(r, "call");
    }
}
static void stays(struct rank *r)
{
    r->stays = true;
    assert_false(rank_may_go(r));
    never_ahead(r);
    r->stays = false;
    assert_true(rank_may_go(r));
    rank_threads_add(r, 1);
    assert_false(rank_may_go(r));
    never_ahead(r);
    rank_threads_add(r, -1);
    assert_true(rank_may_go(r));
    assert_ptr_equal(rank_share(r, ranks_heap_at(r->id, 0), 8), stage.heap[r->id]); /* others have pointers */
    assert_false(rank_may_go(r));
    never_ahead(r);
    paid[0]++;
}
static void some_ranks_may_not(void **state)
{
    (void)state;
    paid[0] = 0;
    open_ahead(2, 2);
    stage.body[0] = stays;
    stage.body[1] = busy;
    stage_run(0);
    assert_int_equal(paid[0], 1);
    stage_close();
}

static void no_event(void *ctx, const struct trace_event *ev)
{
    (void)ctx, (void)ev;
}
static int trace_end(void *ctx)
{
    (void)ctx;
    return 0;
}
static void expect_refusal(const char *why)
{
    const char *got = rank_ahead_refusal(stage.job);
    assert_non_null(got);
    assert_string_equal(got, why);
    stage.all = never_ahead;
    stage_run(0);
    assert_int_equal(rank_counts(stage.job).ahead, 0);
    stage_close();
}
static void some_jobs_may_not(void **state)
{
    (void)state;
    open_ahead(2, 2);
    assert_null(rank_ahead_refusal(stage.job));
    stage_close();
    open_ahead(2, 0); /* nobody asked */
    refused = "of no use";
    assert_null(rank_ahead_refusal(stage.job));
    stage_close();
    open_ahead(2, 2);
    refused = "of no use";
    expect_refusal("of no use");
    open_ahead(2, 2);
    rank_job_supply(stage.job, &ranks_plain, 1, 1);
    expect_refusal("not all of them are programs, or they are of several kinds");
    stage_prepare(2);
    stage.config.ahead = 2;
    stage_begin();
    expect_refusal("not all of them are programs, or they are of several kinds");
    stage_prepare(2);
    stage.provider = &provider;
    stage.config.ahead = 2;
    refused = NULL;
    trace_attach(&stage.trace, &(struct trace_sink){no_event, trace_end, NULL, NULL, NULL});
    stage_begin();
    expect_refusal("calls are traced");
    open_ahead(2, 2); /* not after all */
    begins = false;
    stage.all = never_ahead;
    stage_run(0);
    assert_int_equal(rank_counts(stage.job).ahead, 0);
    stage_close();
}

/* Who runs ahead has a stack of its own, and is waited for before its memory is read: it is as before that
 * code, or as after it. */
enum { STEPS = 300000 };
static uintptr_t variable;
static void changes_a_variable(struct rank *r)
{
    volatile uint64_t value = 1;
    variable = (uintptr_t)&value;
    rank_enter("call");
    rank_execute_last(r, 5000);
    for (int k = 0; k < STEPS; k++)
        value++;
    rank_enter("call");
    assert_int_equal(value, STEPS + 1);
}
static void reads_the_variable(struct rank *r)
{
    uint64_t got = 0;
    engine_sleep(r->engine, 2 * US);
    rank_read(rank_at(r->job, 0), variable, &got, 8);
    if (got != 1 && got != STEPS + 1)
        fail_msg("read in the middle: %u", (unsigned)got);
}
static void code_ahead_is_waited_for(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        stage_prepare(2);
        stage.provider = &provider;
        stage.config.ahead = 2;
        ranks_setting(&stage, "fold/stacks", "shared");
        stage_begin();
        stage.body[0] = changes_a_variable;
        stage.body[1] = reads_the_variable;
        stage_run(0);
        assert_false(rank_stacks_shared(stage.job));
        assert_ptr_equal(rank_at(stage.job, 0)->memory, &rank_memory_native);
        stage_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_a_run_without),
        cmocka_unit_test(debts_are_paid_in_turn),
        cmocka_unit_test(a_rank_ends_in_its_turn),
        cmocka_unit_test(some_ranks_may_not),
        cmocka_unit_test(some_jobs_may_not),
        cmocka_unit_test(code_ahead_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
