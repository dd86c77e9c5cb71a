/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-sided messages on their way: nothing is allocated per message, links and hosts fail under them, they
 * are cancelled, and senders that are ahead of the clock send them early. Costs: see test_message.c.
 */
#include "exchange.h"
#include "seed.h"

#include <inttypes.h>

/* Messages of 16 pairs that follow each other: once all
 * pools are warm, an allocation would end the process. */
enum { CHAINS = 16, WARM = 4000, STEADY = 40000 };
static int followed;
static void follow(struct fabric_messages *of, struct fabric_message *m)
{
    if (++followed == WARM)
        base_alloc_fail_at(1);
    if (followed >= STEADY)
        return;
    m->bytes = (m->bytes * 7 + 13) % 20000;
    m->mode = (uint8_t)fabric_message_mode(of, m->bytes, 0);
    fabric_message_send(of, m);
    assert_false(fabric_message_receive(of, m));
}

static void ignore(struct fabric_messages *of, struct fabric_message *m)
{
    (void)of, (void)m;
}

static void test_steady_state_allocates_nothing(void **state)
{
    static const struct fabric_message_handler following = {
        .sent = ignore, .received = follow, .failed = on_failed};
    struct fabric_message m[CHAINS] = {0};
    (void)state;
    messages_create();
    followed = 0;
    for (int k = 0; k < CHAINS; k++) {
        m[k] = (struct fabric_message){
            .handler = &following, .bytes = 100 * (uint64_t)k, .from = k % 2 ? A : C, .to = k % 2 ? C : B};
        fabric_message_send(ms, &m[k]);
        assert_false(fabric_message_receive(ms, &m[k]));
    }
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    base_alloc_fail_at(0);
    assert_true(followed >= STEADY);
}

/* --- failure ------------------------------------------------------------------------------------- */

static void failed_by(const struct exchange *x, enum fabric_failing of, uint32_t id)
{
    assert_true(x->failed);
    assert_false(x->there);
    assert_int_equal(x->why.of, of);
    assert_int_equal(x->why.id, id);
}

static void test_the_way_is_cut(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 800, 0);
    messages_create();
    fabric_link_fails(stage.fabric, 0);
    x->message.mode = FABRIC_ASYNCHRONOUS;
    fabric_message_send(ms, &x->message);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    failed_by(x, FABRIC_LINK, 0);
}

static void test_a_host_is_off(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 80000, 0);
    messages_create();
    fabric_host_fails(stage.fabric, B);
    x->message.mode = FABRIC_SYNCHRONOUS;
    fabric_message_send(ms, &x->message);
    assert_false(fabric_message_receive(ms, &x->message));
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    failed_by(x, FABRIC_HOST, B);
}

/* Meanwhile a link, then a host of two messages fails; the third message arrives. */
static void fail_later(void *arg)
{
    (void)arg;
    engine_sleep_until(stage.engine, 2 * US);
    fabric_link_fails(stage.fabric, 0);
    fabric_link_returns(stage.fabric, 0);
    engine_sleep_until(stage.engine, 20 * US);
    fabric_host_fails(stage.fabric, A);
}
static void test_failures_on_the_way(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 80000, 0), *y = plan_message(0, 0, 80000, 0),
                    *z = plan_message(0, 0, 80000, 0);
    x->message.to = y->message.from = B;
    z->message.from = B;
    z->message.to = y->message.to = C;
    messages_create();
    for (int k = 0; k < 3; k++) {
        exchanges[k].posted = true;
        exchanges[k].message.mode = FABRIC_SYNCHRONOUS;
    }
    send_at(x, US);
    y->message.from = A;
    send_at(y, 10 * US);
    fabric_message_send(ms, &z->message);
    assert_false(fabric_message_receive(ms, &z->message));
    x->receiver = y->receiver = z->receiver = x->sender = y->sender = z->sender =
        engine_actor_spawn(stage.engine, fail_later, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    failed_by(x, FABRIC_LINK, 0);
    failed_by(y, FABRIC_HOST, A);
    assert_true(z->there);
    assert_false(z->failed);
}

/* --- a sender that is ahead of the clock --------------------------------------------------------- */

/* It exists at its time; causes and least time are those of its number and its latency. */
static void test_ahead_of_the_clock(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 800, 0), *y = plan_message(0, 0, 8000, 0);
    messages_create();
    x->message.mode = FABRIC_ASYNCHRONOUS;
    y->message.mode = FABRIC_DETACHED;
    x->message.number = 7;
    x->receiver = engine_actor_spawn(stage.engine, receiver, x, NULL);
    y->receive_at = 50 * US;
    y->receiver = engine_actor_spawn(stage.engine, receiver, y, NULL);
    send_at(x, 3 * US);
    send_at(y, 3 * US);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    IS(x->existed, 3);
    IS(x->done, 3 + 1.8 + 3.8);
    assert_int_equal(x->cause, 7);
    IS(y->existed, 3);
    IS(y->done, 50 + 9 + 11);
    assert_int_equal(y->cause, 0);
    IS(fabric_message_least(ms, &x->message), 1);
    assert_int_equal(*engine_cause(stage.engine), 0);
}

/* Random messages among three hosts, each given to the fabric at its time or earlier: same results to the
 * last bit. Times and sizes are often equal, to get ties. */
enum { MESSAGES = 300 };
struct random_message {
    struct exchange x; /* first */
    double hand_over;
    double times[2]; /* when it arrived, without and with being ahead */
};
static struct random_message plans[MESSAGES];
static int pass;

static void random_over(struct fabric_messages *of, struct fabric_message *m)
{
    struct random_message *r = (struct random_message *)m;
    (void)of;
    r->times[pass] = engine_now(stage.engine);
}
static const struct fabric_message_handler random_handler = {
    .sent = ignore, .received = random_over, .failed = on_failed};

static void hand_over(void *arg)
{
    struct random_message *r = arg;
    struct exchange *x = &r->x;
    engine_sleep_until(stage.engine, r->hand_over);
    if (pass == 1) {
        send_at(x, x->send_at);
        return;
    }
    engine_sleep_until(stage.engine, x->send_at);
    fabric_message_send(ms, &x->message);
    exist(x);
}
static void take(void *arg)
{
    struct exchange *x = arg;
    engine_sleep_until(stage.engine, x->receive_at);
    x->posted = true;
    if (x->exists && fabric_message_receive(ms, &x->message))
        random_over(ms, &x->message);
}

static void draw(struct base_random *r)
{
    for (int k = 0; k < MESSAGES; k++) {
        double send = US * (double)base_random_below(r, 400), ahead_by = US * (double)base_random_below(r, 5);
        uint64_t bytes =
            base_random_below(r, 3) ? 500 * base_random_below(r, 30) : base_random_below(r, 20000);
        uint32_t from = (uint32_t)base_random_below(r, 3), to = (uint32_t)base_random_below(r, 2);
        plans[k].hand_over = send > ahead_by ? send - ahead_by : 0;
        plans[k].x = (struct exchange){
            .send_at = send, .receive_at = US * (double)base_random_below(r, 400), .how = 0};
        plans[k].x.message = (struct fabric_message){
            .handler = &random_handler, .bytes = bytes, .from = from, .to = to + (to >= from)};
    }
}

static void test_times_are_those_of_a_sender_beside_the_clock(void **state)
{
    uint64_t seed = seed_of_test(1);
    struct base_random r;
    base_random_seed(&r, seed, 0);
    draw(&r);
    for (pass = 0; pass < 2; pass++) {
        if (pass)
            end(state), begin(state);
        messages_create();
        for (int k = 0; k < MESSAGES; k++) {
            struct exchange *x = &plans[k].x;
            x->posted = x->exists = false;
            x->message.mode = (uint8_t)fabric_message_mode(ms, x->message.bytes, 0);
            engine_actor_spawn(stage.engine, hand_over, x, NULL);
            engine_actor_spawn(stage.engine, take, x, NULL);
        }
        assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    }
    for (int k = 0; k < MESSAGES; k++)
        if (plans[k].times[0] != plans[k].times[1])
            fail_msg("message %d arrived at %.17g us; sent ahead of the clock, at %.17g us", k,
                     plans[k].times[0] / US, plans[k].times[1] / US);
}

static void test_cancel(void **state)
{
    (void)state;
    struct exchange *x = plan_message(0, 0, 800, 0), *y = plan_message(0, 0, 8000, 0);
    messages_create();
    x->message.mode = FABRIC_ASYNCHRONOUS;
    y->message.mode = FABRIC_DETACHED;
    fabric_message_send(ms, &x->message);
    fabric_message_send(ms, &y->message);
    fabric_message_cancel(ms, &x->message);
    fabric_message_cancel(ms, &y->message);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    assert_false(x->there || y->there || x->failed || y->failed);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(test_steady_state_allocates_nothing),
        CASE(test_the_way_is_cut),
        CASE(test_a_host_is_off),
        CASE(test_failures_on_the_way),
        CASE(test_ahead_of_the_clock),
        CASE(test_times_are_those_of_a_sender_beside_the_clock),
        CASE(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
