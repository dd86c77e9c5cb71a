/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes, and uses messages, collectives and one-sided operations: what noise disturbs. */
#include <mpi.h>
#include <pgasim.h>
#include <stdlib.h>

enum { MOST = 2000 };

int main(int argc, char **argv)
{
    static double out[MOST], in[MOST];
    double mine = 1, sum, *memory;
    int rank, ranks, steps = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(MOST * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int k = 0; k < steps; k++) {
        int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
        pgasim_compute_seconds(1e-3 * (1 + (rank + k) % 3));
        MPI_Sendrecv(out, 100 + 50 * (k % 30), MPI_DOUBLE, next, 0, in, MOST, MPI_DOUBLE, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Win_fence(0, win);
        MPI_Put(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
        MPI_Accumulate(out, 1, MPI_DOUBLE, next, 20, 1, MPI_DOUBLE, MPI_SUM, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
