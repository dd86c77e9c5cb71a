/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: the ways to make a collective: blocking, started, by a plan. A rank that waits blocks at most once.
 */
#include "coll/job.h"

/* --- blocking ----------------------------------------------------------------------------------- */

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

static __attribute__((noinline)) void trace_begin(struct coll_job *j, const struct coll_member *m)
{
    trace_part(m, TRACE_COLLECTIVE_BEGIN);
    coll_choice_tell(j, m);
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

static void awake_met(struct coll_member *m)
{
    m->may_go = false;
    engine_wake(m->rank->engine, m->actor);
}

static __attribute__((noinline)) void meet(struct coll_member *m)
{
    const struct coll_instance *i = m->instance;
    if (i->entered == i->group->key.size)
        return;
    m->may_go = true;
    engine_block(m->rank->engine, &m->reason);
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

/* A barrier of all ranks, to which the last one comes. */
static bool is_meeting(const struct coll_member *m)
{
    const struct coll_instance *i = m->instance;
    uint32_t size = i->group->key.size;
    return i->first.op == COLL_BARRIER && i->entered == size && size == rank_count(m->rank->job);
}

static __attribute__((noinline)) void told_enter(struct coll_member *m, const struct coll_call *call)
{
    m->pending = base_pool_get(&coll_job_of(m->rank->job)->pendings);
    *m->pending = (struct rank_pending){0};
    m->last = false;
    coll_pending_begin(m->rank, call, m->pending);
    coll_order_enter(m);
    if (is_meeting(m))
        rank_order_meet(m->rank, call->name);
}

/* The result of a collect, whose size was not known before. */
static void check_collected(const struct coll_member *m)
{
    uint64_t action = rank_action_begin(m->rank, m->instance->first.name);
    rank_action_uses(action, m->rank, (uintptr_t)m->schedule.dest, coll_order_bytes(m), RANK_WRITES);
    rank_action_end(m->rank, action);
}

/* On its thread. */
static __attribute__((noinline)) void check_end(struct coll_member *m)
{
    coll_order_end(m);
    rank_order_acquire(m->rank, m->pending->order);
    if (m->instance->first.op == COLL_COLLECT)
        check_collected(m);
    rank_pending_drop(m->rank, m->pending);
    base_pool_put(&coll_job_of(m->rank->job)->pendings, m->pending);
}

struct coll_member *coll_enter(struct rank *r, const struct coll_call *call)
{
    struct coll_job *j = coll_job_of(r->job);
    struct coll_member *m = enter(j, r, call, r->threads > 1);
    m->ended = wake;
    m->arg = NULL;
    m->actor = engine_current(j->engine);
    m->reason = (struct engine_reason){call->name, coll_exec_describe, m};
    m->last = call->last && call->op == COLL_BARRIER && rank_may_go(r);
    m->meets = call->meets;
    if (BASE_UNLIKELY(rank_adversary != NULL) && call->op != COLL_BARRIER)
        coll_exec_go(m, awake_met);
    if (BASE_UNLIKELY(m->next != NULL))
        report_threads(m);
    if (BASE_UNLIKELY(rank_checker != NULL))
        told_enter(m, call);
    if (BASE_UNLIKELY(j->trace->on))
        trace_begin(j, m);
    return m;
}

void coll_leave(struct coll_member *m)
{
    if (BASE_UNLIKELY(m->meets))
        meet(m);
    rank_dally(m->rank, RANK_DELAY_LEAVE);
    if (BASE_UNLIKELY(m->pending != NULL))
        check_end(m);
    if (BASE_UNLIKELY(coll_job_of(m->rank->job)->trace->on))
        trace_part(m, TRACE_COLLECTIVE_END);
    coll_exec_leave(m);
}

bool coll_waits(struct coll_member *m, const struct engine_reason **why, double *until)
{
    bool finished = coll_exec_start(m, until);
    double now = engine_now(m->rank->engine);
    *why = finished ? NULL : &m->reason;
    *until = now + (*until - now); /* what engine_sleep makes of the difference */
    return !finished || *until > now;
}

void coll_await(struct coll_member *m)
{
    struct coll_job *j = coll_job_of(m->rank->job);
    const struct engine_reason *why;
    double until;
    if (m->last) {
        bool finished = coll_exec_start(m, &until);
        if (wait_ahead(j, m, finished, until))
            return;
    } else if (coll_waits(m, &why, &until)) {
        if (why)
            engine_block(j->engine, why);
        else
            engine_sleep_until(j->engine, until);
    }
    coll_leave(m);
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
    if (BASE_UNLIKELY(m->pending != NULL))
        coll_order_end(m);
    coll_exec_leave(m);
    done(arg);
}

static void begin(struct coll_job *j, struct coll_member *m, struct rank_pending *pending, coll_done_fn done,
                  void *arg)
{
    double until;
    if (BASE_UNLIKELY(pending && rank_checker)) {
        m->pending = pending;
        coll_order_enter(m);
    }
    m->ended = tell;
    m->done = done;
    m->arg = arg;
    m->request = BASE_UNLIKELY(j->trace->on) ? next_request(j) : 0;
    if (BASE_UNLIKELY(m->request)) {
        trace_started(m, TRACE_COLLECTIVE_BEGIN);
        coll_choice_tell(j, m);
    }
    if (!coll_exec_start(m, &until))
        return;
    if (until > engine_now(j->engine))
        j->exec.runtime->end(j, m, until);
    else
        tell(m);
}

void coll_start(struct rank *r, const struct coll_call *call, coll_done_fn done, void *arg)
{
    struct coll_job *j = coll_job_of(r->job);
    begin(j, enter(j, r, call, false), call->pending, done, arg);
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
    begin(j, coll_exec_enter_plan(&j->exec, rank_slot(p->rank, &coll_slot), p), p->call.pending, plan_done,
          p);
}

void coll_plan_free(struct coll_plan *p)
{
    BASE_ASSERT("C18", !p->active);
    coll_exec_plan_free(p);
}
