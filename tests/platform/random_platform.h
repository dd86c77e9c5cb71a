/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random platform file together with the simplest model of its routes: names in tables that are searched
 * linearly. The reference for test_random.c, and the source of files for the comparison with SimGrid.
 */
#ifndef PGASIM_TESTS_PLATFORM_RANDOM_H
#define PGASIM_TESTS_PLATFORM_RANDOM_H

#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum { NAME = 48, ZONES = 40, POINTS = 200, LINKS = 400, ROUTES = 2000, CROSSED = 4, DEPTH = 4 };

struct random_link {
    char name[NAME];
    bool split;
    double latency; /* ns */
};
/* A declared route, one direction, its links as they will be printed. */
struct random_route {
    int zone;
    char from[NAME], to[NAME], gateway_from[NAME], gateway_to[NAME];
    char links[CROSSED][NAME];
    int n;
    double latency;
};
struct random_point {
    char name[NAME];
    int zone;
    bool host;
};
struct random_zone {
    char name[NAME];
    int parent, depth;
    bool cluster, split, backbone, limiter, loopback;
    double latency, backbone_latency, loopback_latency;
};
struct random_platform {
    struct base_random random;
    FILE *xml;
    struct random_zone zones[ZONES];
    struct random_point points[POINTS];
    struct random_link links[LINKS];
    struct random_route routes[ROUTES];
    int n_zones, n_points, n_links, n_routes;
    bool complete; /* every pair has a route */
};

static inline int random_below(struct random_platform *r, int n)
{
    return (int)base_random_below(&r->random, (uint64_t)n);
}

static inline bool random_yes(struct random_platform *r)
{
    return random_below(r, 2);
}

/* --- links and routes --------------------------------------------------------------------------- */

static inline void random_link_add(struct random_platform *r)
{
    static const char *const policies[] = {"SHARED", "FATPIPE", "SPLITDUPLEX", "FULLDUPLEX"};
    struct random_link *l = &r->links[r->n_links];
    int policy = random_below(r, 4);
    snprintf(l->name, NAME, "link%d", r->n_links++);
    l->split = policy >= 2;
    l->latency = random_below(r, 1000);
    fprintf(r->xml, "<link id=\"%s\" bandwidth=\"%dMBps\" latency=\"%gns\" sharing_policy=\"%s\"/>\n",
            l->name, 1 + random_below(r, 1000), l->latency, policies[policy]);
}

static inline void random_cross(struct random_platform *r, struct random_route *there,
                                struct random_route *back, int k)
{
    static const char *const words[] = {"NONE", "UP", "DOWN"};
    const struct random_link *l = &r->links[random_below(r, r->n_links)];
    int direction = l->split ? 1 + random_below(r, 2) : 0;
    const char *halves[] = {"", "_UP", "_DOWN"};
    fprintf(r->xml, "<link_ctn id=\"%s\" direction=\"%s\"/>", l->name, words[direction]);
    snprintf(there->links[k], NAME, "%.32s%s", l->name, halves[direction]);
    snprintf(back->links[there->n - 1 - k], NAME, "%.32s%s", l->name, halves[direction ? 3 - direction : 0]);
    there->latency += l->latency;
}

static inline bool random_has_route(const struct random_platform *r, int zone, const char *from,
                                    const char *to)
{
    for (int k = 0; k < r->n_routes; k++)
        if (r->routes[k].zone == zone && !strcmp(r->routes[k].from, from) && !strcmp(r->routes[k].to, to))
            return true;
    return false;
}

/* Declares a route unless it is declared already. */
static inline void random_route_add(struct random_platform *r, int zone, const char *from, const char *to,
                                    const char *gateway_from, const char *gateway_to)
{
    bool symmetrical = strcmp(from, to) && random_yes(r) && !random_has_route(r, zone, to, from);
    if (r->n_routes + 2 > ROUTES || random_has_route(r, zone, from, to))
        return;
    const char *tag = gateway_from ? "zoneRoute" : "route";
    struct random_route there = {.zone = zone, .n = 1 + random_below(r, CROSSED)}, back = there;
    snprintf(there.from, NAME, "%s", from);
    snprintf(there.to, NAME, "%s", to);
    snprintf(there.gateway_from, NAME, "%s", gateway_from ? gateway_from : "");
    snprintf(there.gateway_to, NAME, "%s", gateway_to ? gateway_to : "");
    memcpy(back.from, there.to, NAME);
    memcpy(back.to, there.from, NAME);
    memcpy(back.gateway_from, there.gateway_to, NAME);
    memcpy(back.gateway_to, there.gateway_from, NAME);
    fprintf(r->xml, "<%s src=\"%s\" dst=\"%s\"", tag, from, to);
    if (gateway_from)
        fprintf(r->xml, " gw_src=\"%s\" gw_dst=\"%s\"", gateway_from, gateway_to);
    fprintf(r->xml, "%s>", symmetrical ? random_yes(r) ? "" : " symmetrical=\"yes\"" : " symmetrical=\"NO\"");
    for (int k = 0; k < there.n; k++)
        random_cross(r, &there, &back, k);
    fprintf(r->xml, "</%s>\n", tag);
    back.latency = there.latency;
    r->routes[r->n_routes++] = there;
    if (symmetrical)
        r->routes[r->n_routes++] = back;
}

/* --- zones -------------------------------------------------------------------------------------- */

static inline void random_point_add(struct random_platform *r, int zone, const char *name, bool host)
{
    struct random_point *at = &r->points[r->n_points++];
    snprintf(at->name, NAME, "%.47s", name);
    at->zone = zone;
    at->host = host;
}

static inline int random_zone_add(struct random_platform *r, int parent, const char *prefix)
{
    struct random_zone *z = &r->zones[r->n_zones];
    *z = (struct random_zone){.parent = parent, .depth = parent < 0 ? 0 : r->zones[parent].depth + 1};
    snprintf(z->name, NAME, "%s%d", prefix, r->n_zones);
    return r->n_zones++;
}

static inline void random_cluster(struct random_platform *r, int parent)
{
    struct random_zone *z = &r->zones[random_zone_add(r, parent, "cluster")];
    int zone = (int)(z - r->zones), hosts = 1 + random_below(r, 5);
    char name[2 * NAME + 16];
    z->cluster = true;
    z->split = random_yes(r), z->backbone = random_yes(r), z->limiter = random_yes(r),
    z->loopback = random_yes(r);
    z->latency = random_below(r, 100), z->backbone_latency = random_below(r, 100);
    z->loopback_latency = random_below(r, 100);
    fprintf(r->xml,
            "<cluster id=\"%s\" prefix=\"%s-\" suffix=\".z\" radical=\"%s%d\" speed=\"1Gf\" bw=\"1GBps\" "
            "lat=\"%gns\" sharing_policy=\"%s\"",
            z->name, z->name, hosts > 1 ? "0-" : "", hosts - 1, z->latency,
            z->split ? "SPLITDUPLEX" : "SHARED");
    if (z->backbone)
        fprintf(r->xml, " bb_bw=\"2GBps\" bb_lat=\"%gns\" bb_sharing_policy=\"%s\"", z->backbone_latency,
                random_yes(r) ? "SHARED" : "FATPIPE");
    if (z->limiter)
        fprintf(r->xml, " limiter_link=\"3GBps\"");
    if (z->loopback)
        fprintf(r->xml, " loopback_bw=\"4GBps\" loopback_lat=\"%gns\"", z->loopback_latency);
    fprintf(r->xml, "/>\n");
    for (int k = 0; k < hosts; k++) {
        snprintf(name, sizeof name, "%s-%d.z", z->name, k);
        random_point_add(r, zone, name, true);
    }
    snprintf(name, sizeof name, "%s-%s_router.z", z->name, z->name);
    random_point_add(r, zone, name, false);
}

static inline void random_leaf(struct random_platform *r, int parent)
{
    int zone = random_zone_add(r, parent, "leaf"), first = r->n_points, hosts = 1 + random_below(r, 4);
    char name[NAME];
    fprintf(r->xml, "<zone id=\"%s\" routing=\"Full\">\n", r->zones[zone].name);
    for (int k = 0; k < hosts + 1; k++) {
        bool host = k < hosts;
        snprintf(name, NAME, "point%d", r->n_points);
        fprintf(r->xml, host ? "<host id=\"%s\" speed=\"1Gf\"/>\n" : "<router id=\"%s\"/>\n", name);
        random_point_add(r, zone, name, host);
    }
    for (int k = random_below(r, 4); k >= 0; k--)
        random_link_add(r);
    for (int a = first; a < r->n_points; a++)
        for (int b = first; b < r->n_points; b++)
            if ((a != b && (r->complete || random_below(r, 10))) ||
                (a == b && r->points[a].host && !random_below(r, 3)))
                random_route_add(r, zone, r->points[a].name, r->points[b].name, NULL, NULL);
    fprintf(r->xml, "</zone>\n");
}

static inline bool random_inside(const struct random_platform *r, int zone, int outer)
{
    for (; zone >= 0; zone = r->zones[zone].parent)
        if (zone == outer)
            return true;
    return false;
}

static inline const char *random_gateway(struct random_platform *r, int zone)
{
    for (;;) {
        const struct random_point *at = &r->points[random_below(r, r->n_points)];
        if (random_inside(r, at->zone, zone))
            return at->name;
    }
}

static inline void random_inner(struct random_platform *r, int parent)
{
    int zone = random_zone_add(r, parent, "zone"), children = 1 + random_below(r, 3), child[4];
    fprintf(r->xml, "<zone id=\"%s\" routing=\"full\">\n", r->zones[zone].name);
    for (int k = 0; k < children; k++) {
        child[k] = r->n_zones;
        if (r->zones[zone].depth < DEPTH && r->n_zones < ZONES - 16 && random_yes(r))
            random_inner(r, zone);
        else if (random_yes(r))
            random_cluster(r, zone);
        else
            random_leaf(r, zone);
    }
    random_link_add(r);
    for (int a = 0; a < children; a++)
        for (int b = 0; b < children; b++)
            if (a != b && (r->complete || random_below(r, 10)))
                random_route_add(r, zone, r->zones[child[a]].name, r->zones[child[b]].name,
                                 random_gateway(r, child[a]), random_gateway(r, child[b]));
    fprintf(r->xml, "</zone>\n");
}

/* Writes a platform to `xml`; the same seed and stream give the same one. */
static inline void random_platform_make(struct random_platform *r, uint64_t seed, uint64_t stream,
                                        bool complete, FILE *xml)
{
    memset(r, 0, sizeof *r);
    r->complete = complete;
    base_random_seed(&r->random, seed, stream);
    r->xml = xml;
    fprintf(xml, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n");
    random_inner(r, -1);
    fprintf(xml, "</platform>\n");
}

/* --- the plain model ---------------------------------------------------------------------------- */

/* The links crossed, each after a space, and the latency in ns. */
struct random_answer {
    char text[8192];
    double latency;
};

static inline void random_answer_add(struct random_answer *a, const char *format, const char *zone,
                                     const char *number)
{
    size_t used = strlen(a->text);
    snprintf(a->text + used, sizeof a->text - used, format, zone, number);
}

static inline void random_in_cluster(const struct random_zone *z, const struct random_point *from,
                                     const struct random_point *to, struct random_answer *a)
{
    char s[NAME], d[NAME];
    snprintf(s, NAME, "%s", from->name + strlen(z->name) + 1);
    snprintf(d, NAME, "%s", to->name + strlen(z->name) + 1);
    *strrchr(s, '.') = *strrchr(d, '.') = 0;
    if (from == to && from->host && z->loopback) {
        random_answer_add(a, " %s_link_%s_loopback", z->name, s);
        a->latency += z->loopback_latency;
        return;
    }
    if (from->host) {
        if (z->limiter)
            random_answer_add(a, " %s_link_%s_limiter", z->name, s);
        random_answer_add(a, z->split ? " %s_link_%s_UP" : " %s_link_%s", z->name, s);
        a->latency += z->latency;
    }
    if (z->backbone && (from->host || to->host)) {
        random_answer_add(a, " %s_backbone%s", z->name, "");
        a->latency += z->backbone_latency;
    }
    if (to->host && (from != to || z->split)) {
        random_answer_add(a, z->split ? " %s_link_%s_DOWN" : " %s_link_%s", z->name, d);
        a->latency += z->latency;
    }
    if (to->host && from != to && z->limiter)
        random_answer_add(a, " %s_link_%s_limiter", z->name, d);
}

static inline const struct random_route *random_declared(const struct random_platform *r, int zone,
                                                         const char *from, const char *to)
{
    for (int k = 0; k < r->n_routes; k++)
        if (r->routes[k].zone == zone && !strcmp(r->routes[k].from, from) && !strcmp(r->routes[k].to, to))
            return &r->routes[k];
    return NULL;
}

static inline bool random_follow(const struct random_route *route, struct random_answer *a)
{
    for (int k = 0; route && k < route->n; k++)
        random_answer_add(a, " %s%s", route->links[k], "");
    a->latency += route ? route->latency : 0;
    return route;
}

static inline const struct random_point *random_point(const struct random_platform *r, const char *name)
{
    for (int k = 0; k < r->n_points; k++)
        if (!strcmp(r->points[k].name, name))
            return &r->points[k];
    return NULL;
}

/* The route by its definition; false if zones have none between them, or if the whole route has no links. */
static inline bool random_expected(const struct random_platform *r, const struct random_point *from,
                                   const struct random_point *to, struct random_answer *a)
{
    if (from->zone == to->zone) {
        const struct random_zone *z = &r->zones[from->zone];
        const struct random_route *route = random_declared(r, from->zone, from->name, to->name);
        if (z->cluster)
            random_in_cluster(z, from, to, a);
        else if (!route && from == to)
            random_answer_add(a, " %s%s", "__loopback__", "");
        else
            random_follow(route, a); /* without one nothing is added */
        return true;
    }
    int common = from->zone, side_from = from->zone, side_to = to->zone;
    while (!random_inside(r, to->zone, common))
        common = r->zones[common].parent;
    while (r->zones[side_from].parent != common)
        side_from = r->zones[side_from].parent;
    while (r->zones[side_to].parent != common)
        side_to = r->zones[side_to].parent;
    const struct random_route *route =
        random_declared(r, common, r->zones[side_from].name, r->zones[side_to].name);
    if (!route)
        return false;
    const struct random_point *out = random_point(r, route->gateway_from),
                              *in = random_point(r, route->gateway_to);
    return (from == out || random_expected(r, from, out, a)) && random_follow(route, a) &&
           (in == to || random_expected(r, in, to, a));
}

#endif
