/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce: the functions that build rounds of the algorithms in reduce.def. */
#ifndef PGASIM_COLL_REDUCE_H
#define PGASIM_COLL_REDUCE_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/reduce/reduce.def"
#undef COLL_ALGORITHM

#endif
