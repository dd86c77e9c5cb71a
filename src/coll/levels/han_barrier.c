/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_barrier: a barrier of three levels: signals rise within hosts and then within islands, leaders of islands
 * meet by dissemination, and the release comes down the same trees. a is the time of one small message between
 * islands, c between hosts of one of them, b within a host; I islands of H/I hosts of P members.
 */
#include "coll/barrier/barrier.h"
#include "coll/levels/levels.h"

/* The trees below the topmost tier. */
static void find_below(const struct coll_schedule *s, struct coll_tiers *t)
{
    coll_tiers_find(s, (enum coll_tier_kind)(coll_tier_top(s) + 1), t);
}

static bool rise(struct coll_schedule *s, uint32_t round)
{
    const coll_place nothing = coll_at(COLL_TEMP, 0);
    struct coll_tiers t;
    find_below(s, &t);
    for (uint32_t k = 0; round == 0 && k < t.n; k++)
        coll_add_receive(s, t.child[k], 0, nothing, 0);
    if (round == 1 && t.parent >= 0)
        coll_add_send(s, (uint32_t)t.parent, 0, nothing, 0);
    return round < 2;
}

static bool fall(struct coll_schedule *s, uint32_t round)
{
    const coll_place nothing = coll_at(COLL_TEMP, 0);
    struct coll_tiers t;
    find_below(s, &t);
    if (round == 0 && t.parent >= 0)
        coll_add_receive(s, (uint32_t)t.parent, 0, nothing, 0);
    for (uint32_t k = t.n; round == 1 && k--;)
        coll_add_send(s, t.child[k], 0, nothing, 0);
    return round < 2;
}

static uint32_t leader_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    const struct coll_tier top = {.kind = coll_tier_top(s)};
    struct coll_tier t = top;
    t.n = s->islands ? s->islands->count : s->hosts->count;
    return coll_tier_place(s, &t, k);
}

static coll_build_fn leaders_meet(struct coll_schedule *s, struct coll_part *p)
{
    struct coll_tier t;
    if (!coll_tier_find(s, coll_tier_top(s), &t))
        return NULL;
    p->me = t.me;
    p->size = t.n;
    p->member = leader_of;
    return coll_barrier_dissemination;
}

/* 2 (b ceil(log2 P) + c ceil(log2 (H/I))) + a ceil(log2 I); 2 (n - I) + I ceil(log2 I) messages (Karonis et al.
 * 2000, with HAN's levels). Without islands it has two levels. */
bool coll_barrier_han_3(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = rise}, {.part = leaders_meet}, {.all = fall}};
    return s->hosts || s->islands ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                                  : coll_barrier_dissemination(s, round);
}
