/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cond: condition variables (POSIX and C11) and barriers. A condition variable is only a place where threads
 * are parked; glibc's object just says which clock it uses. Threads wake in the order of waiting, and never
 * spuriously.
 */
#include "fold/thread/thread.h"

enum { MONOTONIC = 2 }; /* in __wrefs, as pthread_cond_init sets it */

static int cond_wait(struct rank *r, pthread_cond_t *c, pthread_mutex_t *m, double until)
{
    struct thread_about about = {r, c, NULL, 0};
    struct engine_reason why = {"pthread_cond_wait", thread_describe, &about};
    struct thread_wait w = {.cancellable = true};
    int kind = m->__data.__kind & 3;
    unsigned count = m->__data.__count;
    if (fold_thread)
        thread_test_cancel();
    thread_enter(r);
    if (kind == PTHREAD_MUTEX_RECURSIVE)
        m->__data.__count = 1; /* all levels are released */
    thread_mutex_release(r, m);
    bool woken = thread_park(&w, r, c, UINT32_MAX, until, &why);
    thread_mutex_retake(r, m);
    if (kind == PTHREAD_MUTEX_RECURSIVE)
        m->__data.__count = count;
    thread_leave(r);
    if (!woken)
        thread_test_cancel();
    return woken ? 0 : ETIMEDOUT;
}

int in_rank_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    struct rank *r = rank_current;
    return r ? cond_wait(r, c, m, INFINITY) : pthread_cond_wait(c, m);
}

int in_rank_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                   const struct timespec *until)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_cond_clockwait(c, m, clock, until);
    double at = libc_until(clock, until);
    return isnan(at) ? EINVAL : cond_wait(r, c, m, at);
}

int in_rank_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    if (!rank_current)
        return pthread_cond_timedwait(c, m, until);
    clockid_t clock = c->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return in_rank_pthread_cond_clockwait(c, m, clock, until);
}

static void wake(struct rank *r, pthread_cond_t *c, uint32_t n)
{
    thread_enter(r);
    rank_moment now = rank_order_release(r);
    thread_wake_after(r, c, UINT32_MAX, n, now);
    rank_order_forget(now);
    thread_leave(r);
}

int in_rank_pthread_cond_signal(pthread_cond_t *c)
{
    if (!rank_current)
        return pthread_cond_signal(c);
    wake(rank_current, c, 1);
    return 0;
}

int in_rank_pthread_cond_broadcast(pthread_cond_t *c)
{
    if (!rank_current)
        return pthread_cond_broadcast(c);
    wake(rank_current, c, UINT32_MAX);
    return 0;
}

/* --- cnd_* -------------------------------------------------------------------------------------- */

static pthread_cond_t *cond_of(cnd_t *c)
{
    return (pthread_cond_t *)(void *)c;
}

int in_rank_cnd_wait(cnd_t *c, mtx_t *m)
{
    if (!rank_current)
        return cnd_wait(c, m); /* NOLINT: the caller loops */
    return in_rank_pthread_cond_wait(cond_of(c), (pthread_mutex_t *)(void *)m) ? thrd_error : thrd_success;
}

int in_rank_cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
    if (!rank_current)
        return cnd_timedwait(c, m, until); /* NOLINT: the caller loops */
    int error =
        in_rank_pthread_cond_clockwait(cond_of(c), (pthread_mutex_t *)(void *)m, CLOCK_REALTIME, until);
    return error == ETIMEDOUT ? thrd_timedout : error ? thrd_error : thrd_success;
}

int in_rank_cnd_signal(cnd_t *c)
{
    return rank_current ? in_rank_pthread_cond_signal(cond_of(c)) : cnd_signal(c);
}

int in_rank_cnd_broadcast(cnd_t *c)
{
    return rank_current ? in_rank_pthread_cond_broadcast(cond_of(c)) : cnd_broadcast(c);
}

/* --- barriers ----------------------------------------------------------------------------------- */

/* Must fit in glibc's object. */
struct barrier {
    uint32_t count, arrived;
    rank_moment all; /* of those that arrived */
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "it lies in there");

int in_rank_pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
    if (!rank_current)
        return pthread_barrier_init(b, attr, count);
    if (count == 0)
        return EINVAL;
    *(struct barrier *)(void *)b = (struct barrier){.count = count};
    return 0;
}

int in_rank_pthread_barrier_destroy(pthread_barrier_t *b)
{
    return rank_current ? 0 : pthread_barrier_destroy(b);
}

static void describe_barrier(const void *arg, char *buf, size_t size)
{
    const struct thread_about *a = arg;
    const struct barrier *b = (const struct barrier *)(uintptr_t)a->address;
    char place[160];
    thread_describe(a, place, sizeof place);
    snprintf(buf, size, "%s, %u of %u are there", place, a->holder ? b->arrived : 0, b->count);
}

int in_rank_pthread_barrier_wait(pthread_barrier_t *arg)
{
    struct rank *r = rank_current;
    struct barrier *b = (struct barrier *)(void *)arg;
    if (!r)
        return pthread_barrier_wait(arg);
    thread_enter(r);
    bool last = ++b->arrived >= b->count;
    thread_moment_add(r, &b->all);
    if (last) {
        b->arrived = 0;
        thread_wake_after(r, b, UINT32_MAX, UINT32_MAX, b->all);
        rank_order_acquire(r, b->all);
        thread_moment_forget(&b->all);
    } else {
        struct thread_about about = {r, b, NULL, 1};
        struct engine_reason why = {"pthread_barrier_wait", describe_barrier, &about};
        struct thread_wait w = {0};
        (void)thread_park(&w, r, b, UINT32_MAX, INFINITY, &why);
    }
    thread_leave(r);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
