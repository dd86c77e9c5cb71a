/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutex: mutexes (POSIX and C11), spin locks, and pthread_once. The thread that unlocks a mutex hands it to
 * the first that waits, so no thread starves. A thread that locks its own mutex again waits forever; the
 * deadlock report says so.
 *
 * In glibc's object: __lock is 1 while held, __owner and __nusers name the thread that holds it, __count how
 * often a recursive one does, __kind is as the initializers set it. Unlocked, all but __kind are 0.
 */
#include "fold/thread/thread.h"

enum { KIND = 3, OWNER_OF_RANK = 1 };

static uint32_t mutex_owner_thread(const pthread_mutex_t *m)
{
    return (uint32_t)m->__data.__nusers;
}

static bool is_mine(const struct rank *r, const pthread_mutex_t *m)
{
    return m->__data.__lock && m->__data.__owner == (int)r->id + OWNER_OF_RANK &&
           mutex_owner_thread(m) == thread_number(r);
}

static void take(pthread_mutex_t *m, const struct rank *r, uint32_t number)
{
    m->__data.__lock = 1;
    m->__data.__count = 1;
    m->__data.__owner = (int)r->id + OWNER_OF_RANK;
    m->__data.__nusers = number;
}

/* 0: taken; EBUSY: somebody has it; anything else: the call's result. */
static int try_take(struct rank *r, pthread_mutex_t *m, bool only_try)
{
    if (!m->__data.__lock) {
        take(m, r, thread_number(r));
        return 0;
    }
    int kind = m->__data.__kind & KIND;
    if (!is_mine(r, m) || kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_ADAPTIVE_NP)
        return EBUSY;
    if (kind == PTHREAD_MUTEX_ERRORCHECK)
        return only_try ? EBUSY : EDEADLK;
    if (m->__data.__count == UINT32_MAX)
        return EAGAIN;
    m->__data.__count++;
    return 0;
}

/* The call is open. */
static int wait_for(struct rank *r, pthread_mutex_t *m, double until)
{
    struct thread_about about = {r, m, "held by", mutex_owner_thread(m)};
    struct engine_reason why = {"pthread_mutex_lock", thread_describe, &about};
    struct thread_wait w = {0};
    if (is_mine(r, m))
        about.held_by = "locked already by the same";
    return thread_park(&w, r, m, UINT32_MAX, until, &why) ? 0 : ETIMEDOUT; /* handed over by the one before */
}

static int lock(struct rank *r, pthread_mutex_t *m, double until)
{
    int error;
    if (BASE_LIKELY(r->threads <= 1) && try_take(r, m, false) == 0) {
        thread_order_acquire(r, m);
        return 0;
    }
    thread_enter(r);
    error = try_take(r, m, false);
    if (error == EBUSY)
        error = wait_for(r, m, until);
    if (!error)
        thread_order_acquire(r, m);
    thread_leave(r);
    return error;
}

void thread_mutex_release(struct rank *r, pthread_mutex_t *m)
{
    thread_order_release(r, m);
    struct thread_wait *w = thread_parked(r, m, UINT32_MAX);
    if (w) {
        take(m, w->rank, w->number);
        thread_wake(w);
    } else {
        m->__data.__lock = m->__data.__owner = 0;
        m->__data.__nusers = m->__data.__count = 0;
    }
}

void thread_mutex_retake(struct rank *r, pthread_mutex_t *m)
{
    if (m->__data.__lock)
        (void)wait_for(r, m, INFINITY);
    else
        take(m, r, thread_number(r));
    thread_order_acquire(r, m);
}

static int unlock(struct rank *r, pthread_mutex_t *m)
{
    int kind = m->__data.__kind & KIND;
    if (r->threads > 1)
        thread_enter(r);
    int error = 0;
    if ((kind == PTHREAD_MUTEX_ERRORCHECK || kind == PTHREAD_MUTEX_RECURSIVE) && !is_mine(r, m)) {
        error = EPERM;
    } else if (kind != PTHREAD_MUTEX_RECURSIVE || m->__data.__count <= 1) {
        thread_mutex_release(r, m);
    } else {
        m->__data.__count--;
    }
    if (r->threads > 1)
        thread_leave(r);
    return error;
}

/* --- pthread_mutex_* ---------------------------------------------------------------------------- */

int in_rank_pthread_mutex_lock(pthread_mutex_t *m)
{
    struct rank *r = rank_current;
    return r ? lock(r, m, INFINITY) : pthread_mutex_lock(m);
}

int in_rank_pthread_mutex_unlock(pthread_mutex_t *m)
{
    struct rank *r = rank_current;
    return r ? unlock(r, m) : pthread_mutex_unlock(m);
}

int in_rank_pthread_mutex_trylock(pthread_mutex_t *m)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_mutex_trylock(m);
    thread_enter(r);
    int error = try_take(r, m, true);
    if (!error)
        thread_order_acquire(r, m);
    thread_leave(r);
    return error;
}

int in_rank_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_mutex_clocklock(m, clock, until);
    double at = libc_until(clock, until);
    return isnan(at) ? EINVAL : lock(r, m, at);
}

int in_rank_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    if (!rank_current)
        return pthread_mutex_timedlock(m, until);
    return in_rank_pthread_mutex_clocklock(m, CLOCK_REALTIME, until);
}

/* --- mtx_* -------------------------------------------------------------------------------------- */

static int c11_result(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

int in_rank_mtx_lock(mtx_t *m)
{
    return rank_current ? c11_result(in_rank_pthread_mutex_lock((pthread_mutex_t *)(void *)m)) : mtx_lock(m);
}

int in_rank_mtx_trylock(mtx_t *m)
{
    return rank_current ? c11_result(in_rank_pthread_mutex_trylock((pthread_mutex_t *)(void *)m))
                        : mtx_trylock(m);
}

int in_rank_mtx_timedlock(mtx_t *m, const struct timespec *until)
{
    return rank_current ? c11_result(in_rank_pthread_mutex_timedlock((pthread_mutex_t *)(void *)m, until))
                        : mtx_timedlock(m, until);
}

int in_rank_mtx_unlock(mtx_t *m)
{
    return rank_current ? c11_result(in_rank_pthread_mutex_unlock((pthread_mutex_t *)(void *)m))
                        : mtx_unlock(m);
}

/* --- spin locks --------------------------------------------------------------------------------- */

/* Uses its own values, because glibc's differ between processors. Unlike on a real machine, a waiting thread
 * gives up its core. */
enum { SPIN_FREE = 0, SPIN_HELD = 1 };

int in_rank_pthread_spin_init(pthread_spinlock_t *s, int shared)
{
    if (!rank_current)
        return pthread_spin_init(s, shared);
    *s = SPIN_FREE;
    thread_order_drop(rank_current, s);
    return 0;
}

int in_rank_pthread_spin_trylock(pthread_spinlock_t *s)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_spin_trylock(s);
    thread_enter(r);
    int error = *s == SPIN_FREE ? 0 : EBUSY;
    *s = SPIN_HELD;
    if (!error)
        thread_order_acquire(r, s);
    thread_leave(r);
    return error;
}

int in_rank_pthread_spin_lock(pthread_spinlock_t *s)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_spin_lock(s);
    thread_enter(r);
    if (*s == SPIN_FREE) {
        *s = SPIN_HELD;
    } else {
        struct thread_about about = {r, s, NULL, 0};
        struct engine_reason why = {"pthread_spin_lock", thread_describe, &about};
        struct thread_wait w = {0};
        (void)thread_park(&w, r, s, UINT32_MAX, INFINITY, &why); /* handed over */
    }
    thread_order_acquire(r, s);
    thread_leave(r);
    return 0;
}

int in_rank_pthread_spin_unlock(pthread_spinlock_t *s)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_spin_unlock(s);
    thread_enter(r);
    thread_order_release(r, s);
    if (!thread_wake_some(r, s, UINT32_MAX, 1))
        *s = SPIN_FREE;
    thread_leave(r);
    return 0;
}

/* --- once --------------------------------------------------------------------------------------- */

enum { ONCE_NEW = 0, ONCE_RUNS = 1, ONCE_DONE = 2 }; /* as glibc has them */

/* The thread that ran it left by an exception or was cancelled: the next one tries. (fold/ is compiled with
 * -fexceptions.) */
static void once_left(pthread_once_t **control)
{
    if (!*control)
        return;
    **control = ONCE_NEW;
    thread_order_release(rank_current, *control);
    thread_wake_some(rank_current, *control, UINT32_MAX, UINT32_MAX);
}

static void run_once(struct rank *r, pthread_once_t *control, void (*fn)(void))
{
    pthread_once_t *unless_done __attribute__((cleanup(once_left))) = control;
    *control = ONCE_RUNS;
    fn();
    unless_done = NULL;
    *control = ONCE_DONE;
    thread_order_release(r, control);
    thread_wake_some(r, control, UINT32_MAX, UINT32_MAX);
}

int in_rank_pthread_once(pthread_once_t *control, void (*fn)(void))
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_once(control, fn);
    while ((*control & 3) != ONCE_DONE) {
        if ((*control & 3) == ONCE_NEW) {
            run_once(r, control, fn);
            break;
        }
        struct thread_about about = {r, control, NULL, 0};
        struct engine_reason why = {"pthread_once: what another thread does", thread_describe, &about};
        struct thread_wait w = {0};
        thread_enter(r);
        if ((*control & 3) == ONCE_RUNS)
            (void)thread_park(&w, r, control, UINT32_MAX, INFINITY, &why);
        thread_leave(r);
    }
    thread_order_acquire(r, control);
    return 0;
}

void in_rank_call_once(once_flag *flag, void (*fn)(void))
{
    if (rank_current)
        (void)in_rank_pthread_once((pthread_once_t *)(void *)flag, fn);
    else
        call_once(flag, fn);
}
