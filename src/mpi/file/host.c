/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host: the real files of this machine, in which the bytes land. They have one descriptor for all members and are
 * read and written at offsets, so that the system's file pointer means nothing. Files of players have no bytes, only a size.
 */
#include "base/output.h"
#include "mpi/file/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int mpi_host_class(int number)
{
    switch (number) {
    case ENOENT:
    case ENXIO:
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENOSPC:
    case EFBIG:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
        return MPI_ERR_QUOTA;
    case ETXTBSY:
    case EBUSY:
        return MPI_ERR_FILE_IN_USE;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EINVAL:
        return MPI_ERR_BAD_FILE;
    default:
        return MPI_ERR_IO;
    }
}

int64_t mpi_host_move(int descriptor, bool write, void *at, uint64_t bytes, int64_t offset)
{
    uint64_t moved = 0;
    base_writing_begin();
    errno = 0;
    while (moved < bytes) {
        char *from = (char *)at + moved;
        int64_t to = offset + (int64_t)moved;
        ssize_t n =
            write ? pwrite(descriptor, from, bytes - moved, to) : pread(descriptor, from, bytes - moved, to);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        errno = n == 0 && write ? EIO : 0;
        if (n == 0)
            break;
        moved += (uint64_t)n;
    }
    base_writing_end();
    return (int64_t)moved;
}

bool mpi_host_is_played(const struct rank *r)
{
    return r->memory->nowhere;
}

int mpi_host_resize(struct mpi_opened *o, int64_t size)
{
    if (o->played) {
        o->size = size;
        return 0;
    }
    base_writing_begin();
    int error = ftruncate(o->descriptor, size) ? errno : 0;
    base_writing_end();
    return error;
}

int mpi_host_allocate(struct mpi_opened *o, int64_t size)
{
    if (o->played)
        return mpi_host_resize(o, size > o->size ? size : o->size);
    base_writing_begin();
    int error = posix_fallocate(o->descriptor, 0, size);
    base_writing_end();
    return error;
}

int64_t mpi_host_size(const struct mpi_opened *o)
{
    struct stat s;
    if (o->played)
        return o->size;
    return fstat(o->descriptor, &s) ? -1 : (int64_t)s.st_size;
}

/* A program may go on after the error, but what it was to write is not there: the run's status says so. */
int mpi_host_failed(struct mpi_call *c, struct mpi_file *f, const char *what)
{
    int number = errno;
    return mpi_fail(c, &f->guarded, mpi_host_class(number), "%s: %s: %s", f->opened->path, what,
                    strerror(number));
}
