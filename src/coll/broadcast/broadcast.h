/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast: the functions that build rounds of the algorithms in broadcast.def. */
#ifndef PGASIM_COLL_BROADCAST_H
#define PGASIM_COLL_BROADCAST_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/broadcast/broadcast.def"
#undef COLL_ALGORITHM

#endif
