/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor: neighbourhood collectives (MPI-5.0 sections 8.6 to 8.8). */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"

/* The communicator, whose topology has so many neighbours. */
static int open_neighbors(struct mpi_call *c, struct mpi_draft *d, enum coll_op op, MPI_Comm comm,
                          uint32_t *sources, uint32_t *destinations)
{
    int rc = mpi_draft_open(c, d, op, comm);
    if (rc)
        return rc;
    const struct coll_neighbors *l = mpi_comm_neighbors(c, d->comm, &rc);
    if (!l)
        return rc;
    d->neighbors = coll_neighbors_retain((struct coll_neighbors *)(uintptr_t)l);
    d->local.neighbors = d->neighbors;
    d->laid = true;
    mpi_comm_degrees(d->comm, sources, destinations);
    return rc;
}

/* A buffer with parts of equal size. */
static int take(struct mpi_call *c, struct mpi_draft *d, const void *address, MPI_Count count,
                MPI_Datatype datatype, uint32_t parts, struct mpi_data *out)
{
    int rc = mpi_draft_real(c, d, address, "send or receive");
    return rc ? rc : mpi_draft_data(c, d, parts ? address : NULL, parts ? count : 0, datatype, out);
}

static int take_parts(struct mpi_call *c, struct mpi_draft *d, const void *address,
                      const struct mpi_arrays *a, uint32_t n, struct mpi_parts **out)
{
    int rc = mpi_draft_real(c, d, address, "send or receive");
    return rc ? rc : mpi_parts_make(c, d, a, n, out);
}

static void use_dest_parts(struct mpi_draft *d, void *recvbuf, const struct mpi_arrays *a)
{
    d->call.dest = recvbuf;
    mpi_parts_use(d, &d->local.dest, d->dest_parts, a->layout);
}

static void use_source_parts(struct mpi_draft *d, const void *sendbuf, const struct mpi_arrays *a)
{
    d->call.source = sendbuf;
    mpi_parts_use(d, &d->local.source, d->source_parts, a->layout);
}

/* --- allgather ------------------------------------------------------------------------------------------ */

static int check_neighbor_allgather(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                    MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    uint32_t sources = 0, destinations = 0;
    struct mpi_data from, to;
    int rc = open_neighbors(c, d, COLL_NEIGHBOR_ALLGATHER, comm, &sources, &destinations);
    if (rc || (rc = take(c, d, sendbuf, sendcount, sendtype, destinations, &from)) ||
        (rc = take(c, d, recvbuf, recvcount, recvtype, sources, &to)) ||
        (rc = mpi_draft_apart(c, d, sendbuf, recvbuf, to.bytes)))
        return rc;
    mpi_draft_source(d, &from);
    mpi_draft_dest(d, &to);
    d->call.bytes = from.bytes;
    d->local.dest.part = to.bytes;
    return rc;
}

static int check_neighbor_allgatherv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                     MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     struct mpi_numbers recvcounts, struct mpi_numbers displs,
                                     MPI_Datatype recvtype, MPI_Comm comm)
{
    uint32_t sources = 0, destinations = 0;
    struct mpi_arrays a = {.counts = recvcounts, .at = displs};
    struct mpi_data from;
    int rc = open_neighbors(c, d, COLL_NEIGHBOR_ALLGATHER, comm, &sources, &destinations);
    if (rc || (rc = take(c, d, sendbuf, sendcount, sendtype, destinations, &from)) ||
        (rc = mpi_draft_type(c, d, recvtype, &a.layout)) ||
        (rc = take_parts(c, d, recvbuf, &a, sources, &d->dest_parts)))
        return rc;
    mpi_draft_source(d, &from);
    use_dest_parts(d, recvbuf, &a);
    d->call.bytes = from.bytes;
    return rc;
}

/* --- alltoall ------------------------------------------------------------------------------------------- */

static int check_neighbor_alltoall(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                   MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    uint32_t sources = 0, destinations = 0;
    struct mpi_data from, to;
    int rc = open_neighbors(c, d, COLL_NEIGHBOR_ALLTOALL, comm, &sources, &destinations);
    if (rc || (rc = take(c, d, sendbuf, sendcount, sendtype, destinations, &from)) ||
        (rc = take(c, d, recvbuf, recvcount, recvtype, sources, &to)) ||
        (rc = mpi_draft_apart(c, d, sendbuf, recvbuf, to.bytes)))
        return rc;
    mpi_draft_source(d, &from);
    mpi_draft_dest(d, &to);
    d->local.source.part = d->call.bytes = from.bytes;
    d->local.dest.part = to.bytes;
    return rc;
}

static int exchange_parts(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                          const struct mpi_arrays *from, uint32_t destinations, void *recvbuf,
                          const struct mpi_arrays *to, uint32_t sources)
{
    int rc = take_parts(c, d, sendbuf, from, destinations, &d->source_parts);
    if (rc || (rc = take_parts(c, d, recvbuf, to, sources, &d->dest_parts)))
        return rc;
    use_source_parts(d, sendbuf, from);
    use_dest_parts(d, recvbuf, to);
    return rc;
}

static int check_neighbor_alltoallv(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                    struct mpi_numbers sendcounts, struct mpi_numbers sdispls,
                                    MPI_Datatype sendtype, void *recvbuf, struct mpi_numbers recvcounts,
                                    struct mpi_numbers rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    uint32_t sources = 0, destinations = 0;
    struct mpi_arrays from = {.counts = sendcounts, .at = sdispls},
                      to = {.counts = recvcounts, .at = rdispls};
    int rc = open_neighbors(c, d, COLL_NEIGHBOR_ALLTOALL, comm, &sources, &destinations);
    if (rc || (rc = mpi_draft_type(c, d, sendtype, &from.layout)) ||
        (rc = mpi_draft_type(c, d, recvtype, &to.layout)))
        return rc;
    return exchange_parts(c, d, sendbuf, &from, destinations, recvbuf, &to, sources);
}

static int check_neighbor_alltoallw(struct mpi_call *c, struct mpi_draft *d, const void *sendbuf,
                                    struct mpi_numbers sendcounts, const MPI_Aint *sdispls,
                                    const MPI_Datatype *sendtypes, void *recvbuf,
                                    struct mpi_numbers recvcounts, const MPI_Aint *rdispls,
                                    const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    uint32_t sources = 0, destinations = 0;
    struct mpi_arrays from = {.counts = sendcounts, .at = {sdispls, true}, .types = sendtypes};
    struct mpi_arrays to = {.counts = recvcounts, .at = {rdispls, true}, .types = recvtypes};
    int rc = open_neighbors(c, d, COLL_NEIGHBOR_ALLTOALL, comm, &sources, &destinations);
    return rc ? rc : exchange_parts(c, d, sendbuf, &from, destinations, recvbuf, &to, sources);
}

MPI_COLLECTIVE(neighbor_allgather, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(neighbor_allgatherv,
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               struct mpi_numbers recvcounts, struct mpi_numbers displs, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(neighbor_alltoall, (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(neighbor_alltoallv,
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
               const void *sendbuf, struct mpi_numbers sendcounts, struct mpi_numbers sdispls,
               MPI_Datatype sendtype, void *recvbuf, struct mpi_numbers recvcounts,
               struct mpi_numbers rdispls, MPI_Datatype recvtype, MPI_Comm comm)
MPI_COLLECTIVE(neighbor_alltoallw,
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
               const void *sendbuf, struct mpi_numbers sendcounts, const MPI_Aint *sdispls,
               const MPI_Datatype *sendtypes, void *recvbuf, struct mpi_numbers recvcounts,
               const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm)
