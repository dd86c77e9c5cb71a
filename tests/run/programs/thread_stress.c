/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of 8 threads a rank with every kind of lock, waits and thread-local data: the sums must be
 * those of the same program on this machine's own threads (build with -DNATIVE).
 */
// build: $OSHCC -g -O1 "$SRC" -o $EXE
// build: $CC -DNATIVE -g -O1 "$SRC" -o $W/native -lpthread
// build: $W/native > $W/expected
// run: -np 64 --
// stdout-file: expected
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef NATIVE
#include <shmem.h>
#endif

enum { THREADS = 8, STEPS = 60, CELLS = 5, RANKS = 64, SEED = 4711 };

static uint64_t cell[CELLS], shared, once_value;
static pthread_mutex_t mutex[CELLS];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once;
static pthread_key_t key;
static sem_t tokens;
static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_more = PTHREAD_COND_INITIALIZER;
static int queued;
static uint64_t of_keys;
static _Thread_local uint64_t own;
static _Thread_local uint64_t state = 12345;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void add(uint64_t *to, uint64_t value, int pause)
{
    uint64_t seen = *to;
    if (pause)
        usleep(1);
    *to = seen + value;
}

static void begin_once(void)
{
    usleep(5);
    once_value++;
}

static void of_key(void *value)
{
    __atomic_fetch_add(&of_keys, (uintptr_t)value, __ATOMIC_SEQ_CST);
}

static void step(uint64_t r)
{
    int k = (int)((r >> 8) % CELLS), pause = (r >> 20) % 8 == 0;
    switch (r % 7) {
    case 0:
    case 1:
        pthread_mutex_lock(&mutex[k]);
        add(&cell[k], r & 1023, pause);
        pthread_mutex_unlock(&mutex[k]);
        break;
    case 2:
        if (r >> 30 & 1) {
            pthread_rwlock_wrlock(&rw);
            add(&shared, r & 255, pause);
        } else {
            pthread_rwlock_rdlock(&rw);
            own += pause;
        }
        pthread_rwlock_unlock(&rw);
        break;
    case 3:
        pthread_spin_lock(&spin);
        add(&shared, 0, 0);
        pthread_spin_unlock(&spin);
        break;
    case 4:
        sem_wait(&tokens);
        if (pause)
            usleep(1);
        sem_post(&tokens);
        break;
    case 5:
        pthread_mutex_lock(&queue_mutex);
        queued++;
        pthread_cond_broadcast(&queue_more);
        pthread_mutex_unlock(&queue_mutex);
        break;
    default:
        pthread_once(&once, begin_once);
        own += r & 15;
        pthread_setspecific(key, (void *)(uintptr_t)(1 + (uintptr_t)own));
    }
}

static void *body(void *arg)
{
    state = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15) + SEED;
    for (int k = 0; k < STEPS; k++) {
        step(next());
        if (k % 20 == 19)
            pthread_barrier_wait(&barrier);
    }
    return (void *)(uintptr_t)own;
}

static uint64_t play(int rank)
{
    pthread_t id[THREADS];
    uint64_t sum = 0;
    own = 1;
    shared = once_value = of_keys = 0;
    queued = 0;
    once = PTHREAD_ONCE_INIT;
    for (int k = 0; k < CELLS; k++) {
        pthread_mutex_init(&mutex[k], NULL);
        cell[k] = 0;
    }
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_key_create(&key, of_key);
    sem_init(&tokens, 0, 3);
    for (int k = 0; k < THREADS; k++)
        pthread_create(&id[k], NULL, body, (void *)(uintptr_t)(rank * THREADS + k + 1));
    for (int k = 0; k < THREADS; k++) {
        void *result;
        pthread_join(id[k], &result);
        sum = sum * 31 + (uintptr_t)result;
    }
    for (int k = 0; k < CELLS; k++)
        sum = sum * 31 + cell[k];
    pthread_key_delete(key);
    return ((((sum * 31 + shared) * 31 + once_value) * 31 + of_keys) * 31 + own) * 31 + (uint64_t)queued;
}

int main(void)
{
#ifdef NATIVE
    for (int rank = 0; rank < RANKS; rank++)
        printf("%d %llx\n", rank, (unsigned long long)play(rank));
#else
    static uint64_t mine, all[RANKS];
    shmem_init();
    mine = play(shmem_my_pe());
    shmem_fcollectmem(SHMEM_TEAM_WORLD, all, &mine, sizeof mine);
    if (shmem_my_pe() == 0)
        for (int rank = 0; rank < RANKS; rank++)
            printf("%d %llx\n", rank, (unsigned long long)all[rank]);
    shmem_finalize();
#endif
    return 0;
}
