/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both threads of each rank poll at the same time, each a word of its own: one token goes around forwards and
 * one backwards. A third word is polled by both.
 */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $OSHCC -g -O2 -pthread "$SRC" -o $EXE
// run: -np 2
// stdout: 3 rounds both ways
// stderr-not: warning
// run: -np 7
// stdout: 3 rounds both ways
// stderr-not: warning
// jobs: 2
// run: -np 64
// stdout: 3 rounds both ways
// stderr-not: warning
// times: 1
// run: -np 1000
// stdout: 3 rounds both ways
// stderr-not: warning
// times: 1
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 3 };
static volatile long token[2], start;
static int me, n;

static void await(const volatile long *word, long k)
{
    while (*word < k)
        ;
}

/* 0: forwards, 1: backwards */
static void go_around(int way)
{
    int next = way ? (me + n - 1) % n : (me + 1) % n;
    await(&start, 1);
    for (long k = 1; k <= ROUNDS; k++) {
        if (me)
            await(&token[way], k);
        shmem_long_p((long *)&token[way], k, next);
        if (!me)
            await(&token[way], k);
    }
}

static void *backwards(void *arg)
{
    go_around(1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int level;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (pthread_create(&thread, NULL, backwards, NULL))
        abort();
    shmem_long_p((long *)&start, 1, (me + 1) % n);
    go_around(0);
    pthread_join(thread, NULL);
    shmem_barrier_all();
    if (!me)
        printf("%d rounds both ways\n", ROUNDS);
    shmem_finalize();
    return 0;
}
