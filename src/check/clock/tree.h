/* SPDX-License-Identifier: BSD-3-Clause */
/* tree: the trees of clocks (clock.h), counted by references. */
#ifndef PGASIM_CHECK_CLOCK_TREE_H
#define PGASIM_CHECK_CLOCK_TREE_H

#include "check/clock/clock.h"

struct clock_node {
    uint32_t refs, height; /* 0: a leaf */
    union {
        uint32_t count[16];
        struct clock_node *child[16]; /* NULL: all counts are 0 */
    };
};
struct clock_nodes {
    struct base_pool leaves, inner;
};

static inline struct clock_node *clock_tree_hold(struct clock_node *n)
{
    if (n)
        n->refs++;
    return n;
}
void clock_tree_drop(struct clock_nodes *k, struct clock_node *n);
/* Both take over the reference to `n`, and return one. A tree that nobody else refers to changes in place. */
struct clock_node *clock_tree_set(struct clock_nodes *k, struct clock_node *n, uint32_t id, uint32_t count);
struct clock_node *clock_tree_join(struct clock_nodes *k, struct clock_node *n, struct clock_node *with);

#endif
