// SPDX-License-Identifier: BSD-3-Clause
// In a ring of an even number of members, those with even and with odd ranks may send different amounts, as sizes
// must agree along edges alone. Members that pass parts on for others know both.
// run: -np 6
// stdout: plain form: right
// stdout: form with counts: right
// run: -np 6 --set coll.neighbor-allgather=cartesian
// stdout: plain form: right
// stdout: form with counts: right
// run: -np 6 --set coll.neighbor-allgather=distance-halving
// stdout: plain form: right
// stdout: form with counts: right
#include <mpi.h>
#include <stdio.h>

enum { EVEN = 2, ODD = 5 };

static int me, ranks;

static int size_of(int rank)
{
    return rank % 2 ? ODD : EVEN;
}

static void report(const char *what, const int *got)
{
    int wrong = 0, all, size = size_of(me + 1);
    for (int k = 0; k < 2 * size; k++)
        wrong += got[k] != 100 * ((me + (k < size ? ranks - 1 : 1)) % ranks) + k % size;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!me)
        printf("%s: %s\n", what, all ? "wrong" : "right");
}

int main(int argc, char **argv)
{
    int ring = 1, mine[ODD], got[2 * ODD] = {0};
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &ring, 0, &comm);
    for (int k = 0; k < ODD; k++)
        mine[k] = 100 * me + k;
    int from = size_of(me + 1), counts[2] = {from, from}, at[2] = {0, from};
    MPI_Neighbor_allgather(mine, size_of(me), MPI_INT, got, from, MPI_INT, comm);
    report("plain form", got);
    for (int k = 0; k < 2 * ODD; k++)
        got[k] = -1;
    MPI_Neighbor_allgatherv(mine, size_of(me), MPI_INT, got, counts, at, MPI_INT, comm);
    report("form with counts", got);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
