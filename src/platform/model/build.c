/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build: the parts of a platform as they are declared: zones, hosts, routers, links. What each kind of zone
 * adds to that is in zone/. Checks names and numbers; the reader adds file and line to its errors.
 */
#include "platform/model/model.h"

#include <stdlib.h>
#include <string.h>

struct platform *platform_model_create(const char *file, const struct platform_computed *computed)
{
    struct platform *p = base_zalloc(sizeof *p, "the platform");
    p->names = platform_names_create();
    p->file = platform_names_keep(p->names, file, strlen(file));
    p->host_limit = PLATFORM_HOST_LIMIT;
    p->computed = computed;
    return p;
}

void platform_model_destroy(struct platform *p)
{
    free(p->zones.at);
    free(p->hosts.at);
    free(p->host_zone.at);
    free(p->links.at);
    free(p->routers.at);
    free(p->properties.at);
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

void platform_reserve(struct platform *p, size_t hosts, size_t links)
{
#define RESERVE(array, more)                                                                                 \
    do {                                                                                                     \
        size_t need = (array)->n + (more);                                                                   \
        if (need > (array)->cap) {                                                                           \
            (array)->at = base_realloc((array)->at, need * sizeof *(array)->at, "hosts and links");          \
            (array)->cap = need;                                                                             \
        }                                                                                                    \
    } while (0)
    RESERVE(&p->hosts, hosts);
    RESERVE(&p->host_zone, hosts);
    RESERVE(&p->links, links);
#undef RESERVE
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

void platform_pstates_add(struct platform *p, uint32_t first, uint32_t n, uint32_t pstate, double *speed)
{
    struct platform_pstates new = {first, (uint32_t)p->hosts.n - first, n, pstate, speed};
    if (n > 1 && new.hosts)
        BASE_ARRAY_PUSH(&p->pstates, new);
    else
        free(speed);
}

/* NULL: it has one speed. */
static const struct platform_pstates *pstates_of(const struct platform *p, uint32_t id)
{
    size_t low = 0, high = p->pstates.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct platform_pstates *s = &p->pstates.at[mid];
        if (id >= s->first && id - s->first < s->hosts)
            return s;
        if (id < s->first)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

uint32_t platform_host_pstates(const struct platform *p, uint32_t id, uint32_t *pstate)
{
    const struct platform_pstates *s = pstates_of(p, id);
    *pstate = s ? s->pstate : 0;
    return s ? s->n : 1;
}

double platform_host_pstate_speed(const struct platform *p, uint32_t id, uint32_t pstate)
{
    const struct platform_pstates *s = pstates_of(p, id);
    if (!s)
        return pstate == 0 ? platform_host(p, id)->speed : 0;
    return pstate < s->n ? s->speed[pstate] : 0;
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

bool platform_link_find(const struct platform *p, const char *name, uint32_t *id)
{
    struct platform_named link;
    if (!platform_names_find(p->names, PLATFORM_LINKS, name, strlen(name), &link))
        return p->computed->find(p, name, id);
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
    if (p->computed->find(p, kept, &other))
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
