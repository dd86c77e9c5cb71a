/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends as many small messages as the argument says, with rising tags; when all are there, rank 1 receives the
 * last one first. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = argc > 1 ? atoi(argv[1]) : 1000;
    if (rank == 0)
        for (int k = 0; k <= n; k++)
            MPI_Send(&k, 1, MPI_INT, 1, k, MPI_COMM_WORLD);
    else if (rank == 1)
        for (int k = n; k >= 0; k--) {
            MPI_Recv(&value, 1, MPI_INT, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (value != k) {
                fprintf(stderr, "message %d holds %d\n", k, value);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        }
    MPI_Finalize();
    return 0;
}
