/* SPDX-License-Identifier: BSD-3-Clause */
/* command: `pgasim platform` and its options; what each part does is in its own file. */
#include "cli/platform/command.h"
#include "cli/options/options.h"
#include "cli/platform/platform.h"

#include <stdlib.h>
#include <string.h>

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    struct platform_request *q = ctx;
    if (base_parse_uint(value, &q->ranks, st))
        return -1;
    if (q->ranks < 1 || q->ranks > UINT32_MAX)
        return base_fail(st, "-np %s: expected 1 to %u", value, UINT32_MAX);
    return 0;
}

CLI_FLAG(apply_json, struct platform_request, json)
CLI_FLAG(apply_all, struct platform_request, all)
CLI_FLAG(apply_storage, struct platform_request, storage)
CLI_TEXT(apply_output, struct platform_request, output)

static const struct cli_option table[] = {
    {"-np -n", "N", "make the built-in cluster large enough for N ranks\n(default: 1)", apply_ranks},
    {"--storage", NULL, "default: with its parallel file system", apply_storage},
    {"--all", NULL, "show: every zone, host and link, not just the first ones", apply_all},
    {"--json", NULL, "show: as JSON; everything, with all digits", apply_json},
    {"--output -o", "FILE", "draw: write the picture there (-: to stdout, the default)", apply_output},
};

static const struct cli_options help_platform = {
    .usage = "pgasim platform default [-np N] [--storage]\n"
             "pgasim platform check FILE...\n"
             "pgasim platform show [-np N] [--all] [--json] [FILE] [SRC DST]\n"
             "pgasim platform draw [-np N] [-o OUT.svg] [FILE]\n"
             "pgasim platform generate KIND [options]",
    .about =
        "default   prints the built-in cluster in SimGrid's platform language, to be edited and given\n"
        "          to pgasim run --platform\n"
        "check     prints for each file OK and what it holds, or what is wrong, as pgasim run would report\n"
        "          it; warns about hosts without a route between them and about links that no route takes\n"
        "show      lists zones, hosts and links of a platform file (or of the built-in cluster), or the\n"
        "          route between two of its hosts: links, latency, bottleneck\n"
        "draw      draws it, as SVG\n"
        "generate  prints a platform file made from a few numbers: a torus, a fat tree, ...; its options:\n"
        "          pgasim platform generate --help",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "FILE is XML, or a shared object that builds the platform (NAME.so).",
};

struct platform *platform_request_load(const struct platform_request *q, const char *path,
                                       struct base_settings *s)
{
    struct base_status st;
    struct platform *p = NULL;
    if (!path)
        return platform_default(q->ranks);
    if (!cli_platform_load(&p, path, s, &st))
        return p;
    base_error("%s", st.text);
    return NULL;
}

static int print_default(const struct platform_request *q)
{
    char *xml = q->storage ? cli_platform_built_in_xml(q->ranks) : platform_default_xml(q->ranks);
    fputs(xml, stdout);
    free(xml);
    return BASE_EXIT_OK;
}

/* A part, and how many words it takes. */
static const struct part {
    const char *name;
    int least, most;
    int (*fn)(const struct platform_request *q);
} parts[] = {
    {"default", 0, 0, print_default},
    {"check", 1, INT32_MAX, platform_request_check},
    {"show", 0, 3, platform_request_show},
    {"draw", 0, 1, platform_request_draw},
};

/* Reads options that stand before, between and behind the words, which are moved to the front of args[1...).
 */
static enum cli_read read_all(struct platform_request *q, int argc, char **args, int *words,
                              struct base_status *st)
{
    int at = 0;
    *words = 0;
    while (at < argc - 1) {
        int rest = argc - at;
        enum cli_read r = cli_options_read(&help_platform, q, argc - at, args + at, &rest, st);
        if (r != CLI_READ)
            return r;
        at += rest;
        if (at < argc)
            args[1 + (*words)++] = args[at];
    }
    return CLI_READ;
}

int cli_platform(int argc, char **args)
{
    struct base_status st;
    struct platform_request q = {.ranks = 1};
    int n;
    if (argc > 1 && !strcmp(args[1], "generate"))
        return cli_platform_generate(argc - 1, args + 1);
    enum cli_read r = read_all(&q, argc, args, &n, &st);
    if (r == CLI_READ_HELP) {
        cli_options_help(&help_platform, stdout);
        return BASE_EXIT_OK;
    }
    if (r == CLI_READ_FAILED)
        return cli_options_refuse(&help_platform, st.text);
    for (size_t k = 0; n > 0 && k < BASE_LENGTH(parts); k++)
        if (!strcmp(args[1], parts[k].name) && n - 1 >= parts[k].least && n - 1 <= parts[k].most) {
            q.word = args + 2;
            q.words = n - 1;
            return parts[k].fn(&q);
        }
    return cli_options_refuse(&help_platform, "expected default, check FILE, show, draw or generate");
}
