/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * args: what a compiler's command line will do (private to cli/cc/). Knows the options of gcc and clang that
 * decide this: which take the next word, which stop before linking, which choose what is linked.
 */
#ifndef PGASIM_CLI_CC_ARGS_H
#define PGASIM_CLI_CC_ARGS_H

#include "cli/words/words.h"

enum cc_goal {
    CC_NOTHING,     /* no input: --version and the like */
    CC_COMPILE,     /* -c, -S, -E, a header alone, ...: stops before linking */
    CC_RELOCATABLE, /* -r: links objects into an object */
    CC_SHARED,      /* -shared: links a library of the program */
    CC_PROGRAM,
};

/* `words`: the arguments, less what drop.h says. */
struct cc_args {
    struct cc_words words;
    struct cc_words dropped; /* libraries that were left out, as they were given: for a notice */
    enum cc_goal goal;
    bool sources;   /* an input is compiled */
    bool language;  /* -x is in force at the end */
    bool gold;      /* the linker is gold */
    bool tls_model; /* -ftls-model= was given */
    bool check;     /* code is instrumented (check.c) */
};

/* Reads args[0...n). `check`: code is instrumented, unless the arguments say otherwise. Response files (@FILE) are read, and replaced by their words if one of these must be
 * left out. -1 with st when the request cannot work (-static). */
int cc_args_read(struct cc_args *a, int n, char **args, bool check, struct base_status *st);
void cc_args_release(struct cc_args *a);

/* check.c: what an option says of a->check. */
void cc_check_read(struct cc_args *a, const char *word);

/* Whether the word is an option whose value is the next word. */
bool cc_takes_next(const char *word);

#endif
