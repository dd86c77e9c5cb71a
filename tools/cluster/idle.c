/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idle: a library that is preloaded into the ranks of a cluster. MPI libraries wait by asking their sockets
 * again and again, which takes a whole CPU for each rank; on a machine that stands for many nodes the ranks
 * would then wait for each other's turns. Here a thread that has asked some times in a row, found nothing and
 * did not want to wait, sleeps until one of its sockets has something, for a millisecond at most.
 * PGASIM_CLUSTER_SPIN in the environment: it does not.
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { ASKS = 3, LONGEST_MS = 1 };

typedef int (*poll_fn)(struct pollfd *fds, nfds_t n, int timeout);
typedef int (*epoll_fn)(int fd, struct epoll_event *events, int most, int timeout);

static _Thread_local int asked; /* times in a row, without an answer */

static bool spin;

__attribute__((constructor)) static void begin(void)
{
    spin = getenv("PGASIM_CLUSTER_SPIN") != NULL;
}

/* How long to wait instead of not at all. */
static int patience(int timeout)
{
    return timeout == 0 && asked >= ASKS && !spin ? LONGEST_MS : timeout;
}

static int answer(int timeout, int n)
{
    if (n != 0)
        asked = 0;
    else if (timeout == 0 && asked < ASKS)
        asked++;
    return n;
}

__attribute__((visibility("default"))) int poll(struct pollfd *fds, nfds_t nfds, int timeout)
{
    static poll_fn next;
    if (!next)
        next = (poll_fn)dlsym(RTLD_NEXT, "poll");
    return answer(timeout, next(fds, nfds, nfds ? patience(timeout) : timeout));
}

__attribute__((visibility("default"))) int epoll_wait(int epfd, struct epoll_event *events, int maxevents,
                                                      int timeout)
{
    static epoll_fn next;
    if (!next)
        next = (epoll_fn)dlsym(RTLD_NEXT, "epoll_wait");
    return answer(timeout, next(epfd, events, maxevents, patience(timeout)));
}
