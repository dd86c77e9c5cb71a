/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * declared: what zones of declared routes share: taking a <route> or <zoneRoute>, finding it again, and the
 * loopback link that SimGrid's network models give to the points of such zones. A symmetrical route is kept
 * twice, the second time backwards with the halves of split links exchanged. Also the errors for missing
 * routes. full.c and graph.c compute routes from these.
 */
#include "platform/zone/routes.h"

#include <stdlib.h>

static const double loopback_bandwidth = 10e9, loopback_latency = 0;

/* --- checks ------------------------------------------------------------------------------------- */

/* True when `at` lies in zone `zone` or deeper in it. */
static bool is_inside(const struct platform *p, platform_point at, uint32_t zone)
{
    for (uint32_t z = platform_point_zone(p, at); z != PLATFORM_NONE; z = p->zones.at[z].parent)
        if (z == zone)
            return true;
    return false;
}

static int end_check(const struct platform *p, uint32_t zone, platform_point end, bool between_zones,
                     struct base_status *st)
{
    const char *name = platform_point_name(p, end);
    bool is_zone = platform_point_kind(end) == PLATFORM_IS_ZONE;
    uint32_t home = platform_point_zone(p, end);
    if (is_zone != between_zones)
        return base_fail(st, "'%s' is a %s; expected %s", name, platform_point_noun(end),
                         is_zone ? "a host or router here, or <zoneRoute> between zones"
                                 : "a zone here, or <route> between hosts and routers");
    if (home != zone)
        return base_fail(st, "%s '%s' lies in zone '%s'; expected one directly in zone '%s'",
                         platform_point_noun(end), name,
                         home == PLATFORM_NONE ? "(none)" : p->zones.at[home].name, p->zones.at[zone].name);
    return 0;
}

static int gateway_check(const struct platform *p, platform_point gateway, platform_point zone,
                         struct base_status *st)
{
    const char *name = platform_point_name(p, gateway);
    if (platform_point_kind(gateway) == PLATFORM_IS_ZONE)
        return base_fail(st, "gateway '%s' is a zone; expected a host or router", name);
    if (!is_inside(p, gateway, platform_point_id(zone)))
        return base_fail(st, "gateway '%s' lies in zone '%s'; expected one inside zone '%s'", name,
                         p->zones.at[platform_point_zone(p, gateway)].name, platform_point_name(p, zone));
    return 0;
}

int platform_declared_check(const struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                            struct base_status *st)
{
    if (end_check(p, zone, spec->from, spec->between_zones, st) ||
        end_check(p, zone, spec->to, spec->between_zones, st))
        return -1;
    if (!spec->crossings.n)
        return base_fail(st, "a route without links; expected at least one <link_ctn>");
    if (!spec->between_zones)
        return 0;
    if (spec->from == spec->to)
        return base_fail(st, "a route from zone '%s' to itself; expected two zones",
                         platform_point_name(p, spec->from));
    return gateway_check(p, spec->gateway_from, spec->from, st)
               ? -1
               : gateway_check(p, spec->gateway_to, spec->to, st);
}

int platform_route_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                       struct base_status *st)
{
    struct platform_zone *z = &p->zones.at[zone];
    if (!z->kind->route_add)
        return base_fail(st, "zone '%s' has routing %s, which takes no routes", z->name, z->kind->name);
    return z->kind->route_add(p, z, spec, st);
}

/* --- routes ------------------------------------------------------------------------------------- */

static uint32_t crossed_link(struct platform_crossing c, bool backwards)
{
    return c.direction == PLATFORM_WHOLE ? c.link : c.link + ((c.direction == PLATFORM_DOWN) != backwards);
}

struct platform_declared platform_declared_make(struct platform *p, const struct platform_route_spec *spec,
                                                bool backwards)
{
    struct platform_declared route = {.from = backwards ? spec->to : spec->from,
                                      .to = backwards ? spec->from : spec->to,
                                      .first = (uint32_t)p->routes->links.n,
                                      .n = (uint32_t)spec->crossings.n,
                                      .gateway_from = backwards ? spec->gateway_to : spec->gateway_from,
                                      .gateway_to = backwards ? spec->gateway_from : spec->gateway_to,
                                      .line = spec->line};
    for (uint32_t k = 0; k < route.n; k++) {
        uint32_t at = backwards ? route.n - 1 - k : k;
        uint32_t link = crossed_link(spec->crossings.at[at], backwards);
        BASE_ARRAY_PUSH(&p->routes->links, link);
        route.latency += p->links.at[link].latency;
    }
    return route;
}

static uint64_t key_of(platform_point from, platform_point to)
{
    return (uint64_t)from << 32 | to;
}

/* Duplicates come out in the order of declaration: by line, and forwards before backwards. */
static int by_key_place(const void *left, const void *right)
{
    const struct platform_declared *a = left, *b = right;
    uint64_t x = key_of(a->from, a->to), y = key_of(b->from, b->to);
    if (x == y) {
        x = a->first;
        y = b->first;
    }
    return (x > y) - (x < y);
}

int platform_declared_seal(const struct platform *p, struct platform_full *full, uint32_t *line,
                           struct base_status *st)
{
    if (full->routes.n)
        qsort(full->routes.at, full->routes.n, sizeof *full->routes.at, by_key_place);
    for (size_t k = 1; k < full->routes.n; k++) {
        const struct platform_declared *a = &full->routes.at[k - 1], *b = a + 1;
        if (key_of(a->from, a->to) != key_of(b->from, b->to))
            continue;
        *line = b->line;
        return base_fail(st,
                         "a second route from '%s' to '%s'; the first is at line %u (routes are symmetrical "
                         "unless symmetrical=\"NO\")",
                         platform_point_name(p, a->from), platform_point_name(p, a->to), a->line);
    }
    return 0;
}

const struct platform_declared *platform_declared_find(const struct platform_full *full, platform_point from,
                                                       platform_point to)
{
    uint64_t key = key_of(from, to);
    size_t low = 0, high = full->routes.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct platform_declared *at = &full->routes.at[mid];
        uint64_t here = key_of(at->from, at->to);
        if (here == key)
            return at;
        if (here < key)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const uint32_t *platform_declared_links(const struct platform *p, const struct platform_declared *route)
{
    return p->routes->links.at + route->first;
}

void platform_declared_append(const struct platform *p, const struct platform_declared *route,
                              struct platform_path *path)
{
    for (uint32_t k = 0; k < route->n; k++)
        platform_path_push(path, p->routes->links.at[route->first + k]);
    platform_declared_wait(p, route, path);
}

void platform_declared_wait(const struct platform *p, const struct platform_declared *route,
                            struct platform_path *path)
{
    for (uint32_t k = 0; k < route->n; k++)
        path->latency += p->links.at[p->routes->links.at[route->first + k]].latency;
}

void platform_declared_verify(const struct platform *p, const struct platform_zone *z,
                              const struct platform_full *full)
{
    for (size_t k = 0; k < full->routes.n; k++) {
        const struct platform_declared *at = &full->routes.at[k];
        BASE_ASSERT("P5", k == 0 || key_of(at[-1].from, at[-1].to) < key_of(at->from, at->to));
        BASE_ASSERT("P1", (size_t)at->first + at->n <= p->routes->links.n);
        BASE_ASSERT("P2",
                    platform_point_zone(p, at->from) == z->id && platform_point_zone(p, at->to) == z->id);
        if (platform_point_kind(at->from) != PLATFORM_IS_ZONE)
            continue;
        BASE_ASSERT("P4", is_inside(p, at->gateway_from, platform_point_id(at->from)));
        BASE_ASSERT("P4", is_inside(p, at->gateway_to, platform_point_id(at->to)));
    }
}

/* --- the loopback ------------------------------------------------------------------------------- */

uint32_t platform_loopback_link(const struct platform *p)
{
    return p->routes->loopback;
}

void platform_loopback_create(struct platform *p)
{
    if (p->routes->loopback == PLATFORM_NONE)
        p->routes->loopback = platform_link_append(p, (struct platform_link){.name = PLATFORM_LOOPBACK,
                                                                             .bandwidth = loopback_bandwidth,
                                                                             .latency = loopback_latency,
                                                                             .policy = PLATFORM_FATPIPE});
}

void platform_loopback_append(const struct platform *p, struct platform_path *path)
{
    platform_path_push(path, p->routes->loopback);
    path->latency += p->links.at[p->routes->loopback].latency;
}

/* --- routes that are not there ------------------------------------------------------------------ */

int platform_path_refuse(struct platform_path *path, uint32_t zone, platform_point from, platform_point to,
                         const char *why)
{
    path->gap = true;
    path->gap_zone = zone;
    path->gap_from = from;
    path->gap_to = to;
    path->gap_why = why;
    return -1;
}

int platform_path_gap(struct platform_path *path, uint32_t zone, platform_point from, platform_point to)
{
    return platform_path_refuse(path, zone, from, to, NULL);
}

/* --- slots of kinds without the feature --------------------------------------------------------- */

bool platform_link_none(const struct platform *p, const struct platform_zone *z, const char *name,
                        uint32_t *id)
{
    (void)p, (void)z, (void)name, (void)id;
    return false;
}

int platform_gateways_none(const struct platform *p, const struct platform_zone *z, platform_point from,
                           platform_point to, struct platform_path *path, platform_point gateways[2])
{
    (void)p, (void)gateways;
    return platform_path_refuse(path, z->id, from, to, "its routing has no routes between zones");
}
