/* SPDX-License-Identifier: BSD-3-Clause */
/* How a rank with threads ends, and what is said when they hang. */
// run: -np 2 -- return
// stdout-has: 0: handler
// stdout-has: 1: handler
// run: -np 2 -- exit
// stdout-has: 0: handler
// stdout-has: 1: handler
// run: -np 2 -- exit-joins
// stdout-has: 0: worker done
// stdout-has: 0: handler
// run: -np 2 -- pthread_exit
// stdout-has: 0: last thread
// stdout-has: 1: last thread
// stdout-has: 1: handler
// run: -np 2 -- status
// status: 7
// stderr-match: ended with exit status 7
// run: -np 2 -- mutexes
// status: 3
// stderr-match: deadlock at \S+ \S+ of simulated time: 2 of 2 ranks wait
// stderr-match: pthread_mutex_lock: 4 threads of ranks: 0-1
// stderr-match: rank 0, thread 2 since [^\n]*: 'second', held by thread 3
// stderr-match: rank 0, thread 3 since [^\n]*: 'first', held by thread 2
// stderr-match: rank 0, thread 1 since [^\n]*: the end of thread 2
// run: -np 1 -- self
// status: 3
// stderr-match: pthread_mutex_lock: 1 rank: 0
// stderr-match: 'first', locked already by the same thread 1
// run: -np 1 -- condition
// status: 3
// stderr-match: rank 0, thread 2 since [^\n]*: 'never'
// run: -np 2 -- barrier
// status: 3
// stderr-match: 'gate', 1 of 3 are there
// run: -np 2 --stack-size 64KiB -- overflow
// status: 139
// stderr-match: rank \d, thread 2 \(host \S+\) at [^\n]*: stack overflow
// run: -np 1 -- crash
// status: 139
// stderr-match: rank 0, thread 2 \(host \S+\) at [^\n]* was ended by signal 11
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t gate;
static pthread_t worker;

static void handler(void)
{
    printf("%d: handler\n", me);
}

static void *sleeps(void *arg)
{
    sleep(1000);
    return arg;
}

static void *waits(void *arg)
{
    pthread_mutex_lock(&first);
    pthread_cond_wait(&never, &first);
    return arg;
}

static void *blocks(void *arg)
{
    static long flag;
    shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
    return arg;
}

static void *exits(void *arg)
{
    usleep(10);
    exit(*(int *)arg);
}

static void *works(void *arg)
{
    usleep(1000);
    printf("%d: worker done\n", me);
    return arg;
}

static void joins(void)
{
    pthread_join(worker, NULL);
}

static void *last(void *arg)
{
    usleep(1000);
    printf("%d: last thread\n", me);
    return arg;
}

static void *locks(void *arg)
{
    pthread_mutex_t *m[2] = {&first, &second};
    int k = *(int *)arg;
    pthread_mutex_lock(m[k]);
    usleep(100);
    pthread_mutex_lock(m[!k]);
    return NULL;
}

static void *gates(void *arg)
{
    pthread_barrier_wait(&gate);
    return arg;
}

static int deep(int n)
{
    volatile char room[512];
    room[n % 512] = 1;
    return n ? deep(n - 1) + room[0] : 0;
}

static void *overflows(void *arg)
{
    printf("%d\n", deep(100000));
    return arg;
}

static void *crashes(void *arg)
{
    *(volatile int *)arg = 1;
    return arg;
}

static pthread_t start(void *(*body)(void *), void *arg)
{
    pthread_t id;
    pthread_create(&id, NULL, body, arg);
    return id;
}

int main(int argc, char **argv)
{
    static int zero, one = 1, seven = 7;
    const char *way = argc > 1 ? argv[1] : "";
    shmem_init();
    me = shmem_my_pe();
    atexit(handler);
    if (!strcmp(way, "return") || !strcmp(way, "exit")) {
        start(sleeps, NULL);
        start(waits, NULL);
        start(blocks, NULL);
        usleep(100);
        if (!strcmp(way, "return"))
            return 0;
        pthread_join(start(exits, &zero), NULL);
    } else if (!strcmp(way, "exit-joins")) {
        atexit(joins);
        worker = start(works, NULL);
    } else if (!strcmp(way, "pthread_exit")) {
        start(last, NULL);
        pthread_exit(NULL);
    } else if (!strcmp(way, "status")) {
        pthread_join(start(exits, &seven), NULL);
    } else if (!strcmp(way, "mutexes")) {
        pthread_t id = start(locks, &zero);
        start(locks, &one);
        pthread_join(id, NULL);
    } else if (!strcmp(way, "self")) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&first);
    } else if (!strcmp(way, "condition")) {
        pthread_join(start(waits, NULL), NULL);
    } else if (!strcmp(way, "barrier")) {
        pthread_barrier_init(&gate, NULL, 3);
        pthread_join(start(gates, NULL), NULL);
    } else if (!strcmp(way, "overflow")) {
        pthread_join(start(overflows, NULL), NULL);
    } else if (!strcmp(way, "crash")) {
        pthread_join(start(crashes, NULL), NULL);
    }
    return 0;
}
