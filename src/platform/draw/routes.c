/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes: zones of declared routes. Points stand on a ring with the pills of shared links within, or, when
 * they are many, in rows; zones stand in shelves with the pills in a band above.
 */
#include "platform/draw/graph.h"

#include <math.h>

enum { RING = 40, BAND = 40, GAP = 46 };

/* --- points ------------------------------------------------------------------------------------------- */

static uint32_t points(const struct platform_zone *z)
{
    return z->hosts + z->routers;
}

/* Makes room for the points around it, and for the pills on the ring inside. */
static double ring_radius(const struct draw *d, const struct platform_zone *z)
{
    struct draw_graph pic;
    draw_graph_collect(&pic, d, z);
    double pills = 34.0 * (double)pic.pills.n / (2 * M_PI * 0.52),
           r = fmax(48 * points(z) / (2 * M_PI), pills);
    draw_graph_release(&pic);
    return points(z) < 2 ? 20 : r < 75 ? 75 : r;
}

static void ring_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    if (points(z) <= RING) {
        double r = ring_radius(d, z);
        *w = 2.5 * r + 70;
        *h = 2 * r + 50;
        return;
    }
    struct draw_grid g = draw_grid_of(d, z, points(z));
    *w = g.columns * g.width;
    *h = BAND + g.rows * g.height;
}

/* Hosts, then routers; the first one is on the left. */
static void set_point(struct draw *d, const struct platform_zone *z, uint32_t k, struct draw_at at)
{
    if (k < z->hosts) {
        d->host[z->first_host + k] = at;
        return;
    }
    uint32_t left = k - z->hosts;
    for (uint32_t r = 0; r < d->p->routers.n; r++)
        if (d->p->routers.at[r].zone == z->id && !left--)
            d->router[r] = at;
}

static struct draw_at ring_middle(double radius, struct draw_at at)
{
    return (struct draw_at){at.x + 1.25 * radius + 35, at.y + radius + 20};
}

static void ring_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    uint32_t n = points(z);
    struct draw_grid g = draw_grid_of(d, z, n);
    double radius = n <= RING ? ring_radius(d, z) : 0;
    struct draw_at middle = ring_middle(radius, at), from = {at.x, at.y + BAND};
    for (uint32_t k = 0; k < n; k++) {
        double angle = 2 * M_PI * k / n - M_PI, r = n < 2 ? 0 : radius;
        struct draw_at on_ring = {middle.x + 1.25 * r * cos(angle), middle.y + r * sin(angle)};
        set_point(d, z, k, n <= RING ? on_ring : draw_cell(&g, k < g.n ? k : g.n - 1, from));
    }
}

static void ring_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct draw_graph pic;
    double radius = points(z) <= RING ? ring_radius(d, z) : 0;
    draw_graph_collect(&pic, d, z);
    if (points(z) <= RING)
        draw_graph_around(&pic, ring_middle(radius, at), 0.52 * radius);
    else
        draw_graph_in_band(&pic, (struct draw_box){at.x, at.y, d->zone[z->id].w - 2.0 * DRAW_PAD, BAND});
    draw_graph_draw(&pic);
}

const struct draw_layout draw_ring = {ring_size, ring_place, ring_links};

/* --- zones -------------------------------------------------------------------------------------------- */

static bool has_pills(const struct draw *d, const struct platform_zone *z)
{
    struct draw_graph pic;
    draw_graph_collect(&pic, d, z);
    bool any = pic.pills.n > 0;
    draw_graph_release(&pic);
    return any;
}

/* The shelves' total width is about 1.5 times their height; `place` false: computes only the size. */
static void shelves(const struct draw *d, const struct platform_zone *z, struct draw_at at,
                    struct draw_box *boxes, double *w, double *h)
{
    double area = 0, widest = 0, x = 0, y = has_pills(d, z) ? BAND : 8, high = 0;
    for (uint32_t k = z->id + 1; k < d->p->zones.n; k++)
        if (d->p->zones.at[k].parent == z->id) {
            area += (d->zone[k].w + GAP) * (d->zone[k].h + GAP);
            widest = d->zone[k].w > widest ? d->zone[k].w : widest;
        }
    double most = sqrt(2.2 * area) > widest ? sqrt(2.2 * area) : widest;
    *w = 0;
    for (uint32_t k = z->id + 1; k < d->p->zones.n; k++) {
        if (d->p->zones.at[k].parent != z->id)
            continue;
        if (x > 0 && x + d->zone[k].w > most) {
            x = 0;
            y += high + GAP;
            high = 0;
        }
        if (boxes) {
            boxes[k].x = at.x + x;
            boxes[k].y = at.y + y;
        }
        x += d->zone[k].w;
        *w = x > *w ? x : *w;
        x += GAP;
        high = d->zone[k].h > high ? d->zone[k].h : high;
    }
    *h = y + high + 8;
}

static void zones_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    shelves(d, z, (struct draw_at){0, 0}, NULL, w, h);
}

static void zones_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    double w, h;
    shelves(d, z, at, d->zone, &w, &h);
}

static void zones_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct draw_graph pic;
    draw_graph_collect(&pic, d, z);
    draw_graph_in_band(&pic, (struct draw_box){at.x, at.y, d->zone[z->id].w - 2.0 * DRAW_PAD, BAND});
    draw_graph_draw(&pic);
}

const struct draw_layout draw_zones = {zones_size, zones_place, zones_links};
