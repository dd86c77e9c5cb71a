/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * getopt: getopt, getopt_long and getopt_long_only as getopt(3) describes them, with GNU's kinds of ordering.
 * libc's versions keep hidden state, which ranks would share; here it is the rank's. The public variables are
 * libc's and are exchanged at switches.
 *
 * Non-option arguments are moved behind the options as these are found: [first, last) are the ones skipped so
 * far, and optind follows them.
 */
#include "fold/ahead/ahead.h"
#include "fold/libc/libc.h"

#include <stdlib.h>
#include <string.h>

/* One call: the command line and what it may hold. */
struct scan {
    struct libc_getopt *state;
    int argc;
    char **argv;
    const char *options;                  /* without the ordering character */
    enum { PERMUTE, STOP, RETURN } order; /* what a non-option argument does */
    bool loud;
    const struct option *longs; /* NULL: none */
    int *index;
    bool only; /* a single dash may begin a long option */
};

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1];
}

static void reverse(char **at, int n)
{
    for (int k = 0; k < n / 2; k++) {
        char *t = at[k];
        at[k] = at[n - 1 - k];
        at[n - 1 - k] = t;
    }
}

/* Moves the skipped arguments behind the options that were read since. */
static void exchange(struct scan *s)
{
    struct libc_getopt *g = s->state;
    int passed = g->last - g->first, read = optind - g->last;
    reverse(s->argv + g->first, passed);
    reverse(s->argv + g->last, read);
    reverse(s->argv + g->first, passed + read);
    g->first += read;
    g->last = optind;
}

static void begin(struct scan *s, const char *options, bool posix)
{
    struct libc_getopt *g = s->state;
    if (optind == 0 || !g->started || optind != g->left_at) { /* the application set it: start afresh */
        optind = optind ? optind : 1;
        *g = (struct libc_getopt){.first = optind, .last = optind, .started = true};
    }
    s->order = *options == '-'                                         ? RETURN
               : *options == '+' || posix || getenv("POSIXLY_CORRECT") ? STOP
                                                                       : PERMUTE;
    s->options = options + (*options == '-' || *options == '+');
    s->loud = opterr && *s->options != ':';
}

/* --- long options ------------------------------------------------------------------------------- */

static int complain_ambiguous(const struct scan *s, const char *dashes, const char *name, size_t length)
{
    if (s->loud) {
        fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", s->argv[0], dashes, name);
        for (const struct option *o = s->longs; o->name; o++)
            if (!strncmp(o->name, name, length))
                fprintf(stderr, " '%s%s'", dashes, o->name);
        fputc('\n', stderr);
    }
    optopt = 0;
    return '?';
}

/* The option with this name, or the one that begins with it. *ambiguous when several different ones do. */
static const struct option *find_long(const struct scan *s, const char *name, size_t length, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = s->longs; o->name; o++) {
        if (strncmp(o->name, name, length))
            continue;
        if (strlen(o->name) == length) {
            *ambiguous = false;
            return o;
        }
        if (!found)
            found = o;
        else if (s->only || found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val)
            *ambiguous = true;
    }
    return found;
}

static int take_long(struct scan *s, const struct option *o, const char *dashes, char *value)
{
    if (value && o->has_arg == no_argument) {
        if (s->loud)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", s->argv[0], dashes, o->name);
        optopt = o->val;
        return '?';
    }
    if (!value && o->has_arg == required_argument && optind < s->argc) {
        value = s->argv[optind++];
    } else if (!value && o->has_arg == required_argument) {
        if (s->loud)
            fprintf(stderr, "%s: option '%s%s' requires an argument\n", s->argv[0], dashes, o->name);
        optopt = o->val;
        return *s->options == ':' ? ':' : '?';
    }
    optarg = value;
    if (s->index)
        *s->index = (int)(o - s->longs);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* `name` follows the dashes. -1: not a long option, but maybe short ones. */
static int scan_long(struct scan *s, char *name, const char *dashes)
{
    bool ambiguous, maybe_short = s->only && dashes[1] == 0;
    char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct option *o = find_long(s, name, length, &ambiguous);
    if (!o && maybe_short && strchr(s->options, *name))
        return -1;
    s->state->rest = NULL;
    optind++;
    if (ambiguous)
        return complain_ambiguous(s, dashes, name, length);
    if (o)
        return take_long(s, o, dashes, equals ? equals + 1 : NULL);
    if (s->loud)
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", s->argv[0], dashes, name);
    optopt = 0;
    return '?';
}

/* --- short options ------------------------------------------------------------------------------ */

static int missing_argument(const struct scan *s, int c)
{
    if (s->loud)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", s->argv[0], c);
    optopt = c;
    return *s->options == ':' ? ':' : '?';
}

static int scan_short(struct scan *s)
{
    struct libc_getopt *g = s->state;
    int c = (unsigned char)*g->rest++;
    const char *known = c == ':' || c == ';' ? NULL : strchr(s->options, c);
    if (!*g->rest)
        optind++;
    if (!known) {
        if (s->loud)
            fprintf(stderr, "%s: invalid option -- '%c'\n", s->argv[0], c);
        optopt = c;
        return '?';
    }
    if (known[1] != ':')
        return c;
    char *rest = g->rest;
    g->rest = NULL;
    if (*rest) {
        optarg = rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= s->argc)
            return missing_argument(s, c);
        optarg = s->argv[optind++];
    }
    return c;
}

/* --- arguments ---------------------------------------------------------------------------------- */

/* Skips non-option arguments. */
static void pass_over(struct scan *s)
{
    struct libc_getopt *g = s->state;
    if (g->first != g->last && g->last != optind)
        exchange(s);
    else if (g->last != optind)
        g->first = optind;
    while (optind < s->argc && !is_option(s->argv[optind]))
        optind++;
    g->last = optind;
}

/* "--" ends the options; everything behind it is skipped. */
static void end_options(struct scan *s)
{
    struct libc_getopt *g = s->state;
    optind++;
    if (g->first != g->last && g->last != optind)
        exchange(s);
    else if (g->first == g->last)
        g->first = optind;
    g->last = optind = s->argc;
}

static int next(struct scan *s)
{
    struct libc_getopt *g = s->state;
    optarg = NULL;
    if (g->rest && *g->rest)
        return scan_short(s);
    if (s->order == PERMUTE)
        pass_over(s);
    if (optind < s->argc && !strcmp(s->argv[optind], "--"))
        end_options(s);
    if (optind >= s->argc) {
        if (g->first != g->last)
            optind = g->first; /* where the non-option arguments now begin */
        return -1;
    }
    char *argument = s->argv[optind];
    if (!is_option(argument)) {
        if (s->order == STOP)
            return -1;
        optarg = s->argv[optind++];
        return 1;
    }
    if (s->longs && argument[1] == '-')
        return scan_long(s, argument + 2, "--");
    if (s->longs && s->only && (argument[2] || !strchr(s->options, argument[1]))) {
        int c = scan_long(s, argument + 1, "-");
        if (c != -1)
            return c;
    }
    g->rest = argument + 1;
    return scan_short(s);
}

/* With gates the rank's variables are not libc's, which the code here works on. */
static void bring(const struct gates_options *o)
{
    optind = o->index;
    opterr = o->errors;
    optopt = o->character;
    optarg = o->argument;
}

static void take_back(struct gates_options *o)
{
    static const struct gates_options first = {1, 1, '?', NULL};
    *o = (struct gates_options){optind, opterr, optopt, optarg};
    bring(&first);
}

static int scan(struct scan s, const char *options, bool posix)
{
    struct gates_options *o = gates_options(rank_current->id);
    if (s.argc < 1)
        return -1;
    if (o)
        bring(o);
    s.state = &libc_of(rank_current)->getopt;
    begin(&s, options, posix);
    int c = next(&s);
    s.state->left_at = optind;
    if (o)
        take_back(o);
    return c;
}

int in_rank_getopt(int argc, char *const argv[], const char *options)
{
    if (!rank_current)
        return getopt(argc, argv, options);
    return scan((struct scan){.argc = argc, .argv = (char **)(uintptr_t)argv}, options, false);
}

int in_rank_posix_getopt(int argc, char *const argv[], const char *options)
{
    if (!rank_current)
        return getopt(argc, argv, options);
    return scan((struct scan){.argc = argc, .argv = (char **)(uintptr_t)argv}, options, true);
}

int in_rank_getopt_long(int argc, char *const argv[], const char *options, const struct option *longs,
                        int *index)
{
    if (!rank_current)
        return getopt_long(argc, argv, options, longs, index);
    return scan((struct scan){.argc = argc, .argv = (char **)(uintptr_t)argv, .longs = longs, .index = index},
                options, false);
}

int in_rank_getopt_long_only(int argc, char *const argv[], const char *options, const struct option *longs,
                             int *index)
{
    if (!rank_current)
        return getopt_long_only(argc, argv, options, longs, index);
    return scan(
        (struct scan){
            .argc = argc, .argv = (char **)(uintptr_t)argv, .longs = longs, .index = index, .only = true},
        options, false);
}
