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
#include "fold/thread.h"

const struct base_setting fold_settings[] = {
    {"on-failure", BASE_TEXT, "abort",
     "when a host or link fails under ranks: abort (a report, status 6) or kill-rank (the others go on)",
     "what MPI's and OpenSHMEM's launchers do"},
    {"fold/dlopen-ranks", BASE_UINT, "1024", "up to so many ranks --privatize=auto loads a copy a rank",
     "measured: docs/private-globals.md"},
    {"fold/dlopen-ranks-large", BASE_UINT, "8192",
     "the same for programs with more globals than fold/swap-bytes",
     "limit on memory mappings, vm.max_map_count = 65530"},
    {"fold/stacks", BASE_TEXT, "auto",
     "own: each rank has a stack; shared: ranks that wait have their frames kept aside; auto: by their "
     "number",
     "docs/performance.md"},
    {"fold/shared-stack-ranks", BASE_UINT, "4096", "from so many ranks on fold/stacks=auto shares",
     "docs/performance.md"},
    {"fold/swap-bytes", BASE_SIZE, "64KiB",
     "globals a rank from which exchanging them costs more than loading copies",
     "measured: docs/private-globals.md"},
    {"thread/create-cost", BASE_TIME, "20us", "time that pthread_create takes its caller",
     "measured: pthread_create on Linux 6, x86-64: 15 to 30 us"},
    {"thread/wake-cost", BASE_TIME, "4us", "from the waking of a blocked thread until it runs",
     "measured: two threads that wake each other in turn, Linux 6, x86-64: 3 to 6 us"},
    {"thread/call-cost", BASE_TIME, "20ns", "a call that finds its lock free, in a rank with several threads",
     "measured: pthread_mutex_lock or _unlock, uncontended, x86-64: 10 to 25 ns"},
    {"thread/most", BASE_UINT, "0",
     "threads alive at once, besides each rank's first; 0: 64 a rank, within limits",
     "addresses for their stacks are reserved at the start: docs/threads.md"},
    {"compute/host-speed", BASE_SPEED, "0",
     "speed of a core of this machine, for --compute=measured; 0: that of the platform's first host",
     "a core here is taken to be as fast as one there unless told"},
    {"memory/fold-threshold", BASE_SIZE, "0",
     "blocks that the program gets from malloc are folded from this size on; 0: none",
     "as SMPI's smpi/auto-shared-malloc-thresh: docs/annotations.md"},
    {"memory/fold-most", BASE_SIZE, "64MiB",
     "most memory that one folded block takes up; a larger block repeats it",
     "a choice: docs/annotations.md"},
};
const size_t fold_settings_count = BASE_LENGTH(fold_settings);

/* --- fronts -------------------------------------------------------------------------------------- */

#define MAX_FRONTS 8
static const struct fold_front *fronts[MAX_FRONTS]; /* constant after start-up */
static unsigned n_fronts;

void fold_front_register(const struct fold_front *front)
{
    BASE_ASSERT("D0: at most 8 fronts", n_fronts < MAX_FRONTS);
    fronts[n_fronts++] = front;
}

static void fronts_job_begin(struct fold_job *job)
{
    for (unsigned i = 0; i < n_fronts; i++)
        if (fronts[i]->job_begin)
            fronts[i]->job_begin(job);
}

static void fronts_job_end(struct fold_job *job)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->job_end)
            fronts[i]->job_end(job);
}

void fold_fronts_rank_exit(struct fold_rank *r, int code)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->rank_exit)
            fronts[i]->rank_exit(r, code);
}

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
                             job->settings, st);
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
    fold_calls_traced = trace->on;
    count_arguments(job);
    if (fold_failures_create(job, st) || fold_compute_begin(job, st) || open_images(job, st)) {
        fold_failures_destroy(job);
        free(job);
        return -1;
    }
    if (fold_stacks_choose(job, st)) {
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
    engine_on_switch(job->engine, on_switch, job);
    engine_on_overflow(job->engine, on_overflow, job);
    fronts_job_begin(job);
    for (uint32_t i = 0; i < job->config.ranks; i++) {
        job->rank[i].actor = engine_actor_spawn(job->engine, fold_rank_body, &job->rank[i], &job->rank[i]);
        if (job->lodges)
            engine_actor_lodge(job->engine, job->rank[i].actor);
    }
    fold_failures_begin(job);
    enum engine_end end = engine_run(job->engine);
    thread_end(job);
    fold_libc_end(job);
    int status = end_status(job, end);
    fold_crash_handlers_remove();
    fronts_job_end(job);
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
                                .folded_peak = job->annotated->folded_peak};
}
