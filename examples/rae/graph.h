/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: a Kronecker graph, the same in every build. Every PE has all edges; the vertices' values, which the
 * kernels change, are spread over the PEs: vertex v is at PE v % pes, in element v / pes.
 *
 * Parameters are those of the GAP Benchmark Suite: 16 edges for each vertex, quadrants of .57, .19, .19 and
 * .05, MT19937 started with 27491095. Then edges are made symmetric and sorted, and double ones and loops are
 * dropped. Vertices are renumbered by a permutation of our own, for the suite's depends on a C++ library:
 * what does not depend on numbers, such as the number of triangles, is as there.
 */
#ifndef RAE_GRAPH_H
#define RAE_GRAPH_H

#include <stdint.h>

#ifndef GRAPH_MOST_SCALE
#define GRAPH_MOST_SCALE 10
#endif
enum {
    GRAPH_DEGREE = 16,
    GRAPH_VERTICES = 1 << GRAPH_MOST_SCALE,
    GRAPH_ARCS = 2 * GRAPH_DEGREE * GRAPH_VERTICES, /* at most, both directions */
};

struct graph {
    uint32_t vertices, arcs;
    uint32_t first[GRAPH_VERTICES + 1]; /* of the arcs of a vertex */
    uint32_t to[GRAPH_ARCS];            /* sorted */
};
extern struct graph graph;

/* 2^scale vertices, scale <= GRAPH_MOST_SCALE. */
void graph_generate(unsigned scale);

static inline uint32_t graph_degree(uint32_t v)
{
    return graph.first[v + 1] - graph.first[v];
}

/* 1 to 255, the same in both directions. */
uint64_t graph_weight(uint32_t u, uint32_t v);
/* The first vertex, from a random one on, that has edges. */
uint32_t graph_source(uint64_t seed);

#endif
