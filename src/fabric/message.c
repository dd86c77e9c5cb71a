/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message: two-sided messages from their match on, asynchronous ones also before it. The three modes of the
 * hybrid model of the SMPI paper (section 3.2, Figure 4):
 *
 *   asynchronous   sets out when it is sent; waits at the receiver's host until it is received
 *   detached       sets out when it is sent and received; its sender does not wait
 *   synchronous    sets out when it is sent and received; its sender waits until it has arrived
 *
 * With network/rendezvous-data, bytes of a synchronous message set out with its request, when it is sent. Its
 * receiver asks for the rest, when they are there and it is received.
 *
 * This file decides when a message sets out and arrives. Callers charge the overheads: they know who waits,
 * and where. Matching, payloads and requests are the owner's business.
 *
 *   stage       what holds                                       left by
 *   OWNER       the owner's                                      fabric_message_send
 *   SENT        nobody receives it yet, and nothing moves        fabric_message_receive
 *   ALONE       on its way, and nobody receives it yet           its arrival; fabric_message_receive
 *   ARRIVED     at the receiver's host, and nobody receives it   fabric_message_receive
 *   ASKED       its first bytes are on their way to its receiver  their arrival
 *   RECEIVED    on its way to its receiver                       its arrival: sent, received
 *
 * Invariants
 *  M1  A message is sent once, from stage OWNER, and received once, after that.
 *  M2  A message has a transfer exactly in stages ALONE, ASKED and RECEIVED.
 */
#include "fabric/message.h"

#include <math.h>

enum stage { OWNER, SENT, ALONE, ARRIVED, ASKED, RECEIVED };

enum fabric_mode fabric_message_mode(const struct fabric_messages *ms, uint64_t bytes, unsigned how)
{
    if (how & FABRIC_SYNCHRONIZES)
        return FABRIC_SYNCHRONOUS;
    if (bytes < ms->asynchronous_below)
        return FABRIC_ASYNCHRONOUS;
    return bytes < ms->detached_below || how & FABRIC_BUFFERS ? FABRIC_DETACHED : FABRIC_SYNCHRONOUS;
}

uint64_t fabric_synchronous_from(const struct fabric_messages *ms)
{
    return ms->detached_below;
}

uint64_t fabric_asynchronous_below(const struct fabric_messages *ms)
{
    return ms->asynchronous_below;
}

static const struct fabric_overheads *overheads(const struct fabric_messages *ms, uint32_t host)
{
    return ms->of_host && ms->of_host[host] ? ms->of_host[host] : &ms->usual;
}

/* A blocking send of a synchronous message waits for its receiver instead (MPI_Ssend pays, too). */
double fabric_send_cost(const struct fabric_messages *ms, uint32_t host, uint64_t bytes, unsigned how)
{
    const struct fabric_overheads *o = overheads(ms, host);
    if (how & FABRIC_NONBLOCKING)
        return fabric_pieces_cost(&o->of[FABRIC_O_IS], bytes);
    if (how & FABRIC_SYNCHRONIZES || fabric_message_mode(ms, bytes, how) != FABRIC_SYNCHRONOUS)
        return fabric_pieces_cost(&o->of[FABRIC_O_S], bytes);
    return 0;
}

bool fabric_send_overlaps(const struct fabric_messages *ms)
{
    return ms->overlap;
}

double fabric_alone_cost(const struct fabric_messages *ms, uint32_t to, uint64_t bytes)
{
    return fabric_pieces_cost(&overheads(ms, to)->of[FABRIC_O_R], bytes);
}

double fabric_receive_cost(const struct fabric_messages *ms, const struct fabric_message *m)
{
    if (m->mode == FABRIC_SYNCHRONOUS)
        return 0;
    return fabric_alone_cost(ms, m->to, m->bytes);
}

struct fabric_call_costs fabric_call_costs(const struct fabric_messages *ms)
{
    return ms->calls;
}

struct fabric *fabric_messages_fabric(const struct fabric_messages *ms)
{
    return ms->fabric;
}

/* --- on its way ------------------------------------------------------------------------------------- */

static void cause_set(struct fabric_messages *ms, uint64_t number)
{
    engine_cause_set(fabric_engine(ms->fabric), number);
}

static struct fabric_transfer *transfer(const struct fabric_messages *ms, const struct fabric_part *part,
                                        uint32_t from, uint32_t to, uint64_t bytes, fabric_outcome_fn done,
                                        void *arg)
{
    struct base_status st;
    struct fabric_transfer *t = fabric_transfer_part(
        ms->fabric, part, from, to, (double)(bytes + ms->envelope), INFINITY, done, arg, &st);
    if (!t)
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    return t;
}

void fabric_message_send_alone(const struct fabric_messages *ms, uint32_t from, uint32_t to, uint64_t bytes,
                               uint64_t connection, fabric_outcome_fn done, void *arg)
{
    struct fabric_part all = {.connection = ms->in_order ? connection : FABRIC_NO_CONNECTION};
    (void)transfer(ms, &all, from, to, bytes, done, arg);
}

/* It, or its first bytes, set out when it is sent. */
static bool goes_ahead(const struct fabric_messages *ms, const struct fabric_message *m)
{
    return m->mode == FABRIC_ASYNCHRONOUS || (m->mode == FABRIC_SYNCHRONOUS && ms->ahead);
}

static uint64_t bytes_ahead(const struct fabric_messages *ms, const struct fabric_message *m)
{
    return m->mode == FABRIC_ASYNCHRONOUS || m->bytes < ms->ahead ? m->bytes : ms->ahead;
}

static void transfer_over(struct fabric *f, void *arg, enum fabric_outcome how);

static void set_out(struct fabric_messages *ms, struct fabric_message *m, enum stage stage)
{
    struct fabric_part part = {.connection = ms->in_order ? m->handler->connection(m) : FABRIC_NO_CONNECTION};
    uint64_t bytes = m->bytes;
    if (stage == ALONE) {
        bytes = bytes_ahead(ms, m);
    } else {
        part.rest = goes_ahead(ms, m);
        part.ahead = (double)(bytes_ahead(ms, m) + ms->envelope);
        part.asks = !part.rest || bytes_ahead(ms, m) < bytes;
    }
    m->stage = (uint8_t)stage;
    m->transfer = transfer(ms, &part, m->from, m->to, bytes, transfer_over, m);
}

/* The message is there, or its first bytes are. */
static void arrive(struct fabric_messages *ms, struct fabric_message *m, enum stage stage)
{
    m->stage = stage == ALONE ? ARRIVED : OWNER;
    if (stage == ASKED && bytes_ahead(ms, m) < m->bytes) {
        set_out(ms, m, RECEIVED);
    } else if (stage != ALONE) {
        if (m->mode == FABRIC_SYNCHRONOUS)
            m->handler->sent(ms, m);
        m->handler->received(ms, m);
    } else if (m->mode == FABRIC_ASYNCHRONOUS && m->handler->arrived) {
        m->handler->arrived(ms, m);
    }
}

static void transfer_over(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct fabric_message *m = arg;
    struct fabric_messages *ms = m->of;
    enum stage stage = m->stage;
    BASE_ASSERT("M2", m->transfer && (stage == ALONE || stage == ASKED || stage == RECEIVED));
    m->transfer = NULL;
    cause_set(ms, m->number);
    if (BASE_LIKELY(how == FABRIC_DONE)) {
        arrive(ms, m, stage);
    } else {
        m->stage = OWNER;
        m->handler->failed(ms, m, fabric_failing(f));
    }
    cause_set(ms, 0);
}

void fabric_message_send(struct fabric_messages *ms, struct fabric_message *m)
{
    BASE_ASSERT("M1", m->stage == OWNER);
    m->of = ms;
    m->transfer = NULL;
    m->stage = SENT;
    if (goes_ahead(ms, m))
        set_out(ms, m, ALONE);
}

bool fabric_message_receive(struct fabric_messages *ms, struct fabric_message *m)
{
    BASE_ASSERT("M1", m->stage == SENT || m->stage == ALONE || m->stage == ARRIVED);
    if (m->stage == ARRIVED && m->mode == FABRIC_ASYNCHRONOUS) {
        m->stage = OWNER;
        return true;
    }
    if (m->stage == ALONE)
        m->stage = m->mode == FABRIC_ASYNCHRONOUS ? RECEIVED : ASKED;
    else
        set_out(ms, m, RECEIVED);
    return false;
}

void fabric_message_cancel(struct fabric_messages *ms, struct fabric_message *m)
{
    if (m->transfer)
        fabric_transfer_cancel(ms->fabric, m->transfer);
    m->transfer = NULL;
    m->stage = OWNER;
}

double fabric_message_least(const struct fabric_messages *ms, const struct fabric_message *m)
{
    return fabric_transfer_least(ms->fabric, m->from, m->to, (double)(m->bytes + ms->envelope));
}
