/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that counts what its rank sends and reduces. */
#include <mpi.h>
#include <stdio.h>

static int sent, reduced;

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sent++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    reduced++;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Finalize(void)
{
    int me;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    printf("rank %d: %d sent, %d reduced\n", me, sent, reduced);
    return PMPI_Finalize();
}
