/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlocks of messages: who waits for whom, rings, and sends that only work because they are buffered. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 3 -- ring
// status: 3
// stderr-match: rank 0 since .*: a message from rank 1, tag 5, of MPI_COMM_WORLD
// stderr-match: rank 2 since .*\n      called in main, mpi_deadlock.c:\d+\n  a cycle
// stderr-match: ^  a cycle of 3 ranks: rank 0 waits for 1, 1 for 2, 2 for 0$
// run: -np 5 -- barrier
// status: 3
// stderr-match: rank 4 since .*: collective 0 of MPI_COMM_WORLD, 1 of 5 members have not called it: rank 1\n      called in come, mpi_deadlock.c:\d+$
// stderr-match: rank 1 since .*: a message from rank 0, tag 3, of MPI_COMM_WORLD\n      called in main, mpi_deadlock.c:\d+$
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
// run: -np 3 -- started
// status: 3
// stderr-match: rank 1 since .*: MPI_Iallreduce, collective \d+ of MPI_COMM_WORLD, 2 of 3 members have not called it: rank 0, 2\n      called in start, mpi_deadlock.c:\d+$
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
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

static void come(MPI_Comm comm)
{
    MPI_Barrier(comm);
}

/* Rank 1 waits for another collective than all others. */
static void start(int me)
{
    int in = 1, out;
    MPI_Comm other;
    MPI_Request q;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (me == 1) {
        MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    come(other);
    MPI_Comm_free(&other);
}

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
    else if (!strcmp(what, "started"))
        start(me);
    else if (!strcmp(what, "barrier")) {
        if (me == 1)
            MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        come(MPI_COMM_WORLD);
    } else if (strcmp(what, "probe") != 0) {
        MPI_Send(out, bytes, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_CHAR, next, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
