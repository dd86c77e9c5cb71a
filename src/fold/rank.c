/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a rank does from its first instruction to its last: constructors, main, exit handlers, the fronts'
 * part of ending, destructors. All of it runs on the rank's own stack with its own globals.
 *
 * A status other than 0 ends the whole job at once, as the field's launchers do, unless the rank had
 * finalized; then the others go on and the first such status becomes the job's.
 */
#include "fold/job.h"

#include <string.h>

#include "fold/gates.h"
#include "fold/module.h"
#include "fold/thread.h"

static void trace_life(const struct fold_rank *r, enum trace_type type)
{
    trace_emit(r->job->trace,
               &(struct trace_event){.time = engine_now(r->engine), .type = type, .rank = r->id});
}

/* The arguments belong to the rank: programs permute and overwrite them. */
static int run_main(struct fold_rank *r, char *text, char **argv)
{
    struct fold_job *job = r->job;
    for (uint32_t i = 0; i < job->argc; i++) {
        argv[i] = text;
        text = stpcpy(text, job->config.argv[i]) + 1;
    }
    argv[job->argc] = NULL;
    int argc = (int)job->argc;
    char **envp = job->config.envp;
    if (r->measured_from >= 0)
        fold_compute_start(r);
    image_construct(&job->images, r->image, argc, argv, envp);
    return image_main(&job->images, r->image)(argc, argv, envp);
}

void fold_rank_body(void *arg)
{
    struct fold_rank *r = arg;
    char text[r->job->argv_bytes + 1];
    char *argv[r->job->argc + 1];
    trace_life(r, TRACE_RANK_BEGIN);
    thread_system_rank_begin(r);
    fold_rank_exit(run_main(r, text, argv));
}

static void note_status(struct fold_rank *r, int code)
{
    struct fold_job *job = r->job;
    char where[FOLD_WHERE_SIZE];
    if (code == 0)
        return;
    if (job->exit_code == 0) {
        job->exit_code = code;
        base_error("%s ended with exit status %d", fold_where(where, r), code);
    }
    if (!r->finalized)
        fold_job_exit(job, code);
}

_Noreturn void fold_rank_exit(int code)
{
    if (fold_ahead) /* main returned */
        fold_gate_enter();
    struct fold_rank *r = fold_current;
    if (r->measured_from >= 0)
        fold_compute_stop(r);
    fold_catch_up(r);
    if (r->serves)
        fold_serve(r);
    thread_claim_end(r);
    if (!r->ended) { /* exit called again by an exit handler goes on from here */
        r->ended = true;
        code = fold_libc_run_atexit(r, code);
        fold_fronts_rank_exit(r, code);
        modules_destruct(r);
        image_destruct(&r->job->images, r->image);
    }
    note_status(r, code & 0xff);
    thread_drop_others(r);
    thread_crew_release(r);
    annotated_release(r);
    fold_libc_release(r);
    trace_life(r, TRACE_RANK_END);
    r->job->ended++;
    r->threads = 0;
    r->job->host_actors[r->host]--;
    image_release(&r->job->images, r->image);
    thread_system_rank_end(r);
    engine_actor_exit(r->engine);
}
