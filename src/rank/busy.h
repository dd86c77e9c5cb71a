/* SPDX-License-Identifier: BSD-3-Clause */
/* busy: computation that rank_execute does not see, as that of simulated cores, for joules (energy.c). */
#ifndef PGASIM_RANK_BUSY_H
#define PGASIM_RANK_BUSY_H

struct rank;

/* A core of the rank's host is busy for it in [from, until); `from` is not before the clock. */
void rank_energy_busy(struct rank *r, double from, double until);

#endif
