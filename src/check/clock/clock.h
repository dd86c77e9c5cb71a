/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock: vector clocks of many threads, most of which agree in most of their entries.
 *
 * A clock is a base, an immutable tree that many clocks share, and a few differences from it. The tree has 16
 * counts in each leaf and 16 subtrees in each node above; it is as high as its largest id needs. Joining two
 * trees skips the subtrees that they share. After a barrier all its members have the same base and no
 * difference, so that a barrier costs each member a constant number of steps (times the tree's height), and
 * a million clocks have the memory of one.
 *
 * An id stands for anything that counts: a thread counts its releases, an order of deliveries its fences.
 * Entries that were never raised are 0.
 *
 * Invariants
 *  K1  A node that somebody else refers to does not change.
 *  K2  A difference is larger than the base's count of the same id; no id has two.
 */
#ifndef PGASIM_CHECK_CLOCK_H
#define PGASIM_CHECK_CLOCK_H

#include "base/base.h"

struct clock_node;
struct clock_nodes; /* all nodes of a run */

enum { CLOCK_DIFFERENCES = 14 };
struct clock_entry {
    uint32_t id, count;
};
/* The owner keeps it in place; a copy is made by clock_copy. Zeroed: empty. */
struct clock {
    struct clock_node *base;
    uint32_t n;
    struct clock_entry differs[CLOCK_DIFFERENCES];
};

struct clock_nodes *clock_nodes_create(void);
void clock_nodes_destroy(struct clock_nodes *k); /* no clock may be used after that */
size_t clock_nodes_live(const struct clock_nodes *k);

uint32_t clock_tree_get(const struct clock_node *base, uint32_t id);
static inline uint32_t clock_get(const struct clock *c, uint32_t id)
{
    for (uint32_t k = 0; k < c->n; k++)
        if (c->differs[k].id == id)
            return c->differs[k].count;
    return clock_tree_get(c->base, id);
}
/* The entry becomes `count` if it is smaller. Returns whether it was. */
bool clock_raise(struct clock_nodes *k, struct clock *c, uint32_t id, uint32_t count);
/* Each entry becomes the larger of both. `seen`: bases that c is known to include, or NULL. */
struct clock_seen {
    struct clock_node *base[4]; /* held */
    uint32_t next;
};
void clock_seen_add(struct clock_nodes *k, struct clock_seen *seen, const struct clock *c);
void clock_join(struct clock_nodes *k, struct clock *c, const struct clock *with, struct clock_seen *seen);
void clock_copy(struct clock *out, const struct clock *c);
/* The same, to share: first its differences move into its base if they are many. Else each of those who share it soon
 * had too many, and moved them into a base of its own. */
void clock_share(struct clock_nodes *k, struct clock *out, struct clock *c);
void clock_clear(struct clock_nodes *k, struct clock *c);
void clock_seen_clear(struct clock_nodes *k, struct clock_seen *seen);

#endif
