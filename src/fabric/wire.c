/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire: carries a payload over the links, to the target (for a put) or back to the origin (for a get), as one
 * packet or as a flow. Then fabric_arrived continues the operation.
 */
#include "fabric/parts.h"

static struct fabric_op *op_of(struct engine_event *ev)
{
    return BASE_CONTAINER(ev, struct fabric_op, event);
}

static uint32_t from(const struct fabric_op *op)
{
    return op->stage == FABRIC_TO_TARGET ? op->origin : op->target;
}

static uint32_t to(const struct fabric_op *op)
{
    return op->stage == FABRIC_TO_TARGET ? op->target : op->origin;
}

static double fetch_latency(const struct fabric_model *m, const struct fabric_op *op)
{
    bool fetches = op->stage == FABRIC_TO_TARGET && op->kind == FABRIC_PUT && op->bytes > m->inline_limit;
    return fetches ? m->fetch_latency : 0;
}

static double wire_bytes(const struct fabric_model *m, const struct fabric_op *op)
{
    if (BASE_UNLIKELY(fabric_op_server(op)) && fabric_at_rae(op->handler->fabric, op))
        return fabric_card_bytes(op->handler->fabric, op);
    return (double)(op->bytes + m->header_bytes);
}

/* The same, as it loads the model's links. */
static double amount(const struct fabric *f, double bytes)
{
    return BASE_LIKELY(!f->network.narrows) ? bytes : bytes / fabric_factor_at(&f->network.bandwidth, bytes);
}

/* --- packets ------------------------------------------------------------------------------------ */

static void packet_arrives(struct engine *e, struct engine_event *ev)
{
    (void)e;
    fabric_arrived(op_of(ev));
}

/* The packet enters its first link now. */
static void packet_go(struct fabric_op *op, const struct fabric_way *w)
{
    struct fabric *f = op->handler->fabric;
    const struct fabric_model *m = fabric_model_at(f, from(op));
    uint32_t behind;
    double bytes = wire_bytes(m, op);
    double at = fabric_packet_pass(f, w, amount(f, bytes), &behind) +
                fabric_noisy(f, from(op), to(op), fabric_way_latency(f, w, bytes)) + fetch_latency(m, op);
    if (BASE_UNLIKELY(f->energy != NULL))
        energy_links_carry(f->energy, w->link, w->links, amount(f, bytes));
    engine_event_init(&op->event, packet_arrives);
    engine_series_post(f->engine, fabric_packet_series(f, w, op->bytes, behind), &op->event, at);
}

static void packet_enters(struct engine *e, struct engine_event *ev)
{
    struct fabric_op *op = op_of(ev);
    (void)e;
    packet_go(op, fabric_way_find(op->handler->fabric, from(op), to(op)));
}

static void packet_send(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at)
{
    at = fabric_packet_enter(f, w, at, amount(f, wire_bytes(fabric_model_at(f, from(op)), op)));
    if (at <= engine_now(f->engine)) {
        packet_go(op, w);
        return;
    }
    engine_event_init(&op->event, packet_enters);
    engine_series_post(f->engine, &f->nics[from(op)].entering, &op->event, at);
}

/* --- flows -------------------------------------------------------------------------------------- */

static void flow_arrives(struct fluid *fl, void *arg)
{
    struct fabric_flight *flight = arg;
    (void)fl;
    fabric_arrived(fabric_flight_end(flight->op->handler->fabric, flight));
}

static const struct fabric_path *path_of(fluid_done_fn done, const void *arg)
{
    return done == flow_arrives ? ((const struct fabric_flight *)arg)->path : NULL;
}

void fabric_wires_init(struct fabric *f)
{
    f->path_of[1] = path_of;
}

/* The latency is over: the payload follows as a flow if there is a link to share. */
static void flow_starts(struct engine *e, struct engine_event *ev)
{
    struct fabric_op *op = op_of(ev);
    struct fabric *f = op->handler->fabric;
    struct fabric_path *p = fabric_path_find(f, from(op), to(op)); /* its flow_send made it a user (N2, N3) */
    double bytes = wire_bytes(fabric_model_at(f, from(op)), op);
    (void)e;
    fabric_path_renew(f, p);
    if (BASE_UNLIKELY(f->energy != NULL))
        fabric_energy_moment(f, p);
    struct fabric_flight *flight = fabric_flight_begin(f, op, p);
    flight->bytes = bytes;
    flight->flow = fabric_path_start(f, p, p->weight > 0 ? p->weight : 1, p->bound, bytes, amount(f, bytes),
                                     flow_arrives, flight);
    if (!flight->flow)
        flow_arrives(f->fluid, flight);
}

static void flow_send(struct fabric *f, struct fabric_op *op, double at)
{
    const struct fabric_model *m = fabric_model_at(f, from(op));
    struct fabric_path *p = fabric_path_find(f, from(op), to(op));
    p->users++;
    engine_event_init(&op->event, flow_starts);
    double latency = fabric_noisy(f, from(op), to(op), fabric_way_latency(f, &p->way, wire_bytes(m, op)));
    engine_event_post(f->engine, &op->event, at + latency + fetch_latency(m, op));
}

void fabric_wire_send(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at)
{
    uint64_t limit = fabric_model_at(f, from(op))->packet_limit;
    if (op->bytes <= limit && (limit || !op->bytes))
        packet_send(f, op, w, at);
    else
        flow_send(f, op, at);
}

void fabric_wire_short(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at)
{
    packet_send(f, op, w, at);
}

bool fabric_is_wire_step(engine_event_fn fn)
{
    return fn == packet_enters || fn == packet_arrives || fn == flow_starts;
}

void fabric_wire_lose(struct fabric_op *op)
{
    if (op->event.fn != flow_starts)
        return;
    fabric_path_find(op->handler->fabric, from(op), to(op))->users--;
}
