/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launchers: options of Open MPI's and MPICH's launchers that `pgasim run` understands besides its own. What
 * concerns a real machine only is accepted and has no effect; a notice says so once.
 */
#include "cli/launch/launch.h"

#include <stdlib.h>
#include <string.h>

static struct run_part *part_of(struct run_options *o)
{
    return &o->parts.at[o->parts.n - 1];
}

static int apply_hosts(void *ctx, const char *value, struct base_status *st)
{
    if (!*value)
        return base_fail(st, "-host: expected a list of hosts: NAME[:N],...");
    part_of(ctx)->hosts = value;
    return 0;
}

CLI_TEXT(apply_rankfile, struct run_options, rankfile)

static int apply_per_host(void *ctx, const char *value, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(value, &n, NULL) || n < 1 || n > UINT32_MAX)
        return base_fail(st, "-ppn %.80s: expected how many ranks each host gets", value);
    ((struct run_options *)ctx)->per_host = (uint32_t)n;
    return 0;
}

static int apply_one_per_host(void *ctx, const char *value, struct base_status *st)
{
    (void)value;
    return apply_per_host(ctx, "1", st);
}

CLI_FLAG(apply_by_node, struct run_options, by_host)

static int apply_environment(void *ctx, const char *value, struct base_status *st)
{
    if (!*value || *value == '=')
        return base_fail(st, "-env %s: expected NAME VALUE", value);
    BASE_ARRAY_PUSH(&part_of(ctx)->exports, value);
    return 0;
}

static int apply_environment_of_all(void *ctx, const char *value, struct base_status *st)
{
    struct run_options *o = ctx;
    if (!*value || *value == '=')
        return base_fail(st, "-genv %s: expected NAME VALUE", value);
    BASE_ARRAY_PUSH(&o->exports, value);
    return 0;
}

CLI_TEXT(apply_folder_of_all, struct run_options, folder)

static int apply_path(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    part_of(ctx)->path = value;
    return 0;
}

CLI_TEXT(apply_file_of_parts, struct run_options, parts_file)
CLI_FLAG(apply_tags, struct run_options, tag_output)

static int apply_timeout(void *ctx, const char *value, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(value, &n, NULL) || n < 1 || n > UINT32_MAX)
        return base_fail(st, "-timeout %.80s: expected seconds of this machine's time", value);
    ((struct run_options *)ctx)->timeout = (uint32_t)n;
    return 0;
}

static int apply_stdin(void *ctx, const char *value, struct base_status *st)
{
    (void)ctx;
    if (strcmp(value, "0"))
        return base_fail(st, "-stdin %s: standard input is rank 0's; expected 0", value);
    return 0;
}

/* The caller gives a notice. */
static int apply_meaningless(void *ctx, const char *value, struct base_status *st)
{
    (void)ctx, (void)value, (void)st;
    return 0;
}

static int apply_silently(void *ctx, const char *value, struct base_status *st)
{
    (void)ctx, (void)value, (void)st;
    return 0;
}

static const struct cli_option table[] = {
    {"-host -hosts -H", "LIST",
     "the hosts to use: NAME, NAME:N, between commas; for a part\nof the command line", apply_hosts},
    {"-rankfile -rf", "FILE", "lines `rank N=HOST`: where single ranks run", apply_rankfile},
    {"-ppn -perhost -N -npernode", "N", "each host gets N ranks", apply_per_host},
    {"-pernode", NULL, "each host gets one rank", apply_one_per_host},
    {"-bynode", NULL, "as --map-by host", apply_by_node},
    {"-env", "NAME VALUE", "set an environment variable for a part's ranks", apply_environment},
    {"-genv", "NAME VALUE", "set one for all ranks", apply_environment_of_all},
    {"-gwdir", "FOLDER", "change to this folder first, all ranks", apply_folder_of_all},
    {"-path", "FOLDERS", "look for a part's program there first", apply_path},
    {"--app -configfile", "FILE", "read the parts from a file, one per line", apply_file_of_parts},
    {"-l -prepend-rank", NULL, "begin each line of output with its rank", apply_tags},
    {"-timeout --timeout", "S", "end the run after S seconds of this machine's time", apply_timeout},
    {"-V --version", NULL, "print the version", apply_silently},
    {"-stdin", "0", "standard input is rank 0's", apply_stdin},
    {"--oversubscribe --allow-run-as-root -genvall -envall -byslot", NULL,
     "accepted: it is so anyway; so are the next", apply_silently},
    {"-nolocal --merge-stderr-to-stdout --enable-recovery", NULL, "", apply_silently},
    {"--bind-to --rank-by -genvlist -envlist", "WHAT",
     "without meaning on a simulated platform; a notice says so.\nSo are the next", apply_meaningless},
    {"-mca -gmca --prtemca --pmixmca", "NAME VALUE", "", apply_meaningless},
    {"--report-bindings --display-map --display-allocation --nooversubscribe", NULL, "", apply_meaningless},
    {"--use-hwthread-cpus --timestamp-output -print-rank-map -disable-auto-cleanup", NULL, "",
     apply_meaningless},
    {"-genvnone -envnone -disable-hostname-propagation", NULL, "", apply_meaningless},
    {"-launcher -bootstrap -launcher-exec -iface -rmk -ranks-per-proc", "WHAT", "", apply_meaningless},
    {"--prefix --output-filename --tune -am --display --output -cpus-per-proc", "WHAT", "",
     apply_meaningless},
};

const struct cli_options run_launch_table = {
    .about = "options of other launchers:",
    .option = table,
    .n = BASE_LENGTH(table),
};

void run_launch_note(struct run_options *o, const struct cli_option *opt, const char *word)
{
    if (opt->apply != apply_meaningless)
        return;
    for (size_t k = 0; k < o->meaningless.n; k++)
        if (!strcmp(o->meaningless.at[k], word))
            return;
    BASE_ARRAY_PUSH(&o->meaningless, word);
}
