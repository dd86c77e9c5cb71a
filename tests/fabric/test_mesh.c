/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages on meshes of 32-bit flits (paper 002, Table I). A router and a wire take a cycle of 0.5 ns each, so F
 * flits over H links take (H + 1) routers + H wires + (F - 1) flits = 2 H + F cycles, if nothing is in their
 * way. A put of 8 bytes is 5 flits: header, two of the address, two of data. Whatever asks nothing of memory
 * passes the card, so that `at_target` is the arrival.
 */
#include "fabric/fabric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const parameters[][2] = {
    {"rdma/profile", "rae"},    {"rdma/gap", "0"},          {"rdma/header-bytes", "4"},
    {"rdma/ack-overhead", "0"}, {"rdma/inline-limit", "0"}, {"rdma/fetch-latency", "0"},
};

struct probe {
    struct fabric_op op;
    double at_target;
};
static struct probe probes[16 * 15];
static uint32_t n_probes;
static struct engine *engine;
static struct fluid *fluid;
static struct platform *platform;
static struct base_settings *settings;
static struct fabric *fabric;

static void at_target(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->at_target = engine_now(engine) * 1e9;
}

static bool nothing(const struct fabric_op *op, bool updates, struct node_request *r)
{
    (void)op, (void)updates, (void)r;
    return false;
}

static struct fabric_handler handler = {.at_target = at_target, .describe = nothing};

static void begin(const char *sizes, bool compact)
{
    struct base_status st;
    struct platform_plan plan = {.kind = "rae-mesh"};
    plan.value[PLATFORM_DIMENSIONS] = sizes;
    plan.value[PLATFORM_COMPACT] = compact ? "" : NULL;
    char *text = platform_generate(&plan, &st);
    settings = base_settings_create();
    base_settings_declare(settings, fabric_settings, fabric_settings_count);
    base_settings_declare(settings, node_settings, node_settings_count);
    for (size_t k = 0; k < BASE_LENGTH(parameters); k++)
        assert_int_equal(
            base_settings_set(settings, parameters[k][0], parameters[k][1], BASE_FROM_COMMAND, &st), 0);
    engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 64 << 10});
    fluid = fluid_create(engine);
    if (!text || platform_load_text(&platform, text, strlen(text), "test", settings, &st))
        fail_msg("%s", st.text);
    free(text);
    handler.fabric = fabric = fabric_create(engine, fluid, platform, settings);
    n_probes = 0;
}

static void end(void)
{
    fabric_destroy(fabric);
    fluid_destroy(fluid);
    platform_destroy(platform);
    engine_destroy(engine);
    base_settings_destroy(settings);
}

static const struct probe *put(uint32_t from, uint32_t to, uint64_t bytes, double at_ns)
{
    struct probe *p = &probes[n_probes++];
    memset(p, 0, sizeof *p);
    p->op.handler = &handler;
    p->op.origin = from;
    p->op.target = to;
    p->op.kind = FABRIC_PUT;
    p->op.bytes = bytes;
    p->op.event.owners = fabric_server_add(fabric, to);
    fabric_issue_at(fabric, &p->op, at_ns * 1e-9);
    return p;
}

/* What all links carried, but ports; and the most that one of them did. */
struct carried {
    uint64_t packets, most;
    double ns, most_ns;
    uint32_t links;
};
static void add_link(void *ctx, uint32_t link, uint64_t packets, double seconds)
{
    struct carried *c = ctx;
    assert_true(platform_link(platform, link)->policy != PLATFORM_FATPIPE);
    c->links++;
    c->packets += packets;
    c->ns += seconds * 1e9;
    if (packets > c->most) {
        c->most = packets;
        c->most_ns = seconds * 1e9;
    }
}
static struct carried carried(void)
{
    struct carried c = {0};
    fabric_links_each(fabric, add_link, &c);
    return c;
}

static void run(void)
{
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
}

static void close_to(double got, double expected, const char *what)
{
    if (fabs(got - expected) > 1e-6)
        fail_msg("%s: %.7f ns; expected %.7f ns", what, got, expected);
}

static uint32_t steps(uint32_t from, uint32_t to, uint32_t width)
{
    return (uint32_t)(abs((int)(from % width) - (int)(to % width)) +
                      abs((int)(from / width) - (int)(to / width)));
}

/* One message at a time between any two nodes, in both forms of the file. */
static void every_pair(void **state)
{
    static const struct {
        const char *sizes;
        uint32_t width, hosts;
    } meshes[] = {{"3,2", 3, 6}, {"4,4", 4, 16}};
    (void)state;
    for (unsigned k = 0; k < 2 * BASE_LENGTH(meshes); k++) {
        uint32_t width = meshes[k / 2].width, hosts = meshes[k / 2].hosts;
        uint64_t hops = 0;
        begin(meshes[k / 2].sizes, k % 2);
        for (uint32_t from = 0; from < hosts; from++)
            for (uint32_t to = 0; to < hosts; to++) {
                if (from == to)
                    continue;
                put(from, to, 8, 100.0 * (from * hosts + to));
                hops += steps(from, to, width);
            }
        run();
        for (uint32_t at = 0; at < n_probes; at++) {
            uint32_t from = probes[at].op.origin, to = probes[at].op.target;
            uint32_t h = steps(from, to, width);
            char what[64];
            snprintf(what, sizeof what, "%s: %u to %u, %u links", meshes[k / 2].sizes, from, to, h);
            close_to(probes[at].at_target - 100.0 * (from * hosts + to), 0.5 * ((h + 1) + h + (5 - 1)), what);
        }
        struct fabric_counts c = fabric_counts(fabric);
        assert_int_equal(c.messages, hosts * (hosts - 1));
        assert_int_equal(c.hops, hops);
        assert_int_equal(c.flits, 5 * c.messages);
        assert_int_equal(carried().packets, hops); /* a message keeps each of its links busy for 2.5 ns */
        close_to(carried().ns, 2.5 * (double)hops, "all links");
        end();
    }
}

/*
 * A row of a mesh, 0 - 1 - 2 - 3, and below it 4 - 5 - 6 - 7. A link carries messages one after the other, in
 * the order in which they were sent, 2.5 ns for each of 5 flits; the latency of the way comes on top.
 *   a: 0 to 2, over 0-1 and 1-2;         b: 1 to 2, waits for a on 1-2
 *   c: 2 to 1, over 2-1: nobody is there  d: 1 to 6, over 1-2 and 2-6: waits for b on 1-2
 *   e: 3 to 6, over 3-2 and 2-6: waits for d on 2-6, though d has yet to come there
 */
static void contention(void **state)
{
    (void)state;
    for (int compact = 0; compact < 2; compact++) {
        begin("4,2", compact);
        const struct probe *a = put(0, 2, 8, 0), *b = put(1, 2, 8, 0), *c = put(2, 1, 8, 0);
        run();
        close_to(a->at_target, 2.5 + 2, "a");
        close_to(b->at_target, 2.5 + 2.5 + 1, "b, behind a");
        close_to(c->at_target, 2.5 + 1, "c, the other way");
        assert_int_equal(carried().links, 3);
        assert_int_equal(carried().most, 2); /* from 1 to 2 */
        close_to(carried().most_ns, 5, "from 1 to 2");
        end();
        begin("4,2", compact);
        b = put(1, 2, 8, 0);
        const struct probe *d = put(1, 6, 8, 0), *e = put(3, 6, 8, 2.6);
        run();
        close_to(b->at_target, 2.5 + 1, "b");
        close_to(d->at_target, 2.5 + 2.5 + 2, "d, behind b");
        close_to(e->at_target, 2.5 + 2.5 + 2.5 + 2, "e, behind d");
        end();
    }
}

/* All 63 others of an 8 x 8 mesh send to node 0 at once. With X-Y routes 56 of the messages come over the link
 * from node 8 and 7 over that from node 1. A link is never idle while messages wait for it, so that the last
 * one has left the link from node 8 after 56 x 2.5 ns; the latency of its way, at most 14 links, is added. */
static void gathering(void **state)
{
    double last = 0, from_1 = 0;
    (void)state;
    begin("8,8", true);
    for (uint32_t from = 1; from < 64; from++)
        put(from, 0, 8, 0);
    run();
    for (uint32_t k = 0; k < n_probes; k++) {
        last = fmax(last, probes[k].at_target);
        if (probes[k].op.origin < 8)
            from_1 = fmax(from_1, probes[k].at_target);
    }
    assert_int_equal(carried().most, 56);
    close_to(carried().most_ns, 56 * 2.5, "from 8 to 0");
    if (last < 56 * 2.5 + 1 || last > 56 * 2.5 + 14 + 1e-6)
        fail_msg("the last of 56 messages over one link arrives at %g ns", last);
    if (from_1 < 7 * 2.5 + 1 || from_1 > 7 * 2.5 + 7 + 1e-6)
        fail_msg("the last of 7 messages over one link arrives at %g ns", from_1);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair), cmocka_unit_test(contention),
                                       cmocka_unit_test(gathering)};
    return cmocka_run_group_tests_name("messages on meshes", tests, NULL, NULL);
}
