/* SPDX-License-Identifier: BSD-3-Clause */
/* query: sizes, group, mode, consistency of an open file (MPI-5.0 sections 14.2.4 to 14.2.7 and 14.6.1). */
#include "mpi/file/parts.h"

#include <errno.h>

/* A file, and the place of a result, which may not be NULL. */
static struct mpi_file *asked(struct mpi_call *c, MPI_File fh, const void *to, int *rc)
{
    struct mpi_file *f = mpi_file_of(c, fh, rc);
    if (f && !to) {
        *rc = mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for the result is NULL");
        return NULL;
    }
    return f;
}

int mpi_file_get_amode(struct mpi_call *c, MPI_File fh, int *amode)
{
    int rc = MPI_SUCCESS;
    const struct mpi_file *f = asked(c, fh, amode, &rc);
    if (f)
        *amode = f->opened->amode;
    return rc;
}

int mpi_file_get_group(struct mpi_call *c, MPI_File fh, MPI_Group *group)
{
    int rc = MPI_SUCCESS;
    const struct mpi_file *f = asked(c, fh, group, &rc);
    if (f)
        *group = mpi_group_make(c->self, coll_group_retain(f->comm->group), f->comm->session);
    return rc;
}

/* --- sizes --------------------------------------------------------------------------------------------- */

int mpi_file_get_size(struct mpi_call *c, MPI_File fh, MPI_Offset *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = asked(c, fh, size, &rc);
    if (!f)
        return rc;
    int64_t n = mpi_host_size(f->opened);
    if (n < 0)
        return mpi_host_failed(c, f, "cannot find out its size");
    *size = n;
    return MPI_SUCCESS;
}

static int check_resize(struct mpi_call *c, struct mpi_file *f, MPI_Offset size)
{
    if (size < 0)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the size is %lld bytes: expected 0 or more",
                        (long long)size);
    if (f->opened->amode & MPI_MODE_RDONLY)
        return mpi_fail(c, &f->guarded, MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY",
                        f->opened->path);
    if (f->opened->amode & MPI_MODE_SEQUENTIAL)
        return mpi_fail(c, &f->guarded, MPI_ERR_UNSUPPORTED_OPERATION,
                        "%s was opened with MPI_MODE_SEQUENTIAL", f->opened->path);
    return MPI_SUCCESS;
}

/* The file as a host's members have it: the host may have it on a disk of its own. */
static struct storage_file *store_of(const struct mpi_turn *t, const struct mpi_opened *o, uint32_t host)
{
    return t->seat[o->leaders[host]].file->store;
}

/* Nothing is charged that is not really done. Returns errno. */
static int change(const struct mpi_turn *t, struct mpi_opened *o, int64_t size, bool shrinks)
{
    int error = 0;
    for (uint32_t k = 0; !error && k < o->hosts; k++)
        error = storage_room(store_of(t, o, k), 0, (uint64_t)size);
    if (!error && shrinks)
        error = mpi_host_resize(o, size);
    else if (!error && size)
        error = mpi_host_allocate(o, size);
    for (uint32_t k = 0; !error && k < o->hosts; k++)
        if (shrinks || (uint64_t)size > storage_file_size(store_of(t, o, k)))
            error = storage_file_resize(store_of(t, o, k), (uint64_t)size);
    return error;
}

/* The first member does it after all are here; all are told what it came to. */
static int resize(struct mpi_call *c, MPI_File fh, MPI_Offset size, bool shrinks, const char *what)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    rc = check_resize(c, f, size);
    struct mpi_turn *t = mpi_turn_meet(c, f, rc, &(struct mpi_alike){{"sizes"}, {size}});
    if (!t->solved && !t->refusal)
        t->error = change(t, f->opened, t->seat[t->first].alike.value[0], shrinks);
    t->solved = true;
    int error = t->error;
    rc = mpi_turn_agree(c, f, t, rc);
    errno = error;
    return !rc && error ? mpi_host_failed(c, f, what) : rc;
}

int mpi_file_set_size(struct mpi_call *c, MPI_File fh, MPI_Offset size)
{
    return resize(c, fh, size, true, "cannot change its size");
}

int mpi_file_preallocate(struct mpi_call *c, MPI_File fh, MPI_Offset size)
{
    return resize(c, fh, size, false, "cannot allocate space");
}

/* --- consistency --------------------------------------------------------------------------------------- */

int mpi_file_set_atomicity(struct mpi_call *c, MPI_File fh, int flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    f->atomic = flag != 0;
    mpi_turn_leave(f, mpi_turn_meet(c, f, MPI_SUCCESS, &(struct mpi_alike){{"flags"}, {f->atomic}}));
    return MPI_SUCCESS;
}

int mpi_file_get_atomicity(struct mpi_call *c, MPI_File fh, int *flag)
{
    int rc = MPI_SUCCESS;
    const struct mpi_file *f = asked(c, fh, flag, &rc);
    if (f)
        *flag = f->atomic;
    return rc;
}

/* Data are in the real file when an access returns. What the volume has in its caches takes its time. */
int mpi_file_sync(struct mpi_call *c, MPI_File fh)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    c->effect = true;
    rank_file_refreshed(c->rank, f->checked);
    bool written = !(f->opened->amode & MPI_MODE_RDONLY);
    int error = written ? storage_sync(f->store) : 0;
    if (written)
        mpi_file_barrier(c, f);
    rank_file_flushed(c->rank, f->checked);
    return error
               ? mpi_fail(c, &f->guarded, mpi_host_class(error), "%s: the device has failed", f->opened->path)
               : MPI_SUCCESS;
}
