/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: `pgasim replay`. Its command line is that of `pgasim run` with a trace in place of the program; its
 * ranks are players (replay/), and so are its figures.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "cli/command.h"
#include "cli/replay/jobs.h"

struct request {
    struct run run;      /* first */
    const char *refused; /* an option of `pgasim run` that says nothing about a trace */
    const char *trace;
    struct replay_trace *played;
    const char *list; /* of jobs, in place of a trace */
    struct replay_jobs *jobs;
    BASE_ARRAY(const char *) job_traces;
    bool alone;
    const char *extrapolate; /* to so many ranks */
    bool strong;
    bool typical;
    const char *measured; /* where to the recorded run goes */
    struct replay_counts counts;
};

static struct request *request(void *ctx)
{
    return ctx;
}

/* --- options -------------------------------------------------------------------------------------------- */

static int apply_scale(void *ctx, const char *value, struct base_status *st)
{
    double scale;
    char *text;
    if (base_parse_double(value, &scale, st) || !(scale >= 0 && scale <= 1e12))
        return base_fail(st, "--compute-scale %s: expected a factor from 0 to 1e12", value);
    text = base_strfmt("replay/compute-scale=%s", value);
    BASE_ARRAY_PUSH(&request(ctx)->run.options.joined, text); /* which frees it */
    BASE_ARRAY_PUSH(&request(ctx)->run.options.sets, text);
    return 0;
}

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    request(ctx)->list = value;
    request(ctx)->run.options.partial = true; /* there is no trace */
    return 0;
}

static int apply_job_trace(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    BASE_ARRAY_PUSH(&request(ctx)->job_traces, value);
    return 0;
}
CLI_FLAG(apply_alone, struct request, alone)
CLI_TEXT(apply_extrapolate, struct request, extrapolate)
CLI_FLAG(apply_typical, struct request, typical)
CLI_TEXT(apply_measured, struct request, measured)

static int apply_scaling(void *ctx, const char *value, struct base_status *st)
{
    request(ctx)->strong = !strcmp(value, "strong");
    return request(ctx)->strong || !strcmp(value, "weak")
               ? 0
               : base_fail(st, "--extrapolate-scaling %.80s: expected weak or strong", value);
}

static const struct cli_option table[] = {
    {"--compute-scale", "FACTOR", "multiply all computations, as for another compiler or cores", apply_scale},
    {"--compute-typical", NULL,
     "play computations as is typical where they are: the median of\nall ranks and times", apply_typical},
    {"--measured", "FILE",
     "also write the recorded run itself, as a trace to compare the\nreplay's with (pgasim diff)",
     apply_measured},
    {"--jobs", "FILE", "play several jobs at once: a list in JSON, or a workload in SWF\n(docs/replay.md)",
     apply_jobs},
    {"--job-trace", "[NUMBER=]TRACE",
     "the trace of SWF's jobs, or of those of executable NUMBER;\n%n is the job's number of processors",
     apply_job_trace},
    {"--extrapolate", "N",
     "play a regular trace as one of N ranks, or of a grid of ranks:\n8x8; what is assumed is printed",
     apply_extrapolate},
    {"--extrapolate-scaling", "HOW",
     "weak: each rank does what it did (default); strong: the same\nproblem on more ranks", apply_scaling},
    {"--alone", NULL, "play each job also without the others, and show its slowdown", apply_alone},
};

static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    static const char *const refused[] = {
        "--privatize", "--leaks", "--heap-guard", "--jobs -j", "--compute", "--alone",
        "--check",     "--sarif", "--record-ti",  "--seed",    "-x"};
    for (size_t k = 0; k < BASE_LENGTH(table); k++)
        if (opt == &table[k])
            return;
    for (size_t k = 0; k < BASE_LENGTH(refused); k++)
        if (!strcmp(opt->names, refused[k]))
            request(ctx)->refused = refused[k];
    run_options_table.used(ctx, opt, word);
}

static void own(void *ctx, char *text)
{
    run_options_table.own(ctx, text);
}

static struct cli_options options_of(bool reads)
{
    return (struct cli_options){
        .usage = "pgasim replay [-np N] [options] trace\n"
                 "pgasim replay --jobs FILE [options]",
        .about =
            "Plays the trace of a parallel program on a simulated platform, without the program: SMPI's\n"
            "time-independent traces, one file or a list of files; traces of calls (pgasim run --record-ti,\n"
            "pgasim record), also within a .pgt; those of OTF2, DUMPI and liballprof; schedules in GOAL, as "
            "text\n"
            "or in LogGOPSim's binary form. Files may be compressed by gzip or zstd.",
        .option = table,
        .n = BASE_LENGTH(table),
        .also = reads ? &run_options_table : NULL,
        .own = own,
        .used = note,
        .notes =
            "The options of pgasim run that concern the platform, ranks, settings and traces mean the same\n"
            "here. -np may be left out: a trace says how many ranks it has.\n\n"
            "exit status: 0; 2 bad input, 3 deadlock, 4 the machine is at its limits, 6 a host or link\n"
            "failed.",
    };
}

/* --- the job -------------------------------------------------------------------------------------------- */

/* In place of a trace, the list is what is started. */
static int prepare_jobs(struct request *q, struct base_status *st)
{
    struct run_options *o = &q->run.options;
    static char *words[2];
    if (o->parts.n > 1 || o->parts.at[0].program[0])
        return base_fail(st, "%s: --jobs names the traces in its file",
                         o->parts.n > 1 ? ":" : o->parts.at[0].program[0]);
    if (q->extrapolate || q->typical || q->measured)
        return base_fail(st, "%s is for one trace: expected no --jobs",
                         q->extrapolate ? "--extrapolate"
                         : q->typical   ? "--compute-typical"
                                        : "--measured");
    if (o->parts.at[0].ranks > 1 || o->rankfile || o->per_host || o->by_host || o->parts.at[0].hosts)
        return base_fail(
            st,
            "--jobs: the list says how many ranks there are, and where: expected no -np, -host, -rankfile, "
            "--map-by or --npernode");
    if (!o->platform)
        return base_fail(st, "--jobs: jobs share a platform: -platform FILE");
    q->jobs = replay_jobs_read(q->list, q->job_traces.at, q->job_traces.n, st);
    if (!q->jobs)
        return -1;
    words[0] = (char *)(uintptr_t)q->list;
    o->parts.at[0].program = o->program = words;
    return 0;
}

static void tell(const struct request *q, char *assumptions)
{
    for (char *line = assumptions, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!q->run.options.quiet)
            base_info("%.*s", (int)(end - line), line);
    }
    free(assumptions);
}

/* What is played is not as it was recorded. */
static int change(struct request *q, struct base_status *st)
{
    char *assumptions;
    if (q->typical) {
        if (replay_trace_typical(q->played, q->trace, REPLAY_MEDIAN, &assumptions, st))
            return -1;
        tell(q, assumptions);
    }
    if (q->extrapolate) {
        if (replay_trace_extrapolate(q->played, q->trace, q->extrapolate, q->strong, &assumptions, st))
            return -1;
        tell(q, assumptions);
    }
    return 0;
}

static int write_measured(const struct request *q, struct base_status *st)
{
    const struct run_options *o = &q->run.options;
    struct base_file_use files[] = {{"--measured", q->measured, true}, {"the trace", q->trace, false}};
    if (base_files_distinct(files, BASE_LENGTH(files), st))
        return -1;
    for (size_t k = 0; k < o->traces.n; k++) {
        files[1] = (struct base_file_use){"--trace", o->traces.at[k], true};
        if (base_files_distinct(files, BASE_LENGTH(files), st))
            return -1;
    }
    return replay_measured_write(q->trace, (uint32_t)o->ranks, q->measured, NULL, st);
}

/* The trace is read first: it says how many ranks are to be placed. */
static int prepare(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    struct run_part *part = &r->options.parts.at[0];
    r->options.compute = RANK_COMPUTE_OFF;
    if (q->refused)
        return base_fail(st, "%s is an option for programs (pgasim run)", q->refused);
    if (q->list)
        return prepare_jobs(q, st);
    if (q->strong && !q->extrapolate)
        return base_fail(st, "--extrapolate-scaling: expected --extrapolate N, too");
    if (q->alone || q->job_traces.n)
        return base_fail(st, "%s: for several jobs: --jobs FILE", q->alone ? "--alone" : "--job-trace");
    if (r->options.parts.n > 1 || part->program[1])
        return base_fail(st, "%s: expected one trace", part->program[1] ? part->program[1] : ":");
    q->trace = part->program[0];
    q->played = replay_trace_read(q->trace, (uint32_t)r->options.ranks, st);
    if (!q->played || change(q, st) || (q->measured && write_measured(q, st)))
        return -1;
    r->options.ranks = part->ranks = replay_trace_initial(q->played);
    return 0;
}

static int place(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    uint32_t ranks;
    if (!q->jobs)
        return run_place_by_options(r, st);
    if (replay_jobs_place(q->jobs, r->platform, r->options.hostfile, st))
        return -1;
    const uint32_t *hosts = replay_jobs_hosts(q->jobs, &ranks);
    r->rank_host = base_alloc(ranks * sizeof *r->rank_host, "hosts of the ranks");
    memcpy(r->rank_host, hosts, ranks * sizeof *r->rank_host);
    r->options.ranks = r->options.parts.at[0].ranks = ranks;
    return 0;
}

static uint32_t later(const struct run *r)
{
    const struct request *q = (const struct request *)(const void *)r;
    return q->jobs ? replay_jobs_later(q->jobs) : replay_trace_started(q->played);
}

static int load(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    if (!q->jobs)
        return replay_attach(r->job, q->played, q->trace, st);
    if (replay_jobs_check(r->job, st))
        return -1;
    replay_attach_jobs(r->job, q->jobs);
    return 0;
}

static int after(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    if (!q->jobs)
        return 0;
    if (q->alone && r->figures.whole && cli_jobs_alone(r, q->jobs, st))
        return -1;
    cli_jobs_tell(r, q->jobs);
    return 0;
}

static void figures(struct run *r, struct rank_job *job)
{
    ((struct request *)(void *)r)->counts = replay_counts(job);
}

static void release(struct run *r)
{
    struct request *q = (struct request *)(void *)r;
    replay_trace_release(q->played);
    replay_jobs_release(q->jobs);
    free(q->job_traces.at);
}

/* --- figures -------------------------------------------------------------------------------------------- */

static void summary(const struct run *r, FILE *out)
{
    const struct request *q = (const struct request *)(const void *)r;
    const struct replay_counts *c = &q->counts;
    char count[32], rate[32], peak[32];
    fprintf(out, "pgasim:   trace: %s actions played, %s a second here\n",
            base_show_count(count, (double)c->actions),
            base_show_count(rate, r->figures.wall > 0 ? (double)c->actions / r->figures.wall : 0));
    if (c->events)
        fprintf(out, "pgasim:   LogGP model: %s events\n", base_show_count(count, (double)c->events));
    const char *separator = "pgasim:   of these: ";
    base_print_kind(out, &separator, "messages", c->messages, 0);
    base_print_kind(out, &separator, "collectives", c->collectives, 0);
    base_print_kind(out, &separator, "calls", c->calls, 0);
    base_print_kind(out, &separator, "computations", c->computations, 0);
    if (c->messages + c->collectives + c->calls + c->computations)
        fputc('\n', out);
    if (c->sourced)
        fprintf(out,
                "pgasim:   assumed: %s receives and probes from any source get whom they got in the recorded "
                "run\n",
                base_show_count(count, (double)c->sourced));
    if (c->caused)
        fprintf(out,
                "pgasim:   assumed: %s waits for values end by the operations that ended them in the "
                "recorded run\n",
                base_show_count(count, (double)c->caused));
    if (c->woken)
        fprintf(out,
                "pgasim:   assumed: %s waits for threads or files end when who ended them in the recorded "
                "run comes there\n",
                base_show_count(count, (double)c->woken));
    if (c->assumed)
        fprintf(out,
                "pgasim:   assumed: %s tests repeated and requests waited for, to complete what the recorded "
                "run did\n",
                base_show_count(count, (double)c->assumed));
    if (c->passed)
        fprintf(out, "pgasim:   passed: %s waits and tests of requests that were complete before\n",
                base_show_count(count, (double)c->passed));
    if (q->jobs)
        cli_jobs_show(q->jobs, out);
    fprintf(out, "pgasim:   memory: %s at its peak\n", base_show_size(peak, (double)r->figures.peak_memory));
}

static void put_json(const struct run *r, struct base_json *j)
{
    const struct request *q = (const struct request *)(const void *)r;
    const struct replay_counts *c = &q->counts;
    base_json_open(j, "replay", '{');
    base_json_count(j, "actions", c->actions);
    base_json_count(j, "messages", c->messages);
    base_json_count(j, "collectives", c->collectives);
    base_json_count(j, "calls", c->calls);
    base_json_count(j, "computations", c->computations);
    base_json_count(j, "assumed", c->assumed);
    base_json_count(j, "sourced", c->sourced);
    base_json_count(j, "caused", c->caused);
    base_json_count(j, "woken", c->woken);
    base_json_count(j, "passed", c->passed);
    if (c->events)
        base_json_count(j, "loggp_events", c->events);
    base_json_close(j);
    if (q->jobs)
        cli_jobs_json(q->jobs, j);
}

static const struct run_kind players = {.check = prepare,
                                        .place = place,
                                        .later = later,
                                        .load = load,
                                        .after = after,
                                        .figures = figures,
                                        .summary = summary,
                                        .json = put_json,
                                        .release = release};

int cli_replay(int argc, char **args)
{
    static struct request q;
    const struct cli_options reads = options_of(true), help = options_of(false);
    q = (struct request){.run.kind = &players};
    return run_command(&q.run, &reads, &help, argc, args);
}
