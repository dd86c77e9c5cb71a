/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the world into groups of 1 024 ranks, each in reverse order; then a barrier in the group and in the world. */
#include <mpi.h>
#include <stdio.h>

enum { GROUP = 1024 };

int main(int argc, char **argv)
{
    int rank, ranks, me, n;
    MPI_Comm group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank / GROUP, -rank, &group);
    MPI_Comm_rank(group, &me);
    MPI_Comm_size(group, &n);
    if (me != n - 1 - rank % GROUP) {
        fprintf(stderr, "rank %d has place %d of %d\n", rank, me, n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(group);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
