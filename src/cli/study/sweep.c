/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep: `pgasim sweep`: a study of many runs, its results as a page, as CSV, or as lines of JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/places/places.h"
#include "sweep/sweep.h"

enum { JOBS_MOST = 4096, PICTURES_MOST = 1000000 };

struct request {
    struct sweep_request sweep;
    const char *output;
    bool points, dry_run, slurm, any; /* any: an option that is for running */
};

static struct request *request(void *ctx)
{
    return ctx;
}

CLI_TEXT(apply_database, struct request, sweep.database)
CLI_TEXT(apply_only, struct request, sweep.only)
CLI_TEXT(apply_output, struct request, output)
CLI_TEXT(apply_share, struct request, sweep.share)
CLI_FLAG(apply_points, struct request, points)
CLI_FLAG(apply_dry_run, struct request, dry_run)
CLI_FLAG(apply_slurm, struct request, slurm)
CLI_FLAG(apply_retry, struct request, sweep.retry_failed)
CLI_FLAG(apply_quiet, struct request, sweep.quiet)

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--jobs", value, JOBS_MOST, &request(ctx)->sweep.jobs, st);
}

static int apply_picture(void *ctx, const char *value, struct base_status *st)
{
    uint32_t number;
    if (cli_option_count("--picture", value, PICTURES_MOST, &number, st))
        return -1;
    request(ctx)->sweep.picture = number;
    return 0;
}

static int apply_memory(void *ctx, const char *value, struct base_status *st)
{
    struct base_status why;
    if (base_parse_size(value, &request(ctx)->sweep.memory, &why) || !request(ctx)->sweep.memory)
        return base_fail(st, "--memory %.80s: expected a size, as in 16GB", value);
    return 0;
}

static const struct cli_option table[] = {
    {"--points", NULL, "list the points and how each has ended; run nothing", apply_points},
    {"--dry-run", NULL, "print the commands of the points that would be run", apply_dry_run},
    {"--only", "CONDITION", "only points for which it holds: 'ranks <= 64 and point > 3'", apply_only},
    {"--retry-failed", NULL, "run points again that have failed", apply_retry},
    {"--jobs -j", "N", "runs at a time (default: the processors of this machine)", apply_jobs},
    {"--memory", "SIZE", "what runs may need together (default: 90% of what is free)", apply_memory},
    {"--slurm", NULL, "run by a job array of Slurm, as the study says", apply_slurm},
    {"--database", "FILE", "where results are kept (default: STUDY.db)", apply_database},
    {"--output -o", "FILE", "of plot, csv and jsonl (default: standard output)", apply_output},
    {"--picture", "N", "of plot: chart N alone, as SVG", apply_picture},
    {"--share", "FOLDER", "be a task of such a job array; --slurm calls this", apply_share},
    {"--quiet -q", NULL, "no progress and no last words", apply_quiet},
};

static const struct cli_options options = {
    .usage = "pgasim sweep [options] STUDY\n"
             "pgasim sweep plot|csv|jsonl [options] STUDY",
    .about = "Runs all points of a study: a file that says what varies, what is run, and what is kept. "
             "Results are\n"
             "in a database of SQLite, a row for each point: the same command goes on where it was ended, "
             "and runs\n"
             "what has changed. plot makes a page with charts; csv and jsonl write the rows (docs/sweep.md).",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 bad input; 4 the machine is at its limits, or a file could not be written;\n"
             "5 some point has failed; 128+S a signal ended it.",
};

/* --- what is done ----------------------------------------------------------------------------------- */

enum what { RUN, PLOT, CSV, JSONL };

static int put(const struct request *q, enum what what, FILE *out)
{
    return what == PLOT ? sweep_page(&q->sweep, out)
                        : sweep_export(&q->sweep, what == CSV ? SWEEP_CSV : SWEEP_JSONL, out);
}

static int write_results(const struct request *q, enum what what)
{
    struct base_output o;
    struct base_status st;
    if (base_output_open(&o, q->output ? q->output : "-", &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    int status = put(q, what, o.out);
    if (status) {
        base_output_discard(&o);
    } else if (base_output_commit(&o, &st)) {
        base_error("%s", st.text);
        status = BASE_EXIT_HOST;
    }
    return status;
}

static int check(const struct request *q, enum what what, struct base_status *st)
{
    const struct sweep_request *s = &q->sweep;
    if (!s->study)
        return base_fail(st, "the file of a study is missing");
    if (what == RUN && q->output)
        return base_fail(st, "--output is for plot, csv and jsonl: the results of runs are in the database");
    if (what != RUN && (q->points || q->dry_run || q->slurm || s->share || s->retry_failed || s->only))
        return base_fail(
            st, "plot, csv and jsonl show what has been run: expected --database and --output alone");
    if (what != PLOT && s->picture)
        return base_fail(st, "--picture is for plot");
    if (q->points + q->dry_run + q->slurm + (s->share != NULL) > 1)
        return base_fail(st, "expected one of --points, --dry-run, --slurm and --share");
    return 0;
}

static int carry_out(struct request *q, enum what what)
{
    struct base_status st;
    struct cli_places places;
    char *self = realpath("/proc/self/exe", NULL);
    if (check(q, what, &st)) {
        free(self);
        return cli_options_refuse(&options, st.text);
    }
    if (!self || cli_places_find(&places, &st))
        base_fatal(BASE_EXIT_HOST, "cannot find out where pgasim is");
    q->sweep.self = self;
    q->sweep.library = places.library;
    int status = what != RUN               ? write_results(q, what)
                 : q->points || q->dry_run ? sweep_list(&q->sweep, q->dry_run, stdout)
                 : q->slurm                ? sweep_slurm(&q->sweep)
                                           : sweep_run(&q->sweep);
    cli_places_release(&places);
    free(self);
    return status;
}

/* Options may stand before and behind the study. */
static enum cli_read read_words(struct request *q, int argc, char **args, struct base_status *st)
{
    int at = 0;
    while (at < argc - 1) {
        int rest;
        enum cli_read got = cli_options_read(&options, q, argc - at, args + at, &rest, st);
        if (got != CLI_READ)
            return got;
        at += rest;
        if (at < argc && q->sweep.study) {
            (void)base_fail(st, "'%.80s': expected one study", args[at]);
            return CLI_READ_FAILED;
        }
        q->sweep.study = at < argc ? args[at] : q->sweep.study;
    }
    return CLI_READ;
}

int cli_sweep(int argc, char **args)
{
    static const char *const names[] = {[PLOT] = "plot", [CSV] = "csv", [JSONL] = "jsonl"};
    struct request q = {.sweep.jobs = cli_cores()};
    struct base_status st;
    enum what what = RUN;
    for (int k = PLOT; argc > 1 && k <= JSONL; k++)
        if (!strcmp(args[1], names[k]))
            what = (enum what)k;
    int skip = what != RUN;
    switch (read_words(&q, argc - skip, args + skip, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&options, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(&options, st.text);
    default:
        return carry_out(&q, what);
    }
}
