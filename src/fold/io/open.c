/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open: open and its relatives. Each call that makes an open file gives it the rank's lowest free number;
 * those without a name are in make.c. A named pipe is opened without waiting; its opener then waits in the
 * simulation for who opens the other end.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- named pipes ------------------------------------------------------------------------------------ */

/* Somebody reads when ENXIO does not come back. */
static int open_to_write(struct rank *r, int folder, const char *path, int flags)
{
    struct io_wait_for f = {
        .call = "open of a named pipe", .place = IO_FIFOS, .outside = true, .seconds = INFINITY};
    int descriptor;
    while ((descriptor = openat(folder, path, flags | O_NONBLOCK)) < 0 && errno == ENXIO)
        io_wait(r, &f);
    return descriptor;
}

/* A writer of the job is counted; one outside shows by what he writes, or by closing. */
static void wait_for_writer(struct rank *r, const struct files_entry *e)
{
    struct pollfd fd = {.fd = e->descriptor, .events = POLLIN};
    struct io_wait_for f = {
        .call = "open of a named pipe", .place = IO_FIFOS, .outside = true, .seconds = INFINITY};
    while (!files_held(e->place) && poll(&fd, 1, 0) == 0)
        io_wait(r, &f);
}

/* The end is in the table while its opener waits, so that the other one finds it. */
static int open_pipe(struct rank *r, int folder, const char *path, int flags)
{
    bool reads = (flags & O_ACCMODE) == O_RDONLY;
    int quiet = flags | O_CLOEXEC;
    int descriptor = reads ? openat(folder, path, quiet | O_NONBLOCK) : open_to_write(r, folder, path, quiet);
    if (descriptor < 0)
        return -1;
    fcntl(descriptor, F_SETFL, flags & ~(O_NONBLOCK | O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY));
    int number = io_install(r, descriptor, FILES_FIFO, flags & O_CLOEXEC);
    io_changed(IO_FIFOS);
    if (number >= 0 && reads)
        wait_for_writer(r, io_entry(r, number));
    return number;
}

static bool is_named_pipe(int folder, const char *path)
{
    struct stat s;
    int error = errno;
    bool is = !fstatat(folder, path, &s, 0) && S_ISFIFO(s.st_mode);
    errno = error;
    return is;
}

/* --- open ------------------------------------------------------------------------------------------- */

static int open_as_rank(struct rank *r, int folder, const char *path, int flags, mode_t mode)
{
    char room[IO_PATH_ROOM];
    int named = io_path_number(path);
    const struct files_entry *e = named >= 0 ? io_entry(r, named) : NULL;
    if (e && (e->kind == FILES_OUT || e->kind == FILES_ERR)) /* the job's output has whole lines */
        return in_rank_fcntl(named, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
    path = io_path(path, room);
    int access = flags & O_ACCMODE;
    if ((access == O_RDONLY || access == O_WRONLY) && !(flags & (O_NONBLOCK | O_PATH | O_DIRECTORY)) &&
        is_named_pipe(folder, path))
        return open_pipe(r, folder, path, flags);
    bool made = io_costs && flags & O_CREAT && faccessat(folder, path, F_OK, 0);
    int number = io_install(r, openat(folder, path, flags | O_CLOEXEC, mode), FILES_OTHER, flags & O_CLOEXEC);
    if (number >= 0 && io_entry(r, number)->nature == FILES_FIFO)
        io_changed(IO_FIFOS);
    if (number >= 0 && io_costs)
        io_pay_open(number, made, flags & O_TRUNC);
    return number;
}

static int open_here(int folder, const char *path, int flags, mode_t mode)
{
    struct rank *r = rank_current;
    if (!r)
        return openat(folder, path, flags, mode);
    if (!path) {
        errno = EFAULT;
        return -1;
    }
    if (io_full(r))
        return -1;
    int descriptor = io_descriptor(folder);
    return descriptor == -1 && *path != '/' ? -1 : open_as_rank(r, descriptor, path, flags, mode);
}

static bool makes_file(int flags)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

int in_rank_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = makes_file(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_here(AT_FDCWD, path, flags, mode);
}

int in_rank_openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = makes_file(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_here(folder, path, flags, mode);
}

int in_rank___open_2(const char *path, int flags)
{
    if (makes_file(flags))
        abort();
    return open_here(AT_FDCWD, path, flags, 0);
}

int in_rank___openat_2(int folder, const char *path, int flags)
{
    if (makes_file(flags))
        abort();
    return open_here(folder, path, flags, 0);
}

int in_rank_creat(const char *path, mode_t mode)
{
    return open_here(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
