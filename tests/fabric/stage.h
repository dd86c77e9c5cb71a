/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: shared by tests of the fabric's times: hosts a -- b -- c in a row (1 us and 1 GB/s between a and b,
 * 2 us and 2 GB/s between b and c), round parameters, operations planned for given times, and when they got
 * where.
 */
#ifndef PGASIM_TESTS_FABRIC_STAGE_H
#define PGASIM_TESTS_FABRIC_STAGE_H

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

/* The hosts' properties replace the %s, in order. */
#define STAGE_PLATFORM                                                                                       \
    "<?xml version='1.0'?>\n"                                                                                \
    "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"                                         \
    "<platform version='4.1'><zone id='z' routing='Full'>\n"                                                 \
    "<host id='a' speed='1Gf'>%s</host>\n"                                                                   \
    "<host id='b' speed='1Gf'>%s</host>\n"                                                                   \
    "<host id='c' speed='1Gf'>%s</host>\n"                                                                   \
    "<link id='ab' bandwidth='1GBps' latency='1us'/><link id='bc' bandwidth='2GBps' latency='2us'/>\n"       \
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n"                                                   \
    "<route src='b' dst='c'><link_ctn id='bc'/></route>\n"                                                   \
    "<route src='a' dst='c'><link_ctn id='ab'/><link_ctn id='bc'/></route>\n"                                \
    "</zone></platform>\n"

static const char *const stage_parameters[][2] = {
    {"rdma/put-overhead", "100ns"},    {"rdma/get-overhead", "200ns"},
    {"rdma/atomic-overhead", "300ns"}, {"rdma/copy-per-byte", "1ns"},
    {"rdma/buffered-limit", "1000"},   {"rdma/inline-limit", "64"},
    {"rdma/fetch-latency", "500ns"},   {"rdma/gap", "100ns"},
    {"rdma/header-bytes", "0"},        {"rdma/read-service", "300ns"},
    {"rdma/atomic-service", "400ns"},  {"rdma/atomic-gap", "50ns"},
    {"rdma/ack-overhead", "10ns"},     {"rdma/poll-cost", "25ns"},
    {"local/latency", "200ns"},        {"local/bandwidth", "1GBps"},
    {"local/overhead", "10ns"},        {"local/atomic-service", "80ns"},
    {"software/service", "1us"},
};

enum { A, B, C }; /* in order of declaration */
enum { STAGE_OPS = 16 };
/* One operation of a script, and when it got where. */
struct probe {
    struct fabric_op op; /* first */
    double issue, at_target, at_origin, updated;
    bool no_reply, signals;
};
static struct {
    struct engine *engine;
    struct fluid *fluid;
    struct platform *platform;
    struct base_settings *settings;
    struct fabric *fabric;
    struct probe probes[STAGE_OPS];
    int n;
} stage;

static void set(const char *key, const char *value)
{
    struct base_status st;
    if (base_settings_set(stage.settings, key, value, BASE_FROM_COMMAND, &st))
        fail_msg("%s", st.text);
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    struct probe *p = (struct probe *)op;
    p->at_target = engine_now(stage.engine);
    if (op->kind != FABRIC_PUT && !p->no_reply)
        fabric_reply(f, op);
    if (p->signals)
        fabric_update(f, op);
}
static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->at_origin = engine_now(stage.engine);
}
static void updated(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    ((struct probe *)op)->updated = engine_now(stage.engine);
}
static struct fabric_handler stage_handler = {
    .at_target = at_target, .at_origin = at_origin, .updated = updated};

static int setup(void **state)
{
    (void)state;
    memset(&stage, 0, sizeof stage);
    stage.settings = base_settings_create();
    base_settings_declare(stage.settings, fabric_settings, fabric_settings_count);
    for (size_t k = 0; k < BASE_LENGTH(stage_parameters); k++)
        set(stage_parameters[k][0], stage_parameters[k][1]);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fabric_destroy(stage.fabric);
    platform_destroy(stage.platform);
    fluid_destroy(stage.fluid);
    engine_destroy(stage.engine);
    base_settings_destroy(stage.settings);
    return 0;
}

static void create_text(const char *text, size_t size)
{
    struct base_status st;
    stage.engine = engine_create(&(struct engine_config){.max_actors = 1000, .stack_size = 64 << 10});
    stage.fluid = fluid_create(stage.engine);
    if (platform_load_text(&stage.platform, text, size, "test", stage.settings, &st))
        fail_msg("%s", st.text);
    stage.fabric = fabric_create(stage.engine, stage.fluid, stage.platform, stage.settings);
    stage_handler.fabric = stage.fabric;
}

static inline void create(const char *of_a, const char *of_b, const char *of_c)
{
    char text[4096];
    int n = snprintf(text, sizeof text, STAGE_PLATFORM, of_a, of_b, of_c);
    create_text(text, (size_t)n);
}

static inline struct probe *plan(double issue_us, enum fabric_kind kind, uint32_t origin, uint32_t target,
                                 uint64_t bytes)
{
    struct probe *p = &stage.probes[stage.n++];
    p->issue = issue_us * US;
    p->op = (struct fabric_op){
        .handler = &stage_handler, .kind = (uint8_t)kind, .origin = origin, .target = target, .bytes = bytes};
    p->at_origin = p->at_target = p->updated = -1;
    return p;
}

static void script(void *arg)
{
    (void)arg;
    for (int k = 0; k < stage.n; k++) {
        if (stage.probes[k].issue > engine_now(stage.engine))
            engine_sleep_until(stage.engine, stage.probes[k].issue);
        fabric_issue(stage.fabric, &stage.probes[k].op);
    }
}

static inline void play(void)
{
    engine_actor_spawn(stage.engine, script, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
}

static void near(double got, double expected_us, const char *what, int line)
{
    if (fabs(got / US - expected_us) > 1e-6 * fabs(expected_us) + 1e-9)
        fail_msg("line %d: %s is %.9g us, expected %.9g us", line, what, got / US, expected_us);
}
#define IS(got, us)     near(got, us, #got, __LINE__)
#define TARGET_AT(p, t) near((p)->at_target, t, "at_target", __LINE__)
#define ORIGIN_AT(p, t) near((p)->at_origin, t, "at_origin", __LINE__)

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
