/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that rely on choices which are the library's: whose message a receive from any source gets, which
 * request MPI_Waitany names, that ranks leave a collective in step, who is next at a lock.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 4 -- source
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 4 $EXE source
// stdout: wrong
// run: -np 4 -- any
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 4 $EXE any
// stdout: wrong
// run: -np 4 -- leave
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" -np 4 $EXE leave
// stdout: wrong
// run: -np 4 -- lock
// stdout: done
// shell: bash $TOP/tests/run/seeds.sh 20 "rank 0 .* was ended by signal 6" --set check/platform=no -np 4 $EXE lock
// stdout: wrong
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, n;

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* All have sent before the first receive, in the order of the ranks. */
static void in_turns(void)
{
    for (int k = 1; k < n; k++) {
        if (me == k)
            MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void source(void)
{
    int from;
    in_turns();
    for (int k = 1; me == 0 && k < n; k++) {
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        must(from == k);
    }
}

static void any(void)
{
    int from[8], which;
    MPI_Request q[8];
    for (int k = 1; me == 0 && k < n; k++)
        MPI_Irecv(&from[k - 1], 1, MPI_INT, k, 0, MPI_COMM_WORLD, &q[k - 1]);
    in_turns();
    for (int k = 1; me == 0 && k < n; k++) {
        MPI_Waitany(n - 1, q, &which, MPI_STATUS_IGNORE);
        must(which == k - 1);
    }
}

static void leave(void)
{
    for (int k = 0; k < 5; k++) {
        double begin = MPI_Wtime(), times[8];
        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime() - begin;
        MPI_Gather(&begin, 1, MPI_DOUBLE, times, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        must(me > 0 || times[0] < 10e-6);
    }
}

/* All wait for the lock that rank 0 holds, and have come in the order of the ranks. */
static void lock(void)
{
    int *next, place, one = 1;
    MPI_Win win;
    MPI_Win_allocate(sizeof *next, sizeof *next, MPI_INFO_NULL, MPI_COMM_WORLD, &next, &win);
    if (me == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        for (double end = MPI_Wtime() + 20e-3; MPI_Wtime() < end;)
            ;
        MPI_Win_unlock(0, win);
    } else {
        for (double end = MPI_Wtime() + me * 2e-3; MPI_Wtime() < end;)
            ;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Fetch_and_op(&one, &place, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_unlock(0, win);
    }
    int *places = calloc((size_t)n, sizeof *places);
    place = me == 0 ? 0 : place;
    MPI_Gather(&place, 1, MPI_INT, places, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 1; me == 0 && k < n; k++)
        must(places[k] == k - 1);
    free(places);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (!strcmp(what, "source"))
        source();
    else if (!strcmp(what, "any"))
        any();
    else if (!strcmp(what, "leave"))
        leave();
    else if (!strcmp(what, "lock"))
        lock();
    if (me == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
