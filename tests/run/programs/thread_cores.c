/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that compute share the cores of their simulated host; calls of threads take time. */
// build: $OSHCC -g "$SRC" -o $EXE
// build: printf '%s' '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1"><zone id="z" routing="Full"><host id="h" speed="1Gf" core="4"/></zone></platform>' > $W/p.xml
// run: -np 1 --platform p.xml --set thread/create-cost=0 --set thread/wake-cost=0 --set thread/call-cost=0 -- 4 1
// stdout: 0: 1.000 s
// run: -np 1 --platform p.xml --set thread/create-cost=0 --set thread/wake-cost=0 --set thread/call-cost=0 -- 8 1
// stdout: 0: 2.000 s
// run: -np 1 --platform p.xml --set thread/create-cost=0 --set thread/wake-cost=0 --set thread/call-cost=0 -- 6 0
// stdout: 0: 1.250 s
// run: -np 2 --platform p.xml --set thread/create-cost=0 --set thread/wake-cost=0 --set thread/call-cost=0 -- 4 1
// stdout-has: 0: 2.000 s
// stdout-has: 1: 2.000 s
// run: -np 1 --platform p.xml --set thread/create-cost=1s --set thread/wake-cost=0.25s --set thread/call-cost=0 -- 2 1
// stdout: 0: 3.250 s
#include <pgasim.h>
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int equal;

/* The second half of the threads have half as much to do. */
static void *computes(void *arg)
{
    pgasim_compute_flops(equal || (intptr_t)arg < 4 ? 1e9 : 0.5e9);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t id[16];
    int n = argc > 1 ? atoi(argv[1]) : 1;
    equal = argc > 2 ? atoi(argv[2]) : 1;
    shmem_init();
    shmem_barrier_all();
    double before = pgasim_time();
    for (intptr_t k = 0; k < n; k++)
        pthread_create(&id[k], NULL, computes, (void *)k);
    for (int k = 0; k < n; k++)
        pthread_join(id[k], NULL);
    printf("%d: %.3f s\n", shmem_my_pe(), pgasim_time() - before);
    shmem_finalize();
    return 0;
}
