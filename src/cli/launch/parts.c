/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: reads the command line of `pgasim run` part by part: `-n 2 A args : -n 3 B args` (MPI-5.0
 * section 11.5). Each part has a number of ranks, a program, its arguments, and may have hosts, a folder and
 * environment variables of its own; other options are for the whole run, wherever they stand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/launch/launch.h"

static struct run_part *add_part(struct run_options *o)
{
    struct run_part p = {0};
    BASE_ARRAY_PUSH(&o->parts, p);
    return &o->parts.at[o->parts.n - 1];
}

static int end_of_part(const struct run_options *o, char **args, int from, int argc)
{
    while (from < argc && (o->alone || strcmp(args[from], ":")))
        from++;
    return from;
}

/* The options and the program of the part that begins behind args[0]; *end: its last word + 1. */
static enum cli_read read_part(const struct cli_options *table, struct run_options *o, int argc, char **args,
                               int *end, struct base_status *st)
{
    int rest = argc;
    add_part(o);
    enum cli_read r = cli_options_read(table, o, argc, args, &rest, st);
    if (r != CLI_READ)
        return r;
    o->parts.at[o->parts.n - 1].program = args + rest;
    *end = end_of_part(o, args, rest, argc);
    if (*end < argc)
        args[*end] = NULL;
    return CLI_READ;
}

static enum cli_read read_parts(const struct cli_options *table, struct run_options *o, int argc, char **args,
                                struct base_status *st)
{
    for (int at = 0, end = 0; at < argc; at += end) {
        enum cli_read r = read_part(table, o, argc - at, args + at, &end, st);
        if (r != CLI_READ)
            return r;
    }
    return CLI_READ;
}

/* --- files of parts -------------------------------------------------------------------------------- */

/* The next word of a line, with quotes as in a shell; NULL: none is left. */
static char *next_word(const char **line)
{
    const char *p = *line + strspn(*line, " \t\r");
    if (!*p || *p == '#')
        return NULL;
    char *word = base_alloc(strlen(p) + 1, "command line"), *to = word;
    for (char quote = 0; *p && (quote || !strchr(" \t\r", *p)); p++) {
        if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? 0 : *p;
        else
            *to++ = *p;
    }
    *to = 0;
    *line = p;
    return word;
}

/* Adds the words of a file's lines, with ":" between the lines. */
static void add_lines(struct run_options *o, FILE *f)
{
    char *line = NULL;
    size_t size = 0;
    bool first = true;
    while (getline(&line, &size, f) > 0) {
        const char *at = line;
        line[strcspn(line, "\n")] = 0;
        char *word = next_word(&at);
        if (word && !first)
            BASE_ARRAY_PUSH(&o->words, base_strdup(":"));
        for (; word; word = next_word(&at), first = false)
            BASE_ARRAY_PUSH(&o->words, word);
    }
    free(line);
}

static enum cli_read read_file_of_parts(struct run_options *o, struct base_status *st)
{
    FILE *f = fopen(o->parts_file, "re");
    bool outer = o->gdb || o->lldb || o->wrapper;
    if (!f) {
        base_open_failed(o->parts_file);
        return base_fail(st, "%s: cannot read it", o->parts_file), CLI_READ_FAILED;
    }
    BASE_ARRAY_PUSH(&o->words, base_strdup("a file's first word"));
    add_lines(o, f);
    fclose(f);
    BASE_ARRAY_PUSH(&o->words, NULL);
    size_t n = o->words.n;
    o->file_args = base_alloc(n * sizeof *o->file_args, "command line");
    memcpy(o->file_args, o->words.at, n * sizeof *o->file_args);
    run_part_release(&o->parts.at[--o->parts.n]); /* which has no program */
    const char *file = o->parts_file;
    o->parts_file = NULL;
    enum cli_read r = read_parts(&run_options_table, o, (int)n - 1, o->file_args, st);
    if (r == CLI_READ && o->parts_file)
        return base_fail(st, "%s: a file of parts cannot name another", file), CLI_READ_FAILED;
    if (r == CLI_READ && (o->gdb || o->lldb || o->wrapper) && !outer)
        return base_fail(st, "%s: debuggers and --wrapper belong on the command line", file), CLI_READ_FAILED;
    return r;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static const char *last_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* Launchers of MPI, and cores: one rank by default. */
static bool needs_no_number(const char *name)
{
    const char *last = last_of(name);
    return !strcmp(last, "mpiexec") || !strcmp(last, "mpirun") || !strcmp(last, "riscv");
}

/* A trace says how many ranks it has. */
static bool learns_number(const char *name)
{
    return !strcmp(last_of(name), "replay");
}

/* What a part leaves out; a lone part's environment and folder are the whole run's. */
static int complete(struct run_options *o, const char *command, struct base_status *st)
{
    o->ranks = o->parts.n == 1 && o->alone ? 1 : 0;
    for (size_t k = 0; k < o->parts.n; k++) {
        struct run_part *p = &o->parts.at[k];
        if ((!p->program || !*p->program) && !o->partial)
            return o->parts.n > 1
                       ? base_fail(st, "part %zu of the command line names no program", k + 1)
                       : base_fail(st, "no %s was named", learns_number(command) ? "trace" : "program");
        if (!p->ranks && (needs_no_number(command) || o->parts.n > 1 || o->alone || o->partial))
            p->ranks = 1;
        if (!p->ranks && !learns_number(command))
            return base_fail(st, "the number of ranks is missing: -np N");
        o->ranks = k ? o->ranks + p->ranks : p->ranks;
    }
    if (o->ranks > UINT32_MAX)
        return base_fail(st, "expected %u ranks at most", UINT32_MAX);
    o->program = o->parts.at[0].program;
    if (o->program && !*o->program)
        o->program = NULL;
    if (o->parts.n > 1)
        return 0;
    struct run_part *only = &o->parts.at[0];
    for (size_t k = 0; k < only->exports.n; k++)
        BASE_ARRAY_PUSH(&o->exports, only->exports.at[k]);
    only->exports.n = 0;
    o->folder = only->folder ? only->folder : o->folder;
    only->folder = NULL;
    return 0;
}

static int check(const struct run_options *o, struct base_status *st)
{
    if (!(o->trace_filter.from < o->trace_filter.to))
        return base_fail(st, "--trace-from %.15gs is not before --trace-to %.15gs: nothing would be traced",
                         o->trace_filter.from, o->trace_filter.to);
    if (o->gdb + o->lldb + (o->wrapper != NULL) > 1)
        return base_fail(st, "--gdb, --lldb and --wrapper: one of them at a time");
    if (o->best_collectives && !o->traces.n)
        return base_fail(st, "--best-collectives: the results are written into a trace: --trace FILE");
    if (o->jobs && o->self_profile)
        return base_fail(st, "--self-profile measures one thread only: leave out --jobs");
    if (o->rankfile && o->hostfile)
        return base_fail(st, "-rankfile and -hostfile: one of them at a time");
    return 0;
}

static void tell_meaningless(const struct run_options *o)
{
    char text[400] = "";
    for (size_t k = 0, n = 0; k < o->meaningless.n && n < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k ? ", " : "", o->meaningless.at[k]);
    if (*text && !o->quiet)
        base_info("without meaning on a simulated platform: %s", text);
}

/* One seed is one execution: nothing of it may come from this machine's clock, or from its threads. */
static void obey_adversary(struct run_options *o)
{
    if (!o->nasty)
        return;
    if (o->compute == RANK_COMPUTE_MEASURED && !o->quiet)
        base_info("--check=nasty: computation is not measured (--compute=off); what pgasim.h gives counts");
    if (o->jobs && !o->quiet)
        base_info("--jobs has no effect, the ranks run one at a time: --check=nasty decides their order");
    o->compute = RANK_COMPUTE_OFF;
    o->jobs = 0;
}

enum cli_read run_options_read_by(const struct cli_options *table, struct run_options *o, int argc,
                                  char **args, struct base_status *st)
{
    *o = (struct run_options){
        .compute = RANK_COMPUTE_MEASURED, .compute_factor = 1, .trace_filter.to = INFINITY, .stop_time = -1};
    char **copy =
        base_alloc(((size_t)argc + 1) * sizeof *copy, "command line"); /* of which words are cut out */
    memcpy(copy, args, ((size_t)argc + 1) * sizeof *copy);
    o->args = copy;
    enum cli_read r = read_parts(table, o, argc, copy, st);
    if (r == CLI_READ && o->parts_file && !*o->parts.at[o->parts.n - 1].program)
        r = read_file_of_parts(o, st);
    if (r != CLI_READ)
        return r;
    if (complete(o, args[0], st) || check(o, st))
        return CLI_READ_FAILED;
    tell_meaningless(o);
    obey_adversary(o);
    return CLI_READ;
}

enum cli_read run_options_read(struct run_options *o, int argc, char **args, struct base_status *st)
{
    return run_options_read_by(&run_options_table, o, argc, args, st);
}

char **run_parts_inner(const struct cli_options *table, const struct run_options *o, int argc, char **args)
{
    static char colon[] = ":";
    BASE_ARRAY(char *) words = {0};
    for (int at = 0, end; at < argc; at = end) {
        end = end_of_part(o, args, at + 1, argc);
        if (at)
            BASE_ARRAY_PUSH(&words, (char *)colon);
        char **inner = cli_options_inner(table, end - at, args + at);
        for (char **word = inner; *word; word++)
            BASE_ARRAY_PUSH(&words, *word);
        free(inner);
    }
    BASE_ARRAY_PUSH(&words, NULL);
    return words.at;
}

char **run_parts_words(const struct run_options *o)
{
    static char colon[] = ":";
    BASE_ARRAY(char *) words = {0};
    for (size_t k = 0; k < o->parts.n; k++) {
        if (k)
            BASE_ARRAY_PUSH(&words, (char *)colon);
        for (char **word = o->parts.at[k].program; word && *word; word++)
            BASE_ARRAY_PUSH(&words, *word);
    }
    BASE_ARRAY_PUSH(&words, NULL);
    return words.at;
}

void run_part_release(struct run_part *p)
{
    free(p->exports.at);
}

void run_options_release(struct run_options *o)
{
    for (size_t k = 0; k < o->parts.n; k++)
        run_part_release(&o->parts.at[k]);
    for (size_t k = 0; k < o->words.n; k++)
        free(o->words.at[k]);
    for (size_t k = 0; k < o->joined.n; k++)
        free(o->joined.at[k]);
    free(o->joined.at);
    free(o->words.at);
    free(o->parts.at);
    free(o->args);
    free(o->file_args);
    free(o->traces.at);
    free(o->sets.at);
    free(o->suppressions.at);
    free(o->exports.at);
    free(o->meaningless.at);
}
