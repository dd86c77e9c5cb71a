/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A token goes around: each rank polls a word of a window, without a call, until the rank before it has changed it by a
 * put, an accumulate, a fetch-and-op or a compare-and-swap. The word is the rank's own part of a window of each kind, or, with
 * "across", the next rank's part of a shared window, so that another rank's memory changes. In the separate model
 * MPI_Win_sync is in the loop.
 */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $MPICC -g -O2 "$SRC" -o $EXE
// run: -np 2 -- allocate
// stdout: 8 rounds
// stderr-not: warning
// run: -np 5 -- create
// stdout: 8 rounds
// stderr-not: warning
// jobs: 2
// run: -np 5 -- dynamic
// stdout: 8 rounds
// stderr-not: warning
// run: -np 5 -- shared
// stdout: 8 rounds
// stderr-not: warning
// run: -np 5 -- across
// stdout: 8 rounds
// stderr-not: warning
// run: -np 40 --set mpi/win-model=unified -- allocate
// stdout: 8 rounds
// stderr-not: warning
// run: -np 3 --set mpi/win-model=separate -- allocate
// stdout: 8 rounds
// run: -np 3 --set mpi/win-model=separate -- shared
// stdout: 8 rounds
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8 };
static MPI_Win win;
static volatile long *word; /* that this rank polls */
static MPI_Aint disp;       /* of the word that it changes, */
static int target, me, n;   /* in the window of this rank */
static int separate;

static void await(long value)
{
    if (separate)
        while (*word != value)
            MPI_Win_sync(win);
    else
        while (*word != value)
            ;
}

static void pass(long k)
{
    long value = k + 1, one = 1, before;
    switch (k % 4) {
    case 0:
        MPI_Put(&value, 1, MPI_LONG, target, disp, 1, MPI_LONG, win);
        break;
    case 1:
        MPI_Accumulate(&one, 1, MPI_LONG, target, disp, 1, MPI_LONG, MPI_SUM, win);
        break;
    case 2:
        MPI_Fetch_and_op(&value, &before, MPI_LONG, target, disp, MPI_REPLACE, win);
        break;
    default:
        MPI_Compare_and_swap(&value, &k, &before, MPI_LONG, target, disp, win);
    }
    MPI_Win_flush(target, win);
}

static void open_dynamic(long *mine)
{
    MPI_Aint here, *all = malloc((size_t)n * sizeof *all);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, mine, sizeof *mine);
    MPI_Get_address(mine, &here);
    MPI_Allgather(&here, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
    disp = all[target];
    free(all);
    word = mine;
}

static void open_window(const char *kind, long *mine)
{
    long *at;
    MPI_Aint size;
    int unit;
    if (!strcmp(kind, "dynamic")) {
        open_dynamic(mine);
    } else if (!strcmp(kind, "create")) {
        MPI_Win_create(mine, sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        word = mine;
    } else if (!strcmp(kind, "allocate")) {
        MPI_Win_allocate(sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
        word = at;
    } else {
        int across = !strcmp(kind, "across");
        MPI_Win_allocate_shared(sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
        MPI_Win_shared_query(win, (me + across) % n, &size, &unit, &at);
        target = (target + across) % n;
        word = at;
    }
}

int main(int argc, char **argv)
{
    static long mine;
    int *model, found;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    target = (me + 1) % n;
    open_window(argc > 1 ? argv[1] : "allocate", &mine);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &found);
    separate = found && *model == MPI_WIN_SEPARATE;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long k = 0; k < ROUNDS; k++) {
        if (me == 0)
            pass(k);
        await(k + 1);
        if (me != 0)
            pass(k);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(argc > 1 ? argv[1] : "", "dynamic"))
        MPI_Win_detach(win, &mine);
    MPI_Win_free(&win);
    if (me == 0)
        printf("%d rounds\n", ROUNDS);
    MPI_Finalize();
    return 0;
}
