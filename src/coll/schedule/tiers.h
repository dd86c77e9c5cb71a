/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiers: trees of several levels: islands, the hosts of an island, the members of a host. A unit of each tier
 * has a leader: the root's host and island are led by the root, others by their first member. In each tier,
 * the leaders of the units below are joined by a binomial tree from the leader of theirs on. Groups without
 * islands have two tiers, and without shared hosts one.
 */
#ifndef PGASIM_COLL_SCHEDULE_TIERS_H
#define PGASIM_COLL_SCHEDULE_TIERS_H

#include "coll/schedule/steps.h"

enum coll_tier_kind { COLL_TIER_ISLANDS, COLL_TIER_HOSTS, COLL_TIER_MEMBERS, COLL_TIERS };
/* The topmost tier with more than one unit or, in a group without any structure, the hosts'. */
static inline enum coll_tier_kind coll_tier_top(const struct coll_schedule *s)
{
    return s->islands ? COLL_TIER_ISLANDS : COLL_TIER_HOSTS;
}

/* A member's unit in a tier: its number there, counted from the leader's on, of n. */
struct coll_tier {
    enum coll_tier_kind kind;
    uint32_t me, n;
    uint32_t first, root; /* where the unit begins; the leader, counted from there */
};
/* false: the member is in none, as it leads nothing in the tier below. */
bool coll_tier_find(const struct coll_schedule *s, enum coll_tier_kind kind, struct coll_tier *out);
/* The place of number v. */
uint32_t coll_tier_place(const struct coll_schedule *s, const struct coll_tier *t, uint32_t v);

/* Binomial: v's parent has v's lowest bit removed. The children of v are v + 1, v + 2, v + 4, ... */
static inline uint32_t coll_tier_parent(uint32_t v)
{
    return v & (v - 1);
}
/* How many children v has. */
uint32_t coll_tier_children(const struct coll_tier *t);

/* The whole tree at a member: its parent's place, and its children's: those of its host first, nearest first. */
enum { COLL_TIERS_CHILDREN = 96 };
struct coll_tiers {
    int64_t parent; /* -1: the root */
    uint32_t n, child[COLL_TIERS_CHILDREN];
};
/* `top`: the highest tier that is part of the tree. */
void coll_tiers_find(const struct coll_schedule *s, enum coll_tier_kind top, struct coll_tiers *out);

#endif
