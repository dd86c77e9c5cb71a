/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synchronous messages whose first bytes go with the request (network/rendezvous-data): times by hand, on two hosts
 * with 1 us and 1 GB/s between them; a message of 50 000 bytes or more has three latencies.
 */
#include "exchange.h"

#include "fabric/parts.h"

static int begin_with_data(void **state)
{
    begin(state);
    set("network/model", "CM02");
    set("network/crosstraffic", "no");
    set("network/TCP-gamma", "0");
    set("network/latency-factor", "0:1;50000:3");
    set("network/rendezvous-data", "20000");
    return 0;
}

/* Who calls first, and when both calls return. */
struct meeting {
    uint64_t bytes;
    double send_at, receive_at, sent, done;
};

static void meetings_are(const struct meeting *m, size_t n, unsigned how, const char *frame)
{
    void *state = NULL;
    for (size_t k = 0; k < n; k++) {
        begin_with_data(&state);
        set("network/frame", frame);
        struct exchange *x = plan_message(m[k].send_at, m[k].receive_at, m[k].bytes, how);
        messages_create();
        exchange_all();
        IS(x->sent, m[k].sent);
        IS(x->done, m[k].done);
        end(&state);
    }
}

/* 20 000 bytes are there after 21 us; when they are also received, the other 60 000 take 62 us. */
static void first_bytes_do_not_wait_for_the_receive(void **state)
{
    static const struct meeting m[] = {
        {80000, 0, 0, 83, 83},
        {80000, 0, 10, 83, 83},
        {80000, 0, 30, 92, 92},
        {80000, 0, 100, 162, 162},
        {80000, 100, 0, 183, 183},
        {20000, 0, 100, 100, 100},
        {49999, 0, 100, 129.999, 129.999},
    };
    (void)state;
    meetings_are(m, BASE_LENGTH(m), 0, "0");
}

/* The receiver's word of 66 bytes asks for the rest. */
static void the_same_in_frames(void **state)
{
    static const struct meeting m[] = {
        {80000, 0, 0, 83.066, 83.066},
        {80000, 0, 100, 162.066, 162.066},
        {20000, 0, 100, 100, 100},
    };
    (void)state;
    meetings_are(m, BASE_LENGTH(m), 0, "1000");
}

/* MPI_Ssend of a short one: all of it goes at once, after o_s. */
static void a_short_one_goes_as_a_whole(void **state)
{
    static const struct meeting m[] = {
        {800, 0, 100, 100, 100}, {800, 0, 3, 4.2, 4.2}, {800, 100, 0, 104.2, 104.2}, {0, 0, 100, 100, 100}};
    (void)state;
    meetings_are(m, BASE_LENGTH(m), FABRIC_SYNCHRONIZES, "0");
}

/* MPI_Bsend: detached, o_s and o_r are 42 and 83 us. */
static void others_wait_for_the_receive(void **state)
{
    static const struct meeting m[] = {{80000, 0, 100, 42, 100 + 83 + 83}};
    (void)state;
    meetings_are(m, BASE_LENGTH(m), FABRIC_BUFFERS, "0");
}

static void Constant_has_no_bytes(void **state)
{
    (void)state;
    set("network/model", "Constant");
    set("network/latency-factor", "5e-6");
    struct exchange *x = plan_message(0, 0, 80000, 0);
    messages_create();
    exchange_all();
    IS(x->done, 5);
}

/* --- in every stage --------------------------------------------------------------------------------------- */

static int arrivals;
static void count_arrival(struct fabric_messages *of, struct fabric_message *m)
{
    (void)of;
    (void)m;
    arrivals++;
}
static const struct fabric_message_handler watching = {
    .arrived = count_arrival, .sent = on_sent, .received = on_received, .failed = on_failed};

/* Sent at 0, received at 30 or, `early`, at 10 us: first bytes are under way until 21, and the rest from then on. */
static const double moments[] = {0.5, 9, 15, 20, 25, 35, 70};
static struct {
    double at;
    bool early, cancels;
} turn;
static void play_one(void *arg)
{
    struct exchange *x = arg;
    bool over = false;
    x->message.mode = FABRIC_SYNCHRONOUS;
    fabric_message_send(ms, &x->message);
    for (int k = 0; k < 2; k++) {
        double receive = turn.early ? 10 : 30, at = (turn.at < receive) == !k ? turn.at : receive;
        engine_sleep_until(stage.engine, at * US);
        if (at == turn.at && turn.cancels)
            fabric_message_cancel(ms, &x->message);
        else if (at == turn.at)
            fabric_link_fails(stage.fabric, 0);
        else if (!over || (!turn.cancels && !x->failed)) /* it has waited at its receiver meanwhile */
            assert_false(fabric_message_receive(ms, &x->message));
        over = over || at == turn.at;
    }
}

static void any_stage_ends(bool cancels)
{
    void *state = NULL;
    for (size_t k = 0; k < 2 * BASE_LENGTH(moments); k++) {
        begin_with_data(&state);
        turn.at = moments[k / 2];
        turn.early = k % 2;
        turn.cancels = cancels;
        arrivals = 0;
        struct exchange *x = plan_message(0, 0, 80000, 0);
        x->message.handler = &watching;
        messages_create();
        x->sender = x->receiver = engine_actor_spawn(stage.engine, play_one, x, NULL);
        assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
        assert_false(x->there || x->free);
        assert_int_equal(x->failed, !cancels);
        assert_int_equal(arrivals, 0);
        assert_int_equal(stage.fabric->transfer_pool.live, 0);
        end(&state);
    }
}

static void a_link_that_fails_ends_it(void **state)
{
    (void)state;
    any_stage_ends(false);
}

static void it_may_be_cancelled(void **state)
{
    (void)state;
    any_stage_ends(true);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin_with_data, end)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_bytes_do_not_wait_for_the_receive),
        cmocka_unit_test(the_same_in_frames),
        cmocka_unit_test(a_short_one_goes_as_a_whole),
        cmocka_unit_test(others_wait_for_the_receive),
        CASE(Constant_has_no_bytes),
        cmocka_unit_test(a_link_that_fails_ends_it),
        cmocka_unit_test(it_may_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
