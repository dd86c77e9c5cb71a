/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlocks of messages: who waits for whom, rings, and sends that only work because they are buffered. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 3 -- ring
// status: 3
// stderr-match: rank 0 since .*: a message from rank 1, tag 5, of MPI_COMM_WORLD
// stderr-match: ^  a cycle of 3 ranks: rank 0 waits for 1, 1 for 2, 2 for 0$
// run: -np 40 -- ring
// status: 3
// stderr-match: ^  a cycle of 40 ranks: rank 0 waits for 1, 1 for 2, .*, 11 for 12, \.\.\.$
// run: -np 2 -- exchange
// run: -np 2 --set mpi/buffering=none -- exchange
// status: 3
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
// run: -np 2 -- long
// status: 3
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
// run: -np 3 -- probe
// status: 3
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
// run: -np 3 -- any
// status: 3
// stderr-match: rank 0 since .*: a message from any rank
// stderr-not: cycle
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int me, n, x = 0;
    const char *what = argc > 1 ? argv[1] : "ring";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int next = (me + 1) % n, bytes = what[0] == 'l' ? 1 << 20 : 8;
    char *out = calloc(1, (size_t)bytes), *in = malloc((size_t)bytes);
    if (!strcmp(what, "ring"))
        MPI_Recv(&x, 1, MPI_INT, next, 5 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "any"))
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "probe") && me < 2)
        MPI_Probe(1 - me, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (strcmp(what, "probe") != 0) {
        MPI_Send(out, bytes, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_CHAR, next, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
