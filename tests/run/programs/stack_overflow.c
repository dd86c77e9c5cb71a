/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank whose stack is too small is told so, with its number and what to do; so it is at a rank count where
 * guard pages would exceed the system's limit on mappings. */
// run: -np 2
// status: 139
// stderr-match: rank 1 \(host \S+\) at \S+ \S+: stack overflow: its stack of 8\S* MiB is full.*--stack-size
// run: -np 2 --stack-size 1MiB
// status: 139
// stderr-match: rank 1 .*stack overflow: its stack of 1\S* MiB is full
// run: -np 2 --stack-size 64MiB -- 50
// stdout: PE 1 went 50 deep
// run: -np 2 --stack-size 32KiB -- 50
// status: 139
// stderr-match: rank 1 .*stack overflow: its stack of 32\S* KiB is full
// run: -np 40000
// privatize: swap
// times: 1
// status: 139
// stderr-match: rank 1 .*stack overflow: its stack of 256\S* KiB is full
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long deep(long levels)
{
    volatile char room[1000];
    room[levels % 1000] = 0;
    return levels == 0 ? 0 : 1 + deep(levels - 1) + room[levels % 1000];
}

int main(int argc, char **argv)
{
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("PE 1 went %ld deep\n", deep(argc > 1 ? atol(argv[1]) : 100000000));
    shmem_finalize();
    return 0;
}
