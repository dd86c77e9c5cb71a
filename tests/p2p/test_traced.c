/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a trace is told of messages: their instants in order, numbers that tie them together, causes, and the
 * same simulated times as without a trace.
 */
#include "world.h"

enum { EVENTS = 64 };
static struct trace_event seen[EVENTS];
static int n_seen;
static double ended;

static void keep(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type >= TRACE_SEND_ISSUED && ev->type <= TRACE_RECEIVE_POSTED && n_seen < EVENTS)
        seen[n_seen++] = *ev;
    if (ev->type == TRACE_WAIT_END && ev->cause && n_seen < EVENTS)
        seen[n_seen++] = *ev;
}
static int close_nothing(void *ctx)
{
    (void)ctx;
    return 0;
}

static void sender(struct rank *r)
{
    r->issuing = true;
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_status st;
    p2p_send(r, 1, 4, 7, &b, P2P_STANDARD, "first", &st);     /* asynchronous: nobody receives it for long */
    p2p_send(r, 1, 4, 8, &b, P2P_SYNCHRONOUS, "second", &st); /* received at 50 */
    ended = rank_now(r);
}
static void receiver(struct rank *r)
{
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_status st;
    sleep_until(r, 50);
    p2p_receive(r, &(struct p2p_envelope){4, P2P_ANY_SOURCE, P2P_ANY_TAG}, &b, "third", &st);
    p2p_receive(r, &(struct p2p_envelope){4, 0, 8}, &b, "fourth", &st);
}

/* Ahead of the clock, so that the message's own event tells the probe. */
static void late_sender(struct rank *r)
{
    r->issuing = true;
    send_to(r, 1, 1, 0, 800, P2P_STANDARD);
}
static void prober(struct rank *r)
{
    struct p2p_status st;
    struct p2p_buffer b = heap_bytes(r, 0, 800);
    struct p2p_request *never = p2p_receive_create(r, &(struct p2p_envelope){9, 0, 0}, &b, "never");
    p2p_issue(never);
    p2p_probe(r, &(struct p2p_envelope){0, 0, 1}, "probe", &st);
    receive_from(r, 0, 1, 0, 800);
    assert_true(p2p_cancel(never));
    p2p_request_destroy(never);
}

static uint32_t more_wanted; /* set of enum trace_category */
static ranks_body_fn bodies[2] = {sender, receiver};
static void play(bool traced)
{
    world_prepare(2);
    n_seen = 0;
    if (traced)
        trace_attach(&world.trace, &(struct trace_sink){.event = keep, .close = close_nothing});
    world.trace.wanted |= more_wanted;
    world_begin();
    world.body[0] = bodies[0];
    world.body[1] = bodies[1];
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
    world_end();
}

static void event_is(int k, enum trace_type type, double at_us, uint64_t op, uint64_t cause, const char *call)
{
    const struct trace_event *ev = &seen[k];
    bool of_receive = type == TRACE_RECEIVE_POSTED || (type == TRACE_WAIT_END && call[0] != 's');
    if (ev->type != type || ev->op != op || ev->cause != cause || strcmp(ev->call, call) != 0 ||
        ev->rank != of_receive || fabs(ev->time / US - at_us) > 1e-6)
        fail_msg("event %d: %s of %s by rank %u at %.9g us, number %d, cause %d; expected %s of %s at %.9g "
                 "us, %d, %d",
                 k, trace_types[ev->type].text, ev->call, ev->rank, ev->time / US, (int)ev->op,
                 (int)ev->cause, trace_types[type].text, call, at_us, (int)op, (int)cause);
}

static void instants_of_messages(void **state)
{
    (void)state;
    play(true);
    event_is(0, TRACE_SEND_ISSUED, 2.4, 1, 0, "first");
    assert_int_equal(seen[0].peer, 1);
    assert_int_equal(seen[0].bytes, 800);
    assert_int_equal(seen[0].context, 4);
    assert_int_equal(seen[0].tag, 7);
    assert_int_equal(seen[0].kind, TRACE_KIND_SEND);
    IS(seen[0].least, 1);
    event_is(1, TRACE_SEND_ISSUED, 4.8, 2, 0, "second");
    event_is(2, TRACE_SEND_ARRIVED, 4.2, 1, 0, "first");
    event_is(3, TRACE_RECEIVE_POSTED, 50, 3, 0, "third");
    assert_int_equal(seen[3].peer, TRACE_ANY);
    event_is(4, TRACE_SEND_MATCHED, 50, 1, 3, "first");
    event_is(5, TRACE_SEND_RECEIVED, 50, 1, 0, "first");
    event_is(6, TRACE_RECEIVE_POSTED, 53.8, 4, 0, "fourth");
    event_is(7, TRACE_SEND_MATCHED, 53.8, 2, 4, "second");
    event_is(8, TRACE_SEND_ARRIVED, 55.6, 2, 0, "second");
    event_is(9, TRACE_SEND_RECEIVED, 55.6, 2, 0, "second");
    event_is(10, TRACE_WAIT_END, 55.6, 0, 2, "second");
    event_is(11, TRACE_WAIT_END, 55.6, 0, 2, "fourth");
    assert_int_equal(n_seen, 12);
    double traced = ended;
    n_seen = 0;
    bodies[0] = late_sender;
    bodies[1] = prober;
    play(true);
    event_is(0, TRACE_SEND_ISSUED, 2.4, 1, 0, "send");
    event_is(1, TRACE_RECEIVE_POSTED, 0, 2, 0, "never");
    event_is(2, TRACE_WAIT_END, 2.4, 0, 1, "probe"); /* by the message that was sent, and has not arrived */
    bodies[0] = sender;
    bodies[1] = receiver;
    play(false);
    assert_true(ended == traced);
}

/* Only who wants to replay the run is told where buffers are. */
static uintptr_t sent_from, received_at;
static void sends_from_there(struct rank *r)
{
    sent_from = ranks_heap_at(0, 96);
    send_to(r, 1, 1, 96, 8, P2P_STANDARD);
}
static void receives_there(struct rank *r)
{
    received_at = ranks_heap_at(1, 32);
    receive_from(r, 0, 1, 32, 8);
}
static void addresses_for_replays(void **state)
{
    (void)state;
    bodies[0] = sends_from_there;
    bodies[1] = receives_there;
    for (int wanted = 0; wanted < 2; wanted++) {
        int told = 0;
        more_wanted = wanted ? UINT32_C(1) << TRACE_CATEGORY_REPLAY : 0;
        play(true);
        for (int k = 0; k < n_seen; k++) {
            bool sends = seen[k].type == TRACE_SEND_ISSUED;
            if (!sends && seen[k].type != TRACE_RECEIVE_POSTED)
                continue;
            assert_true(seen[k].address == (!wanted ? 0 : sends ? sent_from : received_at));
            told++;
        }
        assert_int_equal(told, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_of_messages),
        cmocka_unit_test(addresses_for_replays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
