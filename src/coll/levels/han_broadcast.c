/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_broadcast: a broadcast of two or three levels in a pipeline of segments, as Open MPI's coll/han has it
 * (Luo et al., "HAN: a hierarchical autotuned collective communication framework", IEEE CLUSTER 2020). In
 * round k, segment k goes from leader to leader, while each leader gives segment k - 1 to its host; with three
 * levels, segment k goes from island to island, k - 1 to the hosts of islands, k - 2 to the members of hosts.
 */
#include "coll/levels/levels.h"
#include "coll/levels/pipeline.h"

enum { OWN_SEGMENT = 64 << 10, TAGS = 2048, NONE = UINT32_MAX };

struct piece {
    uint64_t low, bytes;
    uint32_t tag;
};

struct pipeline {
    uint64_t width, segments, round;
    enum coll_tier_kind top;
};

/* What passes through a tier in this round; false: nothing. */
static bool piece_of(const struct coll_schedule *s, const struct pipeline *p, enum coll_tier_kind kind,
                     struct piece *out)
{
    uint64_t late = (uint64_t)kind - p->top, k = p->round - late;
    if (p->round < late || k >= p->segments)
        return false;
    uint64_t left = s->bytes - k * p->width;
    *out =
        (struct piece){k * p->width, left < p->width ? left : p->width, (uint32_t)(late * TAGS + k % TAGS)};
    return true;
}

/* Members receive in their topmost tier; they lead those below. Returns the step, or NONE. */
static uint32_t receive(struct coll_schedule *s, const struct pipeline *p)
{
    struct coll_tier t;
    struct piece x;
    for (unsigned kind = p->top; kind < COLL_TIERS; kind++)
        if (coll_tier_find(s, (enum coll_tier_kind)kind, &t) && t.me)
            return piece_of(s, p, t.kind, &x)
                       ? coll_add_receive(s, coll_tier_place(s, &t, coll_tier_parent(t.me)), x.tag,
                                          coll_at(COLL_DEST, x.low), x.bytes)
                       : NONE;
    return NONE;
}

/* To my children in a tier, the one with most below it first; when step `got`, if any, is done. */
static void send_on(struct coll_schedule *s, const struct coll_tier *t, struct piece x, uint32_t got)
{
    coll_place from = coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, x.low);
    for (uint32_t k = coll_tier_children(t); k--;) {
        uint32_t to = coll_tier_place(s, t, t->me + (UINT32_C(1) << k));
        uint32_t step = coll_add_send(s, to, x.tag, from, x.bytes);
        if (got != NONE)
            coll_order(s, got, step);
    }
}

static void add_round(struct coll_schedule *s, const struct pipeline *p)
{
    uint32_t got = receive(s, p);
    struct coll_tier t;
    struct piece x;
    for (unsigned kind = p->top; kind < COLL_TIERS; kind++)
        if (coll_tier_find(s, (enum coll_tier_kind)kind, &t) && piece_of(s, p, t.kind, &x))
            send_on(s, &t, x, t.me ? got : NONE);
}

bool levels_pass_down(struct coll_schedule *s, uint32_t round, enum coll_tier_kind top)
{
    struct pipeline p = {.width = coll_segment(s, OWN_SEGMENT), .round = round, .top = top};
    p.segments = s->bytes ? (s->bytes - 1) / p.width + 1 : 1;
    uint64_t rounds = p.segments + COLL_TIERS - 1 - top;
    if (round < rounds)
        add_round(s, &p);
    if (round == rounds && s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
    return round <= rounds;
}

/* Binomial trees in both levels, own segments of 64 KiB. H hosts of P members, S segments, a between hosts
 * and b within: about (a + m/(S B)) (log2 H + S - 1) + (b + m/(S B)) log2 P where the hosts' part is the
 * shorter one; S (n - 1) messages. Where no hosts are shared, the choice for one level runs. */
bool coll_broadcast_han(struct coll_schedule *s, uint32_t round)
{
    if (!coll_part_hosts(s))
        return s->tuning->choose(s, NULL, COLL_LEVEL_ALL, COLL_BROADCAST, s->bytes, s->size)(s, round);
    return levels_pass_down(s, round, COLL_TIER_HOSTS);
}

/* The same with a third level of islands (islands.c), whose hosts are close to each other: (a + m/(S B))
 * (log2 I + S - 1) + (c + m/(S B)) log2 (H/I) + (b + m/(S B)) log2 P for I islands, with c between hosts of one
 * of them; S (n - 1) messages. Without islands it has two levels. */
bool coll_broadcast_han_3(struct coll_schedule *s, uint32_t round)
{
    if ((!s->hosts && !s->islands) || coll_part_is_numbered(s))
        return s->tuning->choose(s, NULL, COLL_LEVEL_ALL, COLL_BROADCAST, s->bytes, s->size)(s, round);
    return levels_pass_down(s, round, coll_tier_top(s));
}
