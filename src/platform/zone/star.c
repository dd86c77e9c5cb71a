/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * star: zones with routing="Cluster", whose hosts are attached by <host_link> or <cabinet>, with or without a
 * <backbone>. As in SimGrid, a route crosses no link twice, a later <host_link> of a host replaces an earlier
 * one, and a <host_link> may name hosts and links declared after it. Zones inside such a zone cannot be
 * connected: SimGrid's files have no way to name their gateways.
 */
#include "platform/zone/star.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS_TO_ITSELF = 1024 }; /* keeps the search for repeated links fast */

void platform_star_open(struct platform_zone *z)
{
    z->star = base_zalloc(sizeof *z->star, "a zone");
    z->star->backbone = PLATFORM_NONE;
}

static const struct platform_spoke *spoke_of(const struct platform_star *star, platform_point at)
{
    size_t low = 0, high = star->spokes.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (star->spokes.at[mid].at == at)
            return &star->spokes.at[mid];
        if (star->spokes.at[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* --- routes ------------------------------------------------------------------------------------- */

static void push_once(const struct platform *p, struct platform_path *path, size_t start, uint32_t link)
{
    for (size_t k = start; k < path->links.n; k++)
        if (path->links.at[k] == link)
            return;
    platform_path_push(path, link);
    path->latency += p->links.at[link].latency;
}

/* SimGrid takes a point whose route to itself is declared for one whose links were declared as well. */
static bool lacks_links(const struct platform_star *star, platform_point at)
{
    return star->itself.routes.n && !spoke_of(star, at) && platform_declared_find(&star->itself, at, at);
}

int platform_star_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                         platform_point to, struct platform_path *path)
{
    const struct platform_star *star = z->star;
    const struct platform_spoke *a = spoke_of(star, from), *b = spoke_of(star, to);
    size_t start = path->links.n;
    const struct platform_declared *itself =
        from == to ? platform_declared_find(&star->itself, from, from) : NULL;
    if (itself) {
        for (uint32_t k = 0; k < itself->n; k++)
            push_once(p, path, start, p->routes->links.at[itself->first + k]);
        return 0;
    }
    if (lacks_links(star, from) || lacks_links(star, to))
        return platform_path_refuse(path, z->id, from, to,
                                    "one of them has a route to itself, but no <host_link>");
    if (a)
        push_once(p, path, start, a->up);
    if ((a || b) && star->backbone != PLATFORM_NONE)
        push_once(p, path, start, star->backbone);
    if (b)
        push_once(p, path, start, b->down);
    return 0;
}

/* --- declaring ---------------------------------------------------------------------------------- */

int platform_star_route_add(struct platform *p, struct platform_zone *z,
                            const struct platform_route_spec *spec, struct base_status *st)
{
    if (spec->between_zones || spec->from != spec->to)
        return base_fail(
            st,
            "zone '%s' has routing %s, where routes are computed; expected a <route> from a host to "
            "itself",
            z->name, z->kind->name);
    if (platform_declared_check(p, z->id, spec, st))
        return -1;
    if (spec->crossings.n > LINKS_TO_ITSELF)
        return base_fail(st, "a route from '%s' to itself over more than %d links",
                         platform_point_name(p, spec->from), LINKS_TO_ITSELF);
    BASE_ARRAY_PUSH(&z->star->itself.routes, platform_declared_make(p, spec, false));
    return 0;
}

static int star_check(const struct platform *p, uint32_t zone, const struct platform_zone_kind *kind,
                      struct base_status *st)
{
    const struct platform_zone *z = &p->zones.at[zone];
    return z->kind == kind ? 0
                           : base_fail(st, "zone '%s' has routing %s; expected routing %s", z->name,
                                       z->kind->name, kind->name);
}

int platform_star_attach(struct platform *p, uint32_t zone, uint32_t host, uint32_t up, uint32_t down,
                         uint32_t line, struct base_status *st)
{
    (void)line;
    struct platform_star *star = p->zones.at[zone].star;
    if (p->zones.at[zone].kind->open != platform_star_open && star_check(p, zone, &platform_zone_star, st))
        return -1;
    struct platform_spoke new = {.at = platform_point_of(PLATFORM_IS_HOST, host),
                                 .up = up,
                                 .down = down,
                                 .order = (uint32_t)star->spokes.n};
    BASE_ARRAY_PUSH(&star->spokes, new);
    return 0;
}

int platform_star_host_link_add(struct platform *p, uint32_t zone, const char *host, const char *up,
                                const char *down, uint32_t line, struct base_status *st)
{
    if (star_check(p, zone, &platform_zone_star, st))
        return -1;
    struct platform_host_link new = {platform_names_keep(p->names, host, strlen(host)),
                                     platform_names_keep(p->names, up, strlen(up)),
                                     platform_names_keep(p->names, down, strlen(down)), line};
    BASE_ARRAY_PUSH(&p->zones.at[zone].star->host_links, new);
    return 0;
}

int platform_star_backbone_add(struct platform *p, uint32_t zone, struct platform_link link, uint32_t line,
                               struct base_status *st)
{
    struct platform_star *star = p->zones.at[zone].star;
    if (star_check(p, zone, &platform_zone_star, st))
        return -1;
    if (star->backbone != PLATFORM_NONE)
        return base_fail(st, "a second backbone; the first is at line %u", star->backbone_line);
    star->backbone_line = line;
    return platform_link_add(p, link, false, line, &star->backbone, st);
}

/* --- sealing ------------------------------------------------------------------------------------ */

static int host_find(const struct platform *p, const struct platform_zone *z,
                     const struct platform_host_link *link, uint32_t *host, struct base_status *st)
{
    if (platform_host_find(p, link->host, host))
        return base_fail(st, "<host_link id=\"%.80s\">: no host has this name", link->host);
    if (p->host_zone.at[*host] != z->id)
        return base_fail(st,
                         "<host_link id=\"%.80s\">: the host lies in zone '%s'; expected one of zone '%s'",
                         link->host, p->zones.at[p->host_zone.at[*host]].name, z->name);
    return 0;
}

static int link_find(const struct platform *p, const char *attribute, const char *name, uint32_t *id,
                     struct base_status *st)
{
    if (!platform_link_find(p, name, id))
        return base_fail(st, "<host_link %s=\"%.80s\">: no link has this name", attribute, name);
    if (*id & PLATFORM_SPLIT)
        return base_fail(st, "<host_link %s=\"%.80s\">: a SPLITDUPLEX link; expected %.80s_UP or %.80s_DOWN",
                         attribute, name, name, name);
    return 0;
}

static int host_links_resolve(struct platform *p, struct platform_zone *z, uint32_t *line,
                              struct base_status *st)
{
    for (size_t k = 0; k < z->star->host_links.n; k++) {
        const struct platform_host_link *link = &z->star->host_links.at[k];
        uint32_t host, up, down;
        *line = link->line;
        if (host_find(p, z, link, &host, st) || link_find(p, "up", link->up, &up, st) ||
            link_find(p, "down", link->down, &down, st) ||
            platform_star_attach(p, z->id, host, up, down, link->line, st))
            return -1;
    }
    return 0;
}

static int by_point_order(const void *left, const void *right)
{
    const struct platform_spoke *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static int by_point_first(const void *left, const void *right)
{
    const struct platform_declared *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Sorts, and of what was declared for one point keeps the last. */
static void last_kept(struct platform_star *star)
{
    size_t spokes = 0, routes = 0;
    if (star->spokes.n)
        qsort(star->spokes.at, star->spokes.n, sizeof *star->spokes.at, by_point_order);
    for (size_t k = 0; k < star->spokes.n; k++)
        if (k + 1 == star->spokes.n || star->spokes.at[k].at != star->spokes.at[k + 1].at)
            star->spokes.at[spokes++] = star->spokes.at[k];
    star->spokes.n = spokes;
    struct platform_full *full = &star->itself;
    if (full->routes.n)
        qsort(full->routes.at, full->routes.n, sizeof *full->routes.at, by_point_first);
    for (size_t k = 0; k < full->routes.n; k++)
        if (k + 1 == full->routes.n || full->routes.at[k].from != full->routes.at[k + 1].from)
            full->routes.at[routes++] = full->routes.at[k];
    full->routes.n = routes;
}

int platform_star_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    if (host_links_resolve(p, z, line, st))
        return -1;
    last_kept(z->star);
    return 0;
}

/* --- the rest ----------------------------------------------------------------------------------- */

void platform_star_release(struct platform_zone *z)
{
    free(z->star->host_links.at);
    free(z->star->spokes.at);
    free(z->star->itself.routes.at);
    free(z->star);
}

void platform_star_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    (void)p;
    fprintf(out, "%zu host%s with own links%s", z->star->spokes.n, z->star->spokes.n == 1 ? "" : "s",
            z->star->backbone == PLATFORM_NONE ? "" : ", shared backbone");
}

void platform_star_check(const struct platform *p, const struct platform_zone *z)
{
    for (size_t k = 0; k < z->star->spokes.n; k++) {
        const struct platform_spoke *at = &z->star->spokes.at[k];
        BASE_ASSERT("P2", platform_point_zone(p, at->at) == z->id && (k == 0 || at[-1].at < at->at));
        BASE_ASSERT("P1", at->up < p->links.n && at->down < p->links.n);
    }
    platform_declared_verify(p, z, &z->star->itself);
}

const struct platform_zone_kind platform_zone_star = {
    .name = "Cluster",
    .open = platform_star_open,
    .gateways = platform_gateways_none,
    .append = platform_star_append,
    .route_add = platform_star_route_add,
    .seal = platform_star_seal,
    .link_find = platform_link_none,
    .release = platform_star_release,
    .print = platform_star_print,
    .check = platform_star_check,
};
