/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profile rae by hand: operations on their way to a card with a core and back, over links of 32-bit flits.
 * The platform is a row of hosts a -- b -- c; a link takes 1 ns (a router and a wire, 0.5 ns each) and
 * carries 8 GB/s, so that a flit takes 0.5 ns. The header is one flit, the address two. A message of F
 * flits over H links takes H + F/2 ns, which is (H + 1) routers + H wires + (F - 1) flits, in cycles of 0.5
 * ns.
 *
 * The card: 1.5 ns before the tags, 1 ns directory, 51.652 ns for a line of a closed row, 1.5 ns for an
 * atomic, 1 ns for a load or store, 0.5 ns for the reply's packet.
 */
#include "fabric/fabric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char text[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
    "<host id='c' speed='1Gf'><prop id='rdma/profile' value='software'/></host>\n"
    "<link id='ab' bandwidth='8GBps' latency='1ns'/><link id='bc' bandwidth='8GBps' latency='1ns'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"
    "<route src='b' dst='c'><link_ctn id='bc'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n"
    "</zone></platform>\n";

static const char *const parameters[][2] = {
    {"rdma/profile", "rae"},       {"rdma/gap", "0"},          {"rdma/header-bytes", "4"},
    {"rdma/ack-overhead", "0"},    {"rdma/inline-limit", "0"}, {"rdma/fetch-latency", "0"},
    {"software/service", "200ns"},
};

enum { A, B, C };
struct probe {
    struct fabric_op op;
    uint64_t address;
    enum node_op asks;
    double at_target, at_origin, updated, ack;
    bool signals, nothing;
};
static struct probe probes[64];
static uint32_t n_probes;
static struct engine *engine;
static struct fluid *fluid;
static struct platform *platform;
static struct base_settings *settings;
static struct fabric *fabric;

static double now_ns(void)
{
    return engine_now(engine) * 1e9;
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    struct probe *p = (struct probe *)op;
    p->at_target = now_ns();
    if (op->kind == FABRIC_PUT)
        p->ack = fabric_ack_delay(f, op) * 1e9;
    if (op->kind != FABRIC_PUT)
        fabric_reply(f, op);
    else if (p->signals)
        fabric_update(f, op);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->at_origin = now_ns();
}

static void updated(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->updated = now_ns();
}

static bool describe(const struct fabric_op *op, bool updates, struct node_request *r)
{
    const struct probe *p = (const struct probe *)op;
    r->address = p->address + (updates ? 4096 : 0);
    r->bytes = updates ? 8 : op->bytes;
    r->op = (uint8_t)(updates ? NODE_SET : p->asks);
    return !p->nothing;
}

static struct fabric_handler handler = {
    .at_target = at_target, .at_origin = at_origin, .updated = updated, .describe = describe};

static int begin(void **state)
{
    struct base_status st;
    (void)state;
    settings = base_settings_create();
    base_settings_declare(settings, fabric_settings, fabric_settings_count);
    base_settings_declare(settings, node_settings, node_settings_count);
    for (size_t k = 0; k < BASE_LENGTH(parameters); k++)
        assert_int_equal(
            base_settings_set(settings, parameters[k][0], parameters[k][1], BASE_FROM_COMMAND, &st), 0);
    engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 64 << 10});
    fluid = fluid_create(engine);
    if (platform_load_text(&platform, text, sizeof text - 1, "test", settings, &st))
        fail_msg("%s", st.text);
    handler.fabric = fabric = fabric_create(engine, fluid, platform, settings);
    memset(probes, 0, sizeof probes);
    n_probes = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    fabric_destroy(fabric);
    fluid_destroy(fluid);
    platform_destroy(platform);
    engine_destroy(engine);
    base_settings_destroy(settings);
    return 0;
}

static struct probe *issue(uint32_t from, uint32_t to, enum fabric_kind kind, enum node_op asks,
                           uint64_t bytes, double at_ns)
{
    struct probe *p = &probes[n_probes++];
    p->op.handler = &handler;
    p->op.origin = from;
    p->op.target = to;
    p->op.kind = (uint8_t)kind;
    p->op.bytes = bytes;
    p->op.event.owners = fabric_server_add(fabric, to);
    p->asks = asks;
    fabric_issue_at(fabric, &p->op, at_ns * 1e-9);
    return p;
}

static void run(void)
{
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
}

static void close_to(double got, double expected, const char *what)
{
    if (fabs(got - expected) > 1e-3)
        fail_msg("%s: %.4f ns; expected %.4f ns", what, got, expected);
}

/* Requests of 5 flits (7: two operands), a reply of 3. */
static void one_atomic(void **state)
{
    (void)state;
    const struct probe *add = issue(A, B, FABRIC_ATOMIC, NODE_ADD, 8, 0);
    const struct probe *cas = issue(B, A, FABRIC_ATOMIC, NODE_CAS, 8, 1000);
    const struct probe *word = issue(A, B, FABRIC_ATOMIC, NODE_CAS, 4, 2000);
    run();
    double card = 1.5 + 1 + 51.652 + 1.5;
    close_to(add->at_target, 1 + 2.5 + card, "an add: 5 flits over a link, the card");
    close_to(add->at_origin, add->at_target + 0.5 + 1 + 1.5, "its reply: 3 flits");
    close_to(cas->at_target, 1000 + 1 + 3.5 + card, "a compare-and-swap: 7 flits");
    close_to(word->at_target, 2000 + 1 + 2.5 + card - 14.16, "one of 4 bytes: 5 flits, an open row");
    close_to(word->at_origin, word->at_target + 0.5 + 1 + 1, "its reply: 2 flits");
    struct fabric_counts c = fabric_counts(fabric);
    assert_int_equal(c.messages, 6);
    assert_int_equal(c.hops, 6);
    assert_int_equal(c.flits, 5 + 3 + 7 + 3 + 5 + 2);
}

/* Loads and stores of the node, and what comes back. */
static void put_and_get(void **state)
{
    (void)state;
    const struct probe *put = issue(A, B, FABRIC_PUT, NODE_STORE, 8, 0);
    const struct probe *get = issue(A, B, FABRIC_GET, NODE_LOAD, 8, 1000);
    const struct probe *bulk = issue(A, B, FABRIC_GET, NODE_LOAD, 4096, 2000);
    run();
    close_to(put->at_target, 1 + 2.5 + 1.5 + 1 + 51.652 + 1, "a put of a word: 5 flits");
    close_to(put->ack, 0.5 + 1 + 0.5, "its acknowledgement: one flit");
    close_to(get->at_target, 1000 + 1 + 1.5 + 1.5 + 1 + 37.492 + 1, "a get: 3 flits");
    close_to(get->at_origin, get->at_target + 0.5 + 1 + 1.5, "its reply");
    close_to(bulk->at_target, 2000 + 1 + 1.5 + 1.5 + 1 + 37.492 + 63 * 3.332, "64 lines by DMA");
    close_to(bulk->at_origin, bulk->at_target + 0.5 + 1 + 512.5, "1025 flits");
    assert_int_equal(node_card_counts(fabric_host_node(fabric, B)).streams, 1);
}

/* 20 atomics on one word, from one host: the link carries one in 2.5 ns, the core needs 1.5 ns for each.
 * They merge. */
static void merging(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++)
        issue(A, B, FABRIC_ATOMIC, NODE_ADD, 8, 0);
    run();
    struct node_card_counts c = node_card_counts(fabric_host_node(fabric, B));
    assert_int_equal(c.executed, 20);
    assert_int_equal(c.host_reads, 1);
    assert_int_equal(c.host_writes, 1);
    for (uint32_t k = 1; k < 20; k++)
        assert_true(probes[k].at_target > probes[k - 1].at_target);
    close_to(probes[19].at_target, 1 + 2.5 + 1.5 + 1 + 51.652 + 20 * 1.5, "the last one");
}

/* A signal is written when the payload is there; what asks nothing of memory passes. */
static void signals(void **state)
{
    (void)state;
    struct probe *put = issue(A, B, FABRIC_PUT, NODE_STORE, 8, 0);
    put->signals = true;
    struct probe *message = issue(A, B, FABRIC_PUT, NODE_STORE, 8, 1000);
    message->nothing = true;
    run();
    /* The signal's line is in the row that the payload has opened, but the payload's line is written back
     * first: its command comes 1 ns (directory) and 10 ns (controller) after at_target, its data take 3.332
     * ns. */
    close_to(put->updated, put->at_target + 1 + 10 + 3.332 + 14.16 + 3.332 + 10 + 1, "updated");
    close_to(message->at_target, 1000 + 1 + 2.5, "a message of a runtime");
}

/* A host's own profile: c is served by software, over the same links. */
static void other_hosts(void **state)
{
    (void)state;
    const struct probe *add = issue(A, C, FABRIC_ATOMIC, NODE_ADD, 8, 0);
    run();
    close_to(add->at_target, 2 + 200, "latency, and the service of the CPU");
    assert_int_equal(fabric_counts(fabric).messages, 0);
    assert_int_equal(fabric_host_progress(fabric, B), FABRIC_BY_RAE);
    assert_int_equal(fabric_host_progress(fabric, C), FABRIC_BY_CALLS);
}

/* Operations in a card are lost with their host, and no later step comes. */
static uint32_t failures;
static void failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    (void)f, (void)op;
    assert_int_equal(why->of, FABRIC_HOST);
    assert_int_equal(why->id, B);
    failures++;
}
static void host_fails(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    fabric_host_fails(fabric, B);
}
static void failing_hosts(void **state)
{
    struct engine_event ev;
    (void)state;
    handler.failed = failed;
    failures = 0;
    issue(A, B, FABRIC_ATOMIC, NODE_ADD, 8, 0);
    issue(A, B, FABRIC_ATOMIC, NODE_ADD, 8, 10);
    engine_event_init(&ev, host_fails);
    engine_event_at(engine, &ev, 30e-9); /* both are in the card then */
    run();
    assert_int_equal(failures, 2);
    assert_true(probes[0].at_target == 0 && probes[1].at_target == 0);
    handler.failed = NULL;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void)
{
    const struct CMUnitTest tests[] = {TEST(one_atomic), TEST(put_and_get), TEST(merging),
                                       TEST(signals),    TEST(other_hosts), TEST(failing_hosts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
