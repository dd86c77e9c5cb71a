/* SPDX-License-Identifier: BSD-3-Clause */
/* ahead: the processor gets early what the next events will need (private to loggp/). */
#ifndef PGASIM_REPLAY_LOGGP_AHEAD_H
#define PGASIM_REPLAY_LOGGP_AHEAD_H

#include "replay/loggp/state.h"

/* Which queue of a rank has what is due. */
static inline struct loggp_queue *loggp_queue_due(const struct replay_loggp *x, struct loggp_rank *r)
{
    struct loggp_cpu *cpu = loggp_cpu_of(r, r->cpu);
    switch (r->what) {
    case LOGGP_CALCULATES:
        return &cpu->calculations;
    case LOGGP_RECEIVES:
        return &cpu->receives;
    case LOGGP_ENDS:
        return &cpu->ending;
    case LOGGP_SENDS:
        return &loggp_lane_of(x, r, r->cpu, r->nic)->sends;
    default:
        return &loggp_lane_of(x, r, r->cpu, r->nic)->messages;
    }
}

/* The receivers of the next messages, what they wait for, and what waits for that. */
static inline void loggp_prefetch_arrivals(const struct replay_loggp *x)
{
    enum { NEAR = 2, MIDDLE = 5, FAR = 9 };
    uint64_t flying = x->departed - x->arrived;
    if (flying <= FAR || x->p.noise.arrival)
        return;
    loggp_prefetch_rank(loggp_rank_at(x, loggp_flying(x, x->arrived + FAR)->to));
    const struct loggp_rank *r = loggp_rank_at(x, loggp_flying(x, x->arrived + MIDDLE)->to);
    __builtin_prefetch(&x->node[r->posted.first], 1);
    __builtin_prefetch(&x->node[r->stock], 1);
    r = loggp_rank_at(x, loggp_flying(x, x->arrived + NEAR)->to);
    uint32_t op = x->node[r->posted.first].op;
    __builtin_prefetch(&r->op[op]);
    __builtin_prefetch(&r->count[op], 1);
}

/* What is due today, once the calendar has sent for the ranks. */
static inline void loggp_prefetch_today(const struct replay_loggp *x)
{
    enum { MOST = 12 };
    const struct loggp_heap *today = &x->calendar.heap;
    size_t n = today->n < MOST ? today->n : MOST;
    uint32_t node[MOST];
    for (size_t k = 0; k < n; k++) {
        struct loggp_rank *r = loggp_rank_at(x, today->at[k + 1].rank);
        node[k] = r->what == LOGGP_UNKNOWN ? r->stock : loggp_queue_due(x, r)->first;
        __builtin_prefetch(&x->node[node[k]], 1);
    }
    for (size_t k = 0; k < n; k++) {
        const struct loggp_rank *r = loggp_rank_at(x, today->at[k + 1].rank);
        uint32_t op = x->node[node[k]].op;
        __builtin_prefetch(&r->op[op]);
        __builtin_prefetch(&r->count[op], 1);
    }
}

#endif
