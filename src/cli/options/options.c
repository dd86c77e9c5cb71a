/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options: command lines read by a table, and the table shown as help.
 *
 * Invariants
 *  L1  Every name in a table fits NAMES.
 */
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 96, HELP_COLUMN = 28 };

static const char *undashed(const char *word)
{
    if (*word == '-')
        word++;
    if (*word == '-')
        word++;
    return word;
}

/* The next of the space-separated words at *list, copied without dashes; false at the end. */
static bool next_name(const char **list, char name[NAMES])
{
    *list += strspn(*list, " ");
    size_t n = strcspn(*list, " ");
    if (!n)
        return false;
    BASE_ASSERT("L1", n < NAMES);
    char word[NAMES];
    memcpy(word, *list, n);
    word[n] = 0;
    *list += n;
    strcpy(name, undashed(word));
    return true;
}

static const struct cli_option *find(const struct cli_options *o, const char *name, size_t length)
{
    for (size_t k = 0; k < o->n; k++) {
        const char *list = o->option[k].names;
        char known[NAMES];
        while (next_name(&list, known))
            if (strlen(known) == length && !memcmp(known, name, length))
                return &o->option[k];
    }
    return o->also ? find(o->also, name, length) : NULL;
}

static bool nearest_of(const struct cli_options *o, struct base_nearest *near, char best[NAMES])
{
    bool found = false;
    for (size_t k = 0; k < o->n; k++) {
        const char *list = o->option[k].names;
        char known[NAMES];
        while (next_name(&list, known)) {
            if (!base_nearest_offer(near, known))
                continue;
            found = true;
            const char *shown = list - strlen(known);
            while (shown > o->option[k].names && shown[-1] == '-')
                shown--;
            snprintf(best, NAMES, "%.*s", (int)(list - shown), shown);
        }
    }
    return found;
}

/* The nearest known spelling, as it is shown (with its dashes); false when none is near. */
static bool nearest(const struct cli_options *o, const char *name, char best[NAMES])
{
    struct base_nearest near = {.given = name};
    bool found = base_nearest_offer(&near, "help");
    strcpy(best, "--help");
    for (; o; o = o->also)
        found |= nearest_of(o, &near, best);
    return found;
}

static int words(const char *value)
{
    int n = value != NULL;
    for (; value && *value; value++)
        n += *value == ' ';
    return n;
}

static int unknown(const struct cli_options *o, const char *word, size_t length, struct base_status *st)
{
    char name[NAMES], near[NAMES];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (!nearest(o, undashed(name), near))
        return base_fail(st, "unknown option %s", name);
    return base_fail(st, "unknown option %s; the nearest known one is %s", name, near);
}

static bool is_pair(const struct cli_option *opt)
{
    return opt->value && !strcmp(opt->value, "NAME VALUE");
}

/* How many words behind the option's own it takes; `equals`: a value stands in its own word. */
static int words_behind(const struct cli_option *opt, bool equals, const char *next)
{
    int takes = words(opt->value) - equals;
    return is_pair(opt) && !equals && next && strchr(next, '=') ? 1 : takes;
}

/* "NAME=VALUE" of both forms. */
static const char *value_of(const struct cli_options *o, void *ctx, const struct cli_option *opt,
                            const char *equals, char *const *next, int more)
{
    const char *value = equals ? equals + 1 : more ? next[0] : NULL;
    if (is_pair(opt) && more == (equals ? 1 : 2)) {
        char *pair = base_strfmt("%s=%s", value, next[more - 1]);
        o->own(ctx, pair);
        value = pair;
    }
    return value;
}

/* Applies the option at args[*at] and moves *at behind it and its value. */
static int read_one(const struct cli_options *o, void *ctx, int argc, char **args, int *at,
                    struct base_status *st)
{
    const char *word = args[*at], *name = undashed(word);
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct cli_option *opt = find(o, name, length);
    if (!opt)
        return unknown(o, word, length + (size_t)(name - word), st);
    if (equals && !opt->value)
        return base_fail(st, "option %.*s takes no value", (int)(equals - word), word);
    int more = words_behind(opt, equals != NULL, *at + 1 < argc ? args[*at + 1] : NULL);
    if (*at + more >= argc)
        return base_fail(st, "option %.*s needs a value: %s", (int)(length + (size_t)(name - word)), word,
                         opt->value);
    const char *value = value_of(o, ctx, opt, equals, args + *at + 1, more);
    *at += 1 + more;
    if (o->used)
        o->used(ctx, opt, word);
    return opt->apply(ctx, value, st);
}

enum cli_read cli_options_read(const struct cli_options *o, void *ctx, int argc, char **args, int *rest,
                               struct base_status *st)
{
    int at = 1;
    while (at < argc && args[at][0] == '-' && args[at][1]) {
        if (!strcmp(args[at], "--")) {
            at++;
            break;
        }
        if (!strcmp(undashed(args[at]), "help") || !strcmp(args[at], "-h"))
            return CLI_READ_HELP;
        if (read_one(o, ctx, argc, args, &at, st))
            return CLI_READ_FAILED;
    }
    *rest = at;
    return CLI_READ;
}

char **cli_options_inner(const struct cli_options *o, int argc, char **args)
{
    char **inner = base_zalloc(((size_t)argc + 1) * sizeof *inner, "command line");
    int at = 1, n = 0;
    while (at < argc && args[at][0] == '-' && args[at][1] && strcmp(args[at], "--")) {
        const char *name = undashed(args[at]), *equals = strchr(name, '=');
        const struct cli_option *opt = find(o, name, equals ? (size_t)(equals - name) : strlen(name));
        BASE_ASSERT("C1: options were read before", opt != NULL);
        int end = at + 1 + words_behind(opt, equals != NULL, args[at + 1]);
        for (; at < end; at++)
            if (!o->outer(opt))
                inner[n++] = args[at];
    }
    while (at < argc)
        inner[n++] = args[at++];
    return inner;
}

/* Prints lines of `text`, all but the first indented by `indent`. */
static void print_lines(FILE *out, const char *text, int indent)
{
    for (;;) {
        size_t n = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)n, text);
        if (!text[n])
            return;
        text += n + 1;
        fprintf(out, "%*s", indent, "");
    }
}

static void print_option(FILE *out, const struct cli_option *opt)
{
    char left[NAMES * 2];
    size_t n = 0;
    for (const char *p = opt->names; *p; p++) {
        if (*p == ' ')
            left[n++] = ',';
        left[n++] = *p;
    }
    snprintf(left + n, sizeof left - n, "%s%s", opt->value ? " " : "", opt->value ? opt->value : "");
    if (2 + strlen(left) + 2 > HELP_COLUMN)
        fprintf(out, "  %s\n%*s", left, HELP_COLUMN, "");
    else
        fprintf(out, "  %-*s", HELP_COLUMN - 2, left);
    print_lines(out, opt->help, HELP_COLUMN);
}

void cli_options_help(const struct cli_options *o, FILE *out)
{
    fputs("usage: ", out);
    print_lines(out, o->usage, 7);
    fprintf(out, "\n%s\n", o->about);
    if (o->n)
        fputs("\noptions:\n", out);
    for (size_t k = 0; k < o->n; k++)
        print_option(out, &o->option[k]);
    if (o->also)
        fprintf(out, "\n%s\n", o->also->about);
    for (size_t k = 0; o->also && k < o->also->n; k++)
        print_option(out, &o->also->option[k]);
    if (o->notes)
        fprintf(out, "\n%s\n", o->notes);
}

int cli_option_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *out,
                      struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(value, &n, NULL) || n < least || n > most)
        return base_fail(st, "%s %.80s: expected %llu to %llu", option, value, (unsigned long long)least,
                         (unsigned long long)most);
    *out = n;
    return 0;
}

int cli_option_count(const char *option, const char *value, uint32_t most, uint32_t *out,
                     struct base_status *st)
{
    uint64_t n = 0;
    if (cli_option_number(option, value, 1, most, &n, st))
        return -1;
    *out = (uint32_t)n;
    return 0;
}

int cli_option_ranks(const char *value, uint64_t *out, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(value, &n, NULL) || n < 1 || n > UINT32_MAX)
        return base_fail(st, "-np %.80s: expected a number of ranks from 1 to %u", value, UINT32_MAX);
    *out = n;
    return 0;
}

int cli_option_seconds(const char *option, const char *value, double *out, struct base_status *st)
{
    double seconds;
    if (base_parse_time(value, &seconds, NULL) || !(seconds > 0 && seconds <= 1e9))
        return base_fail(st, "%s %.80s: expected a time above 0, such as 60 or 10m", option, value);
    *out = seconds;
    return 0;
}

int cli_options_refuse(const struct cli_options *o, const char *reason)
{
    size_t n = strcspn(o->usage, " \n"); /* "pgasim NAME ..." */
    n += strcspn(o->usage + n + 1, " \n") + 1;
    base_error("%s (see %.*s --help)", reason, (int)n, o->usage);
    return BASE_EXIT_INPUT;
}
