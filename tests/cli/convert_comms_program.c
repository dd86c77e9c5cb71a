/* SPDX-License-Identifier: BSD-3-Clause */
/* convert_comms_program: communicators made in all ways whose members a trace tells, and, with an argument, their use. An even
 * number of ranks. */
#include <mpi.h>

enum { MOST = 64 };
static int sent[4096], got[4096];
static int world, ranks;
static MPI_Comm row, half, grid, column, pair, inter, merged, twin;

static void make(void)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0}, keep[2] = {1, 0}, range[1][3] = {{0, ranks - 1, 2}};
    MPI_Group all, evens, odds;
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &row);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Cart_sub(grid, keep, &column);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &evens);
    MPI_Group_difference(all, evens, &odds);
    MPI_Comm_create(MPI_COMM_WORLD, world % 2 ? odds : evens, &half);
    pair = MPI_COMM_NULL;
    if (world % 2 == 0)
        MPI_Comm_create_group(MPI_COMM_WORLD, evens, 5, &pair);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world % 2 ? 0 : 1, 9, &inter);
    MPI_Intercomm_merge(inter, world % 2, &merged);
    MPI_Comm_dup(row, &twin);
}

static void collectives(void)
{
    int me, size, counts[MOST], places[MOST];
    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &size);
    for (int k = 0; k < size; k++) {
        counts[k] = 3 * (k + 1);
        places[k] = 50 * k;
    }
    MPI_Allreduce(sent, got, 100, MPI_INT, MPI_SUM, row);
    MPI_Bcast(sent, 500, MPI_INT, size - 1, row);
    MPI_Gatherv(sent, counts[me], MPI_INT, got, counts, places, MPI_INT, 0, row);
    MPI_Allgatherv(sent, counts[me], MPI_INT, got, counts, places, MPI_INT, row);
    MPI_Scatterv(sent, counts, places, MPI_INT, got, counts[me], MPI_INT, 0, row);
    MPI_Alltoall(sent, 4, MPI_INT, got, 4, MPI_INT, column);
    MPI_Reduce(sent, got, 50, MPI_INT, MPI_MAX, 0, half);
    if (pair != MPI_COMM_NULL)
        MPI_Barrier(pair);
    MPI_Scan(sent, got, 9, MPI_INT, MPI_SUM, merged);
    for (int k = 0; k < ranks; k++)
        counts[k] = 2 * k + 1;
    MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_SUM, grid);
}

static void messages(void)
{
    int me, size, there;
    MPI_Request q[2];
    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &size);
    int to = (me + 1) % size, from = (me + size - 1) % size;
    MPI_Sendrecv(sent, 10, MPI_INT, to, 7, got, 10, MPI_INT, from, 7, row, MPI_STATUS_IGNORE);
    MPI_Comm_rank(half, &there); /* my twin's place on the other side */
    MPI_Irecv(got, 8, MPI_INT, there, 3, inter, &q[0]);
    MPI_Send(sent, 8, MPI_INT, there, 3, inter);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Iallreduce(sent, got, 64, MPI_INT, MPI_SUM, twin, &q[0]);
    MPI_Irecv(got + 100, 3, MPI_INT, MPI_ANY_SOURCE, 1, row, &q[1]);
    MPI_Send(sent, 3, MPI_INT, to, 1, row);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    (void)argv;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    make();
    if (argc > 1) {
        collectives();
        messages();
    }
    MPI_Finalize();
    return 0;
}
