/* SPDX-License-Identifier: BSD-3-Clause */
/* groups: whose the collectives of a time-independent trace are (private to ti/). */
#ifndef PGASIM_REPLAY_TI_GROUPS_H
#define PGASIM_REPLAY_TI_GROUPS_H

#include "replay/ti/ti.h"

/* A common subsequence of a (n numbers) and b (m), of the greatest length: the places in a of its members are left in
 * `out`, which has room for n; returns how many. If more than `most` numbers of both would be left out, returns
 * UINT32_MAX. Myers, An O(ND) difference algorithm and its variations, Algorithmica 1 (1986). */
uint32_t replay_common(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m, uint32_t most,
                       uint32_t *out);

#endif
