/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast along a binary tree: a rank polls its parent's flag with gets that nothing completes (Luecke et al.;
 * Nasty-MPI, test program 1). Kept back, they never arrive. With "right", each get is completed.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 7
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "never completes: MPI_Get by rank [1-6] \(main, mpi_nasty_tree.c:45\)" --set check/polls=100 -np 7 $EXE
// stdout: wrong
// shell: bash $TOP/tests/run/seeds.sh 10 "" -np 7 $EXE right
// stdout: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DATA, FLAG, WORDS };

static void give(double value, int to, int place, MPI_Win win)
{
    MPI_Put(&value, 1, MPI_DOUBLE, to, place, 1, MPI_DOUBLE, win);
    MPI_Win_flush(to, win);
}

int main(int argc, char **argv)
{
    int me;
    double *mine, check = 0, data = 42;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(WORDS * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me > 0) {
        int parent = (me - 1) / 2;
        data = 0;
        if (argc > 1) {
            while (check == 0) {
                MPI_Get(&check, 1, MPI_DOUBLE, parent, FLAG, 1, MPI_DOUBLE, win);
                MPI_Win_flush(parent, win);
            }
        } else {
            while (check == 0)
                MPI_Get(&check, 1, MPI_DOUBLE, parent, FLAG, 1, MPI_DOUBLE, win);
        }
        MPI_Get(&data, 1, MPI_DOUBLE, parent, DATA, 1, MPI_DOUBLE, win);
        MPI_Win_flush(parent, win);
    }
    if (data != 42)
        abort();
    give(data, me, DATA, win);
    give(1, me, FLAG, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (me == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
