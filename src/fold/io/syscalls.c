/* SPDX-License-Identifier: BSD-3-Clause */
/* syscalls: system calls on numbers that a program makes by syscall(). They mean what libc's functions do. */
#include "fold/io/io.h"

#include <sys/syscall.h>
#include <unistd.h>

static void *pointer(long a)
{
    return (void *)a; /* NOLINT(performance-no-int-to-ptr) */
}

bool io_syscall(long number, const long a[6], long *result)
{
    switch (number) {
    case SYS_read:
        *result = in_rank_read((int)a[0], pointer(a[1]), (size_t)a[2]);
        return true;
    case SYS_write:
        *result = in_rank_write((int)a[0], pointer(a[1]), (size_t)a[2]);
        return true;
#ifdef SYS_open
    case SYS_open:
        *result = in_rank_open(pointer(a[0]), (int)a[1], (mode_t)a[2]);
        return true;
    case SYS_dup2:
        *result = in_rank_dup2((int)a[0], (int)a[1]);
        return true;
#endif
    case SYS_openat:
        *result = in_rank_openat((int)a[0], pointer(a[1]), (int)a[2], (mode_t)a[3]);
        return true;
    case SYS_close:
        *result = in_rank_close((int)a[0]);
        return true;
    case SYS_close_range:
        *result = in_rank_close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
        return true;
    case SYS_dup:
        *result = in_rank_dup((int)a[0]);
        return true;
    case SYS_dup3:
        *result = in_rank_dup3((int)a[0], (int)a[1], (int)a[2]);
        return true;
    case SYS_fcntl:
        *result = in_rank_fcntl((int)a[0], (int)a[1], a[2]);
        return true;
    case SYS_pipe2:
        *result = in_rank_pipe2(pointer(a[0]), (int)a[1]);
        return true;
    case SYS_memfd_create:
        *result = in_rank_memfd_create(pointer(a[0]), (unsigned)a[1]);
        return true;
    case SYS_timerfd_create:
        *result = in_rank_timerfd_create((clockid_t)a[0], (int)a[1]);
        return true;
    case SYS_timerfd_settime:
        *result = in_rank_timerfd_settime((int)a[0], (int)a[1], pointer(a[2]), pointer(a[3]));
        return true;
    case SYS_timerfd_gettime:
        *result = in_rank_timerfd_gettime((int)a[0], pointer(a[1]));
        return true;
    case SYS_getdents64:
        *result = in_rank_getdents64((int)a[0], pointer(a[1]), (size_t)a[2]);
        return true;
    case SYS_perf_event_open:
        *result =
            io_install(rank_current, (int)syscall(number, a[0], a[1], a[2], io_descriptor((int)a[3]), a[4]),
                       FILES_OTHER, true);
        return true;
    case SYS_pidfd_open:
        *result = io_install(rank_current, (int)syscall(number, a[0], a[1]), FILES_OTHER, true);
        return true;
    default:
        return false;
    }
}
