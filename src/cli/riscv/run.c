/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: `pgasim riscv`. Its command line is that of `pgasim run` with more options; its ranks are cores
 * (riscv/), and so are its figures.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/riscv/stats.h"
#include "cli/run/run.h"
#include "riscv/riscv.h"

struct request {
    struct run run; /* first */
    struct riscv_config config;
    bool stats, profile;
    FILE *callgrind; /* NULL: none, or written */
    const char *callgrind_path;
    const char *refused; /* an option of `pgasim run` that says nothing about cores */
    struct riscv_part *part;
    char **envp;                       /* of each part, one after the other */
    struct riscv_counts counts, *core; /* of all, of each */
};

/* --- options -------------------------------------------------------------------------------------------- */

static struct request *request(void *ctx)
{
    return ctx;
}

static int apply_map(void *ctx, const char *value, struct base_status *st)
{
    bool old = !strcmp(value, "2020");
    if (!old && strcmp(value, "2.0.0"))
        return base_fail(st, "--xbgas-map %s: expected 2.0.0 or 2020", value);
    request(ctx)->config.core.xbgas_2020 = old;
    return 0;
}

static int apply_cas(void *ctx, const char *value, struct base_status *st)
{
    bool symmetric = !strcmp(value, "symmetric");
    if (!symmetric && strcmp(value, "zacas"))
        return base_fail(st, "--cas %s: expected zacas or symmetric", value);
    request(ctx)->config.core.cas_symmetric = symmetric;
    return 0;
}

CLI_FLAG(apply_reserve, struct request, config.core.low_extended)

static int apply_system(void *ctx, const char *value, struct base_status *st)
{
    static const char *const names[] = {
        [RISCV_SYSTEM_AUTO] = "auto", [RISCV_SYSTEM_BARE] = "bare", [RISCV_SYSTEM_LINUX] = "linux"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(value, names[k])) {
            request(ctx)->config.system = (enum riscv_system)k;
            return 0;
        }
    return base_fail(st, "--system %s: expected auto, bare or linux", value);
}

static int apply_cache(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    BASE_ARRAY_PUSH(&request(ctx)->run.options.sets, "riscv/cache=on");
    return 0;
}

CLI_FLAG(apply_stats, struct request, stats)

static int apply_profile(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    request(ctx)->profile = request(ctx)->config.profile = true;
    return 0;
}

static int apply_callgrind(void *ctx, const char *value, struct base_status *st)
{
    struct request *q = request(ctx);
    (void)st;
    q->config.profile = true;
    q->callgrind_path = value;
    return 0;
}

static const struct cli_option table[] = {
    {"--xbgas-map", "2.0.0|2020", "the words of eaddie, ese, erle and erse (default: 2.0.0)", apply_map},
    {"--cas", "zacas|symmetric",
     "eamocas compares with rd, as amocas does (default), or with\nrs2, and the new value is the caller's "
     "own word",
     apply_cas},
    {"--reserve-low-extended", NULL, "using e0 to e9 is an illegal instruction", apply_reserve},
    {"--system", "auto|bare|linux", "what the program expects below it (default: by its file)", apply_system},
    {"--cache", NULL, "caches and DRAM behind the cores (setting riscv/cache)", apply_cache},
    {"--stats", NULL, "show the instructions by class, what cores waited for, and each core", apply_stats},
    {"--profile", NULL, "show the instructions by function", apply_profile},
    {"--callgrind", "FILE", "write the instructions by address, for kcachegrind and callgrind_annotate",
     apply_callgrind},
};

static void note(void *ctx, const struct cli_option *opt, const char *word)
{
    static const char *const refused[] = {"--privatize", "--leaks", "--heap-guard", "--jobs -j",
                                          "--compute",   "--alone", "--stack-size", "--check",
                                          "--sarif",     "--seed"};
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
        .usage = "pgasim riscv [-np N] [options] program [arguments] [: -np N ...]",
        .about =
            "Runs a RISC-V program (pgasim riscv-cc makes them) as N ranks, each of which is one RV64 core "
            "with\n"
            "xBGAS and remote atomics, on a simulated platform. Bare programs and static Linux executables.",
        .option = table,
        .n = BASE_LENGTH(table),
        .also = reads ? &run_options_table : NULL,
        .own = own,
        .used = note,
        .notes = "The options of pgasim run that concern the platform, ranks, output and traces mean the "
                 "same here.\n"
                 "Cores see the environment variables of -x only.\n\n"
                 "exit status: the program's; 2 bad input, 3 deadlock, 4 the machine is at its limits,\n"
                 "128+S a core was ended by a trap for which Linux sends signal S.",
    };
}

/* --- the job -------------------------------------------------------------------------------------------- */

/* "NAME=value" of -x; variables without a value have ours. */
static void add_variables(char ***list, size_t *n, const char *const *word, size_t words)
{
    for (size_t k = 0; k < words; k++) {
        const char *value = strchr(word[k], '=') ? NULL : getenv(word[k]);
        if (!value && !strchr(word[k], '='))
            continue;
        (*list)[(*n)++] = value ? base_strfmt("%s=%s", word[k], value) : base_strdup(word[k]);
    }
}

static char **variables_of(const struct run_options *o, const struct run_part *p)
{
    size_t n = 0;
    char **list = base_zalloc((o->exports.n + p->exports.n + 1) * sizeof *list, "environment");
    add_variables(&list, &n, o->exports.at, o->exports.n);
    add_variables(&list, &n, p->exports.at, p->exports.n);
    return list;
}

static int load(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    size_t n = r->options.parts.n;
    q->part = base_zalloc(n * sizeof *q->part, "parts of the command line");
    for (size_t k = 0; k < n; k++)
        q->part[k] = (struct riscv_part){.path = r->start[k].program,
                                         .argv = r->options.parts.at[k].program,
                                         .envp = variables_of(&r->options, &r->options.parts.at[k]),
                                         .folder = r->start[k].folder,
                                         .ranks = (uint32_t)r->options.parts.at[k].ranks};
    return riscv_attach(r->job, &q->config, q->part, n, st);
}

/* --- the profile ---------------------------------------------------------------------------------------- */

static void print_function(void *arg, const struct riscv_function *f)
{
    const struct request *q = arg;
    double share =
        q->counts.instructions ? 100 * (double)f->instructions / (double)q->counts.instructions : 0;
    if (share >= 0.05)
        fprintf(base_report_stream(), "pgasim:   %5.1f %%  %14lu  %10lu  %s\n", share, f->instructions,
                f->entered, f->name);
}

static void write_callgrind(const struct request *q, const struct rank_job *job)
{
    riscv_callgrind_write(job, q->callgrind);
    if (ferror(q->callgrind) | fclose(q->callgrind))
        base_error("%s: it cannot be written whole", q->callgrind_path);
}

static void figures(struct run *r, struct rank_job *job)
{
    struct request *q = (struct request *)(void *)r;
    q->counts = riscv_counts(job);
    q->core = base_zalloc(rank_count(job) * sizeof *q->core, "counts of cores");
    for (uint32_t k = 0; k < rank_count(job); k++)
        q->core[k] = riscv_core_counts(rank_at(job, k));
    if (q->callgrind)
        write_callgrind(q, job);
    q->callgrind = NULL;
    if (!q->profile)
        return;
    rank_output_flush();
    fprintf(base_report_stream(),
            "pgasim: instructions by function, of all cores; how often it was entered:\n");
    riscv_functions_each(job, print_function, q);
}

/* --- figures -------------------------------------------------------------------------------------------- */

static double mips(const struct run *r, const struct riscv_counts *c)
{
    return r->figures.cpu > 0 ? (double)(c->instructions - c->skipped - c->library) / r->figures.cpu / 1e6
                              : 0;
}

static void summary(const struct run *r, FILE *out)
{
    const struct riscv_counts *c = &((const struct request *)(const void *)r)->counts;
    char instructions[32], cycles[32], peak[32];
    fprintf(out, "pgasim:   cores: %s instructions in %s cycles; %.0f million instructions a second here\n",
            base_show_count(instructions, (double)c->instructions),
            base_show_count(cycles, (double)c->cycles), mips(r, c));
    const char *separator = "pgasim:   remote: ";
    base_print_kind(out, &separator, "loads", c->loads, 0);
    base_print_kind(out, &separator, "stores", c->stores, 0);
    base_print_kind(out, &separator, "atomics", c->atomics, 0);
    base_print_kind(out, &separator, "barriers", c->barriers, 0);
    if (c->loads + c->stores + c->atomics + c->barriers)
        fputc('\n', out);
    fprintf(out, "pgasim:   memory: %s at its peak\n", base_show_size(peak, (double)r->figures.peak_memory));
    if (!((const struct request *)(const void *)r)->stats)
        return;
    const struct request *q = (const struct request *)(const void *)r;
    riscv_stats_print(out, c, q->core, q->core ? r->options.ranks : 0);
}

static void put_json(const struct run *r, struct base_json *j)
{
    const struct request *q = (const struct request *)(const void *)r;
    base_json_open(j, "cores", '{');
    riscv_stats_json(j, &q->counts);
    base_json_number(j, "host_mips", mips(r, &q->counts));
    if (q->stats && q->core) {
        base_json_open(j, "each", '[');
        for (size_t k = 0; k < q->run.options.ranks; k++) {
            base_json_open(j, NULL, '{');
            base_json_count(j, "rank", k);
            riscv_stats_json(j, &q->core[k]);
            base_json_close(j);
        }
        base_json_close(j);
    }
    base_json_close(j);
}

static int refuse(struct run *r, struct base_status *st)
{
    struct request *q = (struct request *)(void *)r;
    r->options.compute = RANK_COMPUTE_OFF; /* a core's instructions are its time */
    if (q->refused)
        return base_fail(st, "%s is an option for native programs (pgasim run)", q->refused);
    if (q->callgrind_path && !(q->callgrind = fopen(q->callgrind_path, "we")))
        return base_fail(st, "--callgrind %s: %s", q->callgrind_path, strerror(errno));
    return 0;
}

static void release(struct run *r)
{
    struct request *q = (struct request *)(void *)r;
    for (size_t k = 0; q->part && k < q->run.options.parts.n; k++) {
        for (char *const *word = q->part[k].envp; *word; word++)
            free(*word);
        free((void *)(uintptr_t)q->part[k].envp);
    }
    free(q->part);
    free(q->core);
}

static const struct run_kind cores = {.recorded = true,
                                      .check = refuse,
                                      .load = load,
                                      .figures = figures,
                                      .summary = summary,
                                      .json = put_json,
                                      .release = release};

int cli_riscv(int argc, char **args)
{
    static struct request q;
    if (argc > 1 && !strcmp(args[1], "figures"))
        return cli_riscv_figures(argc - 1, args + 1);
    const struct cli_options reads = options_of(true), help = options_of(false);
    q = (struct request){.run.kind = &cores};
    return run_command(&q.run, &reads, &help, argc, args);
}
