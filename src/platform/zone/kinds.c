/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kinds: the kinds of zone and the topologies of clusters, by name, and the declared routes of those that
 * have any. No other file of zone/ needs this one: a new kind or topology is added here and depends on no
 * other.
 */
#include "platform/zone/graph.h"
#include "platform/zone/regular.h"

#include <string.h>
#include <strings.h>

const struct platform_zone_kind *platform_zone_kind_find(const char *routing)
{
    static const struct platform_zone_kind *const kinds[] = {
        &platform_zone_full, &platform_zone_floyd,   &platform_zone_dijkstra, &platform_zone_dijkstra_cache,
        &platform_zone_star, &platform_zone_vivaldi, &platform_zone_none,
    };
    for (unsigned k = 0; k < BASE_LENGTH(kinds); k++)
        if (!strcasecmp(routing, kinds[k]->name))
            return kinds[k];
    return NULL;
}

const struct platform_topology *platform_topology_find(const char *name)
{
    static const struct platform_topology *const all[] = {&platform_torus, &platform_mesh, &platform_fat_tree,
                                                          &platform_dragonfly};
    for (unsigned k = 0; k < BASE_LENGTH(all); k++)
        if (!strcmp(all[k]->name, name))
            return all[k];
    return NULL;
}

const struct platform_full *platform_zone_declared(const struct platform_zone *z)
{
    if (z->kind == &platform_zone_full)
        return z->full;
    if (z->kind == &platform_zone_floyd || z->kind == &platform_zone_dijkstra ||
        z->kind == &platform_zone_dijkstra_cache)
        return &z->graph->declared;
    return NULL;
}
