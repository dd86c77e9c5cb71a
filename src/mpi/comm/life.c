/* SPDX-License-Identifier: BSD-3-Clause */
/* life: names of communicators, their end, and what is left of them when a rank ends. */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- names (MPI-5.0 section 7.8) --------------------------------------------------------------------- */

int mpi_comm_set_name(struct mpi_call *c, MPI_Comm comm, const char *comm_name)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of)
        return rc;
    if (!comm_name)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the name is NULL");
    free(of->name);
    of->name = base_strfmt("%.*s", MPI_MAX_OBJECT_NAME - 1, comm_name);
    return MPI_SUCCESS;
}

int mpi_comm_get_name(struct mpi_call *c, MPI_Comm comm, char *comm_name, int *resultlen)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = comm == MPI_COMM_NULL ? NULL : mpi_comm_of(c, comm, &rc);
    if (rc)
        return rc;
    if (!comm_name || !resultlen)
        return mpi_fail(c, of ? &of->guarded : NULL, MPI_ERR_ARG,
                        "the place for the name or its length is NULL");
    const char *name = !of                      ? "MPI_COMM_NULL"
                       : of->name               ? of->name
                       : comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD"
                       : comm == MPI_COMM_SELF  ? "MPI_COMM_SELF"
                                                : "";
    *resultlen = (int)strlen(name);
    memcpy(comm_name, name, strlen(name) + 1);
    return MPI_SUCCESS;
}

/* --- the end ----------------------------------------------------------------------------------------- */

/* Messages that nobody can receive any more are lost, and a mistake of the program. */
static void check_unreceived(struct mpi_call *c, const struct mpi_comm *of)
{
    char text[160];
    struct p2p_status s;
    struct p2p_envelope any = {of->space->context, P2P_ANY_SOURCE, P2P_ANY_TAG};
    if (p2p_find(c->rank, &any, &s))
        base_warn("misuse/unreceived",
                  "%s is freed, and its message of tag %d from rank %u of the job was not received",
                  mpi_comm_text(of, text, sizeof text), s.tag, s.source);
}

int mpi_comm_free(struct mpi_call *c, MPI_Comm *comm)
{
    int rc = MPI_SUCCESS;
    if (!comm)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the communicator is NULL");
    struct mpi_comm *of = mpi_comm_of(c, *comm, &rc);
    if (!of)
        return rc;
    if (of == c->self->world || of == c->self->self)
        return mpi_fail(c, &of->guarded, MPI_ERR_COMM, "%s is predefined: it cannot be freed",
                        of == c->self->world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    rc = mpi_attributes_delete(c, &of->attributes, of->guarded.object.handle);
    if (rc)
        return mpi_fail(c, &of->guarded, rc, "a function that deletes an attribute returned %d", rc);
    check_unreceived(c, of);
    mpi_comm_drop(of);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

static void release_comm(void *arg, void *object)
{
    (void)arg;
    mpi_comm_drop(object);
}

static void release_group(void *arg, void *object)
{
    struct mpi_group *g = object;
    (void)arg;
    coll_group_release(&g->members);
    free(g);
}

static void release_key(void *arg, void *object)
{
    (void)arg;
    free(object);
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_COMM, release_comm, NULL);
    mpi_handle_each(self, MPI_KIND_GROUP, release_group, NULL);
    if (self->world)
        mpi_comm_release(self->world);
    if (self->self)
        mpi_comm_release(self->self);
    mpi_handle_each(self, MPI_KIND_KEYVAL, release_key, NULL);
    free(self->own_values);
    self->world = self->self = NULL;
    self->own_values = NULL;
}

static void end(struct mpi_job *job)
{
    mpi_meetings_release(job, &job->meetings);
    mpi_worlds_release(job);
}

void mpi_comm_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave, .end = end};
    mpi_keeper_register(&keeper);
    rank_on_abort(mpi_worlds_connected);
}
