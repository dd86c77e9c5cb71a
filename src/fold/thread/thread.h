/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread: the threads of a rank as actors. A rank that made no thread and used nothing that belongs to
 * threads has no crew, and nothing is exchanged for it.
 *
 * The application's objects (mutexes, semaphores, ...) keep glibc's layout and unlocked state. So static
 * initializers and the real init functions work, and an object that a system library used outside of ranks
 * can be used inside. Waiting threads are parked by address (park.c), as with a futex.
 *
 * Invariants
 *  T1  fold_thread is the thread whose actor runs, NULL when its rank has no crew; only the switch hook and
 *      thread_me set it.
 *  T2  A thread's live values (errno, exceptions being handled, thread-local bytes of system libraries) are
 *      in place while it runs. The first values are in place while no thread of a crew runs.
 *  T3  rank->threads is the number of the rank's live actors.
 *  T4  Application code is not measured across a switch: measured_from is <= 0 there.
 */
#ifndef PGASIM_RANK_THREAD_H
#define PGASIM_RANK_THREAD_H

#include "fold/libc/libc.h"
#include "fold/thread/order.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <threads.h>
#include <unwind.h>

/* A private copy of one object's thread-local data. */
struct thread_block {
    size_t module; /* the dynamic linker's number */
    void *allocated;
    char *data;
};

/* One thread. Slot 0 is the rank's first. */
struct fold_thread {
    struct rank *rank;
    struct engine_actor *actor;
    uint32_t slot, generation; /* pthread_t is generation << 32 | slot + 1 */
    bool ended, detached, has_joiner, leaving;
    bool cancel_disabled, cancel_asynchronous, cancel_asked;
    struct thread_wait *waiting; /* NULL: not parked */
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *arg, *result;
    int error;                  /* errno while it does not run */
    uint64_t exception[2];      /* C++'s, while it does not run */
    struct openmp_here *openmp; /* what it works on, for a checker; NULL: nothing */
    char *openmp_tls;           /* libgomp's block; NULL: none */
    char *system_tls;           /* bytes of system.c's ranges, while it does not run; NULL: first values */
    BASE_ARRAY(struct thread_block) blocks;
    BASE_ARRAY(const void *) values; /* of keys, by number */
    struct libc_exits at_exit;       /* destructors of thread-local objects; slot 0's: in fold_libc */
    BASE_ARRAY(void *) cleanup;      /* handlers pushed by C code (__pthread_unwind_buf_t), newest last */
    const char *base_frame;          /* where thread_body's frame is: unwinding ends there */
    jmp_buf base;
    struct _Unwind_Exception unwinding;
    char name[16];
    cpu_set_t *cores;        /* as set; NULL: all of the rank's */
    rank_moment begun, done; /* its making, its end; while they are not yet acquired */
};

/* What the application made with pthread_key_create. */
struct thread_key {
    bool used;
    void (*destroy)(void *);
};

/* The threads of a rank. */
struct fold_crew {
    BASE_ARRAY(struct fold_thread *) slot; /* NULL: free */
    BASE_ARRAY(struct thread_key) keys;
    uint32_t generation;
    uint32_t cheap_calls;     /* since the last one that took time */
    struct fold_thread *ends; /* runs the rank's end */
    rank_moment done;         /* the ends of all threads so far */
};

extern RANK_THREAD struct fold_thread *fold_thread;

/* --- crew (crew.c) ------------------------------------------------------------------------ */

struct fold_thread *thread_me(void);          /* the current thread's record, made when there is none */
uint32_t thread_number(const struct rank *r); /* of the current thread, from 1 */
struct fold_thread *thread_find(const struct rank *r, pthread_t id);
pthread_t thread_id(const struct fold_thread *t);
uint32_t thread_slot(const void *local); /* of an actor's local word; 0: the first */
struct fold_thread *thread_add(struct rank *r);
void thread_remove(struct fold_thread *t); /* frees its record */
/* At a switch: D1, T1, T2. */
void thread_switch_from(struct fold_thread *t);
void thread_switch_to(struct fold_thread *t);
void thread_values_first(void); /* puts the first values in place */
/* The rank ends on the current actor: drops its other threads. */
void thread_drop_others(struct rank *r);
void thread_drop_all(struct rank *r); /* called in an event; the rank ends with them */
void thread_crew_release(struct rank *r);
/* Does not return when another thread already ends the rank. */
void thread_claim_end(struct rank *r);
void thread_take_end(struct rank *r);

/* --- calls --------------------------------------------------------------------------------------- */

/* Opens and closes a call by which threads synchronize. Opening charges computation and lets the time of a
 * call pass, in portions, so that a loop that keeps trying a lock sees time pass. */
void thread_pass(struct rank *r);
static inline void thread_enter(struct rank *r)
{
    libc_enter(r);
    if (r->threads > 1)
        thread_pass(r);
}
static inline void thread_leave(struct rank *r)
{
    libc_leave(r);
}

/* --- parking (park.c) --------------------------------------------------------------------- */

/* A thread that waits at an address; lies on its stack. Threads at one address are served in the order of
 * arrival. */
struct thread_wait {
    struct thread_wait *next, *previous; /* in the bucket */
    uintptr_t address;
    const struct rank *space; /* the rank whose address it is; NULL: common to all ranks */
    struct rank *rank;
    struct fold_thread *thread;
    struct engine_actor *actor;
    struct engine_event timer;
    uint32_t number;              /* of the thread */
    uint32_t bits;                /* what it waits for, as the waker tests it */
    bool cancellable;             /* set by the caller; thread_park sets the rest */
    bool parked, cancelled, late; /* late: its timer rang */
    rank_moment after;            /* what it waited for */
    struct rank_waker by;         /* for recorders */
};
/* Waits at the address until woken (true), or until `until` or a cancellation (false). The call is open. */
bool thread_park(struct thread_wait *w, struct rank *r, const volatile void *address, uint32_t bits,
                 double until, const struct engine_reason *why);
/* The first thread that waits there for one of the bits, or NULL. */
struct thread_wait *thread_parked(const struct rank *r, const volatile void *address, uint32_t bits);
void thread_wake(struct thread_wait *w);
uint32_t thread_wake_some(const struct rank *r, const volatile void *address, uint32_t bits, uint32_t n);
/* The same for what the waiters wait for, which happens at the moment m, or before; it stays. */
uint32_t thread_wake_after(const struct rank *r, const volatile void *address, uint32_t bits, uint32_t n,
                           rank_moment m);
uint32_t thread_move_some(const struct rank *r, const volatile void *from, const volatile void *to,
                          uint32_t n);
void thread_cancel_wait(struct thread_wait *w);
void thread_forget_wait(struct thread_wait *w); /* its thread is dropped */
/* A number for the address: in a rank's private globals for each rank, or else one for all. */
uint64_t thread_place(const struct rank *r, const volatile void *address);
void thread_park_begin(void);
void thread_park_end(void);

/* What a thread waits for, as a report names it. */
struct thread_about {
    const struct rank *rank;
    const volatile void *address; /* NULL: only the holder is named */
    const char *held_by;          /* "held by", or NULL */
    uint32_t holder;
};
void thread_describe(const void *about, char *buf, size_t size);

/* --- life (life.c, exit.c) --------------------------------------------------------- */

int thread_start(struct fold_thread **out, const pthread_attr_t *attr, void *(*start)(void *),
                 int (*start_c11)(void *), void *arg);
_Noreturn void thread_exit(void *result);
void thread_run_destructors(struct fold_thread *t); /* thread-local objects and keys */
_Noreturn void thread_finish(struct fold_thread *t);
void thread_body(void *thread);
/* As the kernel does it. Returns the call's result, or -errno. `orders`: what a thread does before it wakes others
 * comes before what they do then. */
long thread_futex(struct rank *r, const int *word, int op, int value, uintptr_t value2, const int *word2,
                  uint32_t bits, bool orders);
void thread_set_cores(struct fold_thread *t, const cpu_set_t *cores);
uint32_t thread_cores(const struct rank *r); /* that its threads may use: its share of the host's */
/* Ends the current thread if it was cancelled and allows that. */
void thread_test_cancel(void);

/* --- the rank's end (rank_exit.c) ---------------------------------------------------------------- */

void thread_exit_begin(void); /* before any rank: makes exit called by a system library end the rank */
/* Runs what the current rank registered with atexit/__cxa_atexit (newest first) and thread_local destructors.
 * Returns the rank's status: `code`, or that of an exit() within one of them. */
int thread_run_atexit(struct rank *r, int code);

/* --- thread-local data and keys (local.c) ------------------------------------------------- */

void thread_local_check(const struct fold_job *job); /* warns of thread-local data that threads share */
void thread_keys_destroy(struct fold_thread *t);
void thread_local_release(struct fold_thread *t);

/* --- mutexes (mutex.c) -------------------------------------------------------------------- */

/* Within an open call: releases a mutex and takes it again, for condition variables. */
void thread_mutex_release(struct rank *r, pthread_mutex_t *m);
void thread_mutex_retake(struct rank *r, pthread_mutex_t *m);

/* --- system libraries (system.c) ---------------------------------------------------------- */

/* Before and after the loading of the program, when some libraries read settings. */
void thread_system_before_load(void);
void thread_system_after_load(void);
/* After the program's libraries are loaded: makes system libraries that came with them synchronize through
 * us. */
void thread_system_begin(struct fold_job *job);
bool thread_system_openmp(void); /* libgomp came with the program; its data is exchanged between ranks */
void thread_system_end(struct fold_job *job);
void thread_system_rank_begin(struct rank *r);
void thread_system_rank_end(struct rank *r);
void thread_system_switch(const struct rank *to); /* their data that is a rank's own */
/* openmp.c: from now on, order of OpenMP is told to a checker; the library is loaded. */
void openmp_order_begin(void *library);
/* trap.c: from now on handles futex calls from [low, high). */
void thread_trap_begin(uintptr_t low, uintptr_t high);
/* Registers how thread-local bytes of those libraries are exchanged: `save` keeps t's, `load` makes t's
 * (NULL: the first values) live. */
void thread_exchange(void (*save)(struct fold_thread *t), void (*load)(struct fold_thread *t));

/* --- settings ------------------------------------------------------------------------------------ */

struct thread_costs {
    double create, wake, call;
};
extern struct thread_costs thread_costs;
void thread_costs_read(const struct fold_job *job);

#define FOLD_LIBC(type, name, params)            type in_rank_##name params;
#define FOLD_LIBC_AS(symbol, type, name, params) type in_rank_##name params;
#include "fold/thread/program.def"
#include "fold/thread/thread.def"
#include "fold/thread/order.def"
#include "fold/thread/openmp.def"
#undef FOLD_LIBC
#undef FOLD_LIBC_AS

#endif
