/* SPDX-License-Identifier: BSD-3-Clause */
/* make: calls that make open files without a name that the program gives: pairs, sockets, descriptors of
 * events, terminals, temporary files. Each gives the file the rank's lowest free number. */
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* --- pairs ------------------------------------------------------------------------------------------ */

static int install_two(struct rank *r, const int made[2], int out[2], enum files_nature nature, bool on_exec)
{
    int first = io_install(r, made[0], nature, on_exec);
    if (first < 0) {
        close(made[1]);
        return -1;
    }
    int second = io_install(r, made[1], nature, on_exec);
    if (second < 0) {
        io_close(r, first);
        errno = EMFILE;
        return -1;
    }
    out[0] = first;
    out[1] = second;
    return 0;
}

static bool room_for_two(struct rank *r)
{
    const struct files_table *t = io_table(r);
    int first = files_next_free(t, 0);
    return first >= 0 && files_next_free(t, first + 1) >= 0;
}

int in_rank_pipe2(int out[2], int flags)
{
    struct rank *r = rank_current;
    int made[2];
    if (!r)
        return pipe2(out, flags);
    if (pipe2(made, flags | O_CLOEXEC))
        return -1;
    if (!room_for_two(r)) {
        close(made[0]);
        close(made[1]);
        errno = EMFILE;
        return -1;
    }
    return install_two(r, made, out, FILES_PIPE, flags & O_CLOEXEC);
}

int in_rank_pipe(int out[2])
{
    return in_rank_pipe2(out, 0);
}

int in_rank_socketpair(int domain, int type, int protocol, int out[2])
{
    struct rank *r = rank_current;
    int made[2];
    if (!r)
        return socketpair(domain, type, protocol, out);
    if (!room_for_two(r))
        return -1;
    if (socketpair(domain, type | SOCK_CLOEXEC, protocol, made))
        return -1;
    return install_two(r, made, out, FILES_PAIR, type & SOCK_CLOEXEC);
}

/* --- others ----------------------------------------------------------------------------------------- */

int in_rank_socket(int domain, int type, int protocol)
{
    struct rank *r = rank_current;
    if (!r)
        return socket(domain, type, protocol);
    return io_full(r) ? -1
                      : io_install(r, socket(domain, type | SOCK_CLOEXEC, protocol), FILES_SOCKET,
                                   type & SOCK_CLOEXEC);
}

int in_rank_eventfd(unsigned value, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return eventfd(value, flags);
    return io_full(r) ? -1
                      : io_install(r, eventfd(value, flags | EFD_CLOEXEC), FILES_PAIR, flags & EFD_CLOEXEC);
}

int in_rank_epoll_create1(int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return epoll_create1(flags);
    return io_full(r)
               ? -1
               : io_install(r, epoll_create1(flags | EPOLL_CLOEXEC), FILES_OTHER, flags & EPOLL_CLOEXEC);
}

int in_rank_epoll_create(int size)
{
    if (size > 0)
        return in_rank_epoll_create1(0);
    errno = EINVAL;
    return -1;
}

int in_rank_signalfd(int number, const sigset_t *set, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return signalfd(number, set, flags);
    if (number != -1)
        return io_entry(r, number) && signalfd(io_descriptor(number), set, flags) >= 0 ? number : -1;
    return io_full(r)
               ? -1
               : io_install(r, signalfd(-1, set, flags | SFD_CLOEXEC), FILES_OTHER, flags & SFD_CLOEXEC);
}

int in_rank_inotify_init1(int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return inotify_init1(flags);
    return io_full(r) ? -1
                      : io_install(r, inotify_init1(flags | IN_CLOEXEC), FILES_OTHER, flags & IN_CLOEXEC);
}

int in_rank_inotify_init(void)
{
    return in_rank_inotify_init1(0);
}

int in_rank_memfd_create(const char *name, unsigned flags)
{
    struct rank *r = rank_current;
    if (!r)
        return memfd_create(name, flags);
    return io_full(r)
               ? -1
               : io_install(r, memfd_create(name, flags | MFD_CLOEXEC), FILES_DISK, flags & MFD_CLOEXEC);
}

int in_rank_shm_open(const char *name, int flags, mode_t mode)
{
    struct rank *r = rank_current;
    if (!r)
        return shm_open(name, flags, mode);
    return io_full(r) ? -1 : io_install(r, shm_open(name, flags, mode), FILES_DISK, true);
}

int in_rank_posix_openpt(int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return posix_openpt(flags);
    return io_full(r) ? -1 : io_install(r, posix_openpt(flags | O_CLOEXEC), FILES_OTHER, flags & O_CLOEXEC);
}

/* Makes two numbers of libc's descriptors. */
int in_rank_openpty(int *master, int *slave, char *name, const struct termios *settings,
                    const struct winsize *size)
{
    struct rank *r = rank_current;
    int made[2], numbers[2];
    if (!r)
        return openpty(master, slave, name, settings, size);
    if (!room_for_two(r) || openpty(&made[0], &made[1], name, settings, size))
        return -1;
    if (install_two(r, made, numbers, FILES_OTHER, false))
        return -1;
    *master = numbers[0];
    *slave = numbers[1];
    return 0;
}

int in_rank_mkostemps(char *name, int suffix, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return mkostemps(name, suffix, flags);
    return io_full(r)
               ? -1
               : io_install(r, mkostemps(name, suffix, flags | O_CLOEXEC), FILES_DISK, flags & O_CLOEXEC);
}

int in_rank_mkstemp(char *name)
{
    return in_rank_mkostemps(name, 0, 0);
}

int in_rank_mkostemp(char *name, int flags)
{
    return in_rank_mkostemps(name, 0, flags);
}

int in_rank_mkstemps(char *name, int suffix)
{
    return in_rank_mkostemps(name, suffix, 0);
}
