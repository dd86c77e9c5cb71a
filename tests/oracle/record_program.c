/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of many kinds, for record.py: objects of each kind, constants that MPIs number differently, arrays. With an
 * argument N, rank 1 stalls for N milliseconds on the way.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 20, STALLED_STEP = 10, COUNT = 1000, MOST = 64 };

static int rank, ranks;
static double sent[COUNT], received[COUNT];

static void stall(long milliseconds)
{
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static void messages(int step, MPI_Datatype type)
{
    MPI_Request q[4];
    MPI_Status status[4];
    int which;
    MPI_Irecv(received, COUNT, MPI_DOUBLE, (rank + ranks - 1) % ranks, step, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(sent, COUNT, MPI_DOUBLE, (rank + 1) % ranks, step, MPI_COMM_WORLD, &q[1]);
    MPI_Irecv(received, 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &q[2]);
    MPI_Isend(sent, 1, type, 0, 7, MPI_COMM_SELF, &q[3]);
    MPI_Waitall(4, q, status);
    /* Complete at once: an MPI may have one handle for both. */
    MPI_Isend(sent, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(sent, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, status);
    MPI_Waitany(2, q, &which, status);
}

static void persistent(void)
{
    MPI_Request q[2];
    MPI_Send_init(sent, 10, MPI_FLOAT, (rank + 1) % ranks, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(received, 10, MPI_FLOAT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &q[1]);
    for (int k = 0; k < 3; k++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void collectives(MPI_Comm comm)
{
    int counts[MOST], places[MOST];
    for (int k = 0; k < ranks; k++) {
        counts[k] = k + 1;
        places[k] = k * (k + 1) / 2;
    }
    MPI_Allreduce(MPI_IN_PLACE, sent, 10, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Gatherv(sent, rank + 1, MPI_DOUBLE, received, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(sent, rank + 1, MPI_DOUBLE, received, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void groups(void)
{
    MPI_Group all, some;
    MPI_Comm comm;
    int first[] = {0, 1};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, first, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, 0, &comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

static void window(void)
{
    MPI_Win win;
    MPI_Win_create(received, sizeof received, sizeof *received, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(sent, 10, MPI_DOUBLE, (rank + 1) % ranks, 0, 10, MPI_DOUBLE, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Accumulate(sent, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void grid(void)
{
    MPI_Comm comm;
    int dims[] = {ranks / 2, 2}, periods[] = {1, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    MPI_Neighbor_allgather(sent, 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Type_vector(10, 2, 4, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int step = 0; step < STEPS; step++) {
        if (argc > 1 && rank == 1 && step == STALLED_STEP)
            stall(strtol(argv[1], NULL, 10));
        messages(step, type);
        collectives(half);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    persistent();
    groups();
    window();
    grid();
    MPI_Type_free(&type);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
