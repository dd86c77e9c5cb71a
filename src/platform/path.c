/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path: the route between two hosts. Within a zone the zone's kind knows it. Between zones it goes up to the
 * two zones side by side in the innermost zone that holds both ends, which names a gateway in each:
 *
 *      from --> gateway of from's side ==> gateway of to's side --> to
 *
 * and the two outer parts are routes again, within their side. Nothing is kept here: fabric/ remembers paths.
 */
#include "platform/inside.h"

int platform_path_gap(struct platform_path *path, uint32_t zone, platform_point from, platform_point to)
{
    path->gap_zone = zone;
    path->gap_from = from;
    path->gap_to = to;
    return -1;
}

/* Climbs from two zones, none inside the other (P2), to the two that lie in the same zone. */
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

static int between_zones(const struct platform *p, platform_point from, platform_point to,
                         struct platform_path *path)
{
    uint32_t a = platform_point_zone(p, from), b = platform_point_zone(p, to);
    const struct platform_zone *common = &p->zones.at[side_by_side(p, &a, &b)];
    platform_point side_a = platform_point_of(PLATFORM_IS_ZONE, a), gateways[2];
    platform_point side_b = platform_point_of(PLATFORM_IS_ZONE, b);
    if (common->kind->gateways(p, common, side_a, side_b, path, gateways))
        return -1;
    if (from != gateways[0] && platform_path_between(p, from, gateways[0], path))
        return -1;
    if (common->kind->append(p, common, side_a, side_b, path))
        return -1;
    return to != gateways[1] ? platform_path_between(p, gateways[1], to, path) : 0;
}

int platform_path_between(const struct platform *p, platform_point from, platform_point to,
                          struct platform_path *path)
{
    uint32_t zone = platform_point_zone(p, from);
    if (BASE_UNLIKELY(zone != platform_point_zone(p, to)))
        return between_zones(p, from, to, path);
    const struct platform_zone *z = &p->zones.at[zone];
    return z->kind->append(p, z, from, to, path);
}

static int no_route(const struct platform *p, uint32_t src, uint32_t dst, struct base_status *st)
{
    const struct platform_path *gap = &p->path;
    const struct platform_zone *z = &p->zones.at[gap->gap_zone];
    bool zones = platform_point_kind(gap->gap_from) == PLATFORM_IS_ZONE;
    return base_fail(st,
                     "%s:%u: no route from host '%s' to host '%s'; expected in zone '%s' a <%s src=\"%s\" "
                     "dst=\"%s\">",
                     p->file, z->line, p->hosts.at[src].name, p->hosts.at[dst].name, z->name,
                     zones ? "zoneRoute" : "route", platform_point_name(p, gap->gap_from),
                     platform_point_name(p, gap->gap_to));
}

int platform_route(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out,
                   struct base_status *st)
{
    struct platform_path *path = &p->path;
    path->links.n = 0;
    path->latency = 0;
    if (platform_path_between(p, platform_point_of(PLATFORM_IS_HOST, src),
                              platform_point_of(PLATFORM_IS_HOST, dst), path))
        return no_route(p, src, dst, st);
    out->links = path->links.at;
    out->n_links = (uint32_t)path->links.n;
    out->latency = path->latency;
    return 0;
}

bool platform_route_quick(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out)
{
    struct platform_path *path = &p->path;
    uint32_t zone = p->host_zone.at[src];
    const struct platform_zone *z = &p->zones.at[zone];
    if (zone != p->host_zone.at[dst] || !z->kind->quick || src == dst)
        return false;
    path->links.n = 0;
    path->latency = 0;
    path->uneven = false;
    z->kind->append(p, z, platform_point_of(PLATFORM_IS_HOST, src), platform_point_of(PLATFORM_IS_HOST, dst),
                    path);
    *out = (struct platform_route){path->links.at, (uint32_t)path->links.n, path->latency};
    return !path->uneven;
}
