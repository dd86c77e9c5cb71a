/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock lets one PE in at a time: plain reads and writes under it lose nothing. test_lock does not wait. */
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 9
// stdout: 0 wrong in 9 PEs
// run: -np 9 --map-by host
// stdout: 0 wrong in 9 PEs
#include "check.h"

#include <unistd.h>

enum { ROUNDS = 20 };

static long lock, other_lock, counter, inside;

static void enter_and_leave(void)
{
    CHECK(shmem_long_atomic_fetch_inc(&inside, 0) == 0);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
    shmem_quiet();
    CHECK(shmem_long_atomic_fetch_add(&inside, -1, 0) == 1);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int k = 0; k < ROUNDS; k++) {
        shmem_set_lock(&lock);
        enter_and_leave();
        shmem_clear_lock(&lock);
    }
    for (int k = 0; k < ROUNDS; k++) {
        while (shmem_test_lock(&lock))
            usleep(1);
        enter_and_leave();
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (me == 0)
        CHECK(counter == 2L * ROUNDS * n);
    if (me == 0)
        shmem_set_lock(&other_lock);
    shmem_barrier_all();
    CHECK(shmem_test_lock(&other_lock) == 1 || me == 0); /* it is held: by another, or by this PE */
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&other_lock);
    return check_end();
}
