/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP in each PE. And mistakes, made by one of its threads. */
#include <omp.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe();
    const char *what = argc > 2 && me == atoi(argv[2]) ? argv[1] : "";
    int *a = malloc(100 * sizeof *a), over = !strcmp(what, "heap"), out = !strcmp(what, "stack");
    long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 100 + over; i++) {
        volatile int own[4] = {0};
        a[i] = i;                            /* heap */
        own[(i & 3) + (out && i == 99)] = i; /* stack */
        sum += own[i & 3];
    }
    if (!strcmp(what, "leak"))
#pragma omp parallel num_threads(4)
    {
        void *volatile p = malloc(33); /* leak */
        p = NULL;
        (void)p;
    }
    shmem_barrier_all();
    if (me == 0)
        printf("sum %ld\n", sum);
    free(a);
    shmem_finalize();
    return 0;
}
