/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: `pgasim tune`. Its command line is that of `pgasim run` with more options. With a program,
 * what the program calls is tuned; without one, what the options name.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/tune/tune.h"
#include "mpi/mpi_front.h"

enum { WORKERS_MOST = 1024, TIMES_MOST = 1000 };
static const uint64_t events_most = 100000000;

/* --- options -------------------------------------------------------------------------------------- */

static struct tune_request *request(void *ctx)
{
    return ctx;
}

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    struct tune_request *q = request(ctx);
    q->ranks.n = 0;
    for (const char *p = value;; p++) {
        char word[16] = "";
        uint64_t n;
        size_t length = strcspn(p, ",");
        if (length < sizeof word)
            memcpy(word, p, length);
        if (base_parse_uint(word, &n, NULL) || n < 2 || n > UINT32_MAX)
            return base_fail(st, "-np %.80s: expected numbers of ranks from 2 on, such as 16,64,256", value);
        BASE_ARRAY_PUSH(&q->ranks, (uint32_t)n);
        p += length;
        if (!*p)
            break;
    }
    q->run.parts.at[q->run.parts.n - 1].ranks = q->ranks.at[0];
    return 0;
}

static int apply_ops(void *ctx, const char *value, struct base_status *st)
{
    struct tune_space probe;
    tune_space_init(&probe);
    struct base_status why;
    int rc = tune_space_ops(&probe, value, &why) ? base_fail(st, "--op: %s", why.text) : 0;
    tune_space_release(&probe);
    request(ctx)->ops = value;
    return rc;
}

static int apply_sizes(void *ctx, const char *value, struct base_status *st)
{
    struct tune_space probe;
    tune_space_init(&probe);
    struct base_status why;
    int rc = tune_space_sizes(&probe, value, &why) ? base_fail(st, "--sizes: %s", why.text) : 0;
    tune_space_release(&probe);
    request(ctx)->sizes = value;
    return rc;
}

static int apply_shapes(void *ctx, const char *value, struct base_status *st)
{
    struct base_status why;
    request(ctx)->shapes = value;
    return tune_shapes_check(value, &why) ? base_fail(st, "--shapes: %s", why.text) : 0;
}

CLI_FLAG(apply_one_sided, struct tune_request, one_sided)
CLI_FLAG(apply_whole, struct tune_request, whole)

static int apply_budget(void *ctx, const char *value, struct base_status *st)
{
    double minutes;
    if (base_parse_double(value, &minutes, NULL) || !(minutes > 0 && minutes <= 1e7))
        return base_fail(st, "--budget %.80s: expected a number of minutes above 0", value);
    request(ctx)->budget = 60 * minutes;
    return 0;
}

static int apply_skew(void *ctx, const char *value, struct base_status *st)
{
    if (base_parse_time(value, &request(ctx)->skew, NULL) || !(request(ctx)->skew >= 0))
        return base_fail(st, "--skew %.80s: expected a time such as 10us", value);
    return 0;
}

static int apply_seed(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_number("--seed", value, 1, UINT64_MAX, &request(ctx)->seed, st);
}

static int apply_events(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_number("--events", value, 1, UINT64_MAX, &request(ctx)->events, st);
}

static int apply_times(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--times", value, TIMES_MOST, &request(ctx)->times, st);
}

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--jobs", value, WORKERS_MOST, &request(ctx)->workers, st);
}

CLI_TEXT(apply_journal, struct tune_request, journal)

static int apply_form(void *ctx, const char *value, struct base_status *st)
{
    struct base_status why;
    return tune_form_find(value, &request(ctx)->form, &why) ? base_fail(st, "--form: %s", why.text) : 0;
}

CLI_TEXT(apply_output, struct tune_request, output)
CLI_TEXT(apply_csv, struct tune_request, csv)
CLI_TEXT(apply_page, struct tune_request, page)

static const struct cli_option table[] = {
    {"-np -n", "LIST", "numbers of ranks: 16,64,256", apply_ranks},
    {"--op", "LIST", "operations, by MPI's names in lower case (default: all)", apply_ops},
    {"--sizes", "LIST",
     "bytes of a rank's data, or of one part: 8:1MiB (default), with\nthe powers of two "
     "between, or 100,2000",
     apply_sizes},
    {"--shapes", "LIST",
     "graphs of operations on neighbours: grid-2d, grid-3d, moore-2d,\nmoore-3d, random-D "
     "(default: all, D = 16)",
     apply_shapes},
    {"--one-sided", NULL, "messages are puts, as OpenSHMEM's (default: as MPI's)", apply_one_sided},
    {"--times", "N", "time N collectives in a row (default: 1)", apply_times},
    {"--skew", "TIME", "ranks begin at random times up to this (default: 0)", apply_skew},
    {"--seed", "N", "of those times (default: 1)", apply_seed},
    {"--budget", "MINUTES", "stop after so many minutes of this machine", apply_budget},
    {"--events", "N", "give up what takes more events (default: 100000000)", apply_events},
    {"--jobs -j", "N", "processes (default: one for each core)", apply_jobs},
    {"--whole", NULL, "try everything everywhere, not only what is promising", apply_whole},
    {"--journal", "FILE", "keep all results in this file, and use those in it", apply_journal},
    {"--output -o", "FILE", "write the choices for a library (-: to stdout)", apply_output},
    {"--form", "NAME",
     "whose: pgasim (default: a selector of ours), ompi,\nompi-json or mpich; only its algorithms "
     "are "
     "tried",
     apply_form},
    {"--csv", "FILE", "write the table as CSV (-: to stdout)", apply_csv},
    {"--page", "FILE", "write a page for the browser with maps of the best algorithms", apply_page},
};

/* -np is also for the run of a program. */
static bool is_own(const struct cli_option *opt)
{
    return opt > table && opt < table + BASE_LENGTH(table);
}

static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    request(ctx)->any = request(ctx)->run.partial = true;
    run_options_table.used(ctx, opt, word);
}

static struct cli_options options_of(bool reads)
{
    return (struct cli_options){
        .usage = "pgasim tune --platform FILE -np LIST [options]\n"
                 "pgasim tune [options] [options of pgasim run] program [arguments]",
        .about =
            "Finds the best algorithm, radix and segment of each collective operation on a platform, for "
            "each\nnumber of ranks and size, by simulating the collectives alone. With a program: runs it "
            "once, and\ntunes what it calls.",
        .option = table,
        .n = BASE_LENGTH(table),
        .also = reads ? &run_options_table : NULL,
        .own = run_options_table.own,
        .used = note,
        .outer = is_own,
        .notes =
            "--platform, -ppn, --hostfile and --set are as in pgasim run. The default that gains refer to "
            "is what\nthe settings choose: --set coll/OPERATION=NAME.\n\n"
            "exit status: 0; 2 bad input; 4 the machine is at its limits, or a file could not be written.",
    };
}

/* --- the command ------------------------------------------------------------------------------------ */

static int check_request(const struct tune_request *q, struct base_status *st)
{
    const struct base_file_use files[] = {{"--platform", q->run.platform, false},
                                          {"--hostfile", q->run.hostfile, false},
                                          {"--journal", q->journal, true},
                                          {"--output", q->output, true},
                                          {"--csv", q->csv, true},
                                          {"--page", q->page, true}};
    if (q->run.parts.n > 1)
        return base_fail(st, "one program is tuned, not several with ':' between them");
    if (q->run.program && (q->ops || q->sizes || q->shapes || q->ranks.n > 1))
        return base_fail(st, "%s: the program decides what is tuned",
                         q->ops      ? "--op"
                         : q->sizes  ? "--sizes"
                         : q->shapes ? "--shapes"
                                     : "-np with several numbers");
    if (!q->run.program && !q->ranks.n)
        return base_fail(st, "the numbers of ranks are missing: -np LIST, or a program");
    return base_files_distinct(files, BASE_LENGTH(files), st);
}

static int tune_it(const struct tune_request *q, struct tune_uses *u)
{
    struct tune_space s;
    struct tune_table t = {0};
    struct base_status st;
    int status = BASE_EXIT_INPUT;
    tune_space_init(&s);
    tune_register();
    mpi_register(); /* for operations between groups */
    tune_on_between(mpi_between);
    if (tune_make_space(&s, q, u, &st) || tune_search(&s, &t, &st)) {
        base_error("%s", st.text);
    } else {
        if (s.progress)
            fputs("\033[K", stderr);
        bool taken = (q->csv && !strcmp(q->csv, "-")) || (q->output && !strcmp(q->output, "-"));
        FILE *out = taken ? stderr : stdout;
        if (u && !q->run.quiet)
            tune_show_program(&s, &t, u, out);
        else if (!q->run.quiet)
            tune_show(&s, &t, out);
        status = BASE_EXIT_OK;
        if (tune_write_files(&s, &t, q, &st)) {
            base_error("%s", st.text);
            status = BASE_EXIT_HOST;
        }
    }
    tune_table_release(&t);
    if (s.stage.platform)
        platform_destroy(s.stage.platform);
    base_settings_destroy(s.stage.settings);
    tune_space_release(&s);
    return status;
}

static int carry_out(const struct tune_request *q, const struct cli_options *o, int argc, char **args)
{
    struct base_status st;
    struct tune_uses u = {0};
    if (check_request(q, &st))
        return cli_options_refuse(o, st.text);
    if (!q->run.program)
        return tune_it(q, NULL);
    char **words = run_parts_inner(o, &q->run, argc, args);
    int n = 0;
    while (words[n])
        n++;
    int rc = tune_program(n, words, &u, &st);
    free(words);
    if (rc)
        base_error("%s", st.text);
    int status = rc ? u.status ? u.status : BASE_EXIT_INPUT : BASE_EXIT_OK;
    if (!rc)
        status = tune_it(q, &u);
    tune_uses_release(&u);
    return status;
}

int cli_tune(int argc, char **args)
{
    struct tune_request q = {.seed = 1, .times = 1, .budget = INFINITY, .events = events_most};
    const struct cli_options o = options_of(true), help = options_of(false);
    struct base_status st;
    int status = BASE_EXIT_OK;
    switch (run_options_read_by(&o, &q.run, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&o, q.any ? st.text
                                              : "the numbers of ranks are missing: -np LIST, or a program");
        break;
    case CLI_READ:
        status = carry_out(&q, &o, argc, args);
        break;
    }
    run_options_release(&q.run);
    free(q.ranks.at);
    return status;
}
