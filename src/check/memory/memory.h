/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: what the memory that other ranks can reach holds at each point at which all ranks of the job meet, as a file
 * of hashes that can be compared with another run's. A room of check/.
 *
 * Memory is looked at in blocks of 64 bytes, which have stable names: rank, kind of memory, the how manieth of that kind
 * at the rank, offset. Bytes that an operation under way may write have no value yet: their block is open. Lines:
 *
 *     point MPI_Barrier in main, a.c:30
 *     1 0 40 9fab0123456789ab window       rank, number, offset, hash; 0: only zeros; -: open
 *
 * Behind a point stand the blocks that are not as at the point before; at first all are zero.
 */
#ifndef PGASIM_CHECK_MEMORY_H
#define PGASIM_CHECK_MEMORY_H

#include "rank/rank.h"

/* Of the next job: from its beginning on. There is no other checker of rank/order.h meanwhile. -1 with st. */
int memory_open(const char *path, struct base_status *st);
bool memory_wanted(void);
void memory_begin(struct rank_job *job); /* it exists, its ranks have not run */
void memory_end(void);

#endif
