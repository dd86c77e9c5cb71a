/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: declared routes as lines and pills. A link that joins only one pair of neighbours is a line between
 * them; one shared by routes of several pairs is a pill, with lines to its neighbours in all routes.
 */
#ifndef PGASIM_PLATFORM_DRAW_GRAPH_H
#define PGASIM_PLATFORM_DRAW_GRAPH_H

#include "platform/draw/picture.h"

/* A line's end: a point, or a pill: DRAW_PILL + its link. */
#define DRAW_PILL (UINT64_C(1) << 32)
struct draw_edge {
    uint64_t a, b;
    uint32_t link; /* its narrowest link, or PLATFORM_NONE */
};
/* A link, how many pairs of neighbours it joins (2: several), and the place of its pill. */
struct draw_shared {
    uint64_t a, b;
    uint32_t pairs;
    double sum_x, sum_y;
    uint32_t n;
    struct draw_at at;
};
struct draw_graph {
    const struct draw *d;
    const struct platform_zone *z;
    struct draw_shared *link; /* by id */
    BASE_ARRAY(struct draw_edge) edges;
    BASE_ARRAY(uint32_t) pills;
};

/* The result is released by draw_graph_draw. */
void draw_graph_collect(struct draw_graph *pic, const struct draw *d, const struct platform_zone *z);
void draw_graph_release(struct draw_graph *pic);
/* Places the pills on a ring, or in a band, near their neighbours. */
void draw_graph_around(struct draw_graph *pic, struct draw_at middle, double radius);
void draw_graph_in_band(struct draw_graph *pic, struct draw_box band);
void draw_graph_draw(struct draw_graph *pic);

#endif
