/* SPDX-License-Identifier: BSD-3-Clause */
/* platform_command: `pgasim platform` prints the built-in cluster as XML, or says what a platform file holds.
 */
#include "cli/command.h"
#include "cli/options.h"
#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

struct request {
    uint64_t ranks;
};

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    struct request *q = ctx;
    if (base_parse_uint(value, &q->ranks, st))
        return -1;
    if (q->ranks < 1 || q->ranks > UINT32_MAX)
        return base_fail(st, "-np %s: expected 1 to %u", value, UINT32_MAX);
    return 0;
}

static const struct cli_option table[] = {
    {"-np -n", "N", "make the built-in cluster large enough for N ranks\n(default: 1)", apply_ranks},
};

static const struct cli_options help_platform = {
    .usage = "pgasim platform default [-np N]\n"
             "pgasim platform show [-np N] [FILE]",
    .about =
        "default   prints the built-in cluster in SimGrid's platform language, to be changed and given\n"
        "          to pgasim run --platform\n"
        "show      reads a platform file (or takes the built-in cluster) and says what it holds; an error\n"
        "          in the file is reported as pgasim run would report it",
    .option = table,
    .n = BASE_LENGTH(table),
};

static int print_default(uint64_t ranks)
{
    char *xml = platform_default_xml(ranks);
    fputs(xml, stdout);
    free(xml);
    return BASE_EXIT_OK;
}

static int show(const char *path, uint64_t ranks)
{
    struct base_status st;
    struct platform *p = NULL;
    struct base_settings *s = cli_settings_create();
    int rc = 0;
    if (path)
        rc = platform_load(&p, path, s, &st);
    else
        p = platform_default(ranks);
    if (rc) {
        base_error("%s", st.text);
    } else {
        platform_print(p, stdout);
        platform_destroy(p);
    }
    base_settings_destroy(s);
    return rc ? BASE_EXIT_INPUT : BASE_EXIT_OK;
}

/* Reads options that stand before, between and behind the words, which are moved to the front of args[1...).
 */
static enum cli_read read_all(struct request *q, int argc, char **args, int *words, struct base_status *st)
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
    struct request q = {.ranks = 1};
    int n;
    enum cli_read r = read_all(&q, argc, args, &n, &st);
    if (r == CLI_READ_HELP) {
        cli_options_help(&help_platform, stdout);
        return BASE_EXIT_OK;
    }
    if (r == CLI_READ_FAILED)
        return cli_options_refuse(&help_platform, st.text);
    if (n == 1 && !strcmp(args[1], "default"))
        return print_default(q.ranks);
    if ((n == 1 || n == 2) && !strcmp(args[1], "show"))
        return show(n == 2 ? args[2] : NULL, q.ranks);
    return cli_options_refuse(&help_platform, "expected default or show");
}
