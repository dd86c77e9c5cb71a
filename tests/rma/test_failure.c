/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that meet a link or a host that is off: who is told, and what; these operations have no further
 * effect, and others continue. The links are `ab` (0) and `bc` (1); ranks 0, 1 and 2 are on hosts a, b and
 * c. */
#include "rma/stage.h"

enum { LARGE = 100000 };
static unsigned char block[LARGE];

/* With on-failure=kill-rank, so that the job goes on. */
static int setup_kill(void **state)
{
    (void)state;
    stage_prepare(false);
    ranks_setting(&stage, "on-failure", "kill-rank");
    stage_begin();
    return 0;
}

/* Something happens at a time, in an event. */
static struct {
    struct engine_event event;
    bool host;
    uint32_t id;
} failing;

static void fails(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    (failing.host ? fabric_host_fails : fabric_link_fails)(stage.fabric, failing.id);
}

static void plan_failure(double us, bool host, uint32_t id)
{
    failing.host = host;
    failing.id = id;
    engine_event_init(&failing.event, fails);
    engine_event_at(stage.engine, &failing.event, us * US);
}

/* The whole report, up to what the rank was doing. */
static void expect_report(const char *text)
{
    if (!strstr(stage.report, text))
        fail_msg("report: %s\nexpected in it: %s", stage.report, text);
}

static void put_over_ab(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    memset(block, 1, sizeof block);
    rma_put(c, stage_to(1, (uintptr_t)stage.heap[1]), block, sizeof block, RMA_NONBLOCKING, "put");
    engine_sleep(stage.engine, 200 * US);
    fail_msg("a rank whose put was cut short goes on");
}

static bool got_both;
static void get_over_bc(struct rank *r)
{
    static unsigned char here[64];
    struct rma_ctx *c = stage_ctx(r);
    rma_get(c, stage_to(1, (uintptr_t)stage.heap[1] + LARGE), here, sizeof here, RMA_BLOCKING, "get");
    assert_true(stage_now() < 6 * US);
    got_both = false;
    until(60);
    rma_get(c, stage_to(1, (uintptr_t)stage.heap[1] + LARGE), here, sizeof here, RMA_BLOCKING, "get");
    assert_true(stage_now() < 66 * US);
    got_both = true;
}

static void expect_nothing_put(void)
{
    for (size_t k = 0; k < LARGE; k++)
        assert_int_equal(stage.heap[1][k], 0);
}

static void a_put_over_a_cut_link(void **state)
{
    (void)state;
    stage.body[0] = put_over_ab;
    stage.body[2] = get_over_bc;
    plan_failure(50, false, 0);
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, BASE_EXIT_FAILURE);
    expect_report("rank 0 (host a) at 50.00 us: put of 100000 bytes to rank 1 (host b): link ab failed");
    assert_false(got_both); /* the job ended with the failure */
    expect_nothing_put();
}

static void those_of_others_go_on(void **state)
{
    (void)state;
    stage.body[0] = put_over_ab;
    stage.body[2] = get_over_bc;
    plan_failure(50, false, 0);
    stage_run();
    expect_report("rank 0 (host a) ends at 50.00 us: link ab failed, which put of 100000 bytes to rank 1 "
                  "(host b) needs");
    assert_true(got_both);
    expect_nothing_put();
}

static void fetch_from_b(struct rank *r)
{
    static unsigned char here[64];
    struct rma_ctx *c = stage_ctx(r);
    rma_get(c, stage_to(1, (uintptr_t)stage.heap[1]), here, sizeof here, RMA_BLOCKING, "get");
    fail_msg("a get from a dead host came back");
}

static void expect_get_fails(const char *report)
{
    stage.body[0] = fetch_from_b;
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, BASE_EXIT_FAILURE);
    expect_report(report);
}

static void a_get_from_a_dead_host(void **state)
{
    (void)state;
    plan_failure(1.3, true, 1);
    expect_get_fails("rank 0 (host a) at 1.300 us: get of 64 bytes to rank 1 (host b): host b failed");
}

static void a_get_over_a_link_that_is_off(void **state)
{
    (void)state;
    plan_failure(0, false, 0);
    expect_get_fails("rank 0 (host a) at 200.0 ns: get of 64 bytes to rank 1 (host b): link ab failed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(a_put_over_a_cut_link),
        cmocka_unit_test_setup_teardown(those_of_others_go_on, setup_kill, stage_teardown),
        STAGE_TEST(a_get_from_a_dead_host),
        STAGE_TEST(a_get_over_a_link_that_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
