/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce BYTES: how long an allreduce of doubles takes, the slowest rank's mean of ten. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { TIMES = 10 };
    int rank, n = argc > 1 ? atoi(argv[1]) / (int)sizeof(double) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *in = calloc((size_t)n, sizeof *in), *out = calloc((size_t)n, sizeof *out);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), slowest;
    for (int k = 0; k < TIMES; k++)
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double mean = (MPI_Wtime() - start) / TIMES;
    MPI_Reduce(&mean, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("%.3f us\n", slowest * 1e6);
    free(in);
    free(out);
    return MPI_Finalize();
}
