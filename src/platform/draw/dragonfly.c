/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dragonfly: groups on a ring, so that the cables between them cross within it. In a group each chassis is a
 * row of routers with its hosts below them; a bar along the row stands for the cables between all of its
 * routers, a bar down a column for those between its chassis.
 */
#include "platform/draw/picture.h"

#include <math.h>

enum { RING_GROUPS = 24 };

struct plan {
    const struct platform_dragonfly *of;
    double side, router_w, router_h, group_w, group_h;
    struct draw_at radius, low, high; /* of the ring; corners of the groups' area around its centre */
    uint32_t columns;
};

static struct draw_at on_ring_at(const struct plan *pl, uint32_t g)
{
    double angle = 2 * M_PI * g / pl->of->groups - M_PI / 2;
    return (struct draw_at){pl->radius.x * cos(angle), pl->radius.y * sin(angle)};
}

static bool apart(const struct plan *pl)
{
    for (uint32_t a = 0; a < pl->of->groups; a++)
        for (uint32_t b = 0; b < a; b++) {
            struct draw_at p = on_ring_at(pl, a), q = on_ring_at(pl, b);
            if (fabs(p.x - q.x) < pl->group_w + 24 && fabs(p.y - q.y) < pl->group_h + 36)
                return false;
        }
    return true;
}

/* The smallest ring on which groups fit side by side. */
static void spread(struct plan *pl)
{
    pl->low = pl->high = pl->radius = (struct draw_at){0, 0};
    if (pl->of->groups > RING_GROUPS)
        return;
    for (double r = 0.4; !apart(pl); r *= 1.08)
        pl->radius = (struct draw_at){r * (pl->group_w + 24), r * (pl->group_h + 60)};
    for (uint32_t g = 0; g < pl->of->groups; g++) {
        struct draw_at at = on_ring_at(pl, g);
        pl->low = (struct draw_at){fmin(pl->low.x, at.x), fmin(pl->low.y, at.y)};
        pl->high = (struct draw_at){fmax(pl->high.x, at.x), fmax(pl->high.y, at.y)};
    }
}

static struct plan plan_of(const struct platform_zone *z)
{
    const struct platform_dragonfly *f = &z->regular->shape.dragonfly;
    struct plan pl = {.of = f, .side = draw_host_side(z->hosts)};
    pl.side = pl.side > 12 ? 12 : pl.side;
    pl.columns = f->nodes > 6 ? 6 : f->nodes;
    double rows = ceil(f->nodes / (double)pl.columns);
    pl.router_w = pl.columns * pl.side * 1.3 + pl.side;
    pl.router_h = rows * pl.side * 1.3 + pl.side * 2.6;
    pl.group_w = f->blades * pl.router_w + 10;
    pl.group_h = f->chassis * pl.router_h + 22;
    spread(&pl);
    return pl;
}

static bool on_ring(const struct plan *pl)
{
    return pl->of->groups <= RING_GROUPS;
}

static uint32_t grid_columns(const struct plan *pl)
{
    return (uint32_t)ceil(sqrt(pl->of->groups * 1.4 * pl->group_h / pl->group_w));
}

static void dragonfly_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    struct plan pl = plan_of(z);
    (void)d;
    uint32_t columns = grid_columns(&pl), rows = (pl.of->groups + columns - 1) / columns;
    *w = on_ring(&pl) ? pl.high.x - pl.low.x + pl.group_w : columns * (pl.group_w + 24);
    *h = on_ring(&pl) ? pl.high.y - pl.low.y + pl.group_h : rows * (pl.group_h + 24);
}

static struct draw_at group_at(const struct plan *pl, uint32_t g, struct draw_at at)
{
    uint32_t columns = grid_columns(pl);
    struct draw_at ring = on_ring_at(pl, g);
    uint32_t row = g / columns, column = g % columns;
    if (!on_ring(pl))
        return (struct draw_at){at.x + column * (pl->group_w + 24), at.y + row * (pl->group_h + 24)};
    return (struct draw_at){at.x + ring.x - pl->low.x, at.y + ring.y - pl->low.y};
}

static struct draw_at router_at(const struct plan *pl, uint32_t group, uint32_t chassis, uint32_t blade,
                                struct draw_at at)
{
    struct draw_at g = group_at(pl, group, at);
    return (struct draw_at){g.x + 5 + (blade + 0.5) * pl->router_w,
                            g.y + 18 + chassis * pl->router_h + pl->side * 0.8};
}

static void dragonfly_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct plan pl = plan_of(z);
    for (uint32_t k = 0; k < z->hosts; k++) {
        uint32_t node = k % pl.of->nodes, router = k / pl.of->nodes, blade = router % pl.of->blades;
        uint32_t chassis = router / pl.of->blades % pl.of->chassis,
                 group = router / pl.of->blades / pl.of->chassis;
        uint32_t row = node / pl.columns, column = node % pl.columns;
        struct draw_at r = router_at(&pl, group, chassis, blade, at);
        d->host[z->first_host + k] = (struct draw_at){r.x + (column - (pl.columns - 1) / 2.0) * pl.side * 1.3,
                                                      r.y + pl.side * 1.5 + row * pl.side * 1.3};
    }
}

/* Bandwidth of cables of one kind. */
static double width_of(const struct draw *d, const struct platform_zone *z, uint32_t cable, uint32_t until)
{
    const struct platform_regular *r = z->regular;
    return cable < until
               ? draw_width(d->p->links.at[r->first_cable + (r->split ? 2 * cable : cable)].bandwidth)
               : 0.5;
}

static uint32_t pairs(uint32_t n)
{
    return n * (n - 1) / 2;
}

static void draw_blue(const struct draw *d, const struct platform_zone *z, const struct plan *pl,
                      struct draw_at at)
{
    double width = width_of(d, z, pl->of->first_blue, z->regular->shape.cables);
    uint32_t cable = 0; /* pairs of groups are numbered in this order */
    for (uint32_t g = 0; g < pl->of->groups; g++)
        for (uint32_t h = g + 1; h < pl->of->groups; h++) {
            struct draw_links links = {.n = 0};
            draw_links_cables(&links, z->regular, pl->of->first_blue + cable++, 1);
            draw_line_of(d, router_at(pl, g, 0, h, at), router_at(pl, h, 0, g, at), width, "blue", &links);
        }
}

static void draw_group(const struct draw *d, const struct platform_zone *z, const struct plan *pl, uint32_t g,
                       struct draw_at at)
{
    const struct platform_dragonfly *f = pl->of;
    struct draw_at corner = group_at(pl, g, at);
    double side = pl->side * 0.9, up = pl->side * 0.75;
    double green = width_of(d, z, f->first_green, f->first_black);
    double black = width_of(d, z, f->first_black, f->first_blue);
    char title[32];
    draw_rect(d, (struct draw_box){corner.x, corner.y, pl->group_w, pl->group_h}, 5, "group", NULL);
    snprintf(title, sizeof title, "group %u", g);
    draw_text(d, (struct draw_at){corner.x + 6, corner.y + 10}, 8, "start", 0, "note", title);
    for (uint32_t b = 0; b < f->blades && f->chassis > 1; b++) {
        struct draw_links links = {.n = 0};
        for (uint32_t pair = 0; pair < pairs(f->chassis); pair++)
            draw_links_cables(&links, z->regular,
                              f->first_black + (g * pairs(f->chassis) + pair) * f->blades + b, 1);
        draw_line_of(d, router_at(pl, g, 0, b, at), router_at(pl, g, f->chassis - 1, b, at), black, "black",
                     &links);
    }
    for (uint32_t c = 0; c < f->chassis; c++) {
        struct draw_at first = router_at(pl, g, c, 0, at), last = router_at(pl, g, c, f->blades - 1, at);
        struct draw_links links = {.n = 0};
        if (f->blades > 1) {
            draw_links_cables(&links, z->regular, f->first_green + (g * f->chassis + c) * pairs(f->blades),
                              pairs(f->blades));
            draw_line_of(d, (struct draw_at){first.x, first.y - up}, (struct draw_at){last.x, last.y - up},
                         green, "green", &links);
        }
        for (uint32_t b = 0; b < f->blades; b++) {
            struct draw_at r = router_at(pl, g, c, b, at);
            if (f->blades > 1)
                draw_line(d, (struct draw_at){r.x, r.y - up}, r, green, "green");
            draw_rect(d, (struct draw_box){r.x - side / 2, r.y - side / 2, side, side}, 2, "switch", NULL);
        }
    }
}

static void dragonfly_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct plan pl = plan_of(z);
    draw_blue(d, z, &pl, at);
    for (uint32_t g = 0; g < pl.of->groups; g++)
        draw_group(d, z, &pl, g, at);
}

const struct draw_layout draw_dragonfly = {dragonfly_size, dragonfly_place, dragonfly_links};
