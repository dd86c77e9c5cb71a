/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options: the option table of `pgasim run`. Says what each option means and checks its value; run.c does
 * what was asked for.
 */
#include "cli/launch/launch.h"

#include "check/check.h"
#include "cli/words/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The one that is being read. */
static struct run_part *last_part(void *ctx)
{
    struct run_options *o = ctx;
    return &o->parts.at[o->parts.n - 1];
}

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_ranks(value, &last_part(ctx)->ranks, st);
}

CLI_TEXT(apply_platform, struct run_options, platform)
CLI_TEXT(apply_hostfile, struct run_options, hostfile)

/* "ppr:N:node": N ranks on each host. */
static bool read_per_host(struct run_options *o, const char *value)
{
    uint64_t n;
    if (strncmp(value, "ppr:", 4))
        return false;
    char *count = base_strfmt("%.*s", (int)strcspn(value + 4, ":"), value + 4);
    const char *what = value + 4 + strlen(count);
    bool good = !strncmp(what, ":node", 5) && !base_parse_uint(count, &n, NULL) && n > 0 && n < UINT32_MAX;
    if (good)
        o->per_host = (uint32_t)n;
    free(count);
    return good;
}

/* Behind a colon stand modifiers about binding. */
static int apply_map_by(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    char *word = base_strfmt("%.*s", (int)strcspn(value, ":"), value);
    bool by_host = cc_word_in(word, "host node");
    bool known =
        cc_word_in(word, "host node core slot hwthread socket package numa l1cache l2cache l3cache") ||
        read_per_host(o, value);
    free(word);
    if (!known)
        return base_fail(st, "--map-by %s: expected core or host (or: slot, node, ppr:N:node)", value);
    o->by_host = by_host;
    return 0;
}

static int apply_set(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    if (!strpbrk(value, "=:"))
        return base_fail(st, "--set %s: expected KEY=VALUE", value);
    BASE_ARRAY_PUSH(&o->sets, value);
    return 0;
}

static int apply_compute(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    if (!strcmp(value, "off")) {
        o->compute = RANK_COMPUTE_OFF;
        return 0;
    }
    bool scaled = !strncmp(value, "measured:", 9);
    if (!scaled && strcmp(value, "measured"))
        return base_fail(st, "--compute %s: expected measured, measured:FACTOR or off", value);
    struct base_number factor = {.number = 1};
    struct base_status why;
    if (scaled && base_parse_range(BASE_DOUBLE, BASE_FACTORS, value + 9, &factor, &why))
        return base_fail(st, "--compute %.80s: the factor: %s", value, why.text);
    o->compute = RANK_COMPUTE_MEASURED;
    o->compute_factor = factor.number;
    return 0;
}

static int apply_privatize(void *ctx, const char *value, struct base_status *st)
{
    static const struct {
        const char *name;
        enum fold_privatize way;
    } ways[] = {{"auto", FOLD_AUTO}, {"dlopen", FOLD_DLOPEN}, {"swap", FOLD_SWAP}, {"none", FOLD_NONE}};
    for (size_t k = 0; k < BASE_LENGTH(ways); k++)
        if (!strcmp(value, ways[k].name)) {
            ((struct run_options *)ctx)->privatize = ways[k].way;
            return 0;
        }
    return base_fail(st, "--privatize %s: expected auto, dlopen, swap or none", value);
}

static int apply_stack_size(void *ctx, const char *value, struct base_status *st)
{
    uint64_t bytes;
    struct base_status why;
    if (base_parse_size(value, &bytes, &why))
        return base_fail(st, "--stack-size: %s", why.text);
    if (bytes < 16 * 1024 || bytes > (uint64_t)1 << 32)
        return base_fail(st, "--stack-size %s: expected 16KiB to 4GiB", value);
    ((struct run_options *)ctx)->stack_size = bytes;
    return 0;
}

static int apply_jobs(void *ctx, const char *value, struct base_status *st)
{
    enum { MOST = 256 };
    uint64_t n;
    struct base_status why;
    if (base_parse_uint(value, &n, &why))
        return base_fail(st, "--jobs: %s", why.text);
    if (n < 1 || n > MOST)
        return base_fail(st, "--jobs %s: expected 1 to %d threads", value, MOST);
    ((struct run_options *)ctx)->jobs = n;
    return 0;
}

/* Each word of the list switches a setting on. */
static int apply_check(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    do {
        const char *key = check_word(&value, st);
        if (!key)
            return -1;
        o->nasty |= !strcmp(key, "check/nasty");
        BASE_ARRAY_PUSH(&o->joined, base_strfmt("%s=yes", key));
        BASE_ARRAY_PUSH(&o->sets, o->joined.at[o->joined.n - 1]);
    } while (*value);
    return 0;
}

static int apply_seeds(void *ctx, const char *value, struct base_status *st)
{
    enum { MOST = 100000 };
    struct base_status why;
    uint64_t n;
    if (base_parse_uint(value, &n, &why))
        return base_fail(st, "--seeds: %s", why.text);
    if (n < 2 || n > MOST)
        return base_fail(st, "--seeds %s: expected 2 to %d runs", value, MOST);
    ((struct run_options *)ctx)->seeds = n;
    return 0;
}

static int apply_seed(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    uint64_t n;
    struct base_status why;
    if (base_parse_uint(value, &n, &why))
        return base_fail(st, "--seed: %s", why.text);
    BASE_ARRAY_PUSH(&o->joined, base_strfmt("check/seed=%s", value));
    BASE_ARRAY_PUSH(&o->sets, o->joined.at[o->joined.n - 1]);
    return 0;
}

CLI_FLAG(apply_tag_output, struct run_options, tag_output)
CLI_FLAG(apply_quiet, struct run_options, quiet)
CLI_FLAG(apply_strict, struct run_options, strict)
CLI_FLAG(apply_best_collectives, struct run_options, best_collectives)
CLI_FLAG(apply_self_profile, struct run_options, self_profile)
CLI_FLAG(apply_core, struct run_options, core)
CLI_TEXT(apply_json, struct run_options, json)
CLI_TEXT(apply_sarif, struct run_options, sarif)

static int apply_suppressions(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    BASE_ARRAY_PUSH(&((struct run_options *)ctx)->suppressions, value);
    return 0;
}

CLI_FLAG(apply_gen_suppressions, struct run_options, gen_suppressions)
CLI_FLAG(apply_verbose, struct run_options, verbose)

static int apply_trace(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    if (o->traces.n == RUN_TRACES)
        return base_fail(st, "--trace: at most %d files", RUN_TRACES);
    BASE_ARRAY_PUSH(&o->traces, value);
    return 0;
}

CLI_TEXT(apply_trace_ranks, struct run_options, trace_filter.ranks)
CLI_TEXT(apply_record, struct run_options, record)

static int read_time(const char *option, const char *value, double *out, struct base_status *st)
{
    struct base_status why;
    if (base_parse_time(value, out, &why) || base_within(BASE_TIME, *out, value, &why))
        return base_fail(st, "%s: %s", option, why.text);
    return 0;
}

static int apply_trace_from(void *ctx, const char *value, struct base_status *st)
{
    return read_time("--trace-from", value, &((struct run_options *)ctx)->trace_filter.from, st);
}

static int apply_trace_to(void *ctx, const char *value, struct base_status *st)
{
    return read_time("--trace-to", value, &((struct run_options *)ctx)->trace_filter.to, st);
}

static int apply_trace_kinds(void *ctx, const char *value, struct base_status *st)
{
    struct base_status why;
    if (trace_categories_parse(value, &((struct run_options *)ctx)->trace_filter.wanted, &why))
        return base_fail(st, "--trace-kinds: %s", why.text);
    return 0;
}

static int apply_leaks(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    BASE_ARRAY_PUSH(&((struct run_options *)ctx)->sets, "heap/leaks=yes");
    return 0;
}

static int apply_heap_guard(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    BASE_ARRAY_PUSH(&((struct run_options *)ctx)->sets, "heap/guard=yes");
    return 0;
}

static int apply_export(void *ctx, const char *value, struct base_status *st)
{
    struct run_part *p = last_part(ctx);
    if (!*value || *value == '=')
        return base_fail(st, "-x %s: expected VAR or VAR=VALUE", value);
    BASE_ARRAY_PUSH(&p->exports, value);
    return 0;
}

static int apply_folder(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    last_part(ctx)->folder = value;
    return 0;
}

static int apply_wrapper(void *ctx, const char *value, struct base_status *st)
{
    if (!value[strspn(value, " ")])
        return base_fail(st, "--wrapper: expected a command");
    ((struct run_options *)ctx)->wrapper = value;
    return 0;
}

CLI_FLAG(apply_gdb, struct run_options, gdb)
CLI_FLAG(apply_lldb, struct run_options, lldb)

static int apply_stop_at(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    struct base_status why;
    if (!strcmp(value, "warning"))
        o->stop_warning = true;
    else if (!strcmp(value, "report"))
        o->stop_report = true;
    else if (base_parse_time(value, &o->stop_time, &why))
        return base_fail(st, "--stop-at: %s (or: warning, report)", why.text);
    return 0;
}

static int apply_alone(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    (void)st;
    o->alone = value;
    o->quiet = true;
    return 0;
}

static const struct cli_option table[] = {
    {"-np -n -c", "N", "run N ranks", apply_ranks},
    {"--platform", "FILE", "the simulated platform, in SimGrid's XML\n(default: a built-in cluster)",
     apply_platform},
    {"--hostfile --machinefile -f", "FILE",
     "the hosts to use, one per line: NAME, NAME:N, NAME slots=N;\nor one of SimGrid's deployment files",
     apply_hostfile},
    {"--map-by", "core|host", "fill a host's cores first (default), or deal ranks to\nthe hosts in turn",
     apply_map_by},
    {"--set --cfg", "KEY=VALUE", "change a setting (pgasim info settings lists them)", apply_set},
    {"--compute", "HOW", "what the program's own computation costs:\nmeasured[:FACTOR] (default) or off",
     apply_compute},
    {"--privatize", "HOW", "give ranks private globals by dlopen, swap or none\n(default: auto)",
     apply_privatize},
    {"--stack-size", "SIZE",
     "stack of each rank, for example 1MiB (default: 512MiB\ndivided by N, within 256KiB and 8MiB)",
     apply_stack_size},
    {"--jobs -j", "N",
     "run the program's code on N threads where that changes\nnothing (default: no threads)", apply_jobs},
    {"--check", "LIST",
     "check the program (docs/check.md): nasty, one adversarial\nexecution of those that the standards "
     "allow; races",
     apply_check},
    {"--seed", "N", "which one of them (default: 1)", apply_seed},
    {"--seeds", "N", "N runs with different noise (docs/noise.md), and\nan interval of their simulated times",
     apply_seeds},
    {"-x", "VAR[=VALUE]", "set an environment variable for the ranks", apply_export},
    {"--wdir -wd", "FOLDER", "change to this folder first", apply_folder},
    {"--alone", "NAME",
     "as if the program had been started by itself, as NAME:\n"
     "-np 1, --quiet, and no message when it ends with a status",
     apply_alone},
    {"--tag-output", NULL, "begin each line of output with its rank", apply_tag_output},
    {"--quiet -q", NULL, "no summary and no progress line", apply_quiet},
    {"--strict", NULL,
     "a warning about the program, or about what is not modelled,\nends the run with status 5", apply_strict},
    {"--json", "FILE", "write the summary as JSON to FILE (-: to stdout)", apply_json},
    {"--sarif", "FILE", "write what --check=races finds as SARIF to FILE (-: to stdout)", apply_sarif},
    {"--suppressions", "FILE",
     "do not report the races that its rules name (docs/check.md); may\nbe repeated", apply_suppressions},
    {"--gen-suppressions", NULL, "print such a rule below each race", apply_gen_suppressions},
    {"--verbose -v", NULL, "at the end, also name the rules that suppressed nothing", apply_verbose},
    {"--trace", "FILE",
     "write a trace of the run to FILE; its extension selects the format\n"
     "(pgasim report FILE.pgt shows it); may be repeated",
     apply_trace},
    {"--record-ti", "FILE",
     "write the calls of MPI and OpenSHMEM and the computations of all ranks\nto FILE, a trace that pgasim "
     "replay plays "
     "(docs/replay.md)",
     apply_record},
    {"--trace-ranks", "LIST", "trace only these ranks, as in 0-3,17", apply_trace_ranks},
    {"--trace-from", "TIME", "trace only from this simulated time on", apply_trace_from},
    {"--trace-to", "TIME", "trace only before this simulated time", apply_trace_to},
    {"--trace-kinds", "LIST",
     "trace only these kinds: calls, operations, waits, collectives,\n"
     "compute, marks, user, messages, io, races, cards, cores, sync, memory,\nreplay; default, all",
     apply_trace_kinds},
    {"--best-collectives", NULL,
     "after the run, simulate each of its collectives with every\nalgorithm, and note the quickest in the "
     "trace",
     apply_best_collectives},
    {"--self-profile", NULL, "show where the simulator's own time and memory go,\nby layer",
     apply_self_profile},
    {"--leaks", NULL,
     "at the end, list the blocks of malloc and new, and MPI's objects,\nthat ranks have not freed, by line",
     apply_leaks},
    {"--heap-guard", NULL,
     "find writes past the ends of such blocks, and after their\nend, at calls (docs/heaps.md)",
     apply_heap_guard},
    {"--core", NULL, "leave a core file if a rank is ended by a signal", apply_core},
    {"--gdb", NULL, "debug the job with gdb, which then knows its ranks\n(docs/debugging.md)", apply_gdb},
    {"--lldb", NULL, "debug the job with lldb", apply_lldb},
    {"--wrapper", "CMD", "start pgasim by this command, as in \"valgrind -q\"", apply_wrapper},
    {"--stop-at", "TIME|warning|report",
     "stop in the debugger at this simulated time, at warnings,\nor when an error is reported; may be "
     "repeated",
     apply_stop_at},
};

static bool is_outer(const struct cli_option *opt)
{
    return opt->apply == apply_gdb || opt->apply == apply_lldb || opt->apply == apply_wrapper;
}

static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    run_launch_note(ctx, opt, word);
}

static void own(void *ctx, char *text)
{
    struct run_options *o = ctx;
    BASE_ARRAY_PUSH(&o->joined, text);
}

const struct cli_options run_options_table = {
    .usage = "pgasim run -np N [options] program [arguments] [: -np N ...]",
    .about = "Runs a program that was built with `pgasim cc` (or oshcc, mpicc) as N ranks on a simulated\n"
             "platform. Its results are the program's own; its times are the platform's. Behind a colon\n"
             "follow ranks with another program or other arguments. Also called oshrun, mpirun, mpiexec.",
    .also = &run_launch_table,
    .own = own,
    .used = note,
    .option = table,
    .n = BASE_LENGTH(table),
    .outer = is_outer,
    .notes = "exit status: the program's; 2 bad input, 3 deadlock, 4 the machine is at its limits,\n"
             "5 the program broke the rules of its API, 6 a host or link failed under it,\n"
             "7 a check found errors, 128+S a rank was ended by signal S.",
};

int run_options_apply_sets(const struct run_options *o, struct base_settings *s, struct base_status *st)
{
    for (size_t k = 0; k < o->sets.n; k++)
        if (cli_settings_assign(s, o->sets.at[k], st))
            return -1;
    return 0;
}

/* In the process's own environment: the simulator's libraries look there, too (SHMEM_SYMMETRIC_SIZE,
 * LD_LIBRARY_PATH). */
void run_options_export(const struct run_options *o)
{
    for (size_t k = 0; k < o->exports.n; k++) {
        const char *text = o->exports.at[k];
        size_t length = strcspn(text, "=");
        if (!text[length])
            continue; /* -x VAR: the ranks see our environment anyway */
        char *name = base_strfmt("%.*s", (int)length, text);
        if (setenv(name, text + length + 1, 1))
            base_fatal(BASE_EXIT_HOST, "out of memory: environment");
        free(name);
    }
}

/* Stacks cost addresses until they are touched. Few ranks get what a process usually has (8 MiB); many get
 * less, because stacks that lie more than 2 MiB apart each need a page table page of their own (4 KiB), as
 * much again as what a small rank touches. */
size_t run_options_stack_size(const struct run_options *o)
{
    const size_t least = 256 << 10, most = 8 << 20;
    if (o->stack_size)
        return (size_t)o->stack_size;
    size_t size = most;
    while (size > least && size * o->ranks > (size_t)512 << 20)
        size /= 2;
    return size;
}
