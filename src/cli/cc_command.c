/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cc_command: puts the compiler command together.
 *
 * A program is linked as a shared object that can also be started: with -shared its thread-local data is of
 * the dynamic kind, so that it can be loaded many times; the start-up object brings the interpreter and the
 * record by which pgasim recognizes it, and Scrt1.o the entry point.
 */
#include "cli/cc_command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The full path of a program on PATH, or NULL. */
static char *on_path(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return realpath(name, NULL);
    for (const char *p = path ? path : "/usr/bin:/bin"; p; p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
        char *file = base_strfmt("%.*s/%s", (int)strcspn(p, ":"), p, name);
        char *real = access(file, X_OK) ? NULL : realpath(file, NULL);
        free(file);
        if (real)
            return real;
    }
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *first_known(enum cc_language language)
{
    static const char *const names[3][3] = {
        {"gcc", "cc", "clang"}, {"g++", "c++", "clang++"}, {"gfortran", "flang-new", "flang"}};
    for (int k = 0; k < 3; k++) {
        char *file = on_path(names[language][k]);
        free(file);
        if (file)
            return names[language][k];
    }
    return names[language][0];
}

const char *cc_compiler_variable(enum cc_language language)
{
    static const char *const names[] = {"PGASIM_CC", "PGASIM_CXX", "PGASIM_FC"};
    return names[language];
}

void cc_compiler_find(struct cc_compiler *c, enum cc_language language)
{
    const char *given = getenv(cc_compiler_variable(language));
    *c = (struct cc_compiler){0};
    for (const char *p = given ? given : ""; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char *word = base_strfmt("%.*s", (int)strcspn(p, " "), p);
        BASE_ARRAY_PUSH(&c->words, word);
    }
    if (!c->words.n)
        cc_words_push(&c->words, first_known(language));
    const char *name = c->words.at[c->words.n - 1];
    char *file = on_path(name), *self = realpath("/proc/self/exe", NULL);
    /* seen through links such as /usr/bin/cc */
    c->clang = strstr(base_name(file ? file : name), "clang") || strstr(base_name(name), "clang");
    c->found = file != NULL;
    c->wrapper = file && self && !strcmp(file, self);
    free(file);
    free(self);
}

void cc_compiler_release(struct cc_compiler *c)
{
    cc_words_release(&c->words);
}

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
 * mapping per rank, and nothing to resolve or protect later. */
void cc_flags_link(struct cc_words *out, bool gold)
{
    static const char *const flags[] = {"-shared",     "-fPIC",      "-Wl,-e,_start",  "-Wl,-Bsymbolic",
                                        "-Wl,-z,defs", "-Wl,-z,now", "-Wl,-z,norelro", NULL};
    push_all(out, flags);
    if (!gold) /* which has one layout only */
        cc_words_push(out, "-Wl,-z,noseparate-code");
}

/* -L and -l rather than the file, so that libtool and CMake recognize the library. */
static void push_library(struct cc_words *out, const struct cli_places *p)
{
    char *folder = base_strfmt("%.*s", (int)(strrchr(p->library, '/') - p->library), p->library);
    cc_words_push(out, "-Wl,--push-state,-Bdynamic,--no-as-needed");
    push_format(out, "-L", folder);
    cc_words_push(out, "-lpgasim");
    cc_words_push(out, "-Wl,--pop-state");
    push_format(out, "-Wl,-rpath,", folder);
    cc_words_push(out, "-Wl,--allow-shlib-undefined");
    free(folder);
}

void cc_libs_program(struct cc_words *out, const struct cli_places *p)
{
    cc_words_push(out, p->crt);
    cc_words_push(out, "-l:Scrt1.o");
    push_library(out, p);
}

void cc_libs_shared(struct cc_words *out, const struct cli_places *p)
{
    push_library(out, p);
}

void cc_command_make(struct cc_words *out, const struct cc_compiler *c, const struct cc_args *a,
                     const struct cli_places *p)
{
    bool compiles = a->goal != CC_NOTHING && a->sources;
    cc_words_push_all(out, &c->words);
    if (compiles)
        cc_flags_include(out, p);
    if (a->goal == CC_PROGRAM)
        cc_flags_link(out, a->gold);
    cc_words_push_all(out, &a->words);
    if (compiles)
        cc_flags_compile(out, c, for_library(a));
    if (compiles && a->tls_model) /* a faster model would tie the program to one place */
        cc_words_push(out, "-ftls-model=global-dynamic");
    if (a->goal != CC_PROGRAM && a->goal != CC_SHARED)
        return;
    if (a->language) {
        cc_words_push(out, "-x");
        cc_words_push(out, "none");
    }
    cc_sanitize_link(out, c, a);
    if (a->goal == CC_PROGRAM)
        cc_libs_program(out, p);
    else
        cc_libs_shared(out, p);
}
