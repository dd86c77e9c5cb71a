/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job's life: make the ranks' records, spawn their actors, run the engine, say how it ended. What a rank
 * does is up to life.c and its provider.
 */
#include "rank/internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* --- making -------------------------------------------------------------------------------------- */

static uint32_t host_count(const struct rank_job *job)
{
    return platform_host_count(fabric_platform(job->public.fabric));
}

struct rank *rank_make(struct rank_job *job, uint32_t id, uint32_t host)
{
    struct rank_job_public *p = &job->public;
    struct rank *r = rank_at(job, id);
    *r = (struct rank){.id = id,
                       .host = host,
                       .job = job,
                       .engine = p->engine,
                       .threads = 1,
                       .server = fabric_server_add(p->fabric, host),
                       .measured_from = job->config.compute == RANK_COMPUTE_MEASURED ? 0 : -1};
    r->serves = fabric_host_progress(p->fabric, host) == FABRIC_BY_CALLS;
    job->host_actors[host]++;
    job->host_live[host]++;
    if (job->host_ranks[host]++ == 0)
        job->hosts_used++;
    return r;
}

void rank_unmake(struct rank_job *job, struct rank *r)
{
    job->host_actors[r->host]--;
    job->host_live[r->host]--;
    if (--job->host_ranks[r->host] == 0)
        job->hosts_used--;
    job->supplied -= r->provider != NULL;
    memset((void *)r, 0, job->public.stride);
}

static void make_ranks(struct rank_job *job)
{
    struct rank_job_public *p = &job->public;
    p->ranks = job->config.ranks;
    p->room = p->ranks + job->config.later;
    p->stride = rank_record_size();
    p->records = base_reserve(p->room * p->stride, "ranks");
    base_fill(p->records, p->ranks * p->stride);
    job->host_ranks = base_zalloc(host_count(job) * sizeof *job->host_ranks, "ranks per host");
    job->host_live = base_zalloc(host_count(job) * sizeof *job->host_live, "ranks per host");
    job->host_actors = base_zalloc(host_count(job) * sizeof *job->host_actors, "threads per host");
    for (uint32_t i = 0; i < p->ranks; i++)
        (void)rank_make(job, i, job->config.rank_host[i]);
}

int rank_job_create(struct rank_job **out, const struct rank_config *config, struct fabric *fabric,
                    struct trace *trace, const struct base_settings *settings, struct base_status *st)
{
    struct rank_job *job = base_zalloc(sizeof *job, "job");
    job->config = *config;
    job->public = (struct rank_job_public){
        .engine = fabric_engine(fabric), .fabric = fabric, .trace = trace, .settings = settings};
    rank_traced_begin(job);
    if (rank_failures_create(job, st) || rank_stacks_check(job, st)) {
        rank_failures_destroy(job);
        free(job);
        return -1;
    }
    rank_compute_begin(job);
    make_ranks(job);
    rank_energies_create(job);
    rank_noise_create(job);
    *out = job;
    return 0;
}

static void add_provider(struct rank_job *job, const struct rank_provider *provider)
{
    for (unsigned k = 0; k < job->providers; k++)
        if (job->provider[k] == provider)
            return;
    BASE_ASSERT("N8: at most 4 providers", job->providers < RANK_PROVIDERS);
    job->provider[job->providers++] = provider;
}

void rank_job_supply(struct rank_job *job, const struct rank_provider *provider, uint32_t first, uint32_t n)
{
    add_provider(job, provider);
    for (uint32_t k = first; k < first + n; k++) {
        struct rank *r = rank_at(job, k);
        job->supplied += !r->provider;
        r->provider = provider;
        r->memory = provider->memory;
    }
}

void rank_use_memory(struct rank *r, const struct rank_memory *memory)
{
    r->memory = memory;
}

/* Stands in for what providers leave out of their tables. */
#define EACH_PROVIDER(job, fn)                                                                               \
    for (unsigned provider_ = 0; provider_ < (job)->providers; provider_++)                                  \
        if ((job)->provider[provider_]->life->fn)                                                            \
    (job)->provider[provider_]->life->fn(job)

void rank_job_destroy(struct rank_job *job)
{
    if (!job)
        return;
    EACH_PROVIDER(job, job_destroy);
    rank_failures_destroy(job);
    rank_energies_destroy(job);
    rank_noise_destroy(job);
    rank_ahead_destroy(job);
    for (uint32_t k = 0; k < job->public.ranks; k++) /* of jobs that were stopped */
        rank_output_forget(rank_at(job, k));
    base_unreserve(job->public.records, job->public.room * job->public.stride);
    free(job->host_ranks);
    free(job->host_live);
    free(job->host_actors);
    free(job);
}

/* --- running ------------------------------------------------------------------------------------- */

void rank_on_switch(struct rank_job *job, rank_switch_fn fn, void *ctx)
{
    BASE_ASSERT("N9: at most 4 switch hooks", job->on_switches < RANK_SWITCHES);
    job->on_switch[job->on_switches].fn = fn;
    job->on_switch[job->on_switches++].ctx = ctx;
}

/* N1: everything that belongs to the process is exchanged here, and only here. */
static void on_switch(void *ctx, struct engine_actor *from, struct engine_actor *to)
{
    struct rank_job *job = ctx;
    struct rank *old = rank_current, *next = to ? engine_actor_owner(to) : NULL;
    (void)from;
    for (unsigned k = 0; k < job->on_switches; k++)
        job->on_switch[k].fn(job->on_switch[k].ctx, old, next, to);
    rank_current = next;
}

/* Until a rank waits. `from` is NULL when the main stack is left, or a rank has ended. */
static void on_first_switches(void *ctx, struct engine_actor *from, struct engine_actor *to)
{
    struct rank_job *job = ctx;
    if (from) {
        rank_stacks_decide(job, from);
        engine_on_switch(job->public.engine, on_switch, job);
    }
    on_switch(ctx, from, to);
}

static void on_overflow(void *ctx, struct engine_actor *a)
{
    (void)ctx;
    rank_report_overflow(engine_actor_owner(a), "");
    base_exit(128 + SIGSEGV); /* as when a guard page is hit */
}

static void spawn(struct rank_job *job)
{
    for (uint32_t i = 0; i < job->public.ranks; i++) {
        struct rank *r = rank_at(job, i);
        r->actor = engine_actor_spawn(r->engine, rank_body, r, r);
        if (job->lodges && !job->undecided)
            engine_actor_lodge(r->engine, r->actor);
        else if (job->aheads)
            rank_ahead_assign(r);
    }
}

static int end_status(struct rank_job *job, enum engine_end end, char *deadlock)
{
    switch (end) {
    case ENGINE_DEADLOCK:
        job->deadlocked = true;
        return rank_deadlock_report(job, deadlock);
    case ENGINE_STOPPED:
        return engine_stop_code(job->public.engine);
    case ENGINE_ALL_DONE:
        break;
    }
    return job->exit_code;
}

int rank_job_run(struct rank_job *job)
{
    struct engine *e = job->public.engine;
    BASE_ASSERT("N10: every rank has a provider", job->supplied == job->public.ranks);
    rank_running_job = job;
    rank_output_begin(job);
    rank_ahead_prepare(job);
    rank_stacks_choose(job);
    EACH_PROVIDER(job, job_begin);
    rank_ahead_begin(job);
    engine_on_switch(e, job->undecided ? on_first_switches : on_switch, job);
    engine_on_overflow(e, on_overflow, job);
    rank_works_begin(job);
    rank_fronts_job_begin(job);
    spawn(job);
    rank_failures_begin(job);
    rank_stall_begin(job);
    enum engine_end end = engine_run(e);
    rank_stall_end();
    char *deadlock = end == ENGINE_DEADLOCK ? rank_deadlock_write(job) : NULL;
    EACH_PROVIDER(job, job_end);
    int status = end_status(job, end, deadlock);
    rank_fronts_job_end(job);
    rank_works_end(job);
    rank_running_job = NULL;
    return status ? status : job->exit_code; /* what its end has shown */
}

_Noreturn void rank_job_exit(struct rank_job *job, int code)
{
    if (engine_current(job->public.engine))
        engine_stop(job->public.engine, code);
    base_exit(code); /* not in an actor: the hooks flush what the ranks wrote */
}

void rank_job_fault(struct rank_job *job, int code)
{
    if (job->exit_code == 0)
        job->exit_code = code;
}

/* --- questions ----------------------------------------------------------------------------------- */

const struct rank_config *rank_job_config(const struct rank_job *job)
{
    return &job->config;
}

uint32_t rank_part_of(const struct rank *r)
{
    const struct rank_config *c = rank_job_config(r->job);
    uint32_t part = 0;
    for (uint64_t end = 0; c->part_ranks && part + 1 < c->parts; part++) {
        end += c->part_ranks[part];
        if (r->id < end)
            break;
    }
    return part;
}

bool rank_stacks_shared(const struct rank_job *job)
{
    return job->lodges;
}

uint32_t rank_host_share(const struct rank *r)
{
    return r->job->host_ranks[r->host];
}

void rank_threads_add(struct rank *r, int more)
{
    r->threads += (uint32_t)more;
    r->job->host_actors[r->host] += (uint32_t)more;
}

struct rank_counts rank_counts(const struct rank_job *job)
{
    return (struct rank_counts){.hosts_used = job->hosts_used,
                                .measured = job->measured,
                                .deadlocked = job->deadlocked,
                                .ahead = job->aheads ? job->config.ahead : 0,
                                .let_go = engine_ahead_count(job->public.engine)};
}
