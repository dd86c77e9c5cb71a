/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll: collectives of a job's ranks: the executor on the engine's timers and the ranks' memory. Transports
 * carry the messages. A rank that waits blocks at most once.
 */
#include "coll/coll.h"
#include "coll/exec.h"

#include <stdlib.h>

/* What a job has for its collectives. */
struct coll_job {
    struct coll_exec exec;
    struct rank_job *job;
    struct engine *engine;
    struct trace *trace;
    int32_t requests;            /* numbers given in traces */
    struct engine_series timers; /* overheads are mostly equal, so a new timer is usually the last to end */
};

static struct rank_slot coll_slot; /* a rank's: struct coll_rank; the job's: struct coll_job */

static struct coll_job *coll_job_of(const struct rank_job *job)
{
    return rank_part(job, &coll_slot);
}

/* --- what is below ------------------------------------------------------------------------------ */

static void timer_event(struct engine *e, struct engine_event *ev)
{
    struct coll_cpu *c = BASE_CONTAINER(ev, struct coll_cpu, timer);
    engine_cause_set(e, c->cause);
    coll_exec_timer(c);
    engine_cause_set(e, 0);
}

static void start_timer(void *ctx, struct coll_cpu *c, double at)
{
    struct coll_job *j = ctx;
    engine_event_init(&c->timer, timer_event);
    engine_series_post(j->engine, &j->timers, &c->timer, at);
}

static void end_event(struct engine *e, struct engine_event *ev)
{
    struct coll_member *m = BASE_CONTAINER(ev, struct coll_member, ending);
    engine_cause_set(e, m->cpu->cause);
    coll_exec_ended(m);
    engine_cause_set(e, 0);
}

static void end_at(void *ctx, struct coll_member *m, double at)
{
    struct coll_job *j = ctx;
    engine_event_init(&m->ending, end_event);
    engine_series_post(j->engine, &j->timers, &m->ending, at);
}

static void ack_event(struct engine *e, struct engine_event *ev)
{
    struct coll_message *record = BASE_CONTAINER(ev, struct coll_message, room.op.event);
    engine_cause_set(e, record->number);
    coll_exec_acknowledged(record);
    engine_cause_set(e, 0);
}

static void ack(void *ctx, struct coll_message *record, double at)
{
    struct coll_job *j = ctx;
    engine_event_init(&record->room.op.event, ack_event);
    engine_event_post(j->engine, &record->room.op.event, at);
}

static void run_operation(void *arg)
{
    coll_operation_run(arg);
}

/* On the rank's actor. */
static void operate_now(struct rank *r, struct rank_work *w)
{
    struct coll_operation *o = BASE_CONTAINER(w, struct coll_operation, work);
    double ready = coll_operation_ready(o);
    if (ready > engine_now(r->engine))
        engine_sleep_until(r->engine, ready);
    coll_operation_begin(o);
    rank_call_back(r, run_operation, o);
    coll_operation_end(o);
}

static void operate(void *ctx, struct rank *r, struct coll_operation *o)
{
    (void)ctx;
    o->work.fn = operate_now;
    rank_work_post(r, &o->work);
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

static void mismatch(void *ctx, struct rank *r, const char *call, const char *text)
{
    (void)ctx;
    rank_program_error(r, call, "%s", text);
}

static const struct coll_runtime runtime = {
    .timer = start_timer,
    .end = end_at,
    .ack = ack,
    .operate = operate,
    .rank = rank,
    .direct = direct,
    .read = read_memory,
    .mismatch = mismatch,
};

/* --- messages, as their transport sees them ------------------------------------------------------ */

uint64_t coll_message_bytes(const struct coll_message *msg)
{
    return msg->bytes;
}

static struct rank *end_of(const struct coll_message *msg, uint32_t place)
{
    const struct coll_instance *i = msg->instance;
    struct coll_exec *x = coll_instance_exec(i);
    return x->runtime->rank(x->ctx, coll_group_rank(&i->group->key, place));
}

struct rank *coll_message_sender(const struct coll_message *msg)
{
    return end_of(msg, msg->from);
}

struct rank *coll_message_receiver(const struct coll_message *msg)
{
    return end_of(msg, msg->to);
}

const char *coll_message_call(const struct coll_message *msg)
{
    return msg->instance->first.name;
}

uint64_t coll_message_collective(const struct coll_message *msg)
{
    return msg->instance->meeting;
}

uint16_t coll_message_tag(const struct coll_message *msg)
{
    return msg->tag;
}

uint64_t coll_message_number(const struct coll_message *msg)
{
    return msg->number;
}

void coll_message_trace(struct coll_message *msg, uint64_t number, struct trace_event *ev)
{
    const struct coll_instance *i = msg->instance;
    const struct coll_job *j = BASE_CONTAINER(coll_instance_exec(i), const struct coll_job, exec);
    const struct coll_group *g = &i->group->key;
    msg->number = number;
    ev->time = engine_now(j->engine);
    ev->rank = coll_group_rank(g, msg->from);
    ev->peer = coll_group_rank(g, msg->to);
    ev->op = number;
    ev->bytes = msg->bytes;
    ev->call = i->first.name;
    trace_emit(j->trace, ev);
}

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
    j->trace = rank_trace(job);
    coll_exec_init(&j->exec, &runtime, j, engine_clock(j->engine), &select);
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
    rank_slot_register(&coll_slot, sizeof(struct coll_rank));
    rank_front_register(&front);
}

struct coll_counts coll_counts(const struct rank_job *job)
{
    const struct coll_exec *x = &coll_job_of(job)->exec;
    struct coll_counts counts = x->counts;
    counts.groups = (uint32_t)x->groups.live;
    return counts;
}

void coll_forget(struct rank_job *job, const struct coll_group *g)
{
    struct coll_group_record *record = coll_record_of(&coll_job_of(job)->exec, g);
    if (!record)
        return;
    for (uint32_t p = 0; p < g->size; p++) {
        struct coll_rank *kept = rank_slot(rank_at(job, coll_group_rank(g, p)), &coll_slot);
        if (kept->last == record)
            kept->last = NULL;
    }
    coll_record_forget(record);
}

void coll_unfinished(const struct rank_job *job, coll_unfinished_fn fn, void *arg)
{
    coll_exec_unfinished(&coll_job_of(job)->exec, fn, arg);
}

/* --- the call ----------------------------------------------------------------------------------- */

/* Not inlined, or the frame of each waiting rank would hold an event. */
static __attribute__((noinline)) void trace_part(const struct coll_member *m, enum trace_type type)
{
    bool begins = type == TRACE_COLLECTIVE_BEGIN;
    rank_trace_emit(m->rank, &(struct trace_event){.type = type,
                                                   .op = m->instance->meeting,
                                                   .peer = m->schedule.size,
                                                   .bytes = m->schedule.bytes,
                                                   .call = m->instance->first.name,
                                                   .detail = coll_select_name(coll_plan_algorithm(m)),
                                                   .context = begins ? m->instance->group->key.id : 0});
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

/* A barrier moves no data: once all members have come, whatever a member will see is there. */
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

static inline struct coll_member *enter(struct coll_job *j, struct rank *r, const struct coll_call *call,
                                        bool apart)
{
    return coll_exec_enter(&j->exec, rank_slot(r, &coll_slot), r, call, apart);
}

static void wake(struct coll_member *m)
{
    engine_wake(m->rank->engine, m->actor);
}

/* Calls are matched in the order in which each rank makes them, whichever thread does. */
static void report_threads(const struct coll_member *m)
{
    for (const struct coll_member *other = m->next; other; other = other->next)
        if (other->ended == wake) {
            coll_report_threads(m, other);
            return;
        }
}

struct coll_member *coll_enter(struct rank *r, const struct coll_call *call)
{
    struct coll_job *j = coll_job_of(r->job);
    struct coll_member *m = enter(j, r, call, r->threads > 1);
    m->ended = wake;
    m->actor = engine_current(j->engine);
    m->reason = (struct engine_reason){call->name, coll_exec_describe, m};
    m->last = call->last && call->op == COLL_BARRIER && rank_may_go(r);
    if (BASE_UNLIKELY(m->next != NULL))
        report_threads(m);
    if (BASE_UNLIKELY(j->trace->on))
        trace_part(m, TRACE_COLLECTIVE_BEGIN);
    return m;
}

void coll_await(struct coll_member *m)
{
    struct coll_job *j = coll_job_of(m->rank->job);
    double until;
    bool finished = coll_exec_start(m, &until);
    if (m->last) {
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

void coll_run(struct rank *r, const struct coll_call *call)
{
    coll_await(coll_enter(r, call));
}

/* Of one that was started; it has no thread. */
static __attribute__((noinline)) void trace_started(const struct coll_member *m, enum trace_type type)
{
    const struct coll_job *j = coll_job_of(m->rank->job);
    bool begins = type == TRACE_COLLECTIVE_BEGIN;
    trace_emit(j->trace, &(struct trace_event){.time = engine_now(j->engine),
                                               .type = type,
                                               .rank = m->rank->id,
                                               .op = m->instance->meeting,
                                               .peer = m->schedule.size,
                                               .bytes = m->schedule.bytes,
                                               .call = m->instance->first.name,
                                               .detail = coll_select_name(coll_plan_algorithm(m)),
                                               .context = begins ? m->instance->group->key.id : 0,
                                               .tag = m->request});
}

static int32_t next_request(struct coll_job *j)
{
    j->requests = j->requests == INT32_MAX ? 1 : j->requests + 1;
    return j->requests;
}

static void tell(struct coll_member *m)
{
    if (BASE_UNLIKELY(m->request))
        trace_started(m, TRACE_COLLECTIVE_END);
    coll_done_fn done = m->done;
    void *arg = m->arg;
    coll_exec_leave(m);
    done(arg);
}

static void begin(struct coll_job *j, struct coll_member *m, coll_done_fn done, void *arg)
{
    double until;
    m->ended = tell;
    m->done = done;
    m->arg = arg;
    m->request = BASE_UNLIKELY(j->trace->on) ? next_request(j) : 0;
    if (BASE_UNLIKELY(m->request))
        trace_started(m, TRACE_COLLECTIVE_BEGIN);
    if (!coll_exec_start(m, &until))
        return;
    if (until > engine_now(j->engine))
        end_at(j, m, until);
    else
        tell(m);
}

void coll_start(struct rank *r, const struct coll_call *call, coll_done_fn done, void *arg)
{
    struct coll_job *j = coll_job_of(r->job);
    begin(j, enter(j, r, call, false), done, arg);
}

/* --- plans -------------------------------------------------------------------------------------- */

struct coll_plan *coll_plan_create(struct rank *r, const struct coll_call *call)
{
    return coll_exec_plan(&coll_job_of(r->job)->exec, r, call);
}

static void plan_done(void *arg)
{
    struct coll_plan *p = arg;
    p->active = false;
    p->done(p->arg);
}

void coll_plan_start(struct coll_plan *p, coll_done_fn done, void *arg)
{
    struct coll_job *j = coll_job_of(p->rank->job);
    BASE_ASSERT("C18", !p->active);
    p->active = true;
    p->done = done;
    p->arg = arg;
    begin(j, coll_exec_enter_plan(&j->exec, rank_slot(p->rank, &coll_slot), p), plan_done, p);
}

void coll_plan_free(struct coll_plan *p)
{
    BASE_ASSERT("C18", !p->active);
    coll_exec_plan_free(p);
}
