/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect: parts of different sizes, all to all members (an allgather with sizes that only their owners
 * know). First an exclusive prefix sum tells each member where its part begins (Hillis and Steele, "Data
 * parallel algorithms", CACM 29(12), 1986: ceil(log2 n) rounds of one word); then messages name the place of
 * what they carry, so no member ever holds all sizes. a is the time of one small message, B the bandwidth, M
 * the bytes of all parts, n members, p the largest power of two at most n.
 */
#include "coll/allgather/allgather.h"

/* Temporary memory: the sum of the parts up to mine, inclusive, as far as known, and what just arrived;
 * then, if asked for, the run of dest that I have. */
struct prefix {
    uint64_t sum, incoming;
    uint64_t low, held;
};

static struct prefix *prefix(struct coll_schedule *s)
{
    struct prefix *p = coll_temp(s, sizeof *p);
    return p;
}

static uint64_t offset(struct coll_schedule *s)
{
    return prefix(s)->sum - s->bytes;
}

/* Rounds 0 to ceil(log2 n): the sum; the last one only adds, and moves the member's own part to its place.
 * In round k, a member with at least 2^k others before it receives the sum of 2^k parts. */
static void add_prefix_round(struct coll_schedule *s, uint32_t round, uint32_t rounds)
{
    struct prefix *p = prefix(s);
    uint64_t before = round ? UINT64_C(1) << (round - 1) : 0, d = UINT64_C(1) << round;
    if (round == 0)
        p->sum = s->bytes;
    else if (s->me >= before)
        p->sum += p->incoming;
    if (round == rounds) {
        coll_add_own(s, 0, offset(s), s->bytes);
        return;
    }
    if (s->me >= d)
        coll_add_receive(s, s->me - (uint32_t)d, round, coll_at(COLL_TEMP, offsetof(struct prefix, incoming)),
                         sizeof p->incoming);
    if (s->me + d < s->size)
        coll_add_send(s, s->me + (uint32_t)d, round, coll_at(COLL_TEMP, offsetof(struct prefix, sum)),
                      sizeof p->sum);
}

/* Then a ring: each passes on what it received last. a (log2 n + n - 1) + (M - smallest part)/B; n (n - 1)
 * messages and those of the prefix sum: n rounds - (2^rounds - 1), each member's first 2^k lacking. */
bool coll_collect_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t rounds = coll_log2_above(s->size);
    if (round <= rounds) {
        add_prefix_round(s, round, rounds);
        return true;
    }
    if (round - rounds >= s->size)
        return false;
    bool own = round == rounds + 1;
    coll_place at = own ? coll_at(COLL_DEST, offset(s)) : s->last_at;
    coll_add_receive_placed(s, coll_before(s, 1), round);
    coll_add_send(s, coll_after(s, 1), round, at, own ? s->bytes : s->last_bytes);
    return true;
}

/* Children of place v in a binomial tree over the places, nearest first: v + 1, v + 2, v + 4, ... while the
 * distance is below v's lowest bit. A child's subtree is a run of places and so one run of bytes. */
static bool is_child(const struct coll_schedule *s, uint64_t distance)
{
    uint32_t v = s->me;
    return (!v || distance < (v & (~v + 1))) && v + distance < s->size;
}

/* Then a binomial gather to place 0 and a binomial broadcast of all. 3 a ceil(log2 n) + M/B (1 + log2 n);
 * 2 (n - 1) messages and those of the prefix sum. */
bool coll_collect_tree(struct coll_schedule *s, uint32_t round)
{
    uint32_t rounds = coll_log2_above(s->size), parent = s->me & (s->me - 1);
    if (round <= rounds) {
        add_prefix_round(s, round, rounds);
        return true;
    }
    uint32_t phase = round - rounds - 1;
    uint64_t held = s->bytes + s->placed_bytes;
    if (phase == 0)
        for (uint64_t d = 1; is_child(s, d); d *= 2)
            coll_add_receive_placed(s, s->me + (uint32_t)d, rounds);
    if (phase == 1 && s->me)
        coll_add_send(s, parent, rounds, coll_at(COLL_DEST, offset(s)), held);
    if (phase == 2 && s->me)
        coll_add_receive_placed(s, parent, rounds + 1);
    if (phase == 3) {
        coll_place at = s->me ? s->last_at : coll_at(COLL_DEST, 0);
        uint64_t bytes = s->me ? s->last_bytes : held, d = 1;
        while (is_child(s, d))
            d *= 2;
        while ((d /= 2) > 0)
            coll_add_send(s, s->me + (uint32_t)d, rounds + 1, at, bytes);
    }
    return phase < 4;
}

/* What arrived last lies before or behind the run that I have. */
static void join(struct coll_schedule *s)
{
    struct prefix *p = prefix(s);
    uint64_t at = coll_place_offset(s->last_at);
    if (s->last_bytes && (!p->held || at < p->low))
        p->low = at;
    p->held += s->last_bytes;
    s->last_bytes = 0;
}

static void send_run(struct coll_schedule *s, uint32_t peer, uint32_t tag)
{
    coll_add_send(s, peer, tag, coll_at(COLL_DEST, prefix(s)->low), prefix(s)->held);
}

/* Then pairs at distance 1, 2, 4, ... exchange the runs that they have (Thakur, Rabenseifner, Gropp 2005,
 * section 4.1, for parts of equal size). 2 a ceil(log2 n) + M/B, two a and M/B more when n > p; p log2 p + 2
 * (n - p) messages and those of the prefix sum. */
bool coll_collect_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t rounds = coll_log2_above(s->size), inner = coll_log2_above(coll_power_below(s->size));
    if (round <= rounds) {
        add_prefix_round(s, round, rounds);
        return true;
    }
    uint32_t phase = round - rounds - 1;
    if (phase == 0) {
        prefix(s)->low = offset(s);
        prefix(s)->held = s->bytes;
        if (coll_pair_takes(s))
            coll_add_receive_placed(s, s->me - 1, round);
        if (coll_pair_gives(s))
            send_run(s, s->me + 1, round);
        return true;
    }
    join(s);
    if (phase <= inner && !coll_pair_gives(s)) {
        uint32_t peer = coll_pair_place(s, coll_pair_seat(s) ^ UINT32_C(1) << (phase - 1));
        coll_add_receive_placed(s, peer, round);
        send_run(s, peer, round);
    }
    if (phase == inner + 1 && coll_pair_gives(s))
        coll_add_receive_placed(s, s->me + 1, round);
    if (phase == inner + 1 && coll_pair_takes(s))
        send_run(s, s->me - 1, round);
    return phase < inner + 2;
}

/* Then each sends its part to all others, COLL_WINDOW at a time. n - 1 issue overheads, a ceil(log2 n) + a +
 * M/B; n (n - 1) messages and those of the prefix sum. */
bool coll_collect_linear(struct coll_schedule *s, uint32_t round)
{
    uint32_t rounds = coll_log2_above(s->size);
    struct coll_window w;
    if (round <= rounds) {
        add_prefix_round(s, round, rounds);
        return true;
    }
    if (!coll_window_of(s, round - rounds - 1, &w))
        return false;
    for (uint32_t k = 0; k < w.end - w.from; k++)
        coll_add_receive_placed(s, coll_window_before(s, &w, k), rounds);
    for (uint32_t d = w.from; d < w.end; d++)
        coll_add_send(s, coll_after(s, d), rounds, coll_at(COLL_DEST, offset(s)), s->bytes);
    return true;
}
