/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins computations: one core's speed at most, shares when they outnumber the cores, speeds that change,
 * hosts that fail. Host a has two cores of 1 Gf, host b one of 2 Gf. */
#include "stage.h"

static const char two_hosts[] =
    "<?xml version='1.0'?>\n<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf' core='2'/><host id='b' speed='2Gf'/>\n"
    "</zone></platform>\n";

enum { EXECS = 8 };
struct work {
    double end;
    enum fabric_outcome how;
    struct fabric_exec *exec;
    bool over;
};
static struct work works[EXECS];

static void over(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct work *w = arg;
    (void)f;
    assert_false(w->over);
    w->over = true;
    w->how = how;
    w->end = engine_now(stage.engine);
}

static void start(int k, uint32_t host, double flops)
{
    works[k] = (struct work){.end = -1};
    works[k].exec = fabric_exec_start(stage.fabric, host, flops, over, &works[k]);
}

static void run(void (*script_of)(void *))
{
    create_text(two_hosts, sizeof two_hosts - 1);
    engine_actor_spawn(stage.engine, script_of, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
}

#define ENDS(k, us) near(works[k].end, us, "end of " #k, __LINE__)

static void five(void *arg)
{
    (void)arg;
    start(0, A, 1e6);
    start(1, A, 1e6);
    start(2, B, 1e6);
    start(3, B, 0);
    engine_sleep(stage.engine, 1e-2);
    for (int k = 4; k < 7; k++)
        start(k, A, 1e6);
}

static void cores_are_shared_by_those_who_outnumber_them(void **state)
{
    (void)state;
    run(five);
    ENDS(0, 1000);
    ENDS(1, 1000);
    ENDS(2, 500);
    ENDS(3, 0);
    for (int k = 4; k < 7; k++)
        ENDS(k, 1e4 + 1500); /* three on two cores */
}

static void faster_and_slower(void *arg)
{
    (void)arg;
    start(0, A, 1e6);
    engine_sleep_until(stage.engine, 200e-6);
    fabric_host_speed_set(stage.fabric, A, 0.5);
    engine_sleep_until(stage.engine, 400e-6);
    fabric_host_speed_set(stage.fabric, A, 0); /* 300 000 flops are done */
    start(1, A, 1e5);
    start(2, A, 1e5);
    fabric_exec_cancel(stage.fabric, works[2].exec);
    engine_sleep_until(stage.engine, 1000e-6);
    assert_true(fabric_host_speed(stage.fabric, A) == 0);
    fabric_host_speed_set(stage.fabric, A, 0); /* again */
    fabric_host_speed_set(stage.fabric, A, 2);
    assert_true(fabric_host_speed(stage.fabric, A) == 2e9);
    assert_true(fabric_host_varies(stage.fabric, A));
    assert_false(fabric_host_varies(stage.fabric, B));
}

static void speeds_change_under_them(void **state)
{
    (void)state;
    run(faster_and_slower);
    ENDS(0, 1000 + 350);
    ENDS(1, 1000 + 50);
    assert_false(works[2].over);
}

static void a_fails(void *arg)
{
    (void)arg;
    start(0, A, 1e6);
    start(1, B, 1e6);
    start(2, A, 0);
    engine_sleep_until(stage.engine, 100e-6);
    start(3, A, 0); /* over, but for its event */
    fabric_host_fails(stage.fabric, A);
    fabric_host_fails(stage.fabric, A);
    start(4, A, 1e6);
    engine_sleep_until(stage.engine, 300e-6);
    fabric_host_returns(stage.fabric, A);
    start(5, A, 1e6);
}

static void a_failing_host_ends_them(void **state)
{
    (void)state;
    run(a_fails);
    static const enum fabric_outcome how[] = {FABRIC_FAILED, FABRIC_DONE,   FABRIC_DONE,
                                              FABRIC_FAILED, FABRIC_FAILED, FABRIC_DONE};
    static const double end[] = {100, 500, 0, 100, 100, 1300};
    for (int k = 0; k < 6; k++) {
        assert_true(works[k].over);
        assert_int_equal(works[k].how, how[k]);
        ENDS(k, end[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cores_are_shared_by_those_who_outnumber_them),
        TEST(speeds_change_under_them),
        TEST(a_failing_host_ends_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
