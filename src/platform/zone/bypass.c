/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bypass: routes that take precedence over a zone's own. A <bypassRoute> connects hosts or routers of its
 * zone; a <bypassZoneRoute> connects two zones at any depth inside its zone, and its gateways may be
 * anywhere. Both are one-way. path.c follows them.
 */
#include "platform/zone/routes.h"

#include <stdlib.h>

static int gateway_check(const struct platform *p, platform_point gateway, struct base_status *st)
{
    if (platform_point_kind(gateway) == PLATFORM_IS_ZONE)
        return base_fail(st, "gateway '%s' is a zone; expected a host or router",
                         platform_point_name(p, gateway));
    return 0;
}

/* SimGrid accepts any two points, but never uses the routes refused here. */
static int end_check(const struct platform *p, uint32_t zone, platform_point end, bool between_zones,
                     struct base_status *st)
{
    const char *name = platform_point_name(p, end), *noun = platform_point_noun(end);
    uint32_t home = platform_point_zone(p, end);
    if ((platform_point_kind(end) == PLATFORM_IS_ZONE) != between_zones)
        return base_fail(st, "'%s' is a %s; expected %s", name, noun,
                         between_zones ? "a zone here, or <bypassRoute> between hosts and routers"
                                       : "a host or router here, or <bypassZoneRoute> between zones");
    while (between_zones && home != zone && home != PLATFORM_NONE)
        home = p->zones.at[home].parent;
    if (home != zone)
        return base_fail(st, "%s '%s' does not lie %s zone '%s'", noun, name,
                         between_zones ? "inside" : "directly in", p->zones.at[zone].name);
    return 0;
}

int platform_bypass_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                        struct base_status *st)
{
    if (end_check(p, zone, spec->from, spec->between_zones, st) ||
        end_check(p, zone, spec->to, spec->between_zones, st))
        return -1;
    if (!spec->crossings.n)
        return base_fail(st, "a route without links; expected at least one <link_ctn>");
    if (spec->between_zones &&
        (gateway_check(p, spec->gateway_from, st) || gateway_check(p, spec->gateway_to, st)))
        return -1;
    struct platform_bypass new = {.zone = zone, .route = platform_declared_make(p, spec, false)};
    BASE_ARRAY_PUSH(&p->routes->bypasses, new);
    p->zones.at[zone].bypasses++;
    return 0;
}

static int compare(const struct platform_bypass *a, uint32_t zone, platform_point from, platform_point to)
{
    if (a->zone != zone)
        return a->zone < zone ? -1 : 1;
    if (a->route.from != from)
        return a->route.from < from ? -1 : 1;
    return (a->route.to > to) - (a->route.to < to);
}

static int by_ends_place(const void *left, const void *right)
{
    const struct platform_bypass *a = left, *b = right;
    int order = compare(a, b->zone, b->route.from, b->route.to);
    return order ? order : (a->route.first > b->route.first) - (a->route.first < b->route.first);
}

int platform_bypasses_seal(struct platform *p, uint32_t *line, struct base_status *st)
{
    if (p->routes->bypasses.n)
        qsort(p->routes->bypasses.at, p->routes->bypasses.n, sizeof *p->routes->bypasses.at, by_ends_place);
    for (size_t k = 1; k < p->routes->bypasses.n; k++) {
        const struct platform_bypass *a = &p->routes->bypasses.at[k - 1], *b = a + 1;
        if (compare(a, b->zone, b->route.from, b->route.to))
            continue;
        *line = b->route.line;
        return base_fail(st, "a second bypass route from '%s' to '%s'; the first is at line %u",
                         platform_point_name(p, a->route.from), platform_point_name(p, a->route.to),
                         a->route.line);
    }
    return 0;
}

const struct platform_declared *platform_bypass_find(const struct platform *p, uint32_t zone,
                                                     platform_point from, platform_point to)
{
    size_t low = 0, high = p->routes->bypasses.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = compare(&p->routes->bypasses.at[mid], zone, from, to);
        if (order == 0)
            return &p->routes->bypasses.at[mid].route;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}
