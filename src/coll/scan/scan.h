/* SPDX-License-Identifier: BSD-3-Clause */
/* scan: the functions that build rounds of the algorithms in scan.def. */
#ifndef PGASIM_COLL_SCAN_H
#define PGASIM_COLL_SCAN_H

#include "coll/schedule/schedule.h"

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/scan/scan.def"
#undef COLL_ALGORITHM

#endif
