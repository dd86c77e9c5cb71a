/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock of Mellor-Crummey and Scott, in which a rank tells the one before it that it waits, and completes
 * only the operations to itself (Nasty-MPI, test program 2). Kept back, the message never arrives. With "right",
 * it is completed.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "it waits for MPI_Accumulate by rank [0-3] \(replace, mpi_nasty_mcs.c:26\)" --set check/polls=100 -np 4 $EXE
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 4 $EXE right
// stdout: right
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAIL, NEXT, WAITS, COUNT, WORDS, ROUNDS = 3 };
static int me, n;
static MPI_Win win;
static bool right;

static void replace(int value, int rank, int place)
{
    MPI_Accumulate(&value, 1, MPI_INT, rank, place, 1, MPI_INT, MPI_REPLACE, win);
}

static int fetch(int rank, int place)
{
    int value, none = 0;
    MPI_Fetch_and_op(&none, &value, MPI_INT, rank, place, MPI_NO_OP, win);
    MPI_Win_flush(rank, win);
    return value;
}

static void acquire(void)
{
    int before, self = me;
    replace(-1, me, NEXT);
    replace(1, me, WAITS);
    MPI_Win_flush(me, win);
    MPI_Fetch_and_op(&self, &before, MPI_INT, 0, TAIL, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
    if (before < 0)
        return;
    replace(me, before, NEXT);
    if (right)
        MPI_Win_flush(before, win);
    while (fetch(me, WAITS))
        ;
}

static void release(void)
{
    int next = fetch(me, NEXT), nobody = -1, tail;
    if (next < 0) {
        MPI_Compare_and_swap(&nobody, &me, &tail, MPI_INT, 0, TAIL, win);
        MPI_Win_flush(0, win);
        if (tail == me)
            return;
        while ((next = fetch(me, NEXT)) < 0)
            ;
    }
    replace(0, next, WAITS);
    MPI_Win_flush(next, win);
}

int main(int argc, char **argv)
{
    int *mine;
    right = argc > 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(WORDS * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    mine[TAIL] = -1;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < ROUNDS; k++) {
        acquire();
        int count = fetch(0, COUNT) + 1;
        replace(count, 0, COUNT);
        MPI_Win_flush(0, win);
        release();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0 && fetch(0, COUNT) != n * ROUNDS)
        abort();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (me == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
