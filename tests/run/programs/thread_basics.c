/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank: made, joined, named, ended in every way; globals shared, thread-local data not. */
// run: -np 3 --
// stdout-has: 0: 8 joined, sum 36, counter 800
// stdout-has: 2: 8 joined, sum 36, counter 800
// stdout-has: 1: thread-local: own 1, address kept 1, initial 7
// stdout-has: 1: errno kept 1
// stdout-has: 1: exits: 11 12 13
// stdout-has: 1: errors: ESRCH 1 EDEADLK 1 EINVAL 1
// stdout-has: 1: once 1, names first second
// stdout-has: 1: keys: destroyed 4, other 1
// stdout-has: 1: cleanup 3 2 1, cancelled 1
// stdout-has: 1: time passes 1
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8 };

static int me;
static long counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int own = 7;
static _Thread_local char buffer[300];

static void *count(void *arg)
{
    for (int k = 0; k < 100; k++) {
        pthread_mutex_lock(&mutex);
        long seen = counter;
        if (k % 10 == 0)
            sched_yield();
        counter = seen + 1;
        pthread_mutex_unlock(&mutex);
    }
    return (void *)((intptr_t)arg + 1);
}

static void joins(void)
{
    pthread_t id[THREADS];
    intptr_t sum = 0;
    int joined = 0;
    for (intptr_t k = 0; k < THREADS; k++)
        pthread_create(&id[k], NULL, count, (void *)k);
    for (int k = 0; k < THREADS; k++) {
        void *result;
        joined += pthread_join(id[k], &result) == 0;
        sum += (intptr_t)result;
    }
    printf("%d: %d joined, sum %ld, counter %ld\n", me, joined, (long)sum, counter);
}

static int *others_own;
static int initial, kept = 1, errno_kept = 1;

static void *use_local(void *arg)
{
    int number = (int)(intptr_t)arg, *at = &own;
    initial = own;
    own = number;
    buffer[0] = (char)number;
    errno = 100 + number;
    for (int k = 0; k < 5; k++) {
        usleep(10);
        errno_kept &= errno == 100 + number;
        kept &= at == &own && own == number && buffer[0] == number;
    }
    if (number == 3)
        others_own = at;
    usleep(100);
    return NULL;
}

static void locals(void)
{
    pthread_t id[4];
    own = 50;
    errno = 5;
    for (intptr_t k = 0; k < 4; k++)
        pthread_create(&id[k], NULL, use_local, (void *)(k + 1));
    usleep(90);
    int seen = others_own ? *others_own : -1;
    errno_kept &= errno == 5;
    for (int k = 0; k < 4; k++)
        pthread_join(id[k], NULL);
    printf("%d: thread-local: own %d, address kept %d, initial %d\n", me, own == 50 && seen == 3, kept,
           initial);
    printf("%d: errno kept %d\n", me, errno_kept);
}

static void deep(int n)
{
    if (n)
        deep(n - 1);
    else
        pthread_exit((void *)12);
}

static void *returns(void *arg)
{
    return arg;
}

static void *exits(void *arg)
{
    deep(10);
    return arg;
}

static void *exits_late(void *arg)
{
    usleep(1000);
    pthread_exit(arg);
}

static void ends(void)
{
    pthread_t id[3];
    void *result[3];
    pthread_create(&id[0], NULL, returns, (void *)11);
    pthread_create(&id[1], NULL, exits, NULL);
    pthread_create(&id[2], NULL, exits_late, (void *)13);
    for (int k = 0; k < 3; k++)
        pthread_join(id[k], &result[k]);
    printf("%d: exits: %d %d %d\n", me, (int)(intptr_t)result[0], (int)(intptr_t)result[1],
           (int)(intptr_t)result[2]);
    pthread_t detached;
    pthread_create(&detached, NULL, exits_late, NULL);
    pthread_detach(detached);
    printf("%d: errors: ESRCH %d EDEADLK %d EINVAL %d\n", me, pthread_join(id[0], NULL) == ESRCH,
           pthread_join(pthread_self(), NULL) == EDEADLK, pthread_join(detached, NULL) == EINVAL);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_calls;
static char names[2][16];

static void slowly(void)
{
    usleep(100);
    once_calls++;
}

static void *named(void *arg)
{
    pthread_once(&once, slowly);
    pthread_setname_np(pthread_self(), arg);
    usleep(10);
    pthread_getname_np(pthread_self(), names[*(char *)arg == 's'], 16);
    return NULL;
}

static void onces(void)
{
    pthread_t id[2];
    pthread_create(&id[0], NULL, named, "first");
    pthread_create(&id[1], NULL, named, "second");
    pthread_join(id[0], NULL);
    pthread_join(id[1], NULL);
    printf("%d: once %d, names %s %s\n", me, once_calls, names[0], names[1]);
}

static pthread_key_t key;
static int destroyed, again, other;

static void destroy(void *value)
{
    destroyed++;
    if (value == (void *)5 && !again) {
        again = 1;
        pthread_setspecific(key, (void *)6);
    }
}

static void *use_key(void *arg)
{
    other &= pthread_getspecific(key) == NULL;
    pthread_setspecific(key, arg);
    usleep(10);
    other &= pthread_getspecific(key) == arg;
    return NULL;
}

static void keys(void)
{
    pthread_t id[3];
    other = 1;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, (void *)99);
    for (intptr_t k = 0; k < 3; k++)
        pthread_create(&id[k], NULL, use_key, (void *)(k + 4));
    for (int k = 0; k < 3; k++)
        pthread_join(id[k], NULL);
    printf("%d: keys: destroyed %d, other %d\n", me, destroyed,
           other && pthread_getspecific(key) == (void *)99);
    pthread_key_delete(key);
}

static char cleaned[32];

static void clean(void *arg)
{
    strcat(cleaned, arg);
}

static void *waits(void *arg)
{
    sem_t *s = arg;
    pthread_cleanup_push(clean, " 1");
    pthread_cleanup_push(clean, " 2");
    pthread_cleanup_push(clean, " 3");
    sem_wait(s);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancels(void)
{
    pthread_t id;
    sem_t s;
    void *result;
    sem_init(&s, 0, 0);
    pthread_create(&id, NULL, waits, &s);
    usleep(100);
    pthread_cancel(id);
    pthread_join(id, &result);
    printf("%d: cleanup%s, cancelled %d\n", me, cleaned, result == PTHREAD_CANCELED);
}

static volatile int flag;

static void *sets(void *arg)
{
    usleep(1000);
    flag = 1;
    return arg;
}

static void polls(void)
{
    pthread_t id;
    pthread_create(&id, NULL, sets, NULL);
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = flag;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(id, NULL);
    printf("%d: time passes %d\n", me, flag);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    joins();
    locals();
    ends();
    onces();
    keys();
    cancels();
    polls();
    shmem_finalize();
    return 0;
}
