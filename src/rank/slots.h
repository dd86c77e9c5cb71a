/* SPDX-License-Identifier: BSD-3-Clause */
/* slots: where ranks that others start may be, where these are not the job's slots. */
#ifndef PGASIM_RANK_SLOTS_H
#define PGASIM_RANK_SLOTS_H

#include "rank/rank.h"

/* Those for ranks that `by` starts; NULL: the job's. Set at start-up; NULL: they always are. */
extern const struct rank_slots *(*rank_slots_for)(const struct rank *by);
static inline const struct rank_slots *rank_slots_of(const struct rank *by)
{
    const struct rank_slots *own = rank_slots_for ? rank_slots_for(by) : NULL;
    return own ? own : &rank_job_config(by->job)->slots;
}

#endif
