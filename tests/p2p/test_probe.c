/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Probes: what they find and take, in which order they are told, what they cost; and the order of messages,
 * which is that of their sends.
 */
#include "world.h"

static int setup(void **state)
{
    (void)state;
    world_prepare(3); /* ranks 0 and 2 on a, rank 1 on b */
    world_begin();
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    world_end();
    return 0;
}
static void play(ranks_body_fn a, ranks_body_fn b, ranks_body_fn c)
{
    world.body[0] = a;
    world.body[1] = b;
    world.body[2] = c;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
}
static const struct p2p_envelope anything = {0, P2P_ANY_SOURCE, P2P_ANY_TAG};

static void sends_at_10(struct rank *r)
{
    sleep_until(r, 10);
    fill(r, 0, 8000, 1);
    send_to(r, 1, 5, 0, 8000, P2P_STANDARD);
}

/* A message can be seen as soon as it is sent, 6 us after the call; a probe that waits costs nothing more. */
static void probes(struct rank *r)
{
    struct p2p_status st;
    p2p_probe(r, &anything, "probe", &st);
    NOW_IS(r, 16);
    assert_int_equal(st.source, 0);
    assert_int_equal(st.tag, 5);
    assert_int_equal(st.bytes, 8000);
    p2p_probe(r, &(struct p2p_envelope){0, 0, 5}, "probe", &st); /* it is still there */
    NOW_IS(r, 16);
    assert_int_equal(receive_from(r, st.source, st.tag, 0, st.bytes).bytes, 8000);
    NOW_IS(r, 16 + 9 + 11);
    has(r, 0, 8000, 1);
    assert_false(p2p_find(r, &anything, &st));
}
static void a_probe_waits_for_a_message(void **state)
{
    (void)state;
    play(sends_at_10, probes, NULL);
}

/* 100 us a look; 200 us the second one in a row. */
static void looks(struct rank *r)
{
    struct p2p_status st;
    assert_false(p2p_look(r, &(struct p2p_envelope){0, 0, 6}, &st));
    NOW_IS(r, 100);
    assert_null(p2p_look_match(r, &(struct p2p_envelope){1, 0, 5}, &st));
    NOW_IS(r, 300);
    assert_true(p2p_look(r, &(struct p2p_envelope){0, 0, 5}, &st));
    NOW_IS(r, 600);
    struct p2p_message *m = p2p_look_match(r, &anything, &st);
    NOW_IS(r, 700);
    assert_non_null(m);
    assert_int_equal(st.bytes, 8000);
    assert_false(p2p_look(r, &anything, &st)); /* it is taken */
    NOW_IS(r, 800);
    struct p2p_buffer b = heap_bytes(r, 0, 8000);
    p2p_receive_matched(r, m, &b, "mrecv", &st);
    NOW_IS(r, 800 + 9 + 11);
    assert_int_equal(st.tag, 5);
    has(r, 0, 8000, 1);
}
static void sends_at_once(struct rank *r)
{
    fill(r, 0, 8000, 1);
    send_to(r, 1, 5, 0, 8000, P2P_STANDARD);
}
static void looking_costs_time(void **state)
{
    (void)state;
    play(sends_at_once, looks, NULL);
}

/* A second actor of rank 1 waits, too: both see the first message, the one that takes it alone has it. */
static struct p2p_message *taken;
static double seen_at;
static void other_actor(void *arg)
{
    struct rank *r = arg;
    struct p2p_status st;
    p2p_probe(r, &anything, "probe", &st);
    seen_at = engine_now(r->engine);
    assert_int_equal(st.tag, 1);
    p2p_probe(r, &(struct p2p_envelope){0, P2P_ANY_SOURCE, 2}, "probe", &st);
    assert_int_equal(st.tag, 2);
}
static void takes_first(struct rank *r)
{
    struct p2p_status st;
    engine_actor_spawn(r->engine, other_actor, r, r);
    assert_int_equal(p2p_counts(r->job).waits, 0);
    sleep_until(r, 1);
    assert_int_equal(p2p_counts(r->job).waits, 1);
    taken = p2p_match(r, &anything, "mprobe", &st);
    assert_int_equal(st.tag, 1);
    IS(engine_now(r->engine), 10 + 2.4);
    assert_true(seen_at == engine_now(r->engine));
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    sleep_until(r, 200);
    p2p_receive_matched(r, taken, &b, "mrecv", &st);
    has(r, 0, 800, 1);
    assert_int_equal(receive_from(r, 0, P2P_ANY_TAG, 0, 800).tag, 2);
}
static void sends_two(struct rank *r)
{
    sleep_until(r, 10);
    assert_int_equal(p2p_counts(r->job).waits, 2);
    fill(r, 0, 800, 1);
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
    sleep_until(r, 100);
    send_to(r, 1, 2, 0, 800, P2P_STANDARD);
}
static void who_waits_is_told_in_order(void **state)
{
    (void)state;
    play(sends_two, takes_first, NULL);
}

/* A receive that is posted goes before a probe that waits; and before one that comes later, also when its
 * rank is ahead of the clock. */
static void posts_and_probes(struct rank *r)
{
    struct p2p_status st;
    r->issuing = true;
    struct p2p_request *q = ireceive_from(r, P2P_ANY_SOURCE, 1, 0, 800);
    p2p_probe(r, &anything, "probe", &st);
    assert_int_equal(st.tag, 2); /* the first message was the receive's */
    wait_for(r, q);
    receive_from(r, 0, 2, 0, 800);
    sleep_until(r, 200);
    send_to(r, 2, 9, 0, 0, P2P_STANDARD); /* now it is ahead */
    assert_true(rank_now(r) > engine_now(r->engine));
    q = ireceive_from(r, P2P_ANY_SOURCE, 3, 0, 800);
    p2p_probe(r, &anything, "probe", &st);
    assert_int_equal(st.tag, 4);
    wait_for(r, q);
    receive_from(r, 0, 4, 0, 800);
}
static void sends_four(struct rank *r)
{
    for (int k = 1; k <= 4; k++) {
        sleep_until(r, 20 * k + (k > 2 ? 50 : 0));
        send_to(r, 1, k, 0, 800, P2P_STANDARD);
    }
}
static void gets_one(struct rank *r)
{
    receive_from(r, 1, 9, 0, 0);
}
static void receives_go_before_probes(void **state)
{
    (void)state;
    play(sends_four, posts_and_probes, gets_one);
}

/* A long message is sent, then a short one, which is there long before; receives get them in the order of
 * their sends, those of other tags as they come. */
static void long_then_short(struct rank *r)
{
    fill(r, 0, 900, 1);
    fill(r, 1000, 9000, 2);
    struct p2p_request *q[3] = {isend_to(r, 1, 1, 1000, 9000, P2P_STANDARD),
                                isend_to(r, 1, 1, 0, 900, P2P_STANDARD),
                                isend_to(r, 1, 2, 0, 100, P2P_STANDARD)};
    for (int k = 0; k < 3; k++)
        wait_for(r, q[k]);
}
static void receives_all(struct rank *r)
{
    struct p2p_request *first = ireceive_from(r, P2P_ANY_SOURCE, 1, 0, 20000),
                       *second = ireceive_from(r, 0, 1, 20000, 20000),
                       *other = ireceive_from(r, 0, 2, 40000, 20000);
    struct p2p_request *q[3] = {first, second, other};
    assert_int_equal(p2p_wait_any(r, q, 3, "waitany"), 2); /* the shortest is there first */
    assert_int_equal(p2p_wait_any(r, q, 3, "waitany"), 1); /* then the short one: in the second receive */
    assert_int_equal(p2p_wait_any(r, q, 3, "waitany"), 0);
    assert_int_equal(p2p_status(first)->bytes, 9000);
    assert_int_equal(p2p_status(second)->bytes, 900);
    has(r, 0, 9000, 2);
    has(r, 20000, 900, 1);
    assert_true(p2p_status(second)->time < p2p_status(first)->time);
    for (int k = 0; k < 3; k++)
        p2p_request_destroy(q[k]);
}
static void no_message_overtakes_another(void **state)
{
    (void)state;
    play(long_then_short, receives_all, NULL);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(a_probe_waits_for_a_message),  CASE(looking_costs_time),
        CASE(who_waits_is_told_in_order),   CASE(receives_go_before_probes),
        CASE(no_message_overtakes_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
