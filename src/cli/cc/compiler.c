/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler: which compiler the wrappers call. */
#include "cli/cc/command.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
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

/* The variables that the wrappers of Open MPI and MPICH read, beside ours. */
static const char *variable_of_mpi(enum cc_language language)
{
    static const char *const names[3][6] = {
        {"OMPI_CC", "MPICH_CC"},
        {"OMPI_CXX", "MPICH_CXX"},
        {"OMPI_FC", "MPICH_FC", "OMPI_F90", "MPICH_F90", "OMPI_F77", "MPICH_F77"}};
    for (int k = 0; k < 6 && names[language][k]; k++) {
        const char *value = getenv(names[language][k]);
        if (value && *value)
            return names[language][k];
    }
    return NULL;
}

static void read_compiler(struct cc_compiler *c, enum cc_language language, const char *given)
{
    for (const char *p = given ? given : ""; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char *word = base_strfmt("%.*s", (int)strcspn(p, " "), p);
        BASE_ARRAY_PUSH(&c->words, word);
    }
    if (!c->words.n)
        cc_words_push(&c->words, first_known(language));
    c->language = language;
    const char *name = c->words.at[c->words.n - 1];
    char *file = on_path(name), *self = realpath("/proc/self/exe", NULL);
    /* seen through links such as /usr/bin/cc */
    c->clang = strstr(base_name(file ? file : name), "clang") || strstr(base_name(name), "clang");
    c->found = file != NULL;
    c->wrapper = file && self && !strcmp(file, self);
    free(file);
    free(self);
}

void cc_compiler_find(struct cc_compiler *c, enum cc_language language)
{
    cc_compiler_find_named(c, language, false, NULL);
}

/* CMake's FindMPI sets MPICH_CC to CMake's compiler, which may be a wrapper of ours. */
void cc_compiler_find_named(struct cc_compiler *c, enum cc_language language, bool mpi, const char *named)
{
    const char *ours = cc_compiler_variable(language), *other = mpi ? variable_of_mpi(language) : NULL;
    bool by_other = !named && !getenv(ours) && other;
    *c = (struct cc_compiler){.named_by = named ? "the option" : ours};
    read_compiler(c, language, named ? named : by_other ? getenv(other) : getenv(ours));
    if (!by_other || !c->wrapper)
        return;
    cc_compiler_release(c);
    *c = (struct cc_compiler){.named_by = ours, .behind = true};
    read_compiler(c, language, NULL);
}

void cc_compiler_release(struct cc_compiler *c)
{
    cc_words_release(&c->words);
}

char *cc_compiler_version(const struct cc_compiler *c)
{
    char *version = cc_words_ask(&c->words, "-dumpversion");
    if (version)
        version[strcspn(version, ".")] = 0;
    return version;
}
