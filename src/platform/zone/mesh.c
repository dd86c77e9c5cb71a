/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh: <cluster topology="MESH" topo_parameters="X,Y,...">, a topology that SimGrid does not have: a torus
 * without the cables that close its rings, as networks on a chip are. Routes take one dimension after the
 * other (X-Y routing). `pgasim platform generate` writes the same network with tags that SimGrid reads.
 */
#include "platform/zone/regular.h"

static int mesh_parse(struct platform_shape *out, const char *text, uint32_t most_hosts,
                      struct base_status *st)
{
    struct platform_torus *t = &out->torus;
    const char *at = text;
    uint64_t hosts = 1, cables = 0;
    int n = platform_shape_list(&at, 0, t->size, PLATFORM_TORUS_MOST);
    if (n < 0)
        return base_fail(st, "expected the size of each of 1 to %d dimensions, such as 8,8",
                         PLATFORM_TORUS_MOST);
    t->n = (uint32_t)n;
    for (int d = 0; d < n; d++)
        if (platform_shape_times(&hosts, t->size[d], most_hosts))
            return base_fail(st, "more than %u hosts", most_hosts);
    for (int d = 0; d < n; d++)
        cables += hosts - hosts / t->size[d];
    return platform_shape_counts(out, hosts, 0, cables, most_hosts, st);
}

static uint32_t mesh_width(const struct platform_shape *shape, uint32_t cable)
{
    (void)shape, (void)cable;
    return 1;
}

/* Along dimension d, whose cables begin at number `first`; returns the host reached. */
static uint32_t along(const struct platform_regular *r, uint32_t at, uint32_t target, uint32_t d,
                      uint32_t stride, uint32_t first, struct platform_path *path)
{
    uint32_t size = r->shape.torus.size[d];
    uint32_t place = at / stride % size, to = target / stride % size;
    for (; place < to; place++, at += stride) {
        platform_regular_limit(r, at, path);
        platform_regular_cross(r, first + platform_mesh_cable(at, size, stride), true, path);
    }
    for (; place > to; place--) {
        platform_regular_limit(r, at, path);
        at -= stride;
        platform_regular_cross(r, first + platform_mesh_cable(at, size, stride), false, path);
    }
    return at;
}

static int mesh_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                       platform_point to, struct platform_path *path)
{
    (void)p;
    const struct platform_regular *r = z->regular;
    uint32_t src, dst, stride = 1, first = 0;
    if (platform_regular_start(z, from, to, path, &src, &dst))
        return 0;
    for (uint32_t d = 0; src != dst; stride *= r->shape.torus.size[d++]) {
        src = along(r, src, dst, d, stride, first, path);
        first += platform_mesh_cables(&r->shape, d);
    }
    platform_regular_limit(r, dst, path);
    return 0;
}

/* --- names -------------------------------------------------------------------------------------- */

/* The host below a cable, and the distance to the one above it. */
static uint32_t cable_end(const struct platform_shape *shape, uint32_t cable, uint32_t *stride)
{
    uint32_t d = 0;
    *stride = 1;
    while (cable >= platform_mesh_cables(shape, d)) {
        cable -= platform_mesh_cables(shape, d);
        *stride *= shape->torus.size[d++];
    }
    uint32_t row = *stride * (shape->torus.size[d] - 1);
    return cable / row * (row + *stride) + cable % row;
}

static char *mesh_name(const struct platform_zone *z, uint32_t cable)
{
    uint32_t stride, host = cable_end(&z->regular->shape, cable, &stride);
    return platform_regular_between(z, host, host + stride);
}

/* "<zone>_link_from_<host>_to_<host>". The caller compares the whole name. */
static bool mesh_find(const struct platform_zone *z, const char *name, uint32_t *cable)
{
    const struct platform_torus *t = &z->regular->shape.torus;
    uint64_t from, to;
    uint32_t stride = 1, first = 0;
    if (!platform_regular_ends(z, name, &from, &to))
        return false;
    for (uint32_t d = 0; d < t->n; stride *= t->size[d++]) {
        if (from + stride == to && from / stride % t->size[d] + 1 < t->size[d]) {
            *cable = first + platform_mesh_cable((uint32_t)from, t->size[d], stride);
            return true;
        }
        first += platform_mesh_cables(&z->regular->shape, d);
    }
    return false;
}

const struct platform_topology platform_mesh = {
    .name = "MESH",
    .zone = &platform_zone_mesh,
    .counted = -1,
    .limits = false,
    .parse = mesh_parse,
    .width = mesh_width,
    .name_of = mesh_name,
    .find = mesh_find,
    .print = platform_regular_sizes,
};

const struct platform_zone_kind platform_zone_mesh = {
    .name = "Mesh",
    .inherited = true,
    .append = mesh_append,
    PLATFORM_REGULAR_FUNCTIONS,
};
