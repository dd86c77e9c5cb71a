/* SPDX-License-Identifier: BSD-3-Clause */
/* circle: which segment a number gets in which round (circle.h). */
#include "coll/schedule/circle.h"

struct coll_circle coll_circle_of(uint32_t n, uint64_t bytes, uint64_t segment)
{
    struct coll_circle c = {.n = n, .q = coll_log2_above(n)};
    c.skip[c.q + 1] = 2 * (int64_t)n;
    c.skip[c.q] = n;
    for (uint32_t k = c.q; k > 0; k--)
        c.skip[k - 1] = (c.skip[k] + 1) / 2;
    c.segments = bytes ? (bytes - 1) / segment + 1 : 1;
    c.rounds = c.q ? c.segments - 1 + c.q : 0;
    c.ahead = c.q ? (c.q - c.rounds % c.q) % c.q : 0;
    return c;
}

uint32_t coll_circle_skip(const struct coll_circle *c, uint64_t round)
{
    BASE_ASSERT("C10", c->q > 0);
    return (uint32_t)c->skip[(round + c->ahead) % c->q];
}

uint64_t coll_circle_phase(const struct coll_circle *c, uint64_t round)
{
    BASE_ASSERT("C10", c->q > 0);
    return (round + c->ahead) / c->q;
}

/* The smallest skip of those that, largest first, add up to number r: the round in which the root sends the
 * segment that r is the first to need. q for the root. */
static uint32_t first_round(const struct coll_circle *c, int64_t r)
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
    const struct coll_circle *c;
    int64_t target, below;
    uint64_t left;
    uint32_t found;
    uint8_t taken[COLL_MOST_SKIPS];
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
static int64_t received(const struct coll_circle *c, uint32_t r, uint32_t k)
{
    BASE_ASSERT("C10", c->q > 0 && c->q + 1 < COLL_MOST_SKIPS);
    uint32_t own = first_round(c, r);
    struct search x = {.c = c, .target = (int64_t)c->n + r, .below = c->skip[c->q + 1]};
    x.left = ((UINT64_C(1) << (c->q + 1)) - 1) & ~(UINT64_C(1) << own);
    look(&x, 0, c->q);
    return x.taken[k] == c->q ? own : (int64_t)x.taken[k] - c->q;
}

/* The last segment stands for those after it. */
int64_t coll_circle_segment(const struct coll_circle *c, uint64_t round, uint32_t r)
{
    uint64_t at = round + c->ahead;
    BASE_ASSERT("C10", c->q > 0);
    if (!r)
        return -1;
    int64_t k = received(c, r, (uint32_t)(at % c->q)) + (int64_t)(at / c->q * c->q) - (int64_t)c->ahead;
    return k < (int64_t)c->segments ? k : (int64_t)c->segments - 1;
}
