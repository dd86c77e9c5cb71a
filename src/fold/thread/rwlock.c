/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rwlock: read-write locks and semaphores. Threads get a read-write lock in the order of arrival, consecutive
 * readers together. A reader overtakes waiting writers only if the lock prefers readers, which is glibc's
 * default.
 *
 * In glibc's objects: of a lock, __readers counts the readers, __cur_writer is the writer's thread (its rank
 * is in __pad2), __flags is as initialized; of a semaphore, the lower half of its first word is the value.
 */
#include "fold/thread/thread.h"

#include <limits.h>

enum { READER = 1, WRITER = 2, BOTH = READER | WRITER };

/* --- read-write locks --------------------------------------------------------------------------- */

static bool writes(const struct rank *r, const pthread_rwlock_t *l)
{
    return l->__data.__cur_writer == (int)thread_number(r) && l->__data.__pad2 == (unsigned long)r->id + 1;
}

static bool can_read(const struct rank *r, const pthread_rwlock_t *l)
{
    bool readers_first = l->__data.__flags != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    return !l->__data.__cur_writer && (readers_first || !thread_parked(r, l, WRITER));
}

static void take_write(pthread_rwlock_t *l, const struct rank *r, uint32_t number)
{
    l->__data.__cur_writer = (int)number;
    l->__data.__pad2 = (unsigned long)r->id + 1;
}

static int wait_for(struct rank *r, pthread_rwlock_t *l, uint32_t as, double until)
{
    struct thread_about about = {r, l, l->__data.__cur_writer ? "written by" : NULL,
                                 (uint32_t)l->__data.__cur_writer};
    struct engine_reason why = {as == READER ? "pthread_rwlock_rdlock" : "pthread_rwlock_wrlock",
                                thread_describe, &about};
    struct thread_wait w = {0};
    return thread_park(&w, r, l, as, until, &why) ? 0 : ETIMEDOUT; /* handed over */
}

/* until: NAN to try only. */
static int lock_read(struct rank *r, pthread_rwlock_t *l, double until)
{
    int error = 0;
    thread_enter(r);
    if (can_read(r, l))
        l->__data.__readers++;
    else if (isnan(until))
        error = EBUSY;
    else
        error = writes(r, l) ? EDEADLK : wait_for(r, l, READER, until);
    if (!error)
        thread_order_acquire_reading(r, l);
    thread_leave(r);
    return error;
}

static int lock_write(struct rank *r, pthread_rwlock_t *l, double until)
{
    int error = 0;
    thread_enter(r);
    if (!l->__data.__cur_writer && !l->__data.__readers)
        take_write(l, r, thread_number(r));
    else if (isnan(until))
        error = EBUSY;
    else
        error = writes(r, l) ? EDEADLK : wait_for(r, l, WRITER, until);
    if (!error)
        thread_order_acquire(r, l);
    if (error == ETIMEDOUT && can_read(r, l)) /* wakes readers that queued only behind it */
        l->__data.__readers += thread_wake_some(r, l, READER, UINT32_MAX);
    thread_leave(r);
    return error;
}

/* The lock is free: it goes to the first that waits or, if that is a reader, to all readers. */
static void hand_on(struct rank *r, pthread_rwlock_t *l)
{
    struct thread_wait *w = thread_parked(r, l, BOTH);
    if (w && w->bits == WRITER) {
        take_write(l, w->rank, w->number);
        thread_wake(w);
    } else if (w) {
        l->__data.__readers += thread_wake_some(r, l, READER, UINT32_MAX);
    }
}

static int unlock(struct rank *r, pthread_rwlock_t *l)
{
    thread_enter(r);
    if (l->__data.__cur_writer) {
        thread_order_release(r, l);
        l->__data.__cur_writer = 0;
        l->__data.__pad2 = 0;
    } else if (l->__data.__readers) {
        thread_order_release_reading(r, l);
        l->__data.__readers--;
    }
    if (!l->__data.__readers)
        hand_on(r, l);
    thread_leave(r);
    return 0;
}

int in_rank_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    return rank_current ? lock_read(rank_current, l, INFINITY) : pthread_rwlock_rdlock(l);
}

int in_rank_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    return rank_current ? lock_write(rank_current, l, INFINITY) : pthread_rwlock_wrlock(l);
}

int in_rank_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    return rank_current ? lock_read(rank_current, l, NAN) : pthread_rwlock_tryrdlock(l);
}

int in_rank_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    return rank_current ? lock_write(rank_current, l, NAN) : pthread_rwlock_trywrlock(l);
}

int in_rank_pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    if (!rank_current)
        return pthread_rwlock_clockrdlock(l, clock, until);
    double at = libc_until(clock, until);
    return isnan(at) ? EINVAL : lock_read(rank_current, l, at);
}

int in_rank_pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    if (!rank_current)
        return pthread_rwlock_clockwrlock(l, clock, until);
    double at = libc_until(clock, until);
    return isnan(at) ? EINVAL : lock_write(rank_current, l, at);
}

int in_rank_pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (!rank_current)
        return pthread_rwlock_timedrdlock(l, until);
    return in_rank_pthread_rwlock_clockrdlock(l, CLOCK_REALTIME, until);
}

int in_rank_pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    if (!rank_current)
        return pthread_rwlock_timedwrlock(l, until);
    return in_rank_pthread_rwlock_clockwrlock(l, CLOCK_REALTIME, until);
}

int in_rank_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    return rank_current ? unlock(rank_current, l) : pthread_rwlock_unlock(l);
}

/* --- semaphores --------------------------------------------------------------------------------- */

static unsigned *value_of(sem_t *s)
{
    return (unsigned *)(void *)s; /* both architectures have the lower half first */
}

static int failed(int error)
{
    if (error)
        errno = error;
    return error ? -1 : 0;
}

/* until: NAN to try only. */
static int sem_take(struct rank *r, sem_t *s, double until)
{
    int error = 0;
    thread_test_cancel();
    thread_enter(r);
    if (*value_of(s)) {
        --*value_of(s);
    } else if (isnan(until)) {
        error = EAGAIN;
    } else {
        struct thread_about about = {r, s, NULL, 0};
        struct engine_reason why = {"sem_wait", thread_describe, &about};
        struct thread_wait w = {.cancellable = true};
        error = thread_park(&w, r, s, UINT32_MAX, until, &why) ? 0 : ETIMEDOUT; /* given by sem_post */
    }
    if (!error)
        thread_order_acquire(r, s);
    thread_leave(r);
    if (error == ETIMEDOUT)
        thread_test_cancel();
    return failed(error);
}

int in_rank_sem_wait(sem_t *s)
{
    return rank_current ? sem_take(rank_current, s, INFINITY) : sem_wait(s);
}

int in_rank_sem_trywait(sem_t *s)
{
    return rank_current ? sem_take(rank_current, s, NAN) : sem_trywait(s);
}

int in_rank_sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    if (!rank_current)
        return sem_clockwait(s, clock, until);
    double at = libc_until(clock, until);
    return isnan(at) ? failed(EINVAL) : sem_take(rank_current, s, at);
}

int in_rank_sem_timedwait(sem_t *s, const struct timespec *until)
{
    return rank_current ? in_rank_sem_clockwait(s, CLOCK_REALTIME, until) : sem_timedwait(s, until);
}

int in_rank_sem_post(sem_t *s)
{
    struct rank *r = rank_current;
    if (!r)
        return sem_post(s);
    thread_enter(r);
    int error = *value_of(s) == SEM_VALUE_MAX ? EOVERFLOW : 0;
    if (!error)
        thread_order_release(r, s);
    if (!error && !thread_wake_some(r, s, UINT32_MAX, 1))
        ++*value_of(s);
    thread_leave(r);
    return failed(error);
}
