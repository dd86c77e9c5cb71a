/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes_broadcast: a broadcast in which all members of a host use its network card: each has a chunk of the
 * data, and its lane, the members of equal index on all hosts, broadcasts that (Traeff, Hunold, "Decomposing
 * MPI collectives for exploiting multi-lane communication", IEEE CLUSTER 2020).
 */
#include "coll/levels/levels.h"

static uint32_t lanes(const struct coll_schedule *s)
{
    return s->hosts->first[1];
}

static uint64_t chunk(const struct coll_schedule *s, uint32_t lane)
{
    BASE_ASSERT("C10", lanes(s) > 0);
    return (uint64_t)((unsigned __int128)s->bytes * lane / lanes(s));
}

static uint32_t of_lane(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[s->hosts->first[k] + p->first];
}

/* The root sends the others of its host their chunks. */
static bool scatter(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->root], mine = l->index[s->me];
    if (round == 0 && l->host[s->me] == h && s->me != s->root)
        coll_add_receive(s, s->root, 0, coll_at(COLL_DEST, chunk(s, mine)),
                         chunk(s, mine + 1) - chunk(s, mine));
    for (uint32_t i = 0; round == 0 && s->me == s->root && i < lanes(s); i++)
        if (i != mine)
            coll_add_send(s, l->member[l->first[h] + i], 0, coll_at(COLL_SOURCE, chunk(s, i)),
                          chunk(s, i + 1) - chunk(s, i));
    return round == 0;
}

static coll_build_fn lane_broadcasts(struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t lane = l->index[s->me];
    p->first = lane;
    p->me = l->host[s->me];
    p->size = l->count;
    p->root = l->host[s->root];
    p->member = of_lane;
    p->bytes = chunk(s, lane + 1) - chunk(s, lane);
    p->dest = coll_at(COLL_DEST, chunk(s, lane));
    p->source = coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, chunk(s, lane));
    p->no_dest = true;
    return s->tuning->choose(s, p, COLL_LEVEL_BETWEEN, COLL_BROADCAST, p->bytes, p->size);
}

/* In round r, a member passes on the chunk that it got r rounds ago, and gets the one r + 1 places before
 * its own. The root has all and only passes on. */
static bool ring(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t n = lanes(s), i = l->index[s->me], first = l->first[l->host[s->me]];
    uint32_t after = l->member[first + (i + 1) % n], before = l->member[first + (i + n - 1) % n];
    if (round + 1 < n) {
        uint32_t in = (i + 2 * n - round - 1) % n, out = (i + n - round) % n;
        if (s->me != s->root)
            coll_add_receive(s, before, round, coll_at(COLL_DEST, chunk(s, in)),
                             chunk(s, in + 1) - chunk(s, in));
        if (after != s->root)
            coll_add_send(s, after, round, coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, chunk(s, out)),
                          chunk(s, out + 1) - chunk(s, out));
    }
    if (round + 1 == n && s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
    return round < n;
}

/* Scatter within the root's host, the choice for H members in each lane, and a ring within each host. With
 * H hosts of P members, a the time of a small message between hosts, b within one: 2 P b + 2 m/B within
 * hosts, and between them P broadcasts of m/P at a time; n (P - 1) messages and the lanes'. Requires as
 * many members on each host. */
bool coll_broadcast_lanes(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = scatter}, {.part = lane_broadcasts}, {.all = ring}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
