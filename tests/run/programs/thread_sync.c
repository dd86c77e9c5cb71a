/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads wait with: barriers, read-write locks, spin locks, semaphores, kinds of mutexes, time limits,
 * C11. */
// run: -np 2 --
// stdout-has: 1: barrier 1, serial 5
// stdout-has: 1: readers 3, alone 1, try 1
// stdout-has: 1: writer first 1
// stdout-has: 1: spin 40, busy 1
// stdout-has: 1: semaphore 6 0, value 2
// stdout-has: 1: recursive 1, errorcheck 1 1, trylock 1
// stdout-has: 1: timed 1 1 1 1, at 1
// stdout-has: 1: broadcast 4, order 0123
// stdout-has: 1: C11 4 4 1 1 1
// stdout-has: 1: futex 1 1 1
// stdout-has: 1: cores 32 1 1, main joined 5
// stdout-has: 1: end of main
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int me;

static void run(int n, void *(*body)(void *))
{
    pthread_t id[16];
    for (intptr_t k = 0; k < n; k++)
        pthread_create(&id[k], NULL, body, (void *)k);
    for (int k = 0; k < n; k++)
        pthread_join(id[k], NULL);
}

static struct timespec in(clockid_t clock, long us)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += us * 1000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static pthread_barrier_t barrier;
static int arrived, good, serial;

static void *meets(void *arg)
{
    for (int k = 1; k <= 5; k++) {
        usleep(10 * (useconds_t)(intptr_t)arg);
        arrived++;
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        good &= arrived == 4 * k;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int reading, most, alone = 1;

static void *reads_and_writes(void *arg)
{
    usleep(500);
    pthread_rwlock_rdlock(&rw);
    reading++;
    most = reading > most ? reading : most;
    usleep(500);
    reading--;
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_wrlock(&rw);
    alone &= reading == 0;
    reading = 100;
    usleep(100);
    reading = 0;
    pthread_rwlock_unlock(&rw);
    return arg;
}

static pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int wrote, writer_first;

static void *one_of(void *arg)
{
    intptr_t k = (intptr_t)arg;
    usleep(100 * (useconds_t)k);
    if (k == 1) {
        pthread_rwlock_wrlock(&writers);
        wrote = 1;
    } else {
        pthread_rwlock_rdlock(&writers);
        if (k == 2)
            writer_first = wrote;
        usleep(k == 0 ? 1000 : 0);
    }
    pthread_rwlock_unlock(&writers);
    return NULL;
}

static pthread_spinlock_t spin;
static int spun, busy;

static void *spins(void *arg)
{
    for (int k = 0; k < 10; k++) {
        pthread_spin_lock(&spin);
        int seen = spun;
        busy |= pthread_spin_trylock(&spin) == EBUSY;
        usleep(3);
        spun = seen + 1;
        pthread_spin_unlock(&spin);
    }
    return arg;
}

static sem_t full;
static int taken;

static void *takes(void *arg)
{
    sem_wait(&full);
    taken++;
    sem_wait(&full);
    taken++;
    return arg;
}

static void semaphores(void)
{
    pthread_t id[3];
    int value;
    sem_init(&full, 0, 1);
    for (int k = 0; k < 3; k++)
        pthread_create(&id[k], NULL, takes, NULL);
    usleep(100);
    for (int k = 0; k < 7; k++)
        sem_post(&full);
    for (int k = 0; k < 3; k++)
        pthread_join(id[k], NULL);
    sem_getvalue(&full, &value);
    printf("%d: semaphore %d %d, value %d\n", me, taken, sem_trywait(&full), value);
}

static pthread_mutex_t held;

static void *tries(void *arg)
{
    *(int *)arg = pthread_mutex_trylock(&held) == EBUSY && pthread_mutex_unlock(&held) == EPERM;
    return NULL;
}

static void kinds(void)
{
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutexattr_t attr;
    pthread_t id;
    int other = 0;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&held, &attr);
    int deep = pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0 &&
               pthread_mutex_trylock(&recursive) == 0;
    for (int k = 0; k < 3; k++)
        deep &= pthread_mutex_unlock(&recursive) == 0;
    deep &= pthread_mutex_unlock(&recursive) == EPERM;
    pthread_mutex_lock(&held);
    int again = pthread_mutex_lock(&held) == EDEADLK;
    pthread_create(&id, NULL, tries, &other);
    pthread_join(id, NULL);
    pthread_mutex_unlock(&held);
    int error = pthread_mutex_unlock(&held) == EPERM;
    printf("%d: recursive %d, errorcheck %d %d, trylock %d\n", me, deep, again, error, other);
    pthread_mutex_destroy(&held);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *holds(void *arg)
{
    pthread_mutex_lock(&mutex);
    usleep(1000);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void times(void)
{
    pthread_t id;
    pthread_condattr_t attr;
    pthread_cond_t steady;
    struct timespec until;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &attr);
    pthread_create(&id, NULL, holds, NULL);
    usleep(100);
    until = in(CLOCK_REALTIME, 50);
    int lock = pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT;
    pthread_join(id, NULL);
    pthread_mutex_lock(&mutex);
    until = in(CLOCK_REALTIME, 100);
    int plain = pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT;
    until = in(CLOCK_MONOTONIC, 100);
    int other = pthread_cond_timedwait(&steady, &mutex, &until) == ETIMEDOUT;
    struct timespec now = in(CLOCK_MONOTONIC, 0);
    long past = (now.tv_sec - until.tv_sec) * 1000000000 + now.tv_nsec - until.tv_nsec;
    pthread_mutex_unlock(&mutex);
    until = in(CLOCK_REALTIME, 100);
    while (sem_trywait(&full) == 0)
        ;
    int sem = sem_timedwait(&full, &until) == -1 && errno == ETIMEDOUT;
    printf("%d: timed %d %d %d %d, at %d\n", me, lock, plain, other, sem, past >= 0 && past < 10000);
}

static int go, woken;
static char order[8];

static void *awaits(void *arg)
{
    usleep(30 * (useconds_t)(intptr_t)arg);
    pthread_mutex_lock(&mutex);
    while (!go)
        pthread_cond_wait(&cond, &mutex);
    order[woken++] = (char)('0' + (intptr_t)arg);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void broadcasts(void)
{
    pthread_t id[4];
    for (intptr_t k = 0; k < 4; k++)
        pthread_create(&id[k], NULL, awaits, (void *)k);
    usleep(500);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    for (int k = 0; k < 4; k++)
        pthread_join(id[k], NULL);
    printf("%d: broadcast %d, order %s\n", me, woken, order);
}

static mtx_t plain;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static int ready, once_calls, c11_destroyed, c11_sum, c11_timed;

static void call(void)
{
    once_calls++;
}

static void destroy(void *value)
{
    c11_destroyed += *(int *)value;
}

static int c11(void *arg)
{
    static int one = 1;
    call_once(&flag, call);
    tss_set(slot, &one);
    mtx_lock(&plain);
    while (!ready)
        cnd_wait(&changed, &plain);
    c11_sum += tss_get(slot) == &one;
    mtx_unlock(&plain);
    if (arg)
        thrd_exit(5);
    return 3;
}

static void elevens(void)
{
    thrd_t id[4];
    int result[4], sum = 0;
    struct timespec until = in(CLOCK_REALTIME, 100);
    mtx_init(&plain, mtx_timed);
    cnd_init(&changed);
    tss_create(&slot, destroy);
    mtx_lock(&plain);
    c11_timed = cnd_timedwait(&changed, &plain, &until) == thrd_timedout;
    mtx_unlock(&plain);
    for (int k = 0; k < 4; k++)
        thrd_create(&id[k], c11, k % 2 ? &id : NULL);
    thrd_sleep(&(struct timespec){0, 1000000}, NULL);
    mtx_lock(&plain);
    ready = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&plain);
    for (int k = 0; k < 4; k++) {
        thrd_join(id[k], &result[k]);
        sum += result[k];
    }
    printf("%d: C11 %d %d %d %d %d\n", me, c11_sum, c11_destroyed, once_calls, c11_timed, sum == 16);
}

static int word;

static void *futexes(void *arg)
{
    *(int *)arg = (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0 && word == 1;
    return NULL;
}

static void futex(void)
{
    pthread_t id;
    struct timespec t = {0, 50000};
    int slept = 0;
    pthread_create(&id, NULL, futexes, &slept);
    usleep(100);
    word = 1;
    long n = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    pthread_join(id, NULL);
    int late = syscall(SYS_futex, &word, FUTEX_WAIT, 1, &t, NULL, 0) == -1 && errno == ETIMEDOUT;
    printf("%d: futex %ld %d %d\n", me, n, slept, late);
}

static pthread_t first;

static void *joins_main(void *arg)
{
    void *result;
    int error = pthread_join(first, &result);
    printf("%d: cores %d %d %d, main joined %d\n", me, ((int *)arg)[0], ((int *)arg)[1], ((int *)arg)[2],
           error ? -error : (int)(intptr_t)result);
    printf("%d: end of main\n", me);
    shmem_finalize();
    return NULL;
}

static void cores(void)
{
    static int figures[3];
    cpu_set_t set;
    pthread_t id;
    sched_getaffinity(0, sizeof set, &set);
    figures[0] = CPU_COUNT(&set);
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    figures[1] = pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
    pthread_getaffinity_np(pthread_self(), sizeof set, &set);
    figures[2] = CPU_COUNT(&set);
    first = pthread_self();
    pthread_create(&id, NULL, joins_main, figures);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    good = 1;
    pthread_barrier_init(&barrier, NULL, 4);
    run(4, meets);
    printf("%d: barrier %d, serial %d\n", me, good, serial);
    run(3, reads_and_writes);
    printf("%d: readers %d, alone %d, try %d\n", me, most, alone,
           pthread_rwlock_trywrlock(&rw) == 0 && pthread_rwlock_tryrdlock(&rw) == EBUSY);
    run(3, one_of);
    printf("%d: writer first %d\n", me, writer_first);
    pthread_spin_init(&spin, 0);
    run(4, spins);
    printf("%d: spin %d, busy %d\n", me, spun, busy);
    semaphores();
    kinds();
    times();
    broadcasts();
    elevens();
    futex();
    cores();
    pthread_exit((void *)5);
}
