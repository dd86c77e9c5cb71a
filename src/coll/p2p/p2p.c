/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p: carries the messages of collectives as messages of the module p2p, which matches them and decides when
 * they set out and arrive. That module knows only the payloads' sizes: coll moves the bytes, for it knows
 * where a schedule's places are. A message and its receive have the collective's number as context, and the
 * message's tag.
 *
 * A short message that its receiver expects to be short needs none of that: it sets out when it is sent and
 * waits at its receiver's host, and coll finds its receive. It goes alone, without requests and a record of
 * p2p's. Its times are the same; but traces tell of p2p's messages, and p2p knows what to do with those that
 * fail. So with a trace, and on platforms that change, none goes alone.
 *
 * Invariant
 *  C17 A message is in the transport's list from its send until coll_arrived, or, if it failed or nobody
 *      received it, until the end of the job.
 */
#include "coll/p2p/p2p.h"

#include "p2p/p2p.h"

#include <stdlib.h>

struct coll_p2p {
    struct coll_transport transport;
    struct engine *engine;
    const struct fabric_messages *model;
    uint64_t alone_below; /* bytes */
    struct coll_message_room *under_way;
};

static uint32_t context_of(uint64_t collective)
{
    return P2P_INNER_CONTEXTS | (uint32_t)(collective & (P2P_INNER_CONTEXTS - 1));
}

static struct p2p_buffer bytes_of(uint64_t bytes)
{
    return (struct p2p_buffer){.count = bytes, .layout = types_layout_of(TYPES_BYTE)};
}

static double issue_cost(void *ctx, uint64_t bytes, const struct rank *from, const struct rank *to)
{
    (void)ctx, (void)to;
    return p2p_send_cost(from, bytes);
}

static double message_time(void *ctx, const struct rank *from, const struct rank *to)
{
    (void)ctx;
    return p2p_empty_time(from, to);
}

static double byte_time(void *ctx, const struct rank *from, const struct rank *to)
{
    (void)ctx;
    return fabric_transfer_byte(rank_fabric(from->job), from->host, to->host);
}

static uint32_t zone(void *ctx, const struct rank *r, const char **routing)
{
    (void)ctx;
    const struct platform *p = fabric_platform(rank_fabric(r->job));
    uint32_t z = platform_host_zone(p, r->host);
    *routing = platform_zone_view(p, z).routing;
    return z;
}

/* Its sender knows when it arrives, as in rendezvous. */
static double ack_delay(void *ctx, struct coll_message *msg)
{
    (void)ctx, (void)msg;
    return 0;
}

/* --- what is under way ----------------------------------------------------------------------------- */

static void link_in(struct coll_p2p *t, struct coll_message_room *room)
{
    room->next = t->under_way;
    room->place = &t->under_way;
    if (room->next)
        room->next->place = &room->next;
    t->under_way = room;
}

static void link_out(struct coll_message_room *room)
{
    *room->place = room->next;
    if (room->next)
        room->next->place = room->place;
}

/* A failed message: the rank that waits for it ends, or the job does. */
static void report_failure(const struct coll_message *msg, struct rank *waits, const struct rank *other,
                           const struct fabric_failure *why)
{
    const struct platform *p = fabric_platform(rank_fabric(waits->job));
    char text[200];
    snprintf(text, sizeof text, "a collective's message of %llu bytes %s host %.100s",
             (unsigned long long)coll_message_bytes(msg), other == coll_message_sender(msg) ? "from" : "to",
             platform_host(p, other->host)->name);
    rank_operation_failed(waits, text, why);
}

/* --- sending and receiving ------------------------------------------------------------------------- */

/* Comes before `received`, so the message is still there. */
static void sent(struct p2p_request *q, void *arg)
{
    const struct coll_message *msg = arg;
    const struct p2p_status st = *p2p_status(q);
    p2p_request_destroy(q);
    if (BASE_UNLIKELY(st.outcome == P2P_FAILED))
        report_failure(msg, coll_message_sender(msg), coll_message_receiver(msg), &st.failure);
}

/* coll reports a member that expects another size. */
static void received(struct p2p_request *q, void *arg)
{
    const struct p2p_status st = *p2p_status(q);
    struct coll_message *msg = st.note;
    struct coll_message_room *room = coll_message_room(msg);
    double cost = p2p_finish_cost(q);
    (void)arg;
    p2p_request_destroy(q);
    if (BASE_UNLIKELY(st.outcome == P2P_FAILED)) {
        report_failure(msg, coll_message_receiver(msg), coll_message_sender(msg), &st.failure);
        return;
    }
    link_out(room);
    room->receive = cost;
    coll_arrived(msg);
}

static void alone_arrived(struct fabric *f, void *arg, enum fabric_outcome how)
{
    struct coll_message *msg = arg;
    if (BASE_UNLIKELY(how == FABRIC_FAILED)) {
        report_failure(msg, coll_message_receiver(msg), coll_message_sender(msg), fabric_failing(f));
        return;
    }
    link_out(coll_message_room(msg));
    coll_arrived(msg);
}

static void send(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to, uint64_t cause)
{
    struct coll_p2p *t = ctx;
    uint64_t *present = engine_cause(t->engine), before = *present;
    struct p2p_buffer bytes = bytes_of(coll_message_bytes(msg));
    struct coll_message_room *room = coll_message_room(msg);
    link_in(t, room);
    if (bytes.count < t->alone_below && coll_message_is_even(msg)) {
        /* The receiver's record is in the cache now, and would not be at the arrival. */
        room->receive = fabric_alone_cost(t->model, to->host, bytes.count);
        fabric_message_send_alone(t->model, from->host, to->host, bytes.count, p2p_connection(from, to),
                                  alone_arrived, msg);
        return;
    }
    struct p2p_request *q =
        p2p_send_create(from, to->id, context_of(coll_message_collective(msg)), coll_message_tag(msg), &bytes,
                        P2P_STANDARD, coll_message_call(msg));
    p2p_request_unmoved(q);
    p2p_request_tell(q, sent, msg);
    p2p_request_note(q, msg);
    *present = cause;
    p2p_start(q, engine_now(t->engine));
    *present = before;
}

static void post(void *ctx, const struct coll_receive *what)
{
    const struct coll_p2p *t = ctx;
    struct p2p_buffer bytes = bytes_of(what->bytes);
    if (what->even && what->bytes < t->alone_below)
        return;
    struct p2p_envelope wanted = {context_of(what->collective), what->from->id, what->tag};
    struct p2p_request *q = p2p_receive_create(what->rank, &wanted, &bytes, what->call);
    p2p_request_unmoved(q);
    p2p_request_tell(q, received, NULL);
    p2p_start(q, engine_now(t->engine));
}

/* --- memory ---------------------------------------------------------------------------------------- */

static void write_memory(void *ctx, struct rank *r, uintptr_t address, const void *in, size_t bytes)
{
    (void)ctx;
    rank_write(r, address, in, bytes);
}

/* Nothing to do: no rank waits for changes of memory that is not symmetric. */
static void touched(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    (void)ctx, (void)r, (void)address, (void)bytes;
}

/* Nothing to check: a receiver of parts of unknown sizes must provide enough private memory. */
static void check(void *ctx, struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    (void)ctx, (void)r, (void)address, (void)bytes, (void)call;
}

/* --- its life -------------------------------------------------------------------------------------- */

static const struct coll_transport_ops ops = {
    .issue_cost = issue_cost,
    .send = send,
    .post = post,
    .message_time = message_time,
    .byte_time = byte_time,
    .zone = zone,
    .ack_delay = ack_delay,
    .write = write_memory,
    .touched = touched,
    .check = check,
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A message of b bytes is buffered if b + 1 is at most the limit, so that with limit 0 none is. Copies within
 * a rank's memory take no time, as in SMPI. */
struct coll_p2p *coll_p2p_create(struct rank_job *job)
{
    struct coll_p2p *t = base_zalloc(sizeof *t, "the transport of collectives");
    const struct rank *any = rank_at(job, 0);
    t->engine = rank_engine(job);
    t->model = p2p_model(any);
    if (!rank_trace(job)->on && fabric_is_steady(rank_fabric(job)))
        t->alone_below = least(fabric_asynchronous_below(t->model), fabric_synchronous_from(t->model));
    t->transport = (struct coll_transport){.ops = &ops,
                                           .ctx = t,
                                           .overhead = 1,
                                           .buffered_limit = p2p_waits_from(any),
                                           .reduce_byte = coll_reduce_cost(rank_settings(job)),
                                           .overlaps = p2p_send_overlaps(any)};
    return t;
}

void coll_p2p_computes_nothing(struct coll_p2p *t)
{
    t->transport.reduce_byte = 0;
}

void coll_p2p_destroy(struct coll_p2p *t)
{
    while (t->under_way) {
        struct coll_message_room *room = t->under_way;
        link_out(room);
        coll_message_destroy(coll_message_of(room));
    }
    free(t);
}

const struct coll_transport *coll_p2p_transport(const struct coll_p2p *t)
{
    return &t->transport;
}
