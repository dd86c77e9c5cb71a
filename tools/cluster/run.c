/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: the cluster lives in a child that is the first process of a PID namespace, with a private view of the file
 * system. However it ends, or we do, the kernel ends all its processes, and with them go namespaces, devices
 * and mounts. What may be left is one empty folder, whose name says which process made it.
 */
#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "switch.h"
#include "veth.h"

#define FOLDER_PREFIX "/tmp/pgasim-cluster-"

/* What the first process of the namespace works on. */
struct inside {
    struct run_options *o;
    struct topology *topology;
    pid_t holders[TOPOLOGY_NODES_MOST];
    int taps[TOPOLOGY_NODES_MOST];
    int signals; /* signalfd of SIGCHLD */
    pid_t launcher;
    int status; /* of the launcher; -1: it still runs */
};

/* Takes note of processes that have ended. The argument is struct inside. */
static bool launcher_runs(void *arg)
{
    struct inside *in = arg;
    struct signalfd_siginfo info;
    int status;
    pid_t pid;
    while (read(in->signals, &info, sizeof info) > 0)
        ;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == in->launcher)
            in->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return in->status < 0;
}

static int mounts_make(const struct run_options *o, struct base_status *st)
{
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) ||
        mount("tmpfs", o->launch.folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755"))
        return base_fail(st, "private mounts: %s", strerror(errno));
    return 0;
}

static int hosts_mount(const struct run_options *o, struct base_status *st)
{
    char *hosts = base_strfmt("%s/hosts", o->launch.folder);
    int rc = mount(hosts, "/etc/hosts", NULL, MS_BIND, NULL)
                 ? base_fail(st, "a private /etc/hosts: %s", strerror(errno))
                 : 0;
    free(hosts);
    return rc;
}

static int nodes_make(struct inside *in, struct base_status *st)
{
    struct run_options *o = in->o;
    if (o->veth) {
        if (veth_create(in->topology, &o->node, o->wire.queue, in->holders, st))
            return -1;
    } else {
        for (uint32_t k = 0; k < in->topology->n_nodes; k++)
            if (node_create(in->topology, k, &o->node, &in->holders[k], &in->taps[k], st))
                return -1;
    }
    return launch_folder(&o->launch, in->topology, in->holders, st) || hosts_mount(o, st) ? -1 : 0;
}

static int launcher_start(struct inside *in, struct base_status *st)
{
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    in->signals = signalfd(-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
    in->status = -1;
    in->launcher = fork();
    if (in->launcher < 0 || in->signals < 0)
        return base_fail(st, "the launcher cannot be started: %s", strerror(errno));
    if (in->launcher == 0) {
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* ranks that sleep should wake in time */
        signal(SIGINT, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &children, NULL);
        if (!node_enter(in->holders[0], st))
            launch_exec(&in->o->launch, in->topology);
        _exit(127);
    }
    return 0;
}

static int veth_wait(struct inside *in)
{
    while (launcher_runs(in))
        usleep(20000);
    return 0;
}

/* Runs everything; the figures are printed when the program has ended. */
static int inside_run(struct inside *in, struct base_status *st)
{
    struct run_options *o = in->o;
    struct report report = {.topology = in->topology, .ranks = o->launch.ranks, .platform = o->platform};
    struct usage_point begin, end;
    struct sched_param first = {.sched_priority = 1};
    if (mounts_make(o, st) || nodes_make(in, st))
        return -1;
    struct switch_ *s = o->veth ? NULL : switch_create(in->topology, &o->wire, in->taps, st);
    if (!s && !o->veth)
        return -1;
    if (usage_read(&begin, st) || launcher_start(in, st))
        return -1;
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    sched_setscheduler(0, SCHED_FIFO, &first); /* if it may not, lateness shows it */
    int rc = s ? switch_run(s, in->signals, launcher_runs, in, st) : veth_wait(in);
    if (rc || usage_read(&end, st))
        return -1;
    report.usage = usage_between(&begin, &end);
    report.status = in->status;
    for (uint32_t k = 0; k < in->topology->n_nodes; k++)
        report.dropped_at_nodes += node_dropped(in->holders[k]);
    if (s) {
        report.figures = switch_figures(s);
        report.wire = switch_wire(s);
    }
    rc = report_write(&report, o->report, st);
    if (s)
        switch_destroy(s);
    return rc;
}

static void inside_main(struct run_options *o, struct topology *t, int parent_fd)
{
    static struct inside in;
    struct base_status st;
    char byte;
    in.o = o;
    in.topology = t;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0UL, 0UL, 0UL);
    if (read(parent_fd, &byte, 1) != 1) /* it has gone already */
        _exit(BASE_EXIT_HOST);
    close(parent_fd);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int status;
    if (inside_run(&in, &st)) {
        base_error("cluster: %s", st.text);
        status = BASE_EXIT_HOST;
    } else {
        status = in.status;
    }
    fflush(NULL);
    _exit(status);
}

static volatile sig_atomic_t stopped; /* by this signal */
static volatile pid_t child;

static void stop(int signal_number)
{
    stopped = signal_number;
    if (child > 0)
        kill(child, SIGKILL);
}

static int child_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return BASE_EXIT_HOST;
    if (stopped)
        return 128 + stopped;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int folder_make(char *path, size_t size, struct base_status *st)
{
    run_clean();
    snprintf(path, size, FOLDER_PREFIX "%d", (int)getpid());
    return mkdir(path, 0700) ? base_fail(st, "%s: %s", path, strerror(errno)) : 0;
}

/* Starts the child in its own namespaces. A process moves into a new PID namespace only by being born there. */
static pid_t inside_start(struct run_options *o, struct topology *t, struct base_status *st)
{
    int ends[2];
    if (unshare(CLONE_NEWPID) || pipe(ends)) {
        base_fail(st, "namespaces: %s", strerror(errno));
        return -1;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        inside_main(o, t, ends[0]);
    }
    close(ends[0]);
    if (pid < 0)
        base_fail(st, "fork: %s", strerror(errno));
    else if (write(ends[1], "", 1) != 1)
        kill(pid, SIGKILL);
    close(ends[1]);
    return pid;
}

int run_cluster(struct run_options *o)
{
    struct base_status st;
    struct topology t;
    char folder[64];
    struct sigaction act = {.sa_handler = stop};
    if (topology_load(&t, o->platform, o->launch.ranks, &st) || launch_prepare(&o->launch, &st)) {
        base_error("cluster: %s", st.text);
        return BASE_EXIT_INPUT;
    }
    if (node_permitted(&st) || folder_make(folder, sizeof folder, &st)) {
        base_error("cluster: %s", st.text);
        topology_release(&t);
        return BASE_EXIT_HOST;
    }
    o->launch.folder = folder;
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    child = inside_start(o, &t, &st);
    int status = child < 0 ? BASE_EXIT_HOST : child_wait(child);
    if (child < 0)
        base_error("cluster: %s", st.text);
    rmdir(folder);
    topology_release(&t);
    return status;
}

unsigned run_clean(void)
{
    DIR *d = opendir("/tmp");
    const char *prefix = strrchr(FOLDER_PREFIX, '/') + 1;
    unsigned n = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        char *end, path[PATH_MAX];
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
            continue;
        long pid = strtol(e->d_name + strlen(prefix), &end, 10);
        if (*end || pid <= 0 || !kill((pid_t)pid, 0) || errno != ESRCH)
            continue;
        snprintf(path, sizeof path, "/tmp/%s", e->d_name);
        if (!rmdir(path))
            n++;
    }
    if (d)
        closedir(d);
    return n;
}
