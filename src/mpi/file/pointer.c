/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointer: individual and shared file pointers (MPI-5.0 sections 14.4.3 and 14.4.4). The shared one is kept by the file's
 * first member: whoever needs it alone sends a request to its host and gets an answer. They are served one after the
 * other, in the order of the calls. Collective calls find their places together (turn.c).
 */
#include "fabric/fabric.h"
#include "mpi/file/parts.h"

#include <errno.h>

/* --- the keeper ---------------------------------------------------------------------------------------- */

static double latency(struct rank *r, uint32_t from, uint32_t to)
{
    return from == to ? 0 : fabric_latency(rank_fabric(r->job), from, to, sizeof(int64_t));
}

/* When the keeper's answer to a request that a member makes now is there. */
static double answer(struct mpi_file *f)
{
    struct rank *r = f->owner->rank;
    struct mpi_opened *o = f->opened;
    uint32_t keeper = rank_at(r->job, coll_group_rank(f->comm->group, 0))->host;
    double arrival = engine_now(r->engine) + latency(r, r->host, keeper);
    o->keeper_free = (o->keeper_free > arrival ? o->keeper_free : arrival) +
                     base_settings_number(rank_settings(r->job), "mpi/shared-pointer");
    return o->keeper_free + latency(r, keeper, r->host);
}

static void answered(struct engine *e, struct engine_event *ev)
{
    (void)e;
    mpi_spend_alone(BASE_CONTAINER(ev, struct mpi_io, answered));
}

void mpi_pointer_ask(struct mpi_io *io)
{
    engine_event_init(&io->answered, answered);
    engine_event_post(io->file->owner->rank->engine, &io->answered, answer(io->file));
}

/* --- pointers ------------------------------------------------------------------------------------------ */

/* A file whose pointers may be used, and the place of a result. */
static struct mpi_file *of(struct mpi_call *c, MPI_File fh, const void *to, int *rc)
{
    struct mpi_file *f = mpi_file_of(c, fh, rc);
    if (!f)
        return NULL;
    if (!to)
        *rc = mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for the offset is NULL");
    else if (f->opened->amode & MPI_MODE_SEQUENTIAL)
        *rc = mpi_fail(c, &f->guarded, MPI_ERR_UNSUPPORTED_OPERATION,
                       "%s was opened with MPI_MODE_SEQUENTIAL", f->opened->path);
    return *rc ? NULL : f;
}

static int check_whence(struct mpi_call *c, struct mpi_file *f, int whence)
{
    if (whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END)
        return MPI_SUCCESS;
    return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "%d is not MPI_SEEK_SET, _CUR or _END", whence);
}

/* Moves a pointer. Returns an error class. */
static int move(const struct mpi_file *f, MPI_Offset offset, int whence, int64_t *pointer)
{
    int64_t from = whence == MPI_SEEK_CUR ? *pointer : 0, to;
    int64_t size = whence == MPI_SEEK_END ? mpi_host_size(f->opened) : 0;
    if (size < 0)
        return mpi_host_class(errno);
    if (whence == MPI_SEEK_END)
        from = mpi_view_elements_before(&f->view, size);
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return MPI_ERR_ARG;
    *pointer = to;
    return MPI_SUCCESS;
}

static int seek_failed(struct mpi_call *c, struct mpi_file *f, int class, MPI_Offset offset)
{
    return mpi_fail(c, &f->guarded, class,
                    "a seek by %lld leads to no place of the view, or the size is not known",
                    (long long)offset);
}

int mpi_file_seek(struct mpi_call *c, MPI_File fh, MPI_Offset offset, int whence)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = of(c, fh, &rc, &rc);
    if (!f || (rc = check_whence(c, f, whence)))
        return rc;
    int class = move(f, offset, whence, &f->pointer);
    if (c->told && !class)
        c->told->place = f->pointer;
    return class ? seek_failed(c, f, class, offset) : MPI_SUCCESS;
}

int mpi_file_get_position(struct mpi_call *c, MPI_File fh, MPI_Offset *offset)
{
    int rc = MPI_SUCCESS;
    const struct mpi_file *f = of(c, fh, offset, &rc);
    if (f)
        *offset = f->pointer;
    return rc;
}

int mpi_file_get_byte_offset(struct mpi_call *c, MPI_File fh, MPI_Offset offset, MPI_Offset *disp)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = of(c, fh, disp, &rc);
    uint64_t position = 0;
    if (!f)
        return rc;
    int64_t at = offset < 0 || __builtin_mul_overflow((uint64_t)offset, f->view.unit, &position)
                     ? -1
                     : mpi_view_offset(&f->view, position);
    if (at < 0)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the offset is %lld: the view has no such place",
                        (long long)offset);
    *disp = at;
    return MPI_SUCCESS;
}

/* All members seek to the same place, once, and all are told if there is none. */
int mpi_file_seek_shared(struct mpi_call *c, MPI_File fh, MPI_Offset offset, int whence)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = of(c, fh, &rc, &rc);
    if (!f)
        return rc;
    rc = check_whence(c, f, whence);
    struct mpi_turn *t =
        mpi_turn_meet(c, f, rc, &(struct mpi_alike){{"offsets", "values of whence"}, {offset, whence}});
    if (!t->solved && !t->refusal) {
        const int64_t *said = t->seat[t->first].alike.value;
        t->error = move(f, said[0], (int)said[1], &f->opened->pointer);
        t->seat[0].place = t->error ? -1 : f->opened->pointer;
    }
    t->solved = true;
    int class = t->error;
    if (c->told && !t->refusal)
        c->told->place = t->seat[0].place;
    rc = mpi_turn_agree(c, f, t, rc);
    return !rc && class ? seek_failed(c, f, class, offset) : rc;
}

int mpi_file_get_position_shared(struct mpi_call *c, MPI_File fh, MPI_Offset *offset)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = of(c, fh, offset, &rc);
    if (!f)
        return rc;
    rank_catch_up(c->rank);
    *offset = f->opened->pointer;
    rank_await_until(c->rank, c->name, answer(f), 0);
    return MPI_SUCCESS;
}
