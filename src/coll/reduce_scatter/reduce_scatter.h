/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_scatter: the functions that build rounds of the algorithms in reduce_scatter.def. */
#ifndef PGASIM_COLL_REDUCE_SCATTER_H
#define PGASIM_COLL_REDUCE_SCATTER_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/reduce_scatter/reduce_scatter.def"
#undef COLL_ALGORITHM

#endif
