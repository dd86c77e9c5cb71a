/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree: trees that broadcasts go down. A tree is over numbers: 0 is the number of its first member, the
 * others follow in order of place, around the group. Shapes say who is whose parent; they keep nothing, so a
 * tree of any size takes no memory.
 */
#ifndef PGASIM_COLL_BROADCAST_TREE_H
#define PGASIM_COLL_BROADCAST_TREE_H

#include "coll/schedule/schedule.h"

struct broadcast_tree {
    const struct broadcast_shape *shape;
    uint32_t n, fan;                /* members; k of shapes that have one */
    uint32_t first;                 /* the place of number 0 */
    uint32_t me;                    /* my number */
    const struct coll_hosts *hosts; /* of shapes that need them */
};

/* `parent` of a number that is not 0. `child`: the k-th in the order in which they are sent to, or
 * COLL_NOBODY from the first k on for which there is none. */
struct broadcast_shape {
    uint32_t (*parent)(const struct broadcast_tree *t, uint32_t v);
    uint32_t (*child)(const struct broadcast_tree *t, uint32_t v, uint32_t k);
};

/* All members are children of 0 (trees.c has the rest). */
extern const struct broadcast_shape broadcast_star;
/* Binomial: v's parent has v's lowest bit cleared; the child with the largest subtree is first. */
extern const struct broadcast_shape broadcast_binomial_tree;
/* The same in base `fan`. */
extern const struct broadcast_shape broadcast_knomial_tree;
/* Binomial, with v's highest bit cleared; nearest child first, which has the largest subtree. */
extern const struct broadcast_shape broadcast_high_bit_tree;
/* k-nomial, the subtrees of a member follow it one after the other, the largest first. */
extern const struct broadcast_shape broadcast_knomial_runs;
/* `fan` children of each, numbered level by level from left to right: v's are v k + 1 to v k + k. */
extern const struct broadcast_shape broadcast_heap_tree;
/* The same, but what a level holds is dealt to the members above in turn: if that is k^l members, v has v
 * + k^l, v + 2 k^l, ... */
extern const struct broadcast_shape broadcast_dealt_tree;
/* `fan` chains that begin at 0, of lengths that differ by one at most, the longer ones first. */
extern const struct broadcast_shape broadcast_chains;
/* For messages that take as long as their sender needs for `fan` sends (topology.c). */
extern const struct broadcast_shape broadcast_postal_tree;
struct broadcast_tree broadcast_tree(const struct coll_schedule *s, const struct broadcast_shape *shape,
                                     uint32_t fan, uint32_t first);
static inline uint32_t broadcast_place(const struct broadcast_tree *t, uint32_t v)
{
    uint64_t p = (uint64_t)v + t->first;
    return (uint32_t)(p >= t->n ? p - t->n : p);
}
/* The place of my parent, which I have (me != 0), and of my k-th child, or COLL_NOBODY. */
uint32_t broadcast_parent(const struct broadcast_tree *t);
uint32_t broadcast_child(const struct broadcast_tree *t, uint32_t k);

/* Where a member's data are, from `offset` on; root: source. */
static inline coll_place broadcast_data(const struct coll_schedule *s, uint64_t offset)
{
    return coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, offset);
}
/* Where a member receives data: dest, or for the root, to which libraries' trees send what it has, a place
 * that is never read. The caller has made room for `most` bytes, by broadcast_room. */
static inline coll_place broadcast_into(const struct coll_schedule *s, uint64_t offset)
{
    return s->me == s->root ? coll_at(COLL_TEMP, 0) : coll_at(COLL_DEST, offset);
}
static inline void broadcast_room(struct coll_schedule *s, uint64_t most)
{
    if (s->me == s->root && most)
        coll_temp(s, most);
}
static inline void broadcast_root_copy(struct coll_schedule *s)
{
    if (s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
}

#endif
