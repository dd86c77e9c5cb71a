/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture: what the files that draw a platform as SVG share. Zones are nested boxes. Each has a layout that
 * fits its kind: a cluster is rows of hosts on their trunks, a torus is its grid, a fat tree its levels, a
 * dragonfly its groups, a zone of declared routes a ring or rows of points with the links between them.
 *
 *      draw.c           the whole: sizes from the inside out, places from the outside in, boxes, legend
 *      rows.c      hosts in rows on trunks: flat clusters, zones of hosts with links of their own
 *      routes.c    points and zones with declared routes between them
 *      graph.c     these routes as lines and pills
 *      torus.c, tree.c, dragonfly.c
 *      svg.c       lines, boxes, texts
 *
 * The same platform gives the same bytes. Unreadable detail is left out and replaced by a count in words:
 * names if there are many hosts, single hosts if there are more than DRAW_MOST.
 */
#ifndef PGASIM_PLATFORM_PICTURE_H
#define PGASIM_PLATFORM_PICTURE_H

#include "platform/zone/zone.h"

enum {
    DRAW_NAMED = 72,  /* up to this many hosts of a zone are drawn with names */
    DRAW_MOST = 8192, /* up to this many hosts of a zone are drawn one by one */
    DRAW_PAD = 14,    /* within a box */
    DRAW_HEAD = 24,   /* of a box: its title */
};

struct draw_at {
    double x, y;
};
struct draw_box {
    double x, y, w, h;
};
struct draw {
    const struct platform *p;
    FILE *out;
    struct draw_at *host, *router; /* by id */
    struct draw_box *zone;         /* by id */
};

/* How a zone is drawn inside its box; the inside begins at `at`. */
struct draw_layout {
    void (*size)(const struct draw *d, const struct platform_zone *z, double *w, double *h);
    void (*place)(struct draw *d, const struct platform_zone *z, struct draw_at at);
    void (*links)(const struct draw *d, const struct platform_zone *z, struct draw_at at);
};
extern const struct draw_layout draw_rows, draw_ring, draw_zones, draw_torus, draw_fat_tree, draw_dragonfly;

/* --- rows.c --- */
/* Hosts, then routers, in rows; one cell each. */
struct draw_grid {
    uint32_t n, columns, rows;
    double width, height; /* of a cell */
    bool named;
};
struct draw_grid draw_grid_of(const struct draw *d, const struct platform_zone *z, uint32_t n);
static inline struct draw_at draw_cell(const struct draw_grid *g, uint32_t k, struct draw_at from)
{
    uint32_t row = k / g->columns, column = k % g->columns;
    return (struct draw_at){from.x + (column + 0.5) * g->width, from.y + (row + 0.5) * g->height};
}

/* --- svg.c --- */
/* The links that a line or a box stands for, as text: "3,5-7". A report uses it to colour the drawing
 * (report/page/). Links beyond the buffer are left out. */
struct draw_links {
    char text[4096];
    size_t n;
    uint32_t first, last; /* the range that may still grow */
    bool open;
};
void draw_links_add(struct draw_links *l, uint32_t first, uint32_t n);
/* n successive cables of a regular topology; both directions if they are split. */
void draw_links_cables(struct draw_links *l, const struct platform_regular *r, uint32_t cable, uint32_t n);
double draw_width(double bandwidth); /* of a line */
/* Side of a host's symbol if n hosts are drawn. */
double draw_host_side(uint32_t n);
void draw_line(const struct draw *d, struct draw_at a, struct draw_at b, double width, const char *style);
void draw_line_of(const struct draw *d, struct draw_at a, struct draw_at b, double width, const char *style,
                  struct draw_links *links);
void draw_rect(const struct draw *d, struct draw_box b, double round, const char *style, const char *title);
void draw_rect_of(const struct draw *d, struct draw_box b, double round, const char *style, const char *title,
                  struct draw_links *links);
void draw_circle(const struct draw *d, struct draw_at at, double radius, const char *style,
                 const char *title);
/* `anchor`: start, middle, end. Cut to `most` letters with an ellipsis; 0: not cut. */
void draw_text(const struct draw *d, struct draw_at at, double size, const char *anchor, unsigned most,
               const char *style, const char *text);

#endif
