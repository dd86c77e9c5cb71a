/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts and links that fail under ranks: with on-failure=abort the job ends with a report, with kill-rank
 * the ranks do. */
#include "rank/stage.h"

static void open_stage(uint32_t ranks, const char *on_failure, const struct rank_provider *provider)
{
    stage_prepare(ranks);
    ranks_setting(&stage, "on-failure", on_failure);
    stage.provider = provider;
    stage_begin();
}

static struct engine_event failure;
static void host_a_fails(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    fabric_host_fails(stage.fabric, 0);
}
static void plan_failure(double us)
{
    engine_event_init(&failure, host_a_fails);
    engine_event_at(stage.engine, &failure, us * US);
}

static void describe(const void *arg, char *buf, size_t size)
{
    snprintf(buf, size, "%s", (const char *)arg);
}
static void waits(struct rank *r)
{
    static const struct engine_reason why = {"signal", describe, "that never comes"};
    engine_sleep(r->engine, 1 * US);
    engine_block(r->engine, &why);
    fail_msg("woken");
}
static bool went_on;
static void goes_on(struct rank *r)
{
    engine_sleep(r->engine, 10 * US);
    went_on = true;
}
static void sleeps_for_ever(struct rank *r)
{
    engine_sleep(r->engine, 10 * US);
    fail_msg("it should be dead");
}

/* --- abort -------------------------------------------------------------------------------------------- */

static void a_host_with_ranks_ends_the_job(void **state)
{
    (void)state;
    open_stage(6, "abort", NULL); /* rank 4 has ended by then */
    went_on = false;
    stage.body[0] = waits;
    stage.body[1] = goes_on;
    stage.body[2] = sleeps_for_ever;
    plan_failure(5);
    stage_run(BASE_EXIT_FAILURE);
    assert_false(went_on);
    assert_string_equal(stage.report,
                        "pgasim: error: host a failed at 5.000 us of simulated time, with 2 ranks on it\n"
                        "pgasim:   rank 0 was in signal since 1.000 us: that never comes\n"
                        "pgasim:   rank 2 was computing, or asleep\n");
    stage_close();
}

static void a_host_whose_ranks_have_ended_does_not(void **state)
{
    (void)state;
    open_stage(4, "abort", NULL);
    went_on = false;
    stage.body[1] = goes_on;
    plan_failure(5);
    stage_run(0);
    assert_true(went_on);
    assert_string_equal(stage.report, "");
    stage_close();
}

static void not_all_ranks_are_named(void **state)
{
    (void)state;
    open_stage(20, "abort", NULL);
    stage.all = waits;
    plan_failure(5);
    stage_run(BASE_EXIT_FAILURE);
    REPORT_HAS("with 10 ranks on it");
    REPORT_HAS("rank 14 was in signal");
    assert_null(strstr(stage.report, "rank 16 was"));
    REPORT_HAS("and 2 more\n");
    stage_close();
}

static void a_host_that_is_off_from_the_start(void **state)
{
    (void)state;
    open_stage(1, "abort", NULL);
    fabric_host_fails(stage.fabric, 0);
    stage.body[0] = sleeps_for_ever;
    stage_run(BASE_EXIT_FAILURE);
    REPORT_HAS("host a failed at 0 s of simulated time, with 1 rank on it\n");
    stage_close();
}

static const struct fabric_failure link_ab = {FABRIC_LINK, 0};
static void puts_in_vain(struct rank *r)
{
    engine_sleep(r->engine, 2 * US);
    rank_operation_failed(r, "put of 8 bytes to rank 1", &link_ab);
    rank_operation_failed(r, "another put", &link_ab); /* one report is enough */
    went_on = true;                                    /* not within the call */
    engine_sleep(r->engine, 1 * US);
    fail_msg("it should have ended");
}
static void an_operation_in_vain_ends_the_job(void **state)
{
    (void)state;
    open_stage(2, "abort", NULL);
    went_on = false;
    stage.body[0] = puts_in_vain;
    stage_run(BASE_EXIT_FAILURE);
    assert_true(went_on);
    assert_string_equal(stage.report,
                        "pgasim: error: rank 0 (host a) at 2.000 us: put of 8 bytes to rank 1: link "
                        "ab failed\npgasim:   the rank was computing, or asleep\n");
    stage_close();
}

/* --- kill-rank ------------------------------------------------------------------------------------------ */

static void reads_of_the_dead(struct rank *r)
{
    char got = 0;
    engine_sleep(r->engine, 10 * US);
    assert_true(rank_at(r->job, 0)->ended);
    assert_int_equal(rank_at(r->job, 0)->threads, 0);
    rank_read(rank_at(r->job, 0), ranks_heap_at(0, 7), &got, 1);
    assert_int_equal(got, 9);
    went_on = true;
}
static void the_others_go_on(void **state)
{
    (void)state;
    open_stage(4, "kill-rank", NULL);
    went_on = false;
    stage.heap[0][7] = 9;
    stage.body[0] = waits;
    stage.body[1] = reads_of_the_dead;
    stage.body[2] = sleeps_for_ever;
    plan_failure(5);
    stage_run(0);
    assert_true(went_on);
    assert_string_equal(stage.report, "pgasim: rank 0 (host a) ends at 5.000 us: host a failed\n"
                                      "pgasim: rank 2 (host a) ends at 5.000 us: host a failed\n");
    stage_close();
}

static void who_waits_for_the_dead_is_told(void **state)
{
    (void)state;
    open_stage(2, "kill-rank", NULL);
    stage.body[0] = sleeps_for_ever;
    stage.body[1] = waits;
    plan_failure(5);
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS("deadlock at 5.000 us of simulated time: 1 of 2 ranks wait");
    REPORT_HAS("signal: 1 rank: 1\n");
    REPORT_HAS("rank 0 (host a) ended at 5.000 us: host a failed\n");
    stage_close();
}

/* N13: its code goes on until it waits. */
static void kills_itself(struct rank *r)
{
    engine_sleep(r->engine, 1 * US);
    fabric_host_fails(stage.fabric, r->host);
    assert_false(r->ended);
    fabric_host_fails(stage.fabric, r->host); /* it dies but once */
    went_on = true;
    engine_sleep(r->engine, 1 * US);
    fail_msg("it should be dead");
}
static void a_rank_dies_between_events(void **state)
{
    (void)state;
    open_stage(1, "kill-rank", NULL);
    went_on = false;
    stage.body[0] = kills_itself;
    stage_run(0);
    assert_true(went_on);
    assert_string_equal(stage.report, "pgasim: rank 0 (host a) ends at 1.000 us: host a failed\n");
    stage_close();
}

/* Between its death and the end of the instant it may end by itself. */
static void kills_itself_and_ends(struct rank *r)
{
    engine_sleep(r->engine, 1 * US);
    fabric_host_fails(stage.fabric, r->host);
}
static void an_operation_in_vain_ends_its_rank(void **state)
{
    (void)state;
    open_stage(2, "kill-rank", NULL);
    went_on = false;
    stage.body[0] = puts_in_vain;
    stage_run(0);
    assert_true(went_on);
    assert_string_equal(stage.report,
                        "pgasim: rank 0 (host a) ends at 2.000 us: link ab failed, which put of 8 "
                        "bytes to rank 1 needs\n");
    stage_close();
}

/* --- what a provider is told, and a trace
 * ------------------------------------------------------------------ */

static void drop(struct rank *r)
{
    note("drop(%u,%u)", r->id, r->threads);
    engine_actor_drop(r->engine, r->actor);
}
static void rank_ends(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type == TRACE_RANK_END)
        note("end(%u,%g)", ev->rank, ev->time / US);
}
static int trace_end(void *ctx)
{
    (void)ctx;
    return 0;
}
static void providers_drop_ranks(void **state)
{
    static const struct rank_life life = {.run = ranks_main, .drop = drop};
    static const struct rank_provider provider = {"test", &rank_memory_plain, &life, NULL, NULL};
    (void)state;
    stage_prepare(3);
    ranks_setting(&stage, "on-failure", "kill-rank");
    stage.provider = &provider;
    trace_attach(&stage.trace, &(struct trace_sink){rank_ends, trace_end, NULL, NULL, NULL});
    stage_begin();
    stage.body[0] = stage.body[2] = waits;
    stage.body[1] = goes_on;
    plan_failure(5);
    stage_run(0);
    stage_close();
    NOTES_ARE(" drop(0,1) end(0,5) drop(2,1) end(2,5) end(1,10)");
}
static void a_rank_ends_once(void **state)
{
    static const struct rank_life life = {.run = ranks_main, .drop = drop};
    static const struct rank_provider provider = {"test", &rank_memory_plain, &life, NULL, NULL};
    (void)state;
    stage_prepare(2);
    ranks_setting(&stage, "on-failure", "kill-rank");
    stage.provider = &provider;
    trace_attach(&stage.trace, &(struct trace_sink){rank_ends, trace_end, NULL, NULL, NULL});
    stage_begin();
    stage.body[0] = kills_itself_and_ends;
    stage.body[1] = waits;
    stage_run(BASE_EXIT_DEADLOCK);
    REPORT_HAS("1 of 2 ranks wait");
    stage_close();
    NOTES_ARE(" end(0,1)");
}

static void unknown_ways_are_refused(void **state)
{
    (void)state;
    stage_refuses("on-failure", "retry", "setting on-failure: 'retry'; expected abort or kill-rank");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_with_ranks_ends_the_job),
        cmocka_unit_test(a_host_whose_ranks_have_ended_does_not),
        cmocka_unit_test(not_all_ranks_are_named),
        cmocka_unit_test(a_host_that_is_off_from_the_start),
        cmocka_unit_test(an_operation_in_vain_ends_the_job),
        cmocka_unit_test(the_others_go_on),
        cmocka_unit_test(who_waits_for_the_dead_is_told),
        cmocka_unit_test(a_rank_dies_between_events),
        cmocka_unit_test(an_operation_in_vain_ends_its_rank),
        cmocka_unit_test(providers_drop_ranks),
        cmocka_unit_test(a_rank_ends_once),
        cmocka_unit_test(unknown_ways_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
