/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timerfd follows the simulated clock: read, poll, select and epoll wait for it, expiries are counted, absolute times
 * keep to their clock, and a periodic timer that nobody reads keeps neither the run nor a deadlock from ending.
 */
// build: $OSHCC -g $SRC -o $EXE
// run: --compute=off --quiet -np 2
// stdout-has: 0 done
// stdout-has: 1 done
// stderr-not: .
// shell: timeout 60 $RUN --compute=off -np 2 $EXE forever
// status: 3
// stderr-match: shmem_long_wait_until
// shell: timeout 60 $RUN --compute=off -np 2 $EXE disarmed
// status: 3
// stderr-match: since 0 s: a timer
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "errno_check.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int near(double value, double wanted)
{
    return value > wanted - 1e-4 && value < wanted + 1e-4;
}

static int set(int fd, long first_ms, long interval_ms)
{
    struct itimerspec s = {{interval_ms / 1000, interval_ms % 1000 * 1000000},
                           {first_ms / 1000, first_ms % 1000 * 1000000}};
    return timerfd_settime(fd, 0, &s, NULL);
}

static uint64_t expiries(int fd)
{
    uint64_t n = 0;
    CHECK(read(fd, &n, sizeof n) == sizeof n);
    return n;
}

static double left(int fd)
{
    struct itimerspec s;
    CHECK(timerfd_gettime(fd, &s) == 0);
    return (double)s.it_value.tv_sec + 1e-9 * (double)s.it_value.tv_nsec;
}

static void once(int fd)
{
    double begin = now();
    CHECK(set(fd, 3600000, 0) == 0 && near(left(fd), 3600)); /* an hour: no real time */
    CHECK(expiries(fd) == 1 && near(now() - begin, 3600) && left(fd) == 0);
    CHECK(set(fd, 10, 0) == 0 && usleep(50000) == 0 && left(fd) == 0 && expiries(fd) == 1);
    CHECK(set(fd, 10, 0) == 0 && set(fd, 0, 0) == 0 && left(fd) == 0);
    CHECK(poll(&(struct pollfd){fd, POLLIN, 0}, 1, 1000) == 0);
}

static void periodic(int fd)
{
    double begin = now();
    CHECK(set(fd, 100, 250) == 0);
    CHECK(expiries(fd) == 1 && near(now() - begin, 0.1));
    CHECK(expiries(fd) == 1 && near(now() - begin, 0.35));
    usleep(1100000); /* over 0.6, 0.85, 1.1 and 1.35 */
    CHECK(near(left(fd), 0.15));
    CHECK(expiries(fd) == 4 && near(now() - begin, 1.45));
    CHECK(expiries(fd) == 1 && near(now() - begin, 1.6));
    usleep(400000);
    CHECK(set(fd, 500, 0) == 0); /* forgets what was not read */
    CHECK(poll(&(struct pollfd){fd, POLLIN, 0}, 1, 0) == 0);
    CHECK(expiries(fd) == 1 && near(now() - begin, 2.5));
}

static void absolute(int fd)
{
    struct itimerspec s = {{0, 0}, {0, 0}}, old;
    double begin = now();
    CHECK(clock_gettime(CLOCK_MONOTONIC, &s.it_value) == 0);
    s.it_value.tv_sec += 2;
    CHECK(timerfd_settime(fd, TFD_TIMER_ABSTIME, &s, NULL) == 0);
    CHECK(expiries(fd) == 1 && near(now() - begin, 2));
    CHECK(timerfd_settime(fd, TFD_TIMER_ABSTIME, &s, &old) == 0 &&
          old.it_value.tv_sec == 0); /* it has passed */
    CHECK(expiries(fd) == 1 && near(now() - begin, 2));
    int day = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    s.it_value = (struct timespec){time(NULL) + 10, 0};
    CHECK(timerfd_settime(day, TFD_TIMER_ABSTIME, &s, NULL) == 0 && left(day) < 10.001 && left(day) > 8.9);
    CHECK(expiries(day) == 1 && time(NULL) == s.it_value.tv_sec && close(day) == 0);
}

static void several(int fd)
{
    double begin = now();
    int other = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), all = epoll_create1(0);
    struct pollfd p[] = {{fd, POLLIN, 0}, {other, POLLIN, 0}};
    struct epoll_event e = {EPOLLIN, {.fd = other}}, got;
    uint64_t n;
    CHECK(read(other, &n, sizeof n) == -1 && errno == EAGAIN && read(fd, &n, 7) == -1 && errno == EINVAL);
    CHECK(write(fd, &n, sizeof n) == -1 && errno == EINVAL);
    CHECK(set(fd, 300, 0) == 0 && set(other, 200, 0) == 0);
    CHECK(poll(p, 2, -1) == 1 && p[1].revents == POLLIN && near(now() - begin, 0.2));
    CHECK(expiries(other) == 1 && poll(p, 2, 50) == 0 && near(now() - begin, 0.25));
    fd_set in;
    FD_ZERO(&in);
    FD_SET(fd, &in);
    CHECK(select(fd + 1, &in, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &in) && near(now() - begin, 0.3));
    CHECK(expiries(fd) == 1);
    CHECK(epoll_ctl(all, EPOLL_CTL_ADD, other, &e) == 0 && set(other, 700, 0) == 0);
    CHECK(epoll_wait(all, &got, 1, 100) == 0 && near(now() - begin, 0.4));
    CHECK(epoll_wait(all, &got, 1, -1) == 1 && got.data.fd == other && near(now() - begin, 1.0));
    CHECK(close(all) == 0 && close(other) == 0);
}

/* A copy is the same timer; the last number that is closed takes it away. */
static void copied(int fd)
{
    double begin = now();
    int copy = dup(fd);
    CHECK(set(copy, 40, 0) == 0 && near(left(fd), 0.04) && close(copy) == 0);
    CHECK(expiries(fd) == 1 && near(now() - begin, 0.04));
    CHECK(timerfd_settime(1, 0, &(struct itimerspec){0}, NULL) == -1 && errno == EINVAL);
    CHECK(timerfd_gettime(77, &(struct itimerspec){0}) == -1 && errno == EBADF);
    CHECK(timerfd_settime(fd, 0, &(struct itimerspec){.it_value.tv_nsec = 1000000000}, NULL) == -1 &&
          errno == EINVAL);
    CHECK(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0) == -1 && errno == EINVAL);
    int by_number = (int)syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
    struct itimerspec s = {.it_value.tv_sec = 1};
    CHECK(syscall(SYS_timerfd_settime, by_number, 0, &s, NULL) == 0 && near(left(by_number), 1) &&
          close(by_number) == 0);
}

int main(int argc, char **argv)
{
    static long never;
    shmem_init();
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    CHECK(fd == 3);
    if (argc > 1 && !strcmp(argv[1], "forever")) {
        CHECK(set(fd, 1, 1) == 0); /* nobody reads it */
        shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
    }
    if (argc > 1)
        (void)expiries(fd);
    once(fd);
    periodic(fd);
    absolute(fd);
    several(fd);
    copied(fd);
    CHECK(set(fd, 1, 1) == 0); /* left as it is */
    printf("%d done\n", shmem_my_pe());
    shmem_finalize();
    return 0;
}
