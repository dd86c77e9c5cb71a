/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: emits the calls and waits of ranks to the trace. The events of a rank that is ahead of the clock
 * carry its own time.
 */
#include "rank/internal.h"

uint32_t rank_thread_number(const struct rank *r)
{
    const struct engine_actor *self = engine_current(r->engine);
    const void *local = self ? engine_actor_local(self) : NULL;
    return BASE_UNLIKELY(local != NULL) && r->provider->life->thread ? r->provider->life->thread(local) : 0;
}

void rank_trace_emit(const struct rank *r, struct trace_event *ev)
{
    ev->time = rank_now(r);
    ev->rank = r->id;
    ev->thread = rank_thread_number(r);
    trace_emit(r->job->public.trace, ev);
}

static void (*on_call)(struct rank *r, const char *call), (*refuses)(struct rank *r, const char *call);

void rank_on_call(void (*fn)(struct rank *r, const char *call))
{
    on_call = fn;
    rank_calls_traced =
        fn || refuses || rank_adversary || (rank_running_job && rank_running_job->public.trace->on);
}

void rank_oppose(const struct rank_adversary *a)
{
    rank_adversary = a;
    rank_on_call(on_call);
}

void rank_calls_refuse(void (*fn)(struct rank *r, const char *call))
{
    refuses = fn;
    rank_on_call(on_call);
}

/* It may take a while: other threads of the rank enter other calls meanwhile. */
static void oppose_call(struct rank *r, const char *call)
{
    uint32_t caller = r->caller;
    rank_adversary->called(r, call);
    r->caller = caller;
    r->call = rank_call_number(call);
}

void rank_trace_call(struct rank *r, const char *call, bool enter)
{
    if (BASE_UNLIKELY(refuses && enter))
        refuses(r, call);
    if (BASE_UNLIKELY(on_call && enter))
        on_call(r, call);
    if (BASE_UNLIKELY(rank_adversary && enter))
        oppose_call(r, call);
    if (!r->job->public.trace->on)
        return;
    trace_emit_call(r->job->public.trace, enter ? TRACE_CALL_ENTER : TRACE_CALL_LEAVE, rank_now(r), r->id,
                    rank_thread_number(r), call);
}

/* A rank that is ahead did not wait for anything that happened before its own time. */
static void on_wait(void *ctx, struct engine_actor *a, const struct engine_reason *why, bool begins,
                    uint64_t cause)
{
    const struct rank *r = engine_actor_owner(a);
    (void)ctx;
    if (!r)
        return;
    const struct engine_actor *by = engine_cause_actor(r->engine, cause);
    if (by)
        cause = TRACE_BY_RANK | ((const struct rank *)engine_actor_owner(by))->id;
    rank_trace_emit(r, &(struct trace_event){.type = begins ? TRACE_WAIT_BEGIN : TRACE_WAIT_END,
                                             .cause = r->ahead_until > engine_now(r->engine) ? 0 : cause,
                                             .call = why->what});
}

const struct trace_call rank_calls[] = {{"computation", TRACE_KIND_COMPUTE, 0}};
const size_t rank_calls_count = BASE_LENGTH(rank_calls);

void rank_traced_begin(struct rank_job *job)
{
    trace_calls_register(rank_calls, rank_calls_count);
    bool on = job->public.trace->on;
    rank_calls_traced = on || on_call || rank_adversary;
    engine_on_wait(job->public.engine, on ? on_wait : NULL, NULL);
}

void rank_await_until(struct rank *r, const char *call, double until, uint64_t cause)
{
    bool traced = r->job->public.trace->on;
    if (BASE_UNLIKELY(traced))
        rank_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_BEGIN, .call = call});
    engine_sleep_until(r->engine, until);
    if (BASE_UNLIKELY(traced))
        rank_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_END, .cause = cause, .call = call});
}
