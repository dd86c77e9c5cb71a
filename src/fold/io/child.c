/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child: processes that a rank makes, and waiting for them. All are made by fork, whose child gets the rank's
 * open files under the rank's numbers (files/child.c). A rank can wait for its own children only. Only they
 * themselves can answer, so the whole process waits: how long they take on this machine takes no simulated
 * time.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A child that was not waited for. */
struct child {
    struct child *next;
    const struct rank *rank;
    pid_t pid;
    FILE *stream; /* of popen; NULL: none */
};
static struct child *children; /* newest first */

static struct child *add(const struct rank *r, pid_t pid)
{
    struct child *c = base_zalloc(sizeof *c, "a rank's process");
    *c = (struct child){.next = children, .rank = r, .pid = pid};
    children = c;
    return c;
}

static void forget(const struct child *c)
{
    struct child **at = &children;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    free((void *)(uintptr_t)c);
}

static struct child *first_of(const struct rank *r, struct child *from)
{
    while (from && from->rank != r)
        from = from->next;
    return from;
}

void io_children_forget(const struct rank *r)
{
    for (struct child *c = children, *next; c; c = next) {
        next = c->next;
        if (c->rank == r)
            forget(c);
    }
}

/* --- making ------------------------------------------------------------------------------------------- */

pid_t in_rank_fork(void)
{
    struct rank *r = rank_current;
    pid_t pid = fork();
    if (r && pid > 0)
        add(r, pid);
    return pid;
}

/* Without the signals that the simulator handles in its own way, as a program that was started anew. */
static _Noreturn void run_shell(const char *command)
{
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static pid_t start_shell(const char *command)
{
    pid_t pid = in_rank_fork();
    if (pid == 0)
        run_shell(command);
    return pid;
}

/* --- waiting ------------------------------------------------------------------------------------------ */

struct question {
    pid_t pid; /* as waitpid takes it */
    int options;
    int *status;
    struct rusage *usage;
};

/* The child's number, 0: none has changed, -1 with errno. */
static pid_t ask(struct rank *r, const struct question *q)
{
    bool any = q->pid <= 0, found = false;
    for (struct child *c = first_of(r, children), *next; c; c = next) {
        int status;
        next = first_of(r, c->next);
        if (!any && c->pid != q->pid)
            continue;
        found = true;
        pid_t got = wait4(c->pid, &status, q->options | WNOHANG, q->usage);
        if (got == 0)
            continue;
        if (q->status && got > 0)
            *q->status = status;
        if (got < 0 || WIFEXITED(status) || WIFSIGNALED(status))
            forget(c);
        if (got > 0)
            return got;
    }
    if (found)
        return 0;
    errno = ECHILD;
    return -1;
}

/* One child that can only end: its end makes this descriptor ready. */
static int end_of(const struct question *q)
{
    return q->pid > 0 && !(q->options & (WUNTRACED | WCONTINUED))
               ? files_reach((int)syscall(SYS_pidfd_open, q->pid, 0))
               : -1;
}

static pid_t wait_as_rank(struct rank *r, const char *call, const struct question *q)
{
    pid_t got = ask(r, q);
    if (got == 0 && q->options & WNOHANG)
        io_nothing(r);
    if (got != 0 || q->options & WNOHANG)
        return got;
    struct pollfd fd = {.fd = end_of(q), .events = POLLIN};
    struct io_wait_for f = {.call = call,
                            .fds = &fd,
                            .n = fd.fd >= 0,
                            .place = IO_CHILDREN,
                            .outside = true,
                            .alone = true,
                            .seconds = INFINITY};
    while ((got = ask(r, q)) == 0)
        (void)io_wait(r, &f);
    int error = errno;
    if (fd.fd >= 0)
        close(fd.fd);
    errno = error;
    return got;
}

pid_t in_rank_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    struct question q = {pid, options, status, usage};
    return rank_current ? wait_as_rank(rank_current, "waitpid", &q) : wait4(pid, status, options, usage);
}

pid_t in_rank_waitpid(pid_t pid, int *status, int options)
{
    return in_rank_wait4(pid, status, options, NULL);
}

pid_t in_rank_wait(int *status)
{
    return in_rank_wait4(-1, status, 0, NULL);
}

pid_t in_rank_wait3(int *status, int options, struct rusage *usage)
{
    return in_rank_wait4(-1, status, options, usage);
}

/* --- waitid: the same, with its own form of result ----------------------------------------------------- */

static void tell(siginfo_t *out, pid_t pid, int status)
{
    memset(out, 0, sizeof *out);
    if (!pid)
        return;
    out->si_signo = SIGCHLD;
    out->si_pid = pid;
    out->si_uid = getuid();
    if (WIFEXITED(status)) {
        out->si_code = CLD_EXITED;
        out->si_status = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        out->si_code = WCOREDUMP(status) ? CLD_DUMPED : CLD_KILLED;
        out->si_status = WTERMSIG(status);
    } else {
        out->si_code = WIFSTOPPED(status) ? CLD_STOPPED : CLD_CONTINUED;
        out->si_status = WIFSTOPPED(status) ? WSTOPSIG(status) : SIGCONT;
    }
}

int in_rank_waitid(idtype_t type, id_t id, siginfo_t *out, int options)
{
    struct rank *r = rank_current;
    int status = 0, kept = options & (WNOHANG | WUNTRACED | WCONTINUED);
    if (!r || options & WNOWAIT || (int)type == (int)P_PIDFD)
        return waitid(type, (int)type == (int)P_PIDFD ? (id_t)io_descriptor((int)id) : id, out, options);
    struct question q = {type == P_PID ? (pid_t)id : -1, kept, &status, NULL};
    pid_t got = wait_as_rank(r, "waitid", &q);
    if (out && got >= 0)
        tell(out, got, status);
    return got < 0 ? -1 : 0;
}

/* A rank cannot leave its process. It does the rest of what a daemon does. */
int in_rank_daemon(int keeps_folder, int keeps_streams)
{
    if (!rank_current)
        return daemon(keeps_folder, keeps_streams);
    if (!keeps_folder && in_rank_chdir("/"))
        return -1;
    int nothing = keeps_streams ? -1 : in_rank_open("/dev/null", O_RDWR);
    if (nothing < 0)
        return keeps_streams ? 0 : -1;
    for (int number = 0; number < 3; number++)
        if (number != nothing)
            in_rank_dup2(nothing, number);
    if (nothing > 2)
        in_rank_close(nothing);
    return 0;
}

/* --- shells --------------------------------------------------------------------------------------------- */

int in_rank_system(const char *command)
{
    struct rank *r = rank_current;
    int status = -1;
    if (!r || !command)
        return system(command);
    pid_t pid = start_shell(command);
    struct question q = {pid, 0, &status, NULL};
    return pid < 0 || wait_as_rank(r, "system", &q) < 0 ? -1 : status;
}

/* In the child: the pipe's end becomes its standard input or output; the ends of earlier pipes stay with the
 * parent. */
static _Noreturn void run_piped(const char *command, int end, int standard)
{
    if (end != standard)
        dup2(end, standard);
    else
        fcntl(end, F_SETFD, 0);
    run_shell(command);
}

FILE *in_rank_popen(const char *command, const char *mode)
{
    struct rank *r = rank_current;
    int ends[2];
    bool reads = *mode == 'r';
    if (!r)
        return popen(command, mode);
    if (!reads && *mode != 'w') {
        errno = EINVAL;
        return NULL;
    }
    if (in_rank_pipe2(ends, O_CLOEXEC))
        return NULL;
    int mine = ends[!reads], its = ends[reads];
    pid_t pid = in_rank_fork();
    if (pid == 0)
        run_piped(command, its, reads ? STDOUT_FILENO : STDIN_FILENO);
    in_rank_close(its);
    FILE *f = pid < 0 ? NULL : in_rank_fdopen(mine, reads ? "r" : "w");
    if (!f) {
        in_rank_close(mine);
        return NULL;
    }
    if (!strchr(mode, 'e'))
        files_mark(io_table(r), mine, false);
    children->stream = f; /* the newest */
    return f;
}

int in_rank_pclose(FILE *f)
{
    struct rank *r = rank_current;
    struct child *c = children;
    int status;
    while (r && c && c->stream != f)
        c = c->next;
    if (!r || !c)
        return pclose(f);
    struct question q = {c->pid, 0, &status, NULL};
    (void)in_rank_fclose(f);
    return wait_as_rank(r, "pclose", &q) < 0 ? -1 : status;
}
