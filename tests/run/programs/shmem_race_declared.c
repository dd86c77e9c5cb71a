/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order of threads that a program declares itself, by annotations at the word of its own lock. The lock's atomics
 * are relaxed, so they order nothing: neither do they undo what is declared, nor does it reach those who declare
 * nothing.
 */
// build: $OSHCC --check -g -O0 -pthread "$SRC" -o $EXE
// run: --check=races -np 1 -- declared
// stderr-not: pgasim: race:
// run: --check=races -np 1 -- relaxed
// status: 7
// stderr-match: ^    nothing orders a store before a store$
// run: --check=races -np 1 -- apart
// status: 7
// stderr-match: ^    nothing orders a store before a store$
#include <pthread.h>
#include <shmem.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

void AnnotateHappensBefore(const char *file, int line, const volatile void *object);
void AnnotateHappensAfter(const char *file, int line, const volatile void *object);

static atomic_int lock;
static long data;
static int declares, acquires;

static void hold(void)
{
    while (atomic_exchange_explicit(&lock, 1, acquires ? memory_order_acquire : memory_order_relaxed))
        usleep(1);
    if (declares && !acquires)
        AnnotateHappensAfter(__FILE__, __LINE__, &lock);
}

static void leave(void)
{
    if (declares)
        AnnotateHappensBefore(__FILE__, __LINE__, &lock);
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
}

static void *worker(void *unused)
{
    hold();
    data++;
    leave();
    return unused;
}

/* "apart": it is declared, but who comes second looks at the atomic instead. */
int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    declares = argc > 1 && strcmp(argv[1], "relaxed") != 0;
    acquires = argc > 1 && !strcmp(argv[1], "apart");
    pthread_create(&thread, NULL, worker, NULL);
    usleep(1000);
    worker(NULL);
    pthread_join(thread, NULL);
    shmem_finalize();
    return 0;
}
