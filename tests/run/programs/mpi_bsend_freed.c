/* SPDX-License-Identifier: BSD-3-Clause */
/* The room of a buffered send is free again when its message has been received by a receive that was freed before, or
 * complete but not asked for. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2 -- before
// stdout: 5
// run: -np 2 -- after
// stdout: 5
// run: -np 2 -- complete
// stdout: 5
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 100000, SIZE = BYTES + MPI_BSEND_OVERHEAD };

int main(int argc, char **argv)
{
    int me, size;
    const char *when = argc > 1 ? argv[1] : "before";
    char *data = calloc(1, BYTES);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        void *room = malloc(SIZE), *same;
        MPI_Buffer_attach(room, SIZE);
        memset(data, 5, BYTES);
        if (strcmp(when, "after") != 0)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bsend(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (!strcmp(when, "after"))
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Buffer_detach(&same, &size);
        free(room);
    } else {
        MPI_Request q;
        if (!strcmp(when, "after"))
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Irecv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &q);
        if (strcmp(when, "complete") != 0)
            MPI_Request_free(&q);
        if (strcmp(when, "after") != 0)
            MPI_Barrier(MPI_COMM_WORLD);
        if (!strcmp(when, "complete")) {
            usleep(100000);
            MPI_Request_free(&q);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me)
        printf("%d\n", data[BYTES - 1]);
    free(data);
    MPI_Finalize();
    return 0;
}
