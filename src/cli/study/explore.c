/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explore: `pgasim explore`. Its command line is that of `pgasim run` with more options; the words
 * that are not its own go to the runs.
 */
#include "cli/study/study.h"
#include "cli/places/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/command.h"
#include "cli/platform/platform.h"

enum { PROCESSES_MOST = 1024, SEARCH_MOST = 1000000, TIMEOUT = 600 };

/* --- options -------------------------------------------------------------------------------------- */

static struct study_request *request(void *ctx)
{
    return ctx;
}

CLI_TEXT(apply_platform, struct study_request, run.platform)
CLI_TEXT(apply_servers, struct study_request, words.servers)
CLI_TEXT(apply_roles, struct study_request, words.roles)
CLI_TEXT(apply_hosts, struct study_request, words.hosts)

static int apply_per_host(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--per-host", value, DEPLOY_PROCESSES, &request(ctx)->per_host, st);
}

CLI_TEXT(apply_serve, struct study_request, words.serve)

static int apply_protocols(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    BASE_ARRAY_PUSH(&request(ctx)->protocols, value);
    return 0;
}

CLI_FLAG(apply_distinct, struct study_request, words.distinct)
CLI_FLAG(apply_grid, struct study_request, grid)

static int apply_search(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--search", value, SEARCH_MOST, &request(ctx)->search, st);
}

static int apply_seed(void *ctx, const char *value, struct base_status *st)
{
    struct base_status why;
    return base_parse_uint(value, &request(ctx)->seed, &why) ? base_fail(st, "--seed: %s", why.text) : 0;
}

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--jobs", value, PROCESSES_MOST, &request(ctx)->jobs, st);
}

static int apply_timeout(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_seconds("--timeout", value, &request(ctx)->timeout, st);
}

CLI_TEXT(apply_table, struct study_request, table)
CLI_TEXT(apply_svg, struct study_request, svg)
CLI_TEXT(apply_json, struct study_request, json)
CLI_TEXT(apply_output, struct study_request, output)

static const struct cli_option table[] = {
    {"--platform", "FILE", "the simulated platform, in SimGrid's XML", apply_platform},
    {"--servers", "N[-M]", "how many servers (default: 1)", apply_servers},
    {"--roles", "LIST", "how many clients of each role: \"1:1 2:2-8 3:1\"\n(default: 1:1)", apply_roles},
    {"--hosts", "LIST",
     "the hosts of all processes, or of those of a role:\n\"i7-* 3:a15-0,a15-1\"; role 0: servers (default: "
     "all)",
     apply_hosts},
    {"--per-host", "N", "processes that a host may run (default: one for each core)", apply_per_host},
    {"--serve", "LIST", "who serves whom: any (default), or some of blocks,\nround-robin, nearest",
     apply_serve},
    {"--protocols", "[ASKED=]LIST",
     "protocols in place of the one that the program asks for:\nhome-mesi=home-mesi,update; may be repeated "
     "(default for\nASKED: home-lazy, the one of programs that name none)",
     apply_protocols},
    {"--distinct", NULL, "clients of a role differ: their order matters", apply_distinct},
    {"--grid", NULL, "run every configuration", apply_grid},
    {"--search", "N",
     "search, with N configurations at most (default: all if there\nare up to 256, otherwise a search with "
     "256)",
     apply_search},
    {"--seed", "N", "of the search (default: 1)", apply_seed},
    {"--jobs -j", "N", "runs at a time (default: one for each core)", apply_jobs},
    {"--timeout", "S", "a run that takes longer has failed (default: 10m)", apply_timeout},
    {"--table", "FILE", "keep the results in this CSV file, and use those in it", apply_table},
    {"--svg", "FILE", "draw time and energy of all configurations", apply_svg},
    {"--json", "FILE", "write the results as JSON to FILE (-: to stdout)", apply_json},
    {"--output -o", "FOLDER", "write topology and rankfile of each of the front", apply_output},
};

static bool is_own(const struct cli_option *opt)
{
    return opt >= table && opt < table + BASE_LENGTH(table);
}

/* Options that belong to one run, or that say what is explored here. The first name is compared. */
static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    static const char *const places[] = {"-np",  "--hostfile", "--map-by", "-host", "-rankfile",
                                         "-ppn", "-pernode",   "-bynode",  "--app"};
    static const char *const single[] = {"--check", "--trace", "--gdb",   "--lldb",    "--wrapper",
                                         "--alone", "--core",  "--sarif", "--stop-at", "--self-profile"};
    struct study_request *q = ctx;
    size_t n = strcspn(opt->names, " ");
    q->any = q->run.partial = true;
    for (size_t k = 0; k < BASE_LENGTH(places); k++)
        if (strlen(places[k]) == n && !memcmp(places[k], opt->names, n)) {
            q->refused = places[k];
            q->why = "is what is explored: see --servers, --roles and --hosts";
        }
    for (size_t k = 0; k < BASE_LENGTH(single); k++)
        if (strlen(single[k]) == n && !memcmp(single[k], opt->names, n)) {
            q->refused = single[k];
            q->why = "is an option of pgasim run, for one run";
        }
    run_options_table.used(ctx, opt, word);
}

static struct cli_options options_of(bool reads)
{
    return (struct cli_options){
        .usage = "pgasim explore --platform FILE [options] program [arguments]",
        .about =
            "Finds good configurations of a program of the S-DSM (libsat) on a platform: how many servers "
            "and\n"
            "clients, who serves whom, which host each of them has, with which protocol. Runs one after the\n"
            "other, and shows those that no other one beats in both time and energy.",
        .option = table,
        .n = BASE_LENGTH(table),
        .also = reads ? &run_options_table : NULL,
        .own = run_options_table.own,
        .used = note,
        .outer = is_own,
        .notes = "The options of pgasim run are those of each run.\n\n"
                 "exit status: 0; 2 bad input; 4 the machine is at its limits; if all configurations fail, "
                 "that of\n"
                 "their runs, or 5 if these differ.",
    };
}

/* --- the command ---------------------------------------------------------------------------------- */

static int check_request(const struct study_request *q, struct base_status *st)
{
    const struct base_file_use files[] = {{"the program", q->run.program ? q->run.program[0] : NULL, false},
                                          {"--platform", q->run.platform, false},
                                          {"--table", q->table, true},
                                          {"--svg", q->svg, true},
                                          {"--json", q->json, true}};
    if (q->refused)
        return base_fail(st, "%s %s", q->refused, q->why);
    if (q->run.parts.n > 1)
        return base_fail(st, "one program for all processes is explored, not several with ':' between them");
    if (!q->run.platform)
        return base_fail(st, "--platform FILE is missing");
    if (!q->run.program)
        return base_fail(st, "no program was named");
    if (q->grid && q->search)
        return base_fail(st, "--grid and --search: one of them at a time");
    return base_files_distinct(files, BASE_LENGTH(files), st);
}

/* The status of all runs if they have the same one. */
static int status_of(const struct study *x)
{
    const char *all = NULL;
    int status = BASE_EXIT_PROGRAM;
    for (uint32_t k = 0; k < x->known.at.n; k++) {
        const char *one = study_row(x, k)->result.status;
        if (!strcmp(one, "ok"))
            return BASE_EXIT_OK;
        if (all && strcmp(all, one) != 0)
            return BASE_EXIT_PROGRAM;
        all = one;
    }
    if (all && sscanf(all, "exit %d", &status) != 1 && sscanf(all, "signal %d", &status) == 1)
        status += 128;
    return status;
}

static int load(struct study *x, struct base_settings *s, struct base_status *st)
{
    const struct study_request *q = x->q;
    struct deploy_words w = q->words;
    w.protocols = q->protocols.at;
    w.n_protocols = q->protocols.n;
    if (cli_platform_load(&x->platform, q->run.platform, s, st) ||
        deploy_hosts_read(&x->hosts, x->platform, q->per_host, st))
        return -1;
    return deploy_space_read(&x->space, &x->hosts, &w, st);
}

static void release(struct study *x)
{
    deploy_set_release(&x->known);
    free(x->row.at);
    if (x->table)
        deploy_table_destroy(x->table);
    deploy_space_release(&x->space);
    deploy_hosts_release(&x->hosts);
    if (x->platform)
        platform_destroy(x->platform);
}

/* What the table holds is found again when the command is repeated. */
static void tell_interrupt(const struct study *x)
{
    if (x->q->table)
        base_info("ended by SIG%s; %u configurations are in %s: the same command goes on from there",
                  sigabbrev_np(x->interrupt), deploy_table_rows(x->table), x->q->table);
    else
        base_info("ended by SIG%s", sigabbrev_np(x->interrupt));
}

static int conclude(struct study *x, struct base_status *st)
{
    if (study_show(x, st) || deploy_table_sort(x->table, st)) {
        base_error("%s", st->text);
        return BASE_EXIT_HOST;
    }
    return status_of(x);
}

/* The table is open. */
static int run_study(struct study *x)
{
    struct base_status st;
    int status;
    if (study_runs_open(x, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    if (deploy_table_mended(x->table))
        base_info("%s: a row that was not written whole is left out", x->q->table);
    status = study_carry_out(x, &st);
    if (status) {
        base_error("%s", st.text);
    } else if (x->interrupt) {
        tell_interrupt(x);
        status = 128 + x->interrupt;
    } else {
        status = conclude(x, &st);
    }
    study_runs_close(x);
    return status;
}

static int carry_out(struct study_request *q, const struct cli_options *o, int argc, char **args)
{
    struct base_status st;
    uint64_t job = 0;
    if (check_request(q, &st))
        return cli_options_refuse(o, st.text);
    struct study x = {.q = q};
    char *self = realpath("/proc/self/exe", NULL);
    if (!self)
        base_fatal(BASE_EXIT_HOST, "cannot find out where pgasim is");
    char **words = run_parts_inner(o, &q->run, argc, args), **end = words;
    while (*end && *end != q->run.program[0])
        end++;
    *end = NULL;
    x.self = self;
    x.options = (const char *const *)words;
    deploy_set_init(&x.known);
    struct base_settings *s = cli_settings_create();
    int status = BASE_EXIT_INPUT;
    if (load(&x, s, &st) || study_job(&x, &job, &st) || deploy_table_open(&x.table, q->table, job, &st))
        base_error("%s", st.text);
    else
        status = run_study(&x);
    base_settings_destroy(s);
    release(&x);
    free(self);
    free(words);
    return status;
}

int cli_explore(int argc, char **args)
{
    struct study_request q = {.seed = 1, .jobs = cli_cores(), .timeout = TIMEOUT};
    const struct cli_options o = options_of(true), help = options_of(false);
    struct base_status st;
    int status = BASE_EXIT_OK;
    switch (run_options_read_by(&o, &q.run, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&o, q.any ? st.text : "--platform FILE is missing");
        break;
    case CLI_READ:
        status = carry_out(&q, &o, argc, args);
        break;
    }
    run_options_release(&q.run);
    free(q.protocols.at);
    return status;
}
