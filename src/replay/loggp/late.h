/* SPDX-License-Identifier: BSD-3-Clause */
/* late: what noise makes of the model's times (private to loggp/). */
#ifndef PGASIM_REPLAY_LOGGP_LATE_H
#define PGASIM_REPLAY_LOGGP_LATE_H

#include "replay/loggp/state.h"

/* What is added to work of a CPU that begins now. */
static inline double loggp_late(const struct replay_loggp *x, const struct loggp_rank *r, double length)
{
    const struct replay_loggp_noise *noise = &x->p.noise;
    return BASE_LIKELY(!noise->late) ? 0 : noise->late(noise->arg, r->id, x->now, length);
}

static inline double loggp_byte_gap(const struct replay_loggp *x, const struct loggp_rank *r)
{
    const struct replay_loggp_noise *noise = &x->p.noise;
    return BASE_LIKELY(!noise->byte_gap) ? x->p.G : noise->byte_gap(noise->arg, r->id, x->p.G);
}

static inline double loggp_arrival(const struct replay_loggp *x, const struct loggp_rank *r, uint32_t to)
{
    const struct replay_loggp_noise *noise = &x->p.noise;
    double sent = x->now + x->p.o;
    return BASE_LIKELY(!noise->arrival) ? sent + x->p.L : noise->arrival(noise->arg, r->id, to, sent, x->p.L);
}

#endif
