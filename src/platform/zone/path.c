/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path: the route between two hosts. Within a zone, the zone's kind computes it. Otherwise take the innermost
 * zone that holds both ends, and the two zones directly inside it that hold one end each. It names a gateway
 * in each:
 *
 *      from --> gateway of from's side ==> gateway of to's side --> to
 *
 * and the two outer parts are again routes, within their sides. A bypass route of the innermost zone always
 * takes precedence. Its gateways may be anywhere, so bypasses can lead in circles: the search is bounded in
 * depth, in parts and in links. Nothing is cached here: fabric/ remembers paths.
 */
#include "platform/zone/routes.h"

#include <stdlib.h>

enum { DEPTH_LIMIT = 2 * PLATFORM_NESTING, PARTS_LIMIT = 1 << 14, LINKS_LIMIT = 1 << 20 };

/* Climbs from two zones, neither inside the other (P2), to their ancestors that lie in the same zone. */
static uint32_t side_by_side(const struct platform *p, uint32_t *a, uint32_t *b)
{
    const struct platform_zone *zones = p->zones.at;
    while (zones[*a].depth > zones[*b].depth)
        *a = zones[*a].parent;
    while (zones[*b].depth > zones[*a].depth)
        *b = zones[*b].parent;
    BASE_ASSERT("P2", *a != *b);
    while (zones[*a].parent != zones[*b].parent) {
        *a = zones[*a].parent;
        *b = zones[*b].parent;
    }
    return zones[*a].parent;
}

/* --- bypass routes ------------------------------------------------------------------------------ */

/* The zones around a point inside `common`, the innermost first; returns their number. */
static uint32_t chain_of(const struct platform *p, platform_point at, uint32_t common,
                         platform_point chain[PLATFORM_NESTING])
{
    uint32_t n = 0;
    for (uint32_t z = platform_point_zone(p, at); z != common; z = p->zones.at[z].parent)
        chain[n++] = platform_point_of(PLATFORM_IS_ZONE, z);
    return n;
}

/* The bypass between zones around the two points that SimGrid finds first: that of the zones closest to their
 * points, where the zone farther from its point decides. */
static const struct platform_declared *bypass_between(const struct platform *p, uint32_t common,
                                                      platform_point from, platform_point to)
{
    platform_point a[PLATFORM_NESTING], b[PLATFORM_NESTING];
    uint32_t m = chain_of(p, from, common, a), n = chain_of(p, to, common, b);
    const struct platform_declared *found = NULL;
    for (uint32_t far = 0; !found && (far < m || far < n); far++) {
        for (uint32_t near = 0; !found && near < far; near++) {
            if (near < m && far < n)
                found = platform_bypass_find(p, common, a[near], b[far]);
            if (!found && far < m && near < n)
                found = platform_bypass_find(p, common, a[far], b[near]);
        }
        if (!found && far < m && far < n)
            found = platform_bypass_find(p, common, a[far], b[far]);
    }
    return found;
}

/* The gateways may be the ends themselves: as in SimGrid,
 * the route from a point to itself is then crossed. */
static int over_bypass(const struct platform *p, const struct platform_declared *bypass, platform_point from,
                       platform_point to, struct platform_path *path)
{
    if (platform_path_between(p, from, bypass->gateway_from, path))
        return -1;
    platform_declared_append(p, bypass, path);
    return platform_path_between(p, bypass->gateway_to, to, path);
}

/* --- the search --------------------------------------------------------------------------------- */

static int within_zone(const struct platform *p, uint32_t zone, platform_point from, platform_point to,
                       struct platform_path *path)
{
    const struct platform_zone *z = &p->zones.at[zone];
    const struct platform_declared *bypass =
        BASE_UNLIKELY(z->bypasses) ? platform_bypass_find(p, zone, from, to) : NULL;
    if (!bypass)
        return z->kind->append(p, z, from, to, path);
    platform_declared_append(p, bypass, path);
    return 0;
}

/* The route between the zones is found first, because SimGrid adds its latency first: the last digit of a sum
 * depends on the order. Its links are set aside until those before them are there. */
static void put_aside(struct platform_path *path, size_t start)
{
    for (size_t k = start; k < path->links.n; k++)
        BASE_ARRAY_PUSH(&path->aside, path->links.at[k]);
    path->links.n = start;
}

static void take_back(struct platform_path *path, size_t aside)
{
    for (size_t k = aside; k < path->aside.n; k++)
        BASE_ARRAY_PUSH(&path->links, path->aside.at[k]);
    path->aside.n = aside;
}

static int between_zones(const struct platform *p, uint32_t a, uint32_t b, platform_point from,
                         platform_point to, struct platform_path *path)
{
    const struct platform_zone *common = &p->zones.at[side_by_side(p, &a, &b)];
    platform_point side_a = platform_point_of(PLATFORM_IS_ZONE, a), gateways[2];
    platform_point side_b = platform_point_of(PLATFORM_IS_ZONE, b);
    const struct platform_declared *bypass =
        BASE_UNLIKELY(common->bypasses) ? bypass_between(p, common->id, from, to) : NULL;
    if (bypass)
        return over_bypass(p, bypass, from, to, path);
    if (common->kind->gateways(p, common, side_a, side_b, path, gateways))
        return -1;
    size_t start = path->links.n, aside = path->aside.n;
    if (common->kind->append(p, common, side_a, side_b, path))
        return -1;
    put_aside(path, start);
    if (from != gateways[0] && platform_path_between(p, from, gateways[0], path))
        return -1;
    take_back(path, aside);
    return to != gateways[1] ? platform_path_between(p, gateways[1], to, path) : 0;
}

int platform_path_between(const struct platform *p, platform_point from, platform_point to,
                          struct platform_path *path)
{
    uint32_t a = platform_point_zone(p, from), b = platform_point_zone(p, to);
    if (path->depth == DEPTH_LIMIT || path->parts == PARTS_LIMIT || path->links.n > LINKS_LIMIT)
        return platform_path_refuse(path, a, from, to, "it is too long, or bypass routes form a cycle");
    path->depth++;
    path->parts++;
    int rc = a == b ? within_zone(p, a, from, to, path) : between_zones(p, a, b, from, to, path);
    path->depth--;
    return rc;
}

/* --- hosts -------------------------------------------------------------------------------------- */

static int no_route(const struct platform *p, uint32_t src, uint32_t dst, struct base_status *st)
{
    const struct platform_path *gap = &p->routes->path;
    const char *from = p->hosts.at[src].name, *to = p->hosts.at[dst].name;
    if (!gap->gap)
        return base_fail(st, "%s: no route from host '%s' to host '%s': it has neither links nor latency",
                         p->file, from, to);
    const struct platform_zone *z = &p->zones.at[gap->gap_zone];
    const char *gap_from = platform_point_name(p, gap->gap_from),
               *gap_to = platform_point_name(p, gap->gap_to);
    bool zones = platform_point_kind(gap->gap_from) == PLATFORM_IS_ZONE;
    if (gap->gap_why)
        return base_fail(
            st, "%s:%u: no route from host '%s' to host '%s', from %s '%s' to '%s' in zone '%s': %s", p->file,
            z->line, from, to, platform_point_noun(gap->gap_from), gap_from, gap_to, z->name, gap->gap_why);
    return base_fail(st,
                     "%s:%u: no route from host '%s' to host '%s'; expected in zone '%s' a <%s src=\"%s\" "
                     "dst=\"%s\">",
                     p->file, z->line, from, to, z->name, zones ? "zoneRoute" : "route", gap_from, gap_to);
}

void platform_path_release(struct platform_path *path)
{
    free(path->links.at);
    free(path->hops.at);
    free(path->aside.at);
}

static void path_clear(struct platform_path *path)
{
    path->links.n = path->hops.n = path->aside.n = path->list = 0;
    path->latency = 0;
    path->depth = path->parts = 0;
    path->gap = path->uneven = false;
}

int platform_route(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out,
                   struct base_status *st)
{
    struct platform_path *path = &p->routes->path;
    path_clear(path);
    if (platform_path_between(p, platform_point_of(PLATFORM_IS_HOST, src),
                              platform_point_of(PLATFORM_IS_HOST, dst), path) ||
        (path->links.n == 0 && !(path->latency > 0)))
        return no_route(p, src, dst, st);
    out->links = path->links.at;
    out->n_links = (uint32_t)path->links.n;
    out->latency = path->latency;
    return 0;
}

bool platform_route_quick(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out)
{
    struct platform_path *path = &p->routes->path;
    uint32_t zone = p->host_zone.at[src];
    const struct platform_zone *z = &p->zones.at[zone];
    if (zone != p->host_zone.at[dst] || !z->kind->quick || src == dst || z->bypasses)
        return false;
    path->links.n = 0;
    path->latency = 0;
    path->uneven = false;
    z->kind->append(p, z, platform_point_of(PLATFORM_IS_HOST, src), platform_point_of(PLATFORM_IS_HOST, dst),
                    path);
    *out = (struct platform_route){path->links.at, (uint32_t)path->links.n, path->latency};
    return !path->uneven;
}

uint32_t platform_route_end(const struct platform *p, uint32_t src, uint32_t dst, bool last)
{
    struct platform_path path = {0};
    platform_point from = platform_point_of(PLATFORM_IS_HOST, src),
                   to = platform_point_of(PLATFORM_IS_HOST, dst);
    uint32_t link = PLATFORM_NONE;
    if (!platform_path_between(p, from, to, &path) && path.links.n > 0)
        link = path.links.at[last ? path.links.n - 1 : 0];
    platform_path_release(&path);
    return link;
}
