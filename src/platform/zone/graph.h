/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: what graph.c and graph_search.c share: the declared routes of a Floyd or Dijkstra zone as the edges
 * of a graph, whose nodes are points of the zone. An edge's number is its index among the sealed routes, its
 * length the number of its links.
 *
 * Invariants
 *  G1  The arcs of node v are arcs[first[v] .. first[v + 1]), those to itself left out.
 *  G2  The tree in a slot belongs to the node that owns the slot.
 */
#ifndef PGASIM_PLATFORM_GRAPH_H
#define PGASIM_PLATFORM_GRAPH_H

#include "platform/zone/routes.h"

struct platform_vertex {
    platform_point at;
    uint32_t node;
};
/* An edge as seen from one of its nodes: the other one. */
struct platform_arc {
    uint32_t node, length, edge;
};

/*
 * Floyd's table and Dijkstra's trees, one node's part at a time. A part is made when first asked for and kept
 * in one of a bounded number of slots; the oldest is dropped first.
 *
 *   Dijkstra  tree of a: by node b, the last edge of the route from a to b
 *   Floyd     tree of b: by node a, the last edge of the route from a to b
 */
struct platform_graph {
    struct platform_full declared;
    bool floyd;
    uint32_t nodes;
    BASE_ARRAY(struct platform_vertex) vertices; /* sorted by point */
    uint32_t *node_from, *node_to;               /* by edge */
    uint32_t *first;                             /* arcs: out of a node for Dijkstra, into it for Floyd */
    struct platform_arc *arcs;
    /* Trees. */
    uint32_t slots, next_slot;
    uint32_t *slot_of, *node_in; /* by node; by slot; PLATFORM_NONE */
    uint32_t **trees;            /* by slot; NULL: not used yet */
    /* Scratch space of a search, by node. */
    uint64_t *length;
    uint32_t *via, *bottleneck;
    BASE_ARRAY(uint64_t) heap;
};

/* graph_build.c: numbers the points, before the routes are sorted; finds a point's number, false if it is not
 * a node; makes the arcs of the sorted routes. */
void platform_graph_number(const struct platform *p, const struct platform_zone *z, struct platform_graph *g);
bool platform_graph_node(const struct platform_graph *g, platform_point at, uint32_t *node);
void platform_graph_join(struct platform_graph *g);

/* graph_search.c */
void platform_graph_search_init(struct platform_graph *g);
void platform_graph_search_release(struct platform_graph *g);
/* The tree of a node: an edge for each node, PLATFORM_NONE
 * if there is no route. Valid until the next call. */
const uint32_t *platform_graph_tree(struct platform_graph *g, uint32_t node);

#endif
