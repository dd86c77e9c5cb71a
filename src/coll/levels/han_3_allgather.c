/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_3_allgather: an allgather of three levels: each host's parts are gathered by its leader, each island's by
 * the leader of its first host; these exchange them, and all parts come down through islands and hosts in a
 * pipeline of segments. Members lie in order of place: parts of a host, and of an island, follow each other.
 *
 * a is the time of one small message between islands, c between hosts of one of them, b within a host, B the
 * bandwidth, m the bytes of a part; n members on H hosts of P, H/I of them on each of I islands.
 */
#include "coll/levels/levels.h"
#include "coll/levels/pipeline.h"

/* Members of a host; of an island. */
static uint32_t width(const struct coll_schedule *s)
{
    return s->hosts ? s->hosts->first[1] : 1;
}

static uint32_t island_width(const struct coll_schedule *s)
{
    return width(s) * s->islands->each;
}

/* The part of the `n` members that are `stride` places apart, from `first` on; false: I am none of them. */
static bool among(const struct coll_schedule *s, struct coll_part *p, uint32_t first, uint32_t stride,
                  uint32_t n)
{
    p->first = first;
    p->stride = stride;
    p->size = n;
    p->root = 0;
    p->me = (s->me - first) / stride;
    p->member = coll_part_strided;
    return (s->me - first) % stride == 0;
}

static coll_build_fn host_gathers(struct coll_schedule *s, struct coll_part *p)
{
    among(s, p, s->me / width(s) * width(s), 1, width(s));
    p->dest = coll_at(COLL_DEST, p->first * s->bytes);
    return s->tuning->choose(s, p, COLL_LEVEL_WITHIN, COLL_GATHER, s->bytes, p->size);
}

/* What the host's leader has is in dest, and stays there at the island's. */
static coll_build_fn island_gathers(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t w = island_width(s);
    if (!among(s, p, s->me / w * w, width(s), s->islands->each))
        return NULL;
    p->bytes = s->bytes * width(s);
    p->source = coll_at(COLL_DEST, s->me * s->bytes);
    p->dest = coll_at(COLL_DEST, p->first * s->bytes);
    return s->tuning->choose(s, p, COLL_LEVEL_BETWEEN, COLL_GATHER, p->bytes, p->size);
}

static coll_build_fn islands_exchange(struct coll_schedule *s, struct coll_part *p)
{
    if (!among(s, p, 0, island_width(s), s->islands->count))
        return NULL;
    p->bytes = s->bytes * island_width(s);
    p->source = coll_at(COLL_DEST, s->me * s->bytes);
    return s->tuning->choose(s, p, COLL_LEVEL_BETWEEN, COLL_FCOLLECT, p->bytes, p->size);
}

static bool pass_down(struct coll_schedule *s, uint32_t round)
{
    return levels_pass_down(s, round, COLL_TIER_HOSTS);
}

static coll_build_fn all_come_down(struct coll_schedule *s, struct coll_part *p)
{
    p->bytes = s->bytes * s->size;
    p->source = p->dest;
    return pass_down;
}

/* b log2 P + c log2 (H/I) + a log2 I + n m/B, and what comes down takes the longer of its two ways: (c + n m/(S
 * B)) (log2 (H/I) + S - 1) + (b + n m/(S B)) log2 P (Luo et al., HAN, CLUSTER 2020, with a third level). Needs
 * as many hosts on every island; else it is `han`. */
bool coll_fcollect_han_3(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = host_gathers},
                                                   {.part = island_gathers},
                                                   {.part = islands_exchange},
                                                   {.part = all_come_down}};
    const struct coll_islands *l = s->islands;
    if (!l || !l->each || !l->in_order || s->part)
        return coll_fcollect_han(s, round);
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
