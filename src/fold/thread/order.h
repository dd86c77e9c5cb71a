/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: what orders threads, for a checker (rank/order.h). A part of thread.h. An object of the program by which
 * threads order themselves, such as a mutex, has the moments at which it was released, in a table by address: the
 * objects keep glibc's layout. It loses them when it is destroyed or initialized again.
 *
 * An object can be released to all that acquire it later, or as by readers: only to those that acquire it alone.
 */
#ifndef PGASIM_FOLD_THREAD_ORDER_H
#define PGASIM_FOLD_THREAD_ORDER_H

#include "fold/internal.h"

/* With a checker only; the inline functions below ask. */
void thread_order_add(struct rank *r, const volatile void *object, bool reading);
void thread_order_take(struct rank *r, const volatile void *object, bool reading);
void thread_order_drop(const struct rank *r, const volatile void *object);
void thread_order_end_all(void); /* the job ends */

static inline void thread_order_release(struct rank *r, const volatile void *object)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        thread_order_add(r, object, false);
}
static inline void thread_order_release_reading(struct rank *r, const volatile void *object)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        thread_order_add(r, object, true);
}
static inline void thread_order_acquire(struct rank *r, const volatile void *object)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        thread_order_take(r, object, false);
}
static inline void thread_order_acquire_reading(struct rank *r, const volatile void *object)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        thread_order_take(r, object, true);
}

/* A moment that threads add to and others take. */
static inline void thread_moment_add(struct rank *r, rank_moment *m)
{
    *m = rank_order_join(*m, rank_order_release(r));
}
static inline void thread_moment_forget(rank_moment *m)
{
    rank_order_forget(*m);
    *m = 0;
}

#endif
