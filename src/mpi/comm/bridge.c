/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bridge: inter-communicators whose other side is no part of the call (MPI-5.0 sections 11.8, 11.10): processes that are
 * started, or that come to a port. The members of an intra-communicator come together, the root finds the other side, and
 * tells the others. And how such communicators end.
 */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdarg.h>

/* The root seats all members. */
static void cross(struct mpi_call *c, struct mpi_meeting *m, struct mpi_comm *of, const struct mpi_bridge *b)
{
    struct mpi_crossing o = {0};
    b->find(c, of, b->arg, &o);
    if (o.error)
        mpi_meeting_fail(m, o.error, "%s", o.text);
    if (o.space)
        mpi_meeting_seat(m, o.space, o.side);
    m->given = true;
    m->seat[of->me].given = o.told;
}

int mpi_comm_cross(struct mpi_call *c, struct mpi_comm *of, int root, const struct mpi_bridge *b,
                   MPI_Comm *newcomm)
{
    struct mpi_comm *made;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    mpi_meeting_agree(c, m, of->me, mpi_solve_nothing);
    if ((int)of->me == root)
        cross(c, m, of, b);
    mpi_meeting_tell(c, m, of->me, (uint32_t)root);
    if (b->each && m->seat[root].given)
        b->each(b->arg, m->seat[root].given);
    int rc = mpi_meeting_leave(c, m, of->me, of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

int mpi_comm_check_root(struct mpi_call *c, struct mpi_comm *of, int root)
{
    if (root >= 0 && (uint32_t)root < of->group->size)
        return MPI_SUCCESS;
    return mpi_fail(c, &of->guarded, MPI_ERR_ROOT, "the root is %d: expected 0 to %u", root,
                    of->group->size - 1);
}

void mpi_crossing_fail(struct mpi_crossing *o, int error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(o->text, sizeof o->text, fmt, ap);
    va_end(ap);
    o->error = error;
}

/* --- started processes ------------------------------------------------------------------------------------ */

/* Children have their side from the beginning: it is made here, and waits for them to ask. */
static void give_parent(struct mpi_rank *child, struct mpi_space *s, uint32_t me)
{
    struct mpi_comm *parent = mpi_comm_create_record(child, s, 1, me, NULL);
    parent->name = base_strdup("MPI_COMM_PARENT");
    mpi_leak_freed(child, parent->guarded.object.handle);
    child->parent = parent;
}

struct mpi_space *mpi_comm_of_children(struct mpi_call *c, const struct mpi_comm *parents,
                                       const struct coll_group *children)
{
    struct coll_group other = coll_group_retain(children);
    struct mpi_space *s = mpi_space_create(c->self->job, c->name, coll_group_retain(parents->group), &other);
    for (uint32_t k = 0; k < children->size; k++)
        give_parent(mpi_rank_of(rank_at(c->rank->job, coll_group_rank(children, k))), s, k);
    return s;
}

int mpi_comm_get_parent(struct mpi_call *c, MPI_Comm *parent)
{
    if (!parent)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the communicator is NULL");
    const struct mpi_comm *p = c->self->parent;
    *parent = p ? MPI_HANDLE(MPI_Comm, p->guarded.object.handle) : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* --- disconnecting ---------------------------------------------------------------------------------------- */

/* All members have come, so what they have sent has arrived or is on its way. */
static void meet(struct mpi_call *c, struct mpi_comm *of)
{
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    mpi_meeting_agree(c, m, mpi_comm_place(of), mpi_solve_nothing);
    mpi_meeting_done(c->self->job, m);
    mpi_worlds_part(c->self->job, of->space);
}

/* Within one world there is nothing to disconnect from: all communication is complete, and the communicator goes. */
int mpi_comm_disconnect(struct mpi_call *c, MPI_Comm *comm)
{
    int rc = MPI_SUCCESS;
    if (!comm)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place of the communicator is NULL");
    struct mpi_comm *of = mpi_comm_of(c, *comm, &rc);
    if (!of)
        return rc;
    if (of->space->across)
        meet(c, of);
    return mpi_comm_free(c, comm);
}
