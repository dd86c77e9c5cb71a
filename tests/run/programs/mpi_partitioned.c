// SPDX-License-Identifier: BSD-3-Clause
// Partitioned messages: different numbers of partitions at both sides, matched in the order of their initialization and
// not of their starts, ready in any order, empty ones, nobody at the other side. (MPI-5.0 chapter 4)
// run: -np 2
// stdout: partitioned: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 24, ROUNDS = 3, PAIRS = 3 };
static int me, data[PAIRS][ITEMS];

static void fail(int line, int got, int expected)
{
    printf("rank %d, line %d: %d, expected %d\n", me, line, got, expected);
    fflush(stdout);
    exit(1);
}
#define SAME(a, b) ((a) == (b) ? (void)0 : fail(__LINE__, (a), (b)))

static void send_all(MPI_Request *q, int round)
{
    for (int p = PAIRS - 1; p >= 0; p--) {
        MPI_Start(&q[p]);
        for (int k = 5; k >= 0; k--) {
            for (int i = 0; i < ITEMS / 6; i++)
                data[p][k * (ITEMS / 6) + i] = 1000 * round + 100 * p + k * (ITEMS / 6) + i;
            if (k > 1)
                MPI_Pready(k, q[p]);
        }
        MPI_Pready_range(0, 0, q[p]);
        MPI_Pready_list(1, (int[]){1}, q[p]);
    }
    MPI_Waitall(PAIRS, q, MPI_STATUSES_IGNORE);
}

static void receive_all(MPI_Request *q, int round)
{
    int flag;
    MPI_Status s;
    MPI_Startall(PAIRS, q);
    for (int k = 0; k < 4; k++)
        do
            MPI_Parrived(q[1], k, &flag);
        while (!flag);
    for (int p = 0; p < PAIRS; p++) {
        MPI_Wait(&q[p], &s);
        SAME(s.MPI_SOURCE, 0);
        SAME(s.MPI_TAG, 5);
        for (int i = 0; i < ITEMS; i++)
            SAME(data[p][i], 1000 * round + 100 * p + i);
    }
}

int main(int argc, char **argv)
{
    MPI_Request q[PAIRS], empty, nobody;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int p = 0; p < PAIRS; p++)
        if (me == 0)
            MPI_Psend_init(data[p], 6, ITEMS / 6, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q[p]);
        else
            MPI_Precv_init(data[p], 4, ITEMS / 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &q[p]);
    for (int round = 0; round < ROUNDS; round++)
        (me == 0 ? send_all : receive_all)(q, round);
    for (int p = 0; p < PAIRS; p++)
        MPI_Request_free(&q[p]);
    if (me == 0)
        MPI_Psend_init(NULL, 1, 0, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &empty);
    else
        MPI_Precv_init(NULL, 1, 0, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &empty);
    MPI_Start(&empty);
    if (me == 0)
        MPI_Pready(0, empty);
    MPI_Wait(&empty, MPI_STATUS_IGNORE);
    MPI_Request_free(&empty);
    MPI_Psend_init(data, 2, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &nobody);
    MPI_Start(&nobody);
    MPI_Pready_range(0, 1, nobody);
    MPI_Wait(&nobody, MPI_STATUS_IGNORE);
    MPI_Request_free(&nobody);
    if (me == 1)
        printf("partitioned: right\n");
    MPI_Finalize();
}
