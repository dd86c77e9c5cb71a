/* SPDX-License-Identifier: BSD-3-Clause */
/* For record.py: three threads of each of two ranks exchange messages. One thread after the other would never end. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static int rank, other;
static void *work(void *arg)
{
    int tag = (int)(long)arg, value = 0;
    for (int k = 0; k < 5; k++) {
        usleep(2000);
        if (rank) {
            MPI_Send(&tag, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&tag, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
        }
    }
    return NULL;
}
int main(void)
{
    int level;
    pthread_t thread[3];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (long k = 0; k < 3; k++)
        pthread_create(&thread[k], NULL, work, (void *)k);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return level != MPI_THREAD_MULTIPLE;
}
