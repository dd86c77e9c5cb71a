/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circulant: a broadcast in the fewest rounds that there can be for S segments: S - 1 + ceil(log2 n),
 * whatever n is (Traeff, "Round-optimal n-block broadcast schedules in logarithmic time", 2023).
 *
 * With q = ceil(log2 n), skips are n halved and rounded up, again and again: skip[q] = n, ..., skip[0] = 1.
 * In round i every member sends to the number skip[i mod q] after it and receives from the one as far before.
 * So q rounds make a phase. The root sends a new segment in each round; which one another number receives in
 * a phase's round k is the same in all phases, counted from the phase's first new segment.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

enum { MOST_SKIPS = 34, OWN_SEGMENT = 32 << 10, TAGS = 4096 };

struct circle {
    uint32_t n, q;
    int64_t skip[MOST_SKIPS]; /* one more than q: 2 n, which is further than anybody */
};

static struct circle circle_of(uint32_t n)
{
    struct circle c = {.n = n, .q = coll_log2_above(n)};
    c.skip[c.q + 1] = 2 * (int64_t)n;
    c.skip[c.q] = n;
    for (uint32_t k = c.q; k > 0; k--)
        c.skip[k - 1] = (c.skip[k] + 1) / 2;
    return c;
}

/* The smallest skip of those that, largest first, add up to number r: the round in which the root sends the
 * segment that r is the first to need. q for the root. */
static uint32_t first_round(const struct circle *c, int64_t r)
{
    for (uint32_t k = c->q; k > 0; k--) {
        if (c->skip[k - 1] == r)
            return k - 1;
        if (c->skip[k - 1] < r)
            r -= c->skip[k - 1];
    }
    return c->q;
}

/* A search through sums of skips, larger ones first, for one that a segment may take to number `target` -
 * n in time for each round of a phase. `left`: skips that no round has taken yet; rounds [0, found) have
 * theirs. */
struct search {
    const struct circle *c;
    int64_t target, below;
    uint64_t left;
    uint32_t found;
    uint8_t taken[MOST_SKIPS];
};

static void look(struct search *x, int64_t sum, uint32_t largest)
{
    const int64_t *skip = x->c->skip;
    for (uint32_t e = largest + 1; e-- > 0 && x->found < x->c->q;) {
        int64_t next = sum + skip[e];
        if (!(x->left >> e & 1) || next > x->target - skip[x->found] || next >= x->below)
            continue;
        if (next <= x->target - skip[x->found + 1])
            look(x, next, e);
        if (sum > x->target - skip[x->found + 1])
            return;
        x->below = next;
        x->left &= ~(UINT64_C(1) << e);
        x->taken[x->found++] = (uint8_t)e;
    }
}

/* What number r > 0 receives in round k of a phase, counted from the phase's first new segment: before it,
 * but for one segment of this phase. */
static int64_t received(const struct circle *c, uint32_t r, uint32_t k)
{
    BASE_ASSERT("C10", c->q > 0 && c->q + 1 < MOST_SKIPS);
    uint32_t own = first_round(c, r);
    struct search x = {.c = c, .target = (int64_t)c->n + r, .below = c->skip[c->q + 1]};
    x.left = ((UINT64_C(1) << (c->q + 1)) - 1) & ~(UINT64_C(1) << own);
    look(&x, 0, c->q);
    return x.taken[k] == c->q ? own : (int64_t)x.taken[k] - c->q;
}

/* One round: `ahead` rounds of the first phase are left out, so that the last phase is a whole one. */
struct moment {
    uint64_t round, segments, ahead, width;
};

/* The segment that number r receives, or a negative number; the last one stands for those after it. */
static int64_t segment_to(const struct circle *c, const struct moment *m, uint32_t r)
{
    uint64_t at = m->round + m->ahead;
    int64_t k = received(c, r, (uint32_t)(at % c->q)) + (int64_t)(at / c->q * c->q) - (int64_t)m->ahead;
    return k < (int64_t)m->segments ? k : (int64_t)m->segments - 1;
}

static uint64_t bytes_of(const struct coll_schedule *s, const struct moment *m, int64_t k)
{
    uint64_t left = s->bytes - (uint64_t)k * m->width;
    return left < m->width ? left : m->width;
}

static void add_round(struct coll_schedule *s, const struct moment *m)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_star, 0, s->root);
    struct circle c = circle_of(s->size);
    BASE_ASSERT("C10", c.q > 0);
    uint32_t skip = (uint32_t)c.skip[(m->round + m->ahead) % c.q], tag = (uint32_t)(m->round % TAGS);
    uint32_t to = (uint32_t)(((uint64_t)t.me + skip) % c.n),
             from = (uint32_t)(((uint64_t)t.me + c.n - skip) % c.n);
    int64_t in = t.me ? segment_to(&c, m, t.me) : -1, out = to ? segment_to(&c, m, to) : -1;
    if (in >= 0)
        coll_add_receive(s, broadcast_place(&t, from), tag, coll_at(COLL_DEST, (uint64_t)in * m->width),
                         bytes_of(s, m, in));
    if (out >= 0)
        coll_add_send(s, broadcast_place(&t, to), tag, broadcast_data(s, (uint64_t)out * m->width),
                      bytes_of(s, m, out));
}

/* Own segments: 32 KiB. (S - 1 + ceil(log2 n))(a + m/(S B)), with a the time of a small message and B the
 * bandwidth; S (n - 1) messages, as nobody gets a segment twice. */
bool coll_broadcast_circulant(struct coll_schedule *s, uint32_t round)
{
    struct moment m = {.round = round, .width = coll_segment(s, OWN_SEGMENT)};
    uint32_t q = coll_log2_above(s->size);
    m.segments = s->bytes ? (s->bytes - 1) / m.width + 1 : 1;
    uint64_t rounds = q ? m.segments - 1 + q : 0;
    m.ahead = q ? (q - rounds % q) % q : 0;
    if (round < rounds)
        add_round(s, &m);
    if (round == rounds)
        broadcast_root_copy(s);
    return round <= rounds;
}
