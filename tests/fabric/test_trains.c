/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages in frames (network/frame): times worked out by hand on the stage's row of hosts (ab: 1 us and 1 GB/s, bc:
 * 2 us and 2 GB/s), with frames of 1000 bytes, which take 1 us on ab; cancellations and failures in every stage; and
 * random messages against the formula of a queue. Words and acknowledgements are frames of 66 bytes, 66 ns on ab.
 */
#include "seed.h"
#include "shots.h"

#include "fabric/parts.h"

static void begin(const char *window, const char *factor)
{
    model("CM02");
    set("network/TCP-gamma", "0");
    set("network/frame", "1000");
    set("network/window", window);
    set("network/latency-factor", factor);
    create("", "", "");
}

static struct shot *asks(struct shot *s)
{
    s->asks = true;
    return s;
}

static struct shot *on(uint64_t connection, struct shot *s)
{
    s->connection = connection;
    return s;
}

static void all_is_over(void)
{
    assert_int_equal(stage.fabric->train_pool.live, 0);
    assert_int_equal(stage.fabric->frame_pool.live, 0);
}

static void alone_it_takes_what_a_flow_takes(void **state)
{
    (void)state;
    begin("0", "1");
    struct shot *s = send(0, A, B, 10500), *t = send(100, A, C, 10000), *u = send(200, A, B, 0),
                *v = send(300, B, C, 1);
    shoot();
    ENDS(s, 1 + 10.5);
    ENDS(t, 100 + 3 + 10);
    ENDS(u, 200 + 1);
    ENDS(v, 300 + 2 + 0.0005);
    all_is_over();
}

static void they_follow_each_other_on_the_first_link(void **state)
{
    (void)state;
    begin("0", "1");
    struct shot *s = send(0, A, B, 10000), *t = send(0, A, C, 10000), *u = send(0, A, B, 1000);
    shoot();
    ENDS(s, 10 + 1);
    ENDS(t, 10 + 10 + 3); /* bc is the faster one */
    ENDS(u, 10 + 10 + 1 + 1);
}

/* B's frames have bc until 10; A's waits for them. */
static void they_wait_in_front_of_a_later_link(void **state)
{
    (void)state;
    begin("0", "1");
    struct shot *s = send(0, B, C, 20000), *t = send(0, A, C, 1000), *u = send(0, A, B, 5000);
    shoot();
    ENDS(s, 10 + 2);
    ENDS(t, 10 + 0.5 + 2);
    ENDS(u, 1 + 5 + 1);
}

/* Frames of 1000, 1000 and 500 bytes, of 1000 and 1, and A's of 1000 and 500, whose heads are at B at 1 and 2. On bc each
 * takes half of that. */
static void all_but_the_last_are_full(void **state)
{
    (void)state;
    begin("0", "1");
    struct shot *s = send(0, B, C, 2500), *u = send(0, A, C, 1500), *t = send(0.5, B, C, 1001);
    shoot();
    ENDS(s, 1.25 + 2);
    ENDS(t, 1.25 + 0.5005 + 2);
    ENDS(u, 1.25 + 0.5005 + 0.5 + 0.25 + 2);
    all_is_over();
}

/* Frames 1 and 2 arrive at 2 and 3. Word of 1 lets 3 go at 3.066, when the link has carried word of 2, which lets 4 go
 * at 4.066. */
static void a_window_lets_two_go(void **state)
{
    (void)state;
    begin("2000", "1");
    struct shot *s = send(0, A, B, 4000);
    shoot();
    ENDS(s, 6.066);
    all_is_over();
}

/* Word of frame 1 enters the link at 2 and lets 2 and 3 go at 3.066; that of 2 waits for 3, and lets 4 go at 6.132. */
static void a_window_grows(void **state)
{
    (void)state;
    set("network/slow-start", "yes");
    begin("1000", "1");
    struct shot *s = send(0, A, B, 4000);
    shoot();
    ENDS(s, 8.132);
    all_is_over();
}

static void a_window_has_place_for_one_frame(void **state)
{
    (void)state;
    begin("64", "1");
    struct shot *s = send(0, A, B, 3000);
    shoot();
    ENDS(s, 1 + 3 * 1 + 2 * 2.066);
}

/* The second one begins when all frames of the first have been sent. */
static void one_connection_is_in_order(void **state)
{
    (void)state;
    begin("1000", "1");
    struct shot *s = on(7, send(0, A, B, 3000)), *t = on(7, send(0, A, B, 3000));
    shoot();
    ENDS(s, 8.132);
    ENDS(t, 15.264);
    assert_int_equal(stage.fabric->connections.live, 0);
}

/* Of four latencies, the words there and back have two. */
static void two_words_go_first(void **state)
{
    (void)state;
    begin("0", "0:1;100:4");
    struct shot *s = asks(send(0, A, B, 1000)), *t = send(100, A, B, 1000), *u = asks(send(200, A, B, 50));
    shoot();
    ENDS(s, 4 + 2 * 0.066 + 1);
    ENDS(t, 100 + 4 + 1);
    ENDS(u, 200 + 1 + 0.05);
    all_is_over();
}

/* The link is busy from 3 to 13. */
static void words_wait_for_frames(void **state)
{
    (void)state;
    begin("0", "0:1;100:4");
    struct shot *s = send(0, A, B, 10000), *t = asks(send(5, A, B, 1000));
    shoot();
    ENDS(s, 14);
    ENDS(t, 13 + 1.066 + 1.066 + 2 + 1);
}

static void one_word_comes_back(void **state)
{
    (void)state;
    begin("0", "0:1;100:2.5");
    struct shot *s = asks(send(0, A, B, 1000));
    shoot();
    ENDS(s, 2.5 + 0.066 + 1);
}

/* With half of its links' latency a message has none of it on them. */
static void less_latency_than_links_passes_before(void **state)
{
    (void)state;
    begin("0", "0:1;100:0.5");
    struct shot *s = send(0, A, B, 1000), *t = send(0, A, C, 1000);
    shoot();
    ENDS(s, 0.5 + 1);
    ENDS(t, 1.5 + 1);
    all_is_over();
}

/* What hosts add passes in front of the first link; words have it behind the last one. */
static void hosts_add_to_the_latency(void **state)
{
    (void)state;
    set("network/host-latency", "0.25us");
    begin("2000", "0:1;100:4");
    struct shot *s = send(0, A, B, 1000), *t = asks(send(100, A, B, 1000)), *u = send(200, A, B, 3000);
    shoot();
    ENDS(s, 4 * 1.25 + 1);
    ENDS(t, 100 + 4 * 1.25 + 2 * 0.066 + 1);
    ENDS(u, 200 + 4 * 1.25 + 1 + 0.066 + 1.25 + 2); /* word of the first frame follows the second */
    all_is_over();
}

/* Messages within a host, and those with a rate of their own, are flows. */
static void some_flow(void **state)
{
    (void)state;
    begin("0", "1");
    struct shot *s = send(0, A, B, 10000), *t = send(0, A, B, 10000);
    s->rate = t->rate = 250e6;
    shoot();
    ENDS(s, 1 + 40);
    ENDS(t, 1 + 40);
}

static double when[] = {0.01, 1.5, 2.9, 4.5, 20, 100.5, 130};
static int cancelled;
static void cancel_one(void)
{
    if (!shots[cancelled].over)
        fabric_transfer_cancel(stage.fabric, shots[cancelled].transfer);
}

/* One that asks, one of the same connection, one with a window's frames under way: in every stage. */
static void any_of_them_may_be_cancelled(void **state)
{
    (void)state;
    for (int k = 0; k < 3 * (int)BASE_LENGTH(when); k++) {
        begin("2000", "0:1;100:4");
        on(7, asks(send(0, A, B, 50000)));
        on(7, send(0, A, B, 50000));
        send(0, A, C, 50000);
        cancelled = k % 3;
        change.at_us = when[k / 3];
        change.fn = cancel_one;
        shoot();
        int ended = 0;
        for (int i = 0; i < 3; i++)
            ended += shots[i].over && shots[i].how == FABRIC_DONE;
        assert_true(ended == 2 || (ended == 3 && shots[cancelled].end < change.at_us * US));
        all_is_over();
        assert_int_equal(stage.fabric->connections.live, 0);
        teardown(NULL);
        setup(NULL);
    }
}

static void ab_fails(void)
{
    fabric_link_fails(stage.fabric, 0);
}

static void a_link_that_fails_ends_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(when); k++) {
        begin("2000", "0:1;100:4");
        on(7, asks(send(0, A, B, 500000)));
        on(7, send(0, A, B, 500000));
        send(0, A, C, 500000);
        struct shot *s = send(0, B, C, 10000);
        change.at_us = when[k];
        change.fn = ab_fails;
        shoot();
        for (int i = 0; i < 3; i++) {
            assert_int_equal(shots[i].how, FABRIC_FAILED);
            ENDS(&shots[i], when[k]);
        }
        assert_int_equal(s->how, FABRIC_DONE);
        all_is_over();
        teardown(NULL);
        setup(NULL);
    }
}

/* Without a window, a link is a queue: each message ends its bytes after its arrival and the end of the one before. */
static void a_link_is_a_queue(void **state)
{
    struct base_random random;
    (void)state;
    base_random_seed(&random, seed_of_test(53), 0);
    for (int round = 0; round < 50; round++) {
        begin("0", "1");
        double at = 0, end = 0, expected[SHOTS];
        for (int k = 0; k < SHOTS; k++) {
            double bytes = (double)(1 + base_random_below(&random, 100000));
            at += (double)base_random_below(&random, 100);
            send(at, A, B, bytes);
            end = fmax(end, at + 1) + bytes / 1000;
            expected[k] = end;
        }
        shoot();
        for (int k = 0; k < SHOTS; k++)
            ENDS(&shots[k], expected[k]);
        all_is_over();
        teardown(NULL);
        setup(NULL);
    }
}

static void refused(const char *name, const char *text)
{
    struct fabric_network n;
    struct base_status st;
    set("network/model", name);
    set("network/frame", "1000");
    assert_int_equal(fabric_network_read(&n, stage.settings, &st), -1);
    assert_string_equal(st.text, text);
}

static void models_in_which_they_do_not_meet(void **state)
{
    (void)state;
    refused("Constant",
            "setting network/frame: messages of network/model=Constant have no frames; expected 0");
    refused("IB", "setting network/frame: messages of network/model=IB have no frames; expected 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(alone_it_takes_what_a_flow_takes),
        TEST(they_follow_each_other_on_the_first_link),
        TEST(they_wait_in_front_of_a_later_link),
        TEST(all_but_the_last_are_full),
        TEST(a_window_lets_two_go),
        TEST(a_window_grows),
        TEST(a_window_has_place_for_one_frame),
        TEST(one_connection_is_in_order),
        TEST(two_words_go_first),
        TEST(words_wait_for_frames),
        TEST(one_word_comes_back),
        TEST(less_latency_than_links_passes_before),
        TEST(hosts_add_to_the_latency),
        TEST(some_flow),
        TEST(any_of_them_may_be_cancelled),
        TEST(a_link_that_fails_ends_them),
        TEST(a_link_is_a_queue),
        TEST(models_in_which_they_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
