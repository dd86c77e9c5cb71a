/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_tree: trees up which a reduction goes, over numbers: number v is the place first + v, around the
 * group. Children are numbered in the order in which their operands are combined.
 */
#ifndef PGASIM_COLL_REDUCE_ROOT_TREE_H
#define PGASIM_COLL_REDUCE_ROOT_TREE_H

#include "coll/schedule/schedule.h"

enum root_shape {
    ROOT_CHAINS,          /* k chains that begin at number 0 */
    ROOT_LEVELS,          /* k children each; the levels are filled in turn */
    ROOT_HEAP,            /* k children each: those of v are k v + 1 to k v + k */
    ROOT_KNOMIAL,         /* v + c k^i, c < k */
    ROOT_HOSTS,           /* within hosts, then between them (spans.h); number 0 is the call's root */
    ROOT_ISLANDS,         /* within hosts, then within islands, then between them (tiers.h); likewise */
    ROOT_IN_ORDER_BINARY, /* number n - 1 is the root; a subtree's places lie together */
};

struct root_tree {
    const struct coll_schedule *s;
    enum root_shape shape;
    uint32_t k, first;
    uint32_t me, parent, children; /* parent: a place; number 0, or the root, has none */
    bool is_root;
    uint32_t low, size; /* in-order: my subtree's places */
    union {
        struct coll_span span;   /* hosts */
        struct coll_tiers tiers; /* islands */
    };
};

/* `first`: the place of number 0. */
struct root_tree coll_root_tree(const struct coll_schedule *s, enum root_shape shape, uint32_t k,
                                uint32_t first);
/* The place of my child number i < children. */
uint32_t coll_root_child(const struct root_tree *t, uint32_t i);

/* Numbers of children, by ascending place. */
void coll_root_by_place(const struct root_tree *t, uint32_t *by_place);

/* Segments of a reduction: whole items, at most MOST of them; `segment` 0: all in one. */
enum { ROOT_MOST_SEGMENTS = 4000 };
struct root_segments {
    uint64_t bytes, all;
    uint32_t n;
};
struct root_segments coll_root_segments(const struct coll_schedule *s, uint64_t segment);
static inline uint64_t coll_root_segment(const struct root_segments *g, uint32_t k)
{
    uint64_t rest = g->all - k * g->bytes;
    return rest < g->bytes ? rest : g->bytes;
}
/* Where a member's result is built: the root's in dest, the others' in temporary memory from byte 0. */
static inline coll_place coll_root_sum(const struct coll_schedule *s)
{
    return coll_at(s->me == s->root ? COLL_DEST : COLL_TEMP, 0);
}
/* The member's own operand comes to where its result will be built, if it has one to build. */
void coll_root_add_own(struct coll_schedule *s, const struct root_tree *t);
/* The result goes from the tree's root, a place, to the call's. */
void coll_root_hand_over(struct coll_schedule *s, uint32_t from, uint32_t tag);

#endif
