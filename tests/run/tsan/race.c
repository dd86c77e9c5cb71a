/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that write to each other's memory through addresses that they were sent, at the same time: what no
 * program may do. */
#include <shmem.h>
#include <stdio.h>

static long counter, *mine = &counter, *other;

int main(void)
{
    shmem_init();
    shmem_putmem(&other, &mine, sizeof other, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    for (long k = 0; k < 1000000; k++) {
        ++*other;
        ++counter;
    }
    shmem_barrier_all();
    printf("%ld\n", counter);
    shmem_finalize();
    return 0;
}
