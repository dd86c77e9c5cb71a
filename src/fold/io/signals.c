/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals: calls that wait for a signal. It may come from another thread of the rank, from another rank, from
 * a timer of the host or from outside. Handlers run where the signal arrives (libc/signal.c), or, for a
 * signal that found another rank running, here.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

static const struct timespec no_time = {0, 0};

static struct io_wait_for waiting(const char *call, double seconds)
{
    return (struct io_wait_for){.call = call, .place = IO_SIGNALS, .outside = true, .seconds = seconds};
}

/* Until a handler of the rank has run. `mask`: which signals are kept from it meanwhile; NULL: as it is. */
static int await_handler(struct rank *r, const char *call, const sigset_t *mask)
{
    struct io_wait_for f = waiting(call, INFINITY);
    uint64_t before = libc_signals_handled(r);
    sigset_t kept;
    for (;;) {
        if (mask)
            sigprocmask(SIG_SETMASK, mask, &kept); /* what is pending comes now */
        libc_signals_deliver(r);
        if (mask)
            sigprocmask(SIG_SETMASK, &kept, NULL);
        if (libc_signals_handled(r) != before)
            break;
        (void)io_wait(r, &f);
    }
    errno = EINTR;
    return -1;
}

int in_rank_pause(void)
{
    return rank_current ? await_handler(rank_current, "pause", NULL) : pause();
}

int in_rank_sigsuspend(const sigset_t *mask)
{
    return rank_current ? await_handler(rank_current, "sigsuspend", mask) : sigsuspend(mask);
}

static int await_signal(struct rank *r, const char *call, const sigset_t *set, siginfo_t *out, double seconds)
{
    double until = engine_now(r->engine) + seconds;
    int sig;
    struct io_wait_for f = waiting(call, seconds);
    while ((sig = sigtimedwait(set, out, &no_time)) < 0 && errno == EAGAIN) {
        f.seconds = until - engine_now(r->engine);
        if (f.seconds <= 0 || !io_wait(r, &f))
            break;
    }
    if (sig < 0 && errno == EAGAIN && seconds <= 0)
        io_nothing(r);
    return sig;
}

int in_rank_sigtimedwait(const sigset_t *set, siginfo_t *out, const struct timespec *timeout)
{
    struct rank *r = rank_current;
    if (!r)
        return sigtimedwait(set, out, timeout);
    double seconds = timeout ? (double)timeout->tv_sec + 1e-9 * (double)timeout->tv_nsec : INFINITY;
    return await_signal(r, "sigtimedwait", set, out, seconds);
}

int in_rank_sigwaitinfo(const sigset_t *set, siginfo_t *out)
{
    return rank_current ? await_signal(rank_current, "sigwaitinfo", set, out, INFINITY)
                        : sigwaitinfo(set, out);
}

int in_rank_sigwait(const sigset_t *set, int *out)
{
    struct rank *r = rank_current;
    if (!r)
        return sigwait(set, out);
    int sig = await_signal(r, "sigwait", set, NULL, INFINITY);
    if (sig < 0)
        return errno;
    *out = sig;
    return 0;
}
