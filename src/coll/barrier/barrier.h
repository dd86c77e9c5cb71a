/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier: the functions that build rounds of the algorithms in barrier.def. */
#ifndef PGASIM_COLL_BARRIER_H
#define PGASIM_COLL_BARRIER_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/barrier/barrier.def"
#undef COLL_ALGORITHM

#endif
