/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build: the functions by which the files of platform/ make a platform and find ways through it (its structures:
 * inside.h).
 */
#ifndef PGASIM_PLATFORM_BUILD_H
#define PGASIM_PLATFORM_BUILD_H

#include "platform/inside.h"

/* --- building (build.c, zone_*.c, declared.c, bypass.c, properties.c) ---------------------------- */

/* All: -1 with st, without file and line, when something is wrong; `line` is kept for later reports. */
struct platform *platform_create(const char *file);
int platform_zone_add(struct platform *p, uint32_t parent, const char *name, uint32_t line,
                      const struct platform_zone_kind *kind, uint32_t *id, struct base_status *st);
int platform_host_add(struct platform *p, uint32_t zone, const char *name, double speed, uint32_t cores,
                      uint32_t line, uint32_t *id, struct base_status *st);
int platform_router_add(struct platform *p, uint32_t zone, const char *name, uint32_t line, uint32_t *id,
                        struct base_status *st);
/* A split link is two, NAME_UP (the id given back) and NAME_DOWN (the next). */
int platform_link_add(struct platform *p, struct platform_link link, bool split, uint32_t line, uint32_t *id,
                      struct base_status *st);
uint32_t platform_link_append(struct platform *p, struct platform_link link); /* without a name of its own */
/* Finds a link, or with PLATFORM_SPLIT in *id a split one, by name. */
bool platform_link_find(const struct platform *p, const char *name, uint32_t *id);
/* Zones are sealed inside out; the platform when all of them are. On failure *line is where. */
int platform_zone_seal(struct platform *p, uint32_t zone, uint32_t *line, struct base_status *st);
int platform_seal(struct platform *p, uint32_t *line, struct base_status *st);

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
/* As the zone's kind has it. */
int platform_route_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                       struct base_status *st);
/* A <bypassRoute> or, between_zones, a <bypassZoneRoute> (bypass.c). */
int platform_bypass_add(struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                        struct base_status *st);
int platform_bypasses_seal(struct platform *p, uint32_t *line, struct base_status *st);
/* NULL: there is none. */
const struct platform_declared *platform_bypass_find(const struct platform *p, uint32_t zone,
                                                     platform_point from, platform_point to);

/* What zones of declared routes share (declared.c). */
int platform_declared_check(const struct platform *p, uint32_t zone, const struct platform_route_spec *spec,
                            struct base_status *st);
struct platform_declared platform_declared_make(struct platform *p, const struct platform_route_spec *spec,
                                                bool backwards);
/* Sorts, and finds the second route of a pair. */
int platform_declared_seal(const struct platform *p, struct platform_full *full, uint32_t *line,
                           struct base_status *st);
const struct platform_declared *platform_declared_find(const struct platform_full *full, platform_point from,
                                                       platform_point to);
void platform_declared_append(const struct platform *p, const struct platform_declared *route,
                              struct platform_path *path);
/* Its latency alone; link by link, so that sums are SimGrid's to the last digit. */
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

/* The links of a host in a zone of routing Cluster or Vivaldi (zone_star.c); a later call for the host holds. */
int platform_star_attach(struct platform *p, uint32_t zone, uint32_t host, uint32_t up, uint32_t down,
                         uint32_t line, struct base_status *st);
/* By names, which need be known when the zone ends only. */
int platform_star_host_link_add(struct platform *p, uint32_t zone, const char *host, const char *up,
                                const char *down, uint32_t line, struct base_status *st);
int platform_star_backbone_add(struct platform *p, uint32_t zone, struct platform_link link, uint32_t line,
                               struct base_status *st);
/* A host of a Vivaldi zone with its own links (zone_vivaldi.c). */
int platform_peer_add(struct platform *p, uint32_t zone, const char *name, double speed, double in,
                      double out, uint32_t line, uint32_t *host, struct base_status *st);
/* "x y z" in ms; the empty text is no place. */
int platform_place_add(struct platform *p, platform_point at, const char *text, struct base_status *st);
void platform_places_seal(struct platform *p);
/* Seconds between two points; -1 when one of them has no place. */
double platform_place_distance(const struct platform *p, platform_point a, platform_point b);

/* "0-9,12,20-29". -1 with st, and when it makes more hosts than p may have. (radical.c) */
int platform_radical_parse(const struct platform *p, const char *text, struct platform_radical *out,
                           struct base_status *st);
bool platform_radical_find(const struct platform_radical *r, uint64_t number, uint32_t *index);
uint32_t platform_radical_number(const struct platform_radical *r, uint32_t index);
void platform_radical_release(struct platform_radical *r);
/* A number without sign and leading zeros, as in computed names; *at ends behind it. */
bool platform_name_number(const char **at, uint64_t *out);

/* A cluster as declared; 0 or NULL where something is left out. */
struct platform_cluster_spec {
    const char *id, *prefix, *suffix, *radical;
    const char *router; /* flat clusters only, as are the backbone's */
    double speed;
    uint32_t cores;
    double bandwidth, latency;
    bool split;
    double backbone_bandwidth, backbone_latency;
    enum platform_policy backbone_policy;
    double limiter_bandwidth;
    double loopback_bandwidth, loopback_latency;
};
/* The suffixes of a host's links behind "<id>_link_<number>", in the order of their ids; how many. */
unsigned platform_cluster_suffixes(const struct platform_cluster *c, const char *suffixes[4]);
int platform_cluster_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         uint32_t line, uint32_t *zone, struct base_status *st);
/* Parts of it (cluster_build.c): room for so many more at once; the host of each of the first n numbers; no link declared
 * before has a name that zone z computes. */
void platform_reserve(struct platform *p, size_t hosts, size_t links);
int platform_cluster_hosts_add(struct platform *p, uint32_t zone, const struct platform_cluster_spec *spec,
                               const struct platform_radical *radical, uint32_t n, uint32_t line,
                               struct base_status *st);
int platform_cluster_clash(const struct platform *p, uint32_t zone, struct base_status *st);
/* The zone that has this link among those computed by a regular cluster, or NULL (regular_names.c). */
const struct platform_zone *platform_regular_of_link(const struct platform *p, uint32_t link);
/* A link of a fat tree or dragonfly, whose names do not begin with their zone's. */
bool platform_regular_link_find(const struct platform *p, const char *name, uint32_t *id);

/* A <cabinet>: hosts PREFIX N SUFFIX, each with its links "link_<host>_UP" and "link_<host>_DOWN", in a zone of routing
 * Cluster (cabinet.c). */
struct platform_cabinet_spec {
    const char *prefix, *suffix, *radical;
    double speed, bandwidth, latency;
};
int platform_cabinet_add(struct platform *p, uint32_t zone, const struct platform_cabinet_spec *spec,
                         uint32_t line, struct base_status *st);

void platform_property_add(struct platform *p, uint32_t owner, const char *key, const char *value,
                           uint32_t line);
int platform_properties_seal(struct platform *p, uint32_t *line, struct base_status *st);

/* --- profiles (profile.c, profile_text.c) --------------------------------------------------------- */

/* Reads lines TIME VALUE and what SimGrid's profiles have besides. periodicity > 0: as if the text said so. -1 with st and
 * *line when something is wrong; the changes of `out` are the caller's to free. */
int platform_trace_parse(struct platform_trace *out, const char *text, size_t size, double periodicity,
                         uint32_t *line, struct base_status *st);
/* The trace becomes the platform's; its number. */
uint32_t platform_trace_add(struct platform *p, struct platform_trace trace);
/* The trace of a file, which is looked for in the folders of `path` (those of a setting of this name, NULL: none) and beside
 * the platform's file, and read once. -1 with st as "FILE:LINE: ...". */
int platform_trace_of_file(struct platform *p, const char *name, const char *path, uint32_t *trace,
                           struct base_status *st);
void platform_profile_add(struct platform *p, enum platform_trait trait, uint32_t id, uint32_t trace,
                          uint32_t line);
/* No two of one trait of one thing. */
int platform_profiles_seal(struct platform *p, uint32_t *line, struct base_status *st);
void platform_profiles_release(struct platform *p);

/* --- deployment (deployment.c) --------------------------------------------------------------------- */

bool platform_is_deployment(const char *text, size_t size); /* XML, not a list of hosts */
/* The hosts of ranks 0 to *n - 1, to be freed by the caller. */
int platform_deployment_read(const struct platform *p, const char *text, size_t size, const char *name,
                             uint32_t **hosts, uint32_t *n, struct base_status *st);

/* --- routes (path.c) ---------------------------------------------------------------------------- */

/* Appends the route between two points of any zones; -1 with the gap when there is none. */
int platform_path_between(const struct platform *p, platform_point from, platform_point to,
                          struct platform_path *path);

/* --- files (file.c) ----------------------------------------------------------------------------- */

/* Reads all of a file; *text has a 0 behind its last byte and is freed by the caller. */
int platform_file_read(const char *path, char **text, size_t *size, struct base_status *st);

/* platform_load_text for at most `host_limit` hosts (fuzzing: small machines, short runs). */
int platform_read(struct platform **out, const char *text, size_t size, const char *name,
                  struct base_settings *settings, uint32_t host_limit, struct base_status *st);

#endif
