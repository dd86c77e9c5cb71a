/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circle: a broadcast of S segments among n members in S - 1 + ceil(log2 n) rounds, the fewest that there can be
 * (Traeff, "Round-optimal n-block broadcast schedules in logarithmic time", 2023). Members are numbered from the
 * root on, which is number 0.
 *
 * With q = ceil(log2 n), skips are n halved and rounded up, again and again: skip[q] = n, ..., skip[0] = 1.
 * In round i every member sends to the number skip[i mod q] after it and receives from the one as far before.
 * So q rounds make a phase. The root sends a new segment in each round; which one another number receives in
 * a phase's round k is the same in all phases, counted from the phase's first new segment.
 */
#ifndef PGASIM_COLL_CIRCLE_H
#define PGASIM_COLL_CIRCLE_H

#include "coll/schedule/steps.h"

enum { COLL_MOST_SKIPS = 34 };
struct coll_circle {
    uint32_t n, q;
    uint64_t segments, rounds;
    uint64_t ahead; /* rounds of the first phase that are left out, so that the last one is whole */
    int64_t skip[COLL_MOST_SKIPS]; /* one more than q: 2 n, which is further than anybody */
};

struct coll_circle coll_circle_of(uint32_t n, uint64_t bytes, uint64_t segment);
/* Of a round: how far messages go, and its phase. */
uint32_t coll_circle_skip(const struct coll_circle *c, uint64_t round);
uint64_t coll_circle_phase(const struct coll_circle *c, uint64_t round);
/* The segment that number r receives in a round, and nobody gets twice; negative: none. */
int64_t coll_circle_segment(const struct coll_circle *c, uint64_t round, uint32_t r);

#endif
