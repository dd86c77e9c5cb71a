/* SPDX-License-Identifier: BSD-3-Clause */
/* One call of each kind that the player of traces plays, with computation between them as sleeps of different lengths. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 4
// run: -np 5
// run: -np 8
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { N = 3000, MOST = 8 };
static double a[MOST * N], b[MOST * N];
static int rank, size, counts[MOST], displs[MOST];

static void compute(int k)
{
    struct timespec t = {0, 1000L * (1 + (k * 37 + rank * 11) % 50) + k};
    nanosleep(&t, NULL);
}

static void messages(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request r[4];
    MPI_Sendrecv(a, N, MPI_DOUBLE, next, 1, b, N, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(1);
    MPI_Sendrecv_replace(a, 10, MPI_INT, next, 2, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(b, N, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(b + N, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(a, N, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &r[2]);
    compute(2);
    MPI_Issend(a, 1, MPI_DOUBLE, next, 4, MPI_COMM_WORLD, &r[3]);
    int index, outcount, indices[4];
    MPI_Waitany(4, r, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(4, r, &outcount, indices, MPI_STATUSES_IGNORE);
    compute(3);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    if (rank == 0)
        MPI_Ssend(a, 5, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 5, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void persistent(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request r[2];
    MPI_Recv_init(b, N, MPI_DOUBLE, before, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(a, N, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &r[1]);
    for (int k = 0; k < 5; k++) {
        MPI_Startall(2, r);
        compute(4);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void collectives(MPI_Comm comm)
{
    int n;
    MPI_Request r;
    MPI_Comm_size(comm, &n);
    MPI_Bcast(a, N, MPI_DOUBLE, n - 1, comm);
    MPI_Reduce(a, b, N, MPI_DOUBLE, MPI_SUM, 0, comm);
    compute(5);
    MPI_Allreduce(MPI_IN_PLACE, b, 10, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    MPI_Gather(a, 10, MPI_INT, b, 10, MPI_INT, 1, comm);
    MPI_Scatter(a, 10, MPI_INT, b, 10, MPI_INT, 1, comm);
    MPI_Allgather(a, 100, MPI_INT, b, 100, MPI_INT, comm);
    compute(6);
    MPI_Alltoall(a, 100, MPI_INT, b, 100, MPI_INT, comm);
    MPI_Gatherv(a, counts[rank % n], MPI_FLOAT, b, counts, displs, MPI_FLOAT, 0, comm);
    MPI_Scan(a, b, 7, MPI_LONG, MPI_SUM, comm);
    MPI_Exscan(a, b, 7, MPI_LONG, MPI_SUM, comm);
    MPI_Reduce_scatter_block(a, b, 7, MPI_LONG, MPI_SUM, comm);
    MPI_Ibarrier(comm, &r);
    compute(7);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Iallreduce(a, b, N, MPI_DOUBLE, MPI_MIN, comm, &r);
    compute(8);
    int flag = 0;
    while (!flag)
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
}

static void vectors(void)
{
    int same[MOST], at[MOST];
    MPI_Request r;
    for (int k = 0; k < size; k++) {
        same[k] = 1 + (k + rank) % size; /* what k gets of this rank: symmetric */
        at[k] = k * MOST;
    }
    MPI_Allgatherv(a, counts[rank], MPI_INT, b, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(a, same, at, MPI_INT, b, same, at, MPI_INT, MPI_COMM_WORLD);
    compute(9);
    MPI_Scatterv(a, counts, displs, MPI_INT, b, counts[rank], MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    MPI_Ialltoallv(a, same, at, MPI_INT, b, same, at, MPI_INT, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void objects(void)
{
    MPI_Comm split, copy, grid, line, some;
    MPI_Group all, few;
    MPI_Datatype column, part, block;
    MPI_Op op;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, keep[2] = {0, 1}, first[2] = {0, 1};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? 3 : rank ? 4 : MPI_UNDEFINED, -rank, &split);
    if (split != MPI_COMM_NULL)
        MPI_Barrier(split);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    collectives(copy);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(copy, 2, dims, periods, 1, &grid);
    MPI_Cart_sub(grid, keep, &line);
    MPI_Allreduce(a, b, 100, MPI_INT, MPI_SUM, line);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, first, &few);
    MPI_Comm_create(MPI_COMM_WORLD, few, &some);
    if (some != MPI_COMM_NULL)
        MPI_Bcast(a, 10, MPI_CHAR, 0, some);
    MPI_Type_vector(20, 3, 7, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, 8, &part);
    MPI_Type_create_subarray(2, (int[]){10, 10}, (int[]){4, 5}, (int[]){2, 3}, MPI_ORDER_C, part, &block);
    MPI_Type_commit(&block);
    MPI_Sendrecv(a, 1, block, (rank + 1) % size, 8, b, 700, MPI_DOUBLE_COMPLEX, (rank + size - 1) % size, 8,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Op_create(multiply, 1, &op);
    MPI_Allreduce(a, b, 4, MPI_DOUBLE, op, copy);
    MPI_Op_free(&op);
    MPI_Type_free(&block);
    MPI_Group_free(&few);
    MPI_Comm_free(&line);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < size; k++) {
        counts[k] = 10 * (k + 1);
        displs[k] = 100 * k;
    }
    for (int k = 0; k < 3; k++) {
        messages();
        persistent();
        collectives(MPI_COMM_WORLD);
        vectors();
    }
    objects();
    MPI_Finalize();
    return 0;
}
