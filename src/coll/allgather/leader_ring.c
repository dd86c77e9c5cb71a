/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leader_ring: an allgather of two levels in a pipeline. a is the time of one small message between hosts, b
 * within one, o the overhead to issue one, B the bandwidth, m the bytes of a part; n members on H hosts of P
 * each.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

static void add_block(struct coll_schedule *s, bool receive, uint32_t host, uint32_t peer, uint32_t round)
{
    uint32_t from = s->hosts->first[host], end = s->hosts->first[host + 1];
    receive ? coll_add_run_receive(s, peer, round, from, end) : coll_add_run_send(s, peer, round, from, end);
}

/* Round k > 0 of H: hosts' parts go around the first members; the ones that came in the round before also
 * go to all other members of the host. */
static void pipeline(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t n = l->count, host = l->host[s->me], first = l->first[host], end = l->first[host + 1];
    uint32_t mine = (host + n - (round - 1)) % n, next = (host + n - round % n) % n;
    if (s->me != first) {
        add_block(s, true, mine, first, round);
        return;
    }
    if (round < n) {
        add_block(s, true, next, l->first[(host + n - 1) % n], round);
        add_block(s, false, mine, l->first[(host + 1) % n], round);
    }
    for (uint32_t p = first + 1; p < end; p++)
        add_block(s, false, mine, p, round);
}

static void gather(struct coll_schedule *s)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t host = l->host[s->me], first = l->first[host];
    for (uint32_t p = first + 1; s->me == first && p < l->first[host + 1]; p++)
        coll_add_run_receive(s, p, 1, p, p + 1);
    if (s->me != first)
        coll_add_run_send(s, first, 1, s->me, s->me + 1);
}

/* Each host's first member gathers its parts, then passes on whole hosts' parts in a ring, and to its host
 * in the same round: the network and the host's memory work at the same time. b + (H - 1) max(a + P m/B, (P
 * - 1)(o + P m/B)); (n - H)(H + 1) + H (H - 1) messages. Hosts may differ in members; where these are not
 * neighbours in order of place, or no two share a host, the plain ring runs. */
bool coll_allgather_leader_ring(struct coll_schedule *s, uint32_t round)
{
    if (!s->hosts || !s->hosts->in_order || s->part)
        return s->regular || s->call->op == COLL_FCOLLECT ? coll_fcollect_ring(s, round)
                                                          : coll_allgatherv_ring(s, round);
    uint32_t last = s->hosts->count + 1;
    if (round == 0)
        coll_add_run_begin(s);
    if (round == 1)
        gather(s);
    if (round > 1 && round <= last)
        pipeline(s, round - 1);
    if (round == last + 1)
        coll_add_run_end(s);
    return round <= last + 1;
}
