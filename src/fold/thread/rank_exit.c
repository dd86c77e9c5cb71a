/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_exit: what happens when a rank ends: exit and its relatives end the rank and not the process. Exit
 * handlers run on the rank's stack with its globals, in the order of exit(3): destructors of thread-local
 * objects, then handlers, the last registered first. A handler may register more, and may call exit again,
 * which continues with the rest.
 */
#include "fold/thread/thread.h"

#include "base/sanitizer.h"

#include <stdlib.h>
#include <unistd.h>

extern int __cxa_atexit(void (*fn)(void *), void *arg, void *object);
extern int __cxa_at_quick_exit(void (*fn)(void *), void *object);
extern void __cxa_finalize(void *object);
extern int __cxa_thread_atexit_impl(void (*fn)(void *), void *arg, void *object);

/* --- registering -------------------------------------------------------------------------------- */

static int add(struct libc_exits *list, struct libc_exit e)
{
    BASE_ARRAY_PUSH(list, e);
    return 0;
}

int in_rank___cxa_atexit(void (*fn)(void *), void *arg, void *object)
{
    if (!rank_current)
        return __cxa_atexit(fn, arg, object);
    return add(&libc_of(rank_current)->at_exit, (struct libc_exit){{.plain = fn}, arg, object, false});
}

int in_rank___cxa_at_quick_exit(void (*fn)(void *), void *object)
{
    if (!rank_current)
        return __cxa_at_quick_exit(fn, object);
    return add(&libc_of(rank_current)->at_quick_exit, (struct libc_exit){{.plain = fn}, NULL, object, false});
}

int in_rank_on_exit(void (*fn)(int, void *), void *arg)
{
    if (!rank_current)
        return on_exit(fn, arg);
    return add(&libc_of(rank_current)->at_exit, (struct libc_exit){{.with_code = fn}, arg, NULL, true});
}

int in_rank_thread_atexit(void (*fn)(void *), void *arg, void *object)
{
    if (!rank_current)
        return __cxa_thread_atexit_impl(fn, arg, object);
    bool further = fold_thread && fold_thread->slot;
    return add(further ? &fold_thread->at_exit : &libc_of(rank_current)->at_thread_exit,
               (struct libc_exit){{.plain = fn}, arg, object, false});
}

/* --- running ------------------------------------------------------------------------------------ */

static void run(struct libc_exit e, int code)
{
    if (e.wants_code)
        e.fn.with_code(code, e.arg);
    else
        e.fn.plain(e.arg);
}

static void run_all(const struct fold_libc *l, struct libc_exits *list)
{
    while (list->n)
        run(list->at[--list->n], l->exit_code);
}

int thread_run_atexit(struct rank *r, int code)
{
    struct fold_libc *l = fold_part(r)->libc;
    jmp_buf again;
    if (!l)
        return code;
    l->exit_code = code;
    l->exit_again = &again;
    (void)_setjmp(again);
    do {
        run_all(l, &l->at_thread_exit);
        run_all(l, &l->at_exit);
    } while (l->at_thread_exit.n);
    l->exit_again = NULL;
    return l->exit_code;
}

/* An object that is unloaded runs the handlers that it registered. */
void in_rank___cxa_finalize(void *object)
{
    if (!rank_current) {
        __cxa_finalize(object);
        return;
    }
    struct fold_libc *l = fold_part(rank_current)->libc;
    for (size_t k = l ? l->at_exit.n : 0; k-- > 0 && k < l->at_exit.n;)
        if (!object || l->at_exit.at[k].object == object) {
            struct libc_exit e = l->at_exit.at[k];
            l->at_exit.n--;
            for (size_t i = k; i < l->at_exit.n; i++)
                l->at_exit.at[i] = l->at_exit.at[i + 1];
            run(e, 0);
        }
}

/* --- the ends ----------------------------------------------------------------------------------- */

static _Noreturn void leave_rank(struct rank *r, int code)
{
    struct fold_libc *l = fold_part(r)->libc;
    thread_claim_end(r);
    if (l && l->exit_again) { /* called by an exit handler */
        l->exit_code = code;
        _longjmp(*l->exit_again, 1);
    }
    rank_exit(code);
}

/* Registers of the callers may hold the only pointer to a block: they are put on the stack, below the frame.
 */
enum { REGISTERS = 64 };

void in_rank_exit(int code)
{
    if (!rank_current)
        exit(code);
    if (BASE_UNLIKELY(base_checked())) {
        __builtin_unwind_init();
        libc_of(rank_current)->exit_frame = (char *)__builtin_frame_address(0) - REGISTERS;
    }
    leave_rank(rank_current, code);
}

/* No handler runs, nor the fronts' part. */
void in_rank_exit_now(int code)
{
    if (!rank_current)
        _exit(code);
    rank_current->ended = true;
    thread_take_end(rank_current);
    rank_exit(code);
}

void in_rank_quick_exit(int code)
{
    if (!rank_current)
        quick_exit(code);
    if (fold_part(rank_current)->libc)
        run_all(fold_part(rank_current)->libc, &fold_part(rank_current)->libc->at_quick_exit);
    in_rank_exit_now(code);
}

/* A system library may call exit itself (err(3), a Fortran STOP). Then the real exit has begun on this rank's
 * stack, and its newest handler, this one, turns it into the rank's exit. */
static void left_by_library(int code, void *arg)
{
    (void)arg;
    if (!rank_current)
        return;
    on_exit(left_by_library, NULL);
    leave_rank(rank_current, code);
}

void thread_exit_begin(void)
{
    static bool begun;
    if (!begun)
        on_exit(left_by_library, NULL);
    begun = true;
}
