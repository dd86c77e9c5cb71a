/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs: latencies of messages, by pairs of owners. */
#ifndef PGASIM_NOISE_PAIRS_H
#define PGASIM_NOISE_PAIRS_H

#include "noise/noise.h"

struct noise_pairs; /* of owners, such as hosts */
/* NULL: latencies do not differ. The noise stays the caller's, and lives longer. */
struct noise_pairs *noise_pairs_create(const struct noise *x);
void noise_pairs_destroy(struct noise_pairs *p); /* NULL is allowed */
/* The next message's latency between two owners, which was `latency` seconds; an owner's to itself is local. */
double noise_pairs_late(struct noise_pairs *p, uint32_t from, uint32_t to, double latency);
/* A message that would arrive at that time comes when those of its pair have that were asked for before. */
double noise_pairs_in_order(struct noise_pairs *p, uint32_t from, uint32_t to, double at);

#endif
