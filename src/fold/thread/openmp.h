/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmp: what OpenMP orders, for a checker (private to thread/). GCC's library does the work. The functions of
 * openmp.def stand before its own, and run the program's outlined functions within functions of ours.
 *
 * Order that OpenMP promises (5.2: 11.5, 15): a region's begin before its threads, and their ends before what
 * follows it; a barrier; exclusive parts one after the other; a task's making before the task, and its end before
 * what waits for it: taskwait of its parent, its group's end, a barrier, the region's end, tasks that depend on it.
 * Tasks that run one after the other on one thread are in that order as well.
 */
#ifndef PGASIM_FOLD_THREAD_OPENMP_H
#define PGASIM_FOLD_THREAD_OPENMP_H

#include "fold/thread/thread.h"

/* The threads of a parallel region. Lies on the stack of the thread that began it, which waits for its end. The
 * library hands it to its functions as the region's data, of which it reads the first word itself. */
struct openmp_team {
    void *first;
    void (*fn)(void *);
    void *data;
    rank_moment begun, done; /* `done`: threads and tasks that ended */
    rank_moment ordered;     /* the last ordered part */
    /* Barriers, in turn: when a thread arrives at the second next, all have left this one. */
    struct openmp_barrier {
        uint32_t number;
        rank_moment all;
    } barrier[2];
};

/* An implicit or explicit task, while somebody refers to it: itself, its children. */
struct openmp_task {
    uint32_t references;
    rank_moment children; /* those that ended */
};
struct openmp_task *openmp_task_make(void);
void openmp_task_leave(struct openmp_task *t);

/* A group of tasks; lies on the stack of, or is owned by, the task that waits for its end. */
struct openmp_group {
    struct openmp_group *outer;
    rank_moment done;
};

/* What a thread works on. */
struct openmp_here {
    struct openmp_team *team; /* NULL: none */
    uint32_t barriers;        /* of the team, that it has left */
    struct openmp_task *task;
    struct openmp_group *group;
};
struct openmp_here *openmp_here(void); /* the current thread's */

/* A task or a thread has come to its end: adds to the barrier that waits for it. */
void openmp_barrier_add(struct rank *r, const struct openmp_here *here);

/* The library's own functions. */
struct openmp_real {
#define FOLD_LIBC(type, name, params) type(*name) params;
#include "fold/thread/openmp.def"
#undef FOLD_LIBC
};
extern struct openmp_real openmp_real;

#endif
