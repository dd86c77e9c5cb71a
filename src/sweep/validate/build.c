/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build: programs from source, once with the real MPI's compiler and once with pgasim's. They are kept beside the
 * database, under a name that tells what they were made of.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/validate/parts.h"

struct words {
    const char **at;
    size_t n, cap;
};

static void push(struct words *w, const char *word)
{
    BASE_ARRAY_PUSH(w, word);
}

static void push_texts(struct words *w, const struct study_texts *t)
{
    for (size_t k = 0; k < t->n; k++)
        push(w, t->at[k].at);
}

/* The wrapper for the language that the name ends with. */
static const char *wrapper_of(const char *source)
{
    static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".C"}, *const fortran[] = {".f", ".F", ".f90",
                                                                                        ".F90", ".f08"};
    const char *dot = strrchr(source, '.');
    for (size_t k = 0; dot && k < BASE_LENGTH(cxx); k++)
        if (!strcmp(dot, cxx[k]))
            return "mpicxx";
    for (size_t k = 0; dot && k < BASE_LENGTH(fortran); k++)
        if (!strcmp(dot, fortran[k]))
            return "mpifort";
    return "mpicc";
}

/* `blank`: the text of the compiler, which is cut into words. */
static void command_of(const struct validate *v, const struct study_subject *s, bool real, char *blank,
                       const char *out, struct words *w)
{
    if (real) {
        for (char *rest = blank, *word; (word = strtok_r(rest, " \t", &rest));)
            push(w, word);
    } else {
        push(w, v->q->self);
        push(w, wrapper_of(s->source.at));
    }
    push_texts(w, &v->file->flags);
    push(w, "-o");
    push(w, out);
    push(w, s->source.at);
    push_texts(w, &s->flags); /* behind it: libraries may be among them */
    push(w, NULL);
}

static int add_content(struct validate *v, const char *name, uint64_t *hash, struct base_status *st)
{
    uint64_t content;
    char *path = sweep_path(&v->main, name);
    int rc = sweep_content(&v->main, path, &content, st);
    free(path);
    if (rc == 0)
        *hash = base_fnv(*hash, &content, sizeof content);
    return rc;
}

static int hash_of(struct validate *v, const struct study_subject *s, bool real, uint64_t *out,
                   struct base_status *st)
{
    char *blank = base_strdup(v->file->real_cc.at);
    struct words w = {0};
    uint64_t hash = BASE_FNV;
    command_of(v, s, real, blank, "", &w);
    for (size_t k = real ? 0 : 1; w.at[k]; k++) /* where pgasim is does not matter */
        hash = base_fnv(hash, w.at[k], strlen(w.at[k]) + 1);
    int rc = add_content(v, s->source.at, &hash, st);
    for (size_t k = 0; rc == 0 && k < s->study->inputs.n; k++)
        if (!strchr(s->study->inputs.at[k].at, '$'))
            rc = add_content(v, s->study->inputs.at[k].at, &hash, st);
    if (rc == 0 && !real)
        rc = add_content(v, v->q->library, &hash, st);
    free(w.at);
    free(blank);
    *out = hash;
    return rc;
}

/* What the compiler writes goes to our standard error. */
static int compile(const struct validate *v, const struct words *w)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        if (!chdir(v->main.folder))
            execvp(w->at[0], (char *const *)w->at);
        dprintf(STDERR_FILENO, "%s: %s\n", w->at[0], strerror(errno));
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static int build(struct validate *v, const struct study_subject *s, bool real, const char *path,
                 struct base_status *st)
{
    char *blank = base_strdup(v->file->real_cc.at), *part = base_strfmt("%s.part%ld", path, (long)getpid());
    struct words w = {0};
    struct base_status why;
    command_of(v, s, real, blank, part, &w);
    int rc = compile(v, &w)       ? base_fail(&why, "program %.80s cannot be built by %.120s %s", s->name,
                                        real ? blank : "pgasim", real ? "" : wrapper_of(s->source.at))
                   : rename(part, path) ? base_fail(&why, "%.200s: %s", path, strerror(errno))
                                  : 0;
    if (rc)
        (void)base_fail(st, "%.100s:%u: %s", v->file->path, s->source.line, why.text);
    (void)unlink(part);
    free(w.at);
    free(part);
    free(blank);
    return rc;
}

/* For runs in the file's folder: databases there give the same names wherever the folder is. */
static char *shown(const struct validate *v, const char *path)
{
    size_t n = strlen(v->main.folder);
    bool within = !strncmp(path, v->main.folder, n) && path[n] == '/';
    return within ? base_strfmt(".%s", path + n) : base_strdup(path);
}

char *validate_build(struct validate *v, const struct study_subject *s, bool real, bool may, bool *present,
                     struct base_status *st)
{
    uint64_t hash;
    struct base_status why;
    if (hash_of(v, s, real, &hash, &why)) {
        (void)base_fail(st, "%.100s:%u: %s", v->file->path, s->source.line, why.text);
        return NULL;
    }
    char *folder = base_strfmt("%s.programs", v->main.database), *name = base_strdup(s->name);
    for (char *c = name; *c; c++)
        *c = (char)(isalnum((unsigned char)*c) ? *c : '_');
    char *path = base_strfmt("%s/%.60s-%s-%016" PRIx64, folder, name, real ? "real" : "simulated", hash);
    int rc = 0;
    *present = !access(path, X_OK);
    if (!*present && may) {
        rc = mkdir(folder, 0777) && errno != EEXIST ? base_fail(st, "%.200s: %s", folder, strerror(errno))
                                                    : build(v, s, real, path, st);
        *present = rc == 0;
    }
    char *out = rc ? NULL : shown(v, path);
    free(path);
    free(name);
    free(folder);
    return out;
}
