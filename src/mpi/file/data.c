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
    const struct mpi_file *file;
    bool write;
    char *at; /* the next byte of memory */
    uint64_t moved;
};

/* Runs of one strip. false: the file ends, or errno is set. */
static bool move_strip(struct path *p, const struct types_strip *s)
{
    for (uint64_t k = 0; k < s->n; k++) {
        int64_t to = p->file->view.displacement + s->offset + (int64_t)k * s->stride;
        uint64_t n = (uint64_t)mpi_host_move(p->file->opened->descriptor, p->write, p->at, s->bytes, to);
        p->moved += n;
        p->at += n;
        if (n < s->bytes)
            return false;
    }
    return true;
}

/* The bytes of the view's data [position, position + bytes), from or to memory without gaps. Returns how many. */
static uint64_t move_along(const struct mpi_file *f, bool write, uint64_t position, void *at, uint64_t bytes)
{
    const struct mpi_view *v = &f->view;
    struct path p = {.file = f, .write = write, .at = at};
    struct types_cursor c;
    struct types_strip s = {.bytes = bytes, .n = 1};
    errno = 0;
    if (!bytes)
        return 0;
    if (types_layout_is_dense(v->tile, &s.offset)) {
        s.offset += (int64_t)position;
        move_strip(&p, &s);
        return p.moved;
    }
    types_cursor_init(&c, v->tile, (position + bytes) / v->room + 1, position, position + bytes);
    while (types_cursor_next(&c, &s) && move_strip(&p, &s)) {
    }
    int number = errno;
    types_cursor_release(&c);
    errno = number;
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
        return move_along(f, write, position, (char *)d->at + offset, d->bytes);
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
    if (!d->bytes)
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
