/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers of one connection follow each other: times worked out by hand on the stage's row of hosts (ab: 1 us
 * and 1 GB/s), cancellations and failures in every place of a line, and random lines against the formula of
 * a queue.
 */
#include "seed.h"
#include "shots.h"

#include "fabric/parts.h"

static struct shot *on(uint64_t connection, struct shot *s)
{
    s->connection = connection;
    return s;
}

static void begin(void)
{
    model("CM02");
    set("network/TCP-gamma", "0");
    create("", "", "");
}

static void they_follow_each_other(void **state)
{
    (void)state;
    begin();
    struct shot *s = on(7, send(0, A, B, 1e6)), *t = on(7, send(0, A, B, 2e6)), *u = on(7, send(10, A, B, 1));
    shoot();
    ENDS(s, 1 + 1000);
    ENDS(t, 1 + 3000);
    ENDS(u, 1 + 3000.001);
}

static void latency_passes_meanwhile(void **state)
{
    (void)state;
    begin();
    struct shot *s = on(7, send(0, A, B, 1000)), *t = on(7, send(0.5, A, B, 1000)),
                *u = on(7, send(5, A, B, 1000));
    shoot();
    ENDS(s, 2);
    ENDS(t, 3);
    ENDS(u, 5 + 2);
}

static void connections_share(void **state)
{
    (void)state;
    begin();
    struct shot *s = on(7, send(0, A, B, 1e6)), *t = on(7, send(0, A, B, 1e6)),
                *u = on(8, send(0, A, B, 2e6)), *v = send(0, B, C, 2e6), *w = send(0, B, C, 2e6);
    shoot();
    ENDS(s, 1 + 2000);
    ENDS(t, 1 + 4000);
    ENDS(u, 1 + 4000);
    ENDS(v, 2 + 2000);
    ENDS(w, 2 + 2000);
}

static void they_do_so_without_latency(void **state)
{
    (void)state;
    model("CM02");
    create_text(without_latency, sizeof without_latency - 1);
    struct shot *s = on(7, send(0, A, B, 1e6)), *t = on(7, send(0, A, B, 1e6));
    shoot();
    ENDS(s, 1000);
    ENDS(t, 2000);
}

static void no_bytes_wait_for_their_turn(void **state)
{
    (void)state;
    begin();
    struct shot *s = on(7, send(0, A, B, 1e6)), *t = on(7, send(0, A, B, 0)), *u = on(7, send(0, A, B, 1e6));
    shoot();
    ENDS(s, 1001);
    ENDS(t, 1001);
    ENDS(u, 2001);
}

static int cancelled;
static void cancel_one(void)
{
    fabric_transfer_cancel(stage.fabric, shots[cancelled].transfer);
}

/* Which of five is cancelled at 500 us: 0 and 1 have ended or have the flow; 4 is in its latency. */
static void any_of_them_may_be_cancelled(void **state)
{
    static const double starts[] = {0, 0, 1, 2, 499.5};
    (void)state;
    for (cancelled = 1; cancelled < 5; cancelled++) {
        begin();
        for (int k = 0; k < 5; k++)
            on(7, send(starts[k], A, B, k == 0 ? 100e3 : 1e6));
        change.at_us = 500;
        change.fn = cancel_one;
        shoot();
        double end = 101;
        for (int k = 1; k < 5; k++) {
            if (k == cancelled) {
                assert_false(shots[k].over);
                end = k == 1 ? 500 : end;
                continue;
            }
            end = (k == 4 && end < 500.5 ? 500.5 : end) + 1000;
            ENDS(&shots[k], end);
        }
        assert_int_equal(stage.fabric->connections.live, 0);
        teardown(NULL);
        setup(NULL);
    }
}

static void ab_fails(void)
{
    fabric_link_fails(stage.fabric, 0);
}

static void ab_returns(void)
{
    fabric_link_returns(stage.fabric, 0);
}

static void a_failure_ends_the_whole_line(void **state)
{
    (void)state;
    begin();
    for (int k = 0; k < 4; k++)
        on(7, send(k < 3 ? 0 : 499.5, A, B, 1e6));
    change.at_us = 500;
    change.fn = ab_fails;
    shoot();
    for (int k = 0; k < 4; k++) {
        assert_int_equal(shots[k].how, FABRIC_FAILED);
        ENDS(&shots[k], 500);
    }
    assert_int_equal(stage.fabric->connections.live, 0);
    ab_returns();
    struct shot *s = on(7, send(600, A, B, 1e6));
    shoot();
    assert_int_equal(s->how, FABRIC_DONE);
    ENDS(s, 1601);
}

/* One connection on one link is a queue: each ends its bytes after its arrival and the end of the one before. */
static void a_line_is_a_queue(void **state)
{
    struct base_random random;
    (void)state;
    base_random_seed(&random, seed_of_test(49), 0);
    for (int round = 0; round < 50; round++) {
        begin();
        double at = 0, end = 0, expected[SHOTS];
        for (int k = 0; k < SHOTS; k++) {
            double bytes = (double)(1 + base_random_below(&random, 100000));
            at += (double)base_random_below(&random, 100);
            on(7, send(at, A, B, bytes));
            end = fmax(end, at + 1) + bytes / 1000;
            expected[k] = end;
        }
        shoot();
        for (int k = 0; k < SHOTS; k++)
            ENDS(&shots[k], expected[k]);
        teardown(NULL);
        setup(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(they_follow_each_other),
        TEST(latency_passes_meanwhile),
        TEST(connections_share),
        TEST(they_do_so_without_latency),
        TEST(no_bytes_wait_for_their_turn),
        TEST(any_of_them_may_be_cancelled),
        TEST(a_failure_ends_the_whole_line),
        TEST(a_line_is_a_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
