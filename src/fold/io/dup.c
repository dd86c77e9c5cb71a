/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dup: copying and closing numbers, their flags, and the rank's limit. Errors come in the kernel's order.
 *
 * A number that a stream (FILE) writes to keeps its descriptor when another file takes its place, so that
 * the stream leads to that file, as it does in a process of its own.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

/* --- copying ---------------------------------------------------------------------------------------- */

/* false: the process has no more descriptors. */
static bool copy(const struct files_entry *from, bool on_exec, struct files_entry *out)
{
    *out = *from;
    out->on_exec = on_exec;
    out->stream = NULL;
    out->folder = false;
    if (from->kind == FILES_OWN)
        out->descriptor = files_duplicate(from->descriptor);
    return out->descriptor >= 0;
}

/* To the lowest free number from `least` on. */
static int copy_up(struct rank *r, int number, int least, bool on_exec)
{
    struct files_entry e;
    struct files_table *t = io_table(r);
    const struct files_entry *from = files_find(t, number);
    int to = from ? files_next_free(t, least) : -1;
    if (to < 0 || !copy(from, on_exec, &e))
        return -1;
    files_put(t, to, e);
    return to;
}

int in_rank_dup(int number)
{
    return rank_current ? copy_up(rank_current, number, 0, false) : dup(number);
}

/* The stream of the number goes on with the new file. */
static int replace_under_stream(struct rank *r, struct files_entry *e, int to, bool on_exec)
{
    struct files_table *t = io_table(r);
    struct files_entry old = *files_find(t, to);
    void *stream = old.stream;
    int descriptor = old.descriptor;
    if (dup3(io_descriptor_of(r, e), descriptor, O_CLOEXEC) < 0)
        return -1;
    files_detach(t, to);
    files_forget(t, to);
    *e = (struct files_entry){.kind = FILES_OWN, .on_exec = on_exec, .descriptor = descriptor};
    files_examine(e, FILES_OTHER);
    files_put(t, to, *e);
    files_attach(t, to, stream, false);
    io_changed(old.place);
    return to;
}

static int replace(struct rank *r, int from, int to, bool on_exec)
{
    struct files_table *t = io_table(r);
    const struct files_entry *source = files_find(t, from), *target = files_find(t, to);
    struct files_entry e = *source;
    io_before_change(to);
    if (target && target->kind == FILES_OWN && target->stream && !target->folder)
        return replace_under_stream(r, &e, to, on_exec);
    if (!copy(source, on_exec, &e))
        return -1;
    if (target)
        io_close(r, to);
    files_put(t, to, e);
    return to;
}

static bool beyond(struct rank *r, int number)
{
    return number < 0 || (rlim_t)number >= io_table(r)->limit.rlim_cur;
}

int in_rank_dup3(int from, int to, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return dup3(from, to, flags);
    if (flags & ~O_CLOEXEC || from == to)
        return fail(EINVAL);
    if (beyond(r, to) || !io_entry(r, from))
        return fail(EBADF);
    return replace(r, from, to, flags & O_CLOEXEC);
}

int in_rank_dup2(int from, int to)
{
    struct rank *r = rank_current;
    if (!r)
        return dup2(from, to);
    if (from == to)
        return io_entry(r, from) ? to : -1;
    return in_rank_dup3(from, to, 0);
}

/* --- closing ---------------------------------------------------------------------------------------- */

int in_rank_close(int number)
{
    return rank_current ? io_close(rank_current, number) : close(number);
}

int in_rank_close_range(unsigned first, unsigned last, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return close_range(first, last, flags);
    if (first > last || flags & ~(int)(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC))
        return fail(EINVAL);
    int highest = files_highest(io_table(r)), error = errno;
    for (int number = first > (unsigned)highest ? highest + 1 : (int)first;
         number <= highest && (unsigned)number <= last; number++)
        if (!io_entry(r, number))
            continue;
        else if (flags & (int)CLOSE_RANGE_CLOEXEC)
            files_mark(io_table(r), number, true);
        else
            io_close(r, number);
    errno = error;
    return 0;
}

void in_rank_closefrom(int first)
{
    if (rank_current)
        in_rank_close_range(first < 0 ? 0 : (unsigned)first, ~0U, 0);
    else
        closefrom(first);
}

/* --- fcntl ------------------------------------------------------------------------------------------ */

static int of_number(struct rank *r, int number, int command, long argument)
{
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (beyond(r, argument > INT32_MAX ? -1 : (int)argument))
            return fail(EINVAL);
        return copy_up(r, number, (int)argument, command == F_DUPFD_CLOEXEC);
    case F_GETFD:
        return io_entry(r, number)->on_exec ? FD_CLOEXEC : 0;
    case F_SETFD:
        files_mark(io_table(r), number, argument & FD_CLOEXEC);
        return 0;
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK:
        return io_lock(r, number, command, (struct flock *)argument); /* NOLINT(performance-no-int-to-ptr) */
    case F_SETFL:
        if (io_entry(r, number)->kind != FILES_OWN)
            return 0; /* the job's streams, which other ranks use as they are */
        break;
    }
    return fcntl(io_descriptor(number), command, argument);
}

int in_rank_fcntl(int number, int command, ...)
{
    struct rank *r = rank_current;
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    if (!r)
        return fcntl(number, command, argument);
    return io_entry(r, number) ? of_number(r, number, command, argument) : -1;
}

/* --- the limit -------------------------------------------------------------------------------------- */

int in_rank_prlimit(pid_t pid, __rlimit_resource_t what, const struct rlimit *set, struct rlimit *old)
{
    struct rank *r = rank_current;
    if (!r || (int)what != (int)RLIMIT_NOFILE || (pid != 0 && pid != getpid()))
        return prlimit(pid, what, set, old);
    struct rlimit *mine = &io_table(r)->limit, before = *mine;
    if (set && set->rlim_cur > set->rlim_max)
        return fail(EINVAL);
    if (set && set->rlim_max > before.rlim_max)
        return fail(EPERM);
    if (set)
        *mine = *set;
    if (old)
        *old = before;
    return 0;
}

int in_rank_getrlimit(__rlimit_resource_t what, struct rlimit *out)
{
    return rank_current ? in_rank_prlimit(0, what, NULL, out) : getrlimit(what, out);
}

int in_rank_setrlimit(__rlimit_resource_t what, const struct rlimit *set)
{
    return rank_current ? in_rank_prlimit(0, what, set, NULL) : setrlimit(what, set);
}

int in_rank_getdtablesize(void)
{
    return rank_current ? (int)io_table(rank_current)->limit.rlim_cur : getdtablesize();
}
