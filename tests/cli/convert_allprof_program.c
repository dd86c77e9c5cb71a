/* SPDX-License-Identifier: BSD-3-Clause */
/* convert_allprof_program: calls of MPI that a trace of liballprof has; with an argument, also some that it says otherwise. For at
 * least four ranks. */
#include <mpi.h>

enum { STEPS = 3, MOST = 64 };
static double sent[4096], got[8192];
static int rank, ranks, counts[MOST], places[MOST];

static void messages(MPI_Comm half, MPI_Datatype column, int step)
{
    int me, size, left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Request q[5] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                        MPI_REQUEST_NULL};
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);
    MPI_Irecv(got, 3, column, right, step, MPI_COMM_WORLD,
              &q[3]); /* made in another order than they are waited for */
    MPI_Irecv(got, 4000, MPI_DOUBLE, MPI_ANY_SOURCE, 7, half, &q[4]);
    MPI_Isend(sent, 3, column, left, step, MPI_COMM_WORLD, &q[0]);
    MPI_Ibarrier(half, &q[2]);
    MPI_Ssend(sent, 4000, MPI_DOUBLE, (me + 1) % size, 7, half);
    MPI_Waitall(5, q, MPI_STATUSES_IGNORE);
    MPI_Recv_init(got, 4, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &q[0]);
    MPI_Send_init(sent, 4, MPI_INT, right, 3, MPI_COMM_WORLD, &q[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Startall(2, q);
        MPI_Wait(&q[1], MPI_STATUS_IGNORE);
        MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    MPI_Sendrecv(sent, 4, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 1, got, 4, MPI_INT,
                 rank ? rank - 1 : MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm half, MPI_Datatype column)
{
    MPI_Allreduce(MPI_IN_PLACE, got, 100, MPI_DOUBLE, MPI_SUM, half);
    MPI_Gather(sent, 10, MPI_INT, got, 10, rank ? MPI_DATATYPE_NULL : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(got, 10, MPI_INT, sent, 10, MPI_INT, 0, half);
    MPI_Bcast(sent, 1000, MPI_DOUBLE, 1, half);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 7, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgather(sent, 5, column, got, 5, column, half);
    MPI_Gatherv(sent, rank + 1, MPI_INT, got, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Scatterv(got, counts, places, MPI_INT, sent, rank + 1, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Allgatherv(sent, rank + 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

/* What is said otherwise: communicators that are no splits, what has completed, arrays in several orders. */
static void others(void)
{
    int flag = 0, which, one = 1, sides = ranks, left = (rank + ranks - 1) % ranks,
        right = (rank + 1) % ranks;
    MPI_Comm ring;
    MPI_Request q[2], other[2];
    MPI_Cart_create(MPI_COMM_WORLD, 1, &sides, &one, 0, &ring);
    MPI_Irecv(got, 1, MPI_INT, left, 0, ring, &q[0]);
    MPI_Isend(sent, 1, MPI_INT, right, 0, ring, &q[1]);
    MPI_Waitany(2, q, &which, MPI_STATUS_IGNORE);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Send_init(sent, 4, MPI_INT, right, 3, ring, &q[0]);
    MPI_Recv_init(got, 4, MPI_INT, left, 3, ring, &q[1]);
    MPI_Startall(2, q);
    other[0] = q[1];
    other[1] = q[0];
    MPI_Waitall(2, other, MPI_STATUSES_IGNORE);
    if (rank == 0)
        MPI_Send(sent, 1, MPI_INT, 1, 9, ring);
    while (rank == 1 && !flag)
        MPI_Iprobe(0, 9, ring, &flag, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Recv(got, 1, MPI_INT, 0, 9, ring, MPI_STATUS_IGNORE);
    MPI_Barrier(ring);
}

int main(int argc, char **argv)
{
    MPI_Comm half, some, copy;
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 0; k < ranks; k++) {
        counts[k] = k + 1;
        places[k] = 100 * k;
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, 0, &some); /* not used before the next ones */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(half, &copy);
    MPI_Barrier(copy);
    if (rank)
        MPI_Barrier(some);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Type_vector(5, 2, 7, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int step = 0; step < STEPS; step++) {
        messages(half, column, step);
        collectives(half, column);
    }
    if (argc > 1)
        others();
    MPI_Finalize();
    return 0;
}
