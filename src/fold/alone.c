/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone: a program that is started without `pgasim run`, by a configure script, by `make check` or by hand,
 * runs as the only rank of a job. To do so, the process becomes `pgasim run` before anything of the program
 * has run. A program that calls nothing of OpenSHMEM stays an ordinary one, such as a tool that a build makes
 * for itself, and so does one with annotations; these become a job at their first call, if any.
 */
#include "fold/internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crt/program.h"

/* build/lib/libpgasim.so -> build/bin/pgasim; the same when installed. */
static bool find_command(char *path, size_t size)
{
    Dl_info self;
    char real[4096];
    if (!dladdr((const void *)(uintptr_t)fold_register, &self) || !self.dli_fname ||
        !realpath(self.dli_fname, real))
        return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    int n = snprintf(path, size, "%s/bin/pgasim", real);
    return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

static bool own_file(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = 0;
    return n > 0;
}

struct words {
    BASE_ARRAY(char *) list;
};

/* Appends the arguments of this process, from argv[1] on. Returns argv[0], or NULL. */
static char *own_arguments(struct words *w)
{
    FILE *f = fopen("/proc/self/cmdline", "re");
    char *first = NULL, *word = NULL;
    size_t size = 0;
    for (; f && getdelim(&word, &size, 0, f) > 0; word = NULL, size = 0)
        if (first)
            BASE_ARRAY_PUSH(&w->list, word);
        else
            first = word;
    free(word);
    if (f)
        fclose(f);
    return first;
}

/* What is allocated here lives as long as the process, which ends with execv. */
static void restart_under_run(void)
{
    static char command[4200], exe[4200];
    static char name[] = "pgasim", run[] = "run", alone[] = "--alone", end[] = "--";
    if (!dlsym(RTLD_DEFAULT, PGASIM_PROGRAM_SYMBOL) || !own_file(exe, sizeof exe) ||
        !find_command(command, sizeof command) || !strcmp(command, exe))
        return;
    struct words given = {0}, all = {0};
    char *as = own_arguments(&given);
    char *const before[] = {name, run, alone, as ? as : exe, end, exe};
    for (size_t k = 0; k < BASE_LENGTH(before); k++)
        BASE_ARRAY_PUSH(&all.list, before[k]);
    for (size_t k = 0; k < given.list.n; k++)
        BASE_ARRAY_PUSH(&all.list, given.list.at[k]);
    BASE_ARRAY_PUSH(&all.list, NULL);
    execv(command, all.list.at);
}

/* Whether the program or a library of its own refers to OpenSHMEM. One with annotations (pgasim.h, SMPI's) is
 * made to run without a simulation, too: it becomes a job when it makes its first call, if any. */
static bool needs_a_job(void)
{
    static char exe[4200];
    struct fold_survey s;
    if (!own_file(exe, sizeof exe) || fold_survey_read(&s, exe, getenv("LD_LIBRARY_PATH"), NULL))
        return false;
    bool calls = false, annotated = false;
    for (size_t k = 0; k < s.supported.n; k++) {
        const char *name = s.supported.at[k].name;
        bool annotation =
            !strncmp(name, "pgasim_", 7) || !strncmp(name, "smpi_", 5) || !strncmp(name, "sg_", 3);
        calls |= !annotation;
        annotated |= annotation;
    }
    fold_survey_release(&s);
    return calls && !annotated;
}

/* Runs before the program's own constructors. */
static __attribute__((constructor)) void begin(void)
{
    rank_on_stray(restart_under_run);
    if (dlsym(RTLD_DEFAULT, PGASIM_PROGRAM_SYMBOL) && needs_a_job())
        restart_under_run();
}
