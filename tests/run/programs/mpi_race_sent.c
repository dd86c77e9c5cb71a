/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Win_complete sends word of many puts; a later call of the origin's completes them before the target calls
 * MPI_Win_wait. The target then knows of all of them. "early" reads before it.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// run: -np 2 --check=races --
// stdout: 4950
// stderr-match: races: 0 found among 100 one-sided operations
// run: -np 2 --check=races -- early
// status: 7
// stderr-match: written by MPI_Put of rank 0 in main, mpi_race_sent.c:40
// stderr-match: read by a load of rank 1 in sum, mpi_race_sent.c:21
#include <mpi.h>
#include <stdio.h>
enum { N = 100 };
static int sum(const int *of)
{
    int total = 0;
    for (int k = 0; k < N; k++)
        total += of[k];
    return total;
}
int main(int argc, char **argv)
{
    int me, *there, from[N];
    MPI_Win win;
    MPI_Group all, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int peer = !me;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &there, &win);
    for (int k = 0; k < N; k++)
        from[k] = k, there[k] = 0;
    if (me == 0) {
        MPI_Win_start(other, 0, win);
        for (int k = 0; k < N; k++)
            MPI_Put(from + k, 1, MPI_INT, 1, k, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(other, 0, win);
        if (argc > 1)
            sum(there);
        MPI_Sendrecv(NULL, 0, MPI_BYTE, 1, 0, NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_wait(win);
        printf("%d\n", sum(there));
    }
    MPI_Win_free(&win);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Finalize();
}
