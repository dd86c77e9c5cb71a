/* SPDX-License-Identifier: BSD-3-Clause */
/* Globals and statics are symmetric: puts, gets and atomics reach those of every rank, loaded or not. */
// run: -np 2
// stdout: 0 wrong in 2 PEs
// run: -np 7
// stdout: 0 wrong in 7 PEs
// run: -np 65
// stdout: 0 wrong in 65 PEs
#include <shmem.h>
#include <stdio.h>

long data = -1;
static long bss[3];
static long counter, wrong_of_all;

static long *function_static(void)
{
    static long value = 9;
    return &value;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    long wrong = 0, triple[3] = {me, me + 1, me + 2}, seen[3] = {-1, -1, -1};
    shmem_long_p(&data, me, next);
    shmem_long_put(bss, triple, 3, next);
    shmem_long_p(function_static(), 100 + me, next);
    for (int pe = 0; pe < n; pe++)
        shmem_long_atomic_add(&counter, pe, (me + pe) % n);
    shmem_barrier_all();
    wrong += data != before || bss[0] != before || bss[2] != before + 2 || *function_static() != 100 + before;
    wrong += counter != (long)n * (n - 1) / 2;
    for (int pe = 0; pe < n; pe++) {
        int its_before = (pe + n - 1) % n;
        shmem_long_get(seen, bss, 3, pe);
        wrong += seen[0] != its_before || seen[1] != its_before + 1 || seen[2] != its_before + 2;
        wrong += shmem_long_g(&data, pe) != its_before;
    }
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, n);
    shmem_finalize();
    return 0;
}
