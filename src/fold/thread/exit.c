/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit: a thread's body and how it ends: it returns, calls pthread_exit, or is cancelled. The latter two run
 * the handlers of pthread_cleanup_push and the destructors of C++ frames through the unwinder, as glibc does;
 * frames that cannot be unwound are skipped. Cancellation takes effect where a thread waits and in
 * pthread_testcancel, whatever its type.
 */
#include "fold/thread/thread.h"

/* --- the end ------------------------------------------------------------------------------------ */

static void run_thread_atexit(struct fold_thread *t)
{
    struct fold_libc *l = fold_part(t->rank)->libc;
    struct libc_exits *list = t->slot ? &t->at_exit : l ? &l->at_thread_exit : NULL;
    while (list && list->n) {
        struct libc_exit e = list->at[--list->n];
        e.fn.plain(e.arg);
    }
}

void thread_run_destructors(struct fold_thread *t)
{
    run_thread_atexit(t);
    thread_keys_destroy(t);
    run_thread_atexit(t);
}

static void wake_joiner(struct fold_thread *t)
{
    struct fold_thread *first = fold_part(t->rank)->crew->slot.at[0];
    t->ended = true;
    thread_wake_some(t->rank, t, UINT32_MAX, 1);
    if (t->rank->threads == 1 && first && first->leaving)
        thread_wake_some(t->rank, &first->leaving, UINT32_MAX, 1);
}

/* The first thread remains and ends the rank: its frames hold the program's arguments. */
static _Noreturn void finish_first(struct fold_thread *t)
{
    struct rank *r = t->rank;
    struct engine_reason why = {"pthread_exit of the first thread: the end of all others", NULL, NULL};
    struct thread_wait w = {0};
    t->leaving = true;
    t->ended = true;
    t->done = rank_order_release(r);
    thread_wake_some(r, t, UINT32_MAX, 1);
    while (r->threads > 1)
        (void)thread_park(&w, r, &t->leaving, UINT32_MAX, INFINITY, &why);
    t->ended = false;
    rank_order_acquire(r, fold_part(r)->crew->done);
    rank_exit(0);
}

_Noreturn void thread_finish(struct fold_thread *t)
{
    struct rank *r = t->rank;
    thread_run_destructors(t);
    libc_enter(r);
    if (t->slot == 0)
        finish_first(t);
    rank_threads_add(r, -1);
    t->done = rank_order_release(r);
    fold_part(r)->crew->done = rank_order_join(fold_part(r)->crew->done, rank_order_copy(t->done));
    rank_order_thread(r, false);
    wake_joiner(t);
    rank_threaded(r, &(struct rank_threaded){.what = RANK_THREAD_ENDED});
    thread_values_first();
    fold_thread = NULL;
    engine_actor_set_local(t->actor, NULL);
    if (t->detached)
        thread_remove(t);
    engine_actor_exit(r->engine);
}

/* Below the frame of the thread's body, others had it before. */
static void renew_stack(const struct fold_thread *t)
{
    void *low;
    size_t size;
    if (rank_checker && engine_actor_stack(t->rank->engine, t->actor, &low, &size))
        rank_order_renew(t->rank, low, (size_t)(t->base_frame - (char *)low));
}

void thread_body(void *thread)
{
    struct fold_thread *t = thread;
    t->base_frame = __builtin_frame_address(0);
    rank_order_thread(t->rank, true);
    renew_stack(t);
    rank_order_acquire(t->rank, t->begun);
    thread_moment_forget(&t->begun);
    libc_leave(t->rank); /* what is measured from here on belongs to the thread */
    if (!_setjmp(t->base)) {
        if (t->start_c11)
            t->result = (void *)(intptr_t)t->start_c11(t->arg);
        else
            t->result = t->start(t->arg);
    }
    thread_finish(fold_thread);
}

/* --- unwinding ---------------------------------------------------------------------------------- */

static _Noreturn void jump_out(struct fold_thread *t)
{
    if (t->slot == 0 || !t->base_frame)
        thread_finish(t);
    _longjmp(t->base, 1);
}

/* A pushed handler's buffer begins like a jmp_buf, set by the pushing function; the handler returns to us. */
static _Noreturn void run_handler(struct fold_thread *t)
{
    _longjmp(t->cleanup.at[t->cleanup.n - 1], 1);
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                void *arg)
{
    struct fold_thread *t = arg;
    uintptr_t frame = _Unwind_GetCFA(context);
    (void)version, (void)class, (void)exception;
    if (t->cleanup.n && frame > (uintptr_t)t->cleanup.at[t->cleanup.n - 1])
        run_handler(t);
    if (actions & _UA_END_OF_STACK || (t->base_frame && frame > (uintptr_t)t->base_frame))
        jump_out(t);
    return _URC_NO_REASON;
}

static _Noreturn void unwind(struct fold_thread *t)
{
    t->unwinding = (struct _Unwind_Exception){0};
    (void)_Unwind_ForcedUnwind(&t->unwinding, stop, t);
    if (t->cleanup.n) /* frames without unwind tables: at least run the handlers */
        run_handler(t);
    jump_out(t);
}

_Noreturn void thread_exit(void *result)
{
    struct fold_thread *t = thread_me();
    t->result = result;
    t->cancel_disabled = true; /* it already ends */
    unwind(t);
}

_Noreturn void in_rank_pthread_exit(void *result)
{
    if (!rank_current)
        pthread_exit(result);
    thread_exit(result);
}

_Noreturn void in_rank_thrd_exit(int result)
{
    if (!rank_current)
        thrd_exit(result);
    thread_exit((void *)(intptr_t)result);
}

extern void __pthread_register_cancel(__pthread_unwind_buf_t *buf);
extern void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf);
extern _Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf);

void in_rank___pthread_register_cancel(__pthread_unwind_buf_t *buf)
{
    if (rank_current)
        BASE_ARRAY_PUSH(&thread_me()->cleanup, buf);
    else
        __pthread_register_cancel(buf);
}

void in_rank___pthread_unregister_cancel(__pthread_unwind_buf_t *buf)
{
    if (!rank_current)
        __pthread_unregister_cancel(buf);
    else if (thread_me()->cleanup.n)
        fold_thread->cleanup.n--;
}

/* A handler has run; continue with the next. */
_Noreturn void in_rank___pthread_unwind_next(__pthread_unwind_buf_t *buf)
{
    if (!rank_current)
        __pthread_unwind_next(buf);
    if (thread_me()->cleanup.n)
        fold_thread->cleanup.n--;
    unwind(fold_thread);
}

/* --- cancelling --------------------------------------------------------------------------------- */

void thread_test_cancel(void)
{
    struct fold_thread *t = fold_thread;
    if (BASE_UNLIKELY(t && t->cancel_asked && !t->cancel_disabled))
        thread_exit(PTHREAD_CANCELED);
}

int in_rank_pthread_cancel(pthread_t id)
{
    if (!rank_current)
        return pthread_cancel(id);
    struct fold_thread *me = thread_me(), *t = thread_find(rank_current, id);
    if (!t)
        return ESRCH;
    t->cancel_asked = true;
    if (t->waiting && !t->cancel_disabled && t->waiting->parked && t->waiting->cancellable)
        thread_cancel_wait(t->waiting);
    if (t == me && t->cancel_asynchronous)
        thread_test_cancel();
    return 0;
}

void in_rank_pthread_testcancel(void)
{
    if (rank_current)
        thread_test_cancel();
    else
        pthread_testcancel();
}

int in_rank_pthread_setcancelstate(int state, int *old)
{
    if (!rank_current)
        return pthread_setcancelstate(state, old);
    struct fold_thread *t = thread_me();
    if (old)
        *old = t->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    if (state != PTHREAD_CANCEL_DISABLE && state != PTHREAD_CANCEL_ENABLE)
        return EINVAL;
    t->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

int in_rank_pthread_setcanceltype(int type, int *old)
{
    if (!rank_current)
        return pthread_setcanceltype(type, old);
    struct fold_thread *t = thread_me();
    if (old)
        *old = t->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    t->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    return 0;
}
