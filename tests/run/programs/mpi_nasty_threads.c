/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank that fetch the same place again and again, as one that waits for another rank does: all of them
 * are let go on. */
// shell: bash $TOP/tests/run/seeds.sh 4 "" -np 2 $EXE
// stdout: right
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TIMES = 2500 };
static MPI_Win window;

static void *fetches(void *arg)
{
    long got[2];
    for (int k = 0; k < TIMES; k++) {
        MPI_Get(got, 2, MPI_LONG, 0, 0, 2, MPI_LONG, window);
        MPI_Win_flush_all(window);
    }
    return arg;
}

int main(int argc, char **argv)
{
    int provided, me;
    long *mine;
    pthread_t thread[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    MPI_Win_lock_all(0, window);
    for (int k = 0; k < THREADS; k++)
        pthread_create(&thread[k], NULL, fetches, NULL);
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
