/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: declared routes as lines and pills. A link that joins one pair of neighbours only is a line between
 * them; one that routes of several pairs share is a pill, with lines to what stands beside it in any route.
 */
#ifndef PGASIM_PLATFORM_DRAW_GRAPH_H
#define PGASIM_PLATFORM_DRAW_GRAPH_H

#include "platform/draw/picture.h"

/* What a line may end at: a point, or a pill: DRAW_PILL + its link. */
#define DRAW_PILL (UINT64_C(1) << 32)
struct draw_edge {
    uint64_t a, b;
    uint32_t link; /* the narrowest of it, or PLATFORM_NONE */
};
/* A link, how many pairs of neighbours it joins (2: several), and where its pill is. */
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

/* To be released; draw_graph_draw does. */
void draw_graph_collect(struct draw_graph *pic, const struct draw *d, const struct platform_zone *z);
void draw_graph_release(struct draw_graph *pic);
/* The pills on a ring, or in a band, near to what they have lines to. */
void draw_graph_around(struct draw_graph *pic, struct draw_at middle, double radius);
void draw_graph_in_band(struct draw_graph *pic, struct draw_box band);
void draw_graph_draw(struct draw_graph *pic);

#endif
