/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * torus: the first dimension runs to the right, the second one down, the third one diagonally within a cell,
 * so that no two hosts overlap and cables of the first two stay straight. Further dimensions are copies of
 * the whole, side by side. Cables that close a ring leave it on one side and come back on the other. A mesh
 * is drawn in the same way; it has no such cables.
 */
#include "platform/draw/picture.h"

enum { STUB = 16, BLOCK_GAP = 30 };

struct field {
    uint32_t nx, ny, nz, blocks;
    double side, cell_w, cell_h, step; /* of a host, a cell, and between hosts of the third dimension */
    bool named;
};

static struct field field_of(const struct platform_zone *z)
{
    const struct platform_torus *t = &z->regular->shape.torus;
    uint32_t size[3] = {1, 1, 1};
    for (uint32_t k = 0; k < 3 && k < t->n; k++)
        size[k] = t->size[k];
    BASE_ASSERT("P8", size[0] && size[1] && size[2]);
    struct field f = {.nx = size[0], .ny = size[1], .nz = size[2], .side = draw_host_side(z->hosts)};
    f.blocks = z->hosts / (f.nx * f.ny * f.nz);
    f.named = z->hosts <= DRAW_NAMED && f.nz == 1;
    f.step = f.side * 1.25;
    f.cell_w = f.named ? 64 : f.nz * f.step + f.side * 1.2;
    f.cell_h = f.named ? 52 : f.cell_w;
    return f;
}

static double block_width(const struct field *f)
{
    return f->nx * f->cell_w + 2 * STUB;
}

static void torus_size(const struct draw *d, const struct platform_zone *z, double *w, double *h)
{
    struct field f = field_of(z);
    (void)d;
    *w = f.blocks * (block_width(&f) + BLOCK_GAP) - BLOCK_GAP;
    *h = f.ny * f.cell_h + 2 * STUB;
}

static void torus_place(struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct field f = field_of(z);
    for (uint32_t k = 0; k < z->hosts; k++) {
        uint32_t x = k % f.nx, y = k / f.nx % f.ny, deep = k / f.nx / f.ny % f.nz,
                 block = k / f.nx / f.ny / f.nz;
        double slant = (deep - (f.nz - 1) / 2.0) * f.step;
        d->host[z->first_host + k] = (struct draw_at){at.x + block * (block_width(&f) + BLOCK_GAP) + STUB +
                                                          (x + 0.5) * f.cell_w + slant,
                                                      at.y + STUB + (y + 0.5) * f.cell_h - slant};
    }
}

/* Host k in a dimension: distance in host numbers to the next,
 * its place, the dimension's size; (dx, dy): the direction of up. */
struct step {
    uint32_t dimension, stride, at, size;
    struct draw_at way;
};

/* The number of the cable from host k one step up; a mesh has one unless k is at the upper end. */
static uint32_t cable_of(const struct platform_zone *z, uint32_t k, struct step s)
{
    const struct platform_shape *shape = &z->regular->shape;
    uint32_t before = 0;
    if (z->kind == &platform_zone_torus)
        return k * shape->torus.n + s.dimension;
    for (uint32_t d = 0; d < s.dimension; d++)
        before += platform_mesh_cables(shape, d);
    return before + platform_mesh_cable(k, s.size, s.stride);
}

/* The cable of host k one step up. In a ring of two hosts one line stands for both cables. */
static void cable(const struct draw *d, const struct platform_zone *z, uint32_t k, struct step s,
                  double width)
{
    const struct draw_at *host = &d->host[z->first_host];
    const bool mesh = z->kind == &platform_zone_mesh;
    struct draw_links links = {.n = 0}, again;
    if (s.size < 2 || (s.at + 1 == s.size && (mesh || s.size == 2)))
        return;
    draw_links_cables(&links, z->regular, cable_of(z, k, s), 1);
    if (s.at + 1 < s.size) {
        if (s.size == 2 && !mesh)
            draw_links_cables(&links, z->regular, cable_of(z, k + s.stride, s), 1);
        draw_line_of(d, host[k], host[k + s.stride], width, "link", &links);
        return;
    }
    struct draw_at last = host[k], first = host[k - (s.size - 1) * s.stride];
    again = links;
    draw_line_of(d, last, (struct draw_at){last.x + s.way.x, last.y + s.way.y}, width, "wrap", &links);
    draw_line_of(d, first, (struct draw_at){first.x - s.way.x, first.y - s.way.y}, width, "wrap", &again);
}

static void torus_links(const struct draw *d, const struct platform_zone *z, struct draw_at at)
{
    struct field f = field_of(z);
    if (!z->regular->shape.cables)
        return;
    double width = draw_width(d->p->links.at[z->regular->first_cable].bandwidth) * (f.side < 8 ? 0.5 : 0.9);
    double stub = f.named ? 34 : f.side * 1.3, slant = f.step * 0.9;
    (void)at;
    for (uint32_t k = 0; k < z->hosts; k++) {
        uint32_t x = k % f.nx, y = k / f.nx % f.ny, deep = k / f.nx / f.ny % f.nz;
        cable(d, z, k, (struct step){0, 1, x, f.nx, {stub, 0}}, width);
        cable(d, z, k, (struct step){1, f.nx, y, f.ny, {0, f.named ? 28 : stub}}, width);
        cable(d, z, k, (struct step){2, f.nx * f.ny, deep, f.nz, {slant, -slant}}, width);
    }
    for (uint32_t b = 0; b + 1 < f.blocks; b++) {
        double left = at.x + b * (block_width(&f) + BLOCK_GAP) + block_width(&f);
        double y = at.y + STUB + f.ny * f.cell_h / 2;
        draw_line(d, (struct draw_at){left, y}, (struct draw_at){left + BLOCK_GAP, y}, 4, "trunk");
    }
}

const struct draw_layout draw_torus = {torus_size, torus_place, torus_links};
