/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ahead: what is shared by ahead.c, which runs actors ahead of their turns, and ahead_life.c, which starts
 * and ends the threads (private to engine/).
 */
#ifndef PGASIM_ENGINE_AHEAD_H
#define PGASIM_ENGINE_AHEAD_H

#include "engine/internal.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ENGINE_PART_HOME, ENGINE_PART_FREE, ENGINE_PART_AHEAD, ENGINE_PART_BACK };
struct engine_part {
    struct engine_actor *next; /* in the list */
    uint32_t thread;
    _Atomic uint8_t state;
};

/* Code that waits for an actor of its own thread, which runs meanwhile. */
struct engine_nest {
    void *context, *fake;
    const void *low;
    size_t size;
    void **fiber;
};

/* `called` means that there is something to look at under the lock. */
struct engine_thread {
    struct engine_place place;
    struct engine_aheads *aheads;
    pthread_t id;
    uint32_t number;
    bool turn;                          /* it has the turn; only this thread uses it */
    struct engine_actor *on;            /* whose code ran on it last; NULL: nobody's that can go on */
    struct engine_actor *ahead;         /* whose code runs ahead on it, or NULL */
    struct engine_nest *nest;           /* NULL: the thread's own stack resumes actors */
    struct engine_actor *first, **last; /* those let go */
    uint32_t dead_stack;                /* to be freed, or ENGINE_NO_STACK */
    _Atomic bool called;
    bool sleeps;
    pthread_cond_t wake;
};

struct engine_aheads {
    struct engine *engine;
    const struct engine_ahead_hooks *hooks;
    void *ctx;
    pthread_mutex_t lock;
    struct engine_thread *thread;
    uint32_t n;
    unsigned spins;
    struct engine_thread *turn_for; /* the thread that takes the turn next, and */
    struct engine_actor *turn;      /* for which actor */
    const struct engine_part *awaited;
    struct engine_thread *awaiter;
    bool over; /* the turn goes to the main thread */
    bool lost;
    pthread_cond_t main_wake;
    struct engine_part *part;
    uint64_t let_go;
};

static inline struct engine_part *engine_part_of(const struct engine *e, const struct engine_actor *a)
{
    return &e->aheads->part[a - e->actors];
}

/* Wakes t, or makes it look again. Call it with the lock held. */
static inline void engine_ahead_call(struct engine_thread *t)
{
    atomic_store_explicit(&t->called, true, memory_order_release);
    if (t->sleeps)
        pthread_cond_signal(&t->wake);
}

/* What a thread does from its start to the end of the run; `arg` is its record. */
void *engine_ahead_work(void *arg);

#endif
