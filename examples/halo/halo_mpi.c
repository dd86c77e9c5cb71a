/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo_mpi: the same as halo.c with a window of MPI. Its error is another one: the puts are complete where they come
 * from, not where they go. Compiled with -DREPAIRED, there is none.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 8, STEPS = 6, MOST = 64, ROW = CELLS + 2 };

static void exchange(long *rows, int which, int left, int right, MPI_Win win)
{
    MPI_Aint low = which * ROW, high = low + CELLS + 1;
    MPI_Put(&rows[low + 1], 1, MPI_LONG, left, high, 1, MPI_LONG, win);
    MPI_Put(&rows[high - 1], 1, MPI_LONG, right, low, 1, MPI_LONG, win);
#ifdef REPAIRED
    MPI_Win_flush_all(win);
#else
    MPI_Win_flush_local_all(win);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
}

static void step(const long *now, long *next)
{
    for (int i = 1; i <= CELLS; i++)
        next[i] = (now[i - 1] + now[i] + now[i + 1]) % 1000;
}

/* The same by one rank. */
static void model(long *ring, int n)
{
    long next[MOST * CELLS] = {0};
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < n; i++)
            next[i] = (ring[(i + n - 1) % n] + ring[i] + ring[(i + 1) % n]) % 1000;
        memcpy(ring, next, (size_t)n * sizeof *ring);
    }
}

int main(int argc, char **argv)
{
    long ring[MOST * CELLS], *rows;
    int me, ranks;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    assert(ranks <= MOST);
    MPI_Win_allocate(2 * ROW * sizeof *rows, sizeof *rows, MPI_INFO_NULL, MPI_COMM_WORLD, &rows, &win);
    memset(rows, 0, 2 * ROW * sizeof *rows);
    for (int i = 0; i < ranks * CELLS; i++)
        ring[i] = i;
    for (int i = 1; i <= CELLS; i++)
        rows[i] = me * CELLS + i - 1;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD); /* the rows of all have their first values */
    for (int s = 0; s < STEPS; s++) {
        exchange(rows, s % 2, (me + ranks - 1) % ranks, (me + 1) % ranks, win);
        step(rows + s % 2 * ROW, rows + (s + 1) % 2 * ROW);
    }
    MPI_Win_unlock_all(win);
    model(ring, ranks * CELLS);
    for (int i = 1; i <= CELLS; i++)
        assert(rows[STEPS % 2 * ROW + i] == ring[me * CELLS + i - 1]);
    MPI_Win_free(&win);
    if (me == 0)
        printf("%d cells, %d steps: as expected\n", ranks * CELLS, STEPS);
    MPI_Finalize();
    return 0;
}
