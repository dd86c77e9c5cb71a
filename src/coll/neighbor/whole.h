/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole: the neighbours of all members, as algorithms that combine messages need them. A real library gets
 * them by an exchange when the communicator is made, whose cost is not part of a collective's; here they are
 * read from the front end's record, once for all members.
 *
 * Invariants (N1, N2 in route.h)
 *  N3  No extent of a shape is 0.
 */
#ifndef PGASIM_COLL_NEIGHBOR_WHOLE_H
#define PGASIM_COLL_NEIGHBOR_WHOLE_H

#include "coll/neighbor/neighbor.h"

/* Places in row-major order in a grid of these extents. */
enum { COLL_MOST_DIMS = 16 };
struct coll_shape {
    uint32_t dims; /* 0: none */
    uint32_t extent[COLL_MOST_DIMS];
};
static inline uint32_t coll_shape_below(const struct coll_shape *g, uint32_t d)
{
    uint32_t below = 1;
    while (++d < g->dims)
        below *= g->extent[d];
    return below;
}
static inline uint32_t coll_shape_at(const struct coll_shape *g, uint32_t d, uint32_t place)
{
    BASE_ASSERT("N3", g->extent[d]);
    return place / coll_shape_below(g, d) % g->extent[d];
}

struct coll_route;
struct coll_whole_graph {
    uint32_t references, n;
    const struct coll_graph_lists *lists;
    void *ctx;
    bool read, shaped, turned;      /* what was worked out: the lists, `shape`, `circulant` */
    struct coll_neighbors **member; /* of each place; NULL: not read, or they do not agree */
    uint32_t *first_out, *first_in; /* n + 1: edges in the lists of the members before */
    struct coll_shape given;        /* that the front end knows */
    struct coll_shape shape;
    bool circulant;
    struct coll_route *routes; /* worked out so far (route.h) */
    bool counted;              /* whether these were: */
    bool sizes_known;          /* every member knows the size of all parts, where parts have no counts */
    uint32_t degree;           /* the most edges of a member's list */
};

/* False: the members' lists do not agree, or are too long. */
bool coll_whole_graph_read(struct coll_whole_graph *w);
/* Of a graph that was read: the grid in which every member has the same neighbours relative to its place,
 * except for those outside, so that the fewest messages go along its dimensions; dims 0: there is none. Grids of
 * up to three dimensions are found, others if the front end knows them. */
const struct coll_shape *coll_whole_graph_shape(struct coll_whole_graph *w);
/* sizes.c. Of a graph that was read: a set for each member p as a sender and, at n + p, as a receiver; of members of
 * one set all parts have one size, where they have no counts. The caller frees it. */
uint32_t *coll_whole_graph_sizes(const struct coll_whole_graph *w);
/* The same in a ring. */
bool coll_whole_graph_is_circulant(struct coll_whole_graph *w);

#endif
