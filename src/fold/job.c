/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job's life: load, spawn the ranks' actors, run the engine, say how it ended. What a rank does is
 * rank.c's.
 */
#include "fold/job.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/annotated.h"
#include "fold/failure.h"
#include "fold/stall.h"
#include "fold/thread.h"

/* --- making -------------------------------------------------------------------------------------- */

static void count_arguments(struct fold_job *job)
{
    for (char **a = job->config.argv; *a; a++) {
        job->argc++;
        job->argv_bytes += strlen(*a) + 1;
    }
}

static void make_ranks(struct fold_job *job)
{
    uint32_t n = job->config.ranks;
    job->rank = base_reserve(n * sizeof *job->rank, "ranks");
    base_fill(job->rank, n * sizeof *job->rank);
    job->host_ranks = base_zalloc(platform_host_count(fabric_platform(job->fabric)) * sizeof *job->host_ranks,
                                  "ranks per host");
    job->host_actors = base_zalloc(
        platform_host_count(fabric_platform(job->fabric)) * sizeof *job->host_actors, "threads per host");
    for (uint32_t i = 0; i < n; i++) {
        struct fold_rank *r = &job->rank[i];
        *r = (struct fold_rank){.id = i,
                                .host = job->config.rank_host[i],
                                .job = job,
                                .engine = job->engine,
                                .image = &job->images.image[i],
                                .threads = 1,
                                .server = fabric_server_add(job->fabric, job->config.rank_host[i]),
                                .measured_from = -1};
        if (job->config.compute == FOLD_COMPUTE_MEASURED)
            r->measured_from = 0;
        r->serves = fabric_host_progress(job->fabric, r->host) == FABRIC_BY_CALLS;
        job->host_actors[r->host]++;
        if (job->host_ranks[r->host]++ == 0)
            job->hosts_used++;
    }
}

uint64_t fold_mappings_wanted(const struct fold_config *config)
{
    struct objects o;
    struct base_status ignored;
    if (objects_open(&o, config->program, getenv("LD_LIBRARY_PATH"), &ignored))
        return 0; /* fold_job_create will say why */
    enum fold_privatize way = config->privatize == FOLD_AUTO ? FOLD_DLOPEN : config->privatize;
    uint64_t n = images_mappings(&o, config->ranks, way);
    objects_close(&o);
    return n;
}

/* The environment is as it was, but its list may lie elsewhere. */
static int open_images(struct fold_job *job, struct base_status *st)
{
    struct fold_config *c = &job->config;
    bool whole = c->envp == environ;
    thread_system_before_load();
    int failed = images_open(&job->images, c->program, getenv("LD_LIBRARY_PATH"), c->ranks, c->privatize,
                             c->jobs && !job->trace->on, job->settings, st);
    thread_system_after_load();
    if (whole)
        c->envp = environ;
    return failed;
}

int fold_job_create(struct fold_job **out, const struct fold_config *config, struct fabric *fabric,
                    struct trace *trace, const struct base_settings *settings, struct base_status *st)
{
    struct fold_job *job = base_zalloc(sizeof *job, "job");
    job->config = *config;
    job->fabric = fabric;
    job->engine = fabric_engine(fabric);
    job->trace = trace;
    job->settings = settings;
    traced_begin(job);
    count_arguments(job);
    if (fold_failures_create(job, st) || fold_compute_begin(job, st) || open_images(job, st)) {
        fold_failures_destroy(job);
        free(job);
        return -1;
    }
    fold_jobs_create(job);
    if (fold_stacks_choose(job, st)) {
        fold_jobs_destroy(job);
        images_close(&job->images);
        free(job);
        return -1;
    }
    make_ranks(job);
    annotated_begin(job);
    *out = job;
    return 0;
}

void fold_job_destroy(struct fold_job *job)
{
    if (!job)
        return;
    for (uint32_t i = 0; i < job->config.ranks; i++) /* of jobs that were stopped */
        thread_crew_release(&job->rank[i]);
    annotated_end(job);
    fold_failures_destroy(job);
    fold_jobs_destroy(job);
    images_close(&job->images);
    base_unreserve(job->rank, job->config.ranks * sizeof *job->rank);
    free(job->host_ranks);
    free(job->host_actors);
    free(job);
}

/* --- running ------------------------------------------------------------------------------------- */

/* D1, D2: everything that belongs to the process is exchanged here, and only here. */
static void on_switch(void *ctx, struct engine_actor *from, struct engine_actor *to)
{
    struct fold_job *job = ctx;
    struct fold_rank *old = fold_current, *next = to ? engine_actor_owner(to) : NULL;
    struct fold_thread *thread = to ? engine_actor_local(to) : NULL;
    (void)from;
    if (BASE_UNLIKELY(fold_thread))
        thread_switch_from(fold_thread);
    if (old != next) {
        fold_libc_switch(old, next);
        if (next && job->images.swap)
            swap_to(job->images.swap, &next->image->version);
        if (next)
            thread_system_switch(next);
        fold_current = next;
    }
    if (BASE_UNLIKELY(thread))
        thread_switch_to(thread);
    fold_thread = thread;
}

static void on_overflow(void *ctx, struct engine_actor *a)
{
    (void)ctx;
    fold_report_overflow(engine_actor_owner(a), "");
    base_exit(128 + SIGSEGV); /* as where a guard page is hit */
}

static uint64_t rank_number(void *owner)
{
    return ((const struct fold_rank *)owner)->id;
}

static uint64_t number_of_thread(void *local)
{
    const struct fold_thread *t = local;
    return t && t->rank->threads > 1 ? t->slot + 1 : 0;
}

static int report_deadlock(struct fold_job *job)
{
    char when[32];
    base_error(
        "deadlock at %s of simulated time: %u of %u ranks wait and nothing is left that could wake them",
        base_show_time(when, engine_now(job->engine)), job->config.ranks - job->ended, job->config.ranks);
    engine_deadlock_report_parts(job->engine, base_report_stream(), "rank", rank_number, "thread",
                                 number_of_thread);
    fold_failures_report(job);
    return BASE_EXIT_DEADLOCK;
}

static int end_status(struct fold_job *job, enum engine_end end)
{
    switch (end) {
    case ENGINE_DEADLOCK:
        return report_deadlock(job);
    case ENGINE_STOPPED:
        return engine_stop_code(job->engine);
    case ENGINE_ALL_DONE:
        break;
    }
    return job->exit_code;
}

int fold_job_run(struct fold_job *job)
{
    fold_running_job = job;
    fold_libc_begin(job);
    thread_begin(job);
    fold_crash_handlers_install();
    fold_jobs_begin(job);
    engine_on_switch(job->engine, on_switch, job);
    engine_on_overflow(job->engine, on_overflow, job);
    fold_fronts_job_begin(job);
    for (uint32_t i = 0; i < job->config.ranks; i++) {
        job->rank[i].actor = engine_actor_spawn(job->engine, fold_rank_body, &job->rank[i], &job->rank[i]);
        if (job->lodges)
            engine_actor_lodge(job->engine, job->rank[i].actor);
        else if (job->jobs)
            fold_jobs_assign(&job->rank[i]);
    }
    fold_failures_begin(job);
    stall_begin(job);
    enum engine_end end = engine_run(job->engine);
    stall_end();
    thread_end(job);
    fold_libc_end(job);
    int status = end_status(job, end);
    if (!engine_jobs_lost(job->engine))
        fold_crash_handlers_remove();
    fold_fronts_job_end(job);
    fold_running_job = NULL;
    return status;
}

_Noreturn void fold_job_exit(struct fold_job *job, int code)
{
    if (engine_current(job->engine))
        engine_stop(job->engine, code);
    base_exit(code); /* not in an actor: the hooks flush what the ranks wrote */
}

/* --- questions ----------------------------------------------------------------------------------- */

uint32_t fold_ranks(const struct fold_job *job)
{
    return job->config.ranks;
}

struct fold_rank *fold_rank_at(struct fold_job *job, uint32_t id)
{
    return &job->rank[id];
}

struct engine *fold_engine(const struct fold_job *job)
{
    return job->engine;
}

struct fabric *fold_fabric(const struct fold_job *job)
{
    return job->fabric;
}

struct trace *fold_trace(const struct fold_job *job)
{
    return job->trace;
}

const struct base_settings *fold_job_settings(const struct fold_job *job)
{
    return job->settings;
}

enum fold_privatize fold_job_privatize(const struct fold_job *job)
{
    return job->images.way;
}

void *fold_job_upper(const struct fold_job *job, enum fold_upper which)
{
    return job->upper[which];
}

void fold_job_set_upper(struct fold_job *job, enum fold_upper which, void *p)
{
    job->upper[which] = p;
}

struct fold_counts fold_counts(const struct fold_job *job)
{
    return (struct fold_counts){.hosts_used = job->hosts_used,
                                .swaps = job->images.swap ? swap_count(job->images.swap) : 0,
                                .image_bytes = objects_data_size(&job->images.objects),
                                .measured = job->measured,
                                .kernels_run = job->annotated->samples.run,
                                .kernels_skipped = job->annotated->samples.skipped,
                                .folded_asked = job->annotated->asked,
                                .folded_peak = job->annotated->folded_peak,
                                .jobs = job->jobs ? job->config.jobs : 0,
                                .let_go = engine_ahead_count(job->engine)};
}
