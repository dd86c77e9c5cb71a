/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shims: the functions of shims.def, and those like them that take a variable list of arguments.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

/* For one call at a time, which does not wait. */
static RANK_THREAD char path_room[IO_PATH_ROOM];

#define FD(number) io_descriptor(number)
/* `call` with the cost of an operation on a name. */
#define LOOKS(folder, path, call)   (io_pay_name(folder, path, STORAGE_LOOKUP), call)
#define CHANGES(folder, path, call) (io_pay_name(folder, path, STORAGE_CHANGE), call)
/* `call` that may map a file. */
#define MAPS(flags, number, call) (void)(((flags)&MAP_ANONYMOUS) || (io_pay_map(number), 0)), call
#define PATH(path)                io_path(path, path_room)
#define FOLD_LIBC(type, name, params)
#define FOLD_LIBC_AS(symbol, type, name, params)
#define FOLD_SHIM(type, name, params, call)                                                                  \
    type in_rank_##name params                                                                               \
    {                                                                                                        \
        return call;                                                                                         \
    }
#include "fold/io/shims.def"

int in_rank_ioctl(int number, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    struct rank *r = rank_current;
    if (r && (request == FIOCLEX || request == FIONCLEX)) {
        if (!io_entry(r, number))
            return -1;
        files_mark(io_table(r), number, request == FIOCLEX);
        return 0;
    }
    return ioctl(io_descriptor(number), request, argument);
}

int in_rank_eventfd_read(int number, eventfd_t *out)
{
    return in_rank_read(number, out, sizeof *out) == (ssize_t)sizeof *out ? 0 : -1;
}

int in_rank_eventfd_write(int number, eventfd_t value)
{
    return in_rank_write(number, &value, sizeof value) == (ssize_t)sizeof value ? 0 : -1;
}
