/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: mutual exclusion, first come first served, quiet at release, test without waiting, wrong use. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: --strict -np 2 -- twice
// status: 5
// stderr-match: rank 1 .*: shmem_set_lock: this PE already holds lock lock .*
// run: --strict -np 2 -- not_mine
// status: 5
// stderr-match: rank 1 .*: shmem_clear_lock: .*PE 1 does not hold lock lock .*: nobody does
// run: -np 2 -- local
// status: 5
// stderr-match: rank 1 .*: shmem_set_lock: .*symmetric
#include <string.h>

#include "shmem_check.h"

enum { ROUNDS = 20 };
static int me, n;
static long lock, other_lock, inside, turn;
static double total;

/* Reads and writes of PE 0's variables that would be lost if two were inside at once. */
static void check_exclusion(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        shmem_set_lock(&lock);
        CHECK(shmem_long_atomic_fetch_inc(&inside, 0) == 0);
        double t = shmem_double_g(&total, 0);
        shmem_double_p(&total, t + me + 1, 0);
        shmem_long_atomic_add(&inside, -1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(shmem_double_g(&total, 0) == ROUNDS * n * (n + 1) / 2.0);
    shmem_barrier_all();
}

/* PE 0 holds the lock while the others come one after another: they get it in that order. */
static void check_order(void)
{
    static long come, order[64];
    if (me == 0)
        shmem_set_lock(&other_lock);
    shmem_barrier_all();
    if (me > 0) {
        shmem_long_wait_until(&come, SHMEM_CMP_EQ, me);
        if (me + 1 < n)
            shmem_long_p(&come, me + 1, me + 1); /* arrives long after this PE's own place is taken */
        shmem_set_lock(&other_lock);
        shmem_long_p(&order[shmem_long_atomic_fetch_inc(&turn, 0)], me, 0);
        shmem_clear_lock(&other_lock);
    } else {
        for (int pe = 1; pe < n; pe++) {
            if (pe == 1)
                shmem_long_p(&come, 1, 1);
            for (int i = 0; i < 200; i++)
                CHECK(shmem_long_g(&turn, n - 1) == 0); /* lets time pass; nobody is through */
        }
        shmem_clear_lock(&other_lock);
    }
    shmem_barrier_all();
    if (me == 0) {
        CHECK(turn == n - 1);
        for (int i = 0; i + 1 < n; i++)
            CHECK(order[i] == i + 1);
    }
    shmem_barrier_all();
}

static void check_test(void)
{
    static long won;
    if (me == 0)
        CHECK(shmem_test_lock(&lock) == 0);
    shmem_barrier_all();
    CHECK(shmem_test_lock(&lock) != 0);
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    if (shmem_test_lock(&lock) == 0) {
        shmem_long_atomic_inc(&won, 0);
        shmem_barrier_all();
        shmem_clear_lock(&lock);
    } else {
        shmem_barrier_all();
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&won, 0) == 1);
    for (int i = 0; i < 5; i++) {
        while (shmem_test_lock(&lock))
            ;
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(lock == 0 && other_lock == 0);
}

static void misuse(const char *how)
{
    long local = 0;
    if (me == 1 && strcmp(how, "twice") == 0) {
        shmem_set_lock(&lock);
        shmem_set_lock(&lock);
    } else if (me == 1 && strcmp(how, "not_mine") == 0) {
        shmem_clear_lock(&lock);
    } else if (me == 1 && strcmp(how, "local") == 0) {
        shmem_set_lock(&local);
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (argc > 1)
        misuse(argv[1]);
    check_exclusion();
    check_order();
    check_test();
    return finish();
}
