/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whatif: how fast would a plate of SIDE x SIDE cells be relaxed on a cluster that I do not have?
 *
 *   whatif [SIDE [ITERATIONS]]
 *
 * The communication is real: each PE owns a strip of rows and puts its first and last row to its neighbours,
 * as heat does. The computation is only declared, by pgasim_compute_flops, so that a plate of 10^10 cells
 * takes no time and no memory here. Elsewhere than under pgasim those calls do nothing and only the
 * communication is left.
 */
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOPS_PER_CELL = 6 }; /* four sums and products, and the change */

static long arrived[2]; /* from the PE above and from the one below */

static void exchange(double *edge, double *halo, size_t side, long iteration)
{
    int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    if (me > 0)
        shmem_double_put(halo + side, edge, side, me - 1);
    if (me < last)
        shmem_double_put(halo, edge, side, me + 1);
    shmem_fence();
    if (me > 0)
        shmem_long_p(&arrived[1], iteration, me - 1);
    if (me < last)
        shmem_long_p(&arrived[0], iteration, me + 1);
    if (me > 0)
        shmem_long_wait_until(&arrived[0], SHMEM_CMP_GE, iteration);
    if (me < last)
        shmem_long_wait_until(&arrived[1], SHMEM_CMP_GE, iteration);
}

int main(int argc, char **argv)
{
    long side = argc > 1 ? atol(argv[1]) : 100000, iterations = argc > 2 ? atol(argv[2]) : 10;
    shmem_init();
    double cells = (double)side * (double)side / shmem_n_pes(), computing = 0;
    double *edge = shmem_malloc((size_t)side * sizeof *edge),
           *halo = shmem_malloc(2 * (size_t)side * sizeof *halo);
    if (side < 1 || iterations < 1 || !edge || !halo)
        shmem_global_exit(2);
    shmem_barrier_all();
    double start = pgasim_time();
    for (long i = 1; i <= iterations; i++) {
        double before = pgasim_time();
        pgasim_compute_flops(FLOPS_PER_CELL * cells);
        computing += pgasim_time() - before;
        exchange(edge, halo, (size_t)side, i);
    }
    shmem_barrier_all();
    double whole = pgasim_time() - start;
    if (shmem_my_pe() == 0)
        printf("%d PEs: %.3e s an iteration, %.1f %% of it computing\n", shmem_n_pes(),
               whole / (double)iterations, whole > 0 ? 100 * computing / whole : 0);
    shmem_free(halo);
    shmem_free(edge);
    shmem_finalize();
    return 0;
}
