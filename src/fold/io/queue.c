/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue: message queues and semaphores of the system. POSIX's queues are files, which poll knows; System V's
 * are asked again when somebody has used one.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>

/* --- POSIX ------------------------------------------------------------------------------------------ */

mqd_t in_rank_mq_open(const char *name, int flags, ...)
{
    struct rank *r = rank_current;
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    struct mq_attr *attr = flags & O_CREAT ? va_arg(args, struct mq_attr *) : NULL;
    va_end(args);
    if (!r)
        return mq_open(name, flags, mode, attr);
    return io_full(r) ? -1 : io_install(r, mq_open(name, flags, mode, attr), FILES_OTHER, true);
}

int in_rank_mq_close(mqd_t number)
{
    return rank_current ? io_close(rank_current, number) : mq_close(number);
}

/* Seconds until an absolute time of the simulated calendar; 0 for a time that has passed. */
static double until(const struct rank *r, const struct timespec *at)
{
    double left = at ? libc_until(CLOCK_REALTIME, at) - engine_now(r->engine) : INFINITY;
    return left > 0 ? left : 0;
}

/* false: its time is over; ETIMEDOUT. */
static bool await(struct rank *r, const char *call, const struct files_entry *e, short events,
                  const struct timespec *at)
{
    struct pollfd fd = {.fd = e->descriptor, .events = events};
    struct io_wait_for f = {.call = call, .fds = &fd, .n = 1, .outside = true, .seconds = INFINITY};
    if (poll(&fd, 1, 0) != 0 || !io_patient(e))
        return true;
    f.nature = e->nature;
    f.seconds = until(r, at);
    if (f.seconds > 0 && io_wait(r, &f))
        return true;
    errno = ETIMEDOUT;
    return false;
}

int in_rank_mq_timedsend(mqd_t number, const char *text, size_t size, unsigned priority,
                         const struct timespec *at)
{
    struct rank *r = rank_current;
    const struct files_entry *found = r ? io_entry(r, number) : NULL;
    if (!found)
        return r ? -1 : mq_timedsend(number, text, size, priority, at);
    struct files_entry e = *found;
    if (!await(r, "mq_send", &e, POLLOUT, at))
        return -1;
    int failed = mq_send(e.descriptor, text, size, priority);
    if (failed && errno == EAGAIN)
        io_nothing(r);
    io_changed(IO_ANY);
    return failed;
}

int in_rank_mq_send(mqd_t number, const char *text, size_t size, unsigned priority)
{
    return rank_current ? in_rank_mq_timedsend(number, text, size, priority, NULL)
                        : mq_send(number, text, size, priority);
}

ssize_t in_rank_mq_timedreceive(mqd_t number, char *text, size_t size, unsigned *priority,
                                const struct timespec *at)
{
    struct rank *r = rank_current;
    const struct files_entry *found = r ? io_entry(r, number) : NULL;
    if (!found)
        return r ? -1 : mq_timedreceive(number, text, size, priority, at);
    struct files_entry e = *found;
    if (!await(r, "mq_receive", &e, POLLIN, at))
        return -1;
    ssize_t n = mq_receive(e.descriptor, text, size, priority);
    if (n < 0 && errno == EAGAIN)
        io_nothing(r);
    io_changed(IO_ANY);
    return n;
}

ssize_t in_rank_mq_receive(mqd_t number, char *text, size_t size, unsigned *priority)
{
    return rank_current ? in_rank_mq_timedreceive(number, text, size, priority, NULL)
                        : mq_receive(number, text, size, priority);
}

/* --- System V --------------------------------------------------------------------------------------- */

static struct io_wait_for waiting(const char *call, double seconds)
{
    return (struct io_wait_for){.call = call, .place = IO_QUEUES, .outside = true, .seconds = seconds};
}

int in_rank_msgsnd(int id, const void *message, size_t size, int flags)
{
    struct rank *r = rank_current;
    int failed;
    if (!r)
        return msgsnd(id, message, size, flags);
    struct io_wait_for f = waiting("msgsnd", INFINITY);
    while ((failed = msgsnd(id, message, size, flags | IPC_NOWAIT)) && errno == EAGAIN &&
           !(flags & IPC_NOWAIT))
        (void)io_wait(r, &f);
    if (failed && errno == EAGAIN)
        io_nothing(r);
    io_changed(IO_QUEUES);
    return failed;
}

ssize_t in_rank_msgrcv(int id, void *message, size_t size, long type, int flags)
{
    struct rank *r = rank_current;
    ssize_t n;
    if (!r)
        return msgrcv(id, message, size, type, flags);
    struct io_wait_for f = waiting("msgrcv", INFINITY);
    while ((n = msgrcv(id, message, size, type, flags | IPC_NOWAIT)) < 0 && errno == ENOMSG &&
           !(flags & IPC_NOWAIT))
        (void)io_wait(r, &f);
    if (n < 0 && errno == ENOMSG)
        io_nothing(r);
    io_changed(IO_QUEUES);
    return n;
}

/* All operations are made at once or none; with IPC_NOWAIT in each, none waits. */
static int try_operations(int id, const struct sembuf *operations, size_t n)
{
    struct sembuf now[n];
    for (size_t k = 0; k < n; k++) {
        now[k] = operations[k];
        now[k].sem_flg |= IPC_NOWAIT;
    }
    return semop(id, now, n);
}

static bool waits(const struct sembuf *operations, size_t n)
{
    bool none = false;
    for (size_t k = 0; k < n; k++)
        none |= operations[k].sem_flg & IPC_NOWAIT;
    return !none;
}

int in_rank_semtimedop(int id, struct sembuf *operations, size_t n, const struct timespec *timeout)
{
    enum { MOST = 512 }; /* more than Linux allows by default */
    struct rank *r = rank_current;
    int failed;
    if (!r || n > MOST || n == 0)
        return semtimedop(id, operations, n, timeout);
    double seconds = timeout ? (double)timeout->tv_sec + 1e-9 * (double)timeout->tv_nsec : INFINITY;
    double end = engine_now(r->engine) + seconds;
    struct io_wait_for f = waiting("semop", seconds);
    while ((failed = try_operations(id, operations, n)) && errno == EAGAIN && waits(operations, n)) {
        f.seconds = end - engine_now(r->engine);
        if (f.seconds <= 0 || !io_wait(r, &f))
            break;
    }
    if (failed && errno == EAGAIN && !waits(operations, n))
        io_nothing(r);
    io_changed(IO_QUEUES);
    return failed;
}

int in_rank_semop(int id, struct sembuf *operations, size_t n)
{
    return rank_current ? in_rank_semtimedop(id, operations, n, NULL) : semop(id, operations, n);
}
