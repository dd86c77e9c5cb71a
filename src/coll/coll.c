/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll: the executor of a job's collectives on the engine's timers and the ranks' memory. Calls are in
 * call.c; transports carry the messages.
 */
#include "coll/job.h"

#include <stdlib.h>

struct rank_slot coll_slot;

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

/* The member whose event comes soon: the part of its record that advancing it touches. */
static void soon(const struct engine_event *ev)
{
    enum { LINES = 6, LINE = 64 };
    const char *m = ev->fn == end_event
                        ? (const char *)BASE_CONTAINER(ev, const struct coll_member, ending)
                        : (const char *)BASE_CONTAINER(ev, const struct coll_member, own_cpu.timer);
    for (int line = 0; line < LINES; line++)
        __builtin_prefetch(m + LINE * line, 1);
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

static bool nowhere(const struct rank *r)
{
    return r->memory->nowhere;
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
    .nowhere = nowhere,
    .direct = direct,
    .read = read_memory,
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
    j->trace = rank_trace(job);
    coll_exec_init(&j->exec, &runtime, j, engine_clock(j->engine), &select);
    j->exec.cause = engine_cause(j->engine);
    j->timers.soon = soon;
    coll_choices_init(j);
    base_pool_init(&j->pendings, sizeof(struct rank_pending), "collectives");
    rank_set_part(job, &coll_slot, j);
}

static void job_end(struct rank_job *job)
{
    struct coll_job *j = coll_job_of(job);
    coll_choices_release(j);
    coll_exec_release(&j->exec);
    engine_series_release(&j->timers);
    base_pool_release(&j->pendings);
    free(j);
    rank_set_part(job, &coll_slot, NULL);
}

static const struct rank_front front = {.name = "coll", .job_begin = job_begin, .job_end = job_end};

void coll_register(void)
{
    engine_waits_register(coll_exec_describe, coll_exec_whom);
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

static const struct coll_member *started_with(const struct rank_job *job, const struct coll_call *call,
                                              const void *arg)
{
    const struct coll_group_record *g = coll_record_of(&coll_job_of(job)->exec, &call->group);
    const struct coll_member *m = g ? g->seats[call->me].active : NULL;
    while (m && m->arg != arg)
        m = m->next;
    return m;
}

void coll_describe(const struct rank_job *job, const struct coll_call *call, const void *arg, char *buf,
                   size_t size)
{
    const struct coll_member *m = started_with(job, call, arg);
    if (m)
        coll_exec_describe(m, buf, size);
}

uint64_t coll_whom(const struct rank_job *job, const struct coll_call *call, const void *arg)
{
    const struct coll_member *m = started_with(job, call, arg);
    return m ? coll_exec_whom(m) : ENGINE_NOBODY;
}

void coll_unfinished(const struct rank_job *job, coll_unfinished_fn fn, void *arg)
{
    coll_exec_unfinished(&coll_job_of(job)->exec, fn, arg);
}
