/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree: a fat tree in levels, hosts at the bottom. Hosts below the same switches are a block, with their
 * cables as one band where there are many; all cables between switches are drawn.
 */
#include "platform/draw/picture.h"

#include <math.h>

enum { SINGLE = 128, MOST_CABLES = 20000 };

/* Blocks of hosts, from left to right. */
struct blocks {
    uint32_t n, hosts, columns, rows; /* of a block */
    double side, cell, width, gap;
    bool single; /* each host has its own lines */
};

static struct blocks blocks_of(const struct platform_zone *z)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    struct blocks b = {.hosts = t->down[0], .side = draw_host_side(z->hosts)};
    b.n = z->hosts / b.hosts;
    b.single = z->hosts <= SINGLE;
    b.columns = b.single ? b.hosts : (uint32_t)ceil(sqrt(b.hosts * (b.n > 16 ? 0.25 : 1.0)));
    b.rows = (b.hosts + b.columns - 1) / b.columns;
    b.cell = b.side * (z->hosts <= 32 ? 2.6 : 1.5);
    b.gap = b.side * 0.8 + 4;
    b.width = b.columns * b.cell;
    return b;
}

static uint32_t nodes(const struct platform_fat_tree *t, uint32_t level)
{
    return t->below[level + 1] - t->below[level];
}

static double tree_width(const struct platform_zone *z, const struct blocks *b)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    double w = b->n * (b->width + b->gap) - b->gap;
    for (uint32_t l = 1; l <= t->levels; l++)
        w = w < 5.0 * nodes(t, l) ? 5.0 * nodes(t, l) : w;
    return w < 160 ? 160 : w;
}

/* The distance between two levels: wider trees are also higher. */
static double level_height(const struct platform_zone *z, const struct blocks *b)
{
    double h = tree_width(z, b) / 12;
    return h < 84 ? 84 : h > 200 ? 200 : h;
}

static void tree_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    struct blocks b = blocks_of(z);
    (void)d;
    *w = tree_width(z, &b);
    *h = 20 + z->regular->shape.fat_tree.levels * level_height(z, &b) + b.rows * b.cell + 14;
}

static double block_left(const struct platform_zone *z, const struct blocks *b, uint32_t k, struct draw_at at)
{
    double w = tree_width(z, b);
    return at.x + w * (k + 0.5) / b->n - b->width / 2;
}

static double hosts_top(const struct platform_zone *z, const struct blocks *b, struct draw_at at)
{
    return at.y + 20 + z->regular->shape.fat_tree.levels * level_height(z, b);
}

static void tree_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct blocks b = blocks_of(z);
    for (uint32_t k = 0; k < z->hosts; k++) {
        uint32_t in = k % b.hosts, row = in / b.columns, column = in % b.columns;
        d->host[z->first_host + k] =
            (struct draw_at){block_left(z, &b, k / b.hosts, at) + (column + 0.5) * b.cell,
                             hosts_top(z, &b, at) + (row + 0.5) * b.cell};
    }
}

/* Switches of a level, those of the first one above their block. */
static struct draw_at switch_at(const struct platform_zone *z, const struct blocks *b, uint32_t level,
                                uint32_t k, struct draw_at at)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    double y = at.y + 20 + (t->levels - level) * level_height(z, b), w = tree_width(z, b);
    if (level > 1)
        return (struct draw_at){at.x + w * (k + 0.5) / nodes(t, level), y};
    uint32_t block = k / t->up[0], in = k % t->up[0];
    double spread = w / b->n * 0.8;
    return (struct draw_at){at.x + w * (block + 0.5) / b->n + spread * ((in + 0.5) / t->up[0] - 0.5), y};
}

static struct draw_at node_at(const struct draw *d, const struct platform_zone *z, const struct blocks *b,
                              uint32_t level, uint32_t k, struct draw_at at)
{
    return level ? switch_at(z, b, level, k, at) : d->host[z->first_host + k];
}

/* The parent of node k of a level: `digit` replaces the digit of the step (struct platform_fat_tree). */
static uint32_t parent_of(const struct platform_fat_tree *t, uint32_t level, uint32_t k, uint32_t digit)
{
    uint32_t low = 1;
    for (uint32_t l = 0; l < level; l++)
        low *= t->up[l];
    uint32_t high = k / low / t->down[level];
    return k % low + low * (digit + t->up[level] * high);
}

/* The cables from node k of a level to one of its parents. */
static void add_cables(struct draw_links *l, const struct platform_zone *z, uint32_t level, uint32_t k,
                       uint32_t up)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    draw_links_cables(l, z->regular, t->cable[level] + (k * t->up[level] + up) * t->ports[level],
                      t->ports[level]);
}

static void level_cables(const struct draw *d, const struct platform_zone *z, const struct blocks *b,
                         uint32_t level, struct draw_at at)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    double bandwidth = d->p->links.at[z->regular->first_cable].bandwidth * t->ports[level];
    uint64_t cables = (uint64_t)nodes(t, level) * t->up[level];
    double width = draw_width(bandwidth) * (cables > 500 ? 0.35 : cables > 100 ? 0.55 : 0.9);
    if (cables > MOST_CABLES)
        return;
    for (uint32_t k = 0; k < nodes(t, level); k++)
        for (uint32_t up = 0; up < t->up[level]; up++) {
            struct draw_links links = {.n = 0};
            add_cables(&links, z, level, k, up);
            draw_line_of(d, node_at(d, z, b, level, k, at),
                         switch_at(z, b, level + 1, parent_of(t, level, k, up), at), width,
                         cables > 500 ? "link faint" : "link", &links);
        }
}

/* Draws bands from a block's hosts to each of its switches. */
static void bands(const struct draw *d, const struct platform_zone *z, const struct blocks *b,
                  struct draw_at at)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    double bandwidth = d->p->links.at[z->regular->first_cable].bandwidth * t->ports[0] * b->hosts;
    for (uint32_t k = 0; k < b->n; k++) {
        double left = block_left(z, b, k, at), y = hosts_top(z, b, at);
        draw_rect(d, (struct draw_box){left - 2, y - 2, b->width + 4, b->rows * b->cell + 4}, 3, "block",
                  NULL);
        for (uint32_t up = 0; up < t->up[0]; up++) {
            struct draw_links links = {.n = 0};
            for (uint32_t host = k * b->hosts; host < (k + 1) * b->hosts; host++)
                add_cables(&links, z, 0, host, up);
            draw_line_of(d, (struct draw_at){left + b->width / 2, y - 2},
                         switch_at(z, b, 1, k * t->up[0] + up, at), draw_width(bandwidth), "link band",
                         &links);
        }
    }
}

static void tree_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    const struct platform_fat_tree *t = &z->regular->shape.fat_tree;
    struct blocks b = blocks_of(z);
    if (b.single)
        level_cables(d, z, &b, 0, at);
    else
        bands(d, z, &b, at);
    for (uint32_t l = 1; l < t->levels; l++)
        level_cables(d, z, &b, l, at);
    for (uint32_t l = 1; l <= t->levels; l++) {
        double side = tree_width(z, &b) / nodes(t, l) * 0.5;
        side = side > 14 ? 14 : side < 3 ? 3 : side;
        for (uint32_t k = 0; k < nodes(t, l); k++) {
            struct draw_at s = switch_at(z, &b, l, k, at);
            draw_rect(d, (struct draw_box){s.x - side / 2, s.y - 4, side, 8}, 2, "switch", NULL);
        }
    }
}

const struct draw_layout draw_fat_tree = {tree_size, tree_place, tree_links};
