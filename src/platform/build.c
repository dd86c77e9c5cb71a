/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build: a platform's life, and its parts as they are declared: zones, hosts, routers, links. What zones of a
 * kind add to that is in zone_<kind>.c. Checks names and numbers; the reader adds file and line to what it
 * says.
 */
#include "platform/build.h"

#include <stdlib.h>
#include <string.h>

struct platform *platform_create(const char *file)
{
    struct platform *p = base_zalloc(sizeof *p, "the platform");
    p->names = platform_names_create();
    p->file = platform_names_keep(p->names, file, strlen(file));
    p->loopback = PLATFORM_NONE;
    p->host_limit = PLATFORM_HOST_LIMIT;
    return p;
}

void platform_destroy(struct platform *p)
{
    if (!p)
        return;
    for (size_t z = 0; z < p->zones.n; z++)
        p->zones.at[z].kind->release(&p->zones.at[z]);
    free(p->zones.at);
    free(p->hosts.at);
    free(p->host_zone.at);
    free(p->links.at);
    free(p->routers.at);
    free(p->route_links.at);
    free(p->regular.at);
    free(p->properties.at);
    free(p->places.at);
    free(p->bypasses.at);
    free(p->path.links.at);
    free(p->path.hops.at);
    free(p->path.aside.at);
    platform_profiles_release(p);
    platform_names_destroy(p->names);
    free(p);
}

/* --- points ------------------------------------------------------------------------------------- */

const char *platform_point_name(const struct platform *p, platform_point at)
{
    uint32_t id = platform_point_id(at);
    switch (platform_point_kind(at)) {
    case PLATFORM_IS_HOST:
        return p->hosts.at[id].name;
    case PLATFORM_IS_ROUTER:
        return p->routers.at[id].name;
    case PLATFORM_IS_ZONE:
        break;
    }
    return p->zones.at[id].name;
}

const char *platform_point_noun(platform_point at)
{
    static const char *const nouns[] = {"host", "router", "zone"};
    return nouns[platform_point_kind(at)];
}

static int point_add(struct platform *p, const char *kept, platform_point at, uint32_t line,
                     struct base_status *st)
{
    struct platform_named before;
    if (!*kept)
        return base_fail(st, "an empty name; expected the name of a %s", platform_point_noun(at));
    if (!platform_names_add(p->names, PLATFORM_POINTS, (struct platform_named){kept, at, line}, &before))
        return base_fail(st, "the name '%s' is already that of the %s declared at line %u", kept,
                         platform_point_noun(before.id), before.line);
    return 0;
}

/* Whether another zone may stand in `up`. */
static int nesting_check(const struct platform_zone *up, struct base_status *st)
{
    if (up->hosts || up->routers)
        return base_fail(st, "zone '%s' holds hosts or routers; expected no zone in it (DTD 4.1)", up->name);
    if (up->depth + 1 >= PLATFORM_NESTING)
        return base_fail(st, "zones nested deeper than %d", PLATFORM_NESTING);
    return 0;
}

int platform_zone_add(struct platform *p, uint32_t parent, const char *name, uint32_t line,
                      const struct platform_zone_kind *kind, uint32_t *id, struct base_status *st)
{
    uint32_t new = (uint32_t)p->zones.n;
    struct platform_zone z = {.kind = kind, .id = new, .parent = parent, .line = line};
    if (parent == PLATFORM_NONE && new > 0)
        return base_fail(st, "a second zone at the top; expected one zone that holds all others");
    if (parent != PLATFORM_NONE && nesting_check(&p->zones.at[parent], st))
        return -1;
    z.name = platform_names_keep(p->names, name, strlen(name));
    z.first_host = (uint32_t)p->hosts.n;
    if (point_add(p, z.name, platform_point_of(PLATFORM_IS_ZONE, new), line, st))
        return -1;
    if (parent != PLATFORM_NONE) {
        p->zones.at[parent].zones++;
        z.depth = p->zones.at[parent].depth + 1;
    }
    if (kind->open)
        kind->open(&z);
    BASE_ARRAY_PUSH(&p->zones, z);
    *id = new;
    return 0;
}

int platform_host_add(struct platform *p, uint32_t zone, const char *name, double speed, uint32_t cores,
                      uint32_t line, uint32_t *id, struct base_status *st)
{
    struct platform_zone *z = &p->zones.at[zone];
    uint32_t new = (uint32_t)p->hosts.n;
    if (z->zones)
        return base_fail(st, "zone '%s' holds zones; expected no host in it (DTD 4.1)", z->name);
    if (new >= p->host_limit)
        return base_fail(st, "more than %u hosts", p->host_limit);
    if (point_add(p, name, platform_point_of(PLATFORM_IS_HOST, new), line, st))
        return -1;
    BASE_ASSERT("P3", z->hosts == 0 || z->first_host + z->hosts == new);
    if (!z->hosts++)
        z->first_host = new;
    struct platform_host h = {.name = name, .speed = speed, .cores = cores};
    BASE_ARRAY_PUSH(&p->hosts, h);
    BASE_ARRAY_PUSH(&p->host_zone, zone);
    *id = new;
    return 0;
}

int platform_router_add(struct platform *p, uint32_t zone, const char *name, uint32_t line, uint32_t *id,
                        struct base_status *st)
{
    struct platform_zone *z = &p->zones.at[zone];
    uint32_t new = (uint32_t)p->routers.n;
    if (z->zones)
        return base_fail(st, "zone '%s' holds zones; expected no router in it (DTD 4.1)", z->name);
    if (point_add(p, name, platform_point_of(PLATFORM_IS_ROUTER, new), line, st))
        return -1;
    struct platform_router router = {.name = name, .zone = zone, .hosts_before = (uint32_t)p->hosts.n};
    z->routers++;
    BASE_ARRAY_PUSH(&p->routers, router);
    *id = new;
    return 0;
}

/* --- links -------------------------------------------------------------------------------------- */

/* A link's name may also be one that a cluster computes: <zone>_link_..., or one of regular.c's. */
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

bool platform_link_find(const struct platform *p, const char *name, uint32_t *id)
{
    struct platform_named link;
    if (!platform_names_find(p->names, PLATFORM_LINKS, name, strlen(name), &link))
        return computed_link_find(p, name, id);
    *id = link.id;
    return true;
}

uint32_t platform_link_append(struct platform *p, struct platform_link link)
{
    BASE_ARRAY_PUSH(&p->links, link);
    return (uint32_t)p->links.n - 1;
}

static int link_name_add(struct platform *p, const char *kept, uint32_t id, uint32_t line,
                         struct base_status *st)
{
    struct platform_named before;
    uint32_t other;
    if (computed_link_find(p, kept, &other))
        return base_fail(st, "the name '%s' is already that of a cluster's link", kept);
    if (!platform_names_add(p->names, PLATFORM_LINKS, (struct platform_named){kept, id, line}, &before))
        return base_fail(st, "the name '%s' is already that of the link declared at line %u", kept,
                         before.line);
    return 0;
}

int platform_link_add(struct platform *p, struct platform_link link, bool split, uint32_t line, uint32_t *id,
                      struct base_status *st)
{
    static const char *const halves[] = {"_UP", "_DOWN"};
    uint32_t new = (uint32_t)p->links.n;
    size_t length = strlen(link.name);
    if (!length)
        return base_fail(st, "an empty name; expected the name of a link");
    if (!strcmp(link.name, PLATFORM_LOOPBACK))
        return base_fail(st, "the name '%s' is reserved", link.name);
    const char *kept = platform_names_keep(p->names, link.name, length);
    if (link_name_add(p, kept, split ? new | PLATFORM_SPLIT : new, line, st))
        return -1;
    for (uint32_t half = 0; half < (split ? 2u : 1u); half++) {
        if (split) {
            char *name = base_strfmt("%s%s", kept, halves[half]);
            link.name = platform_names_keep(p->names, name, strlen(name));
            free(name);
            if (link_name_add(p, link.name, new + half, line, st))
                return -1;
        } else {
            link.name = kept;
        }
        platform_link_append(p, link);
    }
    *id = new;
    return 0;
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
