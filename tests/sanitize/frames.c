/* SPDX-License-Identifier: BSD-3-Clause */
/* A local variable that a put uses until the function returns, beside others that are never set. */
#include <shmem.h>
#include <stdio.h>

static long there[8];

static __attribute__((noinline)) void put(int to)
{
    long unset[200], mine[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    __asm__ volatile("" : : "r"(unset) : "memory");
    shmem_long_put_nbi(there, mine, 8, to);
    shmem_quiet();
}

int main(void)
{
    shmem_init();
    put((shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    if (!shmem_my_pe())
        printf("put %ld\n", there[7]);
    shmem_finalize();
    return 0;
}
