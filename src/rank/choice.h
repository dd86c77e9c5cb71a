/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice: what the standards leave open outside of one-sided operations, put to an adversary. A part of rank.h.
 * Whoever may take one of several, or may take longer, asks here. Without an adversary the answers are the
 * first one, and no time, at the cost of one predictable branch.
 */
#ifndef PGASIM_RANK_CHOICE_H
#define PGASIM_RANK_CHOICE_H

#include "rank/rank.h"

enum rank_choice {
    RANK_CHOOSE_MESSAGE, /* which sender's message a receive or probe from any source takes */
    RANK_CHOOSE_REQUEST, /* which complete request a wait or test for any of several names */
    RANK_CHOOSE_GRANT,   /* which of those that wait for a lock gets it next */
    RANK_CHOOSE_LATER,   /* whether a call that may wait later does (1), or waits now (0) */
    RANK_CHOOSE_SEND,    /* whether a send that need not wait for its receive does (1) */
    RANK_CHOOSE_MEET,    /* whether a member of a collective waits until all have come, if it need not (1) */
    RANK_CHOICES
};
enum rank_delay {
    RANK_DELAY_LEAVE,  /* until a rank leaves a collective that is over */
    RANK_DELAY_GRANT,  /* until a rank learns that it has a lock */
    RANK_DELAY_NOTICE, /* until a notice of synchronization sets out */
    RANK_DELAYS
};

/* All answers are for rank r, and come from its job's beginning and from what it asked before alone. */
struct rank_adversary {
    void (*called)(struct rank *r, const char *call); /* r enters a call, on its own stack; may sleep */
    size_t (*choose)(struct rank *r, enum rank_choice what, size_t n); /* n > 1; less than n */
    double (*delay)(struct rank *r, enum rank_delay what);             /* seconds, at least 0 */
};
extern const struct rank_adversary *rank_adversary; /* NULL: none */
/* Gives the jobs of this process an adversary, before the first call; NULL: none any more. */
void rank_oppose(const struct rank_adversary *a);

static inline size_t rank_choose(struct rank *r, enum rank_choice what, size_t n)
{
    return BASE_UNLIKELY(rank_adversary != NULL) && n > 1 ? rank_adversary->choose(r, what, n) : 0;
}
static inline double rank_delay(struct rank *r, enum rank_delay what)
{
    return BASE_UNLIKELY(rank_adversary != NULL) ? rank_adversary->delay(r, what) : 0;
}
/* The running actor, which is r's, goes on after that. */
static inline void rank_dally(struct rank *r, enum rank_delay what)
{
    double seconds = rank_delay(r, what);
    if (BASE_UNLIKELY(seconds > 0))
        engine_sleep(r->engine, seconds);
}

#endif
