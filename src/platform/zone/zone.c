/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zone: a platform with its zones: creating, sealing and destroying it. Links computed by zones are found and
 * named here, by the kind of the zone that has them.
 */
#include "platform/zone/regular.h"

#include <stdlib.h>
#include <string.h>

/* --- computed links ----------------------------------------------------------------------------- */

/* Names are <zone>_link_..., or those of cables of regular clusters. */
static bool computed_link_find(const struct platform *p, const char *name, uint32_t *id)
{
    struct platform_named zone;
    for (const char *at = strstr(name, "_link_"); at; at = strstr(at + 1, "_link_"))
        if (platform_names_find(p->names, PLATFORM_POINTS, name, (size_t)(at - name), &zone) &&
            platform_point_kind(zone.id) == PLATFORM_IS_ZONE) {
            const struct platform_zone *z = &p->zones.at[platform_point_id(zone.id)];
            if (z->kind->link_find(p, z, name, id))
                return true;
        }
    return platform_regular_link_find(p, name, id);
}

static const char *computed_link_name(const struct platform *p, uint32_t id)
{
    const struct platform_zone *z = platform_regular_of_link(p, id);
    BASE_ASSERT("P13", z && z->kind->link_name);
    return z->kind->link_name(p, z, id);
}

/* --- a platform's life -------------------------------------------------------------------------- */

struct platform *platform_create(const char *file)
{
    static const struct platform_computed computed = {computed_link_find, computed_link_name};
    struct platform *p = platform_model_create(file, &computed);
    p->routes = base_zalloc(sizeof *p->routes, "the platform");
    p->routes->loopback = PLATFORM_NONE;
    return p;
}

static void routes_destroy(struct platform_routes *routes)
{
    free(routes->links.at);
    free(routes->places.at);
    free(routes->bypasses.at);
    free(routes->regular.at);
    platform_path_release(&routes->path);
    free(routes);
}

void platform_destroy(struct platform *p)
{
    if (!p)
        return;
    for (size_t z = 0; z < p->zones.n; z++)
        p->zones.at[z].kind->release(&p->zones.at[z]);
    routes_destroy(p->routes);
    platform_model_destroy(p);
}

/* --- sealing ------------------------------------------------------------------------------------ */

int platform_zone_seal(struct platform *p, uint32_t zone, uint32_t *line, struct base_status *st)
{
    return p->zones.at[zone].kind->seal(p, &p->zones.at[zone], line, st);
}

int platform_seal(struct platform *p, uint32_t *line, struct base_status *st)
{
    *line = p->zones.n ? p->zones.at[0].line : 1;
    if (!p->hosts.n)
        return base_fail(st, "the platform has no host");
    platform_places_seal(p);
    return platform_bypasses_seal(p, line, st) || platform_profiles_seal(p, line, st) ||
                   platform_properties_seal(p, line, st)
               ? -1
               : 0;
}
