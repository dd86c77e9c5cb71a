/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * socket: calls of sockets that may wait, and those that make numbers: accept, and messages that carry
 * descriptors. All others are in shims.def.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct files_entry *entry(struct rank *r, int number, struct files_entry *copy)
{
    const struct files_entry *e = r ? io_entry(r, number) : NULL;
    if (e)
        *copy = *e;
    return e ? copy : NULL;
}

/* The time limit that the program has set for the socket. */
static double patience(const struct files_entry *e, int option)
{
    struct timeval t = {0};
    socklen_t size = sizeof t;
    if (getsockopt(e->descriptor, SOL_SOCKET, option, &t, &size) || (!t.tv_sec && !t.tv_usec))
        return INFINITY;
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Until the socket is ready. false: it is not to wait, or its time is over; errno EAGAIN. */
static bool await(struct rank *r, const char *call, const struct files_entry *e, short events, int flags)
{
    struct pollfd fd = {.fd = e->descriptor, .events = events};
    if (poll(&fd, 1, 0) != 0)
        return true;
    struct io_wait_for f = {.call = call, .fds = &fd, .n = 1};
    bool waits = !(flags & MSG_DONTWAIT) && io_patient(e);
    f.seconds = waits ? patience(e, events & POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO) : 0;
    if (waits)
        io_ask_whom(&f, e, events);
    if (waits && io_wait(r, &f))
        return true;
    if (!waits)
        io_nothing(r);
    errno = EAGAIN;
    return false;
}

/* The peer's queue is full although the socket seems ready: until somebody has done something. */
static void await_change(struct rank *r, const char *call)
{
    struct io_wait_for f = {.call = call, .outside = true, .seconds = INFINITY};
    io_wait(r, &f);
}

/* --- sending ---------------------------------------------------------------------------------------- */

static bool is_stream(const struct files_entry *e)
{
    int type = 0;
    socklen_t size = sizeof type;
    return !getsockopt(e->descriptor, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM;
}

ssize_t io_send(struct rank *r, const char *call, const struct files_entry *e, const void *bytes, size_t size,
                int flags)
{
    size_t done = 0;
    bool waits = !(flags & MSG_DONTWAIT) && io_patient(e);
    for (;;) {
        ssize_t n = send(e->descriptor, (const char *)bytes + done, size - done, flags | MSG_DONTWAIT);
        if (n >= 0)
            done += (size_t)n;
        if (n >= 0)
            io_changed(IO_ANY);
        if (n >= 0 && (done == size || !waits || !is_stream(e)))
            return (ssize_t)done;
        if (n < 0 && errno != EAGAIN)
            return done ? (ssize_t)done : -1;
        if (!waits)
            io_nothing(r);
        if (!waits || !await(r, call, e, POLLOUT, flags))
            return done ? (ssize_t)done : -1;
        if (n < 0 && !is_stream(e))
            await_change(r, call);
    }
}

ssize_t in_rank_send(int number, const void *bytes, size_t size, int flags)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : send(number, bytes, size, flags);
    return io_send(r, "send", &e, bytes, size, flags);
}

/* A datagram, or a message with more than bytes. */
static ssize_t send_whole(struct rank *r, const char *call, const struct files_entry *e,
                          const struct msghdr *m, int flags)
{
    ssize_t n;
    bool waits = !(flags & MSG_DONTWAIT) && io_patient(e);
    while ((n = sendmsg(e->descriptor, m, flags | MSG_DONTWAIT)) < 0 && errno == EAGAIN && waits) {
        if (!await(r, call, e, POLLOUT, flags))
            return -1;
        await_change(r, call);
    }
    if (n < 0 && errno == EAGAIN)
        io_nothing(r);
    io_changed(IO_ANY);
    return n;
}

ssize_t in_rank_sendto(int number, const void *bytes, size_t size, int flags, const struct sockaddr *to,
                       socklen_t to_size)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : sendto(number, bytes, size, flags, to, to_size);
    if (!to)
        return io_send(r, "sendto", &e, bytes, size, flags);
    struct iovec v = {(void *)(uintptr_t)bytes, size};
    struct msghdr m = {
        .msg_name = (void *)(uintptr_t)to, .msg_namelen = to_size, .msg_iov = &v, .msg_iovlen = 1};
    return send_whole(r, "sendto", &e, &m, flags);
}

/* --- receiving -------------------------------------------------------------------------------------- */

ssize_t in_rank_recvfrom(int number, void *bytes, size_t size, int flags, struct sockaddr *from,
                         socklen_t *from_size)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : recvfrom(number, bytes, size, flags, from, from_size);
    size_t done = 0;
    bool all = flags & MSG_WAITALL && !(flags & MSG_PEEK) && is_stream(&e);
    do {
        if (!(flags & MSG_ERRQUEUE) && !await(r, "recv", &e, POLLIN, flags))
            return done ? (ssize_t)done : -1;
        ssize_t n = recvfrom(e.descriptor, (char *)bytes + done, size - done,
                             (flags & ~MSG_WAITALL) | MSG_DONTWAIT, from, from_size);
        io_changed(IO_ANY);
        if (n <= 0)
            return done ? (ssize_t)done : n;
        done += (size_t)n;
    } while (all && done < size);
    return (ssize_t)done;
}

ssize_t in_rank_recv(int number, void *bytes, size_t size, int flags)
{
    return rank_current ? in_rank_recvfrom(number, bytes, size, flags, NULL, NULL)
                        : recv(number, bytes, size, flags);
}

ssize_t in_rank___recv_chk(int number, void *bytes, size_t size, size_t room, int flags)
{
    if (size > room)
        abort();
    return in_rank_recv(number, bytes, size, flags);
}

ssize_t in_rank___recvfrom_chk(int number, void *bytes, size_t size, size_t room, int flags,
                               struct sockaddr *from, socklen_t *from_size)
{
    if (size > room)
        abort();
    return in_rank_recvfrom(number, bytes, size, flags, from, from_size);
}

/* --- messages that carry descriptors ---------------------------------------------------------------- */

static bool carries_files(const struct cmsghdr *c)
{
    return c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len >= CMSG_LEN(0);
}

static size_t files_in(const struct cmsghdr *c)
{
    return (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
}

/* false: a number in it is not open. */
static bool to_descriptors(struct msghdr *m)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
        for (size_t k = 0; carries_files(c) && k < files_in(c); k++) {
            int at;
            memcpy(&at, CMSG_DATA(c) + k * sizeof at, sizeof at);
            at = io_descriptor(at);
            memcpy(CMSG_DATA(c) + k * sizeof at, &at, sizeof at);
            if (at < 0)
                return false;
        }
    return true;
}

static void to_numbers(struct rank *r, struct msghdr *m, bool on_exec)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
        for (size_t k = 0; carries_files(c) && k < files_in(c); k++) {
            int at;
            memcpy(&at, CMSG_DATA(c) + k * sizeof at, sizeof at);
            at = io_install(r, at, FILES_OTHER, on_exec);
            memcpy(CMSG_DATA(c) + k * sizeof at, &at, sizeof at);
        }
}

ssize_t in_rank_sendmsg(int number, const struct msghdr *m, int flags)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : sendmsg(number, m, flags);
    if (!m->msg_name && !m->msg_controllen && m->msg_iovlen == 1)
        return io_send(r, "sendmsg", &e, m->msg_iov[0].iov_base, m->msg_iov[0].iov_len, flags);
    struct msghdr own = *m;
    own.msg_control = m->msg_controllen ? base_alloc(m->msg_controllen, "a message's descriptors") : NULL;
    if (own.msg_control)
        memcpy(own.msg_control, m->msg_control, m->msg_controllen);
    io_forked(); /* who receives them may be outside */
    ssize_t n = -1;
    if (to_descriptors(&own))
        n = send_whole(r, "sendmsg", &e, &own, flags);
    int error = errno;
    free(own.msg_control);
    errno = error;
    return n;
}

ssize_t in_rank_recvmsg(int number, struct msghdr *m, int flags)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : recvmsg(number, m, flags);
    if (!(flags & MSG_ERRQUEUE) && !await(r, "recvmsg", &e, POLLIN, flags))
        return -1;
    ssize_t n = recvmsg(e.descriptor, m, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n >= 0 && m->msg_controllen)
        to_numbers(r, m, flags & MSG_CMSG_CLOEXEC);
    io_changed(IO_ANY);
    return n;
}

int in_rank_sendmmsg(int number, struct mmsghdr *m, unsigned n, int flags)
{
    unsigned k = 0;
    if (!rank_current)
        return sendmmsg(number, m, n, flags);
    for (ssize_t sent; k < n; k++) {
        sent = in_rank_sendmsg(number, &m[k].msg_hdr, flags);
        if (sent < 0)
            return k ? (int)k : -1;
        m[k].msg_len = (unsigned)sent;
    }
    return (int)k;
}

/* Only the first message is waited for, unless all are wanted; time limits between them are not kept. */
int in_rank_recvmmsg(int number, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
    unsigned k = 0;
    if (!rank_current)
        return recvmmsg(number, m, n, flags, timeout);
    for (ssize_t got; k < n; k++) {
        int later = k && flags & MSG_WAITFORONE ? MSG_DONTWAIT : 0;
        got = in_rank_recvmsg(number, &m[k].msg_hdr, (flags & ~MSG_WAITFORONE) | later);
        if (got < 0)
            return k ? (int)k : -1;
        m[k].msg_len = (unsigned)got;
    }
    return (int)k;
}

/* --- connections ------------------------------------------------------------------------------------ */

int in_rank_accept4(int number, struct sockaddr *peer, socklen_t *size, int flags)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : accept4(number, peer, size, flags);
    if (io_full(r) || !await(r, "accept", &e, POLLIN, 0))
        return -1;
    int made = accept4(e.descriptor, peer, size, flags | SOCK_CLOEXEC);
    made = io_install(r, made, FILES_SOCKET, flags & SOCK_CLOEXEC);
    io_changed(IO_ANY);
    return made;
}

int in_rank_accept(int number, struct sockaddr *peer, socklen_t *size)
{
    return rank_current ? in_rank_accept4(number, peer, size, 0) : accept(number, peer, size);
}

/* The result of a connection that was begun without waiting. */
static int connected(struct rank *r, const struct files_entry *e)
{
    int error = 0;
    socklen_t size = sizeof error;
    if (!await(r, "connect", e, POLLOUT, 0))
        return -1;
    getsockopt(e->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    errno = error;
    return error ? -1 : 0;
}

static int connect_patiently(struct rank *r, const struct files_entry *e, const struct sockaddr *peer,
                             socklen_t size, int flags)
{
    int failed;
    for (;;) {
        fcntl(e->descriptor, F_SETFL, flags | O_NONBLOCK);
        failed = connect(e->descriptor, peer, size);
        int error = errno;
        fcntl(e->descriptor, F_SETFL, flags);
        errno = error;
        if (!failed || error != EAGAIN)
            break;
        await_change(r, "connect"); /* the queue of who listens is full */
    }
    io_changed(IO_ANY);
    return failed && errno == EINPROGRESS ? connected(r, e) : failed;
}

int in_rank_connect(int number, const struct sockaddr *peer, socklen_t size)
{
    struct rank *r = rank_current;
    struct files_entry e;
    if (!entry(r, number, &e))
        return r ? -1 : connect(number, peer, size);
    int flags = fcntl(e.descriptor, F_GETFL);
    if (flags & O_NONBLOCK) {
        int failed = connect(e.descriptor, peer, size);
        io_changed(IO_ANY);
        return failed;
    }
    return connect_patiently(r, &e, peer, size, flags);
}

int in_rank_shutdown(int number, int how)
{
    int failed = shutdown(io_descriptor(number), how);
    if (rank_current)
        io_changed(IO_ANY);
    return failed;
}
