/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim.h: what a program can tell the simulator (first part), and platforms that are built by C code instead
 * of written as XML (second part).
 */
#ifndef PGASIM_H
#define PGASIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* --- for programs: every call does nothing, at no simulated cost, when the program was not started by `pgasim run` */

/* The calling rank computes for as long as its simulated host takes for `flops` floating-point operations.
 * Nothing happens for values that are not positive. */
void pgasim_compute_flops(double flops);

/* The calling rank computes for `seconds` of simulated time on a core of its own; longer where ranks share cores. */
void pgasim_compute_seconds(double seconds);

/* Simulated seconds since the program's start; 0 outside of a simulation. */
double pgasim_time(void);

/* 1 in a simulated rank, else 0. */
int pgasim_simulated(void);

/* --- for platforms -------------------------------------------------------------------------------------------
 *
 * A shared object that exports
 *
 *      int pgasim_platform(struct pgasim_platform *p);     0: the platform is as built; else: it failed
 *
 * is a platform, wherever a platform file is expected: `pgasim run -platform mine.so`, `pgasim platform show mine.so`.
 * Each function below does what the XML element of its name does (docs/platform.md; SimGrid's DTD 4.1). Members that are
 * left out (0, NULL) have the element's initial value. Texts and arrays are copied. A call that is wrong ends the
 * command with status 2 and a report that names the source line, the function, and what was expected, at once or, for
 * names that are not known, when pgasim_platform has returned.
 *
 * Units: bytes/s, seconds, flop/s of one core. Names of hosts, routers and zones share one space, names of links another.
 * Within a zone the order of hosts and zones is that of the calls, and so is that of links; routes may name what any
 * call adds.
 */

struct pgasim_platform;
struct pgasim_zone;

/* Ended by a key that is NULL. */
struct pgasim_property {
    const char *key, *value;
};

/* A setting, as a <prop> in <config>: "network/model", "SMPI". */
void pgasim_config_set(struct pgasim_platform *p, const char *key, const char *value);

enum pgasim_routing {
    PGASIM_FULL,           /* every pair of its points has a declared route */
    PGASIM_FLOYD,          /* declared routes are edges; shortest ways, all worked out at once */
    PGASIM_DIJKSTRA,       /* the same, each worked out when asked for */
    PGASIM_DIJKSTRA_CACHE, /* the same, and kept */
    PGASIM_STAR,           /* each host has links of its own (pgasim_host_link_add): SimGrid's "Cluster" */
    PGASIM_VIVALDI,        /* latencies by coordinates (pgasim_peer_add) */
    PGASIM_EMPTY,          /* no routes within */
};
/* A zone in `in`, or the one that holds all others where `in` is NULL. Valid until pgasim_platform returns. */
struct pgasim_zone *pgasim_zone_add(struct pgasim_platform *p, struct pgasim_zone *in, const char *name,
                                    enum pgasim_routing routing);
void pgasim_zone_property_set(struct pgasim_zone *zone, const char *key, const char *value);

struct pgasim_host {
    const char *name;
    double speed;                        /* > 0 */
    unsigned cores;                      /* 0: 1 */
    const double *pstates;               /* speeds that the host may have, instead of `speed` */
    unsigned n_pstates, pstate;          /* how many; the one it has */
    const char *coordinates;             /* "x y z", for Vivaldi zones */
    const char *speed_file, *state_file; /* profiles */
    const struct pgasim_property *properties;
};
void pgasim_host_add(struct pgasim_zone *zone, const struct pgasim_host *host);
/* `coordinates`: NULL outside of Vivaldi zones. */
void pgasim_router_add(struct pgasim_zone *zone, const char *name, const char *coordinates);

enum pgasim_sharing {
    PGASIM_SHARED,      /* flows share the bandwidth */
    PGASIM_FATPIPE,     /* each flow may have all of it */
    PGASIM_SPLITDUPLEX, /* two links, NAME_UP and NAME_DOWN */
};
struct pgasim_link {
    const char *name;
    double bandwidth, latency; /* > 0; >= 0 */
    enum pgasim_sharing sharing;
    const char *bandwidth_file, *latency_file, *state_file; /* profiles */
    const struct pgasim_property *properties;
};
void pgasim_link_add(struct pgasim_zone *zone, const struct pgasim_link *link);

/* One link of a route; the direction of a SPLITDUPLEX one. */
enum pgasim_direction { PGASIM_WHOLE, PGASIM_UP, PGASIM_DOWN };
struct pgasim_hop {
    const char *link;
    enum pgasim_direction direction;
};
struct pgasim_route {
    const char *from, *to;
    const char *gateway_from, *gateway_to; /* of routes between zones only */
    const struct pgasim_hop *hops;         /* in order of crossing */
    unsigned n_hops;
    int one_way; /* 1: not for the way back */
};
void pgasim_route_add(struct pgasim_zone *zone,
                      const struct pgasim_route *route); /* between points of `zone` */
void pgasim_zone_route_add(struct pgasim_zone *zone,
                           const struct pgasim_route *route); /* between zones in it */
void pgasim_bypass_route_add(struct pgasim_zone *zone, const struct pgasim_route *route);
void pgasim_bypass_zone_route_add(struct pgasim_zone *zone, const struct pgasim_route *route);

/* The links of a host of a zone of routing PGASIM_STAR; the zone's backbone. */
void pgasim_host_link_add(struct pgasim_zone *zone, const char *host, const char *up, const char *down);
void pgasim_backbone_add(struct pgasim_zone *zone, const char *name, double bandwidth, double latency);

enum pgasim_topology {
    PGASIM_FLAT,
    PGASIM_TORUS,     /* parameters "X,Y,..." */
    PGASIM_FAT_TREE,  /* "levels;down,...;up,...;parallel cables,..." */
    PGASIM_DRAGONFLY, /* "groups,cables;chassis,cables;routers,cables;nodes" */
};
/* Hosts PREFIX N SUFFIX for each number N of the radical ("0-63,70"). */
struct pgasim_cluster {
    const char *name, *prefix, *suffix, *radical;
    double speed;
    unsigned cores; /* 0: 1 */
    double bandwidth, latency;
    int shared; /* 1: links are SHARED; 0: SPLITDUPLEX */
    enum pgasim_topology topology;
    const char *parameters;                      /* of the topology; NULL for FLAT */
    double backbone_bandwidth, backbone_latency; /* 0: no backbone */
    int backbone_fatpipe;                        /* 1: FATPIPE; 0: SHARED */
    double limiter_bandwidth;                    /* 0: no limiter links */
    double loopback_bandwidth, loopback_latency; /* 0: no loopback links */
    const char *router;                          /* NULL: PREFIX NAME _router SUFFIX */
    const struct pgasim_property *properties;    /* of each of its hosts */
};
/* In `in`, or as the whole platform where `in` is NULL. */
void pgasim_cluster_add(struct pgasim_platform *p, struct pgasim_zone *in,
                        const struct pgasim_cluster *cluster);

/* Hosts with links of their own in a zone of routing PGASIM_STAR. */
struct pgasim_cabinet {
    const char *name, *prefix, *suffix, *radical;
    double speed, bandwidth, latency;
};
void pgasim_cabinet_add(struct pgasim_zone *zone, const struct pgasim_cabinet *cabinet);

/* A host of a zone of routing PGASIM_VIVALDI. */
struct pgasim_peer {
    const char *name, *coordinates;
    double speed, bandwidth_in, bandwidth_out;
    const char *speed_file, *state_file;
};
void pgasim_peer_add(struct pgasim_zone *zone, const struct pgasim_peer *peer);

/* What changes with time: from each time `at` on, the trait of the host or link has the value. Speeds: a part of the
 * host's speed; states: 1 on, 0 off. `period`: seconds after the last change when it begins again; < 0: never. */
enum pgasim_trait { PGASIM_SPEED, PGASIM_HOST_STATE, PGASIM_BANDWIDTH, PGASIM_LATENCY, PGASIM_LINK_STATE };
struct pgasim_change {
    double at, value;
};
void pgasim_profile_add(struct pgasim_zone *zone, enum pgasim_trait trait, const char *element,
                        const struct pgasim_change *changes, unsigned n_changes, double period);

/* Where the next call stands, for reports; the macros below see to it. */
struct pgasim_platform *pgasim_platform_at(struct pgasim_platform *p, const char *file, unsigned line);
struct pgasim_zone *pgasim_zone_at(struct pgasim_zone *zone, const char *file, unsigned line);
#ifndef PGASIM_NO_PLACES
#define PGASIM_AT_(p)                        pgasim_platform_at((p), __FILE__, __LINE__)
#define PGASIM_ZONE_AT_(z)                   pgasim_zone_at((z), __FILE__, __LINE__)
#define pgasim_config_set(p, ...)            pgasim_config_set(PGASIM_AT_(p), __VA_ARGS__)
#define pgasim_zone_add(p, ...)              pgasim_zone_add(PGASIM_AT_(p), __VA_ARGS__)
#define pgasim_cluster_add(p, ...)           pgasim_cluster_add(PGASIM_AT_(p), __VA_ARGS__)
#define pgasim_zone_property_set(z, ...)     pgasim_zone_property_set(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_host_add(z, ...)              pgasim_host_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_router_add(z, ...)            pgasim_router_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_link_add(z, ...)              pgasim_link_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_route_add(z, ...)             pgasim_route_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_zone_route_add(z, ...)        pgasim_zone_route_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_bypass_route_add(z, ...)      pgasim_bypass_route_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_bypass_zone_route_add(z, ...) pgasim_bypass_zone_route_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_host_link_add(z, ...)         pgasim_host_link_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_backbone_add(z, ...)          pgasim_backbone_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_cabinet_add(z, ...)           pgasim_cabinet_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_peer_add(z, ...)              pgasim_peer_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#define pgasim_profile_add(z, ...)           pgasim_profile_add(PGASIM_ZONE_AT_(z), __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#endif
