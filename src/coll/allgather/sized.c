/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sized: collects by algorithms that need to know all sizes: first each member gets the sizes, of 8 bytes
 * each, by Bruck's algorithm (n ceil(log2 n) messages and one for each run that wraps); then they run as
 * for an allgatherv.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

bool coll_collect_bruck(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_bruck);
}

bool coll_collect_circulant(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_circulant);
}

bool coll_collect_sparbit(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_sparbit);
}

/* For any n. */
bool coll_collect_neighbor_exchange(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_neighbor_odd);
}

bool coll_collect_pairwise(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_pairwise);
}

bool coll_collect_recursive_exchange(struct coll_schedule *s, uint32_t round)
{
    return coll_collect_sized(s, round, coll_allgather_recursive_exchange);
}
