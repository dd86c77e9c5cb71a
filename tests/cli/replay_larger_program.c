/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of OpenSHMEM on grids of any size, for replay_larger.sh: KIND COLUMNS. Each PE's part is the same. */
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4, CELLS = 600, SIDES = 4 };

static long flag[SIDES];
static uint64_t signals[SIDES];
static double halo[SIDES][CELLS], mine[CELLS];
static long sum, total, count;

/* A message goes around, and at each PE computation grows. */
static void ring(int me, int n)
{
    for (int step = 1; step <= STEPS; step++) {
        pgasim_compute_flops(1e6 * step);
        shmem_double_put(halo[step % 2], mine, CELLS, (me + 1) % n);
        shmem_fence();
        shmem_long_p(&flag[0], step, (me + 1) % n);
        shmem_long_wait_until(&flag[0], SHMEM_CMP_GE, step);
        shmem_quiet();
    }
}

/* Those to the west, east, north, south; -1: there is none. */
static void find_neighbors(int me, int n, int columns, int *of)
{
    int x = me % columns;
    of[0] = x ? me - 1 : -1;
    of[1] = x + 1 < columns ? me + 1 : -1;
    of[2] = me - columns;
    of[3] = me + columns < n ? me + columns : -1;
    of[2] = of[2] < 0 ? -1 : of[2];
}

/* Puts with signals to the neighbours that there are; then a sum. */
static void stencil(int me, int n, int columns)
{
    int of[SIDES];
    find_neighbors(me, n, columns, of);
    for (int step = 1; step <= STEPS; step++) {
        for (int side = 0; side < SIDES; side++)
            if (of[side] >= 0)
                shmem_putmem_signal_nbi(halo[side ^ 1], mine, sizeof mine, &signals[side ^ 1], (uint64_t)step,
                                        SHMEM_SIGNAL_SET, of[side]);
        pgasim_compute_flops(3e6);
        for (int side = 0; side < SIDES; side++)
            if (of[side] >= 0)
                shmem_signal_wait_until(&signals[side], SHMEM_CMP_GE, (uint64_t)step);
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &sum, 1);
    }
}

/* Neighbours add to one counter, so who ends a wait depends on the times. */
static void counter(int me, int n, int columns)
{
    int of[SIDES], neighbors = 0;
    find_neighbors(me, n, columns, of);
    for (int side = 0; side < SIDES; side++)
        neighbors += of[side] >= 0;
    for (int step = 1; step <= STEPS; step++) {
        pgasim_compute_flops(1e6);
        for (int side = 0; side < SIDES; side++)
            if (of[side] >= 0)
                shmem_long_atomic_inc(&count, of[side]);
        shmem_long_wait_until(&count, SHMEM_CMP_GE, (long)step * neighbors);
        shmem_barrier_all();
    }
}

/* Collectives whose result grows with the PEs, on the heap. */
static void gather(int me, int n)
{
    long *all = shmem_malloc((size_t)n * 8 * sizeof *all), *from = shmem_malloc((size_t)n * 8 * sizeof *all);
    memset(from, 0, (size_t)n * 8 * sizeof *all);
    for (int step = 0; step < STEPS; step++) {
        pgasim_compute_flops(1e6);
        shmem_long_fcollect(SHMEM_TEAM_WORLD, all, from, 8);
        shmem_long_alltoall(SHMEM_TEAM_WORLD, all, from, 8);
        shmem_long_broadcast(SHMEM_TEAM_WORLD, all, from, 8, n - 1);
        shmem_long_get(&total, from, 1, (me + n - 1) % n);
    }
    shmem_free(from);
    shmem_free(all);
}

/* Each to each, a team, and a wait for an operation that is somewhere else in each PE. */
static void irregular(const char *kind, int me, int n)
{
    shmem_team_t team;
    if (!strcmp(kind, "all"))
        for (int pe = 0; pe < n; pe++)
            shmem_long_p(&flag[0], 1, pe);
    if (!strcmp(kind, "odd") && me == 5)
        shmem_long_p(&flag[0], 1, 6);
    if (!strcmp(kind, "team"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, n / 2, NULL, 0, &team);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), columns = atoi(argv[2]);
    const char *kind = argv[1];
    if (!strcmp(kind, "stencil"))
        stencil(me, n, columns);
    else if (!strcmp(kind, "counter"))
        counter(me, n, columns);
    else if (!strcmp(kind, "gather"))
        gather(me, n);
    else
        ring(me, n);
    irregular(kind, me, n);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
