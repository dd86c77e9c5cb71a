/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smp_barrier: MPICH's barrier of two levels. a is the time of one small message between hosts, b within
 * one; n members on H hosts of P each.
 */
#include "coll/barrier/barrier.h"
#include "coll/levels/levels.h"

static uint32_t of_host(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

static uint32_t leader_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return s->hosts->member[s->hosts->first[k]];
}

static void within_host(const struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    p->first = l->first[h];
    p->size = l->first[h + 1] - p->first;
    p->me = l->index[s->me];
    p->root = 0;
    p->member = of_host;
}

static coll_build_fn host_meets(struct coll_schedule *s, struct coll_part *p)
{
    within_host(s, p);
    return coll_barrier_dissemination;
}

static coll_build_fn leaders_meet(struct coll_schedule *s, struct coll_part *p)
{
    p->me = s->hosts->host[s->me];
    p->size = s->hosts->count;
    p->member = leader_of;
    return s->hosts->index[s->me] == 0 ? coll_barrier_dissemination : NULL;
}

/* One byte, as an empty broadcast would be left out. */
static bool release_host(struct coll_schedule *s, uint32_t round)
{
    struct coll_load byte = {coll_at(COLL_TEMP, 0), 1, false, false};
    char *sent = coll_temp(s, 1);
    if (sent)
        *sent = 0;
    return coll_tree_down(s, round, 2, &byte);
}

static coll_build_fn host_is_released(struct coll_schedule *s, struct coll_part *p)
{
    within_host(s, p);
    return release_host;
}

/* All members of a host meet by dissemination, then the hosts' first members, which at last release their
 * hosts down a binomial tree. 2 b ceil(log2 P) + a ceil(log2 H); n ceil(log2 P) + H ceil(log2 H) + n - H
 * messages. */
bool coll_barrier_smp(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_meets}, {.part = leaders_meet}, {.part = host_is_released}};
    return coll_part_hosts(s) ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                              : coll_barrier_dissemination(s, round);
}
