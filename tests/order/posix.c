/* SPDX-License-Identifier: BSD-3-Clause */
/* What orders POSIX and C11 threads, and what does not. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>

#define CELLS                                                                                                \
    CELL(made, 0)                                                                                            \
    CELL(joined, 0)                                                                                          \
    CELL(not_joined, 1)                                                                                      \
    CELL(tried_join, 0)                                                                                      \
    CELL(pool, 1)                                                                                            \
    CELL(mutex, 0)                                                                                           \
    CELL(two_mutexes, 1)                                                                                     \
    CELL(mutex_again, 1) CELL(trylock, 0) CELL(spin, 0) CELL(write_read, 0) CELL(read_write, 0)              \
        CELL(two_readers, 1) CELL(condition, 0) CELL(signal_alone, 0) CELL(round0, 0) CELL(round1, 0)        \
            CELL(round2, 0) CELL(after_barrier, 1) CELL(sem, 0) CELL(sem_back, 1) CELL(once, 0)              \
                CELL(futexes, 0) CELL(c11, 0) CELL(c11_once, 0) CELL(cancelled, 0)                           \
                    CELL(unlocked_too_early, 1) CELL(left, 0)
#include "cells.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t each[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinning;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once_control = PTHREAD_ONCE_INIT;
static sem_t full, empty;
static int ready, word;

/* Two threads, and main after their end. */
static void both(void *(*one_does)(void *), void *(*other_does)(void *))
{
    pthread_t id[2];
    pthread_create(&id[0], NULL, one_does, (void *)0);
    pthread_create(&id[1], NULL, other_does, (void *)1);
    pthread_join(id[0], NULL);
    pthread_join(id[1], NULL);
}

static void *writes(void *k)
{
    W((int)(intptr_t)k);
    return NULL;
}

static void making(void)
{
    pthread_t id;
    W(made);
    pthread_create(&id, NULL, writes, (void *)made);
    pthread_join(id, NULL);
    pthread_create(&id, NULL, writes, (void *)joined);
    pthread_join(id, NULL);
    W(joined);
    pthread_create(&id, NULL, writes, (void *)tried_join);
    while (pthread_tryjoin_np(id, NULL))
        usleep(10);
    W(tried_join);
    pthread_create(&id, NULL, writes, (void *)not_joined);
    usleep(1000);
    R(not_joined);
    pthread_join(id, NULL);
    for (int k = 0; k < 2; k++) { /* the second may be the same actor */
        pthread_create(&id, NULL, writes, (void *)pool);
        pthread_detach(id);
        usleep(1000);
    }
}

static void *locks(void *k)
{
    pthread_mutex_t *mine = &each[(intptr_t)k];
    pthread_mutex_lock(&a);
    W(mutex);
    usleep(10);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(mine);
    W(two_mutexes);
    pthread_mutex_unlock(mine);
    while (pthread_mutex_trylock(&b))
        usleep(10);
    W(trylock);
    usleep(20);
    pthread_mutex_unlock(&b);
    pthread_spin_lock(&spinning);
    W(spin);
    usleep(20);
    pthread_spin_unlock(&spinning);
    return NULL;
}

static void *too_early(void *k)
{
    usleep(k ? 100 : 10);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    W(unlocked_too_early);
    return NULL;
}

static void again(void)
{
    pthread_t id;
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
    pthread_create(&id, NULL, writes, (void *)mutex_again);
    pthread_detach(id);
    usleep(100);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    W(mutex_again);
}

static void *reads_and_writes(void *k)
{
    if (!k) {
        pthread_rwlock_wrlock(&rw);
        W(write_read);
        usleep(10);
        pthread_rwlock_unlock(&rw);
        usleep(200);
        pthread_rwlock_wrlock(&rw);
        W(read_write);
        pthread_rwlock_unlock(&rw);
        pthread_rwlock_rdlock(&rw);
        W(two_readers);
        pthread_rwlock_unlock(&rw);
        return NULL;
    }
    usleep(5);
    pthread_rwlock_rdlock(&rw);
    R(write_read);
    R(read_write);
    pthread_rwlock_unlock(&rw);
    usleep(1000);
    pthread_rwlock_rdlock(&rw);
    W(two_readers);
    pthread_rwlock_unlock(&rw);
    return NULL;
}

static void *waits(void *k)
{
    if (k)
        usleep(50);
    pthread_mutex_lock(&a);
    if (k) {
        W(condition);
        ready = 1;
        pthread_mutex_unlock(&a);
        W(signal_alone);
        pthread_cond_signal(&cond);
        return NULL;
    }
    while (!ready)
        pthread_cond_wait(&cond, &a);
    R(condition);
    R(signal_alone);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *rounds(void *k)
{
    for (int n = 0; n < 30; n++) {
        if ((n & 1) == (intptr_t)k)
            W(round0 + n % 3);
        pthread_barrier_wait(&barrier);
        R(round0 + n % 3);
        if (n == 7)
            W(after_barrier);
    }
    return NULL;
}

static void *hands_over(void *k)
{
    for (int n = 0; n < 3; n++) {
        sem_wait(k ? &full : &empty);
        (k ? R : W)(sem);
        sem_post(k ? &empty : &full);
    }
    if (k)
        R(sem_back);
    else
        W(sem_back);
    return NULL;
}

static void do_once(void)
{
    W(once);
    usleep(10);
}
static void *does_once(void *k)
{
    (void)k;
    pthread_once(&once_control, do_once);
    R(once);
    return NULL;
}

static void *sleeps(void *k)
{
    if (!k) {
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
        R(futexes);
    } else {
        usleep(10);
        W(futexes);
        word = 1;
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    return NULL;
}

static mtx_t c11_lock;
static once_flag c11_flag = ONCE_FLAG_INIT;
static void c11_do(void)
{
    W(c11_once);
}
static int c11_body(void *k)
{
    (void)k;
    mtx_lock(&c11_lock);
    W(c11);
    mtx_unlock(&c11_lock);
    call_once(&c11_flag, c11_do);
    R(c11_once);
    return 0;
}

static void c11_threads(void)
{
    thrd_t id[2];
    mtx_init(&c11_lock, mtx_plain);
    for (int k = 0; k < 2; k++)
        thrd_create(&id[k], c11_body, NULL);
    for (int k = 0; k < 2; k++)
        thrd_join(id[k], NULL);
    W(c11);
    mtx_destroy(&c11_lock);
}

static void *sleeps_long(void *k)
{
    (void)k;
    W(cancelled);
    sem_wait(&full);
    return NULL;
}

static void last(void)
{
    R(left);
    cells_end();
}
static void *ends_late(void *k)
{
    usleep(1000);
    return writes(k);
}

int main(void)
{
    pthread_t id;
    cells_begin();
    pthread_spin_init(&spinning, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    making();
    both(locks, locks);
    both(too_early, too_early);
    again();
    both(reads_and_writes, reads_and_writes);
    both(waits, waits);
    both(rounds, rounds);
    both(hands_over, hands_over);
    both(does_once, does_once);
    both(sleeps, sleeps);
    c11_threads();
    pthread_create(&id, NULL, sleeps_long, NULL);
    usleep(100);
    pthread_cancel(id);
    pthread_join(id, NULL);
    W(cancelled);
    atexit(last);
    pthread_create(&id, NULL, ends_late, (void *)left);
    pthread_detach(id);
    pthread_exit(NULL); /* the rank ends with its last thread */
}
