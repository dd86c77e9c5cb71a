/* SPDX-License-Identifier: BSD-3-Clause */
/* rooted: the functions that build rounds of the algorithms in rooted.def. */
#ifndef PGASIM_COLL_ROOTED_H
#define PGASIM_COLL_ROOTED_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/rooted/rooted.def"
#undef COLL_ALGORITHM

#endif
