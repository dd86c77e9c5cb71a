/* SPDX-License-Identifier: BSD-3-Clause */
/* waiter: a rank that was put aside, what it saw, and what is said of it (private to aside.c, saw.c and
 * say.c). */
#ifndef PGASIM_FOLD_POLL_WAITER_H
#define PGASIM_FOLD_POLL_WAITER_H

#include "fold/poll/parts.h"

/* Eight bytes as the loop saw them. */
struct poll_seen {
    uintptr_t address;
    uint64_t value;
};

struct poll_waiter {
    struct poll_waiter *next, *previous; /* of all; `next` also in the list of free ones */
    struct poll_waiter *of_rank;         /* the next one of the same rank */
    struct rank *rank;
    struct engine_actor *actor;
    struct poll_finding found;
    uintptr_t object; /* what it looked at last; 0: not known */
    bool over, resumed, blocked;
    bool last;                         /* woken when nothing else could happen */
    uint32_t thread;                   /* its number, from 1 */
    struct rank_waker by;              /* a thread whose store it saw; for recorders */
    bool everywhere;                   /* any rank's code may store where it looks */
    BASE_ARRAY(struct poll_seen) seen; /* by address */
};

/* --- saw.c ------------------------------------------------------------------------------------------ */

/* Keeps what the turn looked at: `seen`, `object`. */
void poll_saw(struct poll_waiter *w, const struct poll_turn *t);
/* Whether bytes that it saw in [low, high) are others now. Of a sampled loop: they may be. */
bool poll_saw_others(const struct poll_waiter *w, uintptr_t low, uintptr_t high);
/* Whether any bytes that it saw are, as far as they are known. */
bool poll_saw_changed(const struct poll_waiter *w);

/* Tells recorders which words are others now, and since when the rank has waited for that. */
void poll_saw_tell(const struct poll_waiter *w, double begin);

/* --- say.c ------------------------------------------------------------------------------------------ */

void poll_describe(const void *waiter, char *buf, size_t size); /* for the deadlock report */
/* The results may not be trusted, or the loop never ends. */
void poll_warn(const struct poll_waiter *w);

#endif
