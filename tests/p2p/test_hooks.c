/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that are started at an instant and tell a function: hooks that start them again, starts ahead of
 * the clock, and the order of starts.
 */
#include "pair.h"

/* --- completion hooks ---------------------------------------------------------------------------- */

/* A receive that starts itself again from its hook, without a rank that runs: ten messages, then the rank is
 * told. */
enum { TIMES = 10 };
static struct {
    int left;
    double at[TIMES];
    struct engine_actor *actor;
} hook;
static void again(struct p2p_request *q, void *arg)
{
    struct rank *r = arg;
    assert_false(p2p_active(q));
    assert_int_equal(p2p_status(q)->bytes, 800);
    assert_int_equal(p2p_status(q)->tag, TIMES - hook.left);
    assert_true(p2p_status(q)->time == engine_now(r->engine));
    hook.at[TIMES - hook.left] = p2p_status(q)->time;
    if (--hook.left)
        p2p_start(q, engine_now(r->engine));
    else
        engine_wake(r->engine, hook.actor);
}
static void hooked(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_request *q = p2p_receive_create(r, &anything, &b, "hooked");
    hook.left = TIMES;
    hook.actor = r->actor;
    p2p_request_tell(q, again, r);
    p2p_start(q, engine_now(r->engine));
    struct engine_reason why = {.what = "hooked"};
    while (hook.left)
        engine_block(r->engine, &why);
    for (int k = 0; k < TIMES; k++)
        IS(hook.at[k], 10 * (k + 1) + 2.4 + 1.8);
    p2p_request_destroy(q);
}
static void ten_sends(struct rank *r)
{
    for (int k = 0; k < TIMES; k++) {
        sleep_until(r, 10 * (k + 1));
        send_to(r, 1, k, 0, 800, P2P_STANDARD);
    }
}
static void a_hook_starts_its_request_again(void **state)
{
    (void)state;
    play(ten_sends, hooked);
}

/* A request that its hook starts again while its rank waits for it and another one counts once. */
static void once_more(struct p2p_request *q, void *arg)
{
    int *left = arg;
    if (--*left)
        p2p_start(q, p2p_status(q)->time);
}
static void waits_for_both(struct rank *r)
{
    struct p2p_buffer b[2] = {heap_bytes(r, 0, 800), heap_bytes(r, 1000, 800)};
    struct p2p_request *q[2];
    int left = 2;
    for (int k = 0; k < 2; k++)
        q[k] = p2p_receive_create(r, &(struct p2p_envelope){0, 0, k}, &b[k], "receive");
    p2p_request_tell(q[0], once_more, &left);
    p2p_issue(q[0]);
    p2p_issue(q[1]);
    p2p_wait_all(r, q, 2, "waitall");
    assert_false(p2p_active(q[1]));
    assert_int_equal(left, 0);
    for (int k = 0; k < 2; k++)
        p2p_request_destroy(q[k]);
}
static void sends_three_with_tags(struct rank *r)
{
    for (int k = 0; k < 3; k++) {
        sleep_until(r, 20 * (k + 1));
        send_to(r, 1, k == 2, 0, 800, P2P_STANDARD);
    }
}
static void a_request_that_starts_again_counts_once(void **state)
{
    (void)state;
    play(sends_three_with_tags, waits_for_both);
}

/* What completes from the start tells so within the start, with the time of the start, which may be ahead. */
static int told;
static void tell(struct p2p_request *q, void *arg)
{
    assert_false(p2p_active(q));
    assert_true(p2p_status(q)->time == *(double *)arg);
    told++;
}
static void early_teller(struct rank *r)
{
    double when = 5 * US;
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_request *q = p2p_send_create(r, 1, 0, 1, &b, P2P_STANDARD, "send");
    p2p_request_tell(q, tell, &when);
    fill(r, 0, 800, 1);
    told = 0;
    p2p_start(q, when);
    assert_int_equal(told, 1);
    fill(r, 0, 800, 2); /* the buffer is free */
    sleep_until(r, 100);
    p2p_request_destroy(q);
}
static void gets_it(struct rank *r)
{
    struct p2p_status st = receive_from(r, 0, 1, 0, 800);
    assert_true(fabs(st.time - (5 + 1.8) * US) < 1e-15);
    has(r, 0, 800, 1);
}
static void a_start_ahead_of_the_clock(void **state)
{
    (void)state;
    play(early_teller, gets_it);
}

/* Two receives for one instant, of which the first was started ahead of it, and the rank goes on at that very
 * instant before the engine comes to it: they stay in order. Then nothing is ahead, and a start finds its
 * message at once. */
static struct engine_actor *at_ten;
static void wakes_at_ten(void *arg)
{
    struct rank *r = arg;
    engine_sleep_until(r->engine, 10 * US);
    engine_wake(r->engine, at_ten);
}
static void starts_two(struct rank *r)
{
    struct engine_reason why = {.what = "ten"};
    struct p2p_buffer b[2] = {heap_bytes(r, 0, 800), heap_bytes(r, 1000, 800)};
    struct p2p_request *q[2];
    for (int k = 0; k < 2; k++)
        q[k] = p2p_receive_create(r, &anything, &b[k], "receive");
    at_ten = r->actor;
    engine_actor_spawn(r->engine, wakes_at_ten, r, NULL);
    engine_yield(r->engine); /* it sleeps until 10 before the first one is started for then */
    p2p_start(q[0], 10 * US);
    engine_block(r->engine, &why);
    assert_true(engine_now(r->engine) == 10 * US);
    p2p_start(q[1], 10 * US);
    assert_int_equal(wait_for(r, q[0]).tag, 1);
    assert_int_equal(wait_for(r, q[1]).tag, 2);
    has(r, 0, 800, 1);
    has(r, 1000, 800, 2);
    sleep_until(r, 300);
    q[0] = ireceive_from(r, 0, 3, 0, 800);
    assert_false(p2p_active(q[0]));
    wait_for(r, q[0]);
    sleep_until(r, 400);
    struct p2p_request *own = ireceive_from(r, 1, 4, 2000, 800);
    struct p2p_request *out = isend_to(r, 1, 4, 0, 800, P2P_STANDARD);
    wait_for(r, own);
    wait_for(r, out);
}
static void sends_three(struct rank *r)
{
    for (int k = 1; k <= 3; k++) {
        fill(r, 0, 800, (uint64_t)k);
        sleep_until(r, 50 * k);
        send_to(r, 1, k, 0, 800, P2P_STANDARD);
    }
}
static void starts_at_one_instant_stay_in_order(void **state)
{
    (void)state;
    play(sends_three, starts_two);
}

/* Once the sends that were ahead are sent, bytes go straight to a receive that is there. */
static void sends_ahead_then_beside(struct rank *r)
{
    r->issuing = true;
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
    sleep_until(r, 100);
    r->issuing = false;
    send_to(r, 1, 2, 0, 800, P2P_STANDARD);
}
static void posts_both(struct rank *r)
{
    struct p2p_request *q[2] = {ireceive_from(r, 0, 1, 0, 800), ireceive_from(r, 0, 2, 1000, 800)};
    wait_for(r, q[0]);
    wait_for(r, q[1]);
}
static void one_copy_again_when_nothing_is_ahead(void **state)
{
    (void)state;
    play(sends_ahead_then_beside, posts_both);
    assert_int_equal(world_counts.copies, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(a_hook_starts_its_request_again),      PAIR(a_request_that_starts_again_counts_once),
        PAIR(a_start_ahead_of_the_clock),           PAIR(starts_at_one_instant_stay_in_order),
        PAIR(one_copy_again_when_nothing_is_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
