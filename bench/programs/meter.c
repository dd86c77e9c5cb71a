/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter SECONDS FILE COMMAND...: runs the command, writes "cpu_seconds peak_kib status late" into the file. A
 * status below 0 is a signal's. A command that is not done after SECONDS is late: it is killed with all its
 * children; so is one whose meter is ended by a signal, or whose meter's parent has died. This is a separate program because Linux counts the memory of the process that starts a command
 * towards the command's peak.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;
static volatile sig_atomic_t late;

static void time_is_up(int signal)
{
    (void)signal;
    late = 1;
    kill(-child, SIGKILL);
}

static void end(int signal)
{
    kill(-child, SIGKILL);
    _exit(128 + signal);
}

/* `kept`: the mask before. */
static void block_ends(sigset_t *kept)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++)
        sigaddset(&set, ends[k]);
    sigprocmask(SIG_BLOCK, &set, kept);
}

static void take_ends(const sigset_t *kept, pid_t parent)
{
    signal(SIGINT, end);
    signal(SIGTERM, end);
    signal(SIGHUP, end);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        raise(SIGTERM);
    sigprocmask(SIG_SETMASK, kept, NULL);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int argc, char **argv)
{
    struct rusage used;
    sigset_t kept;
    int status;
    pid_t parent = getppid();
    if (argc < 4)
        return 2;
    block_ends(&kept); /* until it is known what they end */
    child = fork();
    if (child == 0) {
        setpgid(0, 0);
        sigprocmask(SIG_SETMASK, &kept, NULL);
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    if (child < 0)
        return 1;
    setpgid(child, child);
    take_ends(&kept, parent);
    signal(SIGALRM, time_is_up);
    alarm((unsigned)atoi(argv[1]));
    while (wait4(child, &status, 0, &used) < 0)
        if (errno != EINTR)
            return 1;
    FILE *out = fopen(argv[2], "w");
    if (!out)
        return 1;
    fprintf(out, "%.6f %ld %d %d\n", seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), (int)late);
    return fclose(out) ? 1 : 0;
}
