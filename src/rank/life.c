/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank does from its first instruction to its last: its provider's code, exit handlers, the fronts'
 * part of ending, destructors. All of it runs on the rank's own stack with its own memory.
 *
 * A status other than 0 ends the whole job at once, as the field's launchers do, unless the rank had
 * finalized all that it had initialized; then the others go on and the first such status becomes the job's.
 */
#include "rank/internal.h"
#include "rank/resting.h"

static void trace_life(const struct rank *r, enum trace_type type)
{
    trace_emit(r->job->public.trace,
               &(struct trace_event){.time = engine_now(r->engine),
                                     .type = type,
                                     .rank = r->id,
                                     .context = type == TRACE_RANK_BEGIN ? r->world : 0});
}

static void begin(struct rank *r)
{
    rank_catch_up(r); /* of one that was started while the job ran */
    trace_life(r, TRACE_RANK_BEGIN);
    if (BASE_UNLIKELY(r->job->noise != NULL)) /* its own time is ahead of the clock */
        r->ahead_until = engine_now(r->engine) + rank_start_late(r);
}

void rank_body(void *arg)
{
    struct rank *r = arg;
    if (!r->rests)
        begin(r);
    r->rests = false;
    r->provider->life->run(r);
    if (!r->rests)
        rank_exit(0);
}

void rank_rest(struct rank *r, const struct engine_reason *why)
{
    r->rests = true;
    engine_rest(r->engine, why);
}

void rank_rest_until(struct rank *r, double until)
{
    r->rests = true;
    engine_rest_until(r->engine, until);
}

void rank_rest_ahead(struct rank *r)
{
    double until = r->ahead_until;
    r->ahead_until = 0;
    if (until > engine_now(r->engine))
        rank_rest_until(r, until);
}

void rank_api_opened(struct rank *r)
{
    r->apis_open++;
    r->left_in_order = false;
}

void rank_api_closed(struct rank *r)
{
    r->apis_open--;
    r->left_in_order = r->apis_open == 0;
}

static void note_status(struct rank *r, int code)
{
    struct rank_job *job = r->job;
    char where[RANK_WHERE_SIZE];
    if (code == 0)
        return;
    if (job->exit_code == 0) {
        job->exit_code = code;
        if (!rank_job_config(job)->silent)
            base_error("%s ended with exit status %d", rank_where(where, r), code);
    }
    if (!r->left_in_order)
        rank_end_others(r, code);
}

void rank_gone(struct rank *r)
{
    r->job->ended++;
    r->job->host_live[r->host]--;
}

_Noreturn void rank_exit(int code)
{
    if (rank_ahead) /* its program is over */
        rank_ahead_enter();
    struct rank *r = rank_current;
    const struct rank_life *life = r->provider->life;
    if (r->measured_from >= 0)
        rank_compute_stop(r);
    rank_catch_up(r);
    if (r->serves)
        rank_serve(r);
    if (life->claim_end)
        life->claim_end(r);
    if (!r->ended) { /* exit called again by an exit handler goes on from here */
        r->ended = true;
        if (life->leave)
            code = life->leave(r, code);
        rank_fronts_rank_exit(r, code);
        if (life->close)
            life->close(r);
    }
    note_status(r, code & 0xff);
    if (life->release)
        life->release(r);
    rank_output_end_line(r);
    rank_output_forget(r);
    trace_life(r, TRACE_RANK_END);
    rank_gone(r);
    rank_threads_add(r, -(int)r->threads);
    engine_actor_exit(r->engine);
}
