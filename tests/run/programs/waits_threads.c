/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that waits in a system call lets the rank's other threads, and other ranks, run: what it waits for
 * comes from them, at their simulated time. */
// build: $OSHCC -g -pthread $SRC -o $EXE
// run: -np 3
// stdout-has: 0 all answered after 1 ms
// stdout-has: 1 all answered after 1 ms
// stdout-has: 2 all answered after 1 ms
// stderr-not: .
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "errno_check.h"

static int ends[2], pair[2], event, number = 77;
static volatile sig_atomic_t handled;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_signal(int sig)
{
    handled = sig;
}

/* Each answers after a millisecond. */
static void *write_pipe(void *arg)
{
    usleep(1000);
    CHECK(write(ends[1], arg, strlen(arg)) == (ssize_t)strlen(arg));
    return NULL;
}

static void *send_pair(void *arg)
{
    usleep(500);
    CHECK(send(pair[1], "ab", 2, 0) == 2);
    usleep(500);
    CHECK(send(pair[1], "cd", 2, 0) == 2);
    return arg;
}

static void *count_event(void *arg)
{
    usleep(1000);
    CHECK(eventfd_write(event, 5) == 0);
    return arg;
}

static void *signal_process(void *arg)
{
    usleep(1000);
    CHECK(kill(getpid(), *(int *)arg) == 0);
    return NULL;
}

static void *drain(void *arg)
{
    static char text[1 << 16];
    usleep(1000);
    for (size_t left = 1 << 20; left;) {
        ssize_t n = read(ends[0], text, sizeof text);
        CHECK(n > 0);
        left -= (size_t)n;
    }
    return arg;
}

static void *close_end(void *arg)
{
    usleep(1000);
    close(ends[1]);
    return arg;
}

static void in_time(const char *what, double begun, int once)
{
    double took = now() - begun;
    if (took < 0.9e-3 || took > (once ? 1.3e-3 : 0.1)) {
        fprintf(stderr, "%s: %g s\n", what, took);
        exit(4);
    }
}

static void with(void *(*fn)(void *), void *arg, void (*wait)(void), const char *what)
{
    pthread_t id;
    double begun = now();
    CHECK(pthread_create(&id, NULL, fn, arg) == 0);
    wait();
    in_time(what, begun, fn != drain);
    CHECK(pthread_join(id, NULL) == 0);
}

static void by_read(void)
{
    char text[8];
    CHECK(read(ends[0], text, 8) == 4 && !memcmp(text, "read", 4));
}

static void by_readv(void)
{
    char a[2], b[2];
    struct iovec v[2] = {{a, 2}, {b, 2}};
    CHECK(readv(ends[0], v, 2) == 4 && b[1] == 'd');
}

static void by_poll(void)
{
    struct pollfd p[2] = {{.fd = pair[0], .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
    CHECK(poll(p, 2, -1) == 1 && p[1].revents == POLLIN && p[0].revents == 0);
    by_read();
}

static void by_timed_poll(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    CHECK(poll(&p, 1, 500) == 1);
    by_read();
}

static void by_busy_poll(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    while (poll(&p, 1, 0) == 0)
        ;
    by_read();
}

static void by_select(void)
{
    fd_set in;
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    CHECK(select(ends[0] + 1, &in, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &in));
    by_read();
}

static void by_epoll(void)
{
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = 9}, got = {0};
    int set = epoll_create1(0);
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e) == 0);
    CHECK(epoll_wait(set, &got, 1, -1) == 1 && got.data.u32 == 9);
    close(set);
    by_read();
}

static void by_stream(void)
{
    char line[20];
    FILE *f = fdopen(dup(ends[0]), "r");
    CHECK(fgets(line, sizeof line, f) && !strcmp(line, "line\n"));
    fclose(f);
}

static void by_recv(void)
{
    char text[4];
    CHECK(recv(pair[0], text, 4, MSG_WAITALL) == 4 && !memcmp(text, "abcd", 4));
}

static void by_event(void)
{
    eventfd_t value;
    CHECK(eventfd_read(event, &value) == 0 && value == 5);
}

static void by_sigwait(void)
{
    sigset_t set;
    int sig;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
}

static void by_pause(void)
{
    handled = 0;
    CHECK(pause() == -1 && errno == EINTR && handled == SIGUSR2);
}

/* More than a pipe holds. */
static void by_write(void)
{
    static char text[1 << 20];
    CHECK(write(ends[1], text, sizeof text) == (ssize_t)sizeof text);
}

static void by_end(void)
{
    char c;
    CHECK(read(ends[0], &c, 1) == 0);
}

static void time_over(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    double begun = now();
    CHECK(poll(&p, 1, 1) == 0);
    in_time("poll", begun, 1);
    struct timeval t = {0, 1000};
    fd_set in;
    FD_ZERO(&in);
    FD_SET(pair[0], &in);
    begun = now();
    CHECK(select(pair[0] + 1, &in, NULL, NULL, &t) == 0 && !FD_ISSET(pair[0], &in));
    in_time("select", begun, 1);
    t = (struct timeval){0, 1000};
    CHECK(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t) == 0);
    char c;
    begun = now();
    CHECK(recv(pair[0], &c, 1, 0) == -1 && errno == EAGAIN);
    in_time("recv", begun, 0);
}

int main(void)
{
    int first = SIGUSR1, second = SIGUSR2, level;
    sigset_t set;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    int me = shmem_my_pe();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR2, on_signal);
    CHECK(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    event = eventfd(0, 0);
    with(write_pipe, "read", by_read, "read");
    with(write_pipe, "read", by_readv, "readv");
    with(write_pipe, "read", by_poll, "poll");
    with(write_pipe, "read", by_timed_poll, "poll with a time limit");
    with(write_pipe, "read", by_busy_poll, "poll in a loop");
    with(write_pipe, "read", by_select, "select");
    with(write_pipe, "read", by_epoll, "epoll");
    with(write_pipe, "line\n", by_stream, "fgets");
    with(send_pair, NULL, by_recv, "recv");
    with(count_event, NULL, by_event, "eventfd");
    for (int k = 0; k < shmem_n_pes(); k++) { /* all ranks have one process number: one at a time */
        shmem_barrier_all();
        if (k == me)
            with(signal_process, &first, by_sigwait, "sigwait");
        shmem_barrier_all();
        if (k == me)
            with(signal_process, &second, by_pause, "pause");
    }
    shmem_barrier_all();
    with(drain, NULL, by_write, "write");
    time_over();
    with(close_end, NULL, by_end, "end of file");
    printf("%d all answered after 1 ms\n", me);
    shmem_finalize();
    return number != 77;
}
