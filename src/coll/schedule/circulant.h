/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circulant: reduce-scatters and allgathers of any number n of members in ceil(log2 n) rounds, each with one
 * send and one receive (Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", 2024).
 * Blocks are numbered from the member's own on. In step k of a reduce-scatter it sends the blocks [from,
 * end) to the member `from` places after it, and reduces what comes from as far before it into its first end
 * - from blocks. An allgather takes the steps backwards, and in the other direction.
 */
#ifndef PGASIM_COLL_CIRCULANT_H
#define PGASIM_COLL_CIRCULANT_H

#include "coll/schedule/steps.h"

struct coll_skip {
    uint32_t from, end;
};
/* Step k < ceil(log2 n): what is left is halved, rounded up. */
static inline struct coll_skip coll_circulant_step(uint32_t n, uint32_t k)
{
    struct coll_skip skip = {n, n};
    for (uint32_t i = 0; i <= k; i++) {
        skip.end = skip.from;
        skip.from = skip.end - skip.end / 2;
    }
    return skip;
}

#endif
