/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computation as simulated time: a core for each rank, shared cores, measured time and its factor, what
 * providers add; and who serves what arrives for it (profile software) does so in calls, not while it
 * computes.
 */
#include "rank/stage.h"

/* --- cores ------------------------------------------------------------------------------------------ */

static double ended[8];
static void computes_1ms(struct rank *r)
{
    rank_execute(r, 1e6);
    ended[r->id] = stage_now();
}
static void run_computing(uint32_t ranks)
{
    stage_open(ranks);
    stage.all = computes_1ms;
    stage_run(0);
    stage_close();
}
static void a_rank_with_a_core_has_its_speed(void **state)
{
    (void)state;
    run_computing(4); /* two on each host; b has but one core of twice the speed */
    time_is(ended[0], 1000, __LINE__);
    time_is(ended[2], 1000, __LINE__);
    time_is(ended[1], 1000, __LINE__);
    time_is(ended[3], 1000, __LINE__);
    run_computing(2);
    time_is(ended[0], 1000, __LINE__);
    time_is(ended[1], 500, __LINE__);
}
static void more_ranks_share_the_cores(void **state)
{
    (void)state;
    run_computing(6); /* three on two cores */
    for (int k = 0; k < 6; k++)
        time_is(ended[k], 1500, __LINE__);
}

static void other_thread(void *arg)
{
    struct rank *r = arg;
    rank_execute(r, 1e6);
    ended[1] = stage_now();
    rank_threads_add(r, -1);
}
static void two_threads(struct rank *r)
{
    engine_actor_spawn(r->engine, other_thread, r, r);
    rank_threads_add(r, 1);
    rank_execute(r, 1e6);
    ended[0] = stage_now();
    engine_sleep(r->engine, 1 * US);
    rank_execute(r, 2e6);
    ended[2] = stage_now();
}
/* The third thread of a rank on two cores comes when the others are half done, which nobody knew. */
static void computes_too(void *arg)
{
    struct rank *r = arg;
    uint32_t k = r->threads - 1;
    rank_execute(r, 1e6);
    ended[k] = stage_now();
}
static void makes_threads(struct rank *r)
{
    engine_actor_spawn(r->engine, computes_too, r, r);
    rank_threads_add(r, 1);
    engine_yield(r->engine);
    engine_sleep(r->engine, 500 * US);
    engine_actor_spawn(r->engine, computes_too, r, r);
    rank_threads_add(r, 1);
    rank_execute(r, 0.5e6);
    ended[0] = stage_now();
    engine_sleep(r->engine, 5000 * US);
}
static void later_threads_take_their_share(void **state)
{
    (void)state;
    stage_open(1);
    stage.body[0] = makes_threads;
    stage_run(0);
    time_is(ended[0], 1250, __LINE__); /* half of it at two thirds of the speed */
    time_is(ended[1], 1250, __LINE__);
    time_is(ended[2], 1750, __LINE__);
    stage_close();
}
static void threads_share_the_cores_too(void **state)
{
    (void)state;
    stage_open(2);
    stage.body[1] = two_threads;
    stage_run(0);
    time_is(ended[0], 1000, __LINE__);
    time_is(ended[1], 1000, __LINE__);
    time_is(ended[2], 2001, __LINE__);
    stage_close();
}

static void ahead_of_the_clock(struct rank *r)
{
    r->ahead_until = 2 * US;
    rank_execute(r, 3000); /* begins at its own time */
    CLOCK_IS(5);
    rank_execute(r, 0);
    rank_execute(r, -1);
    CLOCK_IS(5);
    rank_execute_last(r, 1000);
    CLOCK_IS(6);
    r->ahead_until = 8 * US;
    rank_threads_add(r, 1); /* now it shares the cores */
    rank_execute(r, 1000);
    CLOCK_IS(9);
    rank_threads_add(r, -1);
}
static void computation_begins_at_the_ranks_own_time(void **state)
{
    (void)state;
    stage_open(1);
    stage.body[0] = ahead_of_the_clock;
    stage_run(0);
    stage_close();
}

/* --- traced ------------------------------------------------------------------------------------------ */

static void trace_event(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type == TRACE_COMPUTE_BEGIN || ev->type == TRACE_COMPUTE_END)
        note("%s(%u %g)", ev->type == TRACE_COMPUTE_BEGIN ? "computes" : "computed", ev->rank, ev->time / US);
}
static int trace_end(void *ctx)
{
    (void)ctx;
    return 0;
}
static void a_trace_is_told(void **state)
{
    (void)state;
    stage_prepare(2);
    trace_attach(&stage.trace, &(struct trace_sink){trace_event, trace_end, NULL, NULL, NULL});
    stage_begin();
    stage.body[1] = computes_1ms;
    stage_run(0);
    stage_close();
    NOTES_ARE(" computes(1 0) computed(1 500)");
}

/* --- measured ---------------------------------------------------------------------------------------- */

static void burn(void)
{
    double until = rank_compute_seconds() + 2e-3;
    while (rank_compute_seconds() < until)
        ;
}
static double factor_expected; /* simulated seconds per measured one */

static void is_measured(double since, double measured_since, int line)
{
    double measured = rank_counts(stage.job).measured - measured_since, expected = measured * factor_expected;
    if (measured < 1e-3 || fabs(stage_now() - since - expected) > 1e-9 * expected)
        fail_msg("line %d: %.9g s measured, %.9g s passed, expected %.9g", line, measured,
                 stage_now() - since, expected);
}
static void burns(struct rank *r)
{
    rank_compute_start(r);
    burn();
    rank_enter("call");
    is_measured(0, 0, __LINE__);
    double now = stage_now(), measured = rank_counts(stage.job).measured;
    burn(); /* within a call it is the simulator's */
    rank_enter("nested");
    assert_true(stage_now() == now && rank_counts(stage.job).measured == measured);
    rank_leave(r, "nested");
    rank_enter("nested");
    rank_leave(r, "call");
    now = stage_now();
    measured = rank_counts(stage.job).measured;
    burn();
    double flops = rank_compute_take(r), taken = rank_counts(stage.job).measured - measured;
    double speed = platform_host(stage.platform, r->host)->speed;
    assert_true(taken > 1e-3 && fabs(flops / speed - taken * factor_expected) < 1e-9 * flops / speed);
    assert_true(stage_now() == now); /* the caller's */
    measured += taken;
    burn();
    rank_enter("call");
    is_measured(now, measured, __LINE__);
    rank_leave(r, "call");
    burn(); /* charged at its end */
    factor_expected = -factor_expected;
}
static void measure(const char *speed, double factor, uint32_t rank, double expected)
{
    stage_prepare(2);
    if (speed)
        ranks_setting(&stage, "compute/host-speed", speed);
    stage.config.compute = RANK_COMPUTE_MEASURED;
    stage.config.compute_factor = factor;
    stage_begin();
    factor_expected = expected;
    stage.body[rank] = burns;
    stage_run(0);
    assert_true(factor_expected < 0);
    double measured = rank_counts(stage.job).measured;
    assert_true(measured > 4e-3);
    stage_close();
}
static void measured_time_is_charged_once(void **state)
{
    (void)state;
    measure(NULL, 1, 0, 1);
    measure(NULL, 1, 1, 0.5); /* as fast as the first host, on one that is faster */
    measure("3Gf", 2, 1, 3);
}

/* An event between calls has the time at which what was computed so far will have ended; only the next call
 * charges that, and what the trace costs is not part of it. */
static double user_at[3];
static void user_event(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type == TRACE_USER)
        user_at[ev->peer] = ev->time;
    for (int k = 0; ev->type == TRACE_USER && ev->peer == 1 && k < 5; k++)
        burn(); /* the trace's */
}
static void tells_while_it_burns(struct rank *r)
{
    rank_compute_start(r);
    burn();
    for (uint32_t k = 0; k < 3; k++)
        rank_trace_emit_computing(r, k == 2 ? 1e9 : 0, &(struct trace_event){.type = TRACE_USER, .peer = k});
    assert_true(stage_now() == 0 && user_at[0] >= 2e-3 && user_at[1] >= user_at[0]);
    assert_true(user_at[2] >= user_at[1] + 1 && user_at[2] < user_at[1] + 1 + 5e-3); /* 1e9 flops on host a */
    rank_enter("call");
    double charged = stage_now();
    assert_true(charged >= user_at[1] && charged < user_at[1] + 5e-3);
    rank_leave(r, "call");
}
static void events_between_calls_charge_nothing(void **state)
{
    (void)state;
    stage_prepare(1);
    stage.config.compute = RANK_COMPUTE_MEASURED;
    stage.config.compute_factor = 1;
    trace_attach(&stage.trace, &(struct trace_sink){user_event, trace_end, NULL, NULL, NULL});
    stage_begin();
    stage.body[0] = tells_while_it_burns;
    stage_run(0);
    stage_close();
}

static void burns_unseen(struct rank *r)
{
    assert_true(r->measured_from < 0);
    burn();
    assert_true(rank_compute_take(r) == 0);
    rank_enter("call");
    rank_leave(r, "call");
    CLOCK_IS(0);
}
static void without_measuring_none_is(void **state)
{
    (void)state;
    stage_open(1);
    stage.body[0] = burns_unseen;
    stage_run(0);
    assert_true(rank_counts(stage.job).measured == 0);
    stage_close();
}
static void a_host_speed_below_0_is_refused(void **state)
{
    static const uint32_t hosts[] = {0};
    struct rank_job *other;
    struct base_status st;
    (void)state;
    stage_open(1);
    if (base_settings_set(stage.settings, "compute/host-speed", "-1Gf", BASE_FROM_COMMAND, &st) == 0)
        assert_int_equal(rank_job_create(&other, &(struct rank_config){.ranks = 1, .rank_host = hosts},
                                         stage.fabric, &stage.trace, stage.settings, &st),
                         -1);
    expect_in(st.text, "compute/host-speed", __LINE__);
    stage_close();
}

/* --- what a provider is told, and owes ------------------------------------------------------------------ */

static double owed_flops;
static double owed(struct rank *r, struct fabric_traffic *traffic)
{
    (void)traffic;
    double flops = owed_flops;
    (void)r;
    owed_flops = 0;
    return flops;
}
static void charged(struct rank *r, double flops, const struct fabric_traffic *traffic)
{
    (void)traffic;
    note("charged(%u,%g)", r->id, flops);
}
static void owes(struct rank *r)
{
    r->charged = true;
    rank_execute(r, 5000);
    CLOCK_IS(5);
    owed_flops = 2000;
    r->measured_from = 0; /* so that the next call asks */
    rank_enter("call");
    CLOCK_IS(7);
    assert_true(r->measured_from < 0);
    r->charged = false;
    owed_flops = 3000;
    r->measured_from = 0;
    rank_enter("call");
    rank_execute(r, 1000);
    CLOCK_IS(8);
}
static void a_provider_may_owe_computation(void **state)
{
    static const struct rank_life life = {.run = ranks_main, .owed = owed, .charged = charged};
    static const struct rank_provider provider = {"test", &rank_memory_plain, &life, NULL, NULL};
    (void)state;
    stage_prepare(1);
    stage.provider = &provider;
    stage_begin();
    stage.body[0] = owes;
    stage_run(0);
    stage_close();
    NOTES_ARE(" charged(0,5000) charged(0,2000)");
}

/* --- serving arrivals
 * ------------------------------------------------------------------------------------ */

static double served;
static void at_target(struct fabric *f, struct fabric_op *op)
{
    (void)op;
    served = engine_now(fabric_engine(f));
}
static struct fabric_handler handler = {.at_target = at_target};

/* 8 bytes from rank 0: with rank 1 at 1.008 us; 1.008 us of its CPU's time. */
static void sends(struct rank *r)
{
    static struct fabric_op op;
    const struct rank *to = rank_at(r->job, 1);
    op = (struct fabric_op){.handler = &handler,
                            .bytes = 8,
                            .origin = r->host,
                            .target = to->host,
                            .event.owners = to->server,
                            .kind = FABRIC_PUT};
    handler.fabric = stage.fabric;
    fabric_issue(stage.fabric, &op);
}
static double left; /* when rank 1 had ended */
static void note_end(struct rank *r, int code)
{
    (void)code;
    if (r->id == 1)
        left = stage_now();
}
static ranks_body_fn beside; /* another rank of the same host */
static void serve(ranks_body_fn body, double served_us)
{
    static const struct rank_front front = {"end", NULL, NULL, note_end};
    static const char *const parameters[][2] = {
        {"rdma/profile", "software"},
        {"software/progress", "calls"},
        {"software/service", "1us"},
        {"rdma/copy-per-byte", "1ns"},
        {"rdma/gap", "0"},
        {"rdma/header-bytes", "0"},
        {"rdma/packet", "0"},
    };
    rank_front_register(&front);
    stage_prepare(beside ? 4 : 2);
    for (size_t k = 0; k < BASE_LENGTH(parameters); k++)
        ranks_setting(&stage, parameters[k][0], parameters[k][1]);
    stage_begin();
    assert_true(rank_at(stage.job, 1)->serves);
    stage.body[0] = sends;
    stage.body[1] = body;
    if (beside)
        stage.body[3] = beside;
    beside = NULL;
    stage_run(0);
    time_is(served, served_us, __LINE__);
    stage_close();
}

static void computes_then_calls(struct rank *r)
{
    rank_execute(r, 20000);
    CLOCK_IS(10);
    rank_enter("call");
    CLOCK_IS(10 + 1.008);
    rank_leave(r, "call");
}
static void calls_twice(struct rank *r)
{
    engine_sleep(r->engine, 1.5 * US);
    rank_execute(r, 20000); /* it first ends what it took at 1.008 */
    CLOCK_IS(2.016 + 10);
    r->ahead_until = 13 * US;
    rank_enter_issue("call"); /* who serves is never ahead */
    CLOCK_IS(13);
    assert_false(r->issuing);
}
static void one_thread_computes(struct rank *r)
{
    rank_threads_add(r, 1);
    rank_execute(r, 200);
    rank_execute(r, 20000);
    CLOCK_IS(0.1 + 10);
    rank_threads_add(r, -1);
}
static void ends_at_once(struct rank *r)
{
    engine_sleep(r->engine, 1.1 * US); /* its end waits for what it serves */
}
/* What was served ends at the instant of the call: this takes no time, and nobody comes before it. */
static double end_of_service;
static void calls_just_then(struct rank *r)
{
    engine_sleep(r->engine, 1.5 * US);
    end_of_service = fabric_server_free(stage.fabric, r->server);
    engine_sleep_until(r->engine, end_of_service);
    note("calls");
    rank_enter("call");
    note("called");
    rank_leave(r, "call");
}
static void comes_just_then(struct rank *r)
{
    engine_sleep(r->engine, 1.7 * US);
    engine_sleep_until(r->engine, end_of_service);
    note("comes");
}
static void a_call_at_the_end_of_service_goes_on(void **state)
{
    (void)state;
    beside = comes_just_then;
    serve(calls_just_then, 2.016);
    NOTES_ARE(" calls called comes");
}
static void arrivals_are_served_in_calls(void **state)
{
    (void)state;
    serve(computes_then_calls, 10 + 1.008);
    serve(calls_twice, 2.016);
    serve(one_thread_computes, 2.016); /* the other may be in a call */
    serve(ends_at_once, 2.016);
    time_is(left, 2.016, __LINE__);
    stage_open(2);
    assert_false(rank_at(stage.job, 1)->serves);
    stage_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_with_a_core_has_its_speed),
        cmocka_unit_test(more_ranks_share_the_cores),
        cmocka_unit_test(threads_share_the_cores_too),
        cmocka_unit_test(later_threads_take_their_share),
        cmocka_unit_test(computation_begins_at_the_ranks_own_time),
        cmocka_unit_test(a_trace_is_told),
        cmocka_unit_test(measured_time_is_charged_once),
        cmocka_unit_test(events_between_calls_charge_nothing),
        cmocka_unit_test(without_measuring_none_is),
        cmocka_unit_test(a_host_speed_below_0_is_refused),
        cmocka_unit_test(a_provider_may_owe_computation),
        cmocka_unit_test(arrivals_are_served_in_calls),
        cmocka_unit_test(a_call_at_the_end_of_service_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
