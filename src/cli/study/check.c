/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check: `pgasim check`. Its command line is that of `pgasim run` with more options; the words that are
 * not its own go to the runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "check/explore/explore.h"
#include "cli/command.h"
#include "cli/places/places.h"
#include "cli/launch/launch.h"

enum { SEEDS = 20, RUNS = 10000, PROCESSES_MOST = 1024 };
static const uint64_t seeds_most = 10000000;

/* The first member is what options of `pgasim run` apply to. */
struct request {
    struct run_options run;
    struct explore_request q;
    const char *replay;
    const char *refused; /* an option of `pgasim run` that has no meaning here */
};

/* --- options -------------------------------------------------------------------------------------------- */

static int apply_seeds(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_number("--seeds", value, 1, seeds_most, &((struct request *)ctx)->q.seeds, st);
}

static int apply_seed(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_number("--seed", value, 0, INT64_MAX - seeds_most, &((struct request *)ctx)->q.first,
                             st);
}

static int apply_time(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_seconds("--time", value, &((struct request *)ctx)->q.time, st);
}

static int apply_limit(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_seconds("--limit", value, &((struct request *)ctx)->q.limit, st);
}

static int apply_parallel(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--parallel", value, PROCESSES_MOST, &((struct request *)ctx)->q.parallel, st);
}

CLI_FLAG(apply_stop, struct request, q.stop)
CLI_FLAG(apply_same_output, struct request, q.same_output)
CLI_FLAG(apply_memory, struct request, q.memory)
CLI_FLAG(apply_shrink, struct request, q.shrink)
CLI_FLAG(apply_systematic, struct request, q.systematic)
CLI_TEXT(apply_output, struct request, q.output)
CLI_TEXT(apply_pair, struct request, q.pair)

static int apply_replay(void *ctx, const char *value, struct base_status *st)
{
    struct request *r = ctx;
    (void)st;
    r->replay = value;
    r->run.partial = true;
    return 0;
}

CLI_TEXT(apply_json, struct request, q.json)
CLI_TEXT(apply_sarif, struct request, q.sarif)
CLI_FLAG(apply_verbose, struct request, q.verbose)

static const struct cli_option table[] = {
    {"--seeds", "N", "adversarial runs (default: 20)", apply_seeds},
    {"--seed", "N", "the first one's seed (default: 1)", apply_seed},
    {"--time", "SECONDS", "begin no more of them after this time", apply_time},
    {"--limit", "SECONDS",
     "a run that takes longer does not end (default: 10 times the\nplain run, and 10 s)", apply_limit},
    {"--parallel", "N", "runs at a time (default: one for each core)", apply_parallel},
    {"--stop", NULL, "stop at the first failure", apply_stop},
    {"--same-output", NULL, "output that is unlike the plain run's is a failure, too", apply_same_output},
    {"--memory", NULL, "also compare what the memory that ranks share holds at each\nbarrier of all ranks",
     apply_memory},
    {"--shrink", NULL,
     "find the decisions without which the failure does not occur,\nand write a file for --replay",
     apply_shrink},
    {"--systematic", NULL,
     "for small programs: all orders of operations that may be\nkept back, at most --seeds N (default: "
     "10000) runs",
     apply_systematic},
    {"--output -o", "FILE", "that file (default: the program's name, ending in .check)", apply_output},
    {"--trace-pair", "PREFIX",
     "also write traces of the run that fails and of one that does\nnot: PREFIX-fails.pgt, PREFIX-passes.pgt",
     apply_pair},
    {"--replay", "FILE", "repeat the run that the file describes", apply_replay},
    {"--json", "FILE", "write the findings as JSON to FILE (-: to stdout)", apply_json},
    {"--sarif", "FILE", "write them as SARIF to FILE (-: to stdout)", apply_sarif},
    {"--verbose -v", NULL, "also say how long it took", apply_verbose},
};

static bool is_own(const struct cli_option *opt)
{
    return opt >= table && opt < table + BASE_LENGTH(table);
}

/* Options that belong to one run. */
static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    static const char *const refused[] = {"--check", "--trace",   "--gdb",          "--lldb",
                                          "--alone", "--stop-at", "--self-profile", "--core"};
    for (size_t k = 0; k < BASE_LENGTH(refused); k++)
        if (!strcmp(opt->names, refused[k]))
            ((struct request *)ctx)->refused = refused[k];
    run_options_table.used(ctx, opt, word);
}

/* `reads`: with the options of `pgasim run`, which its own help shows. */
static struct cli_options options_of(bool reads)
{
    return (struct cli_options){
        .usage = "pgasim check -np N [options] program [arguments]\n"
                 "pgasim check --replay FILE [options] [program [arguments]]",
        .about =
            "Looks for errors of synchronization: runs the program once with the race detector, then under\n"
            "an adversary that makes what the standards allow and hardly ever happens, with one seed after\n"
            "another; compares how the runs end, and says which of them go wrong, and how to repeat it.",
        .option = table,
        .n = BASE_LENGTH(table),
        .also = reads ? &run_options_table : NULL,
        .own = run_options_table.own,
        .used = note,
        .outer = is_own,
        .notes =
            "The options of pgasim run are those of each run.\n\n"
            "exit status: 0; 7 races or failures were found; 2 bad input; 4 the machine is at its limits.",
    };
}

/* --- the command ---------------------------------------------------------------------------------------- */

static int check_request(const struct request *r, struct base_status *st)
{
    const struct base_file_use files[] = {{"the program", r->q.name, false},
                                          {"--replay", r->replay, false},
                                          {"--output", r->q.output, true},
                                          {"--json", r->q.json, true},
                                          {"--sarif", r->q.sarif, true}};
    if (r->refused)
        return base_fail(st, "%s is an option of pgasim run, for one run", r->refused);
    if (r->q.pair && !r->q.shrink)
        return base_fail(st, "--trace-pair needs --shrink");
    if (r->q.output && !r->q.shrink)
        return base_fail(st, "--output needs --shrink");
    return base_files_distinct(files, BASE_LENGTH(files), st);
}

/* Where the program begins among the words. */
static char **program_in(char **words, const struct run_options *o)
{
    while (*words && (!o->program || *words != o->program[0]))
        words++;
    return words;
}

static int carry_out(struct request *r, const struct cli_options *o, int argc, char **args)
{
    struct base_status st;
    r->q.name = r->run.program ? r->run.program[0] : NULL;
    if (!r->q.seeds)
        r->q.seeds = r->q.systematic ? RUNS : SEEDS;
    r->q.shrink |= r->q.systematic; /* whose runs only a file can repeat */
    if (check_request(r, &st))
        return cli_options_refuse(o, st.text);
    char *self = realpath("/proc/self/exe", NULL);
    if (!self)
        base_fatal(BASE_EXIT_HOST, "cannot find out where pgasim is");
    char **words = run_parts_inner(o, &r->run, argc, args), **program = program_in(words, &r->run);
    char **options = base_zalloc(((size_t)(program - words) + 1) * sizeof *options, "command line");
    memcpy(options, words, (size_t)(program - words) * sizeof *options);
    r->q.command = (struct explore_command){self, (const char *const *)options, (const char *const *)program};
    int status = r->replay ? explore_replay(r->replay, &r->q) : explore_check(&r->q);
    free(self);
    free(options);
    free(words);
    return status;
}

int cli_check(int argc, char **args)
{
    struct request r = {.q = {.first = 1, .parallel = cli_cores()}};
    const struct cli_options o = options_of(true), help = options_of(false);
    struct base_status st;
    int status = BASE_EXIT_OK;
    const char **words = base_zalloc(((size_t)argc + 1) * sizeof *words, "command line");
    for (int k = 1; k < argc; k++)
        words[k - 1] = args[k];
    r.q.words = words;
    switch (run_options_read_by(&o, &r.run, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&o, st.text);
        break;
    case CLI_READ:
        status = carry_out(&r, &o, argc, args);
        break;
    }
    run_options_release(&r.run);
    free(words);
    return status;
}
