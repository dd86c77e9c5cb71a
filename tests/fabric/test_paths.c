/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More pairs of hosts than paths are kept: paths are forgotten and found again, which changes no time. Each
 * host of a flat cluster sends to every other one, in rounds in which no two messages share a link.
 */
#include "fabric/fabric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { HOSTS = 400, ROUNDS = HOSTS - 1, KEPT = 4 << 15 };

static const char platform_text[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<cluster id='c' prefix='n' suffix='' radical='0-399' speed='1Gf' bw='1GBps' lat='1us'/>\n"
    "</zone></platform>\n";

static struct engine *engine;
static struct fabric *fabric;
static struct fabric_op ops[HOSTS];
static double sent_at, took;
static uint64_t arrived;

static void at_target(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    double t = engine_now(engine) - sent_at;
    arrived++;
    if (fabs(t - took) > 1e-12)
        fail_msg("%u to %u took %.9g s, expected %.9g s", (unsigned)op->origin, (unsigned)op->target, t,
                 took);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    (void)op;
    fail_msg("a put has no reply");
}

static struct fabric_handler handler = {.at_target = at_target, .at_origin = at_origin};

static void one_round(uint32_t distance, uint64_t bytes)
{
    sent_at = engine_now(engine);
    for (uint32_t h = 0; h < HOSTS; h++) {
        ops[h] = (struct fabric_op){.handler = &handler,
                                    .kind = FABRIC_PUT,
                                    .origin = h,
                                    .target = (h + distance) % HOSTS,
                                    .bytes = bytes};
        fabric_issue(fabric, &ops[h]);
    }
    engine_sleep(engine, 1e-3);
}

static void all_pairs(void *arg)
{
    (void)arg;
    for (uint32_t distance = 1; distance <= ROUNDS; distance++)
        one_round(distance, 200);
    for (uint32_t distance = 1; distance <= 20; distance++)
        one_round(distance, 200);
}

static void forgotten_paths_are_found_again(void **state)
{
    (void)state;
    struct base_status st;
    struct platform *platform;
    struct base_settings *settings = base_settings_create();
    base_settings_declare(settings, fabric_settings, fabric_settings_count);
    base_settings_set(settings, "rdma/packet", "0", BASE_FROM_COMMAND, NULL);
    engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 64 << 10});
    struct fluid *fluid = fluid_create(engine);
    if (platform_load_text(&platform, platform_text, sizeof platform_text - 1, "test", settings, &st))
        fail_msg("%s", st.text);
    handler.fabric = fabric = fabric_create(engine, fluid, platform, settings);
    took = 2e-6 + 242 / 1e9; /* two links; payload and header; less than the limit for a fetch */
    engine_actor_spawn(engine, all_pairs, NULL, NULL);
    assert_int_equal(engine_run(engine), ENGINE_ALL_DONE);
    assert_int_equal(arrived, (ROUNDS + 20) * HOSTS);
    struct fabric_counts c = fabric_counts(fabric);
    print_message("%llu paths kept, %llu routes asked\n", (unsigned long long)c.paths,
                  (unsigned long long)c.routed);
    assert_in_range(c.paths, KEPT / 2, KEPT);
    assert_true(c.routed > ROUNDS * HOSTS); /* some twice */
    fabric_destroy(fabric);
    platform_destroy(platform);
    fluid_destroy(fluid);
    engine_destroy(engine);
    base_settings_destroy(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forgotten_paths_are_found_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
