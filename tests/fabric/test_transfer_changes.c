/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what happens to transfers on their way: links that change or fail, hosts that fail, cancelling. The
 * stage's row of hosts (ab: 1 us, 1 GB/s; bc: 2 us, 2 GB/s).
 */
#include "shots.h"

static void change_at(double at_us, void (*fn)(void))
{
    change.at_us = at_us;
    change.fn = fn;
}

static void halve_ab(void)
{
    fabric_link_bandwidth_set(stage.fabric, 0, 5e8);
}

static void double_ab(void)
{
    fabric_link_bandwidth_set(stage.fabric, 0, 2e9);
}

static void a_link_may_get_another_bandwidth(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6);
    change_at(501, halve_ab);
    shoot();
    ENDS(s, 501 + 1000);
    s = send(3000, A, B, 1e6);
    change_at(3501, double_ab); /* a transfer keeps the bound of its start */
    shoot();
    ENDS(s, 3000 + 1 + 2000);
    s = send(6000, A, B, 1e6);
    shoot();
    ENDS(s, 6000 + 1 + 500);
}

static void ab_gets_ten_us(void)
{
    fabric_link_latency_set(stage.fabric, 0, 10e-6);
}

/* Transfers under way become slower by the window; those
 * that start later have the new latency, there and back. */
static void a_link_may_get_another_latency(void **state)
{
    (void)state;
    model("CM02");
    set("network/TCP-gamma", "1000");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6);
    change_at(1001, ab_gets_ten_us); /* 1000 B / 20 us = 50 MB/s */
    shoot();
    ENDS(s, 1001 + 5e5 / 50);
    s = send(20000, B, A, 1000);
    shoot();
    ENDS(s, 20000 + 10 + 20);
    assert_true(fabs(fabric_latency(stage.fabric, A, C, 1) - 12e-6) < 1e-15);
}

static void ab_gets_three_seconds(void)
{
    fabric_link_latency_set(stage.fabric, 0, 3);
}

/* A transfer that started without latency weighs 1; after the
 * change it and the other weigh what their links add up to. */
static void a_change_gives_weight_to_a_transfer_without_latency(void **state)
{
    (void)state;
    model("CM02");
    set("network/TCP-gamma", "1e12");
    create_text(without_latency, sizeof without_latency - 1);
    struct shot *t = send(0, A, C, 1e9), *s = send(1e6, A, B, 1e9);
    change_at(2e6, ab_gets_three_seconds);
    shoot();
    ENDS(s, 2.875e6); /* a half each for a second, then 4/7 */
    ENDS(t, 3e6);
}

static void ab_fails(void)
{
    fabric_link_fails(stage.fabric, 0);
}

static void c_fails(void)
{
    fabric_host_fails(stage.fabric, C);
}

static void a_failing_link_ends_what_crosses_it(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, C, B, 1e6), *u = send(499.5, A, C, 1);
    change_at(500, ab_fails); /* u is in its latency */
    shoot();
    assert_int_equal(s->how, FABRIC_FAILED);
    assert_int_equal(u->how, FABRIC_FAILED);
    assert_int_equal(t->how, FABRIC_DONE);
    ENDS(s, 500);
    ENDS(u, 500);
    ENDS(t, 2 + 500);
    s = send(700, A, B, 1e6);
    shoot();
    assert_int_equal(s->how, FABRIC_FAILED);
    ENDS(s, 700);
    fabric_link_returns(stage.fabric, 0);
    s = send(800, A, B, 1e6);
    shoot();
    assert_int_equal(s->how, FABRIC_DONE);
    ENDS(s, 800 + 1001);
}

static void a_failing_host_ends_what_it_sends_and_receives(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, C, 1e6), *t = send(0, C, B, 1e6), *u = send(0, A, B, 1e6);
    change_at(100, c_fails);
    shoot();
    assert_int_equal(s->how, FABRIC_FAILED);
    assert_int_equal(t->how, FABRIC_FAILED);
    assert_int_equal(u->how, FABRIC_DONE);
    ENDS(s, 100);
    ENDS(t, 100);
    assert_false(fabric_host_on(stage.fabric, C));
    s = send(5000, B, C, 10);
    shoot();
    assert_int_equal(s->how, FABRIC_FAILED);
}

static void cancel_two(void)
{
    fabric_transfer_cancel(stage.fabric, shots[0].transfer); /* a flow */
    fabric_transfer_cancel(stage.fabric, shots[2].transfer); /* in its latency */
}

static void a_cancelled_transfer_is_not_heard_of_again(void **state)
{
    (void)state;
    model("CM02");
    create("", "", "");
    struct shot *s = send(0, A, B, 1e6), *t = send(0, A, B, 1e6), *u = send(100.5, A, B, 5);
    change_at(101, cancel_two);
    shoot();
    assert_false(s->over);
    assert_false(u->over);
    ENDS(t, 101 + (1e6 - 50000) / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_link_may_get_another_bandwidth),
        TEST(a_link_may_get_another_latency),
        TEST(a_change_gives_weight_to_a_transfer_without_latency),
        TEST(a_failing_link_ends_what_crosses_it),
        TEST(a_failing_host_ends_what_it_sends_and_receives),
        TEST(a_cancelled_transfer_is_not_heard_of_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
