/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkers are told of messages: a send comes before the end of its receive, in every mode and form; the
 * posting of a receive before the end of a synchronous send, and of no other; buffers are in use from the
 * start until a thread has learned of the end; no moment and no action is left.
 */
#include "rank/naive.h"
#include "world.h"

static const struct p2p_envelope anything = {0, P2P_ANY_SOURCE, P2P_ANY_TAG};

static struct naive_event at_send, after_send, before_receive, after_post;
static size_t bytes;
static enum p2p_sending mode;

static void check(ranks_body_fn a, ranks_body_fn b)
{
    naive_install();
    two(a, b);
    none_left();
    world_end();
    naive_remove();
}

static bool sent_is_known(const struct rank *r)
{
    return naive_follows(r, at_send) && !naive_follows(r, after_send);
}

/* --- blocking ------------------------------------------------------------------------------------- */

static void sends(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 0, bytes);
    at_send = naive_event(r);
    p2p_send(r, 1, 0, 7, &b, mode, "send", &s);
    after_send = naive_event(r);
    assert_int_equal(naive_used("send", 0, b.address, bytes, RANK_READS), bytes);
    assert_true(naive_open() <= 1); /* the receive's */
    assert_int_equal(naive_follows(r, before_receive), mode == P2P_SYNCHRONOUS);
}

static void receives(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 64, bytes + 8);
    before_receive = naive_event(r);
    p2p_receive(r, &anything, &b, "receive", &s);
    assert_int_equal(s.bytes, bytes);
    assert_true(sent_is_known(r));
    assert_int_equal(naive_used("receive", 1, b.address, bytes + 8, RANK_WRITES), bytes + 8);
}

static void blocking(enum p2p_sending how, size_t size)
{
    bytes = size;
    mode = how;
    check(sends, receives);
}
static void of_a_short_message(void **state)
{
    (void)state;
    blocking(P2P_STANDARD, 100);
}
static void of_a_long_message(void **state)
{
    (void)state;
    blocking(P2P_STANDARD, 100000);
}
static void of_an_empty_message(void **state)
{
    (void)state;
    blocking(P2P_STANDARD, 0);
}
static void of_a_synchronous_message(void **state)
{
    (void)state;
    blocking(P2P_SYNCHRONOUS, 100);
}
static void of_a_buffered_message(void **state)
{
    (void)state;
    blocking(P2P_BUFFERED, 100);
}

/* --- requests ------------------------------------------------------------------------------------- */

/* Twice each, as persistent requests are. */
static void starts_sends(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 500);
    struct p2p_request *q = p2p_send_create(r, 1, 0, 7, &b, P2P_SYNCHRONOUS, "send_init");
    for (int k = 0; k < 2; k++) {
        at_send = naive_event(r);
        p2p_issue_kept(q);
        after_send = naive_event(r);
        assert_false(naive.actions.at[naive.actions.n - 1].over);
        engine_sleep(r->engine, 100 * US); /* complete, but nobody has learned it */
        assert_false(p2p_active(q));
        assert_false(naive_follows(r, before_receive));
        p2p_wait_all(r, &q, 1, "wait");
        assert_true(naive_follows(r, before_receive));
        assert_false(naive_follows(r, after_post));
        engine_sleep(r->engine, 200 * US);
    }
    p2p_request_destroy(q);
}

static void starts_receives(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 500);
    struct p2p_request *q = p2p_receive_create(r, &anything, &b, "recv_init");
    for (int k = 0; k < 2; k++) {
        before_receive = naive_event(r);
        p2p_issue_kept(q);
        after_post = naive_event(r);
        engine_sleep(r->engine, 150 * US);
        assert_false(p2p_active(q));
        assert_false(naive_follows(r, at_send));
        assert_true(p2p_test_all(r, &q, 1)); /* 100 us */
        assert_true(sent_is_known(r));
        engine_sleep(r->engine, 20 * US);
    }
    p2p_request_destroy(q);
}

static void of_requests_when_they_are_waited_for(void **state)
{
    (void)state;
    check(starts_sends, starts_receives);
}

/* A probe sees the message; a matched one takes it. */
static void sends_two(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 0, 100);
    engine_sleep(r->engine, 50 * US);
    at_send = naive_event(r);
    p2p_send(r, 1, 0, 1, &b, P2P_STANDARD, "send", &s);
    engine_sleep(r->engine, 50 * US);
    after_send = naive_event(r);
    p2p_send(r, 1, 0, 2, &b, P2P_STANDARD, "send", &s);
}

static void probes(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 0, 100);
    p2p_probe(r, &anything, "probe", &s); /* waits */
    assert_true(sent_is_known(r));
    engine_sleep(r->engine, 100 * US);
    struct p2p_envelope second = {0, 0, 2};
    assert_false(naive_follows(r, after_send));
    struct p2p_message *m = p2p_look_match(r, &second, &s);
    assert_true(naive_follows(r, after_send));
    p2p_receive_matched(r, m, &b, "mrecv", &s);
    p2p_receive(r, &anything, &b, "receive", &s);
}

static void of_messages_that_are_probed(void **state)
{
    (void)state;
    check(sends_two, probes);
}

/* What is cancelled or freed leaves nothing. */
static void frees(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 100);
    struct p2p_request *freed = p2p_send_create(r, 1, 0, 1, &b, P2P_SYNCHRONOUS, "isend"),
                       *cancelled = p2p_send_create(r, 1, 0, 2, &b, P2P_SYNCHRONOUS, "isend");
    p2p_issue(freed);
    p2p_issue(cancelled);
    p2p_request_destroy(freed);
    assert_true(naive.actions.at[0].over);
    assert_true(p2p_cancel(cancelled));
    assert_false(naive.actions.at[1].over);
    wait_for(r, cancelled);
}

static void gets_one(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 0, 100);
    struct p2p_request *q = p2p_receive_create(r, &(struct p2p_envelope){0, 0, 3}, &b, "irecv");
    p2p_issue(q);
    engine_sleep(r->engine, 100 * US);
    p2p_receive(r, &anything, &b, "receive", &s);
    assert_int_equal(s.tag, 1);
    assert_true(p2p_cancel(q));
    wait_for(r, q);
}

static void of_requests_that_are_freed_or_cancelled(void **state)
{
    (void)state;
    check(frees, gets_one);
}

/* --- layouts, and collectives' messages ----------------------------------------------------------------- */

static void sends_strided(struct rank *r)
{
    struct base_status st;
    struct types_layout *l = types_layout_vector(3, 1, 2, types_layout_of(TYPES_INT), &st);
    struct p2p_status s;
    struct p2p_buffer b = {ranks_heap_at(0, 0), 1, l}, inner = heap_bytes(r, 100, 10);
    p2p_send(r, 1, 0, 1, &b, P2P_STANDARD, "send", &s);
    assert_int_equal(naive_used("send", 0, b.address, 20, RANK_READS), 12);
    assert_int_equal(naive_used("send", 0, b.address + 4, 4, RANK_READS), 0);
    types_layout_release(l);
    size_t n = naive.actions.n;
    p2p_send(r, 1, P2P_INNER_CONTEXTS, 1, &inner, P2P_STANDARD, "send", &s);
    assert_int_equal(naive.actions.n, n);
    at_send = naive_event(r);
}

static void receives_packed(struct rank *r)
{
    struct p2p_status s;
    struct p2p_buffer b = heap_bytes(r, 0, 12);
    p2p_receive(r, &anything, &b, "receive", &s);
    p2p_receive(r, &(struct p2p_envelope){P2P_INNER_CONTEXTS, 0, 1}, &b, "receive", &s);
    assert_false(naive_follows(r, at_send));
}

static void of_runs_of_a_layout(void **state)
{
    (void)state;
    check(sends_strided, receives_packed);
}

int main(void)
{
#define CASE(f) cmocka_unit_test(f)
    const struct CMUnitTest tests[] = {
        CASE(of_a_short_message),          CASE(of_a_long_message),
        CASE(of_an_empty_message),         CASE(of_a_synchronous_message),
        CASE(of_a_buffered_message),       CASE(of_requests_when_they_are_waited_for),
        CASE(of_messages_that_are_probed), CASE(of_requests_that_are_freed_or_cancelled),
        CASE(of_runs_of_a_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
