/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: what orders the actions of ranks' threads, and what memory their calls use, told to a checker. A part
 * of rank.h. Costs one predictable branch while there is no checker.
 *
 * Happens-before (Lamport 1978): a thread's actions follow each other, and an action that a thread *releases*
 * comes before what follows where another thread *acquires* it: a message from its send to the end of its
 * receive, a lock from its release to the next acquisition, a collective from those that give data to those
 * that get it. Whoever implements such a thing takes a moment (rank_order_release) on the giving thread, keeps it
 * with the message or the lock, and hands it to the receiving thread (rank_order_acquire). Both are called on the
 * thread's own stack, in the order in which they happen; the thread is the running actor.
 *
 * The order is that of processes and threads alone: it says nothing of one-sided operations, whose completion
 * rma/listen.h tells.
 */
#ifndef PGASIM_RANK_ORDER_H
#define PGASIM_RANK_ORDER_H

#include "rank/rank.h"

/* All that came before some action of a thread: its vector clock, kept by number. Each that rank_order_release or
 * rank_order_join returned is given back once, by rank_order_forget. 0: nothing. */
typedef uint32_t rank_moment;

enum rank_use { RANK_READS, RANK_WRITES };

/* Memory that other ranks may reach by one-sided operations. */
struct rank_area {
    uintptr_t address; /* in its rank's terms */
    size_t bytes;
    const char *kind; /* a literal: "symmetric heap", "window", "static data" */
    uintptr_t copy; /* others' operations act on these bytes instead, until both are made one (MPI's separate
                       * memory model); 0: there is one copy */
};

/* What a checker is told. Its functions change nothing that a rank can see, and do not block. */
struct rank_checker {
    void (*thread)(struct rank *r, bool begins); /* NULL: not asked for */
    rank_moment (*release)(struct rank *r);
    void (*acquire)(struct rank *r, rank_moment m);
    rank_moment (*join)(rank_moment a, rank_moment b); /* gives both back */
    rank_moment (*copy)(rank_moment m);
    void (*forget)(rank_moment m);
    uint64_t (*begin)(struct rank *r, const char *call);
    void (*uses)(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes, enum rank_use how);
    void (*end)(struct rank *r, uint64_t action);
    void (*touches)(const char *call, uintptr_t address, size_t bytes, enum rank_use how, const void *place);
    void (*renew)(struct rank *r, uintptr_t address, size_t bytes); /* NULL: not asked for */
    void (*atomic)(uintptr_t address, size_t bytes, bool reads, bool writes, int order,
                   const void *place);                  /* NULL: not asked for */
    void (*lend)(bool begins);                          /* NULL: not asked for */
    void (*exchanged)(uintptr_t address, size_t bytes); /* NULL: not asked for */
    void (*area)(struct rank *r, const struct rank_area *a, bool there);
    void (*fresh)(struct rank *r, uintptr_t address, size_t bytes);
    void (*meet)(struct rank *r, const char *call); /* NULL: not asked for */
};
extern const struct rank_checker *rank_checker; /* NULL: none */

/* --- order ------------------------------------------------------------------------------------------ */

/* The running actor begins, or ends, as a thread of r: the first and the last that is told of it. A rank's first
 * thread begins and ends untold. Actors are used again for other threads. */
static inline void rank_order_thread(struct rank *r, bool begins)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->thread)
        rank_checker->thread(r, begins);
}
/* The current moment of the running thread of r. What the thread does from now on comes later. */
static inline rank_moment rank_order_release(struct rank *r)
{
    return BASE_UNLIKELY(rank_checker != NULL) ? rank_checker->release(r) : 0;
}
/* What the running thread of r does from now on comes after the moment, which stays. */
static inline void rank_order_acquire(struct rank *r, rank_moment m)
{
    if (BASE_UNLIKELY(m != 0) && rank_checker)
        rank_checker->acquire(r, m);
}
/* A moment that comes after both, which are given back. */
static inline rank_moment rank_order_join(rank_moment a, rank_moment b)
{
    return !a ? b : !b ? a : rank_checker ? rank_checker->join(a, b) : a;
}
static inline rank_moment rank_order_copy(rank_moment m)
{
    return m && rank_checker ? rank_checker->copy(m) : 0;
}
static inline void rank_order_forget(rank_moment m)
{
    if (BASE_UNLIKELY(m != 0) && rank_checker)
        rank_checker->forget(m);
}

/* All ranks of the job are in a call, a barrier, and none goes on before all have come: told once, within the call of
 * r, which came last. */
static inline void rank_order_meet(struct rank *r, const char *call)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->meet)
        rank_checker->meet(r, call);
}

/* --- memory that calls use ------------------------------------------------------------------------- */

/* A call of the running thread of r begins to use memory: the buffers of a message or a collective. It may
 * touch them until rank_action_end, on whichever thread learns that it is over (MPI_Wait); for a blocking
 * call that is its own end. Returns the action's number; 0: nobody asks. `call`: a literal. */
static inline uint64_t rank_action_begin(struct rank *r, const char *call)
{
    return BASE_UNLIKELY(rank_checker != NULL) ? rank_checker->begin(r, call) : 0;
}
/* It reads or writes these bytes, a run; once for each run. Call right after rank_action_begin. */
static inline void rank_action_uses(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes,
                                    enum rank_use how)
{
    if (BASE_UNLIKELY(action != 0) && rank_checker && bytes)
        rank_checker->uses(action, whose, address, bytes, how);
}
static inline void rank_action_end(struct rank *r, uint64_t action)
{
    if (BASE_UNLIKELY(action != 0) && rank_checker)
        rank_checker->end(r, action);
}
/* A call that ends later (MPI_Isend): what the thread does that learns of its end. It acquires `order`, which at
 * first is the moment of the call's start. */
struct rank_pending {
    uint64_t action; /* 0: none */
    rank_moment order;
};
static inline void rank_pending_seen(struct rank *r, struct rank_pending *p)
{
    rank_order_acquire(r, p->order);
    rank_action_end(r, p->action);
    p->action = 0;
}
/* The same, once and for all. */
static inline void rank_pending_end(struct rank *r, struct rank_pending *p)
{
    rank_pending_seen(r, p);
    rank_order_forget(p->order);
    p->order = 0;
}
/* Nobody will learn of it. */
static inline void rank_pending_drop(struct rank *r, struct rank_pending *p)
{
    rank_action_end(r, p->action);
    rank_order_forget(p->order);
    *p = (struct rank_pending){0};
}
/* The same for a function that is done with the bytes when it returns, and may be called often (memcpy, read).
 * `place`: where it returns to. Also outside of ranks. */
static inline void rank_touches(const char *call, const void *address, size_t bytes, enum rank_use how,
                                const void *place)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && bytes)
        rank_checker->touches(call, (uintptr_t)address, bytes, how, place);
}

/* Private memory of r begins a new life: a block of malloc, a thread's stack. What was done to it before comes before
 * what is done to it now, by whatever thread. Its end is a use (free writes). */
static inline void rank_order_renew(struct rank *r, const void *address, size_t bytes)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->renew && bytes)
        rank_checker->renew(r, (uintptr_t)address, bytes);
}
/* The running thread runs a function of the program for a call (a user's operator of a reduction), on
 * memory that the call uses: until its end, its loads and stores are the call's. Nothing else runs
 * meanwhile. */
static inline void rank_order_lend(bool begins)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->lend)
        rank_checker->lend(begins);
}
/* Bytes that each thread has for itself, all at one address: they are exchanged when threads take turns (thread-local
 * data of system libraries). For good. */
static inline void rank_order_exchanged(uintptr_t address, size_t bytes)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->exchanged)
        rank_checker->exchanged(address, bytes);
}
/* An atomic operation of a program's thread that instrumentation does not see. `order`: as __ATOMIC_RELAXED and the
 * like. */
static inline void rank_atomic(const void *address, size_t bytes, bool reads, bool writes, int order,
                               const void *place)
{
    if (BASE_UNLIKELY(rank_checker != NULL) && rank_checker->atomic)
        rank_checker->atomic((uintptr_t)address, bytes, reads, writes, order, place);
}

/* --- memory that others reach ---------------------------------------------------------------------- */

/* From now on (`there`), or no longer, other ranks' operations may reach this memory of r. */
static inline void rank_area_tell(struct rank *r, const struct rank_area *a, bool there)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        rank_checker->area(r, a, there);
}
/* Bytes of such memory were allocated and have no value yet (shmem_malloc). */
static inline void rank_fresh(struct rank *r, uintptr_t address, size_t bytes)
{
    if (BASE_UNLIKELY(rank_checker != NULL))
        rank_checker->fresh(r, address, bytes);
}

#endif
