/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs: runs as processes, several at a time. Each leads a group of processes that is killed as a
 * whole, and dies with us. Its topology, rankfile, summary and messages are files in one temporary folder;
 * its other output is dropped. Signals that would end us are blocked, and taken where we wait.
 */
#include "cli/study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/run.h"

enum { NO_START = 127, MESSAGE = 300 };
static const off_t errors_most = (off_t)64 << 20; /* bytes of messages of a run that writes for ever */
static const char *const files[] = {"topology", "rankfile", "summary", "err"};

/* --- the folder ----------------------------------------------------------------------- */

int study_runs_open(struct study *x, struct base_status *st)
{
    const char *place = getenv("TMPDIR");
    char *name = base_strfmt("%s/pgasim-explore-XXXXXX", place && *place ? place : "/tmp");
    x->folder = mkdtemp(name) ? realpath(name, NULL) : NULL; /* ranks may run in other folders */
    int rc = x->folder ? 0 : base_fail(st, "cannot make a temporary folder, %s: %s", name, strerror(errno));
    free(name);
    if (rc == 0 && x->folder[strcspn(x->folder, " \t\n=")]) {
        rmdir(x->folder);
        rc = base_fail(st, "TMPDIR: %.200s: a blank or '=' in a name cannot be passed on to the S-DSM",
                       x->folder);
        free(x->folder);
    }
    if (rc)
        return -1;
    x->run = base_zalloc(x->q->jobs * sizeof *x->run, "runs");
    base_signals_block(&x->signals);
    return 0;
}

static char *path_of(const struct study *x, uint32_t number, const char *what)
{
    return base_strfmt("%s/%u.%s", x->folder, number, what);
}

static void remove_files(const struct study *x, uint32_t number)
{
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        char *path = path_of(x, number, files[k]);
        unlink(path);
        free(path);
    }
}

/* --- starting ------------------------------------------------------------------------------------- */

static int write_file(const struct study *x, uint32_t number, const char *what, const struct deploy_config *c,
                      void (*write)(const struct deploy_space *s, const struct deploy_config *c, FILE *out))
{
    char *path = path_of(x, number, what);
    FILE *out = fopen(path, "w");
    int failed = !out;
    if (out) {
        write(&x->space, c, out);
        failed = ferror(out);
        failed |= fclose(out);
    }
    free(path);
    return failed ? -1 : 0;
}

/* "--topology=... --sat-summary=..." behind what the user has given. */
static char *sat_options(const struct study *x, const struct study_run *r)
{
    const char *given = getenv("SAT_OPTIONS");
    struct base_text t;
    base_text_init(&t, "options of the S-DSM");
    base_text_format(&t, "%s%s--topology=%s/%u.topology --sat-summary=%s/%u.summary", given ? given : "",
                     given ? " " : "", x->folder, r->number, x->folder, r->number);
    char *protocols = deploy_config_protocols(&x->space, r->config);
    if (*protocols)
        base_text_format(&t, " --sat-protocol=%s", protocols);
    free(protocols);
    return base_text_take(&t);
}

/* Ours stand first, so that the user's own may override --compute. */
static char **words_of(const struct study *x, const struct study_run *r)
{
    const char *const ours[] = {
        x->self, "run",       "--quiet", "--compute=off", "--platform", x->q->run.platform, "-np",
        NULL,    "-rankfile", NULL};
    BASE_ARRAY(char *) w = {0};
    for (size_t k = 0; k < BASE_LENGTH(ours); k++)
        BASE_ARRAY_PUSH(&w, ours[k]  ? base_strdup(ours[k])
                            : k == 7 ? base_strfmt("%u", r->config->n)
                                     : path_of(x, r->number, "rankfile"));
    for (const char *const *word = x->options; *word; word++)
        BASE_ARRAY_PUSH(&w, base_strdup(*word));
    for (char **word = x->q->run.program; *word; word++)
        BASE_ARRAY_PUSH(&w, base_strdup(*word));
    BASE_ARRAY_PUSH(&w, (char *)NULL);
    return w.at;
}

static void redirect(int to, const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(NO_START);
    if (fd != to)
        close(fd);
}

static _Noreturn void become(const struct study *x, char *const *words, const char *options, const char *err,
                             pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NO_START);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, "/dev/null", O_WRONLY);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    setenv("TMPDIR", x->folder, 1);
    setenv("SAT_OPTIONS", options, 1);
    base_signals_restore(&x->signals);
    execv(words[0], words);
    _exit(NO_START);
}

bool study_run_start(struct study *x, struct study_run *r, const struct deploy_config *c)
{
    *r = (struct study_run){.number = x->runs++, .config = c, .began = run_host_seconds()};
    if (write_file(x, r->number, "topology", c, deploy_write_topology) ||
        write_file(x, r->number, "rankfile", c, deploy_write_rankfile))
        return false;
    char **words = words_of(x, r), *options = sat_options(x, r), *err = path_of(x, r->number, "err");
    pid_t parent = getpid();
    fflush(NULL);
    r->pid = fork();
    if (!r->pid)
        become(x, words, options, err, parent);
    if (r->pid < 0)
        r->pid = 0;
    else
        setpgid(r->pid, r->pid); /* as the child does: whoever comes first */
    for (char **word = words; *word; word++)
        free(*word);
    free(words);
    free(options);
    free(err);
    return r->pid != 0;
}

/* --- what it has said ----------------------------------------------------------------------------- */

/* Where a program ends itself, the reason is what it has said before: libsat's error, or its first line. */
struct messages {
    char *error, *sat, *other; /* pgasim's first error, libsat's, the first line of somebody else */
};

static void take_line(struct messages *m, const char *line)
{
    static const char error[] = "pgasim: error: ";
    char **to = NULL;
    if (!strncmp(line, error, sizeof error - 1)) {
        to = &m->error;
        line += sizeof error - 1;
    } else if (!strncmp(line, "sat: ", 5) && !strstr(line, "warning: ")) {
        to = &m->sat;
    } else if (strncmp(line, "pgasim: ", 8) != 0 && *line) {
        to = &m->other;
    }
    if (to && !*to)
        *to = base_strfmt("%.*s", MESSAGE, line);
}

static char *choose_message(const struct messages *m)
{
    bool by_itself =
        !m->error || strstr(m->error, " ended with exit status ") || strstr(m->error, " called MPI_Abort");
    const char *best = by_itself && m->sat ? m->sat : by_itself && m->other ? m->other : m->error;
    return best ? base_strdup(best) : NULL;
}

static char *first_message(const struct study *x, const struct study_run *r)
{
    struct messages m = {0};
    char *path = path_of(x, r->number, "err"), *line = NULL;
    size_t room = 0;
    FILE *in = fopen(path, "r");
    free(path);
    while (in && !m.error && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        take_line(&m, line);
    }
    if (in)
        fclose(in);
    char *best = choose_message(&m);
    if (best)
        base_text_mask(best);
    free(line);
    free(m.error);
    free(m.sat);
    free(m.other);
    return best;
}

static int read_summary(const struct study *x, const struct study_run *r, struct deploy_result *out,
                        struct base_status *st)
{
    enum { MOST = 1 << 26 };
    char *path = path_of(x, r->number, "summary"), *text = NULL;
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;
    free(path);
    if (fd < 0)
        return base_fail(st, "the program wrote no summary; is it linked with libsat?");
    if (!fstat(fd, &file) && file.st_size < MOST) {
        text = base_alloc((size_t)file.st_size + 1, "a summary");
        ssize_t n = read(fd, text, (size_t)file.st_size);
        rc = n < 0 ? base_fail(st, "%s", strerror(errno)) : deploy_result_read(text, (size_t)n, out, st);
    } else {
        base_fail(st, "it is too large");
    }
    free(text);
    close(fd);
    return rc;
}

/* `status` as from waitpid. */
static struct deploy_result judge(const struct study *x, const struct study_run *r, int status)
{
    struct deploy_result t = {.value = {INFINITY, INFINITY}};
    struct base_status st;
    if (WIFSIGNALED(status))
        snprintf(t.status, sizeof t.status, "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) > 128)
        snprintf(t.status, sizeof t.status, "signal %d", WEXITSTATUS(status) - 128);
    else if (WEXITSTATUS(status))
        snprintf(t.status, sizeof t.status, "exit %d", WEXITSTATUS(status));
    else if (read_summary(x, r, &t, &st)) {
        snprintf(t.status, sizeof t.status, "no summary");
        t.message = base_strdup(st.text);
    } else {
        t.value.energy += t.value.time * deploy_config_power_idle(&x->space, r->config);
    }
    if (!deploy_result_ok(&t) && !t.message)
        t.message = first_message(x, r);
    return t;
}

/* --- ending --------------------------------------------------------------------------------------- */

/* With children of its own; returns the status. */
static int end_group(struct study_run *r)
{
    int status = 0;
    (void)kill(-r->pid, SIGKILL);
    (void)kill(r->pid, SIGKILL);
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    r->pid = 0;
    return status;
}

static bool writes_for_ever(const struct study *x, const struct study_run *r)
{
    struct stat file;
    char *path = path_of(x, r->number, "err");
    bool too_much = !stat(path, &file) && file.st_size > errors_most;
    free(path);
    return too_much;
}

bool study_run_ended(struct study *x, struct study_run *r, struct deploy_result *out)
{
    siginfo_t info = {0};
    bool late = run_host_seconds() - r->began > x->q->timeout;
    if (!waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == r->pid) {
        *out = judge(x, r, end_group(r));
    } else if (late || writes_for_ever(x, r)) {
        (void)end_group(r);
        *out = (struct deploy_result){.status = "timeout", .value = {INFINITY, INFINITY}};
        out->message = late ? base_strfmt("it did not end within %g s", x->q->timeout)
                            : base_strdup("it wrote messages without end");
    } else {
        return false;
    }
    remove_files(x, r->number);
    return true;
}

void study_runs_close(struct study *x)
{
    for (uint32_t k = 0; k < x->q->jobs; k++)
        if (x->run[k].pid)
            (void)end_group(&x->run[k]);
    base_folder_empty(open(x->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    rmdir(x->folder);
    free(x->folder);
    free(x->run);
    if (x->interrupt) {
        (void)signal(x->interrupt, SIG_DFL);
        (void)raise(x->interrupt);
    }
    base_signals_restore(&x->signals); /* where such a signal ends us */
}
