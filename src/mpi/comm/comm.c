/* SPDX-License-Identifier: BSD-3-Clause */
/* comm: the predefined communicators, records of communicators, and what a rank asks of them first. */
#include "mpi/comm/comm.h"

#include "mpi/calls.h"

#include <stdlib.h>

static struct mpi_space *space_create(struct mpi_job *job, uint32_t first, uint32_t size)
{
    struct mpi_space *s = base_zalloc(sizeof *s, "communicators");
    s->context = mpi_context_make(job);
    s->side[0] = (struct coll_group){.first = first, .stride = 1, .size = size, .id = s->context};
    return s;
}

static struct mpi_comm *predefined(struct mpi_rank *self, struct mpi_space *space, uint32_t handle)
{
    struct mpi_comm *comm = base_zalloc(sizeof *comm, "communicators");
    comm->guarded = (struct mpi_guarded){{handle, 1}, &mpi_errors_are_fatal, MPI_ABOUT_COMM};
    comm->owner = self;
    comm->space = space;
    comm->group = &space->side[0];
    space->references++;
    return comm;
}

struct mpi_comm *mpi_comm_world(struct mpi_rank *self)
{
    struct mpi_job *job = self->job;
    if (!self->world) {
        if (!job->world)
            job->world = space_create(job, 0, rank_count(job->job));
        self->world = predefined(self, job->world, 0x101);
        self->world->me = self->rank->id;
    }
    return self->world;
}

struct mpi_comm *mpi_comm_self(struct mpi_rank *self)
{
    if (!self->self)
        self->self = predefined(self, space_create(self->job, self->rank->id, 1), 0x102);
    return self->self;
}

static void space_release(struct mpi_job *job, struct mpi_space *space)
{
    if (--space->references)
        return;
    for (size_t k = 0; k < 2; k++)
        if (space->side[k].size) {
            coll_forget(job->job, &space->side[k]);
            coll_group_release(&space->side[k]);
        }
    if (job->world == space)
        job->world = NULL;
    free(space);
}

void mpi_comm_release(struct mpi_comm *comm)
{
    if (--comm->guarded.object.references)
        return;
    mpi_errhandler_release(comm->guarded.errhandler);
    space_release(comm->owner->job, comm->space);
    mpi_attributes_forget(comm->owner, &comm->attributes);
    free(comm->name);
    free(comm);
}

struct mpi_comm *mpi_comm_of(struct mpi_call *c, MPI_Comm comm, int *rc)
{
    struct mpi_comm *out = mpi_comm_find(c->self, comm);
    if (BASE_UNLIKELY(!out))
        *rc = mpi_fail(c, NULL, MPI_ERR_COMM, "%#lx is no communicator%s", (unsigned long)(uintptr_t)comm,
                       comm == MPI_COMM_NULL ? " (MPI_COMM_NULL)" : "");
    return out;
}

int mpi_comm_rank(struct mpi_call *c, MPI_Comm comm, int *rank)
{
    int rc = MPI_SUCCESS;
    const struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (of)
        *rank = (int)of->me;
    return rc;
}

int mpi_comm_size(struct mpi_call *c, MPI_Comm comm, int *size)
{
    int rc = MPI_SUCCESS;
    const struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (of)
        *size = (int)of->group->size;
    return rc;
}

static void leave(struct mpi_rank *self)
{
    free(self->last_used_value);
    self->last_used_value = NULL;
    if (self->world)
        mpi_comm_release(self->world);
    if (self->self)
        mpi_comm_release(self->self);
    self->world = self->self = NULL;
}

void mpi_comm_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    mpi_keeper_register(&keeper);
}
