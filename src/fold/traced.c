/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what a trace is told of ranks: calls, waits, the user's marks. A rank may be ahead of the clock; its
 * events have its own time.
 */
#include "pgasim.h"

#include "fold/job.h"
#include "fold/thread.h"

uint32_t fold_thread_number(void)
{
    return fold_thread ? fold_thread->slot : 0;
}

void fold_trace_emit(const struct fold_rank *r, struct trace_event *ev)
{
    ev->time = rank_now(r);
    ev->rank = r->id;
    ev->thread = fold_thread_number();
    trace_emit(r->job->trace, ev);
}

void fold_trace_call(struct fold_rank *r, const char *call, bool enter)
{
    trace_emit_call(r->job->trace, enter ? TRACE_CALL_ENTER : TRACE_CALL_LEAVE, rank_now(r), r->id,
                    fold_thread_number(), call);
}

/* A rank that is ahead has not waited for what came before its own time. */
static void on_wait(void *ctx, struct engine_actor *a, const struct engine_reason *why, bool begins,
                    uint64_t cause)
{
    const struct fold_rank *r = engine_actor_owner(a);
    (void)ctx;
    if (!r)
        return;
    const struct engine_actor *by = engine_cause_actor(r->engine, cause);
    if (by)
        cause = TRACE_BY_RANK | ((const struct fold_rank *)engine_actor_owner(by))->id;
    fold_trace_emit(r, &(struct trace_event){.type = begins ? TRACE_WAIT_BEGIN : TRACE_WAIT_END,
                                             .cause = r->ahead_until > engine_now(r->engine) ? 0 : cause,
                                             .call = why->what});
}

void traced_begin(struct fold_job *job)
{
    trace_calls_register(fold_calls, fold_calls_count);
    fold_calls_traced = job->trace->on;
    engine_on_wait(job->engine, job->trace->on ? on_wait : NULL, NULL);
}

void fold_await_until(struct fold_rank *r, const char *call, double until, uint64_t cause)
{
    bool traced = r->job->trace->on;
    if (BASE_UNLIKELY(traced))
        fold_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_BEGIN, .call = call});
    engine_sleep_until(r->engine, until);
    if (BASE_UNLIKELY(traced))
        fold_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_END, .cause = cause, .call = call});
}

/* --- marks ------------------------------------------------------------------------------------------- */

/* Computation so far is charged with and without a trace, so that a trace changes no time. */
static void mark(enum trace_type type, const char *text)
{
    struct fold_rank *r = fold_current;
    if (!r)
        return;
    if (r->measured_from >= 0)
        fold_compute_stop(r);
    if (r->job->trace->on)
        fold_trace_emit(
            r, &(struct trace_event){.type = type, .call = text ? trace_keep(r->job->trace, text) : NULL});
    if (r->measured_from >= 0)
        fold_compute_start(r);
}

BASE_PUBLIC void pgasim_mark(const char *text)
{
    mark(TRACE_MARK, text ? text : "");
}

BASE_PUBLIC void pgasim_mark_begin(const char *text)
{
    mark(TRACE_MARK_BEGIN, text ? text : "");
}

BASE_PUBLIC void pgasim_mark_end(void)
{
    mark(TRACE_MARK_END, NULL);
}
