/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided operations of 8 bytes on the next rank's window: puts flushed by 100, fetch-and-op and flush, lock
 * and put and unlock, as often as the second argument says; or fences.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1024 }; /* and no globals: all ranks would share them (--privatize=none) */

static void puts_flushed(MPI_Win win, int next, long rounds, const long *value)
{
    MPI_Win_lock_all(0, win);
    for (long k = 0; k < rounds; k++) {
        MPI_Put(value, 1, MPI_LONG, next, k % WORDS, 1, MPI_LONG, win);
        if (k % 100 == 99)
            MPI_Win_flush(next, win);
    }
    MPI_Win_unlock_all(win);
}

static void fetches(MPI_Win win, int next, long rounds, const long *value)
{
    long old = 0;
    MPI_Win_lock_all(0, win);
    for (long k = 0; k < rounds; k++) {
        MPI_Fetch_and_op(value, &old, MPI_LONG, next, 0, MPI_SUM, win);
        MPI_Win_flush(next, win);
        if (old != k * *value) {
            fprintf(stderr, "%ld instead of %ld\n", old, k * *value);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Win_unlock_all(win);
}

static void locks(MPI_Win win, int next, long rounds, const long *value)
{
    for (long k = 0; k < rounds; k++) {
        MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
        MPI_Put(value, 1, MPI_LONG, next, 1, 1, MPI_LONG, win);
        MPI_Win_unlock(next, win);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, next;
    MPI_Win win;
    long rounds, value, *words;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *what = argc > 1 ? argv[1] : "puts";
    rounds = argc > 2 ? atol(argv[2]) : 100;
    next = (rank + 1) % ranks;
    value = rank + 1;
    MPI_Win_allocate(WORDS * sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &words, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(what, "puts"))
        puts_flushed(win, next, rounds, &value);
    else if (!strcmp(what, "fetches"))
        fetches(win, next, rounds, &value);
    else if (!strcmp(what, "locks"))
        locks(win, next, rounds, &value);
    else
        for (long k = 0; k < rounds; k++)
            MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
