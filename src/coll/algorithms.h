/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms: the build functions of all rooms. To add one, write it and add its line to its room's list. */
#ifndef PGASIM_COLL_ALGORITHMS_H
#define PGASIM_COLL_ALGORITHMS_H

#include "coll/barrier/barrier.h"
#include "coll/rooted/rooted.h"
#include "coll/broadcast/broadcast.h"
#include "coll/allgather/allgather.h"
#include "coll/alltoall/alltoall.h"
#include "coll/scan/scan.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/reduce/reduce.h"
#include "coll/neighbor/neighbor.h"
#include "coll/levels/levels.h"

#endif
