/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When operations reach their target and come back: every time here is worked out by hand from round
 * parameters and three hosts in a row, a -- b -- c (1 us and 1 GB/s between a and b, 2 us and 2 GB/s between
 * b and c).
 */
#include "fabric/fabric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define US 1e-6

static const char platform_text[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/><host id='d' "
    "speed='1Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='1us'/><link id='bc' bandwidth='2GBps' latency='2us'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='b' dst='c'><link_ctn id='bc'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n"
    "</zone></platform>\n";

static const char *const round_parameters[][2] = {
    {"rdma/put-overhead", "100ns"},    {"rdma/get-overhead", "200ns"},
    {"rdma/atomic-overhead", "300ns"}, {"rdma/copy-per-byte", "1ns"},
    {"rdma/buffered-limit", "1000"},   {"rdma/inline-limit", "64"},
    {"rdma/fetch-latency", "500ns"},   {"rdma/gap", "100ns"},
    {"rdma/header-bytes", "0"},        {"rdma/read-service", "300ns"},
    {"rdma/atomic-service", "400ns"},  {"rdma/atomic-gap", "50ns"},
    {"rdma/ack-overhead", "10ns"},     {"rdma/poll-cost", "25ns"},
    {"local/latency", "200ns"},        {"local/bandwidth", "1GBps"},
    {"local/overhead", "10ns"},        {"local/atomic-service", "80ns"},
};

enum { MAX_OPS = 16 };
/* One operation of a script, and when it got where. */
struct probe {
    struct fabric_op op; /* first */
    double issue, at_target, at_origin, ack;
    bool no_reply;
};
static struct engine *engine;
static struct fluid *fluid;
static struct platform *platform;
static struct base_settings *settings;
static struct fabric *fabric;
static struct probe probes[MAX_OPS];
static int n_probes;

static void set(const char *key, const char *value)
{
    struct base_status st;
    if (base_settings_set(settings, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s", st.text);
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    struct probe *p = (struct probe *)op;
    p->at_target = engine_now(engine);
    if (op->kind != FABRIC_GET)
        p->ack = fabric_ack_delay(f, op);
    if (op->kind != FABRIC_PUT && !p->no_reply)
        fabric_reply(f, op);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->at_origin = engine_now(engine);
}

static struct fabric_handler handler = {.at_target = at_target, .at_origin = at_origin};

static int setup(void **state)
{
    (void)state;
    settings = base_settings_create();
    base_settings_declare(settings, fabric_settings, fabric_settings_count);
    for (size_t k = 0; k < BASE_LENGTH(round_parameters); k++)
        set(round_parameters[k][0], round_parameters[k][1]);
    n_probes = 0;
    memset(probes, 0, sizeof probes);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fabric_destroy(fabric);
    platform_destroy(platform);
    fluid_destroy(fluid);
    engine_destroy(engine);
    base_settings_destroy(settings);
    fabric = NULL;
    return 0;
}

static struct probe *plan(double issue, enum fabric_kind kind, uint32_t origin, uint32_t target,
                          uint64_t bytes)
{
    struct probe *p = &probes[n_probes++];
    p->issue = issue;
    p->op = (struct fabric_op){
        .handler = &handler, .kind = (uint8_t)kind, .origin = origin, .target = target, .bytes = bytes};
    p->at_origin = p->at_target = -1;
    return p;
}

static void script(void *arg)
{
    (void)arg;
    for (int k = 0; k < n_probes; k++) {
        if (probes[k].issue > engine_now(engine))
            engine_sleep(engine, probes[k].issue - engine_now(engine));
        fabric_issue(fabric, &probes[k].op);
    }
}

static void create(void)
{
    struct base_status st;
    engine = engine_create(&(struct engine_config){.max_actors = 4, .stack_size = 64 << 10});
    fluid = fluid_create(engine);
    if (platform_load_text(&platform, platform_text, sizeof platform_text - 1, "test", settings, &st))
        fail_msg("%s", st.text);
    handler.fabric = fabric = fabric_create(engine, fluid, platform, settings);
}

/* Hosts are numbered in order of declaration. */
enum { A, B, C, D };

static void play(void)
{
    create();
    engine_actor_spawn(engine, script, NULL, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    fluid_check(fluid);
}

static void near(double got, double expected, const char *what, int line)
{
    if (fabs(got - expected) > 1e-6 * fabs(expected) + 1e-15)
        fail_msg("line %d: %s is %.9g us, expected %.9g us", line, what, got / US, expected / US);
}
#define TARGET_AT(p, t) near((p)->at_target, (t)*US, "at_target", __LINE__)
#define ORIGIN_AT(p, t) near((p)->at_origin, (t)*US, "at_origin", __LINE__)

/* --- puts --------------------------------------------------------------------------------------- */

static void short_put_is_latency_and_wire(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_PUT, A, B, 64);
    play();
    TARGET_AT(p, 1 + 0.064);
    near(p->ack, 1.01 * US, "ack", __LINE__);
    assert_true(p->at_origin == -1);
}

static void put_over_the_inline_limit_is_fetched_first(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_PUT, A, B, 1000);
    play();
    TARGET_AT(p, 0.5 + 1 + 1);
}

static void header_travels_too(void **state)
{
    (void)state;
    set("rdma/header-bytes", "36");
    struct probe *p = plan(0, FABRIC_PUT, A, B, 64);
    play();
    TARGET_AT(p, 1 + 0.1);
}

static void route_of_two_links_adds_latencies_and_takes_the_slower(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_PUT, A, C, 10000);
    play();
    TARGET_AT(p, 0.5 + 3 + 10);
    near(p->ack, 3.01 * US, "ack", __LINE__);
}

static void nic_sends_one_message_a_gap(void **state)
{
    (void)state;
    struct probe *p[4];
    for (int k = 0; k < 3; k++)
        p[k] = plan(0, FABRIC_PUT, A, B, 8);
    p[3] = plan(0.25 * US, FABRIC_PUT, A, B, 8); /* the card is busy until 0.3 */
    play();
    for (int k = 0; k < 4; k++)
        TARGET_AT(p[k], 0.1 * k + 1 + 0.008);
}

static void two_puts_share_their_link(void **state)
{
    (void)state;
    set("rdma/gap", "0");
    struct probe *p = plan(0, FABRIC_PUT, A, B, 1000000), *q = plan(0, FABRIC_PUT, A, B, 1000000);
    struct probe *r = plan(0, FABRIC_PUT, B, C, 1000000);
    play();
    TARGET_AT(p, 0.5 + 1 + 2000);
    TARGET_AT(q, 0.5 + 1 + 2000);
    TARGET_AT(r, 0.5 + 2 + 500); /* another link */
}

static void short_put_overtakes_a_long_one(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_PUT, A, B, 100000), *q = plan(0, FABRIC_PUT, A, B, 64);
    play();
    TARGET_AT(q, 0.1 + 1 + 0.064);
    assert_true(q->at_target < p->at_target);
}

static void factors_scale_the_network_and_nothing_else(void **state)
{
    (void)state;
    set("network/latency-factor", "2");
    set("network/bandwidth-factor", "0.5");
    struct probe *p = plan(0, FABRIC_PUT, A, B, 1000), *q = plan(100 * US, FABRIC_PUT, A, A, 1000);
    play();
    TARGET_AT(p, 0.5 + 2 + 2);
    near(p->ack, 2.01 * US, "ack", __LINE__);
    TARGET_AT(q, 100 + 0.2);
}

static void crosstraffic_takes_a_twentieth_of_the_way_back(void **state)
{
    (void)state;
    set("network/crosstraffic", "yes");
    struct probe *p = plan(0, FABRIC_PUT, A, B, 1000000), *q = plan(0, FABRIC_PUT, B, A, 1000000);
    play();
    /* both directions are one SHARED link: two flows of usage 1.05 each */
    TARGET_AT(p, 0.5 + 1 + 2100);
    TARGET_AT(q, 0.5 + 1 + 2100);
}

/* --- gets and atomics --------------------------------------------------------------------------- */

static void get_is_request_service_reply(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_GET, A, B, 1000);
    play();
    TARGET_AT(p, 1 + 0.3);
    ORIGIN_AT(p, 1 + 0.3 + 1 + 1);
}

static void replies_take_the_gap_of_the_targets_card(void **state)
{
    (void)state;
    set("rdma/read-service", "0");
    struct probe *p = plan(0, FABRIC_PUT, B, C, 8), *q = plan(0.01 * US, FABRIC_GET, A, B, 0);
    struct probe *r = plan(1 * US, FABRIC_PUT, B, C, 8);
    play();
    TARGET_AT(p, 2 + 0.004);
    TARGET_AT(q, 1.01); /* the reply waits for r's gap: sent at 1.1 */
    ORIGIN_AT(q, 1.1 + 1);
    TARGET_AT(r, 1 + 2 + 0.004);
}

static void atomic_is_request_service_reply(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_ATOMIC, A, B, 8), *q = plan(10 * US, FABRIC_ATOMIC, A, B, 8);
    q->no_reply = true;
    play();
    TARGET_AT(p, 1 + 0.4);
    ORIGIN_AT(p, 1 + 0.4 + 1);
    TARGET_AT(q, 10 + 1 + 0.4);
    near(q->ack, 1.01 * US, "ack", __LINE__);
    assert_true(q->at_origin == -1);
}

static void atomics_on_one_word_exclude_each_other(void **state)
{
    (void)state;
    set("rdma/gap", "0");
    struct probe *p = plan(0, FABRIC_ATOMIC, A, B, 8), *q = plan(0, FABRIC_ATOMIC, A, B, 8);
    struct probe *r = plan(0, FABRIC_ATOMIC, A, B, 8), *s = plan(0, FABRIC_ATOMIC, A, B, 8);
    p->op.word = q->op.word = r->op.word = 7;
    s->op.word = 8;
    play();
    TARGET_AT(p, 1 + 0.4);
    TARGET_AT(q, 1 + 0.8);
    TARGET_AT(r, 1 + 1.2);
    TARGET_AT(s, 1 + 0.15 + 0.4); /* another word: fourth in the unit, one every 50 ns */
}

static void atomics_at_different_hosts_do_not_meet(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_ATOMIC, A, B, 8), *q = plan(0, FABRIC_ATOMIC, B, A, 8);
    play();
    TARGET_AT(p, 1.4);
    TARGET_AT(q, 1.4);
}

/* --- one host ----------------------------------------------------------------------------------- */

static void local_way_has_its_own_times(void **state)
{
    (void)state;
    struct probe *p = plan(0, FABRIC_PUT, A, A, 100000), *g = plan(0, FABRIC_GET, A, A, 1000);
    struct probe *x = plan(0, FABRIC_ATOMIC, A, A, 8), *y = plan(0, FABRIC_ATOMIC, A, A, 8);
    struct probe *n = plan(0, FABRIC_PUT, A, B, 8); /* the card was not used by the others */
    play();
    TARGET_AT(p, 0.2);
    assert_true(p->ack == 0);
    TARGET_AT(g, 0.2);
    ORIGIN_AT(g, 0.2 + 1);
    TARGET_AT(x, 0.2 + 0.08);
    ORIGIN_AT(x, 0.2 + 0.08);
    TARGET_AT(y, 0.2 + 0.16);
    TARGET_AT(n, 1 + 0.008);
    assert_int_equal(fabric_counts(fabric).local, 4);
    assert_int_equal(fabric_counts(fabric).network, 1);
}

/* --- costs, errors ------------------------------------------------------------------------------ */

static void issue_costs(void **state)
{
    (void)state;
    create();
    near(fabric_issue_cost(fabric, FABRIC_PUT, 1000, false), 1.1 * US, "put at the limit", __LINE__);
    near(fabric_issue_cost(fabric, FABRIC_PUT, 1001, false), 0.1 * US, "put over the limit", __LINE__);
    near(fabric_issue_cost(fabric, FABRIC_GET, 5000, false), 0.2 * US, "get", __LINE__);
    near(fabric_issue_cost(fabric, FABRIC_ATOMIC, 8, false), 0.3 * US, "atomic", __LINE__);
    near(fabric_issue_cost(fabric, FABRIC_PUT, 5000, true), 5.01 * US, "local put", __LINE__);
    near(fabric_issue_cost(fabric, FABRIC_GET, 5000, true), 0.01 * US, "local get", __LINE__);
    near(fabric_copy_cost(fabric, 5000), 5 * US, "copy", __LINE__);
    near(fabric_poll_cost(fabric), 0.025 * US, "poll", __LINE__);
    assert_int_equal(fabric_buffered_limit(fabric), 1000);
}

static void routes_are_asked_once(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++)
        plan(k * US, FABRIC_PUT, A, k % 2 ? B : C, 8);
    play();
    assert_int_equal(fabric_counts(fabric).paths, 2);
    assert_int_equal(fabric_counts(fabric).routed, 4); /* there, and back for the acknowledgement */
}

/* Host d has no route: the process ends with the status for bad input. */
static void missing_route_is_bad_input(void **state)
{
    (void)state;
    plan(0, FABRIC_PUT, A, D, 8);
    create();
    pid_t child = fork();
    if (child == 0) {
        base_report_to(fopen("/dev/null", "w"));
        fabric_issue(fabric, &probes[0].op);
        _exit(99);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), BASE_EXIT_INPUT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(short_put_is_latency_and_wire),
        TEST(put_over_the_inline_limit_is_fetched_first),
        TEST(header_travels_too),
        TEST(route_of_two_links_adds_latencies_and_takes_the_slower),
        TEST(nic_sends_one_message_a_gap),
        TEST(two_puts_share_their_link),
        TEST(short_put_overtakes_a_long_one),
        TEST(factors_scale_the_network_and_nothing_else),
        TEST(crosstraffic_takes_a_twentieth_of_the_way_back),
        TEST(get_is_request_service_reply),
        TEST(replies_take_the_gap_of_the_targets_card),
        TEST(atomic_is_request_service_reply),
        TEST(atomics_on_one_word_exclude_each_other),
        TEST(atomics_at_different_hosts_do_not_meet),
        TEST(local_way_has_its_own_times),
        TEST(issue_costs),
        TEST(routes_are_asked_once),
        TEST(missing_route_is_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
