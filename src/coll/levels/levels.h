/* SPDX-License-Identifier: BSD-3-Clause */
/* levels: the functions that build rounds of the algorithms in levels.def. */
#ifndef PGASIM_COLL_LEVELS_H
#define PGASIM_COLL_LEVELS_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/levels/levels.def"
#undef COLL_ALGORITHM

#endif
