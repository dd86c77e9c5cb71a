/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather: the functions that build rounds of the algorithms in allgather.def. */
#ifndef PGASIM_COLL_ALLGATHER_H
#define PGASIM_COLL_ALLGATHER_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/allgather/allgather.def"
#undef COLL_ALGORITHM

#endif
