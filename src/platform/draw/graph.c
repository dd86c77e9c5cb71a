/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: finds which links of declared routes are shared
 * and what they connect, and places the pills (graph.h). */
#include "platform/draw/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 6000 };

/* The two halves of a split link are drawn as one. */
static uint32_t whole(const struct platform *p, uint32_t link)
{
    const char *name = platform_link(p, link)->name;
    size_t n = strlen(name);
    if (link && n > 5 && !strcmp(name + n - 5, "_DOWN")) {
        const char *before = platform_link(p, link - 1)->name;
        if (strlen(before) == n - 2 && !strncmp(before, name, n - 5) && !strcmp(before + n - 5, "_UP"))
            return link - 1;
    }
    return link;
}

/* --- which links are shared ---------------------------------------------------------------------------- */

static void join(struct draw_shared *s, uint64_t a, uint64_t b)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    if (!s->pairs) {
        s->a = low;
        s->b = high;
        s->pairs = 1;
    } else if (s->a != low || s->b != high) {
        s->pairs = 2;
    }
}

static void find_shared(struct draw_graph *pic, const struct platform_full *full)
{
    const struct platform *p = pic->d->p;
    for (size_t k = 0; k < full->routes.n; k++) {
        const struct platform_declared *r = &full->routes.at[k];
        if (r->from == r->to)
            continue;
        for (uint32_t h = 0; h < r->n; h++)
            join(&pic->link[whole(p, platform_declared_links(p, r)[h])], r->from, r->to);
    }
}

static void add_edge(struct draw_graph *pic, uint64_t a, uint64_t b, uint32_t link)
{
    struct draw_edge e = {a < b ? a : b, a < b ? b : a, link};
    if (a != b && pic->edges.n < 40 * (size_t)MOST_EDGES)
        BASE_ARRAY_PUSH(&pic->edges, e);
}

static void add_route(struct draw_graph *pic, const struct platform_declared *r)
{
    const struct platform *p = pic->d->p;
    uint64_t last = r->from;
    uint32_t narrow = PLATFORM_NONE;
    for (uint32_t h = 0; h < r->n; h++) {
        uint32_t link = whole(p, platform_declared_links(p, r)[h]);
        if (pic->link[link].pairs > 1) {
            add_edge(pic, last, DRAW_PILL + link, link);
            last = DRAW_PILL + link;
            narrow = PLATFORM_NONE;
        } else if (narrow == PLATFORM_NONE || p->links.at[link].bandwidth < p->links.at[narrow].bandwidth) {
            narrow = link;
        }
    }
    add_edge(pic, last, r->to,
             narrow != PLATFORM_NONE ? narrow
             : last >= DRAW_PILL     ? (uint32_t)last
                                     : narrow);
}

static int by_ends(const void *x, const void *y)
{
    const struct draw_edge *e = x, *f = y;
    if (e->a != f->a)
        return e->a < f->a ? -1 : 1;
    if (e->b != f->b)
        return e->b < f->b ? -1 : 1;
    return (e->link > f->link) - (e->link < f->link);
}

/* Merges entries of the same link. */
static void unite(struct draw_graph *pic)
{
    size_t n = 0;
    if (pic->edges.n)
        qsort(pic->edges.at, pic->edges.n, sizeof *pic->edges.at, by_ends);
    for (size_t k = 0; k < pic->edges.n; k++)
        if (!n || pic->edges.at[k].a != pic->edges.at[n - 1].a ||
            pic->edges.at[k].b != pic->edges.at[n - 1].b)
            pic->edges.at[n++] = pic->edges.at[k];
    pic->edges.n = n;
}

void draw_graph_collect(struct draw_graph *pic, const struct draw *d, const struct platform_zone *z)
{
    const struct platform_full *full = platform_zone_declared(z);
    *pic = (struct draw_graph){.d = d, .z = z};
    pic->link = base_zalloc((d->p->links.n + 1) * sizeof *pic->link, "links of a picture");
    if (!full)
        return;
    find_shared(pic, full);
    for (size_t k = 0; k < full->routes.n; k++)
        if (full->routes.at[k].from != full->routes.at[k].to)
            add_route(pic, &full->routes.at[k]);
    unite(pic);
    for (uint32_t k = 0; k < d->p->links.n; k++)
        if (pic->link[k].pairs > 1)
            BASE_ARRAY_PUSH(&pic->pills, k);
}

void draw_graph_release(struct draw_graph *pic)
{
    free(pic->link);
    free(pic->edges.at);
    free(pic->pills.at);
}

/* --- placing pills --------------------------------------------------------------------------------- */

static struct draw_at point_at(const struct draw *d, platform_point at)
{
    uint32_t id = platform_point_id(at);
    if (platform_point_kind(at) == PLATFORM_IS_HOST)
        return d->host[id];
    if (platform_point_kind(at) == PLATFORM_IS_ROUTER)
        return d->router[id];
    return (struct draw_at){d->zone[id].x + d->zone[id].w / 2, d->zone[id].y + d->zone[id].h / 2};
}

static struct draw_at end_at(const struct draw_graph *pic, uint64_t end)
{
    return end >= DRAW_PILL ? pic->link[(uint32_t)end].at : point_at(pic->d, (platform_point)end);
}

static void lean(struct draw_graph *pic, uint64_t pill, uint64_t to)
{
    if (pill < DRAW_PILL || to >= DRAW_PILL)
        return;
    struct draw_shared *s = &pic->link[(uint32_t)pill];
    struct draw_at at = point_at(pic->d, (platform_point)to);
    s->sum_x += at.x;
    s->sum_y += at.y;
    s->n++;
}

struct leaning {
    double key;
    uint32_t link;
};
static int by_key(const void *x, const void *y)
{
    const struct leaning *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->link > b->link) - (a->link < b->link);
}

/* Sorts the pills in the order of their neighbours: around the middle, or (radius 0) from left to right. */
static void sort_pills(struct draw_graph *pic, struct draw_at middle, bool around)
{
    struct leaning *l = base_zalloc((pic->pills.n + 1) * sizeof *l, "links of a picture");
    for (size_t k = 0; k < pic->edges.n; k++) {
        lean(pic, pic->edges.at[k].a, pic->edges.at[k].b);
        lean(pic, pic->edges.at[k].b, pic->edges.at[k].a);
    }
    for (size_t k = 0; k < pic->pills.n; k++) {
        const struct draw_shared *s = &pic->link[pic->pills.at[k]];
        double x = s->n ? s->sum_x / s->n - middle.x : 0, y = s->n ? s->sum_y / s->n - middle.y : 0;
        l[k] = (struct leaning){around ? floor(1e4 * atan2(y, x)) : floor(10 * x), pic->pills.at[k]};
    }
    qsort(l, pic->pills.n, sizeof *l, by_key);
    for (size_t k = 0; k < pic->pills.n; k++)
        pic->pills.at[k] = l[k].link;
    free(l);
}

void draw_graph_around(struct draw_graph *pic, struct draw_at middle, double radius)
{
    size_t n = pic->pills.n;
    sort_pills(pic, middle, true);
    for (size_t k = 0; k < n; k++) {
        double angle = 2 * M_PI * ((double)k + 0.5) / (double)n - M_PI, r = n == 1 ? 0 : radius;
        pic->link[pic->pills.at[k]].at =
            (struct draw_at){middle.x + 1.25 * r * cos(angle), middle.y + r * sin(angle)};
    }
}

void draw_graph_in_band(struct draw_graph *pic, struct draw_box band)
{
    size_t n = pic->pills.n;
    sort_pills(pic, (struct draw_at){band.x, band.y}, false);
    for (size_t k = 0; k < n; k++)
        pic->link[pic->pills.at[k]].at = (struct draw_at){band.x + band.w * ((double)k + 0.5) / (double)n,
                                                          band.y + band.h * (n > 6 && k % 2 ? 0.75 : 0.35)};
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static const char *base_name(const struct platform_link *link, char *buf, size_t size)
{
    size_t n = strlen(link->name);
    bool half = n > 3 && !strcmp(link->name + n - 3, "_UP");
    snprintf(buf, size, "%.*s", (int)(half ? n - 3 : n), link->name);
    return buf;
}

static void add_link(struct draw_links *l, const struct platform *p, uint32_t link)
{
    if (link != PLATFORM_NONE && p->links.at)
        draw_links_add(l, link, link + 1 < p->links.n && whole(p, link + 1) == link ? 2 : 1);
}

static const char *line_style(const struct platform_link *link)
{
    return link && link->policy == PLATFORM_FATPIPE ? "link fat" : "link";
}

/* Where a line from the middle of a zone's box to another
 * place leaves the box. For other ends: the end itself. */
static struct draw_at border(const struct draw_graph *pic, uint64_t end, struct draw_at to)
{
    struct draw_at from = end_at(pic, end);
    if (end >= DRAW_PILL || platform_point_kind((platform_point)end) != PLATFORM_IS_ZONE)
        return from;
    const struct draw_box *b = &pic->d->zone[platform_point_id((platform_point)end)];
    double dx = fabs(to.x - from.x), dy = fabs(to.y - from.y);
    double part = fmin(dx > 0 ? b->w / 2 / dx : 1, dy > 0 ? b->h / 2 / dy : 1);
    part = part < 1 ? part : 1;
    return (struct draw_at){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
}

static void draw_edges(const struct draw_graph *pic)
{
    char name[128];
    size_t n = pic->edges.n < MOST_EDGES ? pic->edges.n : MOST_EDGES;
    for (size_t k = 0; k < n; k++) {
        const struct draw_edge *e = &pic->edges.at[k];
        struct draw_at a = border(pic, e->a, end_at(pic, e->b)), b = border(pic, e->b, end_at(pic, e->a));
        const struct platform_link *link =
            e->link == PLATFORM_NONE ? NULL : platform_link(pic->d->p, e->link);
        struct draw_links links = {.n = 0};
        add_link(&links, pic->d->p, e->link);
        draw_line_of(pic->d, a, b, link ? draw_width(link->bandwidth) : 0.5, line_style(link), &links);
        if (link && e->a < DRAW_PILL && e->b < DRAW_PILL && n <= DRAW_NAMED)
            draw_text(pic->d, (struct draw_at){(a.x + b.x) / 2, (a.y + b.y) / 2 - 3}, 8, "middle", 16,
                      "linkname", base_name(link, name, sizeof name));
    }
}

static void draw_pills(const struct draw_graph *pic)
{
    char name[128], title[256], bandwidth[32], latency[32];
    for (size_t k = 0; k < pic->pills.n; k++) {
        const struct platform_link *link = platform_link(pic->d->p, pic->pills.at[k]);
        struct draw_at at = pic->link[pic->pills.at[k]].at;
        base_name(link, name, sizeof name);
        bool named = pic->pills.n <= DRAW_NAMED / 2;
        double letters = strlen(name) < 16 ? (double)strlen(name) : 16;
        double w = named ? letters * 4.6 + 8 : 8, h = named ? 12 : 6;
        snprintf(title, sizeof title, "%s: %sB/s, %s", name, base_show_count(bandwidth, link->bandwidth),
                 base_show_time(latency, link->latency));
        struct draw_links links = {.n = 0};
        add_link(&links, pic->d->p, pic->pills.at[k]);
        draw_rect_of(pic->d, (struct draw_box){at.x - w / 2, at.y - h / 2, w, h}, h / 2,
                     link->policy == PLATFORM_FATPIPE ? "pill fat" : "pill", title, &links);
        if (named)
            draw_text(pic->d, (struct draw_at){at.x, at.y + 3}, 8, "middle", 16, "pillname", name);
    }
}

void draw_graph_draw(struct draw_graph *pic)
{
    draw_edges(pic);
    draw_pills(pic);
    if (pic->edges.n > MOST_EDGES) {
        struct draw_box b = pic->d->zone[pic->z->id];
        char text[80];
        snprintf(text, sizeof text, "%zu of %zu connections are drawn", (size_t)MOST_EDGES, pic->edges.n);
        draw_text(pic->d, (struct draw_at){b.x + b.w - 6, b.y + b.h - 5}, 8, "end", 0, "note", text);
    }
    draw_graph_release(pic);
}
