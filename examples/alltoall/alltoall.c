/* SPDX-License-Identifier: BSD-3-Clause */
/* One all-to-all of parts of so many bytes: prints the ranks, the bytes, and the seconds of the slowest. All
 * ranks have the same memory (docs/annotations.md), so that many fit into that of this machine. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n, me, bytes = argc == 2 ? atoi(argv[1]) : 0;
    double begin, mine, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    char *source = SMPI_SHARED_MALLOC((size_t)n * (size_t)bytes),
         *dest = SMPI_SHARED_MALLOC((size_t)n * (size_t)bytes);
    if (bytes < 1 || !source || !dest) {
        fprintf(stderr, "usage: alltoall BYTES, with memory for as many from each rank\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    MPI_Alltoall(source, bytes, MPI_BYTE, dest, bytes, MPI_BYTE, MPI_COMM_WORLD);
    mine = MPI_Wtime() - begin;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%d %d %.9g\n", n, bytes, all);
    SMPI_SHARED_FREE(source);
    SMPI_SHARED_FREE(dest);
    MPI_Finalize();
    return 0;
}
