/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what a trace is told of messages: their instants and those of receives (trace/events.def). A rank
 * may be ahead of the clock; what it starts has the time of the start.
 */
#include "p2p/internal.h"

/* What a reader of the trace shall see: fronts' numbers count from bases of their own; the tags of
 * collectives are no one's. */
static void identify(struct trace_event *ev, const struct p2p_envelope *e)
{
    ev->context = e->context & 0x3fffffff;
    ev->tag = p2p_is_inner(e) ? -1 : e->tag;
}

static struct trace_event event_of(const struct p2p_message *m, enum trace_type type)
{
    return (struct trace_event){.time = engine_now(m->from->job->engine),
                                .type = type,
                                .rank = m->from->rank->id,
                                .peer = m->to->rank->id,
                                .op = m->fabric.number,
                                .bytes = m->fabric.bytes,
                                .call = m->call};
}

void p2p_trace_issued(struct p2p_message *m, double when)
{
    struct p2p_job *j = m->from->job;
    const struct p2p_envelope *e = &m->item.envelope;
    m->fabric.number = rank_operation_number(j->job);
    struct trace_event ev = event_of(m, TRACE_SEND_ISSUED);
    ev.time = when;
    ev.cause = *engine_cause(j->engine);
    ev.least = fabric_message_least(j->messages, &m->fabric);
    identify(&ev, e);
    ev.kind = TRACE_KIND_SEND;
    if (trace_wants(j->trace, TRACE_CATEGORY_REPLAY))
        ev.address = m->send->buffer.address;
    trace_emit(j->trace, &ev);
}

void p2p_trace_posted(struct p2p_request *receive, double when)
{
    struct p2p_job *j = receive->rank->job;
    const struct p2p_envelope *e = &receive->item.envelope;
    receive->number = rank_operation_number(j->job);
    struct trace_event ev = {.time = when,
                             .type = TRACE_RECEIVE_POSTED,
                             .rank = receive->rank->rank->id,
                             .peer = e->source,
                             .op = receive->number,
                             .bytes = receive->bytes,
                             .call = receive->call,
                             .kind = TRACE_KIND_RECEIVE};
    identify(&ev, e);
    if (trace_wants(j->trace, TRACE_CATEGORY_REPLAY))
        ev.address = receive->buffer.address;
    trace_emit(j->trace, &ev);
}

void p2p_trace_matched(const struct p2p_message *m)
{
    struct trace_event ev = event_of(m, TRACE_SEND_MATCHED);
    ev.cause = m->receive->number;
    trace_emit(m->from->job->trace, &ev);
}

void p2p_trace_message(const struct p2p_message *m, enum trace_type type)
{
    struct trace_event ev = event_of(m, type);
    trace_emit(m->from->job->trace, &ev);
}
