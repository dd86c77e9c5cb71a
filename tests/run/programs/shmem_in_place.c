/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions, scans and broadcasts whose dest is their source, short and long: right, and no overlap to warn
 * of. */
// run: -np 1 --strict
// stdout: passed on 1 PEs
// run: -np 5 --strict --map-by host
// stdout: passed on 5 PEs
// run: -np 8 --strict
// stdout: passed on 8 PEs
#include "shmem_check.h"

enum { N = 40000 };
static int me, n;
static long a[N];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        a[i] = me * 10 + i;
    shmem_sync_all();
}

/* a[i] = base + i times: what all PEs', or some PEs', parts come to. */
static void expect(int count, long base, long times)
{
    for (int i = 0; i < count; i++)
        CHECK(a[i] == base + i * times);
    for (int i = count; i < N; i++)
        CHECK(a[i] == me * 10 + i);
    shmem_sync_all();
}

int main(void)
{
    static const int counts[] = {0, 1, 7, 1000, N};
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
#if VERSION_AT_LEAST(6)
    for (int k = 0; k < 5; k++) {
        size_t count = (size_t)counts[k];
        for (int root = 0; root < n; root += 3) {
            fill();
            shmem_long_broadcast(SHMEM_TEAM_WORLD, a, a, count, root);
            expect(counts[k], root * 10, 1);
        }
        fill();
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, a, count);
        expect(counts[k], 5L * n * (n - 1), n);
        fill();
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, a, a, count);
        expect(counts[k], 5L * me * (me + 1), me + 1);
        fill();
        shmem_long_sum_exscan(SHMEM_TEAM_WORLD, a, a, count);
        expect(counts[k], 5L * me * (me - 1), me);
    }
#endif
    return finish();
}
