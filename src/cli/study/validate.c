/* SPDX-License-Identifier: BSD-3-Clause */
/* validate: `pgasim validate`: programs run really and simulated, and how far predictions are off. */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/places/places.h"
#include "sweep/validate/validate.h"

enum { JOBS_MOST = 4096, FILES = 3 };

struct request {
    struct validate_request validate;
    const char *json, *csv, *page;
};

static struct request *request(void *ctx)
{
    return ctx;
}

CLI_TEXT(apply_database, struct request, validate.database)
CLI_TEXT(apply_only, struct request, validate.only)
CLI_TEXT(apply_against, struct request, validate.against)
CLI_TEXT(apply_json, struct request, json)
CLI_TEXT(apply_csv, struct request, csv)
CLI_TEXT(apply_page, struct request, page)
CLI_FLAG(apply_simulate_only, struct request, validate.simulate_only)
CLI_FLAG(apply_retry, struct request, validate.retry_failed)
CLI_FLAG(apply_dry_run, struct request, validate.dry_run)
CLI_FLAG(apply_quiet, struct request, validate.quiet)

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--jobs", value, JOBS_MOST, &request(ctx)->validate.jobs, st);
}

static const struct cli_option table[] = {
    {"--simulate-only", NULL, "run nothing really: compare with the measurements that\nthere are",
     apply_simulate_only},
    {"--against", "FILE",
     "which predictions are worse than those in an earlier\ndatabase (or in this one, of an earlier version)",
     apply_against},
    {"--only", "CONDITION", "only cases for which it holds: 'ranks <= 8'", apply_only},
    {"--report", "FILE", "write a page with charts", apply_page},
    {"--json", "FILE", "write all results as JSON", apply_json},
    {"--csv", "FILE", "write the cases as CSV", apply_csv},
    {"--retry-failed", NULL, "run again what has failed, or was void", apply_retry},
    {"--dry-run", NULL, "print the commands of the first runs; run nothing", apply_dry_run},
    {"--jobs -j", "N",
     "simulated runs at a time (default: the processors of\nthis machine); real ones go one by one",
     apply_jobs},
    {"--database", "FILE", "where results are kept (default: named after the file)", apply_database},
    {"--quiet -q", NULL, "no progress", apply_quiet},
};

static const struct cli_options options = {
    .usage = "pgasim validate [options] FILE",
    .about =
        "Runs programs with a real MPI and simulated, as a file says, and compares the times: errors for "
        "each\n"
        "program, size and platform, by program and of all. Results are in a database of SQLite: the same\n"
        "command goes on where it was ended, and measures nothing twice (docs/validate.md).",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes =
        "exit status: 0; 1 errors beyond the file's target, or with --against a prediction is worse;\n"
        "2 bad input; 4 the machine is at its limits, or a file could not be written; 5 a case could not\n"
        "be compared; 128+S a signal ended it.",
};

/* Files that are wanted, opened before anything is run. */
struct outputs {
    const char *path[FILES];
    FILE **to[FILES];
    struct base_output out[FILES];
    int open;
};

static int open_outputs(struct outputs *o, struct base_status *st)
{
    const struct base_file_use use[FILES] = {
        {"--json", o->path[0], true}, {"--csv", o->path[1], true}, {"--report", o->path[2], true}};
    if (base_files_distinct(use, FILES, st))
        return -1;
    for (o->open = 0; o->open < FILES; o->open++) {
        if (!o->path[o->open])
            continue;
        if (base_output_open(&o->out[o->open], o->path[o->open], st))
            return -1;
        *o->to[o->open] = o->out[o->open].out;
    }
    return 0;
}

/* `keep`: they have been written. Returns 0, or -1 with st. */
static int close_outputs(struct outputs *o, bool keep, struct base_status *st)
{
    int rc = 0;
    for (int k = 0; k < o->open; k++) {
        if (!o->path[k])
            continue;
        if (!keep)
            base_output_discard(&o->out[k]);
        else if (base_output_commit(&o->out[k], rc ? NULL : st))
            rc = -1;
    }
    return rc;
}

static int run(struct request *q)
{
    struct outputs o = {.path = {q->json, q->csv, q->page},
                        .to = {&q->validate.json, &q->validate.csv, &q->validate.page}};
    struct base_status st, ignored;
    if (open_outputs(&o, &st)) {
        (void)close_outputs(&o, false, &ignored);
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    bool stdout_taken = false;
    for (int k = 0; k < FILES; k++)
        stdout_taken |= o.path[k] && !strcmp(o.path[k], "-");
    q->validate.table = stdout_taken ? stderr : stdout;
    int status = validate_run(&q->validate);
    bool written = (status == BASE_EXIT_OK || status == VALIDATE_FAR || status == BASE_EXIT_PROGRAM) &&
                   !q->validate.dry_run;
    if (close_outputs(&o, written, &st)) {
        base_error("%s", st.text);
        status = BASE_EXIT_HOST;
    }
    return status;
}

static int carry_out(struct request *q)
{
    struct base_status st;
    struct cli_places places;
    char *self = realpath("/proc/self/exe", NULL);
    if (!self || cli_places_find(&places, &st))
        base_fatal(BASE_EXIT_HOST, "cannot find out where pgasim is");
    q->validate.self = self;
    q->validate.library = places.library;
    q->validate.version = pgasim_version;
    int status = run(q);
    cli_places_release(&places);
    free(self);
    return status;
}

/* Options may stand before and behind the file. */
static enum cli_read read_words(struct request *q, int argc, char **args, struct base_status *st)
{
    int at = 0;
    while (at < argc - 1) {
        int rest;
        enum cli_read got = cli_options_read(&options, q, argc - at, args + at, &rest, st);
        if (got != CLI_READ)
            return got;
        at += rest;
        if (at < argc && q->validate.file) {
            (void)base_fail(st, "'%.80s': expected one file", args[at]);
            return CLI_READ_FAILED;
        }
        q->validate.file = at < argc ? args[at] : q->validate.file;
    }
    if (q->validate.file)
        return CLI_READ;
    (void)base_fail(st, "the file of a validation is missing");
    return CLI_READ_FAILED;
}

int cli_validate(int argc, char **args)
{
    struct request q = {.validate.jobs = cli_cores()};
    struct base_status st;
    switch (read_words(&q, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&options, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(&options, st.text);
    default:
        return carry_out(&q);
    }
}
