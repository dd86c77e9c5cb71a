/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * access: reading and writing (MPI-5.0 section 14.4). An access is checked, finds its place, moves its bytes, and then
 * takes its time, for which the call waits, or a request, or the call that ends a split one (forms.c).
 */
#include "mpi/file/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- checks -------------------------------------------------------------------------------------------- */

/* What is the same at all members. */
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
    return MPI_SUCCESS;
}

static int check_call(struct mpi_call *c, struct mpi_file *f, struct mpi_access a)
{
    if (a.unasked)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for the request is NULL");
    if (a.all && f->split)
        return mpi_fail(c, &f->guarded, MPI_ERR_OTHER, "%s: the access that %s began has not been ended",
                        f->opened->path, f->splitter);
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
    *d = (struct mpi_data){.at = (void *)(uintptr_t)buf,
                           .count = b.count,
                           .layout = b.layout,
                           .datatype = datatype,
                           .items = b.count};
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (t && t->section_items) {
        d->section = true;
        d->datatype = t->section_of;
        d->items = t->section_items;
    }
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
    if (!f->opened->played)
        return mpi_data_move(c, f, a.write, position, d, &io->moved);
    io->moved = d->bytes;
    if (a.write && io->high > f->opened->size)
        f->opened->size = io->high;
    return MPI_SUCCESS;
}

/* It is under way from now on. */
static void enlist(struct mpi_io *io)
{
    struct mpi_file *f = io->file;
    f->accesses++;
    io->next = f->under_way;
    io->link = &f->under_way;
    if (io->next)
        io->next->link = &io->next;
    f->under_way = io;
}

struct mpi_io *mpi_io_begin(struct mpi_call *c, MPI_File fh, struct mpi_access a, MPI_Offset offset,
                            const void *buf, MPI_Count count, MPI_Datatype datatype, int *rc)
{
    struct mpi_file *f = mpi_file_of(c, fh, rc);
    struct mpi_data d = {0};
    int64_t elements = 0;
    if (!f || (*rc = check_mode(c, f, a)))
        return NULL;
    *rc = check_call(c, f, a);
    if (!*rc)
        *rc = check_data(c, f, buf, count, datatype, &d, &elements);
    if (*rc && !a.all)
        return NULL;
    struct mpi_io *io = base_pool_get(&mpi_files_of(c->self->job)->accesses);
    *io = (struct mpi_io){.file = f, .access = a, .call = c->name};
    c->effect = true;
    int64_t place = take_place(c, f, a, offset, *rc ? 0 : elements);
    *rc = *rc ? *rc : move(c, f, a, place, &d, io);
    c->empty = *rc != MPI_SUCCESS;
    if (*rc && !a.all) {
        base_pool_put(&mpi_files_of(c->self->job)->accesses, io);
        return NULL;
    }
    if (*rc) {
        io->bytes = 0;
        io->low = io->high = 0;
    }
    io->view = f->view;
    types_layout_retain(io->view.tile);
    enlist(io);
    io->action = *rc ? 0 : mpi_file_checked_access(c, io, &d);
    return io;
}

void mpi_io_spend(struct mpi_io *io)
{
    mpi_io_tell(io);
    if (io->access.all)
        mpi_spend_together(io);
    else if (io->access.pointer == MPI_POINTER_SHARED)
        mpi_pointer_ask(io);
    else
        mpi_spend_alone(io);
}

static void release(struct mpi_io *io)
{
    struct mpi_file *f = io->file;
    types_layout_release(io->view.tile);
    *io->link = io->next;
    if (io->next)
        io->next->link = io->link;
    f->accesses--;
    f->left -= io->left;
    base_pool_put(&mpi_files_of(f->owner->job)->accesses, io);
    mpi_file_release(f);
}

void mpi_io_forget(struct mpi_io *io)
{
    free(io->spending.pieces.at);
    free(io->phases);
    release(io);
}

void mpi_io_done(struct mpi_io *io)
{
    io->done = true;
    storage_tell_end(io->file->owner->rank, &io->told);
    if (io->request)
        mpi_request_done(io->request);
    else if (io->waits)
        engine_wake(io->file->owner->rank->engine, io->waits);
    else if (io->left)
        release(io);
}

void mpi_io_leave(struct mpi_io *io)
{
    io->left = true;
    io->file->left++;
    mpi_io_spend(io);
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

int mpi_io_await(struct mpi_call *c, struct mpi_io *io, MPI_Status *status)
{
    struct engine *e = c->rank->engine;
    io->reason = (struct engine_reason){c->name, describe, io};
    while (!io->done) {
        io->waits = engine_current(e);
        engine_block(e, &io->reason);
    }
    rank_action_end(c->rank, io->action);
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

void mpi_io_request(struct mpi_call *c, struct mpi_io *io, MPI_Request *request)
{
    static const struct mpi_other kind = {
        .what = "access to a file", .finish = finish, .describe = describe, .destroy = destroy};
    io->request = mpi_request_other(c, NULL, &kind, io, false, request);
    mpi_request_pending(io->request)->action = io->action;
}
