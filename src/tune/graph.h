/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: who is whose neighbour in a trial: the lists of all members, of a shape or of a program's communicator.
 * Part of tune.h.
 */
#ifndef PGASIM_TUNE_GRAPH_H
#define PGASIM_TUNE_GRAPH_H

#include "coll/coll.h"

enum { TUNE_GRAPH_DIMS = 16, TUNE_GRAPH_NAME = 32 };
struct tune_graph {
    char name[TUNE_GRAPH_NAME]; /* "moore-2d"; of a program "grid-2d", "graph-8" (the degree) */
    uint32_t n, degree;         /* the most edges of a member */
    bool grid;                  /* a Cartesian communicator's; else a distributed graph's */
    uint32_t dims;              /* of the grid, those of extent 1 left out */
    int extent[TUNE_GRAPH_DIMS];
    /* Members' lists, one after the other, as in struct coll_graph; member p's begin at first_from[p] and
     * first_to[p], of n + 1. */
    uint32_t *first_from, *first_to, *from, *to;
};

/* The shape of this name for n members: "grid-2d" and "grid-3d" (Cartesian communicators), "moore-2d" and "moore-3d"
 * (all places whose coordinates differ by 1 at most, also around the border), "random-D" (D destinations of each
 * member, drawn). NULL with st: there is no such shape. */
struct tune_graph *tune_graph_shape(const char *name, uint32_t n, struct base_status *st);
/* What shapes there are, for messages. */
extern const char tune_graph_shapes[];
/* That of a call of n members; NULL: not all members know it. */
struct tune_graph *tune_graph_of(const struct coll_neighbors *l, uint32_t n);
struct tune_graph *tune_graph_copy(const struct tune_graph *g);
void tune_graph_destroy(struct tune_graph *g); /* NULL is allowed */
/* Of the lists, not of the name. */
uint64_t tune_graph_fingerprint(const struct tune_graph *g);
/* As bytes: `put` is called for one piece after the other, `get` fills them; NULL: it could not. */
void tune_graph_write(const struct tune_graph *g, void (*put)(const void *bytes, size_t n));
struct tune_graph *tune_graph_read(bool (*get)(void *arg, void *bytes, size_t n), void *arg);
/* Member p's lists, which belong to the graph. */
void tune_graph_list(const struct tune_graph *g, uint32_t p, struct coll_graph *out);

#endif
