/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy: calls that copy between two files, either of which may have to wait. They copy a piece at a time:
 * their callers must expect to be told less than they asked for.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <limits.h>
#include <sys/sendfile.h>

/* Waits until a number is ready. false: it is not open. `*e`: its entry. */
static bool await(struct rank *r, const char *call, int number, short events, struct files_entry *e)
{
    const struct files_entry *found = io_entry(r, number);
    if (!found)
        return false;
    *e = *found;
    if (e->nature != FILES_DISK)
        io_await(r, call, e, events);
    return true;
}

static size_t piece(const struct files_entry *to, size_t n)
{
    return to->nature != FILES_DISK && n > PIPE_BUF ? PIPE_BUF : n;
}

ssize_t in_rank_sendfile(int to, int from, off_t *at, size_t n)
{
    struct rank *r = rank_current;
    struct files_entry in, out;
    if (!r)
        return sendfile(to, from, at, n);
    if (!await(r, "sendfile", to, POLLOUT, &out) || !await(r, "sendfile", from, POLLIN, &in))
        return -1;
    if (io_pay_copy(from, at, to, NULL, piece(&out, n)))
        return -1;
    ssize_t done = io_paid(to, sendfile(out.descriptor, io_descriptor_of(r, &in), at, piece(&out, n)));
    io_changed(out.place);
    io_changed(IO_ANY);
    return done;
}

ssize_t in_rank_splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags)
{
    struct rank *r = rank_current;
    struct files_entry in, out;
    if (!r)
        return splice(from, from_at, to, to_at, n, flags);
    if (!(flags & SPLICE_F_NONBLOCK) &&
        (!await(r, "splice", from, POLLIN, &in) || !await(r, "splice", to, POLLOUT, &out)))
        return -1;
    if (io_pay_copy(from, from_at, to, to_at, n))
        return -1;
    ssize_t done = io_paid(
        to, splice(io_descriptor(from), from_at, io_descriptor(to), to_at, n, flags | SPLICE_F_NONBLOCK));
    if (done >= 0 && !(flags & SPLICE_F_NONBLOCK)) {
        io_changed(in.place);
        io_changed(out.place);
        io_changed(IO_ANY);
    }
    return done;
}
