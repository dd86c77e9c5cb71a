/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE at SHMEM_THREAD_MULTIPLE, each with a context of its own or all with one: waits, puts,
 * atomics and gets at once; a thread that waits does not stop the others. */
// build: $OSHCC -std=gnu11 -Wall -Wextra -Werror -g "$SRC" -o $EXE -pthread
// run: -np 1
// stdout: passed on 1 PEs
// stderr-not: misuse
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 4 --map-by host --strict
// stdout: passed on 4 PEs
#include "shmem_check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 20 };

static int me, n, next;
static long stored, sum, flags[THREADS], board[THREADS][ROUNDS + 1];
static uint64_t bell;
static shmem_ctx_t shared;

/* Thread t of all PEs: a ring of flags of its own. */
static void *work(void *arg)
{
    const long t = (long)arg;
    shmem_ctx_t own;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &own) == 0);
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_atomic_add(own, &sum, 1L, (int)((me + t + round) % n));
        shmem_p(shared, &board[t][round], round, next);
        shmem_ctx_fence(shared);
        shmem_p(shared, &flags[t], round, next);
        shmem_wait_until(&flags[t], SHMEM_CMP_GE, round);
        CHECK(board[t][round] == round);
    }
    shmem_ctx_quiet(own);
    CHECK(shmem_g(own, &flags[t], me) == ROUNDS);
    shmem_ctx_destroy(own);
    return NULL;
}

/* Waits while the others work; the main thread wakes it at the end. */
static void *listen(void *arg)
{
    *(uint64_t *)arg = shmem_signal_wait_until(&bell, SHMEM_CMP_NE, 0);
    return NULL;
}

/* Waits for a store of the main thread's own. */
static void *watch(void *arg)
{
    (void)arg;
    shmem_long_wait_until(&stored, SHMEM_CMP_EQ, 3);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS], listener;
    uint64_t heard = 0;
    int level = -1;
    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) == 0 && level == SHMEM_THREAD_MULTIPLE);
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    CHECK(shmem_ctx_create(0, &shared) == 0);
    pthread_create(&listener, NULL, listen, &heard);
    for (long t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, work, (void *)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    shmem_barrier_all();
    CHECK(sum == (long)THREADS * ROUNDS);
    CHECK(heard == 0);
    shmem_barrier_all();
    shmem_signal_set(&bell, 5u + (unsigned)me, next);
    pthread_join(listener, NULL);
    CHECK(heard == 5u + (unsigned)(me + n - 1) % (unsigned)n);
    pthread_create(&listener, NULL, watch, NULL);
    shmem_barrier_all();
    stored = 3;
    pthread_join(listener, NULL);
    return finish();
}
