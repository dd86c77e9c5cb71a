/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange: shared by tests of two-sided messages: messages between two actors, and when each of their calls
 * began and returned.
 */
#ifndef PGASIM_TESTS_FABRIC_EXCHANGE_H
#define PGASIM_TESTS_FABRIC_EXCHANGE_H

#include "stage.h"

enum { MOST = 4 };
/* One message between two actors, and when each call began and returned. */
struct exchange {
    struct fabric_message message; /* first */
    double send_at, receive_at;
    unsigned how;
    bool irecv;     /* MPI_Irecv at receive_at, MPI_Wait at wait_at */
    double wait_at; /* of who sends or receives without blocking */
    double sent, isent,
        done; /* when MPI_Send or its MPI_Wait returned; MPI_Isend returned; the receive's bytes arrived */
    bool there, free, posted, exists, failed;
    struct engine_event ahead; /* pending while its sender is ahead of the clock */
    double existed;            /* when it began to exist, if it was sent so */
    struct fabric_failure why;
    uint64_t cause; /* of its arrival */
    struct engine_actor *sender, *receiver;
};
static struct exchange exchanges[MOST];
static int n_exchanges;
static struct fabric_messages *ms;

static void on_sent(struct fabric_messages *of, struct fabric_message *m)
{
    struct exchange *x = (struct exchange *)m;
    assert_ptr_equal(of, ms);
    x->free = true;
    engine_wake(stage.engine, x->sender);
}
static void on_received(struct fabric_messages *of, struct fabric_message *m)
{
    struct exchange *x = (struct exchange *)m;
    assert_ptr_equal(of, ms);
    x->there = true;
    x->cause = *engine_cause(stage.engine);
    engine_wake(stage.engine, x->receiver);
}
static void on_failed(struct fabric_messages *of, struct fabric_message *m, const struct fabric_failure *why)
{
    struct exchange *x = (struct exchange *)m;
    (void)of;
    x->failed = true;
    x->why = *why;
}
static void exist(struct exchange *x)
{
    x->exists = true;
    if (x->posted)
        assert_false(fabric_message_receive(ms, &x->message));
}
static const struct fabric_message_handler handler = {
    .sent = on_sent, .received = on_received, .failed = on_failed};
static const struct engine_reason reason = {.what = "test"};

static void send_now(struct exchange *x)
{
    fabric_message_send(ms, &x->message);
    exist(x);
    x->free = x->message.mode != FABRIC_SYNCHRONOUS;
}

static void time_has_come(struct engine *e, struct engine_event *ev)
{
    struct exchange *x = BASE_CONTAINER(ev, struct exchange, ahead);
    x->existed = engine_now(e);
    fabric_message_send(ms, &x->message);
    exist(x);
}

/* By a sender that is ahead of the clock. */
static inline void send_at(struct exchange *x, double when)
{
    engine_event_init(&x->ahead, time_has_come);
    fabric_lead_post(stage.fabric, &x->ahead, when);
}

static void sender(void *arg)
{
    struct exchange *x = arg;
    engine_sleep_until(stage.engine, x->send_at);
    double cost = fabric_send_cost(ms, x->message.from, x->message.bytes, x->how);
    x->message.mode = (uint8_t)fabric_message_mode(ms, x->message.bytes, x->how);
    if (!fabric_send_overlaps(ms))
        engine_sleep(stage.engine, cost);
    send_now(x);
    if (fabric_send_overlaps(ms))
        engine_sleep(stage.engine, cost);
    x->isent = engine_now(stage.engine);
    if (x->how & FABRIC_NONBLOCKING && x->wait_at > engine_now(stage.engine))
        engine_sleep_until(stage.engine, x->wait_at);
    while (!x->free)
        engine_block(stage.engine, &reason);
    x->sent = engine_now(stage.engine);
}

static void receiver(void *arg)
{
    struct exchange *x = arg;
    engine_sleep_until(stage.engine, x->receive_at);
    x->posted = true;
    if (x->exists)
        x->there = fabric_message_receive(ms, &x->message);
    if (x->irecv && x->wait_at > engine_now(stage.engine))
        engine_sleep_until(stage.engine, x->wait_at);
    while (!x->there)
        engine_block(stage.engine, &reason);
    engine_sleep(stage.engine, fabric_receive_cost(ms, &x->message));
    x->done = engine_now(stage.engine);
}

static int begin(void **state)
{
    setup(state);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
    set("smpi/os", "0:2us:0.5ns");
    set("smpi/ois", "0:1us:0.25ns");
    set("smpi/or", "0:3us:1ns");
    set("smpi/async-small-thresh", "1000");
    set("smpi/send-is-detached-thresh", "10000");
    set("smpi/envelope", "0");
    memset(exchanges, 0, sizeof exchanges);
    n_exchanges = 0;
    return 0;
}

static int end(void **state)
{
    fabric_messages_destroy(ms);
    ms = NULL;
    return teardown(state);
}

static void messages_create(void)
{
    struct base_status st;
    if (!stage.fabric)
        create("", "", "");
    if (fabric_messages_create(&ms, stage.fabric, stage.settings, &st))
        fail_msg("%s", st.text);
}

static struct exchange *plan_message(double send_us, double receive_us, uint64_t bytes, unsigned how)
{
    struct exchange *x = &exchanges[n_exchanges++];
    x->message = (struct fabric_message){.handler = &handler, .bytes = bytes, .from = A, .to = B};
    x->send_at = send_us * US;
    x->receive_at = receive_us * US;
    x->how = how;
    return x;
}

static inline void exchange_all(void)
{
    for (int k = 0; k < n_exchanges; k++) {
        exchanges[k].sender = engine_actor_spawn(stage.engine, sender, &exchanges[k], NULL);
        exchanges[k].receiver = engine_actor_spawn(stage.engine, receiver, &exchanges[k], NULL);
    }
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    fluid_check(stage.fluid);
}

#endif
