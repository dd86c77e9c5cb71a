/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal: signals of ranks. Each rank has its own dispositions. For a signal that some rank handles or
 * ignores, the process has a handler of ours. It calls the current rank's handler or, if that rank has none,
 * does what the simulator did before. A signal that a rank sends to itself and that would end a process ends
 * the job with crash.c's report for faults, because the default action would only end the simulator.
 */
#include "fold/libc/libc.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 65 };

/* A rank's dispositions; sa_handler SIG_DFL where it has set none. `pending`: signals that came while another
 * rank ran, which does not handle them: bit k - 1 for signal k. */
struct libc_signals {
    struct sigaction set[SIGNALS];
    _Atomic uint64_t handled; /* calls of handlers */
    _Atomic uint64_t pending;
};

static bool routed[SIGNALS];             /* our handler is the process's */
static struct sigaction before[SIGNALS]; /* what it was before, where routed */

static const struct sigaction *set_by(const struct rank *r, int sig)
{
    const struct libc_signals *s = r && fold_part(r)->libc ? fold_part(r)->libc->signals : NULL;
    const struct sigaction *a = s ? &s->set[sig] : NULL;
    return a && (a->sa_flags & SA_SIGINFO || a->sa_handler != SIG_DFL) ? a : NULL;
}

/* --- sending ------------------------------------------------------------------------------------ */

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

static _Noreturn void end_by(struct rank *r, int sig)
{
    char where[RANK_WHERE_SIZE];
    base_error("%s was ended by signal %d (%s)", rank_where(where, r), sig, strsignal(sig));
    rank_job_exit(r->job, 128 + sig);
}

/* The threads on which ranks run ahead leave signals from outside to the main thread. */
static int raise_here(int sig)
{
    sigset_t one, before_it;
    if (!rank_ahead_on)
        return raise(sig);
    sigemptyset(&one);
    sigaddset(&one, sig);
    pthread_sigmask(SIG_UNBLOCK, &one, &before_it);
    int failed = raise(sig);
    pthread_sigmask(SIG_SETMASK, &before_it, NULL);
    return failed;
}

static bool is_blocked(int sig)
{
    sigset_t now;
    return !pthread_sigmask(SIG_SETMASK, NULL, &now) && sigismember(&now, sig);
}

/* A rank that handles a signal; NULL: none. It may be any, since all have one process number. */
static struct rank *taker(const struct rank *current, int sig)
{
    const struct fold_job *job = libc_process.job;
    for (uint32_t k = 0; job && k < job->ranks; k++) {
        struct rank *r = fold_rank_at(job, k);
        if (r != current && !r->ended && set_by(r, sig))
            return r;
    }
    return NULL;
}

static int sent(int failed)
{
    if (libc_process.changed)
        libc_process.changed(LIBC_SIGNALS);
    return failed;
}

int in_rank_raise(int sig)
{
    struct rank *r = rank_current;
    bool known = r && sig > 0 && sig < SIGNALS;
    if (known && is_blocked(sig)) /* somebody waits for it (sigwait), or will let it in */
        return sent(kill(getpid(), sig));
    if (known && !set_by(r, sig) && ends_a_process(sig) && !reported_by_crash(sig) && !taker(r, sig))
        end_by(r, sig);
    return sent(raise_here(sig));
}

int in_rank_kill(pid_t pid, int sig)
{
    return rank_current && sig > 0 && (pid == 0 || pid == getpid()) ? in_rank_raise(sig) : kill(pid, sig);
}

/* --- masks --------------------------------------------------------------------------------------- */

/* Signals by which the simulator finds ranks that poll memory (poll/), or computes on a rank's behalf: a mask
 * is the process's, so a rank cannot block them. */
static const sigset_t *without_ours(const sigset_t *set, sigset_t *room)
{
    static const int always[] = {SIGTRAP, SIGSYS};
    if (!set)
        return NULL;
    *room = *set;
    for (size_t k = 0; k < BASE_LENGTH(always); k++)
        sigdelset(room, always[k]);
    for (int sig = SIGRTMAX - 6; sig <= SIGRTMAX - 3; sig++)
        sigdelset(room, sig);
    return room;
}

int in_rank_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t room;
    return sigprocmask(how, rank_current && how != SIG_UNBLOCK ? without_ours(set, &room) : set, old);
}

int in_rank_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t room;
    return pthread_sigmask(how, rank_current && how != SIG_UNBLOCK ? without_ours(set, &room) : set, old);
}

/* --- handling ----------------------------------------------------------------------------------- */

static void call(const struct sigaction *a, int sig, siginfo_t *info, void *context)
{
    const struct rank *r = rank_current;
    if (r && a->sa_handler != SIG_IGN && fold_part(r)->libc && fold_part(r)->libc->signals)
        fold_part(r)->libc->signals->handled++;
    if (a->sa_flags & SA_SIGINFO)
        a->sa_sigaction(sig, info, context);
    else if (a->sa_handler != SIG_IGN)
        a->sa_handler(sig);
}

bool (*libc_trap_first)(const siginfo_t *info, void *context);

static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (sig == SIGTRAP && libc_trap_first && libc_trap_first(info, context))
        return;
    if (rank_ahead) { /* caused by the rank itself, which reacts at its turn */
        rank_ahead_crashed();
        rank_ahead_enter();
    }
    struct rank *r = rank_current;
    const struct sigaction *a = set_by(r, sig);
    if (a) {
        struct sigaction now = *a;
        if (now.sa_flags & (int)SA_RESETHAND)
            fold_part(r)->libc->signals->set[sig] = (struct sigaction){.sa_handler = SIG_DFL};
        call(&now, sig, info, context);
    } else if (before[sig].sa_flags & SA_SIGINFO || before[sig].sa_handler != SIG_DFL) {
        call(&before[sig], sig, info, context);
    } else if (taker(r, sig)) {
        fold_part(taker(r, sig))->libc->signals->pending |= UINT64_C(1) << (sig - 1);
    } else if (ends_a_process(sig)) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
}

uint64_t libc_signals_handled(const struct rank *r)
{
    const struct libc_signals *s = fold_part(r)->libc ? fold_part(r)->libc->signals : NULL;
    return s ? s->handled : 0;
}

void libc_signals_deliver(const struct rank *r)
{
    struct libc_signals *s = fold_part(r)->libc ? fold_part(r)->libc->signals : NULL;
    uint64_t pending = s ? atomic_exchange(&s->pending, 0) : 0;
    siginfo_t info = {0};
    for (int sig = 1; pending; sig++, pending >>= 1) {
        const struct sigaction *a = pending & 1 ? set_by(r, sig) : NULL;
        info.si_signo = sig;
        if (a)
            call(a, sig, &info, NULL);
    }
}

static int route(int sig, const struct sigaction *set)
{
    struct sigaction ours = {.sa_sigaction = on_signal};
    (void)without_ours(&set->sa_mask, &ours.sa_mask);
    ours.sa_flags = SA_SIGINFO | (set->sa_flags & (SA_RESTART | (int)SA_NODEFER | SA_ONSTACK | SA_NOCLDSTOP));
    if (reported_by_crash(sig))
        ours.sa_flags |= SA_ONSTACK; /* crash.c needs it for the ranks that handle nothing */
    if (sigaction(sig, &ours, routed[sig] ? NULL : &before[sig]))
        return -1;
    routed[sig] = true;
    return 0;
}

int in_rank_sigaction(int sig, const struct sigaction *set, struct sigaction *old)
{
    struct rank *r = rank_current;
    struct sigaction had = {.sa_handler = SIG_DFL};
    if (!r || sig <= 0 || sig >= SIGNALS || sig == SIGCHLD)
        return sigaction(sig, set, old);
    if (set_by(r, sig))
        had = *set_by(r, sig);
    if (set && (routed[sig] || set->sa_flags & SA_SIGINFO || set->sa_handler != SIG_DFL) && route(sig, set))
        return -1;
    struct fold_libc *l = set ? libc_of(r) : fold_part(r)->libc;
    if (set && !l->signals)
        l->signals = base_zalloc(sizeof *l->signals, "signal handlers of a rank");
    if (set)
        l->signals->set[sig] = *set;
    if (old)
        *old = had;
    return 0;
}

__sighandler_t in_rank_signal(int sig, __sighandler_t handler)
{
    struct sigaction set = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    if (!rank_current)
        return signal(sig, handler);
    sigemptyset(&set.sa_mask);
    return in_rank_sigaction(sig, &set, &old) ? SIG_ERR : old.sa_handler;
}
