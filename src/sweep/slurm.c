/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm: what is pending is run by a job array, whose tasks each take a share of it (share.c). When the array has ended,
 * or at the next call if this process is gone by then, the tasks' rows are merged into the database. What is missing then,
 * as a node was lost or the time was up, is submitted again.
 */
#include <dirent.h>
#include <fcntl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "sweep/internal.h"

enum { TASKS = 4, FRUITLESS = 3 }; /* arrays in a row that do nothing */
static const double poll_seconds = 2, patience = 30;

struct array {
    struct sweep *x;
    char *folder; /* files of its tasks */
    char job[32]; /* its number; empty: there is none */
    uint32_t tasks;
};

/* --- Slurm's commands ------------------------------------------------------------------------------- */

/* Runs a command and takes its output, standard errors included; its exit status, or -1. */
static int ask(const struct sweep *x, const char *const *words, char *out, size_t size)
{
    int pipes[2], status;
    size_t n = 0;
    ssize_t got;
    if (pipe2(pipes, O_CLOEXEC))
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        base_signals_restore(&x->signals);
        if (dup2(pipes[1], STDOUT_FILENO) >= 0 && dup2(pipes[1], STDERR_FILENO) >= 0)
            execvp(words[0], (char *const *)(uintptr_t)words);
        dprintf(STDERR_FILENO, "%s: %s", words[0], strerror(errno));
        _exit(127);
    }
    close(pipes[1]);
    while (pid > 0 && ((got = read(pipes[0], out + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    close(pipes[0]);
    out[n] = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* How many tasks of the array are still queued or running. If Slurm does not answer, all are. */
static uint32_t tasks_left(const struct array *a)
{
    static bool told;
    char out[16384];
    uint32_t n = 0;
    const char *const words[] = {"squeue", "-h", "-r", "-j", a->job, "-o", "%i", NULL};
    int status = ask(a->x, words, out, sizeof out);
    if (status && strstr(out, "Invalid job id"))
        return 0;
    if (status) {
        if (!told)
            base_info("squeue: %.200s; waiting for it", out);
        told = true;
        return a->tasks ? a->tasks : 1;
    }
    for (const char *c = out; *c; c++)
        n += *c == '\n';
    return n;
}

static void cancel(const struct array *a)
{
    char out[1024];
    const char *const words[] = {"scancel", a->job, NULL};
    if (ask(a->x, words, out, sizeof out))
        base_error("scancel %s: %.200s", a->job, out);
    for (double until = sweep_clock() + patience; tasks_left(a) && sweep_clock() < until;)
        base_signals_wait(&a->x->signals, 0.5, &a->x->interrupt);
}

/* --- the array's folder ----------------------------------------------------------------------------- */

static int write_text(const char *folder, const char *name, unsigned mode, const char *text,
                      struct base_status *st)
{
    char *path = base_strfmt("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    bool failed = !f || fputs(text, f) < 0 || fchmod(fileno(f), mode);
    failed |= f && fclose(f);
    int rc = failed ? base_fail(st, "%.200s: %s", path, strerror(errno)) : 0;
    free(path);
    return rc;
}

/* An array that was submitted before, by a process that is gone. */
static void find_job(struct array *a)
{
    size_t size;
    char *path = base_strfmt("%s/job", a->folder), *text = sweep_read_file(path, &size);
    snprintf(a->job, sizeof a->job, "%.31s", text ? text : "");
    a->job[strspn(a->job, "0123456789")] = 0;
    free(text);
    free(path);
}

static int merge_file(struct array *a, const char *name, struct base_status *st)
{
    uint32_t rows;
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 3, ".db") != 0)
        return 0;
    char *path = base_strfmt("%s/%s", a->folder, name);
    int rc = store_merge(a->x->store, path, &rows, st);
    if (rc == 0)
        (void)unlink(path);
    free(path);
    return rc;
}

/* No task runs any more. */
static int merge(struct array *a, struct base_status *st)
{
    DIR *d = opendir(a->folder);
    int rc = d ? 0 : base_fail(st, "%.200s: %s", a->folder, strerror(errno));
    for (struct dirent *e; rc == 0 && (e = readdir(d));)
        rc = merge_file(a, e->d_name, st);
    if (d)
        closedir(d);
    char *job = base_strfmt("%s/job", a->folder);
    if (rc == 0)
        (void)unlink(job);
    free(job);
    a->job[0] = 0;
    return rc || sweep_look(a->x, st) ? -1 : 0;
}

/* --- submitting and waiting ------------------------------------------------------------------------- */

static char *script_of(const struct array *a)
{
    const struct sweep *x = a->x;
    char *study = realpath(x->study->path, NULL);
    const char *const words[] = {x->q->self,   "sweep",     "--quiet", "--share", a->folder,
                                 "--database", x->database, study,     NULL};
    struct base_text t;
    base_text_init(&t, "a script");
    base_text_add(&t, "#!/bin/sh\nexec");
    base_text_shell_words(&t, words);
    base_text_char(&t, '\n');
    free(study);
    return base_text_take(&t);
}

static int submit(struct array *a, struct base_status *st)
{
    const struct study *s = a->x->study;
    BASE_ARRAY(const char *) w = {0};
    char said[1024], *text = script_of(a);
    a->tasks = s->slurm_tasks ? s->slurm_tasks : TASKS;
    a->tasks = a->tasks < a->x->pending ? a->tasks : a->x->pending;
    char *range = base_strfmt("--array=0-%u", a->tasks - 1),
         *output = base_strfmt("--output=%s/%%a.out", a->folder);
    char *script = base_strfmt("%s/task", a->folder);
    const char *const ours[] = {
        "sbatch", "--parsable", "--requeue", "--open-mode=append", "--job-name=pgasim-sweep", range, output};
    for (size_t k = 0; k < BASE_LENGTH(ours); k++)
        BASE_ARRAY_PUSH(&w, ours[k]);
    for (size_t k = 0; k < s->slurm_options.n; k++)
        BASE_ARRAY_PUSH(&w, s->slurm_options.at[k].at);
    BASE_ARRAY_PUSH(&w, script);
    BASE_ARRAY_PUSH(&w, (const char *)NULL);
    int rc = sweep_share_write(a->x, a->folder, st) || write_text(a->folder, "task", 0755, text, st) ? -1 : 0;
    if (rc == 0 && ask(a->x, w.at, said, sizeof said))
        rc = base_fail(st, "sbatch: %.300s", said);
    if (rc == 0) {
        snprintf(a->job, sizeof a->job, "%.*s", (int)strspn(said, "0123456789"), said);
        rc = a->job[0] ? write_text(a->folder, "job", 0644, a->job, st)
                       : base_fail(st, "sbatch has said '%.200s'", said);
    }
    free(script);
    free(output);
    free(range);
    free(text);
    free(w.at);
    return rc;
}

static void wait_for(struct array *a)
{
    struct sweep *x = a->x;
    uint32_t left;
    while (!x->interrupt && (left = tasks_left(a))) {
        if (x->on_terminal)
            dprintf(STDERR_FILENO, "pgasim: job %s: %u tasks are left\033[K\r", a->job, left);
        base_signals_wait(&x->signals, poll_seconds, &x->interrupt);
    }
    sweep_progress_end(x);
    if (x->interrupt)
        cancel(a);
}

/* -1 with st. */
static int carry_out(struct array *a, struct base_status *st)
{
    struct sweep *x = a->x;
    uint32_t fruitless = 0, before = x->pending;
    find_job(a);
    for (;;) {
        uint32_t pending = x->pending;
        bool submitted = a->job[0];
        if (a->job[0])
            wait_for(a);
        if (a->job[0] && tasks_left(a))
            break; /* it could not be cancelled: its results are merged next time */
        if (merge(a, st))
            return -1;
        if (x->interrupt || !x->pending)
            break;
        fruitless = !submitted || x->pending < pending ? 0 : fruitless + 1;
        if (fruitless == FRUITLESS)
            return base_fail(
                st, "%u points were not run by %d job arrays in a row; what they have said is in %.200s",
                x->pending, FRUITLESS, a->folder);
        if (submit(a, st))
            return -1;
        x->retry_failed = false;
    }
    x->ran = before - x->pending;
    return 0;
}

static int run_array(struct sweep *x)
{
    struct base_status st;
    struct array a = {.x = x, .folder = base_strfmt("%s.slurm", x->database)};
    int status = BASE_EXIT_HOST;
    x->on_terminal = !x->q->quiet && isatty(STDERR_FILENO);
    base_signals_block(&x->signals);
    int rc = mkdir(a.folder, 0777) && errno != EEXIST
                 ? base_fail(&st, "%.200s: %s", a.folder, strerror(errno))
                 : 0;
    if (rc == 0)
        rc = sweep_work_open(x, &st);
    if (rc == 0)
        rc = carry_out(&a, &st);
    if (rc == 0)
        rc = sweep_number_points(x, &st);
    if (rc)
        base_error("%s", st.text);
    else
        status = sweep_conclude(x);
    if (rc == 0 && !a.job[0])
        base_remove(a.folder);
    base_signals_restore(&x->signals);
    free(a.folder);
    return status;
}

int sweep_slurm(const struct sweep_request *q)
{
    struct sweep x;
    struct base_status st;
    int status = BASE_EXIT_INPUT;
    if (sweep_open(&x, q, SWEEP_DATABASE_MADE, &st))
        base_error("%s", st.text);
    else
        status = run_array(&x);
    sweep_close(&x);
    return status;
}
