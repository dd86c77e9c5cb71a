/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * routes: what the files of zone/ share: the path being computed, declared routes, and what is kept for all
 * zones of a platform.
 */
#ifndef PGASIM_PLATFORM_ROUTES_H
#define PGASIM_PLATFORM_ROUTES_H

#include "platform/zone/zone.h"

/* --- a path ------------------------------------------------------------------------------------- */

/* The links crossed so far and the sum of their latencies. */
struct platform_path {
    BASE_ARRAY(uint32_t) links;
    double latency;
    bool uneven; /* noted by a quick zone: the way back has another latency */
    /* Dijkstra zones put their links before those added since this index, as SimGrid does. */
    size_t list;
    uint32_t depth, parts;      /* of the search so far (path.c) */
    BASE_ARRAY(uint32_t) hops;  /* scratch of graph.c */
    BASE_ARRAY(uint32_t) aside; /* and of path.c */
    /* If there is no route: the zone that should have one, between which of its points, and why there can be
     * none (NULL: it is not declared). */
    bool gap;
    uint32_t gap_zone;
    platform_point gap_from, gap_to;
    const char *gap_why;
};
static inline void platform_path_push(struct platform_path *path, uint32_t link)
{
    BASE_ARRAY_PUSH(&path->links, link);
}
/* Space for at most `most` further links; the caller then sets how many there are. */
static inline uint32_t *platform_path_room(struct platform_path *path, size_t most)
{
    if (BASE_UNLIKELY(path->links.n + most > path->links.cap))
        path->links.at = base_array_grow(path->links.at, &path->links.cap, path->links.n + most,
                                         sizeof *path->links.at, "links of a route");
    return path->links.at + path->links.n;
}
void platform_path_release(struct platform_path *path); /* path.c */
/* Notes the gap; always returns -1. */
int platform_path_gap(struct platform_path *path, uint32_t zone, platform_point from, platform_point to);
/* The same, with a reason that declaring a route would not remove. */
int platform_path_refuse(struct platform_path *path, uint32_t zone, platform_point from, platform_point to,
                         const char *why);
/* Appends the route between two points of any zones; -1 with the gap if there is none. */
int platform_path_between(const struct platform *p, platform_point from, platform_point to,
                          struct platform_path *path);

/* --- what is kept for all zones ----------------------------------------------------------------- */

/* Coordinates of a host or router for Vivaldi zones, in ms. */
struct platform_place {
    platform_point at;
    double x[3];
};
/* A bypass route of `zone`; its gateways are PLATFORM_NONE if both ends are points of the zone. */
struct platform_bypass {
    uint32_t zone;
    struct platform_declared route;
};
struct platform_routes {
    BASE_ARRAY(uint32_t) links;                  /* of declared routes */
    BASE_ARRAY(struct platform_place) places;    /* sorted once sealed */
    BASE_ARRAY(struct platform_bypass) bypasses; /* sorted by zone, from, to once sealed */
    BASE_ARRAY(uint32_t) regular;                /* the zones with a platform_regular, in order */
    uint32_t fat_tree_hosts;                     /* in all fat trees; SimGrid numbers them consecutively */
    uint32_t loopback; /* the link of points to themselves in Full, Floyd, Dijkstra zones, or PLATFORM_NONE */
    struct platform_path path; /* of the last platform_route */
};

/* --- declared routes (declared.c, bypass.c) ------------------------------------------------------ */

int platform_bypasses_seal(struct platform *p, uint32_t *line, struct base_status *st);
/* NULL: there is none. */
const struct platform_declared *platform_bypass_find(const struct platform *p, uint32_t zone,
                                                     platform_point from, platform_point to);

int platform_declared_check(const struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                            struct base_status *st);
struct platform_declared platform_declared_make(struct platform *p, const struct platform_route_spec *spec,
                                                bool backwards);
/* Sorts, and finds repeated pairs. */
int platform_declared_seal(const struct platform *p, struct platform_full *full, uint32_t *line,
                           struct base_status *st);
const struct platform_declared *platform_declared_find(const struct platform_full *full, platform_point from,
                                                       platform_point to);
void platform_declared_append(const struct platform *p, const struct platform_declared *route,
                              struct platform_path *path);
/* Adds only the route's latency; link by link, so that sums are SimGrid's to the last digit. */
void platform_declared_wait(const struct platform *p, const struct platform_declared *route,
                            struct platform_path *path);
/* Asserts P1, P2, P4, P5. */
void platform_declared_verify(const struct platform *p, const struct platform_zone *z,
                              const struct platform_full *full);
void platform_loopback_append(const struct platform *p, struct platform_path *path);
void platform_loopback_create(struct platform *p);
/* Slots of kinds that compute no links, or have no routes between zones. */
bool platform_link_none(const struct platform *p, const struct platform_zone *z, const char *name,
                        uint32_t *id);
int platform_gateways_none(const struct platform *p, const struct platform_zone *z, platform_point from,
                           platform_point to, struct platform_path *path, platform_point gateways[2]);

/* --- places (places.c) --------------------------------------------------------------------------- */

void platform_places_seal(struct platform *p);
/* Seconds between two points; -1 when one of them has no place. */
double platform_place_distance(const struct platform *p, platform_point a, platform_point b);

#endif
