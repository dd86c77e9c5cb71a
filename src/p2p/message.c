/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: the life of a message, from its send's start until its bytes are in a receive's buffer. Where its
 * bytes are meanwhile is told by its place (internal.h).
 *
 *      start -- ahead of the clock --> its item's event --.
 *        '---- now ---------------------------------------- +--> arrive -- a receive wants it --> match
 *                                                                  '------ none: queue, until one does
 *      match --> (the fabric) --> sent, received --> over
 *
 * Invariants
 *  P6  The bytes of a message AT_SENDER are read at an instant at which `send` is active.
 */
#include "p2p/internal.h"

#include <inttypes.h>
#include <stdlib.h>

static struct p2p_message *of_fabric(struct fabric_message *fm)
{
    return BASE_CONTAINER(fm, struct p2p_message, fabric);
}

static void trace(const struct p2p_message *m, enum trace_type type)
{
    if (BASE_UNLIKELY(m->from->job->trace->on))
        p2p_trace_message(m, type);
}

static bool is_inner(const struct p2p_message *m)
{
    return p2p_is_inner(&m->item.envelope);
}

static struct base_pool *pool_of(struct p2p_job *j, bool unmoved)
{
    return unmoved ? &j->unmoved_pool : &j->message_pool;
}

static void load(struct p2p_message *m)
{
    m->cargo->data = NULL;
    m->cargo->layout = NULL;
    if (BASE_UNLIKELY(m->from->job->check_types))
        p2p_note_types(m);
}

static void unload(struct p2p_message *m)
{
    struct p2p_cargo *c = m->cargo;
    if (c->data && c->data != c->small)
        base_buffers_put(&m->from->job->buffers, c->data, m->fabric.bytes);
    if (BASE_UNLIKELY(c->layout != NULL))
        types_layout_release(c->layout);
}

static struct p2p_message *message_create(struct p2p_request *send)
{
    struct p2p_rank *k = send->rank;
    struct p2p_job *j = k->job;
    struct p2p_message *m = base_pool_get(pool_of(j, send->unmoved));
    m->item.envelope = send->item.envelope;
    m->item.queued = false;
    m->from = k;
    m->to = p2p_rank_of(send->to);
    m->fabric.handler = p2p_message_handler();
    m->fabric.bytes = send->bytes;
    m->fabric.number = 0;
    m->fabric.from = k->rank->host;
    m->fabric.to = send->to->host;
    m->fabric.mode = (uint8_t)fabric_message_mode(j->messages, send->bytes, p2p_request_how(send));
    m->fabric.stage = 0;
    m->fabric.owner_state = P2P_AT_SENDER;
    m->fabric.owner_flags =
        (uint8_t)((send->how == P2P_READY ? P2P_OF_READY : 0) | (send->unmoved ? P2P_UNMOVED : 0));
    m->send = send;
    m->receive = NULL;
    m->call = send->call;
    m->note = send->note;
    m->caller = send->caller;
    m->order = send->pending.order;
    send->pending.order = 0;
    j->counts.messages++;
    j->counts.bytes += send->bytes;
    if (is_inner(m)) {
        j->counts.inner_messages++;
        j->counts.inner_bytes += send->bytes;
    } else {
        k->traffic.sent++;
        k->traffic.sent_bytes += send->bytes;
    }
    if (!p2p_is(m, P2P_UNMOVED))
        load(m);
    return m;
}

void p2p_message_destroy(struct p2p_message *m)
{
    if (!p2p_is(m, P2P_UNMOVED))
        unload(m);
    rank_order_forget(m->order);
    base_pool_put(pool_of(m->from->job, p2p_is(m, P2P_UNMOVED)), m);
}

/* --- bytes --------------------------------------------------------------------------------------- */

/* The sender does not wait, so its bytes are copied into the message. */
static void hold(struct p2p_message *m)
{
    struct p2p_job *j = m->from->job;
    BASE_ASSERT("P6", m->send && m->fabric.owner_state == P2P_AT_SENDER);
    m->fabric.owner_state = P2P_HELD;
    if (p2p_is(m, P2P_UNMOVED))
        return;
    struct p2p_cargo *c = m->cargo;
    c->data = m->fabric.bytes <= P2P_SMALL ? c->small : base_buffers_get(&j->buffers, m->fabric.bytes);
    p2p_pack(m->from, &m->send->buffer, m->fabric.bytes, c->data);
    j->counts.copies++;
}

void p2p_listen(struct rank_job *job, p2p_listener_fn fn)
{
    p2p_job_of(job)->listener = fn;
}

static void tell_listener(const struct p2p_message *m, enum p2p_instant what, double at)
{
    const struct p2p_envelope *e = &m->item.envelope;
    if (!is_inner(m))
        m->from->job->listener(
            &(struct p2p_news){what, at, m->from->rank, m->to->rank, e->context, e->tag, m->fabric.bytes});
}

static void tell(const struct p2p_message *m, enum p2p_instant what)
{
    if (BASE_UNLIKELY(m->from->job->listener != NULL))
        tell_listener(m, what, engine_now(m->from->job->engine));
}

/* Into the receive's buffer: as many as it has room for. */
static void deliver(struct p2p_message *m)
{
    struct p2p_request *q = m->receive;
    uint64_t bytes = m->fabric.bytes < q->bytes ? m->fabric.bytes : q->bytes;
    if (p2p_is(m, P2P_UNMOVED) || q->unmoved) {
        m->fabric.owner_state = P2P_DELIVERED;
        return;
    }
    if (m->fabric.owner_state == P2P_AT_SENDER) {
        BASE_ASSERT("P6", m->send);
        p2p_copy(m->to, &q->buffer, m->from, &m->send->buffer, bytes);
    } else if (m->fabric.owner_state == P2P_HELD) {
        p2p_unpack(m->to, &q->buffer, bytes, m->cargo->data);
    } else {
        return;
    }
    m->fabric.owner_state = P2P_DELIVERED;
    m->from->job->counts.copies++;
}

/* --- being received ------------------------------------------------------------------------------ */

static void send_complete(struct p2p_message *m, enum p2p_outcome outcome)
{
    struct p2p_request *send = m->send;
    m->send = NULL;
    if (send)
        p2p_request_complete(send, outcome, engine_now(m->from->job->engine));
}

static bool is_compared(const struct p2p_message *m)
{
    return !p2p_is(m, P2P_UNMOVED) && m->cargo->layout;
}

static void received(struct p2p_message *m)
{
    struct p2p_request *q = m->receive;
    deliver(m);
    trace(m, TRACE_SEND_RECEIVED);
    tell(m, P2P_RECEIVED);
    p2p_message_describe(m, &q->status);
    q->cost = fabric_receive_cost(m->from->job->messages, &m->fabric);
    enum p2p_outcome outcome = m->fabric.bytes > q->bytes ? P2P_TRUNCATED : P2P_OK;
    if (BASE_UNLIKELY(is_compared(m)) && outcome == P2P_OK && p2p_mismatched(m, q))
        outcome = P2P_MISMATCHED;
    if (!is_inner(m)) {
        m->to->traffic.received++;
        m->to->traffic.received_bytes += m->fabric.bytes;
    }
    p2p_message_destroy(m);
    p2p_request_complete(q, outcome, engine_now(q->rank->job->engine));
}

void p2p_message_match(struct p2p_message *m, struct p2p_request *receive)
{
    BASE_ASSERT("P3", !m->item.queued && !m->receive);
    m->receive = receive;
    if (BASE_UNLIKELY(m->order != 0))
        p2p_checked_match(m, receive);
    if (BASE_UNLIKELY(m->from->job->trace->on))
        p2p_trace_matched(m);
    tell(m, P2P_MATCHED);
    /* The sender may go on before the message arrives, so this is the time for its bytes. */
    if (m->fabric.owner_state == P2P_AT_SENDER && m->fabric.mode != FABRIC_SYNCHRONOUS)
        deliver(m);
    if (fabric_message_receive(m->from->job->messages, &m->fabric))
        received(m);
}

/* --- being lost ---------------------------------------------------------------------------------- */

/* Nobody waits for it: a rank has failed, the sender's if that has not ended. */
static void report_lost(const struct p2p_message *m, const struct fabric_failure *why)
{
    struct rank *from = m->from->rank, *to = m->to->rank;
    const struct rank *other = from->ended ? from : to;
    char text[200];
    snprintf(text, sizeof text, "%s of %" PRIu64 " bytes %s rank %" PRIu32 " (host %.100s)", m->call,
             m->fabric.bytes, from->ended ? "from" : "to", other->id,
             platform_host(fabric_platform(m->from->job->fabric), other->host)->name);
    rank_operation_failed(from->ended ? to : from, text, why);
}

static void lose(struct p2p_message *m, const struct fabric_failure *why)
{
    struct p2p_request *send = m->send, *receive = m->receive;
    struct fabric_failure failure = *why;
    void *note = m->note;
    if (m->item.queued)
        p2p_queue_remove(&m->to->job->bins, &m->to->messages, &m->item);
    if (p2p_is(m, P2P_TAKEN) && !receive) { /* its receive is to come, and is told */
        m->fabric.owner_flags |= P2P_LOST;
        m->why = failure;
        return;
    }
    if (!send && !receive)
        report_lost(m, &failure);
    p2p_message_destroy(m);
    if (send)
        p2p_request_fail(send, &failure);
    if (receive) {
        receive->status.note = note;
        p2p_request_fail(receive, &failure);
    }
}

void p2p_message_cancel(struct p2p_message *m)
{
    p2p_queue_remove(&m->to->job->bins, &m->to->messages, &m->item);
    fabric_message_cancel(m->from->job->messages, &m->fabric);
    p2p_message_destroy(m);
}

/* --- being sent ---------------------------------------------------------------------------------- */

/* No receive wants it. false: it is gone. */
static bool wait_for_receive(struct p2p_message *m)
{
    struct p2p_job *j = m->from->job;
    struct fabric_failure why = {FABRIC_HOST, m->fabric.to};
    if (p2p_is(m, P2P_OF_READY)) {
        struct p2p_request *send = m->send;
        fabric_message_cancel(j->messages, &m->fabric);
        p2p_message_destroy(m);
        p2p_request_complete(send, P2P_NOT_POSTED, engine_now(j->engine));
        return false;
    }
    if (m->fabric.mode != FABRIC_ASYNCHRONOUS && BASE_UNLIKELY(!fabric_host_on(j->fabric, m->fabric.to))) {
        fabric_message_cancel(j->messages, &m->fabric);
        lose(m, &why);
        return false;
    }
    m->to->traffic.unexpected += !is_inner(m);
    tell(m, P2P_UNEXPECTED);
    p2p_queue_add(&j->bins, &m->to->messages, &m->item);
    if (BASE_UNLIKELY(m->to->probers != NULL))
        p2p_probers_tell(m);
    return true;
}

/* The message exists: it meets a receive or waits for one. false: it is gone. */
static bool arrive(struct p2p_message *m)
{
    struct p2p_rank *to = m->to;
    struct p2p_item *item = p2p_queue_receive(&to->job->bins, &to->receives, &m->item.envelope);
    if (!item)
        return wait_for_receive(m);
    p2p_queue_remove(&to->job->bins, &to->receives, item);
    p2p_message_match(m, (struct p2p_request *)(void *)item);
    if (p2p_is(m, P2P_OF_READY) && m->fabric.mode != FABRIC_SYNCHRONOUS)
        send_complete(m, P2P_OK);
    return true;
}

static void time_has_come(struct engine *e, struct engine_event *ev)
{
    struct p2p_message *m = BASE_CONTAINER(ev, struct p2p_message, item.event);
    engine_cause_set(e, m->fabric.number);
    m->from->pending--;
    fabric_message_send(m->from->job->messages, &m->fabric);
    arrive(m);
    engine_cause_set(e, 0);
}

void p2p_message_start(struct p2p_request *send, double when)
{
    struct p2p_rank *k = send->rank;
    struct p2p_job *j = k->job;
    struct p2p_message *m = message_create(send);
    bool goes_on = m->fabric.mode != FABRIC_SYNCHRONOUS && !p2p_is(m, P2P_OF_READY);
    send->message = m;
    if (BASE_UNLIKELY(j->trace->on))
        p2p_trace_issued(m, when);
    if (BASE_UNLIKELY(j->listener != NULL))
        tell_listener(m, P2P_SENT, when);
    if (p2p_must_wait(k, &m->item.envelope, when)) {
        k->pending++;
        if (goes_on)
            hold(m);
        engine_event_init(&m->item.event, time_has_come);
        fabric_lead_post(j->fabric, &m->item.event, when);
    } else {
        fabric_message_send(j->messages, &m->fabric);
        if (!arrive(m))
            return;
        if (goes_on && m->fabric.owner_state == P2P_AT_SENDER)
            hold(m);
    }
    if (goes_on) {
        m->send = NULL;
        p2p_request_complete(send, P2P_OK, when);
    }
}

/* --- the fabric's callbacks ---------------------------------------------------------------------- */

static void on_arrived(struct fabric_messages *ms, struct fabric_message *fm)
{
    (void)ms;
    trace(of_fabric(fm), TRACE_SEND_ARRIVED);
}

static void on_sent(struct fabric_messages *ms, struct fabric_message *fm)
{
    struct p2p_message *m = of_fabric(fm);
    (void)ms;
    deliver(m);
    send_complete(m, P2P_OK);
}

static void on_received(struct fabric_messages *ms, struct fabric_message *fm)
{
    struct p2p_message *m = of_fabric(fm);
    (void)ms;
    trace(m, TRACE_SEND_ARRIVED);
    received(m);
}

static void on_failed(struct fabric_messages *ms, struct fabric_message *fm, const struct fabric_failure *why)
{
    (void)ms;
    lose(of_fabric(fm), why);
}

static uint64_t connection(const struct fabric_message *fm)
{
    const struct p2p_message *m = BASE_CONTAINER(fm, const struct p2p_message, fabric);
    return p2p_connection(m->from->rank, m->to->rank);
}

static const struct fabric_message_handler handler = {.arrived = on_arrived,
                                                      .sent = on_sent,
                                                      .received = on_received,
                                                      .failed = on_failed,
                                                      .connection = connection};

const struct fabric_message_handler *p2p_message_handler(void)
{
    return &handler;
}
