/* SPDX-License-Identifier: BSD-3-Clause */
/* draw: the whole picture (picture.h): computes sizes from the inside out, places from the outside in; then
 * draws boxes, and in each its links, its points and their names; finally the legend. */
#include "base/numbers.h"
#include "platform/draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE = 30, LEGEND = 46, MARGIN = 16, WIDTHS = 4 };

static const char style[] =
    "text{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;fill:#1f2933}\n"
    ".title{font-weight:bold}.note,.name{fill:#52606d}.name,.linkname{paint-order:stroke;stroke:#fff;stroke-"
    "width:2.5px;"
    "stroke-opacity:.8}.linkname{fill:#616e7c}.pillname{fill:#3e4c59}\n"
    "path{fill:none;stroke-linecap:round}.link{stroke:#7b8794}.faint{stroke:#9aa5b1;stroke-opacity:.6}\n"
    ".band{stroke-opacity:.75}.trunk{stroke:#52606d}.wrap{stroke:#b8860b;stroke-dasharray:2 "
    "2}.fat{stroke-dasharray:6 3}\n"
    ".blue{stroke:#2f6fdb;stroke-opacity:.55}.green{stroke:#3a9d5d}.black{stroke:#323f4b}\n"
    ".zone0{fill:#fff;stroke:#9aa5b1}.zone1{fill:#f2f5f9;stroke:#9aa5b1}.zone2{fill:#e6edf5;stroke:#9aa5b1}\n"
    ".block{fill:#fff;stroke:#cbd2d9}.group{fill:none;stroke:#9aa5b1}.host{fill:#3b6ea5}.router{fill:#d9822b}"
    ".switch{fill:#52606d}\n"
    ".pill{fill:#fff;stroke:#7b8794}.more{fill:#dde3ea;stroke:#9aa5b1}\n";

static const struct draw_layout *layout_of(const struct draw *d, const struct platform_zone *z)
{
    (void)d;
    if (z->zones)
        return &draw_zones;
    if (z->hosts > DRAW_MOST)
        return NULL;
    if (z->kind == &platform_zone_torus || z->kind == &platform_zone_mesh)
        return &draw_torus;
    if (z->kind == &platform_zone_fat_tree)
        return &draw_fat_tree;
    if (z->kind == &platform_zone_dragonfly)
        return &draw_dragonfly;
    if (z->kind == &platform_zone_cluster || z->kind == &platform_zone_star ||
        z->kind == &platform_zone_vivaldi || z->kind == &platform_zone_none)
        return &draw_rows;
    return &draw_ring;
}

static void zone_title(char *buf, size_t size, const struct platform_zone *z)
{
    int n = snprintf(buf, size, "%.60s  (%s", z->name, z->kind->name);
    if (z->hosts)
        n += snprintf(buf + n, size - (size_t)n, ", %u host%s", z->hosts, z->hosts == 1 ? "" : "s");
    snprintf(buf + n, size - (size_t)n, ")");
}

static void measure(struct draw *d, const struct platform_zone *z)
{
    const struct draw_layout *l = layout_of(d, z);
    double w = 220, h = 60;
    char title[160];
    if (l)
        l->size(d, z, &w, &h);
    zone_title(title, sizeof title, z);
    double words = 6.4 * (double)strlen(title);
    w = w < words ? words : w;
    d->zone[z->id] = (struct draw_box){0, 0, w + 2 * DRAW_PAD, h + DRAW_PAD + DRAW_HEAD};
}

static struct draw_at inside(const struct draw *d, uint32_t zone)
{
    return (struct draw_at){d->zone[zone].x + DRAW_PAD, d->zone[zone].y + DRAW_HEAD};
}

/* Zone ids rise from the outside in. */
static void arrange(struct draw *d)
{
    for (size_t k = d->p->zones.n; k-- > 0;)
        measure(d, &d->p->zones.at[k]);
    d->zone[0].x = MARGIN;
    d->zone[0].y = TITLE + MARGIN;
    for (size_t k = 0; k < d->p->zones.n; k++) {
        const struct platform_zone *z = &d->p->zones.at[k];
        const struct draw_layout *l = layout_of(d, z);
        if (l)
            l->place(d, z, inside(d, z->id));
    }
}

/* --- points ------------------------------------------------------------------------------------------- */

static bool names_fit(const struct draw *d, const struct platform_zone *z)
{
    if (layout_of(d, z) == &draw_torus)
        return z->hosts <= DRAW_NAMED && (z->regular->shape.torus.n < 3 || z->hosts <= 8);
    if (z->kind == &platform_zone_fat_tree)
        return z->hosts <= 32;
    return z->kind != &platform_zone_dragonfly && z->hosts + z->routers <= DRAW_NAMED;
}

static void draw_hosts(const struct draw *d, const struct platform_zone *z)
{
    char title[200], speed[32];
    double side = draw_host_side(z->hosts);
    if (z->kind == &platform_zone_dragonfly && side > 12)
        side = 12;
    for (uint32_t k = 0; k < z->hosts; k++) {
        const struct platform_host *h = &d->p->hosts.at[z->first_host + k];
        struct draw_at at = d->host[z->first_host + k];
        snprintf(title, sizeof title, "%.120s: %u core%s of %sflop/s", h->name, h->cores,
                 h->cores == 1 ? "" : "s", base_show_count(speed, h->speed));
        draw_rect(d, (struct draw_box){at.x - side / 2, at.y - side / 2, side, side}, side > 8 ? 3 : 1,
                  "host", title);
        if (names_fit(d, z) && layout_of(d, z) == &draw_torus)
            draw_text(d, (struct draw_at){at.x + side / 2 + 2, at.y + side / 2 + 7}, 8, "start", 7, "name",
                      h->name);
        else if (names_fit(d, z))
            draw_text(d, (struct draw_at){at.x, at.y + side / 2 + 9},
                      z->kind == &platform_zone_fat_tree ? 7 : 8.5, "middle",
                      z->kind == &platform_zone_fat_tree ? 11 : 16, "name", h->name);
    }
}

static void draw_routers(const struct draw *d, const struct platform_zone *z)
{
    bool beside = layout_of(d, z) == &draw_rows;
    for (uint32_t k = 0; z->routers && k < d->p->routers.n; k++) {
        if (d->p->routers.at[k].zone != z->id || layout_of(d, z) == &draw_torus)
            continue;
        struct draw_at at = d->router[k];
        draw_circle(d, at, 7, "router", d->p->routers.at[k].name);
        if (z->routers <= DRAW_NAMED)
            draw_text(d, beside ? (struct draw_at){at.x + 11, at.y + 3} : (struct draw_at){at.x, at.y + 16},
                      8.5, beside ? "start" : "middle", 16, "name", d->p->routers.at[k].name);
    }
}

static void draw_more(const struct draw *d, const struct platform_zone *z)
{
    struct draw_at at = inside(d, z->id);
    char text[64];
    snprintf(text, sizeof text, "%u hosts, not drawn one by one", z->hosts);
    for (int k = 2; k >= 0; k--)
        draw_rect(d, (struct draw_box){at.x + 6 * k, at.y + 16 - 6 * k, 190, 34}, 3, "more", NULL);
    draw_text(d, (struct draw_at){at.x + 95, at.y + 36}, 9, "middle", 0, "note", text);
}

static void draw_zone(const struct draw *d, const struct platform_zone *z)
{
    const struct draw_layout *l = layout_of(d, z);
    char title[160], box[8];
    snprintf(box, sizeof box, "zone%u", z->depth % 3);
    draw_rect(d, d->zone[z->id], 6, box, NULL);
    zone_title(title, sizeof title, z);
    draw_text(d, (struct draw_at){d->zone[z->id].x + 10, d->zone[z->id].y + 16}, 11, "start", 0, "title",
              title);
    if (!l) {
        draw_more(d, z);
        return;
    }
    l->links(d, z, inside(d, z->id));
    draw_hosts(d, z);
    draw_routers(d, z);
}

/* --- the frame ---------------------------------------------------------------------------------------- */

/* Up to four of the bandwidths in use, including the least and the largest. */
static int widths(const struct platform *p, double out[WIDTHS])
{
    double *all = base_alloc((p->links.n + 1) * sizeof *all, "bandwidths");
    size_t n = 0, distinct = 0;
    for (size_t k = 0; k < p->links.n; k++)
        if (k != platform_loopback_link(p))
            all[n++] = p->links.at[k].bandwidth;
    base_numbers_sort(all, n);
    for (size_t k = 0; k < n; k++)
        if (!distinct || all[k] > 1.02 * all[distinct - 1])
            all[distinct++] = all[k];
    int shown = distinct < WIDTHS ? (int)distinct : WIDTHS;
    for (int k = 0; k < shown; k++)
        out[k] = all[shown < 2 ? 0 : (size_t)k * (distinct - 1) / (size_t)(shown - 1)];
    free(all);
    return shown;
}

static double legend_word(const struct draw *d, struct draw_at at, const char *text)
{
    draw_text(d, (struct draw_at){at.x, at.y + 3.5}, 9, "start", 0, "note", text);
    return at.x + 5.3 * (double)strlen(text) + 22;
}

static bool has_switches(const struct platform *p)
{
    bool any = false;
    for (size_t k = 0; k < p->zones.n; k++)
        any |=
            p->zones.at[k].kind == &platform_zone_fat_tree || p->zones.at[k].kind == &platform_zone_dragonfly;
    return any;
}

static bool has_kind(const struct platform *p, const struct platform_zone_kind *kind)
{
    bool any = false;
    for (size_t k = 0; k < p->zones.n; k++)
        any |= p->zones.at[k].kind == kind;
    return any;
}

static double legend_symbols(const struct draw *d, struct draw_at at)
{
    draw_rect(d, (struct draw_box){at.x, at.y - 6, 12, 12}, 3, "host", NULL);
    at.x = legend_word(d, (struct draw_at){at.x + 18, at.y}, "host");
    if (d->p->routers.n) {
        draw_circle(d, (struct draw_at){at.x + 6, at.y}, 6, "router", NULL);
        at.x = legend_word(d, (struct draw_at){at.x + 18, at.y}, "router");
    }
    if (has_switches(d->p)) {
        draw_rect(d, (struct draw_box){at.x, at.y - 4, 12, 8}, 2, "switch", NULL);
        at.x = legend_word(d, (struct draw_at){at.x + 18, at.y}, "switch");
    }
    return at.x;
}

static double legend_line(const struct draw *d, struct draw_at at, double width, const char *line,
                          const char *text)
{
    draw_line(d, at, (struct draw_at){at.x + 26, at.y}, width, line);
    return legend_word(d, (struct draw_at){at.x + 32, at.y}, text);
}

/* Two rows: symbols and the meaning of lines; widths. */
static double legend(const struct draw *d, struct draw_at at)
{
    double bandwidth[WIDTHS], x = legend_symbols(d, at), end;
    char text[64], number[32];
    int n = widths(d->p, bandwidth);
    if (has_kind(d->p, &platform_zone_torus))
        x = legend_line(d, (struct draw_at){x, at.y}, 1.5, "wrap", "closes the ring");
    if (has_kind(d->p, &platform_zone_dragonfly)) {
        x = legend_line(d, (struct draw_at){x, at.y}, 2, "green", "all routers of a chassis");
        x = legend_line(d, (struct draw_at){x, at.y}, 2, "black", "all chassis, a column");
        x = legend_line(d, (struct draw_at){x, at.y}, 2, "blue", "group to group");
    }
    for (size_t k = 0; k < d->p->links.n; k++)
        if (d->p->links.at[k].policy == PLATFORM_FATPIPE && k != platform_loopback_link(d->p)) {
            x = legend_line(d, (struct draw_at){x, at.y}, 2, "trunk fat", "FATPIPE");
            break;
        }
    end = x;
    x = at.x;
    for (int k = 0; k < n; k++) {
        snprintf(text, sizeof text, "%sB/s", base_show_count(number, bandwidth[k]));
        x = legend_line(d, (struct draw_at){x, at.y + 18}, draw_width(bandwidth[k]), "link", text);
    }
    return end > x ? end : x;
}

/* The width of the legend, found by drawing it to nowhere once. */
static double legend_width(const struct draw *d)
{
    char *text = NULL;
    size_t size;
    struct draw nowhere = *d;
    if (!(nowhere.out = open_memstream(&text, &size)))
        base_fatal(BASE_EXIT_HOST, "out of memory: a picture");
    double w = legend(&nowhere, (struct draw_at){MARGIN, 0});
    fclose(nowhere.out);
    free(text);
    return w + MARGIN;
}

static void heading(char *buf, size_t size, const struct platform *p)
{
    const char *slash = strrchr(p->file, '/');
    uint64_t cores = 0;
    for (size_t k = 0; k < p->hosts.n; k++)
        cores += p->hosts.at[k].cores;
    snprintf(buf, size, "%.80s: %zu hosts, %llu cores, %zu links", slash ? slash + 1 : p->file, p->hosts.n,
             (unsigned long long)cores, p->links.n);
}

static void frame(const struct draw *d, const char *head, double w, double h)
{
    fprintf(d->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
            "%.0f\">\n"
            "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            w, h, w, h, style);
    draw_text(d, (struct draw_at){MARGIN, 26}, 14, "start", 0, "title", head);
}

void platform_draw(const struct platform *p, FILE *out)
{
    struct draw d = {.p = p, .out = out};
    d.host = base_zalloc((p->hosts.n + 1) * sizeof *d.host, "a picture");
    d.router = base_zalloc((p->routers.n + 1) * sizeof *d.router, "a picture");
    d.zone = base_zalloc((p->zones.n + 1) * sizeof *d.zone, "a picture");
    arrange(&d);
    char head[200];
    heading(head, sizeof head, p);
    double least = fmax(legend_width(&d), 9.4 * (double)strlen(head) + 2 * MARGIN);
    double h = d.zone[0].h + TITLE + LEGEND + 2 * MARGIN;
    frame(&d, head, fmax(d.zone[0].w + 2 * MARGIN, least), h);
    for (size_t k = 0; k < p->zones.n; k++)
        draw_zone(&d, &p->zones.at[k]);
    legend(&d, (struct draw_at){MARGIN + 4, h - LEGEND + 6});
    fputs("</svg>\n", out);
    free(d.host);
    free(d.router);
    free(d.zone);
}
