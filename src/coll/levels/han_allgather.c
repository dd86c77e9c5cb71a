/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_allgather: allgathers of two levels beside `hierarchical`: hosts with equally many members next to
 * each other, stage after stage, or with all members of a host at the network. a is the time
 * of one small message between hosts, b within one, B the bandwidth, m the bytes of a part; n members on H
 * hosts of P each.
 */
#include "coll/allgather/allgather.h"
#include "coll/levels/levels.h"

/* The members of each host; without hosts in common, one. */
static uint32_t width(const struct coll_schedule *s)
{
    return s->hosts ? s->hosts->first[1] : 1;
}

static void within_host(const struct coll_schedule *s, struct coll_part *p)
{
    uint32_t w = width(s);
    p->me = s->me % w;
    p->size = w;
    p->root = 0;
    p->first = s->me - p->me;
    p->stride = 1;
    p->member = coll_part_strided;
}

/* The members with my number in their hosts. */
static void across_hosts(const struct coll_schedule *s, struct coll_part *p)
{
    uint32_t w = width(s);
    p->me = s->me / w;
    p->size = s->size / w;
    p->root = 0;
    p->first = s->me % w;
    p->stride = w;
    p->member = coll_part_strided;
}

/* --- stage after stage -------------------------------------------------------------------------- */

static coll_build_fn host_gathers(struct coll_schedule *s, struct coll_part *p)
{
    within_host(s, p);
    p->dest = coll_at(COLL_DEST, p->first * s->bytes);
    return s->tuning->choose(s, p, COLL_LEVEL_WITHIN, COLL_GATHER, s->bytes, p->size);
}

/* MVAPICH2's leaders use what MPICH would, whatever the selector. */
static coll_build_fn leaders_exchange(struct coll_schedule *s, struct coll_part *p)
{
    across_hosts(s, p);
    p->bytes = s->bytes * width(s);
    p->source = coll_at(COLL_DEST, p->me * p->bytes);
    uint64_t all = p->bytes * p->size;
    if (p->first)
        return NULL;
    if ((p->size & (p->size - 1)) == 0 && all < 524288)
        return coll_allgather_doubling_repaired;
    return all <= 81920 ? coll_allgather_bruck : coll_allgather_pairwise;
}

static coll_build_fn leaders_choose(struct coll_schedule *s, struct coll_part *p)
{
    coll_build_fn any = leaders_exchange(s, p);
    return any ? s->tuning->choose(s, p, COLL_LEVEL_BETWEEN, COLL_FCOLLECT, p->bytes, p->size) : NULL;
}

static coll_build_fn host_gets_all(struct coll_schedule *s, struct coll_part *p)
{
    within_host(s, p);
    p->bytes = s->bytes * s->size;
    p->source = p->dest;
    p->no_dest = p->me == 0;
    return s->tuning->choose(s, p, COLL_LEVEL_WITHIN, COLL_BROADCAST, p->bytes, p->size);
}

/* MVAPICH2's: each host's parts are gathered by its first member; these exchange them by doubling, Bruck's
 * algorithm or pairwise; each broadcasts everything to its host. Nothing is done if there are no bytes. */
bool coll_fcollect_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_gathers}, {.part = leaders_exchange}, {.part = host_gets_all}};
    return s->bytes && coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* Open MPI's han: the same, with the selector's choice at the upper level, too (Luo et al., "HAN: a
 * hierarchical autotuned collective communication framework", CLUSTER 2020). */
bool coll_fcollect_han(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_gathers}, {.part = leaders_choose}, {.part = host_gets_all}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- all members at the network ----------------------------------------------------------------- */

static coll_build_fn lane_collects(struct coll_schedule *s, struct coll_part *p)
{
    uint64_t lane = s->size / width(s) * s->bytes;
    across_hosts(s, p);
    p->dest = coll_at(COLL_TEMP, p->first * lane);
    p->temp = s->size * s->bytes + 1;
    coll_temp(s, p->temp);
    return s->tuning->choose(s, p, COLL_LEVEL_BETWEEN, COLL_FCOLLECT, s->bytes, p->size);
}

static coll_build_fn host_collects(struct coll_schedule *s, struct coll_part *p)
{
    within_host(s, p);
    p->bytes = s->size / width(s) * s->bytes;
    p->source = coll_at(COLL_TEMP, p->me * p->bytes);
    p->dest = coll_at(COLL_TEMP, 0);
    p->temp = s->size * s->bytes + 1;
    return s->tuning->choose(s, p, COLL_LEVEL_WITHIN, COLL_FCOLLECT, p->bytes, p->size);
}

/* From order of number in the host to order of place. */
static bool sort(struct coll_schedule *s, uint32_t round)
{
    uint32_t w = width(s), hosts = s->size / w;
    uint64_t m = s->bytes;
    for (uint32_t k = 0; round == 0 && m && k < s->size; k++)
        coll_add_copy(s, coll_at(COLL_TEMP, k * m), coll_at(COLL_DEST, (k % hosts * w + k / hosts) * m), m);
    return round == 0;
}

/* Members with equal numbers collect across hosts, all P groups of them at once, then each host's members
 * collect what these got (Traeff, Hunold, "Decomposing MPI collectives for exploiting multi-lane
 * communication", CLUSTER 2020). Each host's card carries each part once; P times the n - P parts that a
 * leader would. */
bool coll_fcollect_multi_lane(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = lane_collects}, {.part = host_collects}, {.all = sort}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
