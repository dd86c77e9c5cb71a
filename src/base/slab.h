/* SPDX-License-Identifier: BSD-3-Clause */
/* slab: the memory of a pool, as its functions and debuggers see it (private to base/). */
#ifndef PGASIM_BASE_SLAB_H
#define PGASIM_BASE_SLAB_H

#include "base/base.h"

/* Slabs form a list; objects begin at the next cache line. The first slabs are small, later ones are huge
 * pages if the system has some: with a million records, that means fewer page faults and TLB misses. */
enum { BASE_SLAB_FIRST = 64 };
struct base_slab {
    struct base_slab *next;
    size_t bytes;
    bool mapped;
};

#endif
