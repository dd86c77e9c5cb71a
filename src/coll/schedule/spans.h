/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spans: trees in which what is below a member lies together. The root is number 0, and the numbers of a
 * member's descendants follow its own, so that what an edge carries is one run of parts. The run of number v
 * is [v, end).
 */
#ifndef PGASIM_COLL_SCHEDULE_SPANS_H
#define PGASIM_COLL_SCHEDULE_SPANS_H

#include "coll/schedule/tree.h"

enum coll_span_shape {
    COLL_SPAN_KNOMIAL, /* children of v: v + c k^i, c < k */
    COLL_SPAN_KARY,    /* a member's descendants are cut into k equal runs; each begins with a child */
    COLL_SPAN_CHAIN,   /* v + 1 */
    COLL_SPAN_HOSTS, /* members of a host lie together; binomial within hosts and between their first ones */
};

enum { COLL_SPAN_MOST_RADIX = 64, COLL_SPAN_MOST_CHILDREN = 400 };

/* A member's place in the tree. The run of child k is [child[k], child[k + 1]). */
struct coll_span {
    uint32_t me, parent, end; /* parent: of number 0 there is none */
    uint32_t children;
    uint32_t child[COLL_SPAN_MOST_CHILDREN + 1];
    enum coll_span_shape shape;
};

void coll_span_find(struct coll_span *t, const struct coll_schedule *s, enum coll_span_shape shape,
                    uint32_t radix);
/* The place of a number. */
uint32_t coll_span_place(const struct coll_span *t, const struct coll_schedule *s, uint32_t number);

#endif
