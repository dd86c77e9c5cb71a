/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a rank that fetch the same place again and again, as one that waits for another rank does: all of them
 * are let go on. With "try", two threads of each rank share a mutex, and whoever has it tries to get a lock of all
 * ranks; the other one tries the mutex meanwhile, so that something always happens.
 */
// shell: bash $TOP/tests/run/seeds.sh 4 "" -np 2 $EXE
// stdout: right
// shell: bash $TOP/tests/run/seeds.sh 9 "" -np 4 $EXE try
// stdout: right
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TIMES = 2500, TURNS = 10 };
static MPI_Win window;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int me;

static void *fetches(void *arg)
{
    int got[2];
    for (int k = 0; k < TIMES; k++) {
        MPI_Get(got, 2, MPI_INT, 0, 0, 2, MPI_INT, window);
        MPI_Win_flush_all(window);
    }
    return arg;
}

static void lock(void)
{
    const int nobody = -1;
    for (int owner = 0; owner != nobody;) {
        if (pthread_mutex_trylock(&mutex))
            continue;
        MPI_Compare_and_swap(&me, &nobody, &owner, MPI_INT, 0, 0, window);
        MPI_Win_flush(0, window);
        if (owner != nobody)
            pthread_mutex_unlock(&mutex);
    }
}

static void *tries(void *arg)
{
    const int nobody = -1;
    for (int k = 0, value, old; k < TURNS; k++) {
        lock();
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        MPI_Fetch_and_op(&nobody, &old, MPI_INT, 0, 0, MPI_REPLACE, window);
        MPI_Win_flush(0, window);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(int argc, char **argv)
{
    int provided, ranks, *mine, threads = argc > 1 ? 2 : THREADS;
    pthread_t thread[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = -1;
    mine[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int k = 0; k < threads; k++)
        pthread_create(&thread[k], NULL, argc > 1 ? tries : fetches, NULL);
    for (int k = 0; k < threads; k++)
        pthread_join(thread[k], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    if (me == 0)
        puts(argc > 1 && mine[1] != 2 * TURNS * ranks ? "wrong" : "right");
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
