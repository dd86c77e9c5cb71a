/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * life: making, joining, detaching and naming threads. Their bodies and ends are in exit.c.
 */
#include "fold/thread/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- making ------------------------------------------------------------------------------------- */

static size_t default_stack(void)
{
    pthread_attr_t attr;
    size_t size = 0;
    if (pthread_getattr_default_np(&attr))
        return 0;
    (void)pthread_attr_getstacksize(&attr, &size);
    pthread_attr_destroy(&attr);
    return size;
}

static void read_attributes(struct fold_thread *t, const pthread_attr_t *attr)
{
    int state = PTHREAD_CREATE_JOINABLE;
    size_t stack = 0, room = engine_stack_size(t->rank->engine);
    cpu_set_t cores;
    if (!attr)
        return;
    (void)pthread_attr_getdetachstate(attr, &state);
    t->detached = state == PTHREAD_CREATE_DETACHED;
    if (pthread_attr_getstacksize(attr, &stack) == 0 && stack > room && stack != default_stack())
        base_warn("not-modelled/thread-stack",
                  "a thread asked for a stack of %zu bytes; it gets %zu, as every thread does (--stack-size)",
                  stack, room);
    if (pthread_attr_getaffinity_np(attr, sizeof cores, &cores) == 0)
        thread_set_cores(t, &cores);
}

static void tell(struct rank *r, enum rank_threading what, uint32_t thread)
{
    rank_threaded(r, &(struct rank_threaded){.what = what, .rank = r->id, .thread = thread});
}

int thread_start(struct fold_thread **out, const pthread_attr_t *attr, void *(*start)(void *),
                 int (*start_c11)(void *), void *arg)
{
    struct rank *r = rank_current;
    thread_me();
    libc_enter(r);
    if (thread_costs.create > 0)
        engine_sleep(r->engine, thread_costs.create);
    /* made by a library loaded later, or through a pointer: rank/stack.c did not see it */
    if (rank_stacks_shared(r->job)) {
        base_warn("fold/stacks", "pthread_create failed: the ranks share a stack; use --set fold/stacks=own");
        tell(r, RANK_THREAD_MADE, 0);
        libc_leave(r);
        return EAGAIN;
    }
    if (!engine_actor_room(r->engine)) {
        base_warn(
            "host/threads",
            "pthread_create failed: all stacks reserved for threads are in use; raise thread/most (--set)");
        tell(r, RANK_THREAD_MADE, 0);
        libc_leave(r);
        return EAGAIN;
    }
    if (!fold_of(r)->threaded)
        thread_local_check(fold_of(r));
    fold_of(r)->threaded = true;
    struct fold_thread *t = thread_add(r);
    t->start = start;
    t->start_c11 = start_c11;
    t->arg = arg;
    read_attributes(t, attr);
    rank_threads_add(r, 1);
    t->begun = rank_order_release(r);
    t->actor = engine_actor_spawn(r->engine, thread_body, t, r);
    engine_actor_set_local(t->actor, t);
    tell(r, RANK_THREAD_MADE, t->slot + 1);
    *out = t;
    libc_leave(r);
    return 0;
}

int in_rank_pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
    struct fold_thread *t;
    if (!rank_current)
        return pthread_create(id, attr, start, arg);
    int error = thread_start(&t, attr, start, NULL, arg);
    if (!error)
        *id = thread_id(t);
    return error;
}

int in_rank_thrd_create(thrd_t *id, thrd_start_t start, void *arg)
{
    struct fold_thread *t;
    if (!rank_current)
        return thrd_create(id, start, arg);
    if (thread_start(&t, NULL, NULL, start, arg))
        return thrd_nomem;
    *id = thread_id(t);
    return thrd_success;
}

/* --- waiting for its end ------------------------------------------------------------------------ */

static int join(pthread_t id, void **result, double until, bool once)
{
    struct rank *r = rank_current;
    struct fold_thread *t = thread_find(r, id);
    struct thread_wait w = {.cancellable = true};
    thread_test_cancel();
    if (!t)
        return ESRCH;
    if (t->detached || t->has_joiner)
        return EINVAL;
    if (t == thread_me())
        return EDEADLK;
    thread_enter(r);
    struct thread_about about = {r, NULL, "the end of", t->slot + 1};
    struct engine_reason why = {"pthread_join", thread_describe, &about};
    t->has_joiner = true;
    while (!t->ended && !once && !fold_thread->cancel_asked && engine_now(r->engine) < until)
        (void)thread_park(&w, r, t, UINT32_MAX, until, &why);
    t->has_joiner = false;
    thread_leave(r);
    if (!t->ended)
        thread_test_cancel();
    if (!t->ended)
        return once ? EBUSY : ETIMEDOUT;
    rank_order_acquire(r, t->done);
    tell(r, RANK_THREAD_JOINED, t->slot + 1);
    if (result)
        *result = t->result;
    if (t->slot)
        thread_remove(t);
    else
        t->detached = true; /* it will end the rank */
    return 0;
}

int in_rank_pthread_join(pthread_t id, void **result)
{
    return rank_current ? join(id, result, INFINITY, false) : pthread_join(id, result);
}

int in_rank_pthread_tryjoin_np(pthread_t id, void **result)
{
    return rank_current ? join(id, result, INFINITY, true) : pthread_tryjoin_np(id, result);
}

int in_rank_pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *until)
{
    if (!rank_current)
        return pthread_clockjoin_np(id, result, clock, until);
    double at = until ? libc_until(clock, until) : INFINITY;
    return isnan(at) ? EINVAL : join(id, result, at, false);
}

int in_rank_pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
    return in_rank_pthread_clockjoin_np(id, result, CLOCK_REALTIME, until);
}

int in_rank_thrd_join(thrd_t id, int *result)
{
    void *value;
    if (!rank_current)
        return thrd_join(id, result);
    if (join(id, &value, INFINITY, false))
        return thrd_error;
    if (result)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

int in_rank_pthread_detach(pthread_t id)
{
    struct rank *r = rank_current;
    if (!r)
        return pthread_detach(id);
    thread_me();
    struct fold_thread *t = thread_find(r, id);
    if (!t)
        return ESRCH;
    if (t->detached)
        return EINVAL;
    t->detached = true;
    if (t->ended)
        thread_remove(t);
    return 0;
}

int in_rank_thrd_detach(thrd_t id)
{
    if (!rank_current)
        return thrd_detach(id);
    return in_rank_pthread_detach(id) ? thrd_error : thrd_success;
}

/* --- who is it? --------------------------------------------------------------------------------- */

pthread_t in_rank_pthread_self(void)
{
    return rank_current ? thread_id(thread_me()) : pthread_self();
}

thrd_t in_rank_thrd_current(void)
{
    return rank_current ? thread_id(thread_me()) : thrd_current();
}

/* The first thread's name is the process's, as on any system. */
pid_t in_rank_gettid(void)
{
    return fold_thread ? getpid() + (pid_t)fold_thread->slot : gettid();
}

int in_rank_pthread_setname_np(pthread_t id, const char *name)
{
    if (!rank_current)
        return pthread_setname_np(id, name);
    thread_me();
    struct fold_thread *t = thread_find(rank_current, id);
    if (!t)
        return ESRCH;
    if (strlen(name) >= sizeof t->name)
        return ERANGE;
    strcpy(t->name, name);
    return 0;
}

int in_rank_pthread_getname_np(pthread_t id, char *name, size_t size)
{
    if (!rank_current)
        return pthread_getname_np(id, name, size);
    thread_me();
    const struct fold_thread *t = thread_find(rank_current, id);
    if (!t)
        return ESRCH;
    if (size < sizeof t->name)
        return ERANGE;
    strcpy(name, *t->name ? t->name : program_invocation_short_name);
    return 0;
}

int in_rank_pthread_kill(pthread_t id, int sig)
{
    if (!rank_current)
        return pthread_kill(id, sig);
    const struct fold_thread *me = thread_me(), *t = thread_find(rank_current, id);
    if (!t || t->ended)
        return ESRCH;
    if (sig == 0)
        return 0;
    if (t == me)
        return in_rank_raise(sig) ? errno : 0;
    base_warn("not-modelled/pthread_kill", "pthread_kill for another thread is not modelled: ENOSYS");
    return ENOSYS;
}

int in_rank_pthread_getattr_np(pthread_t id, pthread_attr_t *attr)
{
    if (!rank_current)
        return pthread_getattr_np(id, attr);
    thread_me();
    const struct fold_thread *t = thread_find(rank_current, id);
    void *low;
    size_t size;
    if (!t || !engine_actor_stack(rank_current->engine, t->actor, &low, &size))
        return ESRCH;
    pthread_attr_init(attr);
    pthread_attr_setdetachstate(attr, t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    return pthread_attr_setstack(attr, low, size);
}
