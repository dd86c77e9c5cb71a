/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms: the build functions that algorithms.def names. To add one, write it and add its line there. */
#ifndef PGASIM_COLL_ALGORITHMS_H
#define PGASIM_COLL_ALGORITHMS_H

#include "coll/schedule.h"

#define COLL_ALGORITHM(op, function, name, good_for) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/algorithms.def"
#undef COLL_ALGORITHM

#endif
