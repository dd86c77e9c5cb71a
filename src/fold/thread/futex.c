/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * futex: futex calls of a rank: those made through syscall() by a program or a system library (C++'s atomic
 * wait, OpenMP's on aarch64), and those that libgomp makes inline, which arrive as signals (trap.c). Other
 * system calls go to the kernel.
 */
#include "fold/thread/thread.h"

#include "fold/io/io.h"

#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static double deadline(const struct rank *r, int op, const struct timespec *t)
{
    if (!t)
        return INFINITY;
    if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return engine_now(r->engine) + (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
    return libc_until(op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

static long wait_at(struct rank *r, const int *word, int op, int value, const struct timespec *t,
                    uint32_t bits)
{
    struct thread_about about = {r, word, NULL, 0};
    struct engine_reason why = {"futex", thread_describe, &about};
    struct thread_wait w = {0};
    long result = 0;
    thread_enter(r);
    double until = deadline(r, op, t);
    if (isnan(until))
        result = -EINVAL;
    else if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        result = -EAGAIN;
    else if (!thread_park(&w, r, word, bits, until, &why))
        result = -ETIMEDOUT;
    thread_leave(r);
    return result;
}

long thread_futex(struct rank *r, const int *word, int op, int value, uintptr_t value2, const int *word2,
                  uint32_t bits, bool orders)
{
    long n;
    rank_moment now = 0;
    switch (op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        bits = UINT32_MAX; /* fall through */
    case FUTEX_WAIT_BITSET:
        return bits ? wait_at(r, word, op, value, (const struct timespec *)value2, bits) : -EINVAL;
    case FUTEX_WAKE:
        bits = UINT32_MAX; /* fall through */
    case FUTEX_WAKE_BITSET:
        thread_enter(r);
        now = orders ? rank_order_release(r) : 0;
        n = thread_wake_after(r, word, bits, value < 0 ? 0 : (uint32_t)value, now);
        rank_order_forget(now);
        thread_leave(r);
        return n;
    case FUTEX_CMP_REQUEUE:
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (int)bits)
            return -EAGAIN; /* fall through */
    case FUTEX_REQUEUE:
        thread_enter(r);
        now = orders ? rank_order_release(r) : 0;
        n = thread_wake_after(r, word, UINT32_MAX, value < 0 ? 0 : (uint32_t)value, now);
        rank_order_forget(now);
        n += thread_move_some(r, word, word2, (uint32_t)value2);
        thread_leave(r);
        return n;
    default:
        base_warn("not-modelled/futex", "a futex operation (%d) is not modelled: ENOSYS",
                  op & FUTEX_CMD_MASK);
        return -ENOSYS;
    }
}

long in_rank_syscall(long number, ...)
{
    long a[6], result;
    va_list args;
    va_start(args, number);
    for (int k = 0; k < 6; k++)
        a[k] = va_arg(args, long);
    va_end(args);
    if (!rank_current)
        return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    switch (number) {
    case SYS_futex:
        result = thread_futex(rank_current, (const int *)a[0], (int)a[1], (int)a[2], (uintptr_t)a[3],
                              (const int *)a[4], (uint32_t)a[5], true);
        break;
    case SYS_gettid:
        return in_rank_gettid();
    case SYS_sched_yield:
        return in_rank_sched_yield();
    default:
        return io_syscall(number, a, &result) ? result : syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}
