/* SPDX-License-Identifier: BSD-3-Clause */
/* rooted_gather: gathers in two levels (leaders.h). */
#include "coll/levels/leaders.h"
#include "coll/levels/levels.h"
#include "coll/rooted/rooted.h"

static coll_build_fn gather_in_host(struct coll_schedule *s, struct coll_part *p, uint32_t index)
{
    levels_host(s, p, index);
    p->temp = levels_room(s, index);
    p->dest = coll_at(COLL_TEMP, levels_parts_at(s, index));
    return coll_level_choice(s, p, COLL_LEVEL_WITHIN, COLL_GATHER, s->bytes, p->size,
                             coll_gather_binomial_in_turn);
}

static bool gather_from_firsts(struct coll_schedule *s, uint32_t round)
{
    return levels_add_between(s, round, 0, levels_all_equal(s->hosts), true);
}

static bool gather_from_like(struct coll_schedule *s, uint32_t round)
{
    return levels_add_between(s, round, s->hosts->index[s->root], false, true);
}

/* From the root's leader, at `index`, to the root and its dest. */
static bool gather_deliver(struct coll_schedule *s, uint32_t round)
{
    uint32_t from = levels_top(s, 0);
    if (round == 0 && from != s->root && s->me == from)
        coll_add_send(s, s->root, 0, coll_at(COLL_TEMP, 0), s->size * s->bytes);
    if (round == 0 && from != s->root && s->me == s->root)
        coll_add_receive(s, from, 0, coll_at(COLL_TEMP, 0), s->size * s->bytes);
    if (round == 1 && s->me == s->root)
        levels_add_reordered(s, true);
    return round < 2;
}

static bool gather_put_in_order(struct coll_schedule *s, uint32_t round)
{
    if (round == 0 && s->me == s->root)
        levels_add_reordered(s, true);
    return round == 0;
}

static coll_build_fn stage_gather_host(struct coll_schedule *s, struct coll_part *p)
{
    return gather_in_host(s, p, 0);
}

static coll_build_fn stage_gather_firsts(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return s->me == levels_mine(s, 0) ? gather_from_firsts : NULL;
}

static coll_build_fn stage_gather_deliver(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    levels_room(s, 0);
    return gather_deliver;
}

/* Binomial within hosts, then leaders one after the other, or at once where hosts differ in size; last from
 * the root's leader to the root. b log2 P + (H - 1)(a + P m/B), and b + n m/B; n - 1 messages, and that one.
 * Without members that share hosts, as ordered. */
bool coll_gather_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = stage_gather_host}, {.part = stage_gather_firsts}, {.part = stage_gather_deliver}};
    return coll_part_hosts(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                              : coll_gather_ordered(s, round);
}

static coll_build_fn stage_gather_host_like(struct coll_schedule *s, struct coll_part *p)
{
    return gather_in_host(s, p, s->hosts->index[s->root]);
}

static coll_build_fn stage_gather_like(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t index = s->hosts->index[s->root];
    (void)p;
    return s->me == levels_mine(s, index) ? gather_from_like : NULL;
}

static coll_build_fn stage_put_in_order(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return s->me == s->root ? gather_put_in_order : NULL;
}

/* HAN's. b log2 P + a + (H - 1) P m/B; n - 1 messages. Without members that share hosts, as linear. */
bool coll_gather_han(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = stage_gather_host_like}, {.part = stage_gather_like}, {.part = stage_put_in_order}};
    return coll_part_hosts(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                              : coll_gather_linear(s, round);
}
