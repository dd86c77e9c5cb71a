/* SPDX-License-Identifier: BSD-3-Clause */
/* The setting mpi/check-types: collectives whose members pass other datatypes than each other. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 3 -- right
// stdout: done
// run: -np 3 --set mpi/check-types=yes -- right
// stdout: done
// run: -np 3 -- bcast
// stdout: done
// run: -np 3 --set mpi/check-types=yes -- bcast
// stdout: done
// stderr-match: MPI_Bcast: the members' datatypes differ in collective 0 of MPI_COMM_WORLD: rank \d calls MPI_Bcast, \d x MPI_(DOUBLE|FLOAT), root 0; rank \d called MPI_Bcast, \d x MPI_(DOUBLE|FLOAT), root 0\n
// run: -np 3 --set mpi/check-types=yes -- gather
// stdout: done
// stderr-match: MPI_Gather: the members' datatypes differ in collective 0
// run: -np 3 --set mpi/check-types=yes -- scatter
// stdout: done
// stderr-match: MPI_Scatter: the members' datatypes differ in collective 0
// run: -np 3 --set mpi/check-types=yes -- alltoallv
// stdout: done
// stderr-match: MPI_Alltoallv: the members' datatypes differ in collective 0 of MPI_COMM_WORLD: rank \d calls MPI_Alltoallv, MPI_(INT|FLOAT); rank \d called MPI_Alltoallv, MPI_(INT|FLOAT)\n
// run: -np 3 --set mpi/check-types=yes -- own
// stdout: done
// stderr-match: MPI_Allgather: the call's buffers are of 2 x MPI_FLOAT and 2 x MPI_INT: expected equal elements
// run: -np 3 --set mpi/check-types=yes -- started
// stdout: done
// stderr-match: MPI_Iallgather: the members' datatypes differ
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, n, in[64], out[64];

/* Different datatypes, equal elements. */
static void right(void)
{
    MPI_Datatype four, apart;
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_vector(4, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&four);
    MPI_Type_commit(&apart);
    MPI_Bcast(in, me ? 1 : 4, me == 1 ? apart : me ? four : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(in, 1, me ? apart : four, out, 4, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(in, 1, four, out, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int counts[64], at[64];
    for (int k = 0; k < n; k++)
        counts[k] = k + 1, at[k] = 4 * k;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgatherv(in, me + 1, MPI_INT, out, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(in, 0, me ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&four);
    MPI_Type_free(&apart);
}

int main(int argc, char **argv)
{
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    assert(argc > 1);
    const char *what = argv[1];
    MPI_Datatype other = me == 2 ? MPI_FLOAT : MPI_INT;
    int ones[64], places[64];
    for (int k = 0; k < n; k++)
        ones[k] = 1, places[k] = k;
    if (!strcmp(what, "right"))
        right();
    else if (!strcmp(what, "bcast"))
        MPI_Bcast(in, me == 1 ? 4 : 2, me == 1 ? MPI_FLOAT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "gather"))
        MPI_Gather(in, 1, other, out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "scatter"))
        MPI_Scatter(in, 1, MPI_INT, out, 1, other, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "alltoallv"))
        MPI_Alltoallv(in, ones, places, other, out, ones, places, other, MPI_COMM_WORLD);
    else if (!strcmp(what, "own"))
        MPI_Allgather(in, 2, MPI_INT, out, 2, MPI_FLOAT, MPI_COMM_WORLD);
    else {
        MPI_Iallgather(in, 1, other, out, 1, other, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
