/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc_signal: signals that a rank sends to itself. One that the application handles, or that crash.c reports
 * (abort and faults), goes its real way; another that would end a process ends the job with the same report,
 * because the process's own reaction would be the simulator's. Dispositions are the process's: the last rank
 * that sets a handler sets it for all.
 */
#include "fold/libc_inside.h"

#include <string.h>
#include <unistd.h>

enum { SIGNALS = 65 };

/* Signals with a handler of the application, and the simulator's disposition of each. */
static bool theirs[SIGNALS];
static struct sigaction ours[SIGNALS];

static bool ends_a_process(int sig)
{
    switch (sig) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return false;
    default:
        return true;
    }
}

static bool reported_by_crash(int sig)
{
    return sig == SIGABRT || sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
}

int in_rank_raise(int sig)
{
    struct fold_rank *r = fold_current;
    char where[FOLD_WHERE_SIZE];
    if (!r || sig <= 0 || sig >= SIGNALS || theirs[sig] || reported_by_crash(sig) || !ends_a_process(sig))
        return raise(sig);
    base_error("%s was ended by signal %d (%s)", fold_where(where, r), sig, strsignal(sig));
    fold_job_exit(r->job, 128 + sig);
}

int in_rank_kill(pid_t pid, int sig)
{
    return fold_current && sig > 0 && (pid == 0 || pid == getpid()) ? in_rank_raise(sig) : kill(pid, sig);
}

/* As the application sees it: the simulator's handlers are the default action. */
static void as_seen(int sig, struct sigaction *old)
{
    if (!theirs[sig] && old && old->sa_handler != SIG_IGN)
        *old = (struct sigaction){.sa_handler = SIG_DFL};
}

int in_rank_sigaction(int sig, const struct sigaction *set, struct sigaction *old)
{
    struct sigaction before;
    if (!fold_current || sig <= 0 || sig >= SIGNALS)
        return sigaction(sig, set, old);
    if (sigaction(sig, NULL, &before))
        return -1;
    bool handled = set && (set->sa_flags & SA_SIGINFO || set->sa_handler != SIG_DFL);
    if (set && !theirs[sig])
        ours[sig] = before;
    if (set && sigaction(sig, handled ? set : &ours[sig], NULL))
        return -1;
    as_seen(sig, &before);
    if (set)
        theirs[sig] = handled;
    if (old)
        *old = before;
    return 0;
}

__sighandler_t in_rank_signal(int sig, __sighandler_t handler)
{
    struct sigaction set = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    if (!fold_current)
        return signal(sig, handler);
    sigemptyset(&set.sa_mask);
    return in_rank_sigaction(sig, &set, &old) ? SIG_ERR : old.sa_handler;
}
