/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall: the functions that build rounds of the algorithms in alltoall.def. */
#ifndef PGASIM_COLL_ALLTOALL_H
#define PGASIM_COLL_ALLTOALL_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/alltoall/alltoall.def"
#undef COLL_ALGORITHM

#endif
