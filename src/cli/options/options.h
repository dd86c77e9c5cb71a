/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options: command lines read by a table (private to cli/). The same table prints the help.
 *
 * Launchers spell options with one dash or two, and the value as the next word or behind '='; all of these
 * are one here, so that the command lines of other launchers work. Options end at the first word that is
 * none, or behind `--`.
 */
#ifndef PGASIM_CLI_OPTIONS_H
#define PGASIM_CLI_OPTIONS_H

#include "base/base.h"

/* One option. `apply` gets the command's context and the value's first word (NULL when it takes none). */
struct cli_option {
    const char *names; /* "-np -n": as shown; matched without regard to the number of dashes */
    /* "N": the words that it takes; NULL: none. "NAME VALUE" may also be one word, NAME=VALUE, which is what
     * `apply` gets. */
    const char *value;
    const char *help; /* for people; lines of at most 60 columns, separated by '\n' */
    int (*apply)(void *ctx, const char *value, struct base_status *st);
};

/* Most options keep their value, or that they were given, in a field of the context: each line of these defines
 * the `apply` of one. */
#define CLI_TEXT(name, context, field)                                                                       \
    static int name(void *ctx, const char *value, struct base_status *st)                                    \
    {                                                                                                        \
        (void)st;                                                                                            \
        ((context *)ctx)->field = value;                                                                     \
        return 0;                                                                                            \
    }
#define CLI_FLAG(name, context, field)                                                                       \
    static int name(void *ctx, const char *value, struct base_status *st)                                    \
    {                                                                                                        \
        (void)value, (void)st;                                                                               \
        ((context *)ctx)->field = true;                                                                      \
        return 0;                                                                                            \
    }
/* Values of `option`: a whole number from `least` to `most`; so many of something, one at least; a time of this
 * machine, above 0. */
int cli_option_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *out,
                      struct base_status *st);
int cli_option_count(const char *option, const char *value, uint32_t most, uint32_t *out,
                     struct base_status *st);
int cli_option_ranks(const char *value, uint64_t *out, struct base_status *st); /* of -np */
int cli_option_seconds(const char *option, const char *value, double *out, struct base_status *st);

struct cli_options {
    const char *usage; /* lines behind "usage: ", separated by '\n' */
    const char *about; /* a paragraph above the options */
    const struct cli_option *option;
    size_t n;
    const char *notes;              /* below the options; may be NULL */
    const struct cli_options *also; /* more options, shown under their `about`; NULL: none */
    /* Gets texts that were made of two words, which must live as long as what `apply` keeps. */
    void (*own)(void *ctx, char *text);
    /* Told of each option that was applied, as it was spelled; NULL: nobody asks. */
    void (*used)(void *ctx, const struct cli_option *opt, const char *word);
    /* Is it about how the command itself is started? NULL: none is. */
    bool (*outer)(const struct cli_option *opt);
};

enum cli_read { CLI_READ, CLI_READ_HELP, CLI_READ_FAILED };
/* Applies args[1...] and gives the first word that is no option (args[argc] when there is none) in `*rest`.
 * HELP: --help or -h was met. FAILED: st says why, naming the nearest option for an unknown one. */
enum cli_read cli_options_read(const struct cli_options *o, void *ctx, int argc, char **args, int *rest,
                               struct base_status *st);
/* The words args[1...] without the options that are `outer`, NULL-ended; the caller frees the list. The
 * command line was read without failure. */
char **cli_options_inner(const struct cli_options *o, int argc, char **args);
void cli_options_help(const struct cli_options *o, FILE *out);
/* For a command whose arguments are wrong: prints the reason and where help is; BASE_EXIT_INPUT. */
int cli_options_refuse(const struct cli_options *o, const char *reason);

/* --- settings.c --- */
/* PGASIM_* names in the environment that are not settings; NULL ends the list. */
extern const char *const cli_not_settings[];
/* Everything that can be set: the tables of all modules. */
struct base_settings *cli_settings_create(void);
/* Sets from the command line what "KEY=VALUE" or SimGrid's "KEY:VALUE" says. */
int cli_settings_assign(struct base_settings *s, const char *text, struct base_status *st);

#endif
