/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs: the jobs of a list with their traces, which are read once each; where they are placed, and what became of them. */
#include "replay/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct replay_trace *trace; /* NULL: it has none */
    struct rank_slots slots;    /* for ranks that its trace starts; n 0: the run's */
    struct replay_outcome outcome;
    uint32_t first; /* not queued: its first rank */
    uint32_t *rank; /* queued: the ranks that it was given */
    uint32_t *host; /* of each of its ranks, once they are known */
};
/* A trace as so many ranks play it. */
struct known {
    const char *path;
    uint32_t ranks;
    struct replay_trace *trace;
};
struct replay_jobs {
    struct replay_list list;
    struct job *job;
    BASE_ARRAY(struct known) traces;
    uint32_t *rank_host;
    uint32_t ranks;
};

/* --- traces ------------------------------------------------------------------------------------------- */

static struct replay_trace *trace_of(struct replay_jobs *jobs, const struct replay_entry *e,
                                     struct base_status *st)
{
    for (size_t k = 0; k < jobs->traces.n; k++)
        if (jobs->traces.at[k].ranks == e->ranks && !strcmp(jobs->traces.at[k].path, e->trace))
            return jobs->traces.at[k].trace;
    struct known known = {e->trace, e->ranks, replay_trace_read(e->trace, e->ranks, st)};
    if (known.trace)
        BASE_ARRAY_PUSH(&jobs->traces, known);
    return known.trace;
}

static int read_job(struct replay_jobs *jobs, size_t k, struct base_status *st)
{
    struct replay_entry *e = &jobs->list.at.at[k];
    struct job *job = &jobs->job[k];
    struct base_status why;
    if (e->trace)
        job->trace = trace_of(jobs, e, &why);
    if (e->trace && !job->trace)
        return base_fail(st, "%s:%" PRIu32 ": job %.80s: %s", jobs->list.path, e->line, e->name, why.text);
    for (uint32_t rank = 0; job->trace && job->trace->tape && rank < replay_tape_ranks(job->trace->tape);
         rank++)
        if (replay_tape_rank_exits(job->trace->tape, rank))
            return base_fail(st,
                             "%s:%" PRIu32 ": job %.80s: %.200s: rank %" PRIu32
                             " is ended by a thread that is not its first one: expected a trace without",
                             jobs->list.path, e->line, e->name, e->trace, rank);
    if (job->trace)
        e->ranks = replay_trace_initial(job->trace);
    job->outcome = (struct replay_outcome){.name = e->name,
                                           .ranks = e->ranks,
                                           .submitted = e->start,
                                           .seconds = e->trace ? 0 : e->seconds,
                                           .begin = -1,
                                           .end = -1,
                                           .traffic = e->traffic.bytes != 0};
    return 0;
}

static int read_all(struct replay_jobs *jobs, struct base_status *st)
{
    const struct replay_list *l = &jobs->list;
    uint64_t ranks = 0;
    size_t ends = 0;
    jobs->job = base_zalloc(l->at.n * sizeof *jobs->job, "jobs");
    for (size_t k = 0; k < l->at.n; k++) {
        if (read_job(jobs, k, st))
            return -1;
        ranks += l->at.at[k].ranks;
        ends += !jobs->job[k].outcome.traffic;
    }
    if (!ends)
        return base_fail(st, "%s: background traffic ends with the jobs: expected at least one with a trace",
                         l->path);
    if (!l->queued && ranks > 1 << 22)
        return base_fail(st, "%s: %" PRIu64 " ranks in all jobs: expected 4194304 at most", l->path, ranks);
    return 0;
}

struct replay_jobs *replay_jobs_read(const char *path, const char *const *traces, size_t n,
                                     struct base_status *st)
{
    const struct replay_job_traces given = {traces, n};
    struct replay_jobs *jobs = base_zalloc(sizeof *jobs, "a list of jobs");
    if (replay_list_read(&jobs->list, path, &given, st) || read_all(jobs, st)) {
        replay_jobs_release(jobs);
        return NULL;
    }
    if (jobs->list.left_out)
        base_notice("replay/no-processors", "%s: %" PRIu64 " jobs that never had processors are left out",
                    path, jobs->list.left_out);
    return jobs;
}

void replay_jobs_release(struct replay_jobs *jobs)
{
    if (!jobs)
        return;
    for (size_t k = 0; k < jobs->list.at.n && jobs->job; k++) {
        free(jobs->job[k].rank);
        free(jobs->job[k].host);
        free((uint32_t *)(uintptr_t)jobs->job[k].slots.host);
    }
    for (size_t k = 0; k < jobs->traces.n; k++)
        replay_trace_release(jobs->traces.at[k].trace);
    free(jobs->traces.at);
    free(jobs->job);
    free(jobs->rank_host);
    replay_list_release(&jobs->list);
    free(jobs);
}

/* --- places ------------------------------------------------------------------------------------------- */

/* One rank for each core, which jobs take one after the other. */
static int place_queued(struct replay_jobs *jobs, const struct platform *p, const char *hostfile,
                        struct base_status *st)
{
    struct platform_placement placed;
    uint32_t first;
    if (platform_place(p, 1, hostfile, PLATFORM_MAP_CORE, &first, &placed, st))
        return -1;
    if (placed.slots > 1 << 22)
        return base_fail(st, "%" PRIu64 " cores: expected 4194304 at most; name some of them: -hostfile",
                         placed.slots);
    jobs->ranks = (uint32_t)placed.slots;
    for (size_t k = 0; k < jobs->list.at.n; k++)
        if (jobs->list.at.at[k].ranks > jobs->ranks)
            return base_fail(st,
                             "%s:%" PRIu32 ": job %s: %" PRIu32 " processors: expected %" PRIu32
                             " at most, which is how many there are",
                             jobs->list.path, jobs->list.at.at[k].line, jobs->list.at.at[k].name,
                             jobs->list.at.at[k].ranks, jobs->ranks);
    jobs->rank_host = base_alloc(jobs->ranks * sizeof *jobs->rank_host, "hosts of the ranks");
    return platform_place(p, jobs->ranks, hostfile, PLATFORM_MAP_CORE, jobs->rank_host, &placed, st);
}

static int place_all(struct replay_jobs *jobs, const struct platform *p, struct base_status *st)
{
    const struct replay_list *l = &jobs->list;
    size_t crowded;
    jobs->ranks = 0;
    for (size_t k = 0; k < l->at.n; k++) {
        jobs->job[k].first = jobs->ranks;
        jobs->ranks += l->at.at[k].ranks;
    }
    jobs->rank_host = base_alloc(jobs->ranks * sizeof *jobs->rank_host, "hosts of the ranks");
    if (replay_list_place(l, p, jobs->rank_host, &crowded, st))
        return -1;
    if (crowded < l->at.n)
        base_notice("replay/crowded",
                    "%s:%" PRIu32 ": job %s and later ones get cores that other jobs have, too", l->path,
                    l->at.at[crowded].line, l->at.at[crowded].name);
    for (size_t k = 0; k < l->at.n; k++)
        if (replay_jobs_later_of(jobs, k) && replay_entry_slots(l, &l->at.at[k], p, &jobs->job[k].slots, st))
            return -1;
    return 0;
}

int replay_jobs_place(struct replay_jobs *jobs, const struct platform *p, const char *hostfile,
                      struct base_status *st)
{
    if (jobs->list.queued)
        return place_queued(jobs, p, hostfile, st);
    if (hostfile)
        return base_fail(st, "-hostfile is for workloads in SWF: the jobs of %s have places of their own",
                         jobs->list.path);
    return place_all(jobs, p, st);
}

uint32_t replay_jobs_later_of(const struct replay_jobs *jobs, size_t k)
{
    const struct replay_trace *t = jobs->job[k].trace;
    return t ? replay_trace_started(t) : 0;
}

uint32_t replay_jobs_later(const struct replay_jobs *jobs)
{
    uint32_t ranks = 0;
    for (size_t k = 0; k < jobs->list.at.n; k++)
        ranks += replay_jobs_later_of(jobs, k);
    return ranks;
}

uint32_t replay_jobs_ranks(const struct replay_jobs *jobs)
{
    uint32_t ranks = 0;
    for (size_t k = 0; k < jobs->list.at.n && !jobs->list.queued; k++)
        ranks += jobs->list.at.at[k].ranks;
    return ranks;
}

const uint32_t *replay_jobs_hosts(const struct replay_jobs *jobs, uint32_t *ranks)
{
    *ranks = jobs->ranks;
    return jobs->rank_host;
}

/* --- playing ------------------------------------------------------------------------------------------ */

struct speeds {
    double scale; /* of all computations, besides the job's own */
    double recorded_speed, instructions_per_flop;
};

static struct speeds speeds_of(const struct rank_job *job)
{
    const struct base_settings *s = rank_settings(job);
    return (struct speeds){base_settings_number(s, "replay/compute-scale"),
                           base_settings_number(s, "replay/recorded-speed"),
                           base_settings_number(s, "replay/instructions-per-flop")};
}

static void fill_world(const struct replay_jobs *jobs, size_t k, uint32_t first, const struct speeds *s,
                       struct replay_world *w)
{
    const struct replay_entry *e = &jobs->list.at.at[k];
    const struct replay_trace *t = jobs->job[k].trace;
    *w = (struct replay_world){.name = e->name,
                               .tape = t ? t->tape : NULL,
                               .goal = t ? t->goal : NULL,
                               .traffic = e->traffic.bytes ? &e->traffic : NULL,
                               .seconds = e->seconds,
                               .path = e->trace ? e->trace : jobs->list.path,
                               .compute_scale = e->compute_scale * s->scale,
                               .recorded_speed = s->recorded_speed,
                               .instructions_per_flop = s->instructions_per_flop,
                               .ranks = e->ranks,
                               .left = e->ranks,
                               .first = first,
                               .slots = jobs->job[k].slots};
    replay_started_create(w);
}

void replay_attach_jobs(struct rank_job *job, struct replay_jobs *jobs)
{
    const struct speeds speeds = speeds_of(job);
    uint32_t n = (uint32_t)jobs->list.at.n;
    struct replay_job *j = replay_job_make(job, n);
    for (uint32_t k = 0; k < n; k++) {
        fill_world(jobs, k, jobs->job[k].first, &speeds, &j->world[k]);
        j->counts.all += jobs->job[k].trace ? replay_trace_actions(jobs->job[k].trace) : 0;
    }
    replay_schedule_create(j, jobs, jobs->list.queued);
}

void replay_attach_job(struct rank_job *job, struct replay_jobs *jobs, size_t k)
{
    const struct speeds speeds = speeds_of(job);
    struct replay_job *j = replay_job_make(job, 1);
    fill_world(jobs, k, 0, &speeds, j->world);
    replay_world_open(j, j->world);
}

double replay_jobs_start(const struct replay_jobs *jobs, uint32_t k)
{
    return jobs->list.at.at[k].start;
}

double replay_jobs_expected(const struct replay_jobs *jobs, uint32_t k)
{
    return jobs->list.at.at[k].expected;
}

uint32_t *replay_jobs_ranks_of(struct replay_jobs *jobs, uint32_t k)
{
    struct job *job = &jobs->job[k];
    if (!job->rank)
        job->rank = base_alloc(job->outcome.ranks * sizeof *job->rank, "ranks of a job");
    return job->rank;
}

void replay_jobs_begin(struct replay_jobs *jobs, uint32_t k, double now)
{
    jobs->job[k].outcome.begin = now;
}

void replay_jobs_end(struct replay_jobs *jobs, uint32_t k, double now)
{
    jobs->job[k].outcome.end = now;
}

/* --- outcomes ----------------------------------------------------------------------------------------- */

size_t replay_jobs_count(const struct replay_jobs *jobs)
{
    return jobs->list.at.n;
}

const struct replay_outcome *replay_jobs_outcome(const struct replay_jobs *jobs, size_t k)
{
    return &jobs->job[k].outcome;
}

const uint32_t *replay_jobs_hosts_of(struct replay_jobs *jobs, size_t k)
{
    struct job *job = &jobs->job[k];
    if (!jobs->list.queued)
        return jobs->rank_host + job->first;
    if (!job->rank)
        return NULL;
    if (job->host)
        return job->host;
    job->host = base_alloc(job->outcome.ranks * sizeof *job->host, "hosts of a job");
    for (uint32_t r = 0; r < job->outcome.ranks; r++)
        job->host[r] = jobs->rank_host[job->rank[r]];
    return job->host;
}

bool replay_jobs_alike(struct replay_jobs *jobs, size_t a, size_t b)
{
    const struct job *x = &jobs->job[a], *y = &jobs->job[b];
    const struct replay_entry *e = &jobs->list.at.at[a], *f = &jobs->list.at.at[b];
    if (x->trace != y->trace || e->compute_scale != f->compute_scale || e->seconds != f->seconds ||
        e->ranks != f->ranks)
        return false;
    const uint32_t *hosts = replay_jobs_hosts_of(jobs, a), *others = replay_jobs_hosts_of(jobs, b);
    return hosts && others && !memcmp(hosts, others, x->outcome.ranks * sizeof *hosts);
}

void replay_jobs_set_alone(struct replay_jobs *jobs, size_t k, double seconds)
{
    jobs->job[k].outcome.alone = seconds;
}
