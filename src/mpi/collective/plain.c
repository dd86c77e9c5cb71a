/* SPDX-License-Identifier: BSD-3-Clause */
/* plain: barrier and broadcast (MPI-5.0 sections 6.3 and 6.4, and their other forms). */
#include "mpi/calls.h"
#include "mpi/collective/draft.h"

static int check_barrier(struct mpi_call *c, struct mpi_draft *d, MPI_Comm comm)
{
    int rc = mpi_draft_open(c, d, COLL_BARRIER, comm);
    if (!rc && mpi_is_inter(d))
        mpi_inter_barrier(d);
    return rc;
}

static int check_bcast(struct mpi_call *c, struct mpi_draft *d, void *buffer, MPI_Count count,
                       MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct mpi_data data = {0};
    int rc = mpi_draft_open(c, d, COLL_BROADCAST, comm);
    if (rc || (rc = mpi_draft_root(c, d, root)))
        return rc;
    if (root != MPI_PROC_NULL && (rc = mpi_draft_data(c, d, buffer, count, datatype, &data)))
        return rc;
    d->call.bytes = data.bytes;
    if (mpi_is_inter(d))
        mpi_inter_broadcast(d, root, &data);
    else if (d->call.root == d->call.me)
        mpi_draft_source(d, &data);
    else
        mpi_draft_dest(d, &data);
    return rc;
}

MPI_COLLECTIVE(barrier, (comm), MPI_Comm comm)
MPI_COLLECTIVE(bcast, (buffer, count, datatype, root, comm), void *buffer, MPI_Count count,
               MPI_Datatype datatype, int root, MPI_Comm comm)
