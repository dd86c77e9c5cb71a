/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links and hosts that fail under messages: whoever waits is told which one it was; where nobody waits, the
 * sender's rank has failed, and the job ends with a report.
 */
#include "world.h"

enum { LINK_AB }; /* the first of the platform's */
static uint64_t bytes;
static double fails_at;
static bool host;

static int setup(void **state)
{
    (void)state;
    world_prepare(4); /* ranks 0 and 2 on a, 1 and 3 on b */
    world_begin();
    host = false;
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    world_end();
    return 0;
}

/* Rank 2 pulls the plug. */
static void destroyer(struct rank *r)
{
    sleep_until(r, fails_at);
    if (host)
        fabric_host_fails(rank_fabric(r->job), 1);
    else
        fabric_link_fails(rank_fabric(r->job), LINK_AB);
}
static void play(ranks_body_fn a, ranks_body_fn b, enum engine_end end)
{
    world.body[0] = a;
    world.body[1] = b;
    world.body[2] = destroyer;
    if (ranks_run(&world) != end)
        fail_msg("%s", world.report);
}
static void failed_by_the_link(const struct p2p_status *st)
{
    assert_int_equal(st->outcome, P2P_FAILED);
    assert_int_equal(st->failure.of, FABRIC_LINK);
    assert_int_equal(st->failure.id, LINK_AB);
    assert_true(fabs(st->time - fails_at * US) < 1e-12);
}

static void sync_sender(struct rank *r)
{
    struct p2p_status st = send_to(r, 1, 1, 0, bytes, P2P_STANDARD);
    failed_by_the_link(&st);
}
static void sender(struct rank *r)
{
    assert_int_equal(send_to(r, 1, 1, 0, bytes, P2P_STANDARD).outcome, P2P_OK);
}
static void receiver(struct rank *r)
{
    struct p2p_status st = receive_from(r, 0, 1, 0, bytes);
    failed_by_the_link(&st);
}
static void under_a_rendezvous_both_are_told(void **state)
{
    (void)state;
    bytes = 80000;
    fails_at = 50;
    play(sync_sender, receiver, ENGINE_ALL_DONE);
    none_left();
}
static void under_a_detached_one_the_receiver_is_told(void **state)
{
    (void)state;
    bytes = 8000;
    fails_at = 10;
    play(sender, receiver, ENGINE_ALL_DONE);
    none_left();
}

/* Nobody receives it yet: its sender's rank has failed; or, where that has ended, its receiver's. */
static void late_receiver(struct rank *r)
{
    sleep_until(r, 100);
    receive_from(r, 0, 1, 0, bytes);
}
static void stays(struct rank *r)
{
    sender(r);
    sleep_until(r, 200);
}
static void while_its_sender_goes_on(void **state)
{
    (void)state;
    bytes = 900;
    fails_at = 3;
    play(stays, late_receiver, ENGINE_STOPPED);
    if (!strstr(world.report,
                "rank 0 (host a) at 3.000 us: send of 900 bytes to rank 1 (host b): link ab failed"))
        fail_msg("%s", world.report);
}
static void whose_sender_has_ended(void **state)
{
    (void)state;
    bytes = 900;
    fails_at = 3;
    play(sender, late_receiver, ENGINE_STOPPED);
    if (!strstr(world.report,
                "rank 1 (host b) at 3.000 us: send of 900 bytes from rank 0 (host a): link ab failed"))
        fail_msg("%s", world.report);
}

/* It has been taken by a probe: its receive is told. */
static void takes_it(struct rank *r)
{
    struct p2p_status st;
    struct p2p_message *m = p2p_match(r, &(struct p2p_envelope){0, 0, 1}, "mprobe", &st);
    struct p2p_buffer b = heap_bytes(r, 0, bytes);
    assert_int_equal(st.bytes, bytes);
    sleep_until(r, 100);
    p2p_receive_matched(r, m, &b, "mrecv", &st);
    assert_int_equal(st.outcome, P2P_FAILED);
    assert_int_equal(st.failure.of, FABRIC_LINK);
}
static void a_message_that_was_taken(void **state)
{
    (void)state;
    bytes = 900;
    fails_at = 3;
    play(sender, takes_it, ENGINE_ALL_DONE);
    none_left();
}

/* A host without power: what is sent to it fails at once, in every mode, instead of waiting for ever. */
static void sends_into_the_dark(struct rank *r)
{
    static const enum p2p_sending ways[] = {P2P_STANDARD, P2P_SYNCHRONOUS};
    sleep_until(r, 50);
    for (size_t k = 0; k < BASE_LENGTH(ways); k++) {
        struct p2p_status st = send_to(r, 1, 1, 0, 80000, ways[k]);
        assert_int_equal(st.outcome, P2P_FAILED);
        assert_int_equal(st.failure.of, FABRIC_HOST);
        assert_int_equal(st.failure.id, 1);
    }
}
static void a_host_that_is_off(void **state)
{
    (void)state;
    teardown(NULL);
    world_prepare(4);
    ranks_setting(&world, "on-failure", "kill-rank");
    world_begin();
    host = true;
    fails_at = 20;
    world.body[0] = sends_into_the_dark;
    world.body[2] = destroyer;
    ranks_run(&world);
    assert_null(strstr(world.report, "deadlock"));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(under_a_rendezvous_both_are_told), CASE(under_a_detached_one_the_receiver_is_told),
        CASE(while_its_sender_goes_on),         CASE(whose_sender_has_ended),
        CASE(a_message_that_was_taken),         CASE(a_host_that_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
