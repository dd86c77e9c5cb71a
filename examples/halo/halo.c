/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo: a ring of cells, each of which becomes the sum of itself and its two neighbours, modulo 1000, in each step.
 * Every PE holds a piece, and puts its edges into the halos of its neighbours. There is an error in it, which hardly
 * ever shows; compiled with -DREPAIRED, there is none. README.md finds it.
 */
#include <assert.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 8, STEPS = 6, MOST = 64 };

static long row[2][CELLS + 2]; /* halos at 0 and CELLS + 1 */

static void exchange(long *now, int left, int right)
{
    shmem_long_put_nbi(&now[CELLS + 1], &now[1], 1, left);
    shmem_long_put_nbi(&now[0], &now[CELLS], 1, right);
#ifdef REPAIRED
    shmem_quiet();
#endif
    shmem_sync_all();
}

static void step(const long *now, long *next)
{
    for (int i = 1; i <= CELLS; i++)
        next[i] = (now[i - 1] + now[i] + now[i + 1]) % 1000;
}

/* The same by one PE. */
static void model(long *ring, int n)
{
    long next[MOST * CELLS] = {0};
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < n; i++)
            next[i] = (ring[(i + n - 1) % n] + ring[i] + ring[(i + 1) % n]) % 1000;
        memcpy(ring, next, (size_t)n * sizeof *ring);
    }
}

int main(void)
{
    long ring[MOST * CELLS];
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    assert(pes <= MOST);
    for (int i = 0; i < pes * CELLS; i++)
        ring[i] = i;
    for (int i = 1; i <= CELLS; i++)
        row[0][i] = me * CELLS + i - 1;
    for (int s = 0; s < STEPS; s++) {
        exchange(row[s % 2], (me + pes - 1) % pes, (me + 1) % pes);
        step(row[s % 2], row[(s + 1) % 2]);
    }
    model(ring, pes * CELLS);
    for (int i = 1; i <= CELLS; i++)
        assert(row[STEPS % 2][i] == ring[me * CELLS + i - 1]);
    shmem_barrier_all();
    if (me == 0)
        printf("%d cells, %d steps: as expected\n", pes * CELLS, STEPS);
    shmem_finalize();
    return 0;
}
