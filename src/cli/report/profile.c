/* SPDX-License-Identifier: BSD-3-Clause */
/* profile, diff: `pgasim profile TRACE` and `pgasim diff A B`: what report/ finds in traces, as text or
 * JSON. */
#include "cli/command.h"
#include "cli/options/options.h"
#include "report/report.h"

enum { TOP = 10 };

struct request {
    bool json;
    bool top_given;
    uint64_t top; /* 0: all */
};

CLI_FLAG(set_json, struct request, json)

static int set_top(void *ctx, const char *value, struct base_status *st)
{
    struct request *q = ctx;
    struct base_status why;
    if (base_parse_uint(value, &q->top, &why))
        return base_fail(st, "--top: %s", why.text);
    q->top_given = true;
    return 0;
}

static const struct cli_option table[] = {
    {"--json", NULL, "print a JSON object", set_json},
    {"--top", "N",
     "at most this many lines per table, or items per list; 0: all\n"
     "(default: 10 lines, all items)",
     set_top},
};

static const struct cli_options help_profile = {
    .usage = "pgasim profile [options] TRACE",
    .about =
        "Prints what happened in a run, from its trace (pgasim run --trace run.pgt): where simulated time\n"
        "went, who waited for whom, calls, collectives, links, the critical path, and what would speed the\n"
        "run up, at most by how much.",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 when the file cannot be read to its end: what could be read is printed.",
};

static const struct cli_options help_diff = {
    .usage = "pgasim diff [options] A B",
    .about = "Prints what got slower, or faster, from the run of trace A to that of trace B: on the critical "
             "path,\n"
             "whose differences add up to that of the runs, and over all ranks.",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 when a file cannot be read to its end: what could be read is compared.",
};

/* A status for what was read of a trace, with a warning about what was not. */
static int tell_damage(const struct report *r)
{
    if (r->damage)
        base_error("%s: %s; the figures cover only what comes before", r->path, r->damage);
    return r->damage ? BASE_EXIT_INPUT : BASE_EXIT_OK;
}

static int open_trace(struct report *r, const char *path)
{
    struct base_status st;
    if (!report_open(r, path, NULL, &st))
        return BASE_EXIT_OK;
    base_error("%s", st.text);
    return BASE_EXIT_INPUT;
}

static size_t top_of(const struct request *q)
{
    return q->top_given ? (size_t)q->top : q->json ? 0 : TOP;
}

static int profile(const struct request *q, const char *path)
{
    struct report r;
    int status = open_trace(&r, path);
    if (status)
        return status;
    status = tell_damage(&r);
    if (q->json)
        report_profile_json(&r, stdout, top_of(q));
    else
        report_profile_print(&r, stdout, top_of(q));
    report_close(&r);
    return status;
}

static int diff(const struct request *q, const char *a, const char *b)
{
    struct report r[2];
    int status = open_trace(&r[0], a);
    if (status)
        return status;
    status = open_trace(&r[1], b);
    if (!status) {
        status = tell_damage(&r[0]);
        status |= tell_damage(&r[1]);
        if (q->json)
            report_diff_json(&r[0], &r[1], stdout, top_of(q));
        else
            report_diff_print(&r[0], &r[1], stdout, top_of(q));
        report_close(&r[1]);
    }
    report_close(&r[0]);
    return status;
}

/* Reads the options; -1 when the command is to go on with the words from `*rest`, else its status. */
static int begin(const struct cli_options *help, struct request *q, int argc, char **args, int *rest)
{
    struct base_status st;
    switch (cli_options_read(help, q, argc, args, rest, &st)) {
    case CLI_READ_HELP:
        cli_options_help(help, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(help, st.text);
    case CLI_READ:
        break;
    }
    return -1;
}

int cli_profile(int argc, char **args)
{
    struct request q = {0};
    int rest = argc, status = begin(&help_profile, &q, argc, args, &rest);
    if (status >= 0)
        return status;
    if (rest + 1 != argc)
        return cli_options_refuse(&help_profile,
                                  rest == argc ? "no trace was named" : "one trace was expected");
    return profile(&q, args[rest]);
}

int cli_diff(int argc, char **args)
{
    struct request q = {0};
    int rest = argc, status = begin(&help_diff, &q, argc, args, &rest);
    if (status >= 0)
        return status;
    if (rest + 2 != argc)
        return cli_options_refuse(&help_diff, "two traces were expected");
    return diff(&q, args[rest], args[rest + 1]);
}
