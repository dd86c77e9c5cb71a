/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall: allgather and alltoall, with and without counts and datatypes for each part (MPI-5.0 sections 6.7
 * and 6.8, and their other forms).
 */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"

/* --- allgather ------------------------------------------------------------------------------------------ */

/* Where the caller's own part is in a receive buffer. */
static const void *own_place(const struct mpi_draft *d, const void *recvbuf, int64_t items,
                             const struct types_layout *l)
{
    int64_t from = items * types_layout_bounds(l).extent;
    return recvbuf && !mpi_is_inter(d) ? (const char *)recvbuf + from : recvbuf;
}

/* What the member contributes, for which its own part `own` has `room` bytes. */
static int contribute(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                      MPI_Datatype sendtype, const void *own, uint64_t room)
{
    struct mpi_data from;
    int rc;
    d->call.bytes = room;
    if (mpi_is_in_place(sendbuf) && !mpi_is_inter(d)) {
        mpi_draft_in_place(d);
        return MPI_SUCCESS;
    }
    if ((rc = mpi_draft_data(c, d, sendbuf, sendcount, sendtype, &from)))
        return rc;
    d->call.bytes = from.bytes;
    mpi_draft_source(d, &from);
    if (mpi_is_inter(d))
        return MPI_SUCCESS;
    if ((rc = mpi_draft_equal(c, d, from.bytes, room)))
        return rc;
    return mpi_draft_apart(c, d, sendbuf, own, room);
}

static int check_allgather(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                           MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                           MPI_Comm comm)
{
    struct mpi_data to;
    int rc = mpi_draft_open(c, d, COLL_FCOLLECT, comm);
    if (rc || (rc = mpi_draft_real(c, d, recvbuf, "receive")) ||
        (rc = mpi_draft_data(c, d, recvbuf, recvcount, recvtype, &to)))
        return rc;
    mpi_draft_dest(d, &to);
    const void *own = own_place(d, recvbuf, (int64_t)(d->call.me * to.count), to.layout);
    rc = contribute(c, d, sendbuf, sendcount, sendtype, own, to.bytes);
    if (!rc && mpi_is_inter(d))
        mpi_inter_allgather(d, to.bytes);
    return rc;
}

static int check_allgatherv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                            MPI_Datatype sendtype, void *recvbuf, struct mpi_numbers recvcounts,
                            struct mpi_numbers displs, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct mpi_arrays a = {.counts = recvcounts, .at = displs};
    const void *own = recvbuf;
    uint64_t room = 0;
    int rc = mpi_draft_open(c, d, COLL_ALLGATHERV, comm);
    if (rc || (rc = mpi_draft_real(c, d, recvbuf, "receive")) ||
        (rc = mpi_draft_type(c, d, recvtype, &a.layout)) ||
        (rc = mpi_parts_make(c, d, &a, mpi_comm_peers(d->comm)->size, &d->dest_parts)))
        return rc;
    d->call.dest = recvbuf;
    mpi_parts_use(d, &d->local.dest, d->dest_parts, a.layout);
    if (!mpi_is_inter(d)) {
        own = own_place(d, recvbuf, mpi_number(displs, d->call.me), a.layout);
        room = mpi_parts_bytes(d->dest_parts, d->call.me, a.layout);
    }
    rc = contribute(c, d, sendbuf, sendcount, sendtype, own, room);
    if (!rc && mpi_is_inter(d))
        mpi_inter_allgatherv(d);
    return rc;
}

/* --- alltoall ------------------------------------------------------------------------------------------- */

static int check_alltoall(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf, MPI_Count sendcount,
                          MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                          MPI_Comm comm)
{
    struct mpi_data from, to;
    int rc = mpi_draft_open(c, d, COLL_ALLTOALL, comm);
    if (rc || (rc = mpi_draft_real(c, d, recvbuf, "receive")) ||
        (rc = mpi_draft_data(c, d, recvbuf, recvcount, recvtype, &to)))
        return rc;
    mpi_draft_dest(d, &to);
    d->call.bytes = to.bytes;
    if (mpi_is_in_place(sendbuf) && !mpi_is_inter(d)) {
        mpi_draft_in_place(d);
        return rc;
    }
    if ((rc = mpi_draft_data(c, d, sendbuf, sendcount, sendtype, &from)) ||
        (rc = mpi_draft_apart(c, d, sendbuf, recvbuf, to.bytes)))
        return rc;
    mpi_draft_source(d, &from);
    if (!mpi_is_inter(d))
        return mpi_draft_equal(c, d, from.bytes, to.bytes);
    mpi_inter_alltoall(d, from.bytes, to.bytes);
    return rc;
}

/* One side's buffer and arrays. */
struct side {
    const void *buffer;
    struct mpi_arrays arrays;
};

static uint64_t all_items(const struct mpi_parts *p)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < p->n; k++)
        sum += mpi_parts_count(p, k);
    return sum;
}

static int check_sides(struct mpi_call *c, struct mpi_draft *d, const struct side *from,
                       const struct side *to)
{
    uint32_t n = mpi_comm_peers(d->comm)->size;
    int rc = mpi_draft_real(c, d, to->buffer, "receive");
    if (rc || (rc = mpi_parts_make(c, d, &to->arrays, n, &d->dest_parts)))
        return rc;
    d->call.dest = (void *)(uintptr_t)to->buffer;
    mpi_parts_use(d, &d->local.dest, d->dest_parts, to->arrays.layout);
    if (mpi_is_in_place(from->buffer) && !mpi_is_inter(d)) {
        mpi_draft_in_place(d);
        return rc;
    }
    if ((rc = mpi_draft_real(c, d, from->buffer, "send")) ||
        (rc = mpi_parts_make(c, d, &from->arrays, n, &d->source_parts)) ||
        (rc = mpi_draft_apart(c, d, from->buffer, to->buffer, all_items(d->source_parts))))
        return rc;
    d->call.source = from->buffer;
    mpi_parts_use(d, &d->local.source, d->source_parts, from->arrays.layout);
    if (!mpi_is_inter(d))
        return mpi_draft_equal(c, d, mpi_parts_bytes(d->source_parts, d->call.me, from->arrays.layout),
                               mpi_parts_bytes(d->dest_parts, d->call.me, to->arrays.layout));
    mpi_inter_alltoall(d, 0, 0);
    return rc;
}

static int check_alltoallv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                           struct mpi_numbers sendcounts, struct mpi_numbers sdispls, MPI_Datatype sendtype,
                           void *recvbuf, struct mpi_numbers recvcounts, struct mpi_numbers rdispls,
                           MPI_Datatype recvtype, MPI_Comm comm)
{
    struct side from = {sendbuf, {.counts = sendcounts, .at = sdispls}};
    struct side to = {recvbuf, {.counts = recvcounts, .at = rdispls}};
    int rc = mpi_draft_open(c, d, COLL_ALLTOALLV, comm);
    if (rc || (rc = mpi_draft_type(c, d, recvtype, &to.arrays.layout)))
        return rc;
    if (!mpi_is_in_place(sendbuf) && (rc = mpi_draft_type(c, d, sendtype, &from.arrays.layout)))
        return rc;
    return check_sides(c, d, &from, &to);
}

static int check_alltoallw(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                           struct mpi_numbers sendcounts, struct mpi_numbers sdispls,
                           const MPI_Datatype *sendtypes, void *recvbuf, struct mpi_numbers recvcounts,
                           struct mpi_numbers rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    struct side from = {sendbuf, {.counts = sendcounts, .at = sdispls, .types = sendtypes}};
    struct side to = {recvbuf, {.counts = recvcounts, .at = rdispls, .types = recvtypes}};
    int rc = mpi_draft_open(c, d, COLL_ALLTOALLW, comm);
    return rc ? rc : check_sides(c, d, &from, &to);
}

MPI_COLLECTIVE(allgather, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(allgatherv, (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               struct mpi_numbers recvcounts, struct mpi_numbers displs, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(alltoall, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(alltoallv,
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
               const void *sendbuf, struct mpi_numbers sendcounts, struct mpi_numbers sdispls,
               MPI_Datatype sendtype, void *recvbuf, struct mpi_numbers recvcounts,
               struct mpi_numbers rdispls, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(alltoallw,
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
               const void *sendbuf, struct mpi_numbers sendcounts, struct mpi_numbers sdispls,
               const MPI_Datatype *sendtypes, void *recvbuf, struct mpi_numbers recvcounts,
               struct mpi_numbers rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm)
