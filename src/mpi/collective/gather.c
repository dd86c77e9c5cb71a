/* SPDX-License-Identifier: BSD-3-Clause */
/* gather: gather and scatter, with and without counts (MPI-5.0 sections 6.5 and 6.6, and their other forms).
 * */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"

/* How a call's root argument says what this member does. */
static bool is_root(const struct mpi_draft *d, int root)
{
    return mpi_is_inter(d) ? root == MPI_ROOT : d->call.root == d->call.me;
}

/* --- gather --------------------------------------------------------------------------------------------- */

/* What the member sends. */
static int take_source(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                       MPI_Datatype sendtype)
{
    struct mpi_data from;
    int rc = mpi_draft_data(c, d, sendbuf, sendcount, sendtype, &from);
    if (rc)
        return rc;
    d->call.bytes = from.bytes;
    mpi_draft_source(d, &from);
    return MPI_SUCCESS;
}

/* A root's own contribution, `room` bytes of which are expected. */
static int take_own(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                    MPI_Datatype sendtype, uint64_t room)
{
    int rc;
    d->call.bytes = room;
    if (mpi_is_in_place(sendbuf)) {
        mpi_draft_in_place(d);
        return MPI_SUCCESS;
    }
    if ((rc = take_source(c, d, sendbuf, sendcount, sendtype)) ||
        (rc = mpi_draft_equal(c, d, d->call.bytes, room)))
        return rc;
    return mpi_draft_apart(c, d, sendbuf, d->call.dest, room);
}

static int check_gather(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                        MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                        int root, MPI_Comm comm)
{
    struct mpi_data to = {0};
    int rc = mpi_draft_open(c, d, COLL_GATHER, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (is_root(d, root)) {
        if ((rc = mpi_draft_real(c, d, recvbuf, "receive")) ||
            (rc = mpi_draft_data(c, d, recvbuf, recvcount, recvtype, &to)))
            return rc;
        mpi_draft_dest(d, &to);
        if (!mpi_is_inter(d))
            return take_own(c, d, sendbuf, sendcount, sendtype, to.bytes);
    } else if (root != MPI_PROC_NULL && (rc = take_source(c, d, sendbuf, sendcount, sendtype))) {
        return rc;
    }
    if (mpi_is_inter(d))
        mpi_inter_gather(d, root, to.bytes);
    return rc;
}

static int take_dest_parts(struct mpi_call *c, struct mpi_draft *d, void *recvbuf, struct mpi_numbers counts,
                           struct mpi_numbers displs, MPI_Datatype type)
{
    struct mpi_arrays a = {.counts = counts, .at = displs};
    int rc = mpi_draft_real(c, d, recvbuf, "receive");
    if (rc || (rc = mpi_draft_type(c, d, type, &a.layout)) ||
        (rc = mpi_parts_make(c, d, &a, mpi_comm_peers(d->comm)->size, &d->dest_parts)))
        return rc;
    d->call.dest = recvbuf;
    mpi_parts_use(d, &d->local.dest, d->dest_parts, a.layout);
    return rc;
}

static int check_gatherv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                         MPI_Datatype sendtype, void *recvbuf, struct mpi_numbers recvcounts,
                         struct mpi_numbers displs, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    int rc = mpi_draft_open(c, d, COLL_GATHERV, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (is_root(d, root)) {
        if ((rc = take_dest_parts(c, d, recvbuf, recvcounts, displs, recvtype)))
            return rc;
        if (!mpi_is_inter(d))
            return take_own(c, d, sendbuf, sendcount, sendtype,
                            mpi_parts_bytes(d->dest_parts, d->call.me, d->local.dest.layout));
    } else if (root != MPI_PROC_NULL && (rc = take_source(c, d, sendbuf, sendcount, sendtype))) {
        return rc;
    }
    if (mpi_is_inter(d))
        mpi_inter_gather(d, root, 0);
    return rc;
}

/* --- scatter -------------------------------------------------------------------------------------------- */

/* What the member receives. */
static int take_dest(struct mpi_call *c, struct mpi_draft *d, void *recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype)
{
    struct mpi_data to;
    int rc = mpi_draft_data(c, d, recvbuf, recvcount, recvtype, &to);
    if (rc)
        return rc;
    d->call.bytes = to.bytes;
    mpi_draft_dest(d, &to);
    return MPI_SUCCESS;
}

/* A root's own part, which is of `part` bytes. */
static int give_own(struct mpi_call *c, struct mpi_draft *d, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, uint64_t part)
{
    int rc;
    d->call.bytes = part;
    if (mpi_is_in_place(recvbuf)) {
        mpi_draft_in_place(d);
        return MPI_SUCCESS;
    }
    if ((rc = take_dest(c, d, recvbuf, recvcount, recvtype)) ||
        (rc = mpi_draft_equal(c, d, part, d->call.bytes)))
        return rc;
    return mpi_draft_apart(c, d, d->call.source, recvbuf, part);
}

static int check_scatter(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                         MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm)
{
    struct mpi_data from = {0};
    int rc = mpi_draft_open(c, d, COLL_SCATTER, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (is_root(d, root)) {
        if ((rc = mpi_draft_real(c, d, sendbuf, "send")) ||
            (rc = mpi_draft_data(c, d, sendbuf, sendcount, sendtype, &from)))
            return rc;
        mpi_draft_source(d, &from);
        if (!mpi_is_inter(d))
            return give_own(c, d, recvbuf, recvcount, recvtype, from.bytes);
    } else if (root != MPI_PROC_NULL && (rc = take_dest(c, d, recvbuf, recvcount, recvtype))) {
        return rc;
    }
    if (mpi_is_inter(d))
        mpi_inter_scatter(d, root, from.bytes);
    return rc;
}

static int take_source_parts(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                             struct mpi_numbers counts, struct mpi_numbers displs, MPI_Datatype type)
{
    struct mpi_arrays a = {.counts = counts, .at = displs};
    int rc = mpi_draft_real(c, d, sendbuf, "send");
    if (rc || (rc = mpi_draft_type(c, d, type, &a.layout)) ||
        (rc = mpi_parts_make(c, d, &a, mpi_comm_peers(d->comm)->size, &d->source_parts)))
        return rc;
    d->call.source = sendbuf;
    mpi_parts_use(d, &d->local.source, d->source_parts, a.layout);
    return rc;
}

static int check_scatterv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                          struct mpi_numbers sendcounts, struct mpi_numbers displs, MPI_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    int rc = mpi_draft_open(c, d, COLL_SCATTERV, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (is_root(d, root)) {
        if ((rc = take_source_parts(c, d, sendbuf, sendcounts, displs, sendtype)))
            return rc;
        if (!mpi_is_inter(d))
            return give_own(c, d, recvbuf, recvcount, recvtype,
                            mpi_parts_bytes(d->source_parts, d->call.me, d->local.source.layout));
    } else if (root != MPI_PROC_NULL && (rc = take_dest(c, d, recvbuf, recvcount, recvtype))) {
        return rc;
    }
    if (mpi_is_inter(d))
        mpi_inter_scatter(d, root, 0);
    return rc;
}

MPI_COLLECTIVE(gather, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
MPI_COLLECTIVE(gatherv, (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               struct mpi_numbers recvcounts, struct mpi_numbers displs, MPI_Datatype recvtype, int root,
               MPI_Comm comm)
MPI_COLLECTIVE(scatter, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
MPI_COLLECTIVE(scatterv, (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
               const void *sendbuf, struct mpi_numbers sendcounts, struct mpi_numbers displs,
               MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
               MPI_Comm comm)
