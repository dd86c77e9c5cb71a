/* SPDX-License-Identifier: BSD-3-Clause */
/* rooted_scatter: scatters in two levels (leaders.h). */
#include "coll/levels/leaders.h"
#include "coll/levels/levels.h"
#include "coll/rooted/rooted.h"

/* From the root to its leader, at `index`. */
static bool scatter_hand_over(struct coll_schedule *s, uint32_t round, uint32_t index)
{
    uint32_t to = levels_top(s, index);
    if (round == 0 && s->me == s->root)
        levels_add_reordered(s, false);
    if (round == 1 && to != s->root && s->me == s->root)
        coll_add_send(s, to, 0, coll_at(COLL_TEMP, 0), s->size * s->bytes);
    if (round == 1 && to != s->root && s->me == to)
        coll_add_receive(s, s->root, 0, coll_at(COLL_TEMP, 0), s->size * s->bytes);
    return round < 2;
}

static bool to_first(struct coll_schedule *s, uint32_t round)
{
    return scatter_hand_over(s, round, 0);
}

static bool to_like(struct coll_schedule *s, uint32_t round)
{
    return scatter_hand_over(s, round, s->hosts->index[s->root]);
}

static bool scatter_to_firsts(struct coll_schedule *s, uint32_t round)
{
    return levels_add_between(s, round, 0, levels_all_equal(s->hosts), false);
}

static bool scatter_to_like(struct coll_schedule *s, uint32_t round)
{
    return levels_add_between(s, round, s->hosts->index[s->root], false, false);
}

static coll_build_fn stage_to_first(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    levels_room(s, 0);
    return to_first;
}

static coll_build_fn stage_scatter_firsts(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return s->me == levels_mine(s, 0) ? scatter_to_firsts : NULL;
}

/* Among equally large hosts, a binomial tree of leaders, of whom the root's keeps its parts where they are. */
static coll_build_fn stage_scatter_tree(struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    if (s->me != levels_mine(s, 0) || !levels_all_equal(l))
        return stage_scatter_firsts(s, p);
    levels_firsts(s, p);
    p->bytes = levels_width(l, h) * s->bytes;
    p->source = p->dest = coll_at(COLL_TEMP, 0);
    p->no_dest = h == p->root;
    p->temp = levels_room(s, 0);
    return coll_scatter_binomial_nearest;
}

static coll_build_fn scatter_in_host(struct coll_schedule *s, struct coll_part *p, uint32_t index)
{
    levels_host(s, p, index);
    p->temp = levels_room(s, index);
    p->source = coll_at(COLL_TEMP, levels_parts_at(s, index));
    return coll_level_choice(s, p, COLL_LEVEL_WITHIN, COLL_SCATTER, s->bytes, p->size,
                             coll_scatter_binomial_nearest);
}

static coll_build_fn stage_scatter_host(struct coll_schedule *s, struct coll_part *p)
{
    return scatter_in_host(s, p, 0);
}

static bool many_hosts(const struct coll_schedule *s)
{
    return coll_part_hosts(s) && s->hosts->count > 1;
}

/* From the root to its leader, to the other leaders one after the other (at once where hosts differ in
 * size), and down binomial trees within hosts. b + n m/B, (H - 1)(a + P m/B) and b log2 P; n - 1 messages,
 * and one to the leader. On one host, or without members that share hosts, as ordered. */
bool coll_scatter_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = stage_to_first}, {.part = stage_scatter_firsts}, {.part = stage_scatter_host}};
    return many_hosts(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                         : coll_scatter_ordered(s, round);
}

/* The same with a binomial tree of the leaders: a log2 H + n m/B instead. On one host as ordered; without
 * members that share hosts as binomial-nearest. */
bool coll_scatter_two_level_binomial(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = stage_to_first}, {.part = stage_scatter_tree}, {.part = stage_scatter_host}};
    if (many_hosts(s))
        return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
    return coll_part_hosts(s) ? coll_scatter_ordered(s, round) : coll_scatter_binomial_nearest(s, round);
}

static coll_build_fn stage_to_like(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    levels_room(s, s->hosts->index[s->root]);
    return to_like;
}

static coll_build_fn stage_scatter_like(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t index = s->hosts->index[s->root];
    (void)p;
    return s->me == levels_mine(s, index) ? scatter_to_like : NULL;
}

static coll_build_fn stage_scatter_host_like(struct coll_schedule *s, struct coll_part *p)
{
    return scatter_in_host(s, p, s->hosts->index[s->root]);
}

/* HAN's. a + (H - 1) P m/B + b log2 P; n - 1 messages. Without members that share hosts, as linear. */
bool coll_scatter_han(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = stage_to_like}, {.part = stage_scatter_like}, {.part = stage_scatter_host_like}};
    return coll_part_hosts(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                              : coll_scatter_linear(s, round);
}
