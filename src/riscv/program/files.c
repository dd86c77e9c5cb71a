/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: a process's descriptors. Each has a descriptor of this process of its own, so that offsets are its
 * own; but what goes to the standard output and error is the world's, wherever a program has dup'ed them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "riscv/program/internal.h"

enum { CLOSED = -1, OUTPUT = -2 /* 1 */, ERRORS = -3 /* 2 */, MOST = 1024 };

void riscv_files_begin(struct riscv_process *x)
{
    /* Standard input is rank 0's, as everywhere. */
    int in = x->world->rank ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fcntl(0, F_DUPFD_CLOEXEC, 3);
    const struct riscv_file begin[] = {{.host = in < 0 ? CLOSED : in}, {.host = OUTPUT}, {.host = ERRORS}};
    x->folder = AT_FDCWD;
    for (size_t k = 0; k < BASE_LENGTH(begin); k++)
        BASE_ARRAY_PUSH(&x->files, begin[k]);
}

void riscv_files_end(struct riscv_process *x)
{
    for (size_t k = 0; k < x->files.n; k++)
        if (x->files.at[k].host >= 0)
            close(x->files.at[k].host);
    if (x->files.n && x->folder >= 0)
        close(x->folder);
    free(x->files.at);
}

static int kept(const struct riscv_process *x, uint64_t fd)
{
    return fd < x->files.n ? x->files.at[fd].host : CLOSED;
}

int riscv_file_host(const struct riscv_process *x, uint64_t fd)
{
    int host = kept(x, fd);
    return host == OUTPUT ? 1 : host == ERRORS ? 2 : host;
}

int riscv_file_output(const struct riscv_process *x, uint64_t fd)
{
    int host = kept(x, fd);
    return host == OUTPUT ? 1 : host == ERRORS ? 2 : 0;
}

static void put(struct riscv_process *x, uint64_t fd, struct riscv_file f)
{
    const struct riscv_file none = {.host = CLOSED};
    while (x->files.n <= fd)
        BASE_ARRAY_PUSH(&x->files, none);
    x->files.at[fd] = f;
}

/* host: a descriptor, or what stands for an output. */
static int64_t add(struct riscv_process *x, struct riscv_file f, uint64_t least)
{
    uint64_t fd = least;
    while (fd < x->files.n && x->files.at[fd].host != CLOSED)
        fd++;
    if (fd >= MOST) {
        if (f.host >= 0)
            close(f.host);
        return -EMFILE;
    }
    put(x, fd, f);
    return (int64_t)fd;
}

int64_t riscv_file_add(struct riscv_process *x, int host, uint64_t least, bool close_on_exec)
{
    return host < 0 ? -errno : add(x, (struct riscv_file){host, close_on_exec, false}, least);
}

int64_t riscv_file_add_pipe(struct riscv_process *x, int host, bool close_on_exec)
{
    return add(x, (struct riscv_file){host, close_on_exec, true}, 0);
}

int64_t riscv_file_close(struct riscv_process *x, uint64_t fd)
{
    int host = kept(x, fd);
    if (host == CLOSED)
        return -EBADF;
    x->files.at[fd].host = CLOSED;
    return host >= 0 && close(host) ? -errno : 0;
}

/* to >= 2^32: the lowest free one from to - 2^32 on */
int64_t riscv_file_dup(struct riscv_process *x, uint64_t from, uint64_t to, bool close_on_exec)
{
    int host = kept(x, from);
    bool lowest = to >> 32;
    if (host == CLOSED || (!lowest && to >= MOST))
        return -EBADF;
    if (host >= 0 && (host = fcntl(host, F_DUPFD_CLOEXEC, 3)) < 0)
        return -errno;
    const struct riscv_file copy = {host, close_on_exec, x->files.at[from].pipe};
    if (lowest)
        return add(x, copy, (uint32_t)to);
    riscv_file_close(x, to);
    put(x, to, copy);
    return (int64_t)to;
}

/* --- flags: of RISC-V's and of the host's, which differ on some machines ------------------------------- */

static const struct {
    uint64_t theirs;
    int ours;
} flags[] = {{01, O_WRONLY},     {02, O_RDWR},           {0100, O_CREAT},       {0200, O_EXCL},
             {0400, O_NOCTTY},   {01000, O_TRUNC},       {02000, O_APPEND},     {04000, O_NONBLOCK},
             {010000, O_DSYNC},  {0200000, O_DIRECTORY}, {0400000, O_NOFOLLOW}, {02000000, O_CLOEXEC},
             {010000000, O_PATH}};

int riscv_file_flags(uint64_t given)
{
    int out = 0;
    for (size_t k = 0; k < BASE_LENGTH(flags); k++)
        out |= given & flags[k].theirs ? flags[k].ours : 0;
    return out;
}

uint64_t riscv_file_flags_of(int host)
{
    int have = host >= 0 ? fcntl(host, F_GETFL) : -1;
    uint64_t out = 0;
    for (size_t k = 0; have >= 0 && k < BASE_LENGTH(flags); k++)
        out |= have & flags[k].ours ? flags[k].theirs : 0;
    return out;
}

/* --- bytes ---------------------------------------------------------------------------------------------- */

/* read() or write(). In a pipe of its own, a process that would have to wait waits for ever. */
static int64_t move(struct riscv_process *x, const struct riscv_file *f, bool writes, void *at, uint64_t size)
{
    int have = f->pipe ? fcntl(f->host, F_GETFL) : O_NONBLOCK;
    bool patient = !(have & O_NONBLOCK);
    ssize_t n;
    if (patient)
        fcntl(f->host, F_SETFL, have | O_NONBLOCK);
    do
        n = writes ? write(f->host, at, size) : read(f->host, at, size);
    while (n < 0 && errno == EINTR);
    int error = n < 0 ? errno : 0;
    if (patient) {
        fcntl(f->host, F_SETFL, have);
        if (error == EAGAIN || (writes && n >= 0 && (uint64_t)n < size))
            x->world->stuck(x->ctx, writes ? "write to its own full pipe" : "read from its own empty pipe");
    }
    return error ? -error : n;
}

int64_t riscv_file_write(struct riscv_process *x, uint64_t fd, uint64_t address, uint64_t size)
{
    int host = kept(x, fd), output = riscv_file_output(x, fd);
    if (host == CLOSED)
        return -EBADF;
    size = size < 0x7ffff000 ? size : 0x7ffff000;
    void *from = riscv_memory_at(x, address, size, RISCV_READ);
    if (!from)
        return -EFAULT;
    if (output) {
        x->world->write(x->ctx, output, from, size);
        return (int64_t)size;
    }
    return move(x, &x->files.at[fd], true, from, size);
}

int64_t riscv_file_read(struct riscv_process *x, uint64_t fd, uint64_t address, uint64_t size)
{
    int host = kept(x, fd);
    if (host < 0)
        return -EBADF;
    size = size < 0x7ffff000 ? size : 0x7ffff000;
    void *to = riscv_memory_at(x, address, size, RISCV_WRITE);
    if (!to)
        return -EFAULT;
    return riscv_file_take(x, fd, to, size);
}

int64_t riscv_file_take(struct riscv_process *x, uint64_t fd, void *to, uint64_t size)
{
    if (kept(x, fd) < 0)
        return -EBADF;
    if (fd == 0)
        x->world->prompt(x->ctx);
    return move(x, &x->files.at[fd], false, to, size);
}
