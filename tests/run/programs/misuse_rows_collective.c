/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: collectives. misuse_rows.h says
 * more. */
// misuse: warning misuse/active-set -np 4 -- outside_barrier
// misuse: warning misuse/active-set -np 4 -- outside_broadcast
// misuse: warning misuse/active-set -np 4 -- outside_reduce
// misuse: warning misuse/active-set -np 4 -- outside_collect
// misuse: warning misuse/active-set -np 4 -- outside_alltoalls
// misuse: warning misuse/active-set-size -np 4 -- large_set
// misuse: error active.set -np 4 -- no_active_set
// misuse: notice misuse/pwrk -np 4 -- pwrk_null
// misuse: warning misuse/psync-value -np 4 -- psync_value
// misuse: error roots.differ -np 4 -- roots_differ
#include "misuse_rows.h"

static void outside_barrier(void)
{
    shmem_barrier(0, 1, 2, psync);
    shmem_sync(1, 0, 2, psync2);
}

static void outside_broadcast(void)
{
    fill();
    shmem_broadcast64(all, from, 2, 1, 0, 1, 2, psync);
    CHECK(all[0] == (me == 0 ? 21 : 0));
}

static void outside_reduce(void)
{
    static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    fill();
    shmem_long_sum_to_all(all, from, 1, 0, 0, 3, work, psync);
    CHECK(all[0] == (me < 3 ? 33 : 0));
}

static void outside_collect(void)
{
    fill();
    shmem_collect64(all, from, 1, 0, 0, 2, psync);
    shmem_fcollect64(all + 4, from, 1, 0, 0, 2, psync2);
    CHECK(all[1] == (me < 2 ? 11 : 0) && all[5] == (me < 2 ? 11 : 0));
}

static void outside_alltoalls(void)
{
    fill();
    shmem_alltoall64(all, from, 1, 0, 0, 2, psync);
    shmem_alltoalls64(all + 4, from, 2, 1, 1, 0, 0, 2, psync2);
    CHECK(all[1] == (me < 2 ? 11 + me : 0) && all[6] == (me < 2 ? 11 + me : 0));
}

/* The PEs that exist. */
static void large_set(void)
{
    fill();
    shmem_barrier(0, 0, n + 1, psync2);
    if (me % 2 == 0)
        shmem_fcollect64(all, from, 1, 0, 1, n, psync);
    CHECK(all[1] == (me % 2 ? 0 : 21) && all[2] == 0);
}

static void no_active_set(void)
{
    shmem_barrier(-1, 0, n, psync);
}

static void pwrk_null(void)
{
    fill();
    shmem_long_sum_to_all(all, from, 1, 0, 0, n, NULL, psync);
    CHECK(all[0] == 10 * n * (n - 1) / 2 + n);
}

static void psync_value(void)
{
    psync[0] = 3;
    shmem_barrier(0, 0, n, psync);
}

static void roots_differ(void)
{
    shmem_broadcast64(all, from, 1, me == 2, 0, 0, n, psync);
}

static const struct row rows[] = {
    ROW(outside_barrier),   ROW(outside_broadcast), ROW(outside_reduce), ROW(outside_collect),
    ROW(outside_alltoalls), ROW(large_set),         ROW(no_active_set),  ROW(pwrk_null),
    ROW(psync_value),       ROW(roots_differ),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
