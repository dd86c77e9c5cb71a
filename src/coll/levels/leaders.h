/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaders: operations with a root in two levels: within each host, and between one member of each host, its
 * leader. As in MVAPICH2 and SMPI, leaders are the first members of hosts in order of place (index 0), and
 * the leader of the root's host exchanges everything with the root; or, as in Open MPI's HAN (Luo et al.,
 * CLUSTER 2020), they are the members with the root's index on their hosts, so that the root is one.
 *
 * a is the time of a short message between hosts, b within one, B the bandwidth, g the time to reduce a
 * byte, n members on H hosts of P, m the bytes of a part or of the vector.
 */
#ifndef PGASIM_COLL_LEVELS_LEADERS_H
#define PGASIM_COLL_LEVELS_LEADERS_H

#include "coll/schedule/schedule.h"

static inline uint32_t levels_width(const struct coll_hosts *l, uint32_t host)
{
    return l->first[host + 1] - l->first[host];
}
bool levels_all_equal(const struct coll_hosts *l); /* hosts have equally many members */
/* The place of a host's leader: its member of this index, or its last one. */
static inline uint32_t levels_lead(const struct coll_hosts *l, uint32_t host, uint32_t index)
{
    return index < levels_width(l, host) ? index : levels_width(l, host) - 1;
}
static inline uint32_t levels_leader(const struct coll_hosts *l, uint32_t host, uint32_t index)
{
    return l->member[l->first[host] + levels_lead(l, host, index)];
}
/* My host's leader; the leader of the root's host. */
static inline uint32_t levels_mine(const struct coll_schedule *s, uint32_t index)
{
    return levels_leader(s->hosts, s->hosts->host[s->me], index);
}
static inline uint32_t levels_top(const struct coll_schedule *s, uint32_t index)
{
    return levels_leader(s->hosts, s->hosts->host[s->root], index);
}
/* Makes `p` the members of my host, or the first members of hosts, of whom I am one. */
void levels_host(const struct coll_schedule *s, struct coll_part *p, uint32_t index);
void levels_firsts(const struct coll_schedule *s, struct coll_part *p);

/* Gathers and scatters. Temporary memory: all parts, by host, of the root and its leader; a host's parts, of
 * other leaders. Where in it my host's parts begin, its size, and how the root's buffer becomes it. */
uint64_t levels_parts_at(const struct coll_schedule *s, uint32_t index);
uint64_t levels_room(struct coll_schedule *s, uint32_t index);
void levels_add_reordered(struct coll_schedule *s, bool to_dest);
/* Round `round` of messages with each host's parts, from its leader to that of the root's host (`up`) or back; with
 * one host after the other if `in_turn`. False: there is none. */
bool levels_add_between(struct coll_schedule *s, uint32_t round, uint32_t index, bool in_turn, bool up);

#endif
