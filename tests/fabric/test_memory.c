/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the memory that a host's cores share, by hand: what computations and copies have alone and together, by bytes;
 * slices of cores that computations outnumber; messages and gets within a host; changes of speed and failures; and that hosts
 * without it are as before. Host a has four cores of 1 Gf, which have 4 GB/s together and 2 GB/s each; copies move 2 bytes
 * for each, at 1 GB/s at most. b has none. */
#include "fabric/parts.h"
#include "stage.h"

static const char two_hosts[] =
    "<?xml version='1.0'?>\n<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf' core='4'><prop id='local/memory-bandwidth' value='4GBps'/>"
    "<prop id='local/core-bandwidth' value='2GBps'/><prop id='local/message-traffic' value='4'/>"
    "<prop id='local/memory-intensity' value='0.5'/></host>\n"
    "<host id='b' speed='1Gf' core='4'/>\n"
    "<link id='l' bandwidth='1GBps' latency='1us' sharing_policy='FATPIPE'/>\n"
    "<route src='a' dst='a'><link_ctn id='l'/></route><route src='b' dst='b'><link_ctn id='l'/></route>\n"
    "</zone></platform>\n";

enum { WORKS = 12 };
struct work {
    double end;
    enum fabric_outcome how;
};
static struct work works[WORKS];

static void over(struct fabric *f, void *arg, enum fabric_outcome how)
{
    (void)f;
    *(struct work *)arg = (struct work){engine_now(stage.engine), how};
}

static struct fabric_exec *compute(int k, uint32_t host, double flops, double moved)
{
    struct fabric_computation c =
        fabric_computation_of(stage.fabric, host, flops, (struct fabric_traffic){.moved = moved});
    works[k].end = -1;
    return fabric_exec_start_with(stage.fabric, host, &c, over, &works[k]);
}

static void copy(int k, double bytes)
{
    works[k].end = -1;
    fabric_copy_start(stage.fabric, A, bytes, fabric_copy_rate(stage.fabric, A), over, &works[k]);
}

static void run(void (*script_of)(void *))
{
    create_text(two_hosts, sizeof two_hosts - 1);
    engine_actor_spawn(stage.engine, script_of, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
}

#define ENDS(k, us) near(works[k].end, us, "end of " #k, __LINE__)

static void alone_and_together(void *arg)
{
    (void)arg;
    compute(0, A, 0, 2e6); /* as fast as one core moves it */
    compute(1, B, 1e6, 2e6);
    engine_sleep_until(stage.engine, 10e-3);
    compute(2, A, 5e6, 2e6); /* its flops take longer */
    engine_sleep_until(stage.engine, 20e-3);
    for (int k = 3; k < 7; k++)
        compute(k, A, 1e5, 2e6); /* 1 GB/s each */
    engine_sleep_until(stage.engine, 30e-3);
    compute(7, A, 1e6, 0); /* by its intensity: 0.5 GB/s */
    engine_sleep_until(stage.engine, 40e-3);
    assert_true(fabric_host_has_memory(stage.fabric, A) && !fabric_host_has_memory(stage.fabric, B));
}

static void cores_share_it(void **state)
{
    (void)state;
    run(alone_and_together);
    ENDS(0, 1000);
    ENDS(1, 1000);
    ENDS(2, 15000);
    for (int k = 3; k < 7; k++)
        ENDS(k, 22000);
    ENDS(7, 31000);
}

/* Three that want 2 GB/s each, and one that wants 0.1: this one has it, the others a third of 3.9. */
static void little_and_much(void *arg)
{
    (void)arg;
    for (int k = 0; k < 3; k++)
        compute(k, A, 0, 3.9e6);
    compute(3, A, 1e7, 1e6);
}

static void who_needs_little_has_it(void **state)
{
    (void)state;
    run(little_and_much);
    for (int k = 0; k < 3; k++)
        ENDS(k, 3000);
    ENDS(3, 10000);
}

/* Eight on four cores: each has a core half of the time, though the memory is what they wait for. */
static void twice_as_many(void *arg)
{
    (void)arg;
    for (int k = 0; k < 7; k++)
        compute(k, A, 1e6, 1e3);
    compute(7, A, 0, 1e6); /* takes 0.5 ms alone */
}

static void cores_are_sliced(void **state)
{
    (void)state;
    run(twice_as_many);
    ENDS(7, 1000);
    for (int k = 0; k < 7; k++) /* seven slices after that: 0.5 are left, at 4/7 */
        ENDS(k, 1000 + 0.5e3 / (4.0 / 7));
}

static void copies(void *arg)
{
    (void)arg;
    copy(0, 1e6);
    engine_sleep_until(stage.engine, 10e-3);
    for (int k = 1; k < 5; k++)
        copy(k, 1e6); /* they want 8 GB/s */
    engine_sleep_until(stage.engine, 20e-3);
    copy(5, 1e6); /* 2 GB/s, and so does each of the others: a third of the 4 for each */
    compute(6, A, 0, 2e6);
    compute(7, A, 0, 2e6);
    engine_sleep_until(stage.engine, 30e-3);
    assert_true(!fabric_copy_shares(stage.fabric, A, 1000) && fabric_copy_shares(stage.fabric, A, 1001));
    assert_false(fabric_copy_shares(stage.fabric, B, 1001));
}

static void copies_share_it(void **state)
{
    (void)state;
    run(copies);
    ENDS(0, 1000);
    for (int k = 1; k < 5; k++)
        ENDS(k, 12000);
    for (int k = 5; k < 8; k++)
        ENDS(k, 21500);
}

static void message(int k, uint32_t host, double bytes)
{
    struct base_status st;
    works[k].end = -1;
    assert_non_null(fabric_transfer_start(stage.fabric, host, host, bytes, INFINITY, over, &works[k], &st));
}

static void messages(void *arg)
{
    (void)arg;
    message(0, A, 1e6); /* 1 GB/s, which moves 4 */
    engine_sleep_until(stage.engine, 10e-3);
    message(1, A, 1e6);
    message(2, A, 1e6);
    engine_sleep_until(stage.engine, 20e-3);
    message(3, A, 1e6); /* 2 GB/s of memory for each */
    engine_sleep_until(stage.engine, 20e-3 + 1e-6);
    compute(4, A, 0, 4e6);
    engine_sleep_until(stage.engine, 30e-3);
    message(5, B, 1e6);
    message(6, B, 1e6);
}

static void messages_of_a_host_share_it(void **state)
{
    (void)state;
    run(messages);
    ENDS(0, 1001);
    ENDS(1, 12001);
    ENDS(2, 12001);
    ENDS(3, 22001);
    ENDS(4, 22001);
    ENDS(5, 31001);
    ENDS(6, 31001);
}

static void changes(void *arg)
{
    (void)arg;
    compute(0, A, 1e6, 1e6);
    compute(1, A, 0, 2e6); /* its memory does not care for the core's speed */
    engine_sleep_until(stage.engine, 500e-6);
    fabric_host_speed_set(stage.fabric, A, 0.5);
    engine_sleep_until(stage.engine, 10e-3);
    copy(2, 1e6);
    compute(3, A, 0, 2e6);
    fabric_exec_cancel(stage.fabric, compute(4, A, 0, 2e6));
    engine_sleep_until(stage.engine, 10.5e-3);
    fabric_host_speed_set(stage.fabric, A, 0); /* what computes stands still */
    engine_sleep_until(stage.engine, 20e-3);
    fabric_host_speed_set(stage.fabric, A, 1);
    engine_sleep_until(stage.engine, 30e-3);
    copy(5, 1e6);
    copy(6, 0);
    compute(7, A, 0, 2e6);
    engine_sleep_until(stage.engine, 30.1e-3);
    fabric_host_fails(stage.fabric, A);
    copy(8, 1e6);
    compute(9, A, 0, 2e6);
}

static void speeds_change_and_hosts_fail(void **state)
{
    (void)state;
    run(changes);
    ENDS(0, 500 + 1000);
    ENDS(1, 1000);
    ENDS(2, 11000);
    ENDS(3, 20000 + 500);
    ENDS(6, 30000);
    for (int k = 5; k < 10; k++) {
        assert_int_equal(works[k].how, k == 6 ? FABRIC_DONE : FABRIC_FAILED);
        if (k != 6)
            ENDS(k, 30100);
    }
}

/* A get of a rank of the same host is a copy; a short one is not shared. */
static void gets_are_copies(void **state)
{
    (void)state;
    create_text(two_hosts, sizeof two_hosts - 1);
    struct probe *x[4];
    for (int k = 0; k < 4; k++)
        x[k] = plan(0, FABRIC_GET, A, A, 1000000);
    struct probe *few = plan(0, FABRIC_GET, A, A, 1000), *other = plan(0, FABRIC_GET, B, B, 1000000);
    play();
    for (int k = 0; k < 4; k++)
        ORIGIN_AT(x[k], 0.2 + 2000);
    ORIGIN_AT(few, 0.2 + 1);
    ORIGIN_AT(other, 0.2 + 1000);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    struct base_status st;
    struct fabric_memory m;
    set("local/memory-bandwidth", "fast");
    assert_int_equal(fabric_memory_read(&m, stage.settings, &st), -1);
    assert_non_null(strstr(st.text, "setting local/memory-bandwidth: 'fast'; expected none, or 1e-3Bps"));
    set("local/memory-bandwidth", "0");
    assert_int_equal(fabric_memory_read(&m, stage.settings, &st), -1);
    set("local/memory-bandwidth", "3GBps");
    assert_int_equal(fabric_memory_read(&m, stage.settings, &st), 0);
    assert_true(m.bandwidth == 3e9 && m.core == 0 && m.copy == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cores_share_it),  TEST(who_needs_little_has_it),     TEST(cores_are_sliced),
        TEST(copies_share_it), TEST(messages_of_a_host_share_it), TEST(speeds_change_and_hosts_fail),
        TEST(gets_are_copies), TEST(wrong_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
