/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * access: reading and writing (MPI-5.0 section 14.4). An access is checked, finds its place, moves its bytes, and then
 * takes its time, for which the call waits, or a request, or the call that ends a split one.
 */
#include "mpi/file/parts.h"

#include <string.h>

/* --- checks -------------------------------------------------------------------------------------------- */

static int check_mode(struct mpi_call *c, struct mpi_file *f, struct mpi_access a)
{
    const struct mpi_opened *o = f->opened;
    if (a.write && o->amode & MPI_MODE_RDONLY)
        return mpi_fail(c, &f->guarded, MPI_ERR_READ_ONLY, "%s was opened with MPI_MODE_RDONLY", o->path);
    if (!a.write && o->amode & MPI_MODE_WRONLY)
        return mpi_fail(c, &f->guarded, MPI_ERR_ACCESS, "%s was opened with MPI_MODE_WRONLY", o->path);
    if (o->amode & MPI_MODE_SEQUENTIAL && a.pointer < MPI_POINTER_SHARED)
        return mpi_fail(
            c, &f->guarded, MPI_ERR_UNSUPPORTED_OPERATION,
            "%s was opened with MPI_MODE_SEQUENTIAL: expected a call that uses the shared pointer", o->path);
    if (a.all && f->split)
        return mpi_fail(c, &f->guarded, MPI_ERR_OTHER, "%s: the access that %s began has not been ended",
                        o->path, f->splitter);
    return MPI_SUCCESS;
}

/* Items in memory, and how many etypes they are. */
static int check_data(struct mpi_call *c, struct mpi_file *f, const void *buf, MPI_Count count,
                      MPI_Datatype datatype, struct mpi_data *d, int64_t *elements)
{
    struct p2p_buffer b;
    int rc = mpi_type_buffer(c, &f->guarded, buf, count, datatype, &b);
    if (rc)
        return rc;
    *d = (struct mpi_data){
        .at = (void *)(uintptr_t)buf, .count = b.count, .layout = b.layout, .datatype = datatype};
    d->bytes = types_layout_size(b.layout) * b.count;
    d->there = mpi_datarep_bytes(c, f, d, &rc);
    if (!rc && d->there % f->view.unit)
        return mpi_fail(c, &f->guarded, MPI_ERR_IO,
                        "%llu bytes are no whole number of etypes, which have %llu",
                        (unsigned long long)d->there, (unsigned long long)f->view.unit);
    *elements = (int64_t)(d->there / f->view.unit);
    return rc;
}

/* Where it begins, in etypes; moves the pointer that it uses. */
static int64_t take_place(struct mpi_call *c, struct mpi_file *f, struct mpi_access a, MPI_Offset offset,
                          int64_t elements)
{
    int64_t *pointer = a.pointer == MPI_POINTER_OWN ? &f->pointer : &f->opened->pointer;
    if (a.pointer == MPI_POINTER_GIVEN)
        return offset;
    if (a.pointer == MPI_POINTER_ORDERED)
        return mpi_turn_order(c, f, elements);
    int64_t place = *pointer;
    if (__builtin_add_overflow(place, elements, pointer)) /* the view has no such place */
        *pointer = place;
    return place;
}

/* --- doing --------------------------------------------------------------------------------------------- */

static int move(struct mpi_call *c, struct mpi_file *f, struct mpi_access a, int64_t place,
                const struct mpi_data *d, struct mpi_io *io)
{
    uint64_t position;
    if (place < 0 || __builtin_mul_overflow((uint64_t)place, f->view.unit, &position) ||
        !mpi_view_fits(&f->view, position, d->there))
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG,
                        "offset %lld and %llu bytes of data: the view has no such place", (long long)place,
                        (unsigned long long)d->there);
    io->position = position;
    io->bytes = d->there;
    io->low = d->there ? mpi_view_offset(&f->view, position) : 0;
    io->high = d->there ? mpi_view_offset(&f->view, position + d->there - 1) + 1 : 0;
    int full = a.write ? storage_room(f->store, (uint64_t)io->low, (uint64_t)(io->high - io->low)) : 0;
    if (full)
        return mpi_fail(c, &f->guarded, mpi_host_class(full), "%s: %llu bytes: %s", f->opened->path,
                        (unsigned long long)d->there, strerror(full));
    return mpi_data_move(c, f, a.write, position, d, &io->moved);
}

/* Starts an access. NULL: *rc is the error. A member of a collective one takes part in its time in any case. */
static struct mpi_io *begin(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset,
                            const void *buf, MPI_Count count, MPI_Datatype datatype, int *rc)
{
    struct mpi_file *f = mpi_file_of(c, fh, rc);
    struct mpi_data d;
    int64_t elements = 0;
    if (!f || (*rc = check_mode(c, f, a)) || (*rc = check_data(c, f, buf, count, datatype, &d, &elements)))
        return NULL;
    struct mpi_io *io = base_pool_get(&mpi_files_of(c->self->job)->accesses);
    *io = (struct mpi_io){.file = f, .access = a, .call = c->name};
    *rc = move(c, f, a, take_place(c, f, a, offset, elements), &d, io);
    if (*rc) {
        base_pool_put(&mpi_files_of(c->self->job)->accesses, io);
        return NULL;
    }
    io->view = f->view;
    types_layout_retain(io->view.tile);
    f->accesses++;
    return io;
}

static void begin_time(struct mpi_io *io)
{
    if (io->access.all)
        mpi_spend_together(io);
    else
        mpi_spend_alone(io);
}

void mpi_io_done(struct mpi_io *io)
{
    io->done = true;
    if (io->request)
        mpi_request_done(io->request);
    else if (io->waits)
        engine_wake(io->file->owner->rank->engine, io->waits);
}

static void release(struct mpi_io *io)
{
    struct mpi_file *f = io->file;
    types_layout_release(io->view.tile);
    f->accesses--;
    base_pool_put(&mpi_files_of(f->owner->job)->accesses, io);
    mpi_file_release(f);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct mpi_io *io = arg;
    snprintf(buf, size, "%s of %s", io->call, io->file->opened->path);
}

static void tell(const struct mpi_io *io, MPI_Status *status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    mpi_status_empty(status);
    mpi_status_set_bytes(status, (int64_t)io->moved);
}

static int await(struct mpi_call *c, struct mpi_io *io, MPI_Status *status)
{
    struct engine *e = c->rank->engine;
    io->reason = (struct engine_reason){c->name, describe, io};
    while (!io->done) {
        io->waits = engine_current(e);
        engine_block(e, &io->reason);
    }
    tell(io, status);
    int rc = io->error;
    if (rc)
        rc = mpi_fail(c, &io->file->guarded, rc, "%s: the device has failed", io->file->opened->path);
    release(io);
    return rc;
}

static int finish(struct mpi_request *q, void *arg, MPI_Status *status)
{
    const struct mpi_io *io = arg;
    (void)q;
    tell(io, status);
    return io->error;
}

static void destroy(void *arg)
{
    release(arg);
}

/* --- the forms of calls ---------------------------------------------------------------------------------- */

static int blocking(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                    MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    struct mpi_io *io = begin(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    begin_time(io);
    return await(c, io, status);
}

static int requested(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                     MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    static const struct mpi_other kind = {
        .what = "access to a file", .finish = finish, .describe = describe, .destroy = destroy};
    int rc = MPI_SUCCESS;
    if (!request)
        return mpi_fail(c, mpi_file_null(c->self), MPI_ERR_ARG, "the place for the request is NULL");
    struct mpi_io *io = begin(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    io->request = mpi_request_other(c, NULL, &kind, io, false, request);
    begin_time(io);
    return MPI_SUCCESS;
}

static int split(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset, const void *buf,
                 MPI_Count count, MPI_Datatype datatype)
{
    int rc = MPI_SUCCESS;
    struct mpi_io *io = begin(c, fh, a, offset, buf, count, datatype, &rc);
    if (!io)
        return rc;
    io->file->split = io;
    io->file->splitter = c->name;
    begin_time(io);
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
    return await(c, io, status);
}

/* --- the calls ------------------------------------------------------------------------------------------ */

#define IN(write, all, pointer) ((struct mpi_access){write, all, MPI_POINTER_##pointer})

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
