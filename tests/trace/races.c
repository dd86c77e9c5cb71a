/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What races.py traces: rank 2 puts to rank 3 and gets the same back after a local flush; the load of rank 3 comes
 * after a barrier, but the put is not complete; two threads of rank 1 store to one variable. With an argument it is
 * right.
 */
#include <mpi.h>
#include <pgasim.h>
#include <pthread.h>

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int right;

static void *store(void *value)
{
    if (right)
        pthread_mutex_lock(&lock);
    shared = *(int *)value; /* THREADS */
    if (right)
        pthread_mutex_unlock(&lock);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[2];
    int value[2] = {1, 2};
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, store, &value[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
}

int main(int argc, char **argv)
{
    int me, provided, *mine;
    volatile int seen = 0;
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    right = argc > 1;
    MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (me == 2) {
        int value[2] = {7, 8}, back = 0;
        pgasim_compute_flops(1e3);
        MPI_Put(value, 2, MPI_INT, 3, 0, 2, MPI_INT, window); /* PUT */
        if (right)
            MPI_Win_flush(3, window);
        MPI_Win_flush_local(3, window);
        MPI_Get(&back, 1, MPI_INT, 3, 1, 1, MPI_INT, window); /* GET */
        MPI_Win_flush_local(3, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 3)
        seen = mine[0]; /* LOAD */
    MPI_Win_unlock_all(window);
    if (me == 1)
        threads();
    MPI_Win_free(&window);
    MPI_Finalize();
    return seen < 0;
}
