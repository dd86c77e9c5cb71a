/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full: zones with routing="Full", where every route is declared. As in SimGrid, a pair without a route adds
 * nothing to a longer route, and is an error if the whole route would have neither links nor latency; a
 * missing route between zones is always an error. In a zone of hosts, a point reaches itself over the
 * loopback link unless a route says otherwise.
 */
#include "platform/zone/routes.h"

#include <stdlib.h>

static void full_open(struct platform_zone *z)
{
    z->full = base_zalloc(sizeof *z->full, "a zone");
}

static int full_gateways(const struct platform *p, const struct platform_zone *z, platform_point from,
                         platform_point to, struct platform_path *path, platform_point gateways[2])
{
    (void)p;
    const struct platform_declared *route = platform_declared_find(z->full, from, to);
    if (!route)
        return platform_path_gap(path, z->id, from, to);
    gateways[0] = route->gateway_from;
    gateways[1] = route->gateway_to;
    return 0;
}

static int full_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                       platform_point to, struct platform_path *path)
{
    const struct platform_declared *route = platform_declared_find(z->full, from, to);
    if (route)
        platform_declared_append(p, route, path);
    else if (from == to)
        platform_loopback_append(p, path);
    else if (!path->gap)
        platform_path_gap(path, z->id, from, to);
    return 0;
}

static int full_route_add(struct platform *p, struct platform_zone *z, const struct platform_route_spec *spec,
                          struct base_status *st)
{
    if (platform_declared_check(p, z->id, spec, st))
        return -1;
    BASE_ARRAY_PUSH(&z->full->routes, platform_declared_make(p, spec, false));
    if (spec->symmetrical && spec->from != spec->to)
        BASE_ARRAY_PUSH(&z->full->routes, platform_declared_make(p, spec, true));
    return 0;
}

static int full_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    uint32_t to_itself = 0;
    if (platform_declared_seal(p, z->full, line, st))
        return -1;
    for (size_t k = 0; k < z->full->routes.n; k++)
        to_itself += z->full->routes.at[k].from == z->full->routes.at[k].to;
    if (to_itself < z->hosts + z->routers)
        platform_loopback_create(p);
    return 0;
}

static void full_release(struct platform_zone *z)
{
    free(z->full->routes.at);
    free(z->full);
}

static void full_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    (void)p;
    fprintf(out, "%zu declared routes", z->full->routes.n);
}

static void full_check(const struct platform *p, const struct platform_zone *z)
{
    platform_declared_verify(p, z, z->full);
}

const struct platform_zone_kind platform_zone_full = {
    .name = "Full",
    .open = full_open,
    .gateways = full_gateways,
    .append = full_append,
    .route_add = full_route_add,
    .seal = full_seal,
    .link_find = platform_link_none,
    .release = full_release,
    .print = full_print,
    .check = full_check,
};
