/* SPDX-License-Identifier: BSD-3-Clause */
/* At MPI_THREAD_SERIALIZED threads may call one after the other, and two at once are a mistake. */
// build: $MPICC -g "$SRC" -o $EXE -pthread
// run: -np 2 -- one
// stdout: received 7 and 8
// stderr-not: warning
// run: -np 2 -- both
// stdout: received 7 and 8
// stderr-match: warning: .*MPI_Recv: called while another thread is in a call, at level MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int got[2];

static void *receive(void *arg)
{
    int tag = *(int *)arg;
    MPI_Recv(&got[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, tags[2] = {0, 1}, both = argc > 1 && !strcmp(argv[1], "both");
    pthread_t t;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&t, NULL, receive, &tags[0]);
        if (both)
            receive(&tags[1]);
        pthread_join(t, NULL);
        if (!both)
            receive(&tags[1]);
        printf("received %d and %d\n", got[0], got[1]);
    } else {
        for (int k = 0; k < 2; k++) {
            int value = 7 + k;
            MPI_Send(&value, 1, MPI_INT, 0, k, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
