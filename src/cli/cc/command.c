/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command: puts the compiler command together.
 *
 * A program is linked as a shared object that can also be started: with -shared its thread-local data is of
 * the dynamic kind, so that it can be loaded many times; the start-up object brings the interpreter and the
 * record by which pgasim recognizes it, and Scrt1.o the entry point.
 */
#include "cli/cc/command.h"

#include <stdlib.h>
#include <string.h>

static void push_format(struct cc_words *out, const char *before, const char *text)
{
    char *word = base_strfmt("%s%s", before, text);
    BASE_ARRAY_PUSH(out, word);
}

static void push_all(struct cc_words *out, const char *const *words)
{
    for (; *words; words++)
        cc_words_push(out, *words);
}

void cc_flags_include(struct cc_words *out, const struct cli_places *p)
{
    push_format(out, "-I", p->include);
}

/* Whether the user compiles for a shared library, in which calls may reach another object's definition. */
static bool for_library(const struct cc_args *a)
{
    bool pic = false;
    for (size_t k = 0; k < a->words.n; k++) {
        const char *w = a->words.at[k];
        if (!strcmp(w, "-fPIC") || !strcmp(w, "-fpic"))
            pic = true;
        else if (!strcmp(w, "-fPIE") || !strcmp(w, "-fpie") || !strcmp(w, "-fno-PIC") ||
                 !strcmp(w, "-fno-pic"))
            pic = false;
    }
    return pic || a->goal == CC_SHARED;
}

/* Large frames touch each of their pages, so a rank that runs out of stack meets the guard below it and not
 * another rank's stack. clang for aarch64 has learned it late; before, it says that it ignores the option. */
static void push_stack_clash(struct cc_words *out, bool clang)
{
    bool careful = false;
#if defined(__aarch64__)
    careful = clang;
#endif
    (void)clang;
    if (careful)
        cc_words_push(out, "--start-no-unused-arguments");
    cc_words_push(out, "-fstack-clash-protection");
    if (careful)
        cc_words_push(out, "--end-no-unused-arguments");
}

/* -fPIC: every object becomes part of something that is loaded once per rank. Calls within a program may be
 * bound at compile time, as they are in an executable. Unique symbols would be one for all ranks. */
void cc_flags_compile(struct cc_words *out, const struct cc_compiler *c, bool library)
{
    cc_words_push(out, "-fPIC");
    push_stack_clash(out, c->clang);
    if (!library)
        cc_words_push(out, "-fno-semantic-interposition");
    if (!c->clang)
        cc_words_push(out, "-fno-gnu-unique");
#if defined(__aarch64__) /* thread-local variables found by a call, which can be replaced */
    if (!c->clang)
        cc_words_push(out, "-mtls-dialect=trad");
#endif
}

/* -Bsymbolic: a program uses its own definitions, as an executable does, however many copies are loaded.
 * Undefined symbols are a link error, as in an executable. There are few segments, because each costs a
 * mapping per rank, and nothing to resolve or protect later. main may be in an archive. */
void cc_flags_link(struct cc_words *out, bool gold)
{
    static const char *const flags[] = {"-shared",        "-fPIC",       "-Wl,-e,_start",
                                        "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,now",
                                        "-Wl,-z,norelro", "-Wl,-u,main", NULL};
    push_all(out, flags);
    if (!gold) /* which has one layout only */
        cc_words_push(out, "-Wl,-z,noseparate-code");
}

/* -L and -l rather than the file, so that libtool and CMake recognize the library. */
static void push_library(struct cc_words *out, const struct cli_places *p, bool ours, bool abi)
{
    char *folder = base_strfmt("%.*s", (int)(strrchr(p->library, '/') - p->library), p->library);
    cc_words_push(out, "-Wl,--push-state,-Bdynamic,--no-as-needed");
    push_format(out, "-L", folder);
    if (ours)
        cc_words_push(out, "-lpgasim");
    if (abi)
        cc_words_push(out, "-lmpi_abi");
    cc_words_push(out, "-Wl,--pop-state");
    push_format(out, "-Wl,-rpath,", folder);
    cc_words_push(out, "-Wl,--allow-shlib-undefined");
    free(folder);
}

void cc_libs_program(struct cc_words *out, const struct cli_places *p, bool abi)
{
    cc_words_push(out, p->crt);
    cc_words_push(out, "-l:Scrt1.o");
    push_library(out, p, true, abi);
}

void cc_libs_plain(struct cc_words *out, const struct cli_places *p)
{
    char *folder = base_strfmt("-L%.*s", (int)(strrchr(p->library, '/') - p->library), p->library);
    cc_words_push(out, folder);
    cc_words_push(out, "-lpgasim");
    free(folder);
}

void cc_libs_shared(struct cc_words *out, const struct cli_places *p, bool abi)
{
    push_library(out, p, !abi, abi);
}

void cc_command_make(struct cc_words *out, const struct cc_compiler *c, const struct cc_args *a,
                     const struct cli_places *p, bool abi)
{
    bool compiles = a->goal != CC_NOTHING && a->sources;
    cc_words_push_all(out, &c->words);
    if (compiles)
        cc_flags_include(out, p);
    if (compiles && c->language == CC_FORTRAN)
        cc_flags_fortran(out, c, p);
    if (a->goal == CC_PROGRAM)
        cc_flags_link(out, a->gold);
    if (compiles && a->check)
        cc_check_before(out);
    cc_words_push_all(out, &a->words);
    if (compiles)
        cc_flags_compile(out, c, for_library(a));
    if (compiles && a->check)
        cc_check_compile(out, c);
    if (compiles && a->tls_model) /* a faster model would tie the program to one place */
        cc_words_push(out, "-ftls-model=global-dynamic");
    if (a->goal != CC_PROGRAM && a->goal != CC_SHARED)
        return;
    if (a->language) {
        cc_words_push(out, "-x");
        cc_words_push(out, "none");
    }
    cc_sanitize_link(out, c, a);
    if (a->check)
        cc_check_link(out, c);
    if (a->goal == CC_PROGRAM)
        cc_libs_program(out, p, abi || cc_wants_abi(a));
    else
        cc_libs_shared(out, p, abi);
}
