/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process: a point's run, in a process that leads a group of its own, which is killed as a whole, and dies with us. Its
 * files are in a folder of its own, which is removed with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sweep/internal.h"

enum { NO_START = 127, REASON = 300 };
static const off_t output_most = (off_t)64 << 20; /* bytes of a run that writes for ever */

double sweep_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- starting --------------------------------------------------------------------------------------- */

static void redirect(int to, const char *path, int flags)
{
    int fd = open(path, flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(NO_START);
    if (fd != to)
        close(fd);
}

static _Noreturn void become(const struct sweep *x, const char *folder, char *const *words,
                             const char *output, pid_t parent)
{
    char errors[4096];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || chdir(x->study->own_folder ? folder : x->folder))
        _exit(NO_START);
    snprintf(errors, sizeof errors, "%s/errors", folder);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    setenv("TMPDIR", folder, 1);
    base_signals_restore(&x->signals);
    execvp(words[0], words);
    dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
    _exit(NO_START);
}

static pid_t start(const struct sweep *x, const char *folder, char *const *words, const char *output)
{
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (!pid)
        become(x, folder, words, output, parent);
    if (pid > 0)
        setpgid(pid, pid); /* as the child does: whoever comes first */
    return pid;
}

/* The platform that the point's run reads; -1: the generator has failed, and its messages are in the folder. */
static int generate(const struct sweep *x, const struct sweep_task *t, const char *folder)
{
    struct base_status st;
    int status = 0;
    char **words = sweep_generate_words(x, t->point, &st);
    if (!words)
        return 0;
    char *path = sweep_platform_path(x, words), *part = base_strfmt("%s/platform", folder);
    if (access(path, F_OK)) {
        pid_t pid = start(x, folder, words, part);
        if (pid < 0)
            status = -1;
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        status = status || rename(part, path) ? -1 : 0;
    }
    free(part);
    free(path);
    sweep_words_free(words);
    return status;
}

void sweep_process_start(struct sweep *x, struct sweep_process *p, struct sweep_task *t)
{
    static char nothing[] = "false";
    char *const failing[] = {nothing, NULL}; /* in place of a run whose platform could not be made */
    struct base_status st;
    *p = (struct sweep_process){.task = t, .began = sweep_clock(), .memory = sweep_memory_of(x, t)};
    p->folder = base_strfmt("%s/%u", x->work, t->point->number);
    if (mkdir(p->folder, 0777))
        base_fatal(BASE_EXIT_HOST, "cannot make the folder %s: %s", p->folder, strerror(errno));
    char **words = sweep_words(x, t->point, p->folder, &st), *output = base_strfmt("%s/output", p->folder);
    BASE_ASSERT("SW3: a key was made of these words", words);
    bool generated = !generate(x, t, p->folder);
    if (!generated) {
        char *errors = base_strfmt("%s/errors", p->folder), *kept = base_strfmt("%s/generator", p->folder);
        (void)rename(errors, kept);
        free(errors);
        free(kept);
    }
    p->pid = start(x, p->folder, generated ? words : failing, output);
    if (p->pid < 0)
        base_fatal(BASE_EXIT_HOST, "cannot start a process: %s", strerror(errno));
    free(output);
    sweep_words_free(words);
}

/* --- ending ----------------------------------------------------------------------------------------- */

/* With children of its own; returns the status. */
static int end_group(struct sweep_process *p, struct rusage *used)
{
    int status = 0;
    (void)kill(-p->pid, SIGKILL);
    (void)kill(p->pid, SIGKILL);
    while (wait4(p->pid, &status, 0, used) < 0 && errno == EINTR)
        ;
    p->pid = 0;
    return status;
}

void sweep_process_kill(struct sweep_process *p)
{
    struct rusage used;
    if (!p->pid)
        return;
    (void)end_group(p, &used);
    base_remove(p->folder);
    free(p->folder);
    p->folder = NULL;
}

/* pgasim's first error, or the first line; NULL: there is none. */
static char *reason_of(const struct sweep_process *p)
{
    static const char *const files[] = {"generator", "errors"};
    static const char error[] = "pgasim: error: ";
    char *text = NULL;
    size_t size = 0;
    for (size_t k = 0; !text && k < BASE_LENGTH(files); k++) {
        char *path = base_strfmt("%s/%s", p->folder, files[k]);
        text = sweep_read_file(path, &size);
        free(path);
    }
    if (!text)
        return NULL;
    char *found = strstr(text, error), *line = found ? found + sizeof error - 1 : text + strspn(text, "\n");
    line[strcspn(line, "\n")] = 0;
    char *reason = *line ? base_strfmt("%.*s", REASON, line) : NULL;
    free(text);
    return reason;
}

/* `status` as from waitpid. */
static void judge(const struct sweep *x, const struct sweep_process *p, int status, struct store_row *row)
{
    struct base_status st;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    row->exit_status = code;
    if (code > 128)
        row->status = base_strfmt("signal %d", code - 128);
    else if (code)
        row->status = base_strfmt("exit %d", code);
    else if ((row->kept = sweep_keep(x, p->task, p->folder, &st)))
        row->status = base_strdup("ok");
    else {
        row->status = base_strdup("no result");
        row->reason = base_strdup(st.text);
    }
    if (code)
        row->reason = reason_of(p);
}

static bool writes_for_ever(const struct sweep_process *p)
{
    static const char *const files[] = {"output", "errors"};
    bool too_much = false;
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        struct stat file;
        char *path = base_strfmt("%s/%s", p->folder, files[k]);
        too_much |= !stat(path, &file) && file.st_size > output_most;
        free(path);
    }
    return too_much;
}

bool sweep_process_ended(struct sweep *x, struct sweep_process *p, struct store_row *row)
{
    siginfo_t info = {0};
    struct rusage used = {0};
    double seconds = sweep_clock() - p->began;
    bool late = seconds > x->study->timeout;
    bool ended = !waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == p->pid;
    if (!ended && !late && !writes_for_ever(p))
        return false;
    int status = end_group(p, &used);
    *row = (struct store_row){.key = p->task->key,
                              .point = p->task->point->number,
                              .parameters = study_point_json(x->study, p->task->point),
                              .exit_status = STORE_NO_EXIT,
                              .host_seconds = seconds,
                              .peak_bytes = (uint64_t)used.ru_maxrss * 1024};
    if (ended) {
        judge(x, p, status, row);
    } else {
        row->status = base_strdup(late ? "timeout" : "output");
        row->reason = late ? base_strfmt("it did not end within %g s", x->study->timeout)
                           : base_strdup("it wrote without end");
    }
    if (!row->kept)
        row->kept = base_strdup("{}");
    base_remove(p->folder);
    free(p->folder);
    p->folder = NULL;
    return true;
}
