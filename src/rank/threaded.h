/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threaded: what threads of ranks do to one another, for recorders. A part of rank.h. Told is what makes threads, ends
 * them, and where they block: a thread that waits, and who wakes it. So a player needs none of the objects, such as
 * mutexes, by which they did it.
 *
 * Threads have numbers from 1, as in reports: 1 is a rank's first one. The number of a thread that has ended may be used
 * again. A rank that polls memory or waits for a file is woken in the same way, also by another rank.
 */
#ifndef PGASIM_RANK_THREADED_H
#define PGASIM_RANK_THREADED_H

#include "rank/rank.h"

enum rank_threading {
    RANK_THREAD_MADE,      /* by the one that tells it; thread 0: in vain */
    RANK_THREAD_JOINED,    /* it has waited for the other's end */
    RANK_THREAD_ENDED,     /* itself */
    RANK_THREAD_EXITED,    /* it ends its rank, and is not the first one */
    RANK_THREAD_CALLED,    /* `n` calls that found what they wanted */
    RANK_THREAD_WOKE,      /* another one that waits */
    RANK_THREAD_WAITED,    /* until another one woke it */
    RANK_THREAD_LAST,      /* it went on when nothing else could happen at that time */
    RANK_THREAD_TIMED_OUT, /* it has waited for `seconds`, and nobody woke it */
};
/* What a thread does when it is woken. */
enum rank_waking {
    RANK_WAKING_PARKED, /* it takes the time of a waking */
    RANK_WAKING_AT_ONCE,
    RANK_WAKING_FILE, /* at once; while it waited, its rank was outside of its communication library */
    RANK_WAKING_POLL, /* it looks at memory */
};
struct rank_threaded {
    enum rank_threading what;
    enum rank_waking how;  /* WAITED */
    bool early;            /* WOKE: its rank is ahead of the clock */
    uint32_t rank, thread; /* the other one */
    uint32_t n;
    double seconds;
};

/* `fn` is told, on the thread's own stack; NULL: nobody is. */
typedef void (*rank_threaded_fn)(void *arg, struct rank *r, const struct rank_threaded *t);
void rank_on_threaded(rank_threaded_fn fn, void *arg);
void rank_threaded(struct rank *r, const struct rank_threaded *t);
uint32_t rank_thread_number(const struct rank *r); /* of the running thread in its rank, from 0 */

/* Who has woken a thread; thread 0: no thread did, or nobody is told. */
struct rank_waker {
    uint32_t rank, thread;
};
/* The running thread, if there is one, wakes that one of r, which waits. */
struct rank_waker rank_thread_wakes(const struct rank *r, uint32_t thread);
/* r's running thread was woken. */
void rank_thread_waited(struct rank *r, struct rank_waker by, enum rank_waking how);
/* It has waited from `begin` on, and nobody woke it. */
void rank_thread_timed_out(struct rank *r, double begin);
/* It has waited from `begin` on for what nobody in the simulation did, outside of its communication library; `last`: until
 * nothing else could happen. */
void rank_waited_outside(struct rank *r, double begin, bool last);

#endif
