/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv: parts of different sizes, a different one to each; alltoallw is the same with a layout for each
 * part, which the executor sees to. a is the time of one small message, B the bandwidth, M the bytes of all
 * parts, n members.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/direct.h"

/* As alltoall's linear: the COLL_WINDOW nearest members at a time. */
bool coll_alltoallv_linear(struct coll_schedule *s, uint32_t round)
{
    struct coll_window w;
    if (!coll_window_of(s, round, &w))
        return false;
    coll_add_receive_window(s, &w);
    for (uint32_t d = w.from; d < w.end; d++)
        coll_add_send_part(s, coll_after(s, d), 0, coll_after(s, d));
    if (w.from == w.end)
        coll_direct_own(s);
    return true;
}

/* As alltoall's pairwise: one partner at a time, place xor k for a power of two of members. (n - 1) a + M/B;
 * n (n - 1) messages. */
bool coll_alltoallv_pairwise(struct coll_schedule *s, uint32_t round)
{
    bool pairs = (s->size & (s->size - 1)) == 0;
    return pairs ? coll_alltoall_pair(s, round) : coll_alltoall_ring(s, round);
}
