/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows: hosts in rows. Each hangs from the trunk above its row by its own link; the trunks meet in a spine,
 * which is the crossbar or backbone, with the router on top.
 */
#include "platform/draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPINE = 26, LABEL = 96 }; /* space on the left: for the spine, for a row's names */

/* Letters of the longest name. */
static size_t longest(const struct draw *d, const struct platform_zone *z)
{
    size_t most = 0;
    for (uint32_t k = 0; k < z->hosts; k++) {
        size_t n = strlen(d->p->hosts.at[z->first_host + k].name);
        most = n > most ? n : most;
    }
    return most;
}

/* Chooses columns for cells `wide` times as wide as high, in a field about 1.6 times as wide as high. */
static void set_columns(struct draw_grid *g)
{
    double columns = sqrt(1.6 * g->n * g->height / g->width);
    g->columns = columns < 1 ? 1 : (uint32_t)(columns + 0.5);
    if (g->n > 8) /* round numbers of columns are easier to count */
        g->columns = g->columns <= 12 ? (g->columns + 1) / 2 * 2 : (g->columns + 2) / 5 * 5;
    g->columns = g->columns > g->n ? g->n : g->columns;
    g->columns += !g->columns;
    g->rows = (g->n + g->columns - 1) / g->columns;
}

struct draw_grid draw_grid_of(const struct draw *d, const struct platform_zone *z, uint32_t n)
{
    struct draw_grid g = {.n = n > DRAW_MOST ? 512 : n, .named = n <= DRAW_NAMED};
    if (g.named) {
        double letters = 5.0 * (double)longest(d, z) + 8;
        g.width = letters < 34 ? 34 : letters > 84 ? 84 : letters;
        g.height = 46;
    } else {
        g.width = draw_host_side(n) * 1.6;
        g.height = draw_host_side(n) * 2.2;
    }
    set_columns(&g);
    return g;
}

static double left(const struct draw_grid *g)
{
    return SPINE + (g->named ? 0 : LABEL);
}

static void rows_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    struct draw_grid g = draw_grid_of(d, z, z->hosts);
    double routers = z->routers ? 60 + 90.0 * z->routers : 0;
    *w = left(&g) + g.columns * g.width;
    *w = *w < routers ? routers : *w;
    *h = (z->routers ? 34 : 12) + g.rows * g.height;
}

static void rows_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct draw_grid g = draw_grid_of(d, z, z->hosts);
    struct draw_at from = {at.x + left(&g), at.y + (z->routers ? 34 : 12)};
    for (uint32_t k = 0; k < z->hosts; k++) {
        d->host[z->first_host + k] = draw_cell(&g, k < g.n ? k : g.n - 1, from);
        if (g.named)
            d->host[z->first_host + k].y -= 2;
    }
    uint32_t routers = 0;
    for (uint32_t k = 0; k < d->p->routers.n && routers < z->routers; k++)
        if (d->p->routers.at[k].zone == z->id)
            d->router[k] = (struct draw_at){at.x + SPINE / 2.0 + 90.0 * routers++, at.y + 10};
}

/* The link with which a host's routes begin, or end; PLATFORM_NONE if there is none. */
static uint32_t link_of(const struct draw *d, const struct platform_zone *z, uint32_t k, bool ends)
{
    uint32_t own = z->first_host + k, other = z->first_host + (k + 1) % z->hosts;
    if (z->hosts < 2)
        return PLATFORM_NONE;
    return ends ? platform_route_end(d->p, other, own, true) : platform_route_end(d->p, own, other, false);
}

/* Both directions of a host's own link; returns the first. */
static uint32_t host_links(const struct draw *d, const struct platform_zone *z, uint32_t k,
                           struct draw_links *links)
{
    const struct platform_cluster *c = z->cluster;
    if (z->kind == &platform_zone_cluster) {
        uint32_t link = c->first_link + k * c->per_host + c->loopback + c->limiter;
        draw_links_add(links, link, c->split ? 2 : 1);
        return link;
    }
    uint32_t out = link_of(d, z, k, false), in = link_of(d, z, k, true);
    if (out != PLATFORM_NONE)
        draw_links_add(links, out, 1);
    if (in != PLATFORM_NONE && in != out)
        draw_links_add(links, in, 1);
    return out;
}

static void add_backbone(struct draw_links *links, const struct platform_zone *z)
{
    if (z->kind == &platform_zone_cluster && z->cluster->backbone != PLATFORM_NONE)
        draw_links_add(links, z->cluster->backbone, 1);
}

static double backbone_width(const struct draw *d, const struct platform_zone *z, const char **style)
{
    *style = "trunk";
    if (z->kind != &platform_zone_cluster || z->cluster->backbone == PLATFORM_NONE)
        return 2;
    const struct platform_link *link = &d->p->links.at[z->cluster->backbone];
    *style = link->policy == PLATFORM_FATPIPE ? "trunk fat" : "trunk";
    return draw_width(link->bandwidth) + 1;
}

static void row_label(const struct draw *d, const struct platform_zone *z, const struct draw_grid *g,
                      uint32_t row, struct draw_at at)
{
    const char *first = d->p->hosts.at[z->first_host + row * g->columns].name;
    draw_text(d, at, g->height < 11 ? g->height * 0.8 : 9, "end", 18, "name", first);
}

static void rows_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct draw_grid g = draw_grid_of(d, z, z->hosts);
    const char *style;
    if (z->kind == &platform_zone_none || !z->hosts)
        return;
    double spine = at.x + SPINE / 2.0, top = at.y + (z->routers ? 10 : 12),
           width = backbone_width(d, z, &style);
    struct draw_at from = {at.x + left(&g), at.y + (z->routers ? 34 : 12)};
    double rise = g.named ? 17 : g.height * 0.42, own = 0.5;
    for (uint32_t k = 0; k < g.n && k < z->hosts; k++) {
        struct draw_at host = d->host[z->first_host + k];
        struct draw_links links = {.n = 0};
        uint32_t link = host_links(d, z, k, &links);
        own = link != PLATFORM_NONE ? draw_width(d->p->links.at[link].bandwidth) : own;
        draw_line_of(d, (struct draw_at){host.x, host.y - rise}, host, g.named ? own : own * 0.6, "link",
                     &links);
    }
    for (uint32_t row = 0; row < g.rows; row++) {
        uint32_t last = (row + 1) * g.columns < g.n ? (row + 1) * g.columns - 1 : g.n - 1;
        double y = draw_cell(&g, last, from).y - rise - (g.named ? 2 : 0), end = draw_cell(&g, last, from).x;
        struct draw_links links = {.n = 0}, again = {.n = 0};
        add_backbone(&links, z);
        add_backbone(&again, z);
        draw_line_of(d, (struct draw_at){spine, y}, (struct draw_at){end, y}, g.named ? width : width * 0.7,
                     style, &links);
        if (!g.named)
            row_label(d, z, &g, row, (struct draw_at){from.x - 3, y + g.height * 0.7});
        if (row + 1 == g.rows)
            draw_line_of(d, (struct draw_at){spine, top}, (struct draw_at){spine, y}, width + 0.5, style,
                         &again);
    }
}

const struct draw_layout draw_rows = {rows_size, rows_place, rows_links};
