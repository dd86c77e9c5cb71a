/* SPDX-License-Identifier: BSD-3-Clause */
/* scatter: what MPICH's broadcasts of long messages and those that choose among them share. */
#ifndef PGASIM_COLL_BROADCAST_SCATTER_H
#define PGASIM_COLL_BROADCAST_SCATTER_H

#include "coll/schedule/schedule.h"

/* What SMPI's rules of MPICH choose for n members of which none share hosts: a binomial tree for short
 * messages or few members, else scatter and allgather, by doubling for an even n and up to 512 KiB. */
coll_build_fn broadcast_of_mpich(uint64_t bytes, uint32_t n);

#endif
