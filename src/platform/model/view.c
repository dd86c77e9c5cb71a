/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view: a platform as it is listed: its zones and routers, and what limits a route. Hosts and links are in
 * platform.c.
 */
#include "platform/model/model.h"

uint32_t platform_zone_count(const struct platform *p)
{
    return (uint32_t)p->zones.n;
}

struct platform_zone_view platform_zone_view(const struct platform *p, uint32_t id)
{
    BASE_ASSERT("P1", id < p->zones.n);
    const struct platform_zone *z = &p->zones.at[id];
    return (struct platform_zone_view){.name = z->name,
                                       .routing = z->kind->name,
                                       .parent = z->parent,
                                       .depth = z->depth,
                                       .zones = z->zones,
                                       .routers = z->routers,
                                       .first_host = z->first_host,
                                       .hosts = z->hosts};
}

uint32_t platform_host_zone(const struct platform *p, uint32_t id)
{
    BASE_ASSERT("P1", id < p->host_zone.n);
    return p->host_zone.at[id];
}

uint32_t platform_router_count(const struct platform *p)
{
    return (uint32_t)p->routers.n;
}

const char *platform_router_view(const struct platform *p, uint32_t id, uint32_t *zone)
{
    BASE_ASSERT("P1", id < p->routers.n);
    *zone = p->routers.at[id].zone;
    return p->routers.at[id].name;
}

uint32_t platform_route_bottleneck(const struct platform *p, const struct platform_route *route)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t k = 0; k < route->n_links; k++)
        if (least == UINT32_MAX || p->links.at[route->links[k]].bandwidth < p->links.at[least].bandwidth)
            least = route->links[k];
    return least;
}
