/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zone: kinds of zone and the routes through them: a platform's life, the declarations that depend on the
 * kind, and what a picture needs to know about a zone.
 */
#ifndef PGASIM_PLATFORM_ZONE_H
#define PGASIM_PLATFORM_ZONE_H

#include "platform/zone/shape.h"

/* --- a platform with its zones (zone.c) ---------------------------------------------------------- */

struct platform *platform_create(const char *file);
/* Zones are sealed from the inside out, then the platform. On failure *line is the place. */
int platform_zone_seal(struct platform *p, uint32_t zone, uint32_t *line, struct base_status *st);
int platform_seal(struct platform *p, uint32_t *line, struct base_status *st);

/* --- kinds (kinds.c) ----------------------------------------------------------------------------- */

extern const struct platform_zone_kind platform_zone_full, platform_zone_cluster;
extern const struct platform_zone_kind platform_zone_floyd, platform_zone_dijkstra,
    platform_zone_dijkstra_cache;
extern const struct platform_zone_kind platform_zone_star, platform_zone_vivaldi, platform_zone_none;
extern const struct platform_zone_kind platform_zone_torus, platform_zone_mesh, platform_zone_fat_tree,
    platform_zone_dragonfly;
/* The kind of <zone routing="...">, NULL: no kind has this name. */
const struct platform_zone_kind *platform_zone_kind_find(const char *routing);

/* --- routes (declared.c, bypass.c) --------------------------------------------------------------- */

/* A declared route, one direction. Its links are `n` from platform_declared_links. */
struct platform_declared {
    platform_point from, to;
    uint32_t first, n;
    double latency;
    platform_point gateway_from, gateway_to; /* routes between zones only */
    uint32_t line;
};
/* Declared routes, sorted by (from, to) once the zone is sealed. */
struct platform_full {
    BASE_ARRAY(struct platform_declared) routes;
};
/* The routes declared in a zone, NULL: its kind keeps none. */
const struct platform_full *platform_zone_declared(const struct platform_zone *z);
const uint32_t *platform_declared_links(const struct platform *p, const struct platform_declared *route);

/* One link of a route as declared. */
enum platform_direction { PLATFORM_WHOLE, PLATFORM_UP, PLATFORM_DOWN };
struct platform_crossing {
    uint32_t link; /* the UP half of a split one */
    enum platform_direction direction;
};
struct platform_route_spec {
    platform_point from, to;
    bool between_zones;
    platform_point gateway_from, gateway_to;
    bool symmetrical;
    BASE_ARRAY(struct platform_crossing) crossings;
    uint32_t line;
};
/* Declares a route as the zone's kind requires. */
int platform_route_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                       struct base_status *st);
/* The first or last link of the route between two hosts; PLATFORM_NONE if there is none (path.c). */
uint32_t platform_route_end(const struct platform *p, uint32_t src, uint32_t dst, bool last);
/* A <bypassRoute> or, between_zones, a <bypassZoneRoute>. */
int platform_bypass_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                        struct base_status *st);

/* --- hosts with links of their own (star.c, places.c, vivaldi.c, cabinet.c) ---------------------- */

/* By names, which may be declared later in the zone. */
int platform_star_host_link_add(struct platform *p, uint32_t zone, const char *host, const char *up,
                                const char *down, uint32_t line, struct base_status *st);
int platform_star_backbone_add(struct platform *p, uint32_t zone, struct platform_link link, uint32_t line,
                               struct base_status *st);
/* A host of a Vivaldi zone with its own links. */
int platform_peer_add(struct platform *p, uint32_t zone, const char *name, double speed, double in,
                      double out, uint32_t line, uint32_t *host, struct base_status *st);
/* "x y z" in ms; the empty text is no place. */
int platform_place_add(struct platform *p, platform_point at, const char *text, struct base_status *st);
/* A <cabinet>: hosts PREFIX N SUFFIX, each with links "link_<host>_UP"
 * and "link_<host>_DOWN", in a zone with routing Cluster. */
struct platform_cabinet_spec {
    const char *prefix, *suffix, *radical;
    double speed, bandwidth, latency;
};
int platform_cabinet_add(struct platform *p, uint32_t zone, const struct platform_cabinet_spec *spec,
                         uint32_t line, struct base_status *st);

/* --- clusters (cluster.c, regular.c) ------------------------------------------------------------- */

/* A flat cluster. Its links: the backbone, then for each host [loopback] [limiter] up [down]. */
struct platform_cluster {
    uint32_t backbone; /* link id or PLATFORM_NONE */
    uint32_t first_link;
    uint8_t per_host; /* links of one host */
    bool loopback, limiter, split;
    double host_to_host, host_to_router, host_to_itself; /* latencies */
    struct platform_radical radical;
};

/* A cluster as declared; 0 or NULL for what is left out. */
struct platform_cluster_spec {
    const char *id, *prefix, *suffix, *radical;
    const char *router; /* only for flat clusters, like the backbone's fields */
    double speed;
    uint32_t cores;
    double bandwidth, latency;
    bool split;
    double backbone_bandwidth, backbone_latency;
    enum platform_policy backbone_policy;
    double limiter_bandwidth;
    double loopback_bandwidth, loopback_latency;
};
int platform_cluster_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         uint32_t line, uint32_t *zone, struct base_status *st);
/* spec->radical may have more numbers than the shape has hosts: the rest is ignored, as in SimGrid. */
int platform_regular_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         const struct platform_shape *shape, uint32_t line, uint32_t *zone,
                         struct base_status *st);

#endif
