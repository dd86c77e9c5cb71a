/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded: interruptions of a processor as they were recorded, in the place of drawn ones. */
#ifndef PGASIM_NOISE_RECORDED_H
#define PGASIM_NOISE_RECORDED_H

#include "base/base.h"

/* When a processor was interrupted, and for how long: LogGOPSim's --noise-trace. It repeats from the begin of the last
 * interruption on, which says only that. Times in nanoseconds. */
struct noise_recorded;
/* Lines "BEGIN DURATION" in the order of begins, and comments, which begin with #. NULL with st. */
struct noise_recorded *noise_recorded_read(const char *path, struct base_status *st);
void noise_recorded_destroy(struct noise_recorded *t); /* NULL is allowed */
/* What interruptions add to `length` of work that begins `at` after the trace's begin, by LogGOPSim's rules: what is left of
 * the one that is under way, and the whole of those that begin meanwhile. */
double noise_recorded_take(const struct noise_recorded *t, double at, double length);
/* Where in the trace each of n ranks is at time 0; together: all at the same place. Drawn as LogGOPSim does when its clock
 * shows `seed`. */
void noise_recorded_places(const struct noise_recorded *t, uint64_t seed, bool together, double *place,
                           uint32_t n);

#endif
