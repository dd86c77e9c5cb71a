/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poll: ranks that poll memory without a call (docs/polling.md). A timer on the CPU time of the thread
 * interrupts a rank that stays in its own code. Single steps through one turn of its loop show whether it
 * polls. If so it is put aside, as a waiter for changes of the memory that it loads, and others run.
 *
 * Invariants
 *  D7  A rank is put aside only where it was interrupted in its program's own code, on its actor's stack: no
 *      lock of libc or of the simulator is held there.
 *  D8  While steps are taken, nothing of the simulator changes: the handlers write only to their own record.
 *  D9  A waiter is in the list of its rank, and counted in `watching`, until it is woken.
 */
#ifndef PGASIM_FOLD_POLL_H
#define PGASIM_FOLD_POLL_H

#include "fold/internal.h"

void poll_register(void);              /* at start-up */
void poll_begin(struct fold_job *job); /* before any rank runs */
void poll_end(struct fold_job *job);   /* no rank runs any more */
void poll_thread_begin(void);          /* on each thread on which ranks run */
/* In the handler of a signal: the rank does something else before its loop goes on. */
void poll_interrupted(void *context);

#endif
