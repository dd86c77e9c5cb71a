/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv: parts of different sizes, a different one to each; alltoallw is the same with a layout for each
 * part, which the executor sees to. a is the time of one small message, B the bandwidth, M the bytes of all
 * parts, n members.
 */
#include "coll/alltoall/alltoall.h"

static void add_own_exchanged(struct coll_schedule *s)
{
    coll_add_own(s, coll_place_offset(coll_part_at(s, COLL_SOURCE, s->me)),
                 coll_place_offset(coll_part_at(s, COLL_DEST, s->me)), coll_part_bytes(s, COLL_DEST, s->me));
}

/* As alltoall's linear: the COLL_WINDOW nearest members at a time. */
bool coll_alltoallv_linear(struct coll_schedule *s, uint32_t round)
{
    struct coll_window w;
    if (!coll_window_of(s, round, &w))
        return false;
    for (uint32_t k = 0; k < w.end - w.from; k++) {
        uint32_t from = coll_window_before(s, &w, k);
        coll_add_receive_part(s, from, 0, from);
    }
    for (uint32_t d = w.from; d < w.end; d++)
        coll_add_send_part(s, coll_after(s, d), 0, coll_after(s, d));
    if (w.from == w.end)
        add_own_exchanged(s);
    return true;
}

/* As alltoall's pairwise: one partner at a time. */
bool coll_alltoallv_pairwise(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = round + 1;
    if (k > s->size)
        return false;
    if (k == s->size) {
        add_own_exchanged(s);
        return true;
    }
    coll_add_receive_part(s, coll_before(s, k), round, coll_before(s, k));
    coll_add_send_part(s, coll_after(s, k), round, coll_after(s, k));
    return true;
}

/* In round k the places that add up to k modulo n swap parts, so that one buffer will do: what comes is
 * written when what was there has left (C5). Place k/2 rests. n (a + m/B); n (n - 1) messages. */
bool coll_alltoall_exchange(struct coll_schedule *s, uint32_t round)
{
    if (round > s->size)
        return false;
    if (round == s->size) {
        add_own_exchanged(s);
        return true;
    }
    uint32_t peer = round >= s->me ? round - s->me : round + (s->size - s->me);
    if (peer == s->me)
        return true;
    uint32_t in = coll_add_receive_part(s, peer, round, peer);
    uint32_t out = coll_add_send_part(s, peer, round, peer);
    coll_order(s, out, in);
    return true;
}
