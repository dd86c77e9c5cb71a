/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poll: calls that wait for several files. select is made of poll, because descriptors are too large for its
 * sets. Time limits are simulated time.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEW = 16 };

static double seconds_of(const struct timespec *t)
{
    return t ? (double)t->tv_sec + 1e-9 * (double)t->tv_nsec : INFINITY;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* --- poll ------------------------------------------------------------------------------------------- */

/* Fills in who can answer: nobody outside unless one of the files says so, only they if all say so. */
static void ask_whom(struct rank *r, struct io_wait_for *f, const struct pollfd *numbers)
{
    f->inherited = f->alone = true;
    for (nfds_t k = 0; k < f->n; k++) {
        const struct files_entry *e = numbers[k].fd >= 0 ? io_entry(r, numbers[k].fd) : NULL;
        struct io_wait_for one = {0};
        if (!e)
            continue;
        io_ask_whom(&one, e, numbers[k].events);
        f->outside |= one.outside;
        f->inherited &= one.inherited;
        f->alone &= one.alone;
        f->nature = one.nature;
        f->place = f->n == 1 ? one.place : IO_ANY;
    }
    f->alone &= f->outside;
}

/* Standard input that was read ahead is there to be read. */
static bool has_input(struct rank *r, const struct pollfd *numbers, nfds_t n)
{
    for (nfds_t k = 0; k < n; k++) {
        const struct files_entry *e = numbers[k].fd >= 0 ? io_entry(r, numbers[k].fd) : NULL;
        if (e && e->kind == FILES_IN && numbers[k].events & POLLIN && libc_input_waits(r))
            return true;
    }
    return false;
}

static int collect(struct rank *r, struct pollfd *numbers, const struct pollfd *fds, nfds_t n)
{
    int ready = 0;
    for (nfds_t k = 0; k < n; k++) {
        const struct files_entry *e = numbers[k].fd >= 0 ? io_entry(r, numbers[k].fd) : NULL;
        numbers[k].revents = numbers[k].fd >= 0 && !e ? POLLNVAL : fds[k].revents;
        if (e && e->kind == FILES_IN && numbers[k].events & POLLIN && libc_input_waits(r))
            numbers[k].revents |= POLLIN;
        ready += numbers[k].revents != 0;
    }
    return ready;
}

static int wait_for(struct rank *r, const char *call, struct pollfd *numbers, nfds_t n, double seconds)
{
    struct pollfd few[FEW], *fds = n <= FEW ? few : base_alloc(n * sizeof *fds, "poll");
    struct io_wait_for f = {.call = call, .fds = fds, .n = n, .seconds = seconds};
    bool closed = false;
    int kept = errno;
    for (nfds_t k = 0; k < n; k++) {
        const struct files_entry *e = numbers[k].fd >= 0 ? io_entry(r, numbers[k].fd) : NULL;
        fds[k] = (struct pollfd){.fd = e ? io_descriptor_of(r, e) : -1, .events = numbers[k].events};
        closed |= numbers[k].fd >= 0 && !e;
    }
    bool there = poll(fds, n, 0) > 0 || closed || has_input(r, numbers, n);
    if (!there && seconds <= 0) {
        io_nothing(r);
    } else if (!there) {
        ask_whom(r, &f, numbers);
        (void)io_wait(r, &f);
    }
    int ready = collect(r, numbers, fds, n);
    if (fds != few)
        free(fds);
    errno = kept;
    return ready;
}

int in_rank_poll(struct pollfd *numbers, nfds_t n, int timeout)
{
    struct rank *r = rank_current;
    if (!r)
        return poll(numbers, n, timeout);
    if (n || timeout < 0)
        return wait_for(r, "poll", numbers, n, timeout < 0 ? INFINITY : timeout * 1e-3);
    libc_sleep(r, timeout * 1e-3); /* an old way of sleeping */
    return 0;
}

int in_rank___poll_chk(struct pollfd *numbers, nfds_t n, int timeout, size_t room)
{
    if (room / sizeof *numbers < n)
        abort();
    return in_rank_poll(numbers, n, timeout);
}

/* The signals of the mask are let in once before the wait. */
static void let_in(const sigset_t *mask)
{
    sigset_t before;
    if (!mask)
        return;
    sigprocmask(SIG_SETMASK, mask, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int in_rank_ppoll(struct pollfd *numbers, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    struct rank *r = rank_current;
    if (!r)
        return ppoll(numbers, n, timeout, mask);
    let_in(mask);
    return wait_for(r, "ppoll", numbers, n, seconds_of(timeout));
}

/* --- select ----------------------------------------------------------------------------------------- */

static bool wanted(const fd_set *set, int number)
{
    return set && FD_ISSET(number, set);
}

static int to_poll(int n, const fd_set *in, const fd_set *out, const fd_set *except, struct pollfd *numbers)
{
    int used = 0;
    for (int number = 0; number < n; number++) {
        short events = (short)((wanted(in, number) ? POLLIN : 0) | (wanted(out, number) ? POLLOUT : 0) |
                               (wanted(except, number) ? POLLPRI : 0));
        if (events)
            numbers[used++] = (struct pollfd){.fd = number, .events = events};
    }
    return used;
}

static int keep(fd_set *set, const struct pollfd *p, short events)
{
    if (!wanted(set, p->fd))
        return 0;
    if (p->revents & events)
        return 1;
    FD_CLR(p->fd, set);
    return 0;
}

static int select_as_rank(struct rank *r, int n, fd_set *in, fd_set *out, fd_set *except, double seconds)
{
    struct pollfd numbers[FD_SETSIZE];
    int count = 0;
    if (n < 0)
        return fail(EINVAL);
    int used = to_poll(n < FD_SETSIZE ? n : FD_SETSIZE, in, out, except, numbers);
    for (int k = 0; k < used; k++)
        if (!io_entry(r, numbers[k].fd))
            return fail(EBADF);
    (void)wait_for(r, "select", numbers, (nfds_t)used, seconds);
    for (int k = 0; k < used; k++) {
        if (numbers[k].revents & POLLNVAL)
            return fail(EBADF);
        count += keep(in, &numbers[k], POLLIN | POLLHUP | POLLERR);
        count += keep(out, &numbers[k], POLLOUT | POLLERR);
        count += keep(except, &numbers[k], POLLPRI);
    }
    return count;
}

int in_rank_select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
    struct rank *r = rank_current;
    if (!r)
        return select(n, in, out, except, timeout);
    double seconds = timeout ? (double)timeout->tv_sec + 1e-6 * (double)timeout->tv_usec : INFINITY;
    if (seconds < 0)
        return fail(EINVAL);
    int ready = 0;
    double begun = engine_now(r->engine);
    if (timeout && (n <= 0 || (!in && !out && !except)))
        libc_sleep(r, seconds); /* an old way of sleeping */
    else
        ready = select_as_rank(r, n, in, out, except, seconds);
    if (timeout) { /* as Linux does: what is left */
        double left = ready ? fmax(0, seconds - (engine_now(r->engine) - begun)) : 0;
        *timeout = (struct timeval){(time_t)left, (suseconds_t)((left - floor(left)) * 1e6)};
    }
    return ready;
}

int in_rank_pselect(int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
                    const sigset_t *mask)
{
    struct rank *r = rank_current;
    if (!r)
        return pselect(n, in, out, except, timeout, mask);
    let_in(mask);
    return select_as_rank(r, n, in, out, except, seconds_of(timeout));
}

/* --- epoll ------------------------------------------------------------------------------------------ */

static int epoll_as_rank(struct rank *r, int number, struct epoll_event *out, int most, double seconds)
{
    const struct files_entry *e = io_entry(r, number);
    if (!e)
        return -1;
    struct pollfd fd = {.fd = e->descriptor, .events = POLLIN};
    struct io_wait_for f = {.call = "epoll_wait", .fds = &fd, .n = 1, .outside = true, .seconds = seconds};
    f.nature = e->nature;
    if (poll(&fd, 1, 0) == 0) {
        if (seconds <= 0)
            io_nothing(r);
        else
            (void)io_wait(r, &f);
    }
    return epoll_wait(fd.fd, out, most, 0);
}

int in_rank_epoll_wait(int number, struct epoll_event *out, int most, int timeout)
{
    struct rank *r = rank_current;
    if (!r)
        return epoll_wait(number, out, most, timeout);
    return epoll_as_rank(r, number, out, most, timeout < 0 ? INFINITY : timeout * 1e-3);
}

int in_rank_epoll_pwait(int number, struct epoll_event *out, int most, int timeout, const sigset_t *mask)
{
    if (!rank_current)
        return epoll_pwait(number, out, most, timeout, mask);
    let_in(mask);
    return in_rank_epoll_wait(number, out, most, timeout);
}

int in_rank_epoll_pwait2(int number, struct epoll_event *out, int most, const struct timespec *timeout,
                         const sigset_t *mask)
{
    struct rank *r = rank_current;
    if (!r)
        return epoll_pwait2(number, out, most, timeout, mask);
    let_in(mask);
    return epoll_as_rank(r, number, out, most, seconds_of(timeout));
}
