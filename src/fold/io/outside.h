/* SPDX-License-Identifier: BSD-3-Clause */
/* outside: what wait.c and outside.c share of ranks that wait in system calls (private to io/). */
#ifndef PGASIM_FOLD_IO_OUTSIDE_H
#define PGASIM_FOLD_IO_OUTSIDE_H

#include "fold/io/io.h"

/* A wait of a rank; not on its stack, which may be kept aside meanwhile. */
struct io_waiter {
    struct io_waiter *next, **link;
    struct rank *rank;
    struct engine_actor *actor;
    struct engine_event timer;
    const char *call;
    uint64_t place;
    uint8_t nature;
    bool outside, inherited; /* as in struct io_wait_for */
    bool waits;              /* it is in the list */
    bool late;               /* its time was over */
    bool last;               /* woken when nothing else could happen */
    bool tell, told;         /* woken only to warn that it waits; it did */
    uint32_t thread;         /* its number, from 1 */
    struct rank_waker by;    /* for recorders */
    double seconds;          /* simulated, at most */
    double since;            /* host seconds */
    nfds_t n;                /* 0: the caller asks for itself */
    struct pollfd fds[];
};
struct io_waiter *io_waiters(void);
void io_wake(struct io_waiter *w);
void io_waits_begin(const struct fold_job *job);
void io_waits_forget(const struct rank *r);
double io_host_seconds(void);

/* Whether somebody outside of the job may answer. */
bool io_outside(const struct io_waiter *w);
/* Really waits for what only others outside can do. false: they did not for a while, or the call's time is
 * over. */
bool io_outside_answers(struct rank *r, struct io_wait_for *f);
void io_become_child(void);        /* this process was forked by a rank */
void io_stir(void);                /* the simulation goes on: look more often again */
void io_tell(struct io_waiter *w); /* warns, in the rank's own context, that it waits for long */
void io_outside_begin(struct fold_job *job);

#endif
