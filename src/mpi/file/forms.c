/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms: the calls that read and write (MPI-5.0 sections 14.4.2 to 14.4.5): blocking, nonblocking and split ones, with each
 * kind of pointer. What an access does is in access.c.
 *
 * A collective access in which one member's part fails goes on for the others: that member takes part with no data.
 */
#include "mpi/file/parts.h"

/* --- the forms of calls ---------------------------------------------------------------------------------- */

static int blocking(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                    MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    struct mpi_io *io = mpi_io_begin(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    mpi_io_spend(io);
    int late = mpi_io_await(c, io, status);
    return rc ? rc : late;
}

/* One for which the call does not wait. NULL: *rc is the error, and nothing is left to do. */
static struct mpi_io *begin_started(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset,
                                    const void *buf, MPI_Count count, MPI_Datatype datatype, int *rc)
{
    struct mpi_io *io = mpi_io_begin(c, fh, a, offset, buf, count, datatype, rc);
    if (!io || !*rc)
        return io;
    mpi_io_leave(io);
    return NULL;
}

static int requested(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                     MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    a.unasked = !request;
    struct mpi_io *io = begin_started(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    mpi_io_request(c, io, request);
    mpi_io_spend(io);
    return MPI_SUCCESS;
}

static int split(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                 MPI_Count count, MPI_Datatype datatype)
{
    int rc = MPI_SUCCESS;
    struct mpi_io *io = begin_started(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    io->file->split = io;
    io->file->splitter = c->name;
    mpi_io_spend(io);
    return MPI_SUCCESS;
}

static int end(struct mpi_call *c, MPI_File fh, struct mpi_access a, const void *buf, MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    (void)buf;
    if (!f)
        return rc;
    struct mpi_io *io = f->split;
    if (!io || io->access.write != a.write || io->access.pointer != a.pointer)
        return mpi_fail(c, &f->guarded, MPI_ERR_OTHER, "%s: %s%s%s", f->opened->path,
                        io ? "the access under way was begun by " : "no split access is under way",
                        io ? f->splitter : "", io ? "" : ": expected the call that begins it before");
    f->split = NULL;
    c->effect = true;
    return mpi_io_await(c, io, status);
}

/* --- the calls ------------------------------------------------------------------------------------------ */

#define IN(write, all, pointer) ((struct mpi_access){write, all, MPI_POINTER_##pointer, false})

#define BLOCKING(name, buffer, access)                                                                       \
    int mpi_file_##name(struct mpi_call *c, MPI_File fh, buffer buf, MPI_Count count, MPI_Datatype datatype, \
                        MPI_Status *status)                                                                  \
    {                                                                                                        \
        return blocking(c, fh, access, 0, buf, count, datatype, status);                                     \
    }
#define NONBLOCKING(name, buffer, access)                                                                    \
    int mpi_file_i##name(struct mpi_call *c, MPI_File fh, buffer buf, MPI_Count count,                       \
                         MPI_Datatype datatype, MPI_Request *request)                                        \
    {                                                                                                        \
        return requested(c, fh, access, 0, buf, count, datatype, request);                                   \
    }
#define SPLIT(name, buffer, access)                                                                          \
    int mpi_file_##name##_begin(struct mpi_call *c, MPI_File fh, buffer buf, MPI_Count count,                \
                                MPI_Datatype datatype)                                                       \
    {                                                                                                        \
        return split(c, fh, access, 0, buf, count, datatype);                                                \
    }                                                                                                        \
    END(name, buffer, access)
#define END(name, buffer, access)                                                                            \
    int mpi_file_##name##_end(struct mpi_call *c, MPI_File fh, buffer buf, MPI_Status *status)               \
    {                                                                                                        \
        return end(c, fh, access, buf, status);                                                              \
    }
/* At an offset that is given. */
#define AT(name, buffer, access)                                                                             \
    int mpi_file_##name(struct mpi_call *c, MPI_File fh, MPI_Offset offset, buffer buf, MPI_Count count,     \
                        MPI_Datatype datatype, MPI_Status *status)                                           \
    {                                                                                                        \
        return blocking(c, fh, access, offset, buf, count, datatype, status);                                \
    }                                                                                                        \
    int mpi_file_i##name(struct mpi_call *c, MPI_File fh, MPI_Offset offset, buffer buf, MPI_Count count,    \
                         MPI_Datatype datatype, MPI_Request *request)                                        \
    {                                                                                                        \
        return requested(c, fh, access, offset, buf, count, datatype, request);                              \
    }
#define SPLIT_AT(name, buffer, access)                                                                       \
    int mpi_file_##name##_begin(struct mpi_call *c, MPI_File fh, MPI_Offset offset, buffer buf,              \
                                MPI_Count count, MPI_Datatype datatype)                                      \
    {                                                                                                        \
        return split(c, fh, access, offset, buf, count, datatype);                                           \
    }                                                                                                        \
    END(name, buffer, access)

#define ALL(verb, buffer, write)                                                                             \
    AT(verb##_at, buffer, IN(write, false, GIVEN))                                                           \
    AT(verb##_at_all, buffer, IN(write, true, GIVEN))                                                        \
    SPLIT_AT(verb##_at_all, buffer, IN(write, true, GIVEN))                                                  \
    BLOCKING(verb, buffer, IN(write, false, OWN))                                                            \
    NONBLOCKING(verb, buffer, IN(write, false, OWN))                                                         \
    BLOCKING(verb##_all, buffer, IN(write, true, OWN))                                                       \
    NONBLOCKING(verb##_all, buffer, IN(write, true, OWN))                                                    \
    SPLIT(verb##_all, buffer, IN(write, true, OWN))                                                          \
    BLOCKING(verb##_shared, buffer, IN(write, false, SHARED))                                                \
    NONBLOCKING(verb##_shared, buffer, IN(write, false, SHARED))                                             \
    BLOCKING(verb##_ordered, buffer, IN(write, true, ORDERED))                                               \
    SPLIT(verb##_ordered, buffer, IN(write, true, ORDERED))

typedef void *readable;
typedef const void *writable;
ALL(read, readable, false)
ALL(write, writable, true)
