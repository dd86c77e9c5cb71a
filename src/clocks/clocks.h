/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clocks: what the clocks of hosts show. A host's clock is off by an offset and runs too fast or too slow:
 *
 *      shown = offset + (1 + drift) * time
 *
 * Both come from properties of hosts and settings (docs/clocks.md). The simulation itself, its figures and
 * traces know true time only; front ends ask here before they show a time to a program.
 */
#ifndef PGASIM_CLOCKS_H
#define PGASIM_CLOCKS_H

#include "rank/rank.h"

extern const struct base_setting clocks_settings[];
extern const size_t clocks_settings_count;

void clocks_register(void); /* at start-up */

/* Seconds that the clock of the rank's host shows at a time, and the time at which it shows them. */
double clocks_shown(const struct rank *r, double time);
double clocks_time(const struct rank *r, double shown);
/* All clocks show true time, and therefore the same. */
bool clocks_agree(const struct rank_job *job);

#endif
