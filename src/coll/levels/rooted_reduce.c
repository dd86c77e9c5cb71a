/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rooted_reduce: reductions to a root in two levels (leaders.h). Operands of one host are combined in order
 * of place, then the hosts' results in order of their first places, so if the operator does not commute, a
 * host's members must be neighbours.
 */
#include "coll/levels/leaders.h"
#include "coll/levels/levels.h"
#include "coll/reduce/reduce.h"

enum { SHORT = 2048 };

/* What the selector says of a level, or as MPICH chooses: for n members. */
static coll_build_fn choice(const struct coll_schedule *s, struct coll_part *p, enum coll_level level,
                            uint32_t n)
{
    bool halves = s->bytes >= SHORT && s->bytes / coll_item(s) >= coll_power_below(n);
    bool commutes = !s->call->operator.ordered;
    return coll_level_choice(s, p, level, COLL_REDUCE_ROOT, s->bytes, n,
                             halves && commutes ? coll_reduce_root_scatter_gather
                                                : coll_reduce_root_binomial_in_turn);
}

static bool is_first(const struct coll_schedule *s)
{
    return s->me == levels_mine(s, 0);
}

/* The first member's temporary memory: its host's result, then, unless it is the root, that of all. */
static uint64_t prepare(struct coll_schedule *s)
{
    uint64_t bytes = is_first(s) ? 2 * s->bytes : 0;
    coll_temp(s, bytes + 1);
    return bytes;
}

static coll_build_fn within_host(struct coll_schedule *s, struct coll_part *p)
{
    levels_host(s, p, 0);
    p->temp = prepare(s);
    p->dest = coll_at(COLL_TEMP, 0);
    p->no_dest = !is_first(s);
    return choice(s, p, COLL_LEVEL_WITHIN, p->size);
}

static coll_build_fn between_hosts(struct coll_schedule *s, struct coll_part *p)
{
    if (!is_first(s))
        return NULL;
    levels_firsts(s, p);
    p->temp = prepare(s);
    p->source = coll_at(COLL_TEMP, 0);
    if (s->me != s->root)
        p->dest = coll_at(COLL_TEMP, s->bytes);
    p->no_dest = p->me != p->root;
    return choice(s, p, COLL_LEVEL_BETWEEN, p->size);
}

static bool to_root(struct coll_schedule *s, uint32_t round)
{
    uint32_t top = levels_top(s, 0);
    if (round || top == s->root)
        return false;
    if (s->me == top)
        coll_add_send(s, s->root, 0, coll_at(COLL_TEMP, s->bytes), s->bytes);
    else if (s->me == s->root)
        coll_add_receive(s, top, 0, coll_at(COLL_DEST, 0), s->bytes);
    return true;
}

static coll_build_fn hand_over(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    prepare(s);
    return to_root;
}

/* On one host, first all operands to its first member, then the result to the root. */
static bool within_one_host(struct coll_schedule *s, uint32_t round)
{
    struct coll_part p = {.size = s->size, .stride = 1, .me = s->me, .bytes = s->bytes};
    p.source = coll_at(COLL_SOURCE, 0);
    p.dest = s->root ? coll_at(COLL_TEMP, s->bytes) : coll_at(COLL_DEST, 0);
    p.no_dest = s->me != 0;
    p.temp = 2 * s->bytes;
    coll_temp(s, 2 * s->bytes + 1);
    struct coll_stage *at = coll_stage_open(s, round);
    bool any = at->number == 0 && coll_part_round(s, &p, coll_reduce_root_ordered, round);
    if (!any && at->number == 0)
        *at = (struct coll_stage){1, round};
    any = any || to_root(s, round - at->from);
    coll_stage_close(s);
    return any;
}

/* Within hosts and between their first members as the selector says, or as MPICH chooses, binomial or by
 * halving; then from the leader of the root's host to the root. (b + m/B + g m) log2 P + (a + m/B + g m) log2 H,
 * and b + m/B, for a short vector; n - 1 messages and that one. On one host, a short one goes linearly to the first member, and
 * others up a k-nomial tree; without members that share hosts, as MPICH chooses. */
bool coll_reduce_root_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = within_host}, {.part = between_hosts}, {.part = hand_over}};
    if (!coll_part_hosts(s))
        return choice(s, NULL, COLL_LEVEL_BETWEEN, s->size)(s, round);
    if (s->hosts->count > 1)
        return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
    if (s->bytes <= SHORT && !s->call->operator.ordered)
        return within_one_host(s, round);
    return coll_reduce_root_knomial(s, round);
}
