/* SPDX-License-Identifier: BSD-3-Clause */
/* resting: computation of ranks that rest meanwhile (rank_rest). */
#ifndef PGASIM_RANK_RESTING_H
#define PGASIM_RANK_RESTING_H

#include "rank/rank.h"

/* As rank_execute_moving. But where the rank only sleeps, and nobody watches it, it is left ahead of the clock instead, by the
 * computation: the caller catches up, or rests until then. */
void rank_execute_ahead(struct rank *r, double flops, const struct fabric_traffic *traffic);
/* As rank_catch_up, but by resting, if it is ahead. */
void rank_rest_ahead(struct rank *r);

#endif
