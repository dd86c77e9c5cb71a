/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline: broadcasts of two or three levels at work at the same time. */
#ifndef PGASIM_COLL_LEVELS_PIPELINE_H
#define PGASIM_COLL_LEVELS_PIPELINE_H

#include "coll/schedule/schedule.h"

/* From the leader of a unit of tier `top` to all members below it: in round k, segment k passes through that
 * tier, k - 1 through the one below, and so on. The root's data are at its source, other leaders' in dest.
 * False: no such round. */
bool levels_pass_down(struct coll_schedule *s, uint32_t round, enum coll_tier_kind top);

#endif
