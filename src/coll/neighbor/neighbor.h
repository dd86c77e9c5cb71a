/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor: a member's edges to its neighbours, as schedules use them. */
#ifndef PGASIM_COLL_NEIGHBOR_H
#define PGASIM_COLL_NEIGHBOR_H

#include "coll/schedule/schedule.h"

/* One edge of a member: the place of the other end (`peer`), which of the edges to or from it this is
 * (`tag`), and the edge's position in the member's list, that is, which part of the buffer (`part`). */
struct coll_edge {
    uint32_t peer, tag, part;
};
/* Both lists are in ascending order of (peer, tag). Edges to nobody are left out. */
struct coll_neighbors {
    uint32_t references;
    uint32_t n_in, n_out;
    bool grid;                      /* parts 2 d and 2 d + 1 are the neighbours in dimension d */
    struct coll_whole_graph *whole; /* a reference; NULL: nobody knows it */
    struct coll_edge *in, *out;     /* behind the record */
};

/* Which of these traits the graph lacks, one of COLL_WHOLE_GRAPH, COLL_STENCIL and COLL_CIRCULANT; 0: none. All
 * members get the same answer. NULL: the operation has no neighbours. */
unsigned coll_neighbors_lack(const struct coll_neighbors *l, unsigned traits);
/* What all members know of a call and its graph; 0: nothing. */
struct coll_graph_facts {
    uint32_t degree;     /* the most edges of a member's list */
    uint32_t dimensions; /* of a Cartesian grid */
    uint64_t part;       /* bytes of a part, or of the longer of two kinds */
};
struct coll_graph_facts coll_neighbors_facts(const struct coll_call *c);
/* What the member sends along an edge: in an all-to-all the edge's own part, else the same to all. */
coll_place coll_neighbor_sends(const struct coll_schedule *s, const struct coll_edge *e, uint64_t *bytes);
/* The edge from or to this peer with this tag in a member's list; NULL: there is none. */
const struct coll_edge *coll_edge_find(const struct coll_edge *edges, uint32_t n, uint32_t peer,
                                       uint32_t tag);

#define COLL_ALGORITHM(op, function, ...) bool function(struct coll_schedule *s, uint32_t round);
#include "coll/neighbor/neighbor.def"
#undef COLL_ALGORITHM

#endif
