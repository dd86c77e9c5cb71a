/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: bytes between a rank's memory and the real file. It is the rank that calls, so its memory is in place. Data
 * that do not lie in one run in memory, or look different in the file, go through a buffer.
 */
#include "mpi/file/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20 };

/* --- along the view ------------------------------------------------------------------------------------- */

struct path {
    int descriptor;
    bool write;
    char *at; /* the next byte of memory */
    uint64_t moved;
    int number; /* errno of what went wrong; 0: nothing did */
};

static bool move_run(void *arg, int64_t offset, uint64_t bytes)
{
    struct path *p = arg;
    uint64_t n = (uint64_t)mpi_host_move(p->descriptor, p->write, p->at, bytes, offset);
    p->number = n < bytes ? errno : 0;
    p->moved += n;
    p->at += n;
    return n == bytes;
}

/* The bytes of the view's data [position, position + bytes), from or to memory without gaps. Returns how many; errno is
 * 0 if nothing went wrong. */
static uint64_t move_along(const struct mpi_file *f, bool write, uint64_t position, void *at, uint64_t bytes)
{
    struct path p = {.descriptor = f->opened->descriptor, .write = write, .at = at};
    mpi_view_each(&f->view, position, bytes, move_run, &p);
    errno = p.number;
    return p.moved;
}

/* --- native -------------------------------------------------------------------------------------------- */

static uint64_t move_scattered(const struct mpi_file *f, bool write, uint64_t position,
                               const struct mpi_data *d)
{
    uint64_t moved = 0, room = d->bytes < BUFFER ? d->bytes : BUFFER;
    char *buffer = base_alloc(room, "data of files");
    while (moved < d->bytes) {
        uint64_t n = d->bytes - moved < room ? d->bytes - moved : room;
        if (write)
            types_pack(d->layout, d->count, d->at, moved, moved + n, buffer);
        uint64_t done = move_along(f, write, position + moved, buffer, n);
        int number = errno;
        if (!write && done)
            types_unpack(d->layout, d->count, d->at, moved, moved + done, buffer);
        errno = number;
        moved += done;
        if (done < n)
            break;
    }
    int number = errno;
    free(buffer);
    errno = number;
    return moved;
}

static uint64_t move_native(const struct mpi_file *f, bool write, uint64_t position, const struct mpi_data *d)
{
    int64_t offset;
    if (types_layout_is_run(d->layout, d->count, &offset))
        return move_along(f, write, position, MPI_HANDLE(void *, (uintptr_t)d->at + (uintptr_t)offset),
                          d->bytes);
    return move_scattered(f, write, position, d);
}

/* --- converted ----------------------------------------------------------------------------------------- */

static int move_converted(struct mpi_call *c, struct mpi_file *f, bool write, uint64_t position,
                          const struct mpi_data *d, uint64_t *moved)
{
    int rc = MPI_SUCCESS;
    char *buffer = base_zalloc(d->there, "data of files");
    if (write)
        rc = mpi_datarep_encode(c, f, d, buffer);
    uint64_t n = rc ? 0 : move_along(f, write, position, buffer, d->there);
    int number = errno;
    if (!rc && !write && n)
        rc = mpi_datarep_decode(c, f, d, buffer, n, moved);
    else
        *moved = n == d->there ? d->bytes : 0;
    free(buffer);
    errno = number;
    return rc;
}

/* What this machine could not write is lost to the program's results, whatever the program makes of the error. */
static void host_failed(const struct mpi_call *c, const struct mpi_file *f, bool write)
{
    char where[RANK_WHERE_SIZE];
    int n = errno;
    if (n == ENOSPC || n == EDQUOT || n == EIO || n == EFBIG)
        base_fatal(BASE_EXIT_HOST, "%s: %s cannot %s %s: %s", rank_where(where, c->rank), c->name,
                   write ? "write" : "read", f->opened->path, strerror(n));
}

int mpi_data_move(struct mpi_call *c, struct mpi_file *f, bool write, uint64_t position,
                  const struct mpi_data *d, uint64_t *moved)
{
    int rc = MPI_SUCCESS;
    *moved = 0;
    errno = 0;
    if (!d->bytes || !d->there)
        return MPI_SUCCESS;
    if (f->view.rep->form == MPI_DATA_NATIVE)
        *moved = move_native(f, write, position, d);
    else
        rc = move_converted(c, f, write, position, d, moved);
    if (rc || !errno)
        return rc;
    host_failed(c, f, write);
    return mpi_host_failed(c, f, write ? "cannot write" : "cannot read");
}
