/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fcollect: parts of equal size, all to all members (an allgather). a is the time of one small message, B
 * the bandwidth, m the bytes of one part, n members, p the largest power of two at most n. Parts are
 * received at their final places.
 */
#include "coll/allgather/allgather.h"

static coll_place part(const struct coll_schedule *s, uint32_t k)
{
    return coll_at(COLL_DEST, (uint64_t)k * s->bytes);
}

static void add_own_part(struct coll_schedule *s)
{
    coll_add_own(s, 0, (uint64_t)s->me * s->bytes, s->bytes);
}

/* In round k each passes on to its right neighbour the part that came k - 1 rounds ago (Thakur, Rabenseifner,
 * Gropp 2005, section 4.1). (n - 1) (a + m/B); n (n - 1) messages. */
bool coll_fcollect_ring(struct coll_schedule *s, uint32_t round)
{
    if (round >= s->size)
        return false;
    if (round == s->size - 1) {
        add_own_part(s);
        return true;
    }
    uint32_t mine = coll_before(s, round), theirs = coll_before(s, round + 1);
    coll_add_receive(s, coll_before(s, 1), round, part(s, theirs), s->bytes);
    coll_add_send(s, coll_after(s, 1), round, round ? part(s, mine) : coll_at(COLL_SOURCE, 0), s->bytes);
    return true;
}

/* Where the k-th member's part begins, in parts: among leaders, of blocks of parts. */
static uint32_t bound(const struct coll_schedule *s, uint32_t k)
{
    return s->bounds ? s->bounds[k] : k;
}

/* Parts [first, first + n) around the group are one run, or two where they pass the end of dest; each is one
 * message, with tag 2 round or 2 round + 1. */
static void add_run(struct coll_schedule *s, bool receive, uint32_t peer, uint32_t round, uint32_t first,
                    uint32_t n)
{
    uint32_t here = n > s->size - first ? s->size - first : n;
    for (uint32_t k = 0; k < (here < n ? 2U : 1U); k++) {
        uint32_t low = k ? 0 : bound(s, first), high = bound(s, k ? n - here : first + here);
        coll_place at = part(s, low);
        uint64_t bytes = (high - low) * s->bytes;
        receive ? coll_add_receive(s, peer, 2 * round + k, at, bytes)
                : coll_add_send(s, peer, 2 * round + k, at, bytes);
    }
}

/* Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
 * IEEE TPDS 8(11), 1997: in round k the 2^k parts held so far go to the member 2^k before. Parts lie at their
 * final places: instead of the paper's final rotation, a run that passes the end of dest is sent as two
 * messages. ceil(log2 n) rounds of one or two a, (n - 1) m/B; n ceil(log2 n) messages and one more for each
 * such run. */
bool coll_fcollect_bruck(struct coll_schedule *s, uint32_t round)
{
    if (round == 0) {
        add_own_part(s);
        return true;
    }
    uint64_t held = UINT64_C(1) << (round - 1);
    if (held >= s->size)
        return false;
    uint32_t d = (uint32_t)held, count = d < s->size - d ? d : s->size - d;
    add_run(s, true, coll_after(s, d), round, coll_after(s, d), count);
    add_run(s, false, coll_before(s, d), round, s->me, count);
    return true;
}

/* Pairs at distance 1, 2, 4, ... exchange what they have (Thakur et al. 2005, section 4.1). log2 p a + (n -
 * 1) m/B, two a and the whole result more when n > p; p log2 p + 2 (n - p) messages. */
bool coll_fcollect_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t inner = coll_log2_above(coll_power_below(s->size));
    uint64_t m = s->bytes;
    if (round == 0)
        add_own_part(s);
    if (round == 1 && coll_pair_takes(s))
        coll_add_receive(s, s->me - 1, round, part(s, s->me - 1), m);
    if (round == 1 && coll_pair_gives(s))
        coll_add_send(s, s->me + 1, round, part(s, s->me), m);
    if (round > 1 && round < inner + 2 && !coll_pair_gives(s)) {
        uint32_t d = UINT32_C(1) << (round - 2), seat = coll_pair_seat(s), peer = seat ^ d;
        uint32_t mine = coll_pair_first(s, seat & ~(d - 1)), theirs = coll_pair_first(s, peer & ~(d - 1));
        uint32_t mine_end = coll_pair_first(s, (seat & ~(d - 1)) + d);
        uint32_t theirs_end = coll_pair_first(s, (peer & ~(d - 1)) + d), place = coll_pair_place(s, peer);
        coll_add_receive(s, place, round, part(s, theirs), (theirs_end - theirs) * m);
        coll_add_send(s, place, round, part(s, mine), (mine_end - mine) * m);
    }
    if (round == inner + 2 && coll_pair_gives(s))
        coll_add_receive(s, s->me + 1, round, part(s, 0), s->size * m);
    if (round == inner + 2 && coll_pair_takes(s))
        coll_add_send(s, s->me - 1, round, part(s, 0), s->size * m);
    return round < inner + 3;
}

/* The pair of parts that place `me` gets in exchange k > 0: its own at 0, then pairs farther and farther
 * away, before and after it in turn. */
static uint32_t pair_of(const struct coll_schedule *s, uint32_t k)
{
    uint32_t pairs = s->size / 2, far = (k + 1) / 2, i = s->me / 2;
    bool before = (k % 2 == 1) == (s->me % 2 == 0);
    return 2 * ((before ? i + pairs - far : i + far) % pairs);
}

/* Each exchanges the two parts that came last with its two neighbours in turn (Chen, Zhang, Zhang, Yuan,
 * "Performance evaluation of allgather algorithms on terascale Linux cluster with fast Ethernet", HPC Asia
 * 2005). n/2 a + (n - 1) m/B; n^2/2 messages. An odd n takes the ring. */
bool coll_fcollect_neighbor_exchange(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    if (s->size % 2)
        return coll_fcollect_ring(s, round);
    if (round == 0)
        add_own_part(s);
    if (round == 0 || round > s->size / 2)
        return round == 0;
    uint32_t k = round - 1;
    uint32_t peer = (k % 2 == 0) == (s->me % 2 == 0) ? coll_after(s, 1) : coll_before(s, 1);
    coll_add_receive(s, peer, round, part(s, k ? pair_of(s, k) : peer), k ? 2 * m : m);
    coll_add_send(s, peer, round, part(s, k ? pair_of(s, k - 1) : s->me), k ? 2 * m : m);
    return true;
}

/* Each sends its part to all others, COLL_WINDOW at a time. n - 1 issue overheads, a + (n - 1) m/B;
 * n (n - 1) messages. */
bool coll_fcollect_linear(struct coll_schedule *s, uint32_t round)
{
    struct coll_window w;
    if (!coll_window_of(s, round, &w))
        return false;
    for (uint32_t k = 0; k < w.end - w.from; k++) {
        uint32_t from = coll_window_before(s, &w, k);
        coll_add_receive(s, from, 0, part(s, from), s->bytes);
    }
    for (uint32_t d = w.from; d < w.end; d++)
        coll_add_send(s, coll_after(s, d), 0, coll_at(COLL_SOURCE, 0), s->bytes);
    if (w.from == w.end)
        add_own_part(s);
    return true;
}
