/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends; has globals that each rank must own. */
#include <mpi.h>

static int rank;
static double table[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    table[rank % 64] += rank;
    MPI_Finalize();
    return 0;
}
