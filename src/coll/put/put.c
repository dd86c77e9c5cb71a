/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * put: collectives' messages as puts with a signal: a payload and an 8-byte word that signals its arrival.
 * What a message is for is left to coll. With a trace, messages have numbers, and whatever an arrival causes
 * refers to its number.
 */
#include "coll/put/put.h"

#include <stdlib.h>

enum { SIGNAL_BYTES = 8 };

struct coll_put {
    struct coll_transport transport;
    struct rank_job *job;
    struct fabric *fabric;
    struct trace *trace;
    double local_latency;
    const struct coll_put_hooks *hooks;
    struct fabric_handler handler, traced_handler;
};

static double issue_cost(void *ctx, uint64_t bytes, const struct rank *from, const struct rank *to)
{
    const struct coll_put *t = ctx;
    return fabric_host_issue_cost(t->fabric, FABRIC_PUT, bytes + SIGNAL_BYTES, from->host, to->host);
}

static double message_time(void *ctx, const struct rank *from, const struct rank *to)
{
    const struct coll_put *t = ctx;
    bool local = from->host == to->host;
    double latency = local ? t->local_latency : fabric_latency(t->fabric, from->host, to->host, SIGNAL_BYTES);
    return fabric_issue_cost(t->fabric, FABRIC_PUT, SIGNAL_BYTES, local) + latency + t->transport.receive;
}

static double byte_time(void *ctx, const struct rank *from, const struct rank *to)
{
    const struct coll_put *t = ctx;
    return from->host == to->host ? 0 : fabric_transfer_byte(t->fabric, from->host, to->host);
}

static uint32_t zone(void *ctx, const struct rank *r, const char **routing)
{
    const struct coll_put *t = ctx;
    const struct platform *p = fabric_platform(t->fabric);
    uint32_t z = platform_host_zone(p, r->host);
    *routing = platform_zone_view(p, z).routing;
    return z;
}

/* --- sending ------------------------------------------------------------------------------------- */

static struct coll_message *message_of(struct fabric_op *op)
{
    return coll_message_of(BASE_CONTAINER(op, struct coll_message_room, op));
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    coll_arrived(message_of(op));
}

static void traced_at_target(struct fabric *f, struct fabric_op *op)
{
    struct coll_message *msg = message_of(op);
    struct engine *e = fabric_engine(f);
    uint64_t number = coll_message_number(msg);
    coll_message_trace(msg, number, &(struct trace_event){.type = TRACE_MESSAGE_ARRIVED});
    engine_cause_set(e, number);
    coll_arrived(msg);
    engine_cause_set(e, 0);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    BASE_ASSERT("C11", op->kind != FABRIC_PUT);
}

/* The sending member ends with its rank or with the job. The record stays until the job's end. */
static void failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    const struct platform_host *to = platform_host(fabric_platform(f), op->target);
    char text[200];
    snprintf(text, sizeof text, "a collective's message of %llu bytes to host %.100s",
             (unsigned long long)op->bytes, to->name);
    rank_operation_failed(coll_message_sender(message_of(op)), text, why);
}

static void trace_issue(const struct coll_put *t, struct coll_message *msg, uint64_t cause)
{
    struct fabric_op *op = &coll_message_room(msg)->op;
    op->handler = &t->traced_handler;
    coll_message_trace(msg, rank_operation_number(t->job),
                       &(struct trace_event){.type = TRACE_MESSAGE_ISSUED,
                                             .cause = cause,
                                             .least = fabric_least(t->fabric, op, false, false)});
}

static void send(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to, uint64_t cause)
{
    const struct coll_put *t = ctx;
    struct fabric_op *op = &coll_message_room(msg)->op;
    op->handler = &t->handler;
    op->kind = FABRIC_PUT;
    op->bytes = coll_message_bytes(msg) + SIGNAL_BYTES;
    op->origin = from->host;
    op->target = to->host;
    op->event.owners = to->server;
    if (BASE_UNLIKELY(t->trace->on))
        trace_issue(t, msg, cause);
    fabric_issue(t->fabric, op);
}

static double ack_delay(void *ctx, struct coll_message *msg)
{
    const struct coll_put *t = ctx;
    return fabric_ack_delay(t->fabric, &coll_message_room(msg)->op);
}

/* --- memory -------------------------------------------------------------------------------------- */

static void write_memory(void *ctx, struct rank *r, uintptr_t address, const void *in, size_t bytes)
{
    const struct coll_put *t = ctx;
    t->hooks->write(r, address, in, bytes);
}

static void touched(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    const struct coll_put *t = ctx;
    t->hooks->touched(r, address, bytes);
}

static void check(void *ctx, struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    const struct coll_put *t = ctx;
    t->hooks->room(r, address, bytes, call);
}

/* --- its life ------------------------------------------------------------------------------------ */

static const struct coll_transport_ops ops = {
    .issue_cost = issue_cost,
    .send = send,
    .message_time = message_time,
    .byte_time = byte_time,
    .zone = zone,
    .ack_delay = ack_delay,
    .write = write_memory,
    .touched = touched,
    .check = check,
};

struct coll_put *coll_put_create(struct rank_job *job, const struct coll_put_hooks *hooks)
{
    struct coll_put *t = base_zalloc(sizeof *t, "the transport of collectives");
    t->job = job;
    t->fabric = rank_fabric(job);
    t->trace = rank_trace(job);
    t->local_latency = base_settings_number(rank_settings(job), "local/latency");
    t->hooks = hooks;
    t->handler = t->traced_handler = (struct fabric_handler){
        .fabric = t->fabric, .at_target = at_target, .at_origin = at_origin, .failed = failed};
    t->traced_handler.at_target = traced_at_target;
    t->transport = (struct coll_transport){.ops = &ops,
                                           .ctx = t,
                                           .overhead = SIGNAL_BYTES,
                                           .buffered_limit = fabric_buffered_limit(t->fabric),
                                           .receive = fabric_poll_cost(t->fabric),
                                           .copy_byte = fabric_copy_cost(t->fabric, 1),
                                           .reduce_byte = coll_reduce_cost(rank_settings(job))};
    return t;
}

void coll_put_destroy(struct coll_put *t)
{
    free(t);
}

const struct coll_transport *coll_put_transport(const struct coll_put *t)
{
    return &t->transport;
}
