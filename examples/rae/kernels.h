/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernels: of graphs (graphs.c is the program). Each works in rounds with barriers between: a PE takes the
 * vertices of its own that have changed, and pushes along their edges by atomics at the neighbours' PEs.
 * Atomics of a round commute, so results are the same for any number of PEs and in any order. What they
 * return is a checksum of the values of one's own vertices.
 */
#ifndef RAE_KERNELS_H
#define RAE_KERNELS_H

#include "graph.h"
#include "random.h"
#include "remote.h"

struct kernel_options {
    uint64_t rounds; /* of PageRank */
    uint32_t source;
};

static inline unsigned owner_of(uint32_t v)
{
    return v % remote_pes();
}

static inline uint32_t place_of(uint32_t v)
{
    return v / remote_pes();
}

/* All vertices that are this PE's: v, at place i. */
#define OWN_VERTICES(v, i) (uint32_t v = remote_me(), i = 0; v < graph.vertices; v += remote_pes(), i++)

#define KERNEL_UNREACHED ((uint64_t)INT64_MAX)

/* The sum of `mine` over all PEs: a collective call. */
static inline uint64_t kernel_sum(uint64_t *word, uint64_t mine)
{
    uint64_t sum = 0;
    *word = mine;
    remote_barrier();
    for (unsigned pe = 0; pe < remote_pes(); pe++)
        sum += remote_load(word, pe);
    remote_barrier();
    return sum;
}

#endif
