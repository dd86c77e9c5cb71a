/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll: collectives of a job's ranks: the executor over the real transport. Messages are puts of the fabric,
 * a member's timer is an event of the engine, memory is reached through fold and rma. A rank blocks at most
 * once.
 */
#include "coll/coll.h"
#include "coll/exec.h"

#include <stdlib.h>

/* What a job has for its collectives. */
struct coll_job {
    struct coll_exec exec;
    struct rank_job *job;
    struct engine *engine;
    struct fabric *fabric;
    struct trace *trace;
    double local_latency;
    struct engine_series timers; /* overheads are mostly alike, so that the next timer is the last to end */
};

static struct rank_slot
    coll_slot; /* a rank's: its last group, struct coll_group_record *; the job's: struct coll_job */

static struct coll_job *coll_job_of(const struct rank_job *job)
{
    return rank_part(job, &coll_slot);
}

/* --- the transport ------------------------------------------------------------------------------ */

static void timer_event(struct engine *e, struct engine_event *ev)
{
    struct coll_member *m = BASE_CONTAINER(ev, struct coll_member, timer);
    engine_cause_set(e, m->cause);
    coll_exec_timer(m);
    engine_cause_set(e, 0);
}

static void start_timer(void *ctx, struct coll_member *m, double at)
{
    struct coll_job *j = ctx;
    engine_event_init(&m->timer, timer_event);
    engine_series_post(j->engine, &j->timers, &m->timer, at);
}

static double issue_cost(void *ctx, uint64_t wire_bytes, const struct rank *from, const struct rank *to)
{
    const struct coll_job *j = ctx;
    return fabric_host_issue_cost(j->fabric, FABRIC_PUT, wire_bytes, from->host, to->host);
}

static double message_time(void *ctx, const struct rank *from, const struct rank *to)
{
    const struct coll_job *j = ctx;
    bool local = from->host == to->host;
    double latency =
        local ? j->local_latency : fabric_latency(j->fabric, from->host, to->host, COLL_SIGNAL_BYTES);
    return fabric_issue_cost(j->fabric, FABRIC_PUT, COLL_SIGNAL_BYTES, local) + latency +
           j->exec.costs.receive;
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    coll_exec_arrived(BASE_CONTAINER(op, struct coll_message, op));
}

/* --- the same with a trace: messages have numbers, and what an arrival sets off knows its number --- */

static void emit(const struct coll_job *j, const struct coll_message *msg, struct trace_event *ev)
{
    const struct coll_instance *i = msg->instance;
    const struct coll_group *g = &i->group->key;
    ev->time = engine_now(j->engine);
    ev->rank = coll_group_rank(g, msg->from);
    ev->peer = coll_group_rank(g, msg->to);
    ev->op = msg->number;
    ev->bytes = msg->bytes;
    ev->call = i->first.name;
    trace_emit(j->trace, ev);
}

static void traced_at_target(struct fabric *f, struct fabric_op *op)
{
    struct coll_message *msg = BASE_CONTAINER(op, struct coll_message, op);
    const struct coll_job *j = BASE_CONTAINER(coll_instance_exec(msg->instance), const struct coll_job, exec);
    emit(j, msg, &(struct trace_event){.type = TRACE_MESSAGE_ARRIVED});
    engine_cause_set(j->engine, msg->number);
    at_target(f, op);
    engine_cause_set(j->engine, 0);
}

static void at_origin(struct fabric *f, struct fabric_op *op)
{
    (void)f;
    BASE_ASSERT("C2", op->kind != FABRIC_PUT);
}

/* The member that sends ends with its rank, or all do. The record stays until the job's end. */
static void failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    const struct coll_message *msg = BASE_CONTAINER(op, const struct coll_message, op);
    const struct platform_host *to = platform_host(fabric_platform(f), op->target);
    const struct coll_job *j = BASE_CONTAINER(coll_instance_exec(msg->instance), const struct coll_job, exec);
    char text[200];
    snprintf(text, sizeof text, "a collective's message of %llu bytes to host %.100s",
             (unsigned long long)op->bytes, to->name);
    rank_operation_failed(rank_at(j->job, op->owner_number), text, why);
}

static const struct fabric_handler handler = {
    .at_target = at_target, .at_origin = at_origin, .failed = failed};
static const struct fabric_handler traced_handler = {
    .at_target = traced_at_target, .at_origin = at_origin, .failed = failed};

static void trace_issue(const struct coll_job *j, struct coll_message *msg, uint64_t cause)
{
    msg->number = rank_operation_number(j->job);
    msg->op.handler = &traced_handler;
    emit(j, msg,
         &(struct trace_event){.type = TRACE_MESSAGE_ISSUED,
                               .cause = cause,
                               .least = fabric_least(j->fabric, &msg->op, false, false)});
}

static void send(void *ctx, struct coll_message *msg, const struct rank *from, const struct rank *to)
{
    struct coll_job *j = ctx;
    msg->op.handler = &handler;
    msg->op.kind = FABRIC_PUT;
    msg->op.bytes = msg->bytes + COLL_SIGNAL_BYTES;
    msg->op.origin = from->host;
    msg->op.target = to->host;
    msg->op.server = to->server;
    msg->op.owner_number = from->id;
    if (BASE_UNLIKELY(j->trace->on))
        trace_issue(j, msg, j->exec.issue_cause);
    fabric_issue(j->fabric, &msg->op);
}

static double ack_delay(void *ctx, const struct coll_message *msg)
{
    const struct coll_job *j = ctx;
    return fabric_ack_delay(j->fabric, &msg->op);
}

static void ack_event(struct engine *e, struct engine_event *ev)
{
    struct coll_message *record = BASE_CONTAINER(ev, struct coll_message, op.event);
    engine_cause_set(e, record->number);
    coll_exec_acknowledged(record);
    engine_cause_set(e, 0);
}

static void ack(void *ctx, struct coll_message *record, double at)
{
    struct coll_job *j = ctx;
    engine_event_init(&record->op.event, ack_event);
    engine_event_post(j->engine, &record->op.event, at);
}

static struct rank *rank(void *ctx, uint32_t id)
{
    const struct coll_job *j = ctx;
    return rank_at(j->job, id);
}

static void *direct(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    (void)ctx;
    return rank_direct(r, address, bytes);
}

static void read_memory(void *ctx, struct rank *r, uintptr_t address, void *out, size_t bytes)
{
    (void)ctx;
    rank_read(r, address, out, bytes);
}

static void write_memory(void *ctx, struct rank *r, uintptr_t address, const void *in, size_t bytes)
{
    (void)ctx;
    rma_deliver(r, address, in, bytes);
}

static void touched(void *ctx, struct rank *r, uintptr_t address, size_t bytes)
{
    (void)ctx;
    rma_touched(r, address, bytes);
}

static void check(void *ctx, struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    (void)ctx;
    rma_check(r, address, bytes, call);
}

static void wake(void *ctx, struct coll_member *m)
{
    struct coll_job *j = ctx;
    engine_wake(j->engine, m->actor);
}

static void mismatch(void *ctx, struct rank *r, const char *call, const char *text)
{
    (void)ctx;
    rank_program_error(r, call, "%s", text);
}

static const struct coll_transport transport = {
    .timer = start_timer,
    .issue_cost = issue_cost,
    .send = send,
    .message_time = message_time,
    .ack_delay = ack_delay,
    .ack = ack,
    .rank = rank,
    .direct = direct,
    .read = read_memory,
    .write = write_memory,
    .touched = touched,
    .check = check,
    .wake = wake,
    .mismatch = mismatch,
};

/* --- the job's life ----------------------------------------------------------------------------- */

static void job_begin(struct rank_job *job)
{
    const struct base_settings *settings = rank_settings(job);
    struct coll_job *j = base_zalloc(sizeof *j, "a job's collectives");
    struct coll_select select;
    struct base_status st;
    if (coll_select_read(&select, settings, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    j->job = job;
    j->engine = rank_engine(job);
    j->fabric = rank_fabric(job);
    j->trace = rank_trace(job);
    j->local_latency = base_settings_number(settings, "local/latency");
    struct coll_costs costs = {
        .buffered_limit = fabric_buffered_limit(j->fabric),
        .receive = fabric_poll_cost(j->fabric),
        .copy_byte = fabric_copy_cost(j->fabric, 1),
        .reduce_byte = 1 / base_settings_number(settings, "coll/reduce-bandwidth"),
    };
    coll_exec_init(&j->exec, &transport, j, engine_clock(j->engine), &costs, &select);
    j->exec.cause = engine_cause(j->engine);
    rank_set_part(job, &coll_slot, j);
}

static void job_end(struct rank_job *job)
{
    struct coll_job *j = coll_job_of(job);
    coll_exec_release(&j->exec);
    engine_series_release(&j->timers);
    free(j);
    rank_set_part(job, &coll_slot, NULL);
}

static const struct rank_front front = {.name = "coll", .job_begin = job_begin, .job_end = job_end};

void coll_register(void)
{
    rank_slot_register(&coll_slot, sizeof(struct coll_group_record *));
    rank_front_register(&front);
}

struct coll_counts coll_counts(const struct rank_job *job)
{
    return coll_job_of(job)->exec.counts;
}

void coll_forget(struct rank_job *job, const struct coll_group *g)
{
    struct coll_group_record *record = coll_group_idle(&coll_job_of(job)->exec, g);
    if (!record)
        return;
    for (uint32_t p = 0; p < g->size; p++) {
        struct rank *r = rank_at(job, coll_group_rank(g, p));
        if (rank_kept(r, &coll_slot) == record)
            rank_keep(r, &coll_slot, NULL);
    }
    coll_group_forget(record);
}

void coll_unfinished(const struct rank_job *job, coll_unfinished_fn fn, void *arg)
{
    coll_exec_unfinished(&coll_job_of(job)->exec, fn, arg);
}

/* --- the call ----------------------------------------------------------------------------------- */

/* Not inlined: an event would lie in the frame of each rank that waits. */
static __attribute__((noinline)) void trace_part(const struct coll_member *m, enum trace_type type)
{
    bool begins = type == TRACE_COLLECTIVE_BEGIN;
    rank_trace_emit(m->rank, &(struct trace_event){.type = type,
                                                   .op = m->instance->meeting,
                                                   .peer = m->call.group.size,
                                                   .bytes = m->call.bytes,
                                                   .call = m->call.name,
                                                   .detail = coll_select_name(m->build),
                                                   .context = begins ? m->call.group.id : 0});
}

static void leave(void *arg)
{
    coll_exec_leave(arg);
}

static void go(struct coll_member *m)
{
    m->may_go = false;
    rank_let_go(m->rank);
}

/* A barrier moves no data: when all have come, what a member will see is there. */
static bool wait_ahead(struct coll_job *j, struct coll_member *m, bool finished, double until)
{
    struct rank *r = m->rank;
    m->may_go = !finished || until > engine_now(j->engine);
    coll_exec_go(m, go);
    if (!finished)
        engine_block(j->engine, &m->reason);
    else if (until > engine_now(j->engine))
        engine_sleep(j->engine, until - engine_now(j->engine));
    if (!rank_is_ahead(r))
        return false;
    rank_owe(r, leave, m);
    return true;
}

void coll_run(struct rank *r, const struct coll_call *call)
{
    struct coll_job *j = coll_job_of(r->job);
    struct coll_group_record *last = rank_kept(r, &coll_slot);
    struct coll_member *m = coll_exec_enter(&j->exec, &last, r, call);
    double until;
    rank_keep(r, &coll_slot, last);
    m->actor = engine_current(j->engine);
    if (BASE_UNLIKELY(j->trace->on))
        trace_part(m, TRACE_COLLECTIVE_BEGIN);
    bool finished = coll_exec_start(m, &until);
    if (call->last && call->op == COLL_BARRIER && rank_may_go(r)) {
        if (wait_ahead(j, m, finished, until))
            return;
    } else if (!finished)
        engine_block(j->engine, &m->reason);
    else if (until > engine_now(j->engine))
        engine_sleep(j->engine, until - engine_now(j->engine));
    if (BASE_UNLIKELY(j->trace->on))
        trace_part(m, TRACE_COLLECTIVE_END);
    coll_exec_leave(m);
}
