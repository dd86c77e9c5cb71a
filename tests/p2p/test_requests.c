/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests as ranks have them: persistent ones, waiting for all and for one, looking, cancelling, being
 * destroyed early, deadlock reports; and nothing is allocated for a message once the pools are warm.
 */
#include "pair.h"

/* --- persistent ones, waits, looks --------------------------------------------------------------- */

enum { ROUNDS = 20, WIDTH = 8 };
static void persistent_sender(struct rank *r)
{
    struct p2p_request *q[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        struct p2p_buffer b = heap_bytes(r, 40000 * (size_t)k, 5000 * (uint64_t)k);
        q[k] = p2p_send_create(r, 1, 3, k, &b, k % 2 ? P2P_SYNCHRONOUS : P2P_STANDARD, "start");
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < WIDTH; k++) {
            fill(r, 40000 * (size_t)k, 5000 * (uint64_t)k, (uint64_t)round * WIDTH + (uint64_t)k);
            p2p_issue(q[k]);
        }
        p2p_wait_all(r, q, WIDTH, "waitall");
    }
    for (int k = 0; k < WIDTH; k++)
        p2p_request_destroy(q[k]);
}
static void persistent_receiver(struct rank *r)
{
    struct p2p_request *q[WIDTH + 1] = {NULL}; /* one is null */
    for (int k = 0; k < WIDTH; k++) {
        struct p2p_buffer b = heap_bytes(r, 50000 * (size_t)k, 50000);
        q[k] = p2p_receive_create(r, &(struct p2p_envelope){3, 0, k}, &b, "start");
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < WIDTH; k++)
            p2p_issue(q[k]);
        if (round % 2) {
            p2p_wait_all(r, q, WIDTH + 1, "waitall");
        } else {
            unsigned seen = 0;
            for (size_t one; (one = p2p_wait_any(r, q, WIDTH + 1, "waitany")) <= WIDTH;) {
                assert_false(seen >> one & 1);
                seen |= 1u << one;
            }
            assert_int_equal(seen, (1u << WIDTH) - 1);
        }
        for (int k = 0; k < WIDTH; k++) {
            assert_int_equal(p2p_status(q[k])->bytes, 5000 * k);
            has(r, 50000 * (size_t)k, 5000 * (uint64_t)k, (uint64_t)round * WIDTH + (uint64_t)k);
        }
    }
    for (int k = 0; k < WIDTH; k++)
        p2p_request_destroy(q[k]);
}
static void persistent_requests(void **state)
{
    (void)state;
    play(persistent_sender, persistent_receiver);
}

/* Each failed look takes one time of smpi/test more. */
static void tester(struct rank *r)
{
    struct p2p_request *q[2] = {ireceive_from(r, 0, 1, 0, 800), ireceive_from(r, 0, 2, 1000, 800)};
    assert_int_equal(p2p_test_any(r, q, 2), 2);
    NOW_IS(r, 100);
    assert_false(p2p_test_all(r, q, 2));
    NOW_IS(r, 300);
    assert_int_equal(p2p_test_any(r, q, 2), 1);
    NOW_IS(r, 600 + 3.8);
    assert_false(p2p_test_all(r, q, 2));
    NOW_IS(r, 703.8);
    sleep_until(r, 1000);
    assert_true(p2p_test_all(r, q, 2));
    NOW_IS(r, 1200 + 3.8);
    assert_true(p2p_test_all(r, q, 2)); /* both were seen: nothing to pay but the look */
    NOW_IS(r, 1303.8);
    assert_int_equal(p2p_wait_any(r, q, 2, "waitany"), 2);
    p2p_request_destroy(q[0]);
    p2p_request_destroy(q[1]);
}
static void two_late_sends(struct rank *r)
{
    sleep_until(r, 400);
    send_to(r, 1, 2, 0, 800, P2P_STANDARD);
    sleep_until(r, 800);
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
}
static void looks_take_their_time(void **state)
{
    (void)state;
    play(two_late_sends, tester);
}

/* --- cancelling ---------------------------------------------------------------------------------- */

static void canceller(struct rank *r)
{
    struct p2p_request *gone = ireceive_from(r, 0, 1, 0, 100), *kept = ireceive_from(r, 0, 1, 1000, 100);
    assert_true(p2p_cancel(gone));
    assert_false(p2p_active(gone));
    assert_int_equal(wait_for(r, gone).outcome, P2P_CANCELLED);
    sleep_until(r, 100);
    assert_false(p2p_cancel(kept)); /* it has its message */
    struct p2p_status st = wait_for(r, kept);
    assert_int_equal(st.outcome, P2P_OK);
    assert_int_equal(st.bytes, 50);
    has(r, 1000, 50, 4);
    sleep_until(r, 500); /* the other one has taken back its second send by now */
    assert_int_equal(receive_from(r, 0, 2, 0, 100).bytes, 7);
}
/* Ahead of the clock: what is taken back was posted after that, and has been posted. */
static void cancels_ahead(struct rank *r)
{
    r->issuing = true;
    send_to(r, 1, 9, 0, 800, P2P_STANDARD);
    assert_true(rank_now(r) > engine_now(r->engine));
    struct p2p_request *q = ireceive_from(r, 1, 1, 0, 100);
    assert_true(p2p_cancel(q));
    p2p_request_destroy(q);
}
static void receives_nine(struct rank *r)
{
    receive_from(r, 0, 9, 0, 800);
}
static void cancelling_ahead_of_the_clock(void **state)
{
    (void)state;
    play(cancels_ahead, receives_nine);
}

/* Messages that nobody receives are no operations under way: the end of the job clears them away. */
static void sends_in_vain(struct rank *r)
{
    send_to(r, 1, 1, 0, 5000, P2P_STANDARD);
    send_to(r, 1, 1, 0, 50, P2P_STANDARD);
}
static void messages_that_nobody_receives(void **state)
{
    (void)state;
    world.body[0] = sends_in_vain;
    assert_int_equal(ranks_run(&world), ENGINE_ALL_DONE);
    assert_int_equal(world_counts.live, 2);
    assert_int_equal(world_counts.buffers, 1);
}

static void takes_back_a_send(struct rank *r)
{
    fill(r, 0, 50, 4);
    sleep_until(r, 50);
    send_to(r, 1, 1, 0, 50, P2P_STANDARD);
    struct p2p_request *q = isend_to(r, 1, 2, 0, 100, P2P_SYNCHRONOUS);
    assert_true(p2p_cancel(q));
    assert_int_equal(wait_for(r, q).outcome, P2P_CANCELLED);
    q = isend_to(r, 1, 2, 0, 7, P2P_STANDARD);
    assert_false(p2p_cancel(q)); /* complete: its bytes are on their way */
    assert_int_equal(wait_for(r, q).outcome, P2P_OK);
}
static void cancelling(void **state)
{
    (void)state;
    play(takes_back_a_send, canceller);
}

/* --- destroyed before they are complete ---------------------------------------------------------- */

static void leaves(struct rank *r)
{
    fill(r, 0, 80000, 3);
    p2p_request_destroy(isend_to(r, 1, 1, 0, 80000, P2P_SYNCHRONOUS));
    p2p_request_destroy(ireceive_from(r, 1, 2, 100000, 10));
    sleep_until(r, 1000);
    has(r, 100000, 10, 4);
}
static void stays(struct rank *r)
{
    sleep_until(r, 100);
    fill(r, 200000, 10, 4);
    assert_int_equal(receive_from(r, 0, 1, 0, 80000).bytes, 80000);
    has(r, 0, 80000, 3);
    send_to(r, 0, 2, 200000, 10, P2P_STANDARD);
}
static void destroyed_requests_end_by_themselves(void **state)
{
    (void)state;
    play(leaves, stays);
}

/* --- deadlock ------------------------------------------------------------------------------------ */

static void waits_for_nothing(struct rank *r)
{
    receive_from(r, P2P_ANY_SOURCE, 12, 0, 10);
}
static void waits_for_two(struct rank *r)
{
    struct p2p_request *q[2] = {isend_to(r, 0, 3, 0, 80000, P2P_STANDARD),
                                ireceive_from(r, 0, P2P_ANY_TAG, 0, 1)};
    p2p_wait_all(r, q, 2, "waitall");
}
static void a_deadlock_is_told(void **state)
{
    (void)state;
    world.body[0] = waits_for_nothing;
    world.body[1] = waits_for_two;
    assert_int_equal(ranks_run(&world), ENGINE_DEADLOCK);
    if (!strstr(world.report, "a message from any rank, tag 12, context 0") ||
        !strstr(world.report, "2 of 2 requests: 80000 bytes to be received by rank 0, tag 3, context 0, ..."))
        fail_msg("%s", world.report);
}

/* --- allocation ---------------------------------------------------------------------------------- */

/* Each mode, posted and unexpected, wildcards, probes, again and again: once warm, an allocation would end
 * the process. */
enum { WARM = 3000, STEADY = 20000 };
static void exchange(struct rank *r, int k)
{
    uint32_t other = 1 - r->id;
    static const uint64_t sizes[] = {0, 11000, 40, 999, 5000};
    uint64_t n = sizes[k % 5];
    struct p2p_request *q[4];
    for (int i = 0; i < 2; i++)
        q[i] = ireceive_from(r, i ? P2P_ANY_SOURCE : other, k % 50 + i, 20000 * (size_t)i, 20000);
    for (int i = 0; i < 2; i++)
        q[2 + i] = isend_to(r, other, k % 50 + i, 100000, n, i ? P2P_SYNCHRONOUS : P2P_STANDARD);
    p2p_wait_all(r, q, 4, "waitall");
    for (int i = 0; i < 4; i++)
        p2p_request_destroy(q[i]);
    send_to(r, other, 99, 0, n % 900, P2P_STANDARD);
    struct p2p_status st;
    struct p2p_buffer b = heap_bytes(r, 0, 900);
    p2p_receive_matched(r, p2p_match(r, &(struct p2p_envelope){0, other, 99}, "mprobe", &st), &b, "mrecv",
                        &st);
}
static void steady(struct rank *r)
{
    for (int k = 0; k < STEADY; k++) {
        if (k == WARM && r->id == 0)
            base_alloc_fail_at(1);
        exchange(r, k);
    }
    base_alloc_fail_at(0);
}
static void nothing_is_allocated_per_message(void **state)
{
    (void)state;
    play(steady, steady);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAIR(persistent_requests),
        PAIR(looks_take_their_time),
        PAIR(cancelling),
        PAIR(cancelling_ahead_of_the_clock),
        PAIR(messages_that_nobody_receives),
        PAIR(destroyed_requests_end_by_themselves),
        PAIR(a_deadlock_is_told),
        PAIR(nothing_is_allocated_per_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
