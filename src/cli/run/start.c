/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start: what each part of the command line starts: its program's file, its folder, its environment.
 * Where only one part is, folder and environment are the process's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/run/run.h"

/* The first file of that name in the folders; NULL: there is none. */
static char *search_in(const char *folders, const char *name)
{
    for (const char *p = folders; p; p = strchr(p, ':')) {
        p += *p == ':';
        char *program = base_strfmt("%.*s/%s", (int)strcspn(p, ":"), p, name);
        if (!access(program, F_OK))
            return program;
        free(program);
    }
    return NULL;
}

/* -path's folders come first, then the current folder, as for other launchers, then PATH. */
static char *search_program(const struct run_part *p)
{
    const char *name = p->program[0];
    char *program = strchr(name, '/') ? NULL : search_in(p->path, name);
    if (!program && !strchr(name, '/') && access(name, F_OK))
        program = search_in(getenv("PATH"), name);
    return program ? program : base_strdup(name);
}

/* --- folders ----------------------------------------------------------------------------------------- */

static int enter(const char *folder, struct base_status *st)
{
    return folder && chdir(folder) ? base_fail(st, "--wdir %s: %s", folder, strerror(errno)) : 0;
}

static int here(void)
{
    return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int go_back(int folder, struct base_status *st)
{
    int failed = folder >= 0 && fchdir(folder);
    if (folder >= 0)
        close(folder);
    return failed ? base_fail(st, "cannot go back to a folder: %s", strerror(errno)) : 0;
}

/* --- what the programs have to find in the process ----------------------------------------------------- */

static int prepare(const struct run *r, const struct run_part *p, int start, struct base_status *st)
{
    bool moves = r->options.folder || p->folder;
    if (enter(r->options.folder, st) || enter(p->folder, st))
        return -1;
    char *program = search_program(p);
    base_guard_file(program, "reading it");
    int failed = run_preload(program, moves ? start : -1, st);
    base_guard_end();
    free(program);
    return failed;
}

int run_starts_prepare(const struct run *r, struct base_status *st)
{
    int start = here(), failed = 0;
    for (size_t k = 0; k < r->options.parts.n && !failed; k++) {
        failed = prepare(r, &r->options.parts.at[k], start, st);
        if (!failed && start >= 0 && fchdir(start))
            failed = base_fail(st, "cannot go back to a folder: %s", strerror(errno));
    }
    struct base_status ignored;
    (void)go_back(start, failed ? &ignored : st);
    return failed;
}

/* --- the starts ---------------------------------------------------------------------------------------- */

static int find_program(char **out, const struct run_part *p, bool alone, struct base_status *st)
{
    struct stat file;
    char *program = search_program(p);
    int failed = stat(program, &file) ? base_fail(st, "program %s: %s", p->program[0], strerror(errno)) : 0;
    if (!failed && S_ISDIR(file.st_mode))
        failed = base_fail(st, "program %s is a directory", p->program[0]);
    *out = failed || alone ? program : realpath(program, NULL);
    if (*out != program)
        free(program);
    return failed || *out ? failed : base_fail(st, "program %s: %s", p->program[0], strerror(errno));
}

static size_t place_in(char **list, size_t n, const char *text, size_t name)
{
    for (size_t k = 0; k < n; k++)
        if (!strncmp(list[k], text, name + 1))
            return k;
    return n;
}

/* The process's environment with the part's variables. Those that are added belong to the list. */
static char **environment_of(const struct run_part *p)
{
    size_t n = 0;
    if (!p->exports.n)
        return environ;
    while (environ[n])
        n++;
    char **list = base_zalloc((n + p->exports.n + 1) * sizeof *list, "environment");
    memcpy(list, environ, n * sizeof *list);
    for (size_t k = 0; k < p->exports.n; k++) {
        const char *text = p->exports.at[k];
        size_t name = strcspn(text, "=");
        if (!text[name]) /* its value is in the process's already */
            continue;
        size_t at = place_in(list, n, text, name);
        list[at] = (char *)(uintptr_t)text;
        n += at == n;
    }
    return list;
}

static int make_start(struct run *r, size_t k, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct run_part *p = &r->options.parts.at[k];
    char *program = NULL;
    int start = p->folder ? here() : -1;
    int failed = enter(p->folder, st) || find_program(&program, p, o->alone != NULL, st);
    char *folder = p->folder && !failed ? getcwd(NULL, 0) : NULL;
    struct base_status ignored;
    failed |= go_back(start, failed ? &ignored : st);
    r->start[k] = (struct fold_config){.program = program,
                                       .argv = p->program,
                                       .envp = environment_of(p),
                                       .folder = folder,
                                       .privatize = o->privatize,
                                       .ranks = (uint32_t)p->ranks};
    r->part_ranks[k] = (uint32_t)p->ranks;
    if (!failed && o->alone)
        p->program[0] = (char *)(uintptr_t)o->alone;
    return failed ? -1 : 0;
}

int run_starts_make(struct run *r, struct base_status *st)
{
    size_t n = r->options.parts.n;
    r->start = base_zalloc(n * sizeof *r->start, "parts of the command line");
    r->part_ranks = base_zalloc(n * sizeof *r->part_ranks, "parts of the command line");
    if (enter(r->options.folder, st))
        return -1;
    for (size_t k = 0; k < n; k++)
        if (make_start(r, k, st))
            return -1;
    return 0;
}

void run_starts_release(struct run *r)
{
    for (size_t k = 0; r->start && k < r->options.parts.n; k++) {
        free((char *)(uintptr_t)r->start[k].program);
        free((char *)(uintptr_t)r->start[k].folder);
        if (r->start[k].envp && r->options.parts.at[k].exports.n)
            free(r->start[k].envp);
    }
    free(r->start);
    free(r->part_ranks);
}
