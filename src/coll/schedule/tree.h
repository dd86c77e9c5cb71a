/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree: k-nomial trees over the members, as rounds that several algorithms share. Members are numbered from
 * the root on, v = (place - root) mod n, and v is written in base k: its parent has v's lowest digit that is
 * not 0 set to 0. So a member and all below it have consecutive numbers. k = 2 gives the binomial tree.
 */
#ifndef PGASIM_COLL_TREE_H
#define PGASIM_COLL_TREE_H

#include "coll/schedule/steps.h"

/* The place with number v, and my number. */
static inline uint32_t coll_tree_place(const struct coll_schedule *s, uint32_t v)
{
    uint64_t p = (uint64_t)v + s->root;
    return (uint32_t)(p >= s->size ? p - s->size : p);
}
static inline uint32_t coll_tree_number(const struct coll_schedule *s)
{
    return coll_before(s, s->root);
}
/* With k = 2: the size of the subtree of v, v included. */
static inline uint64_t coll_tree_run(const struct coll_schedule *s, uint32_t v)
{
    uint64_t run = v ? v & (~v + 1) : s->size;
    return run < s->size - v ? run : s->size - v;
}
/* The parent of number v > 0. */
uint32_t coll_tree_parent(uint32_t v, uint32_t radix);

/* What goes along the edges. With `runs`, `bytes` is the size of one member's part; the root's part is at
 * `at`, followed by the others' in order, and each edge carries up the parts of its whole subtree. Without,
 * the same bytes go along every edge. */
struct coll_load {
    coll_place at;
    uint64_t bytes;
    bool reduce; /* up: the children's operands are combined with mine in order of place */
    bool runs;   /* up */
};
/* Two rounds, 0 and 1, from the children to the parent; the root is place 0. False: no such round. */
bool coll_tree_up(struct coll_schedule *s, uint32_t round, uint32_t radix, const struct coll_load *load);
/* Two rounds from the parent to the children, those with the largest subtree first. */
bool coll_tree_down(struct coll_schedule *s, uint32_t round, uint32_t radix, const struct coll_load *load);

#endif
