/* SPDX-License-Identifier: BSD-3-Clause */
/* convert_dumpi_program: calls of MPI-2 of all kinds that a trace of DUMPI has, for an even number of ranks. */
#include <mpi.h>

enum { STEPS = 3, MOST = 64 };
static double sent[4096], got[8192];
static int rank, ranks, counts[MOST], places[MOST];

static void messages(MPI_Comm half, MPI_Datatype column, int step)
{
    int me, size, which;
    MPI_Request q[2];
    MPI_Irecv(got, 3, column, (rank + 1) % ranks, step, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(sent, 3, column, (rank + ranks - 1) % ranks, step, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);
    MPI_Recv_init(got, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, &q[0]);
    MPI_Start(&q[0]);
    MPI_Ssend(sent, 4, MPI_INT, (me + 1) % size, 3, half);
    MPI_Waitany(1, q, &which, MPI_STATUS_IGNORE);
    MPI_Request_free(&q[0]);
    MPI_Sendrecv(sent, 4, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 1, got, 4, MPI_INT,
                 rank ? rank - 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm half, MPI_Datatype column)
{
    MPI_Allreduce(MPI_IN_PLACE, got, 100, MPI_DOUBLE, MPI_SUM, half);
    MPI_Gather(sent, 10, MPI_INT, got, 10, MPI_INT, 0, half);
    MPI_Scatter(got, 10, MPI_INT, sent, 10, MPI_INT, 0, half);
    MPI_Bcast(sent, 1000, MPI_DOUBLE, 1, half);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 7, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(sent, 5, column, got, 5, column, half);
    MPI_Gatherv(sent, rank + 1, MPI_INT, got, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Scatterv(got, counts, places, MPI_INT, sent, rank + 1, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Allgatherv(sent, rank + 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void windows(MPI_Comm half)
{
    MPI_Win win;
    MPI_Win_create(got, sizeof got, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(sent, 30, MPI_DOUBLE, (rank + 1) % ranks, 5, 30, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(sent, 3, MPI_DOUBLE, 0, 100, 3, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(half);
    MPI_Win_free(&win);
}

int main(void)
{
    int range[1][3] = {{0, 0, 2}};
    MPI_Comm half, evens;
    MPI_Group all, group;
    MPI_Datatype column;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 0; k < ranks; k++) {
        counts[k] = k + 1;
        places[k] = 100 * k;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    range[0][1] = ranks - 1;
    MPI_Group_range_incl(all, 1, range, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &evens);
    if (evens != MPI_COMM_NULL)
        MPI_Barrier(evens);
    MPI_Type_vector(5, 2, 7, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int step = 0; step < STEPS; step++) {
        messages(half, column, step);
        collectives(half, column);
    }
    windows(half);
    MPI_Finalize();
    return 0;
}
