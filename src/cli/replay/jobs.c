/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs: the jobs of a list when they have been played: alone, and as tables and events. */
#include "cli/replay/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

static double duration_of(const struct replay_outcome *o)
{
    return o->end - o->begin;
}

/* --- alone -------------------------------------------------------------------------------------------- */

struct alone {
    const struct run *run;
    struct replay_jobs *jobs;
    size_t job;
    struct engine *engine;
    struct fabric *fabric;
    struct trace trace;
};

static int play(struct alone *a, double *seconds, struct base_status *st)
{
    const struct replay_outcome *o = replay_jobs_outcome(a->jobs, a->job);
    const struct rank_config config = {.ranks = o->ranks,
                                       .rank_host = replay_jobs_hosts_of(a->jobs, a->job),
                                       .later = replay_jobs_later_of(a->jobs, a->job),
                                       .slots = a->run->slots,
                                       .compute = RANK_COMPUTE_OFF,
                                       .compute_factor = 1};
    struct rank_job *job;
    if (rank_job_create(&job, &config, a->fabric, &a->trace, a->run->settings, st))
        return -1;
    replay_attach_job(job, a->jobs, a->job);
    int status = rank_job_run(job);
    *seconds = replay_alone_end(job);
    rank_job_destroy(job);
    return status ? base_fail(st, "job %.80s does not come to its end alone", o->name) : 0;
}

static int simulate(struct alone *a, double *seconds, struct base_status *st)
{
    uint32_t ranks = replay_jobs_outcome(a->jobs, a->job)->ranks;
    trace_init(&a->trace);
    a->engine = engine_create(
        &(struct engine_config){.max_actors = ranks + replay_jobs_later_of(a->jobs, a->job) + 16,
                                .usual = ranks,
                                .stack_size = run_options_stack_size(&a->run->options)});
    struct fluid *fluid = fluid_create(a->engine);
    a->fabric = fabric_create(a->engine, fluid, a->run->platform, a->run->settings);
    int rc = play(a, seconds, st);
    trace_close(&a->trace);
    fabric_destroy(a->fabric);
    fluid_destroy(fluid);
    engine_destroy(a->engine);
    return rc;
}

/* Its own, or that of an earlier job that did the same on the same hosts; 0: there is none. */
static double known(struct replay_jobs *jobs, size_t k)
{
    if (replay_jobs_outcome(jobs, k)->seconds > 0)
        return replay_jobs_outcome(jobs, k)->seconds;
    for (size_t e = 0; e < k; e++)
        if (replay_jobs_outcome(jobs, e)->alone > 0 && replay_jobs_alike(jobs, e, k))
            return replay_jobs_outcome(jobs, e)->alone;
    return 0;
}

int cli_jobs_alone(const struct run *r, struct replay_jobs *jobs, struct base_status *st)
{
    for (size_t k = 0; k < replay_jobs_count(jobs); k++) {
        const struct replay_outcome *o = replay_jobs_outcome(jobs, k);
        struct alone a = {.run = r, .jobs = jobs, .job = k};
        if (o->traffic || o->end < 0)
            continue;
        double seconds = known(jobs, k);
        if (!(seconds > 0) && simulate(&a, &seconds, st))
            return -1;
        replay_jobs_set_alone(jobs, k, seconds);
    }
    return 0;
}

/* --- for the trace ------------------------------------------------------------------------------------ */

static int64_t nanoseconds(double seconds)
{
    return (int64_t)(seconds * 1e9 + 0.5);
}

void cli_jobs_tell(struct run *r, const struct replay_jobs *jobs)
{
    for (size_t k = 0; k < replay_jobs_count(jobs) && r->trace.on; k++) {
        const struct replay_outcome *o = replay_jobs_outcome(jobs, k);
        if (o->end < 0)
            continue;
        char *name = base_strfmt("job %s", o->name);
        const int64_t values[] = {o->ranks, nanoseconds(o->submitted), nanoseconds(o->begin),
                                  nanoseconds(o->end), nanoseconds(o->alone)};
        trace_emit(&r->trace, &(struct trace_event){.time = r->figures.simulated,
                                                    .type = TRACE_USER,
                                                    .call = trace_keep(&r->trace, name),
                                                    .detail = TRACE_JOB_FIELDS,
                                                    .peer = BASE_LENGTH(values),
                                                    .values = values});
        free(name);
    }
}

/* --- for people, and for programs --------------------------------------------------------------------- */

static const char *time_text(char *buf, double seconds)
{
    return seconds < 0 ? "-" : base_show_time(buf, seconds);
}

static void show_job(const struct replay_outcome *o, bool alone, FILE *out)
{
    char name[64], begin[32], end[32], duration[32], text[32];
    fprintf(out, "pgasim:     %-20s %7u %10s %10s %10s", base_text_show(name, sizeof name, o->name), o->ranks,
            time_text(begin, o->begin), time_text(end, o->end),
            time_text(duration, o->end < 0 ? -1 : duration_of(o)));
    if (alone && o->alone > 0)
        fprintf(out, " %10s %8.3f", base_show_time(text, o->alone), duration_of(o) / o->alone);
    fputs(o->traffic ? " background traffic\n" : "\n", out);
}

void cli_jobs_show(const struct replay_jobs *jobs, FILE *out)
{
    enum { MOST = 40 };
    size_t n = replay_jobs_count(jobs);
    bool alone = false;
    for (size_t k = 0; k < n; k++)
        alone |= replay_jobs_outcome(jobs, k)->alone > 0;
    fprintf(out, "pgasim:   %-22s %7s %10s %10s %10s%s\n", "job", "ranks", "start", "end", "duration",
            alone ? "      alone slowdown" : "");
    for (size_t k = 0; k < n && k < MOST; k++)
        show_job(replay_jobs_outcome(jobs, k), alone, out);
    if (n > MOST)
        fprintf(out, "pgasim:     and %zu more (--json has all)\n", n - MOST);
}

/* A time that is not known is null. */
static void put_time(struct base_json *j, const char *key, double seconds)
{
    if (seconds < 0)
        base_json_text(j, key, NULL);
    else
        base_json_number(j, key, seconds);
}

void cli_jobs_json(const struct replay_jobs *jobs, struct base_json *j)
{
    base_json_open(j, "jobs", '[');
    for (size_t k = 0; k < replay_jobs_count(jobs); k++) {
        const struct replay_outcome *o = replay_jobs_outcome(jobs, k);
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", o->name);
        base_json_count(j, "ranks", o->ranks);
        base_json_flag(j, "background", o->traffic);
        base_json_number(j, "submitted_seconds", o->submitted);
        put_time(j, "start_seconds", o->begin);
        put_time(j, "end_seconds", o->end);
        put_time(j, "duration_seconds", o->end < 0 ? -1 : duration_of(o));
        if (o->alone > 0) {
            base_json_number(j, "alone_seconds", o->alone);
            base_json_number(j, "slowdown", duration_of(o) / o->alone);
        }
        base_json_close(j);
    }
    base_json_close(j);
}
