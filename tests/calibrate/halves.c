/* SPDX-License-Identifier: BSD-3-Clause */
/* For smpi.sh: prints half round trips between two ranks, of sizes in all protocols. */
#include <mpi.h>
#include <stdio.h>

static char data[1 << 20];

static double half(int rank, int bytes)
{
    double begin = MPI_Wtime();
    for (int k = 0; k < 10; k++) {
        if (rank == 0)
            MPI_Send(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(data, bytes, MPI_BYTE, !rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / 20;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int bytes = 1; bytes <= (int)sizeof data; bytes *= 4) {
        double seconds = half(rank, bytes);
        if (rank == 0)
            printf("%d %.9g\n", bytes, seconds);
    }
    MPI_Finalize();
    return 0;
}
