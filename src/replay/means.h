/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * means: what each rank computes at each place, in the mean of all times that it comes there, so that ranks which call the same
 * are equal but for these numbers (private to replay/).
 */
#ifndef PGASIM_REPLAY_MEANS_H
#define PGASIM_REPLAY_MEANS_H

#include "replay/tape/tape.h"

struct replay_means;
/* Writes a tape anew: computations between two calls become one, whose amount is -1 less the number of its place (no
 * other one is negative). It is at each visit of the place, if any rank computes there at any time. */
struct replay_means *replay_means_create(struct replay_tape *t, struct replay_tape **out);
void replay_means_destroy(struct replay_means *m);
/* By rank; *counted: instructions, or 0. */
double replay_mean_of(const struct replay_means *m, uint32_t place, uint32_t rank, uint64_t *counted);
uint32_t replay_means_places(const struct replay_means *m);
uint64_t replay_means_computations(const struct replay_means *m); /* that became means */

#endif
