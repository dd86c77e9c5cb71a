/* SPDX-License-Identifier: BSD-3-Clause */
/* exclusive: how exscans begin. */
#ifndef PGASIM_COLL_SCAN_EXCLUSIVE_H
#define PGASIM_COLL_SCAN_EXCLUSIVE_H

#include "coll/schedule/schedule.h"

/* Temporary memory of an exscan: the sum of the operands up to and with mine as far as known, then what came
 * last. */
coll_place coll_exscan_partial(void);
coll_place coll_exscan_incoming(const struct coll_schedule *s);
/* Round 0 copies the operand from the source, which may be dest, to `partial`; round 1 zeroes place 0's dest.
 * False: another round. */
bool coll_exscan_start(struct coll_schedule *s, uint32_t round);

#endif
