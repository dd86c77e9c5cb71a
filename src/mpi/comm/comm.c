/* SPDX-License-Identifier: BSD-3-Clause */
/* comm: the predefined communicators, looking communicators up, and what a rank asks of them first. */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- predefined ones --------------------------------------------------------------------------------- */

static struct mpi_comm *predefined(struct mpi_rank *self, struct mpi_space *space, uint32_t handle,
                                   uint32_t me)
{
    struct mpi_comm *comm = base_zalloc(sizeof *comm, "communicators");
    comm->guarded = (struct mpi_guarded){{handle, 1}, &mpi_errors_are_fatal, MPI_ABOUT_COMM};
    comm->owner = self;
    comm->space = space;
    comm->group = &space->side[0];
    comm->me = me;
    return comm;
}

static struct mpi_space *world_space(struct mpi_job *job, struct mpi_world *w)
{
    if (!w->space) {
        w->space = mpi_space_create(job, NULL, coll_group_retain(&w->members), NULL);
        w->space->world = w;
        w->space->references = 0;
    }
    w->space->references++;
    return w->space;
}

struct mpi_comm *mpi_comm_world(struct mpi_rank *self)
{
    if (!self->world)
        self->world = predefined(self, world_space(self->job, self->home), 0x101,
                                 coll_group_place(&self->home->members, self->rank->id));
    return self->world;
}

struct mpi_comm *mpi_comm_self(struct mpi_rank *self)
{
    struct coll_group g = {.first = self->rank->id, .stride = 1, .size = 1};
    if (!self->self)
        self->self = predefined(self, mpi_space_create(self->job, NULL, g, NULL), 0x102, 0);
    return self->self;
}

void mpi_comm_finalize(struct mpi_call *c)
{
    if (c->self->self) /* a function that fails can no longer keep its attribute */
        mpi_attributes_delete(c, &c->self->self->attributes, 0x102);
}

/* --- looking up -------------------------------------------------------------------------------------- */

struct mpi_comm *mpi_comm_of(struct mpi_call *c, MPI_Comm comm, int *rc)
{
    struct mpi_comm *out = mpi_comm_find(c->self, comm);
    if (BASE_UNLIKELY(!out))
        *rc = mpi_fail(c, NULL, MPI_ERR_COMM, "%#lx is no communicator%s", (unsigned long)(uintptr_t)comm,
                       comm == MPI_COMM_NULL ? " (MPI_COMM_NULL)" : "");
    return out;
}

int mpi_comm_check_new(struct mpi_call *c, MPI_Comm *newcomm)
{
    if (!newcomm)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the new communicator is NULL");
    *newcomm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int mpi_comm_check_intra(struct mpi_call *c, struct mpi_comm *of)
{
    char text[160];
    if (!of->remote)
        return MPI_SUCCESS;
    return mpi_fail(c, &of->guarded, MPI_ERR_COMM,
                    "%s is an inter-communicator: expected an intra-communicator",
                    mpi_comm_text(of, text, sizeof text));
}

int mpi_comm_check_inter(struct mpi_call *c, struct mpi_comm *of)
{
    char text[160];
    if (of->remote)
        return MPI_SUCCESS;
    return mpi_fail(c, &of->guarded, MPI_ERR_COMM,
                    "%s is an intra-communicator: expected an inter-communicator",
                    mpi_comm_text(of, text, sizeof text));
}

char *mpi_comm_text(const struct mpi_comm *comm, char *buf, size_t size)
{
    const struct mpi_space *s = comm->space;
    uint32_t handle = comm->guarded.object.handle;
    const char *between = comm->name ? " '" : "", *name = comm->name ? comm->name : "",
               *after = *between ? "'" : "";
    if (handle == 0x101 || handle == 0x102)
        snprintf(buf, size, "%s%s%s%s", handle == 0x101 ? "MPI_COMM_WORLD" : "MPI_COMM_SELF", between, name,
                 after);
    else if (s->inter)
        snprintf(buf, size, "inter-communicator%s%s%s of %u and %u ranks (%s)", between, name, after,
                 s->side[0].size, s->side[1].size, s->maker);
    else
        snprintf(buf, size, "communicator%s%s%s of %u rank%s (%s)", between, name, after, s->side[0].size,
                 s->side[0].size == 1 ? "" : "s", s->maker);
    return buf;
}

/* --- questions --------------------------------------------------------------------------------------- */

static int answer(struct mpi_call *c, struct mpi_comm *of, int *to, uint32_t value)
{
    if (BASE_UNLIKELY(!to))
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the place for the answer is NULL");
    *to = (int)value;
    return MPI_SUCCESS;
}

int mpi_comm_rank(struct mpi_call *c, MPI_Comm comm, int *rank)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? answer(c, of, rank, of->me) : rc;
}

int mpi_comm_size(struct mpi_call *c, MPI_Comm comm, int *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? answer(c, of, size, of->group->size) : rc;
}

int mpi_comm_remote_size(struct mpi_call *c, MPI_Comm comm, int *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_inter(c, of)))
        return rc;
    return answer(c, of, size, of->remote->size);
}

int mpi_comm_test_inter(struct mpi_call *c, MPI_Comm comm, int *flag)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return of ? answer(c, of, flag, of->remote != NULL) : rc;
}

static int relation(const struct mpi_comm *a, const struct mpi_comm *b)
{
    static const int names[] = {
        [COLL_IDENTICAL] = MPI_CONGRUENT, [COLL_SIMILAR] = MPI_SIMILAR, [COLL_UNEQUAL] = MPI_UNEQUAL};
    if (a->space == b->space)
        return MPI_IDENT;
    if (a->space->inter != b->space->inter)
        return MPI_UNEQUAL;
    enum coll_relation local = coll_group_compare(a->group, b->group);
    enum coll_relation remote = a->remote ? coll_group_compare(a->remote, b->remote) : COLL_IDENTICAL;
    return names[local > remote ? local : remote];
}

int mpi_comm_compare(struct mpi_call *c, MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *a = mpi_comm_of(c, comm1, &rc), *b = a ? mpi_comm_of(c, comm2, &rc) : NULL;
    if (!b || (rc = mpi_check_sessions(c, &a->guarded, MPI_ERR_COMM, a->session, b->session)))
        return rc;
    return answer(c, a, result, (uint32_t)relation(a, b));
}
