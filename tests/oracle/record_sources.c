/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receives from any source, for record.py: rank 0 gets five messages of each other rank, whose tags are its number, by each kind
 * of call, and ignores the statuses.
 */
#include <mpi.h>
#include <unistd.h>

enum { MOST = 64, ALL = 5 };

static int others, value[MOST];
static MPI_Request q[MOST];

static void start_all(void)
{
    for (int k = 0; k < others; k++)
        MPI_Irecv(&value[k], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q[k]);
}

static void complete_some(void)
{
    int n, which[MOST];
    for (int left = others; left; left -= n)
        MPI_Waitsome(others, q, &n, which, MPI_STATUSES_IGNORE);
}

static void repeat_one(void)
{
    int done;
    MPI_Recv_init(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, q);
    for (int k = 0; k < others; k++) {
        MPI_Start(q);
        do
            MPI_Test(q, &done, MPI_STATUS_IGNORE);
        while (!done);
    }
    MPI_Request_free(q);
}

static void probe_each(void)
{
    MPI_Status s;
    for (int k = 0; k < others; k++) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        MPI_Recv(value, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* One is cancelled; of the other one nobody asks. */
static void get_none(void)
{
    MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q[0]);
    MPI_Cancel(&q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Irecv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q[0]);
    MPI_Cancel(&q[0]);
    MPI_Request_free(&q[0]);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    others = ranks - 1;
    if (rank) {
        usleep((unsigned)(ranks - rank) * 10000);
        for (int k = 0; k < ALL; k++)
            MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    } else {
        for (int k = 0; k < others; k++)
            MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        start_all();
        MPI_Waitall(others, q, MPI_STATUSES_IGNORE);
        start_all();
        complete_some();
        repeat_one();
        probe_each();
        get_none();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
