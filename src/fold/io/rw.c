/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rw: reading and writing. Files on disk never wait. What is written to the job's standard output goes
 * through rank_output; standard input is rank 0's, and empty for the others.
 *
 * A pipe that is ready for writing takes PIPE_BUF bytes at least, so longer writes are made in such pieces.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- who can answer --------------------------------------------------------------------------------- */

bool io_patient(const struct files_entry *e)
{
    return !(fcntl(e->descriptor, F_GETFL) & O_NONBLOCK);
}

static bool is_terminal_like(const struct files_entry *e)
{
    struct stat s;
    return e->nature == FILES_OTHER && !fstat(e->descriptor, &s) && S_ISCHR(s.st_mode);
}

void io_ask_whom(struct io_wait_for *f, const struct files_entry *e, short events)
{
    bool reads = events & POLLIN;
    f->nature = e->nature;
    f->place = e->nature == FILES_PIPE || e->nature == FILES_FIFO ? e->place : IO_ANY;
    f->outside = e->nature != FILES_TIMER;
    f->inherited = e->nature == FILES_PIPE || e->nature == FILES_PAIR || e->nature == FILES_TIMER;
    f->alone = (e->nature == FILES_PIPE && reads && !files_held(e->place)) || is_terminal_like(e);
}

static bool ready(int descriptor, short events)
{
    return poll(&(struct pollfd){.fd = descriptor, .events = events}, 1, 0) != 0;
}

void io_await(struct rank *r, const char *call, const struct files_entry *e, short events)
{
    struct pollfd fd = {.fd = io_descriptor_of(r, e), .events = events};
    if (ready(fd.fd, events))
        return;
    if (!io_patient(e)) {
        io_nothing(r);
        return;
    }
    struct io_wait_for f = {.call = call, .fds = &fd, .n = 1, .seconds = INFINITY};
    io_ask_whom(&f, e, events);
    while (!io_wait(r, &f))
        ;
}

/* --- reading ---------------------------------------------------------------------------------------- */

ssize_t in_rank_read(int number, void *bytes, size_t size)
{
    struct rank *r = rank_current;
    const struct files_entry *found = r ? io_entry(r, number) : NULL;
    if (!found)
        return r ? -1 : read(number, bytes, size);
    struct files_entry e = *found;
    if (e.kind == FILES_IN)
        return libc_input_read(r, bytes, size);
    if (e.nature == FILES_DISK || e.kind != FILES_OWN)
        return io_pay(number, STORAGE_READ, IO_HERE, size) ? -1 : read(e.descriptor, bytes, size);
    if (e.nature == FILES_TIMER)
        return io_timer_read(r, &e, bytes, size);
    io_await(r, "read", &e, POLLIN);
    ssize_t n = read(e.descriptor, bytes, size);
    io_changed(e.place);
    return n;
}

ssize_t in_rank___read_chk(int number, void *bytes, size_t size, size_t room)
{
    if (size > room)
        abort();
    return in_rank_read(number, bytes, size);
}

ssize_t in_rank_readv(int number, const struct iovec *v, int n)
{
    struct rank *r = rank_current;
    const struct files_entry *e = r ? io_entry(r, number) : NULL;
    if (e && (e->kind == FILES_IN || e->nature == FILES_TIMER))
        return n > 0 ? in_rank_read(number, v[0].iov_base, v[0].iov_len) : 0;
    if (e && e->nature != FILES_DISK && e->kind == FILES_OWN) {
        struct files_entry kept = *e;
        io_await(r, "readv", &kept, POLLIN);
        ssize_t got = readv(kept.descriptor, v, n);
        io_changed(kept.place);
        return got;
    }
    return io_pay_vector(number, STORAGE_READ, IO_HERE, v, n) ? -1 : readv(io_descriptor(number), v, n);
}

/* --- writing ---------------------------------------------------------------------------------------- */

/* What stdio holds goes out first, because it was printed first. */
static ssize_t write_to_job(struct rank *r, const struct files_entry *e, const void *bytes, size_t size)
{
    libc_streams_flush(&libc_process);
    rank_output(r, e->kind == FILES_OUT ? 1 : 2, bytes, size);
    return (ssize_t)size;
}

static ssize_t write_patiently(struct rank *r, const struct files_entry *e, const char *bytes, size_t size)
{
    bool pieces = e->nature == FILES_PIPE || e->nature == FILES_FIFO;
    size_t done = 0;
    do {
        size_t piece = pieces && size - done > PIPE_BUF ? PIPE_BUF : size - done;
        io_await(r, "write", e, POLLOUT);
        ssize_t n = write(e->descriptor, bytes + done, piece);
        if (n < 0)
            return done ? (ssize_t)done : n;
        io_changed(e->place);
        done += (size_t)n;
    } while (done < size && pieces);
    return (ssize_t)done;
}

static ssize_t write_somewhere(struct rank *r, const struct files_entry *e, const void *bytes, size_t size)
{
    if (e->nature == FILES_TIMER) {
        errno = EINVAL;
        return -1;
    }
    if (e->nature == FILES_SOCKET || e->nature == FILES_PAIR) {
        ssize_t n = io_send(r, "write", e, bytes, size, 0);
        if (n >= 0 || errno != ENOTSOCK)
            return n;
    }
    if (io_patient(e))
        return write_patiently(r, e, bytes, size);
    ssize_t n = write(e->descriptor, bytes, size);
    if (n < 0)
        io_nothing(r);
    io_changed(e->place);
    return n;
}

ssize_t in_rank_write(int number, const void *bytes, size_t size)
{
    struct rank *r = rank_current;
    const struct files_entry *found = r ? io_entry(r, number) : NULL;
    if (!found)
        return r ? -1 : write(number, bytes, size);
    struct files_entry e = *found;
    if (e.kind == FILES_OUT || e.kind == FILES_ERR)
        return write_to_job(r, &e, bytes, size);
    if (e.nature == FILES_DISK || e.kind == FILES_IN)
        return io_pay(number, STORAGE_WRITE, IO_HERE, size)
                   ? -1
                   : io_paid(number, write(io_descriptor_of(r, &e), bytes, size));
    return write_somewhere(r, &e, bytes, size);
}

/* As one write, because that is what it is to who reads a pipe or a socket. */
static ssize_t write_joined(int number, const struct iovec *v, int n)
{
    size_t size = 0, at = 0;
    for (int k = 0; k < n; k++)
        size += v[k].iov_len;
    char *joined = base_alloc(size + 1, "a gathered write");
    for (int k = 0; k < n; at += v[k++].iov_len)
        if (v[k].iov_len)
            memcpy(joined + at, v[k].iov_base, v[k].iov_len);
    ssize_t done = in_rank_write(number, joined, size);
    int error = errno;
    free(joined);
    errno = error;
    return done;
}

ssize_t in_rank_writev(int number, const struct iovec *v, int n)
{
    struct rank *r = rank_current;
    const struct files_entry *e = r ? io_entry(r, number) : NULL;
    if (e && e->nature != FILES_DISK && n > 0 && n <= IOV_MAX)
        return write_joined(number, v, n);
    return io_pay_vector(number, STORAGE_WRITE, IO_HERE, v, n)
               ? -1
               : io_paid(number, writev(io_descriptor(number), v, n));
}

/* --- printing --------------------------------------------------------------------------------------- */

int in_rank_vdprintf(int number, const char *fmt, va_list args)
{
    char *text;
    if (!rank_current)
        return vdprintf(number, fmt, args);
    int n = vasprintf(&text, fmt, args);
    if (n >= 0) {
        n = (int)in_rank_write(number, text, (size_t)n);
        free(text);
    }
    return n;
}

int in_rank_dprintf(int number, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = in_rank_vdprintf(number, fmt, args);
    va_end(args);
    return n;
}

int in_rank___vdprintf_chk(int number, int flag, const char *fmt, va_list args)
{
    (void)flag;
    return in_rank_vdprintf(number, fmt, args);
}

int in_rank___dprintf_chk(int number, int flag, const char *fmt, ...)
{
    va_list args;
    (void)flag;
    va_start(args, fmt);
    int n = in_rank_vdprintf(number, fmt, args);
    va_end(args);
    return n;
}
