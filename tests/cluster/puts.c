/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE puts its number to the next one, which prints it; and how long ten puts with a barrier take. */
#include <shmem.h>
#include <stdio.h>
#include <time.h>

static long got;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    double begin = now();
    for (int k = 0; k < 10; k++) {
        shmem_long_p(&got, me, (me + 1) % n);
        shmem_barrier_all();
    }
    printf("%d %ld\n", me, got);
    if (me == 0)
        printf("10 puts and barriers: %.3f ms\n", (now() - begin) * 1e3);
    shmem_finalize();
    return 0;
}
