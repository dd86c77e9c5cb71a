/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * op: moves an operation through its stages (table in parts.h). Each stage ends with one event: the
 * operation's own, or the completion of its flow. Moving bytes is the owner's business.
 *
 *   put     issue --gap, fetch, latency, packet or flow--> at_target
 *           with a signal: at_target --atomic unit--> updated
 *   get     issue --gap, latency, read service--> at_target
 *           reply --gap, latency, packet or flow--> at_origin
 *   atomic  issue --gap, latency--> atomic unit --> at_target
 *           reply --gap, latency--> at_origin
 *
 * Requests, acknowledgements and atomics are short: they take latency but no bandwidth.
 */
#include "fabric/parts.h"

static struct fabric_op *op_of(struct engine_event *ev)
{
    return BASE_CONTAINER(ev, struct fabric_op, event);
}

static void schedule(struct fabric *f, struct fabric_op *op, double at, engine_event_fn fn)
{
    engine_event_init(&op->event, fn);
    engine_event_post(f->engine, &op->event, at);
}

void fabric_reach_target(struct fabric_op *op)
{
    if (BASE_UNLIKELY(op->handler->fabric->cards.nodes != NULL))
        fabric_pass_caches(op->handler->fabric, op);
    op->stage = FABRIC_AT_TARGET;
    op->handler->at_target(op->handler->fabric, op);
}

void fabric_arrived(struct fabric_op *op)
{
    if (op->stage == FABRIC_TO_ORIGIN) {
        op->stage = FABRIC_OWNER;
        op->handler->at_origin(op->handler->fabric, op);
    } else if (BASE_UNLIKELY(fabric_op_server(op)) && op->origin != op->target) {
        fabric_server_take(op->handler->fabric, op);
    } else {
        fabric_reach_target(op);
    }
}

static void arrival_event(struct engine *e, struct engine_event *ev)
{
    (void)e;
    fabric_arrived(op_of(ev));
}

/* For steps that are mostly due `delay` seconds from now, like
 * others of their kind, which makes them ordered by time. */
static void schedule_after(struct fabric *f, struct fabric_op *op, double at, double delay,
                           engine_event_fn fn)
{
    if (BASE_UNLIKELY(at > engine_now(f->engine) + delay)) { /* it waited */
        schedule(f, op, at, fn);
        return;
    }
    engine_event_init(&op->event, fn);
    engine_series_post(f->engine, fabric_delay_series(f, delay), &op->event, at);
}

/* Enters the target's atomic unit; `done` runs when its word's service is over. */
static void enter_unit(struct fabric *f, struct fabric_op *op, engine_event_fn done)
{
    const struct fabric_model *m = fabric_model_at(f, op->target);
    bool local = op->origin == op->target;
    double service = local ? m->local_atomic_service : m->atomic_service;
    double gap = local ? 0 : m->atomic_gap;
    double now = engine_now(f->engine);
    double at = fabric_nic_atomic(&f->nics[op->target], op->word, now, gap, service);
    schedule_after(f, op, at, service, done);
}

static void unit_done(struct engine *e, struct engine_event *ev)
{
    (void)e;
    fabric_reach_target(op_of(ev));
}

static void unit_event(struct engine *e, struct engine_event *ev)
{
    struct fabric_op *op = op_of(ev);
    (void)e;
    op->stage = FABRIC_IN_UNIT;
    enter_unit(op->handler->fabric, op, unit_done);
}

void fabric_updated(struct fabric_op *op)
{
    op->stage = FABRIC_AT_TARGET;
    op->handler->updated(op->handler->fabric, op);
}

static void update_event(struct engine *e, struct engine_event *ev)
{
    (void)e;
    fabric_updated(op_of(ev));
}

/* A copy by the origin's CPU has no contention, so it needs no event at its start. */
static void issue_local(struct fabric *f, struct fabric_op *op, double when)
{
    f->local++;
    op->ack = 0;
    engine_event_init(&op->event, op->kind == FABRIC_ATOMIC ? unit_event : arrival_event);
    double latency = fabric_model_at(f, op->target)->local_latency;
    fabric_lead_post(f, &op->event, when + fabric_noisy(f, op->origin, op->target, latency));
}

/* Requests and short replies are headers only. */
static double request_latency(const struct fabric *f, const struct fabric_way *w)
{
    return fabric_way_latency(f, w, (double)f->model.header_bytes);
}

static void request(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at,
                    engine_event_fn fn)
{
    bool back = op->stage == FABRIC_TO_ORIGIN;
    uint32_t from = back ? op->target : op->origin, to = back ? op->origin : op->target;
    double latency = fabric_noisy(f, from, to, request_latency(f, w));
    double there = BASE_LIKELY(!f->noise) ? at + latency : fabric_noise_in_order(f, from, to, at + latency);
    schedule_after(f, op, there, latency, fn);
}

static void issue_network(struct fabric *f, struct fabric_op *op)
{
    if (BASE_UNLIKELY(f->links_off | f->hosts_off) && fabric_op_is_cut_off(f, op))
        return;
    const struct fabric_model *m = fabric_model_at(f, op->origin);
    const struct fabric_way *w = fabric_way_find(f, op->origin, op->target);
    double at = fabric_nic_send(&f->nics[op->origin], engine_now(f->engine), m->gap);
    f->on_network++;
    if (fabric_at_rae(f, op)) {
        fabric_card_issue(f, op, w, at);
        return;
    }
    if (op->kind == FABRIC_GET) {
        double delay = fabric_noisy(f, op->origin, op->target, request_latency(f, w)) +
                       (fabric_op_server(op) ? 0 : fabric_model_at(f, op->target)->read_service);
        schedule_after(f, op, at + delay, delay, arrival_event);
        return;
    }
    op->ack = fabric_noisy(f, op->target, op->origin, fabric_way_back(f, w)) + m->ack_overhead;
    if (op->kind == FABRIC_ATOMIC)
        request(f, op, w, at, fabric_op_server(op) ? arrival_event : unit_event);
    else
        fabric_wire_send(f, op, w, at);
}

static void issue_event(struct engine *e, struct engine_event *ev)
{
    struct fabric_op *op = op_of(ev);
    (void)e;
    op->stage = FABRIC_TO_TARGET;
    issue_network(op->handler->fabric, op);
}

void fabric_issue_at(struct fabric *f, struct fabric_op *op, double when)
{
    BASE_ASSERT("N6", op->handler->fabric == f);
    op->stage = FABRIC_TO_TARGET;
    if (op->origin == op->target) {
        issue_local(f, op, when);
    } else if (when > engine_now(f->engine)) {
        op->stage = FABRIC_TO_CARD; /* the card takes operations in order of time, not of calls */
        engine_event_init(&op->event, issue_event);
        fabric_lead_post(f, &op->event, when);
    } else {
        issue_network(f, op);
    }
}

void fabric_issue(struct fabric *f, struct fabric_op *op)
{
    fabric_issue_at(f, op, engine_now(f->engine));
}

double fabric_ack_delay(const struct fabric *f, const struct fabric_op *op)
{
    (void)f;
    return op->ack;
}

void fabric_update(struct fabric *f, struct fabric_op *op)
{
    BASE_ASSERT("N1", op->stage == FABRIC_AT_TARGET && op->kind == FABRIC_PUT);
    op->stage = FABRIC_IN_UPDATE;
    if (fabric_at_rae(f, op))
        fabric_card_update(f, op);
    else if (fabric_op_server(op) && op->origin != op->target) /* included in the service of the put */
        schedule(f, op, engine_now(f->engine), update_event);
    else
        enter_unit(f, op, update_event);
}

static void copied(struct fabric *f, void *arg, enum fabric_outcome how)
{
    if (BASE_UNLIKELY(how != FABRIC_DONE))
        fabric_op_fail(arg, fabric_failing(f));
    else
        fabric_arrived(arg);
}

/* A get from a rank of the same host. */
static void reply_local(struct fabric *f, struct fabric_op *op)
{
    double copy =
        op->kind == FABRIC_GET ? (double)op->bytes * fabric_model_at(f, op->target)->local_per_byte : 0;
    if (BASE_UNLIKELY(f->memory != NULL) && op->kind == FABRIC_GET &&
        fabric_copy_shares(f, op->target, op->bytes))
        (void)fabric_copy_start(f, op->target, (double)op->bytes, fabric_copy_rate(f, op->target), copied,
                                op);
    else
        schedule(f, op, engine_now(f->engine) + copy, arrival_event);
}

void fabric_reply(struct fabric *f, struct fabric_op *op)
{
    BASE_ASSERT("N1", op->stage == FABRIC_AT_TARGET && op->kind != FABRIC_PUT);
    double now = engine_now(f->engine);
    op->stage = FABRIC_TO_ORIGIN;
    if (BASE_UNLIKELY(f->links_off | f->hosts_off) && fabric_op_is_cut_off(f, op))
        return;
    if (op->origin == op->target) {
        reply_local(f, op);
        return;
    }
    const struct fabric_way *w = fabric_way_find(f, op->target, op->origin);
    struct fabric_nic *nic = &f->nics[op->target];
    double at = fabric_nic_send(nic, now, nic->model->gap);
    if (fabric_at_rae(f, op))
        fabric_card_reply(f, op, w, at);
    else if (op->kind == FABRIC_GET)
        fabric_wire_send(f, op, w, at);
    else
        request(f, op, w, at, arrival_event);
}

bool fabric_is_step(engine_event_fn fn)
{
    return fn == arrival_event || fn == unit_event || fn == unit_done || fn == update_event ||
           fn == issue_event;
}
