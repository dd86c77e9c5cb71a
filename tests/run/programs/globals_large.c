/* SPDX-License-Identifier: BSD-3-Clause */
/* Megabytes of globals, whose pages are moved when they are exchanged: stores by name, puts, gets and pointers
 * of other ranks reach the right rank's, and ranks alternate with each message. */
// run: -np 2
// stdout: 0 wrong in 2 PEs
// run: -np 7
// stdout: 0 wrong in 7 PEs
// run: -np 33
// stdout: 0 wrong in 33 PEs
#include <shmem.h>
#include <stdio.h>

enum { ZEROS = 1 << 18, VALUES = 1 << 15, ROUNDS = 40, STRIDE = 5003 };

static long zeros[ZEROS];
static long values[VALUES] = {[0] = 5, [VALUES / 2] = 6, [VALUES - 1] = 7};
static long turn, wrong_of_all;

/* What a PE stores in its own, in this round. */
static void store(int me, int round)
{
    for (int k = round; k < ZEROS; k += STRIDE)
        zeros[k] = (long)me << 32 | k;
    values[1 + round] = me - round;
}

static long check_own(int me)
{
    long wrong =
        values[0] != 5 || values[VALUES / 2] != 6 || values[VALUES - 1] != 7 || zeros[ZEROS - 1] != 0;
    for (int round = 0; round < ROUNDS; round++) {
        wrong += values[1 + round] != me - round;
        for (int k = round; k < ZEROS; k += STRIDE)
            wrong += zeros[k] != ((long)me << 32 | k);
    }
    return wrong;
}

/* Through transfers and, where there is one, a pointer. */
static long check_other(int pe)
{
    long seen[2], wrong = 0, *there = shmem_ptr(zeros, pe);
    for (int round = 0; round < ROUNDS; round++) {
        int k = round + STRIDE;
        shmem_long_get(seen, &zeros[k], 1, pe);
        wrong += seen[0] != ((long)pe << 32 | k) || shmem_long_g(&values[1 + round], pe) != pe - round;
        wrong += there && there[k] != seen[0];
    }
    return wrong;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    for (int round = 0; round < ROUNDS; round++) {
        if (me > 0)
            shmem_long_wait_until(&turn, SHMEM_CMP_GT, round);
        store(me, round);
        shmem_long_p(&turn, round + 1, next);
        if (me == 0)
            shmem_long_wait_until(&turn, SHMEM_CMP_GT, round);
    }
    shmem_barrier_all();
    long wrong = check_own(me);
    for (int pe = 0; pe < n; pe++)
        wrong += check_other(pe);
    shmem_barrier_all();
    long mine[3] = {me, me, me}, *there = shmem_ptr(zeros, next);
    shmem_long_put(&zeros[ZEROS - 10], mine, 3, next);
    if (there)
        there[ZEROS - 20] = me + 1;
    shmem_barrier_all();
    int before = (me + n - 1) % n;
    wrong += zeros[ZEROS - 9] != before || (there && zeros[ZEROS - 20] != before + 1);
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld wrong in %d PEs\n", wrong_of_all, n);
    shmem_finalize();
    return 0;
}
