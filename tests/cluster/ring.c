/* SPDX-License-Identifier: BSD-3-Clause */
/* For run.sh: rank 0 and the last one exchange messages; prints the half round trip of 1 byte and of 1 MB, in us,
 * and how many different hosts there are. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double half_trip(char *data, int size, int times, int rank, int last)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int k = 0; k < times; k++) {
        if (rank == 0)
            MPI_Send(data, size, MPI_BYTE, last, 0, MPI_COMM_WORLD);
        if (rank == 0 || rank == last)
            MPI_Recv(data, size, MPI_BYTE, last - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == last)
            MPI_Send(data, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / times / 2 * 1e6;
}

int main(int argc, char **argv)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", *names;
    int rank, n, length, hosts = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Get_processor_name(name, &length);
    names = malloc((size_t)n * sizeof name);
    MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int k = 0; rank == 0 && k < n; k++) {
        int first = 0;
        while (strcmp(names + (size_t)first * sizeof name, names + (size_t)k * sizeof name))
            first++;
        hosts += first == k;
    }
    char *data = calloc(1, 1000000);
    half_trip(data, 1, 3, rank, n - 1);
    double small = half_trip(data, 1, 10, rank, n - 1), large = half_trip(data, 1000000, 3, rank, n - 1);
    if (rank == 0)
        printf("%d %.1f %.1f\n", hosts, small, large);
    free(data);
    free(names);
    MPI_Finalize();
    return 0;
}
