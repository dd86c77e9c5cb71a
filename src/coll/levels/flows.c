/* SPDX-License-Identifier: BSD-3-Clause */
/* flows: reductions of two and three levels in segments that do not wait for each other (flow.h). */
#include "coll/levels/levels.h"

enum { OWN_SEGMENT = 64 << 10 };

/* A binomial tree within each host, one of the leaders of an island's hosts, and one of islands. */
static void grow(const struct coll_schedule *s, struct coll_flow *f)
{
    struct coll_tiers t;
    coll_tiers_find(s, coll_tier_top(s), &t);
    f->n = 0;
    f->parent = t.parent < 0 ? COLL_NO_PARENT : t.parent;
    for (uint32_t k = 0; k < t.n; k++)
        coll_flow_add_child(f, t.child[k]);
}

static bool up_and_down(struct coll_schedule *s, uint32_t round)
{
    uint64_t item = coll_item(s), segment = coll_segment(s, OWN_SEGMENT);
    struct coll_flow f;
    if ((!s->hosts && !s->islands) || coll_part_is_numbered(s))
        return s->tuning->choose(s, NULL, COLL_LEVEL_ALL, COLL_REDUCE, s->bytes, s->size)(s, round);
    f.run = (struct coll_run){0, s->bytes};
    grow(s, &f);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0 || coll_flow_round(s, round - 1, &f, 1, segment < item ? item : segment / item * item,
                                         coll_outstanding(s, COLL_WINDOW));
}

/* While one segment is reduced among the leaders, hosts reduce the next one, and leaders send an earlier
 * result to their hosts (Luo et al., "HAN: a hierarchical autotuned collective communication framework",
 * CLUSTER 2020). 2 b log2 P + 2 a log2 H + m (2/B + g) log2 H or less, for H hosts of P members and long
 * vectors; a is the time of one small message between hosts, b within one; 2 (n - 1) messages for each
 * segment. */
bool coll_reduce_han(struct coll_schedule *s, uint32_t round)
{
    return up_and_down(s, round);
}

/* The same with a third level: 2 (b log2 P + c log2 (H/I) + a log2 I) for I islands (islands.c), with c between
 * hosts of one of them, and segments on all levels at once; 2 (n - 1) messages for each segment. Without islands
 * it has two levels. */
bool coll_reduce_han_3(struct coll_schedule *s, uint32_t round)
{
    return up_and_down(s, round);
}
