/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers into another PE's memory: where there are any, loads and stores through them reach it, and a store
 * wakes who waits for it. PEs of one host and of two. */
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 4 --map-by host
// stdout: passed on 4 PEs
#include "shmem_check.h"

static long global;
static int me, n;

/* The next PE's variable, at this PE's address of it, if loads and stores can reach it. */
static void check_pointer(long *mine)
{
    int next = (me + 1) % n, before = (me + n - 1) % n;
    *mine = me + 10;
    shmem_barrier_all();
    long *there = shmem_ptr(mine, next);
    CHECK(!there || *there == next + 10);
    CHECK(shmem_ptr(mine, me) == mine);
    shmem_barrier_all();
    if (there)
        *there = me + 50;
    else
        shmem_long_p(mine, me + 50, next);
    shmem_long_wait_until(mine, SHMEM_CMP_EQ, before + 50);
    shmem_barrier_all();
}

int main(void)
{
    long local = 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    long *heap = shmem_malloc(sizeof *heap);
    for (int round = 0; round < 3; round++) {
        check_pointer(&global);
        check_pointer(heap);
    }
    CHECK(shmem_ptr(&local, (me + 1) % n) == NULL);
#if VERSION_AT_LEAST(6)
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, me) == heap);
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, heap, me) == NULL);
#endif
    shmem_free(heap);
    return finish();
}
