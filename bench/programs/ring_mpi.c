/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends 1 KiB to the next and receives from the one before, as often as the argument says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char out[1024], in[1024];
    int rank, ranks, rounds;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    for (int i = 1; i <= rounds; i++) {
        memset(out, i & 127, sizeof out);
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % ranks, 0, in, sizeof in, MPI_CHAR,
                     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (in[0] != (i & 127) || in[1023] != (i & 127)) {
            fprintf(stderr, "rank %d: wrong data in round %d\n", rank, i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return 0;
}
