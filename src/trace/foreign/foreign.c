/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foreign: from events to the steps of foreign.h. Tolerates filtered traces: an end without a
 * beginning is left out, and what is still open at the close ends there. Leaves states and loads to states.c.
 */
#include "trace/foreign/foreign.h"

#include "base/output.h"

#include <math.h>
#include <stdlib.h>

/* --- operations ------------------------------------------------------------------------------------- */

static void issue(struct trace_foreign *f, enum trace_flight_kind kind, const struct trace_event *ev)
{
    struct trace_lane *at = trace_foreign_lane(f, ev->rank, ev->thread),
                      *other = trace_foreign_lane(f, ev->peer, 0);
    struct trace_flight flight = {.op = ev->op,
                                  .kind = kind,
                                  .name = trace_foreign_name(f, TRACE_NAME_OPERATION, ev->call, NULL),
                                  .rank = ev->rank,
                                  .thread = ev->thread,
                                  .peer = ev->peer,
                                  .tag = ev->tag,
                                  .context = ev->context,
                                  .bytes = ev->bytes};
    flight.does = ev->kind ? (enum trace_kind)ev->kind : f->names.name.at[flight.name].stands_for;
    flight.answered =
        kind == TRACE_FLIGHT_GET || (kind == TRACE_FLIGHT_ATOMIC && trace_kind_fetches(flight.does));
    trace_flights_add(&f->flights, &flight);
    if (kind != TRACE_FLIGHT_GET)
        trace_foreign_load_route(f, ev->rank, ev->peer, ev->bytes);
    struct trace_frame *top = at->stack.n ? &at->stack.at[at->stack.n - 1] : NULL;
    if (top && kind != TRACE_FLIGHT_MESSAGE && top->kind == TRACE_NAME_CALL) {
        top->operations++;
        top->bytes += ev->bytes;
    }
    f->form->step(f, TRACE_STEP_ISSUED, &flight, at, other);
}

/* The operation is at its target. That ends the flight, or its answer starts back. */
static void at_target(struct trace_foreign *f, enum trace_flight_kind kind, const struct trace_event *ev)
{
    struct trace_flight *flight = trace_flights_find(&f->flights, kind, ev->op);
    if (!flight)
        return;
    struct trace_lane *origin = trace_foreign_lane(f, flight->rank, flight->thread),
                      *at = trace_foreign_lane(f, flight->peer, 0);
    bool ends = kind == TRACE_FLIGHT_PUT || kind == TRACE_FLIGHT_MESSAGE;
    f->form->step(f, ends ? TRACE_STEP_ENDED : TRACE_STEP_REACHED, flight, at, origin);
    flight->turned = true;
    if (kind == TRACE_FLIGHT_GET)
        trace_foreign_load_route(f, flight->peer, flight->rank, flight->bytes);
    else
        trace_foreign_load_route(f, flight->rank, flight->peer, 0 - flight->bytes);
    if (!flight->answered)
        trace_flights_remove(&f->flights, flight);
}

static void answer(struct trace_foreign *f, enum trace_flight_kind kind, const struct trace_event *ev)
{
    struct trace_flight *flight = trace_flights_find(&f->flights, kind, ev->op);
    if (!flight)
        return;
    struct trace_lane *at = trace_foreign_lane(f, flight->rank, flight->thread),
                      *target = trace_foreign_lane(f, flight->peer, 0);
    f->form->step(f, TRACE_STEP_ENDED, flight, at, target);
    if (flight->turned && kind == TRACE_FLIGHT_GET)
        trace_foreign_load_route(f, flight->peer, flight->rank, 0 - flight->bytes);
    trace_flights_remove(&f->flights, flight);
}

/* A two-sided message loads links until it lands, and is under way until it is received. */
static void land(struct trace_foreign *f, struct trace_flight *flight)
{
    if (!flight->landed)
        trace_foreign_load_route(f, flight->rank, flight->peer, 0 - flight->bytes);
    flight->landed = true;
}

static void send_instant(struct trace_foreign *f, const struct trace_event *ev)
{
    struct trace_flight *flight = trace_flights_find(&f->flights, TRACE_FLIGHT_SEND, ev->op);
    if (!flight)
        return;
    land(f, flight);
    if (ev->type == TRACE_SEND_ARRIVED)
        return;
    f->form->step(f, TRACE_STEP_ENDED, flight, trace_foreign_lane(f, flight->peer, 0),
                  trace_foreign_lane(f, flight->rank, flight->thread));
    trace_flights_remove(&f->flights, flight);
}

/* The signal of a put, whose flight has ended. */
static void signal_updated(struct trace_foreign *f, const struct trace_event *ev)
{
    const struct trace_flight flight = {.op = ev->op,
                                        .kind = TRACE_FLIGHT_PUT,
                                        .name = trace_foreign_name(f, TRACE_NAME_OPERATION, ev->call, NULL),
                                        .rank = ev->rank,
                                        .peer = ev->peer,
                                        .bytes = ev->bytes};
    f->form->step(f, TRACE_STEP_SIGNALED, &flight, trace_foreign_lane(f, ev->peer, 0),
                  trace_foreign_lane(f, ev->rank, 0));
}

/* That of a put's signal, whose flight has ended, is not told. */
static void kept_back(struct trace_foreign *f, const struct trace_event *ev)
{
    const struct trace_flight *flight = NULL;
    for (int kind = TRACE_FLIGHT_PUT; !flight && kind <= TRACE_FLIGHT_ATOMIC; kind++)
        flight = trace_flights_find(&f->flights, (enum trace_flight_kind)kind, ev->op);
    if (!flight)
        return;
    struct trace_lane *origin = trace_foreign_lane(f, flight->rank, 0),
                      *target = trace_foreign_lane(f, flight->peer, 0);
    bool returns = ev->tag == TRACE_KEPT_AT_ORIGIN;
    f->form->step(f, TRACE_STEP_KEPT, flight, returns ? origin : target, returns ? target : origin);
}

/* --- events ----------------------------------------------------------------------------------------- */

static void operation(struct trace_foreign *f, const struct trace_event *ev)
{
    switch (ev->type) {
    case TRACE_PUT_ISSUED:
        return issue(f, TRACE_FLIGHT_PUT, ev);
    case TRACE_GET_ISSUED:
        return issue(f, TRACE_FLIGHT_GET, ev);
    case TRACE_ATOMIC_ISSUED:
        return issue(f, TRACE_FLIGHT_ATOMIC, ev);
    case TRACE_MESSAGE_ISSUED:
        return issue(f, TRACE_FLIGHT_MESSAGE, ev);
    case TRACE_PUT_DELIVERED:
        return at_target(f, TRACE_FLIGHT_PUT, ev);
    case TRACE_GET_READ:
        return at_target(f, TRACE_FLIGHT_GET, ev);
    case TRACE_ATOMIC_EXECUTED:
        return at_target(f, TRACE_FLIGHT_ATOMIC, ev);
    case TRACE_MESSAGE_ARRIVED:
        return at_target(f, TRACE_FLIGHT_MESSAGE, ev);
    case TRACE_GET_ARRIVED:
        return answer(f, TRACE_FLIGHT_GET, ev);
    case TRACE_ATOMIC_ARRIVED:
        return answer(f, TRACE_FLIGHT_ATOMIC, ev);
    case TRACE_SIGNAL_UPDATED:
        return signal_updated(f, ev);
    case TRACE_KEPT_BACK:
        return kept_back(f, ev);
    case TRACE_SEND_ISSUED:
        return issue(f, TRACE_FLIGHT_SEND, ev);
    case TRACE_SEND_ARRIVED:
    case TRACE_SEND_RECEIVED:
        return send_instant(f, ev);
    default:
        return;
    }
}

/* The kind of state that an event begins or ends; TRACE_NAME_KINDS: it does neither. */
static enum trace_name_kind state_of(enum trace_type type, bool *begins)
{
    static const struct {
        enum trace_type begin, end;
        enum trace_name_kind kind;
    } rows[] = {
        {TRACE_CALL_ENTER, TRACE_CALL_LEAVE, TRACE_NAME_CALL},
        {TRACE_WAIT_BEGIN, TRACE_WAIT_END, TRACE_NAME_WAIT},
        {TRACE_COMPUTE_BEGIN, TRACE_COMPUTE_END, TRACE_NAME_COMPUTE},
        {TRACE_COLLECTIVE_BEGIN, TRACE_COLLECTIVE_END, TRACE_NAME_COLLECTIVE},
        {TRACE_MARK_BEGIN, TRACE_MARK_END, TRACE_NAME_REGION},
        {TRACE_IO_BEGIN, TRACE_IO_END, TRACE_NAME_FILE},
        {TRACE_PHASE_BEGIN, TRACE_PHASE_END, TRACE_NAME_STEP},
    };
    for (size_t k = 0; k < BASE_LENGTH(rows); k++)
        if (type == rows[k].begin || type == rows[k].end) {
            *begins = type == rows[k].begin;
            return rows[k].kind;
        }
    return TRACE_NAME_KINDS;
}

/* During a nonblocking collective or access its rank does other things: it is shown as two marks, not as a state. */
static bool is_started(const struct trace_event *ev)
{
    if (trace_types[ev->type].category == TRACE_CATEGORY_IO)
        return ev->tag & TRACE_IO_STARTED;
    return trace_types[ev->type].category == TRACE_CATEGORY_COLLECTIVES && ev->tag;
}

static void mark_started(struct trace_foreign *f, struct trace_lane *l, const struct trace_event *ev)
{
    bool begins = ev->type == TRACE_COLLECTIVE_BEGIN || ev->type == TRACE_IO_BEGIN;
    const char *what = begins ? "begins" : "done";
    if (ev->type == TRACE_PHASE_BEGIN || ev->type == TRACE_PHASE_END)
        return;
    f->form->mark(f, l, trace_foreign_name(f, TRACE_NAME_MARK, ev->call, what), NULL);
}

static void advance(struct trace_foreign *f, double time)
{
    uint64_t now = (uint64_t)llrint(time * 1e12);
    if (BASE_UNLIKELY(!f->begun)) {
        f->begun = true;
        f->now = now;
        f->form->begin(f);
    }
    BASE_ASSERT("F1", now >= f->now);
    if (now == f->now)
        return;
    trace_foreign_tell_loads(f);
    f->now = now;
}

static bool has(const struct trace_event *ev, const char *name, const char *fields, uint32_t values)
{
    return !strcmp(ev->call, name) && !strcmp(ev->detail, fields) && ev->peer == values;
}

static void count_energy(struct trace_foreign *f, uint64_t host, int64_t nanojoules)
{
    if (f->form->energy && host < f->about->hosts && nanojoules >= 0)
        f->form->energy(f, (uint32_t)host, (uint64_t)nanojoules);
}

/* What a host has taken is a counter. Returns whether the event is nothing else. */
static bool is_energy(struct trace_foreign *f, const struct trace_event *ev)
{
    if (ev->type != TRACE_USER || !ev->call || !ev->detail || !ev->values)
        return false;
    if (has(ev, "energy-host", TRACE_ENERGY_HOST_FIELDS, 3))
        count_energy(f, (uint64_t)ev->values[0], ev->values[1]);
    if (!has(ev, "energy", TRACE_ENERGY_FIELDS, 1))
        return false;
    count_energy(f, f->about->rank_host[ev->rank], ev->values[0]);
    return true;
}

/* Requests to disks: a form shows what was done, not what was asked. */
static void request(struct trace_foreign *f, const struct trace_event *ev)
{
    if (ev->type != TRACE_IO_SERVED || ev->context >= f->about->hosts)
        return;
    if (!f->served)
        f->served = base_zalloc(((size_t)f->about->hosts + 1) * sizeof *f->served, "hosts of a trace");
    f->served[ev->context] += ev->bytes;
    f->form->served(f, ev, f->served[ev->context]);
}

/* The end of one that a filter has cut the beginning of is left out. */
static void tell_file(struct trace_foreign *f, struct trace_lane *l, const struct trace_event *ev)
{
    bool fresh = true;
    if (ev->type == TRACE_IO_BEGIN)
        base_table_add(&f->accesses, ev->op, &fresh);
    else
        fresh = base_table_remove(&f->accesses, ev->op);
    if (f->form->file && fresh)
        f->form->file(f, l, ev, trace_foreign_name(f, TRACE_NAME_PATH, ev->detail, NULL));
}

/* What belongs to no lane. */
static bool is_apart(struct trace_foreign *f, const struct trace_event *ev)
{
    if (is_energy(f, ev))
        return true;
    if (trace_types[ev->type].category == TRACE_CATEGORY_CARDS) {
        if (f->form->card)
            f->form->card(f, ev);
        return true;
    }
    if (ev->type != TRACE_IO_ASKED && ev->type != TRACE_IO_SERVED && ev->type != TRACE_IO_ANSWERED)
        return false;
    request(f, ev);
    return true;
}

static void take_event(struct trace_foreign *f, const struct trace_event *ev)
{
    bool begins = false;
    advance(f, ev->time);
    if (is_apart(f, ev))
        return;
    enum trace_name_kind kind = state_of(ev->type, &begins);
    struct trace_lane *l = trace_foreign_lane(f, ev->rank, ev->type == TRACE_RANK_END ? 0 : ev->thread);
    if (ev->type == TRACE_IO_END)
        tell_file(f, l, ev);
    if (is_started(ev))
        mark_started(f, l, ev);
    else if (kind != TRACE_NAME_KINDS && begins)
        trace_foreign_begin_state(f, l, kind, ev);
    else if (kind != TRACE_NAME_KINDS)
        trace_foreign_end_state(f, l, kind, ev);
    else if (ev->type == TRACE_CORE_TRAPPED)
        f->form->mark(f, l, trace_foreign_name(f, TRACE_NAME_MARK, ev->detail, NULL), NULL);
    else if (ev->type == TRACE_MARK || ev->type == TRACE_USER)
        f->form->mark(f, l, trace_foreign_name(f, TRACE_NAME_MARK, ev->call, NULL),
                      ev->type == TRACE_USER ? ev : NULL);
    else if (trace_types[ev->type].category == TRACE_CATEGORY_RACES)
        trace_foreign_race(f, ev);
    else if (ev->type == TRACE_RANK_END)
        trace_foreign_end_rank(f, ev->rank);
    else
        operation(f, ev);
    if (ev->type == TRACE_IO_BEGIN)
        tell_file(f, l, ev);
}

static void foreign_event(void *ctx, const struct trace_event *ev)
{
    base_writing_begin(); /* OTF2's library writes by itself */
    take_event(ctx, ev);
    base_writing_end();
}

/* --- life ------------------------------------------------------------------------------------------- */

static void cut_flights(struct trace_foreign *f)
{
    struct trace_flight *left = trace_flights_list(&f->flights);
    for (size_t k = 0; k < f->flights.n; k++) {
        const struct trace_flight *flight = &left[k];
        struct trace_lane *origin = trace_foreign_lane(f, flight->rank, flight->thread);
        struct trace_lane *target = trace_foreign_lane(f, flight->peer, 0);
        f->form->step(f, TRACE_STEP_CUT, flight, flight->turned ? origin : target,
                      flight->turned ? target : origin);
    }
    free(left);
}

static int foreign_close(void *ctx)
{
    struct trace_foreign *f = ctx;
    trace_lanes_room(&f->lanes, f->about->ranks); /* also of those started later that told nothing */
    if (f->begun) {
        cut_flights(f);
        for (uint32_t r = 0; r < f->lanes.ranks; r++)
            trace_foreign_end_rank(f, r);
        trace_foreign_tell_loads(f);
    }
    base_writing_begin();
    int status = f->form->close(f, !f->begun);
    base_writing_end();
    trace_names_release(&f->names);
    trace_lanes_release(&f->lanes);
    trace_flights_release(&f->flights);
    trace_loads_release(&f->loads);
    trace_races_release(&f->races);
    base_table_release(&f->accesses);
    free(f->served);
    free(f);
    return status;
}

struct trace_sink trace_foreign_sink(const struct trace_form *form, const struct trace_about *about,
                                     void *ctx)
{
    struct trace_foreign *f = base_zalloc(sizeof *f, "a trace's writer");
    f->form = form;
    f->about = about;
    f->ctx = ctx;
    trace_names_init(&f->names);
    trace_lanes_init(&f->lanes, about->ranks);
    trace_flights_init(&f->flights);
    base_table_init(&f->accesses, BASE_NUMBERS, 0, "accesses in a trace");
    trace_loads_init(&f->loads, about->links + about->hosts);
    return (struct trace_sink){foreign_event, foreign_close, f, NULL, NULL};
}
