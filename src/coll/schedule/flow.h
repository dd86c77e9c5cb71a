/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow: a reduction up a tree and its result down again, in segments that do not wait for each other:
 * whatever has arrived goes on at once. A vector may be shared out to several trees.
 */
#ifndef PGASIM_COLL_FLOW_H
#define PGASIM_COLL_FLOW_H

#include "coll/schedule/vector.h"

enum { COLL_FLOW_CHILDREN = 250, COLL_FLOW_TREES = 2, COLL_NO_PARENT = -1 };

/* A member's place in a tree, and what of the vector goes along it. */
struct coll_flow {
    int64_t parent; /* COLL_NO_PARENT: the root */
    uint32_t n;     /* children, whose operands are combined in this order */
    uint32_t child[COLL_FLOW_CHILDREN];
    struct coll_run run;
};

static inline void coll_flow_add_child(struct coll_flow *f, uint32_t child)
{
    BASE_ASSERT("C1", f->n < COLL_FLOW_CHILDREN);
    f->child[f->n++] = child;
}

/* Round `round`, 0, 1, ...; `window` segments of each tree are under way in one. False: no such round. */
bool coll_flow_round(struct coll_schedule *s, uint32_t round, const struct coll_flow *trees, uint32_t n,
                     uint64_t segment, uint32_t window);

#endif
