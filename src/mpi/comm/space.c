/* SPDX-License-Identifier: BSD-3-Clause */
/* space: what the members of a communicator share, and each member's record of it. */
#include "mpi/comm/parts.h"

#include <stdlib.h>

enum { CONTEXTS_INTRA = 2, CONTEXTS_INTER = 4 };

static uint32_t contexts(struct mpi_job *job, uint32_t n)
{
    uint32_t first = mpi_context_make(job);
    while (--n)
        mpi_context_make(job);
    return first;
}

struct coll_group mpi_group_joined(const struct coll_group *a, const struct coll_group *b)
{
    uint32_t *rank = base_alloc(((size_t)a->size + b->size + 1) * sizeof *rank, "the members of a group");
    for (uint32_t k = 0; k < a->size; k++)
        rank[k] = coll_group_rank(a, k);
    for (uint32_t k = 0; k < b->size; k++)
        rank[a->size + k] = coll_group_rank(b, k);
    struct coll_group all = coll_group_of(0, rank, a->size + b->size);
    free(rank);
    return all;
}

struct mpi_space *mpi_space_create(struct mpi_job *job, const char *maker, struct coll_group a,
                                   const struct coll_group *b)
{
    struct mpi_space *s = base_zalloc(sizeof *s, "communicators");
    s->context = contexts(job, b ? CONTEXTS_INTER : CONTEXTS_INTRA);
    s->maker = maker;
    s->references = a.size;
    s->side[0] = a;
    s->side[0].id = s->context;
    if (!b) {
        s->all = coll_group_retain(&s->side[0]);
        mpi_worlds_link(job, s);
        return s;
    }
    s->inter = true;
    s->side[1] = *b;
    s->side[1].id = s->context + 1;
    s->references += b->size;
    s->all = mpi_group_joined(&a, b);
    s->all.id = s->context + 2;
    mpi_worlds_link(job, s);
    return s;
}

static void forget(struct mpi_job *job, struct coll_group *g)
{
    if (g->size)
        coll_forget(job->job, g);
    coll_group_release(g);
}

void mpi_space_release(struct mpi_job *job, struct mpi_space *space)
{
    if (--space->references)
        return;
    mpi_meetings_release(job, &space->meetings);
    if (space->across)
        mpi_worlds_free(job, space);
    if (space->inter)
        forget(job, &space->all);
    else
        coll_group_release(&space->all);
    forget(job, &space->side[0]);
    forget(job, &space->side[1]);
    mpi_topology_release(space->topology);
    if (space->world)
        space->world->space = NULL;
    free(space);
}

struct mpi_comm *mpi_comm_create_record(struct mpi_rank *self, struct mpi_space *space, uint8_t side,
                                        uint32_t me, const struct mpi_comm *parent)
{
    struct mpi_comm *comm = base_zalloc(sizeof *comm, "communicators");
    mpi_handle_make(self, MPI_KIND_COMM, &comm->guarded.object);
    comm->guarded.errhandler =
        parent ? mpi_errhandler_retain(parent->guarded.errhandler) : &mpi_errors_are_fatal;
    comm->guarded.about = MPI_ABOUT_COMM;
    comm->session = parent ? parent->session : 0;
    comm->owner = self;
    comm->space = space;
    comm->group = &space->side[side];
    comm->remote = space->inter ? &space->side[!side] : NULL;
    comm->me = me;
    comm->side = side;
    return comm;
}

void mpi_comm_release(struct mpi_comm *comm)
{
    if (--comm->guarded.object.references)
        return;
    mpi_errhandler_release(comm->guarded.errhandler);
    mpi_attributes_forget(comm->owner, &comm->attributes);
    coll_neighbors_release(comm->neighbors);
    mpi_space_release(comm->owner->job, comm->space);
    free(comm->name);
    free(comm);
}

void mpi_comm_drop(struct mpi_comm *comm)
{
    if (comm == comm->owner->parent)
        comm->owner->parent = NULL;
    mpi_handle_drop(comm->owner, &comm->guarded.object);
    comm->freed = true;
    mpi_comm_release(comm);
}
