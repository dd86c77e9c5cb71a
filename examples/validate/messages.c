/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages: rank k of the first half and rank k of the second half exchange messages, all pairs at the same time.
 *     messages BYTES ROUND_TRIPS
 */
#include "timing.h"

static void bounce(int rank, int half, char *data, int bytes, int n)
{
    int other = rank < half ? rank + half : rank - half;
    for (int k = 0; k < n; k++)
        for (int step = 0; step < 2; step++)
            if ((rank < half) == !step)
                MPI_Send(data, bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD);
            else
                MPI_Recv(data, bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int bytes = timing_argument(argc, argv, 1, "bytes"), n = timing_argument(argc, argv, 2, "round trips");
    char *data = calloc((size_t)bytes, 1);
    if (rank < size / 2 * 2)
        bounce(rank, size / 2, data, bytes, 1); /* connections are made by the first message */
    double begin = timing_begin();
    if (rank < size / 2 * 2)
        bounce(rank, size / 2, data, bytes, n);
    timing_end(begin, n);
    free(data);
    MPI_Finalize();
    return 0;
}
