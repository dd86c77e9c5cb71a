/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: locks on files. The kernel keeps fcntl's locks for a process, so those of two ranks would not exclude
 * each other. They are replaced by locks of the open file (F_OFD_SETLK), which do. A rank that opens a file
 * twice and locks it through both is the one difference.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static bool refused(int error)
{
    return error == EWOULDBLOCK || error == EACCES;
}

static struct io_wait_for waiting(const char *call)
{
    return (struct io_wait_for){.call = call, .place = IO_LOCKS, .outside = true, .seconds = INFINITY};
}

int in_rank_flock(int number, int operation)
{
    struct rank *r = rank_current;
    int descriptor = io_descriptor(number), failed;
    if (!r || descriptor < 0)
        return flock(descriptor, operation);
    struct io_wait_for f = waiting("flock");
    while ((failed = flock(descriptor, operation | LOCK_NB)) && refused(errno) && !(operation & LOCK_NB))
        (void)io_wait(r, &f);
    if (failed && refused(errno))
        io_nothing(r);
    else if (!failed)
        io_changed(IO_LOCKS);
    return failed;
}

static int lock_as_rank(struct rank *r, const char *call, int descriptor, struct flock *lock, bool waits)
{
    struct io_wait_for f = waiting(call);
    struct flock wanted = *lock;
    int failed;
    wanted.l_pid = 0;
    while ((failed = fcntl(descriptor, F_OFD_SETLK, &wanted)) && refused(errno) && waits)
        (void)io_wait(r, &f);
    if (failed && refused(errno))
        io_nothing(r);
    else if (!failed)
        io_changed(IO_LOCKS);
    return failed;
}

int io_lock(struct rank *r, int number, int command, struct flock *lock)
{
    int descriptor = io_descriptor(number);
    if (command != F_GETLK)
        return lock_as_rank(r, "fcntl(F_SETLKW)", descriptor, lock, command == F_SETLKW);
    lock->l_pid = 0;
    return fcntl(descriptor, F_OFD_GETLK, lock);
}

int in_rank_lockf(int number, int command, off_t size)
{
    struct rank *r = rank_current;
    const struct files_entry *e = r ? io_entry(r, number) : NULL;
    if (!e)
        return r ? -1 : lockf(number, command, size);
    struct flock lock = {
        .l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = size};
    if (command != F_TEST)
        return lock_as_rank(r, "lockf", e->descriptor, &lock, command == F_LOCK);
    if (fcntl(e->descriptor, F_OFD_GETLK, &lock))
        return -1;
    if (lock.l_type == F_UNLCK)
        return 0;
    errno = EACCES;
    return -1;
}
