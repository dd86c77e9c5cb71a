/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform: hosts, links, zones and routes. The language is SimGrid's XML (DTD 4.1). Anything in a file that
 * pgasim does not model is an error naming file, line and tag; it is never ignored. Routes of regular zones
 * are computed, not stored.
 *
 * A link of policy SPLITDUPLEX is two directed links, NAME_UP and NAME_DOWN, as in SimGrid. Link ids are
 * dense from 0, in order of declaration.
 */
#ifndef PGASIM_PLATFORM_H
#define PGASIM_PLATFORM_H

#include "fluid/fluid.h"

struct platform;
enum platform_policy { PLATFORM_SHARED, PLATFORM_FATPIPE };

struct platform_host {
    const char *name;
    double speed; /* flop/s of one core */
    uint32_t cores;
};
struct platform_link {
    const char *name;
    double bandwidth; /* bytes/s */
    double latency;   /* seconds */
    enum platform_policy policy;
};
struct platform_route {
    const uint32_t *links; /* ids, in order of crossing; valid until the next platform_route call */
    uint32_t n_links;
    double latency; /* sum over the links */
};

/* Reads a file. Returns -1 with st as "FILE:LINE: what is wrong, what was expected". <config> properties are
 * set in `settings` (origin BASE_FROM_PLATFORM); an unknown one is an error. With `settings` NULL, all are
 * unknown. If reading fails, settings above the failing line may have been set. */
int platform_load(struct platform **out, const char *path, struct base_settings *settings,
                  struct base_status *st);
int platform_load_text(struct platform **out, const char *text, size_t size, const char *name,
                       struct base_settings *settings, struct base_status *st);
/* Sets what a <prop> of <config>, or --cfg=KEY:VALUE, names: a setting, or
 * a key of SimGrid's that has no effect here. Returns -1 with st for an
 * unknown key, and for one that would change results but is not modelled. */
int platform_configure(struct base_settings *s, const char *key, const char *value, enum base_origin from,
                       struct base_status *st);
/* The built-in cluster with room for `ranks` ranks, one per core (docs/default-cluster.md). */
struct platform *platform_default(uint64_t ranks);
void platform_default_configure(struct base_settings *s); /* its <config> */
/* Both as XML text, to be freed by the caller; platform_load_text turns it into an equal platform. */
char *platform_default_xml(uint64_t ranks);
void platform_destroy(struct platform *p);
void platform_print(const struct platform *p, FILE *out); /* for people: counts, first hosts, links */

uint32_t platform_host_count(const struct platform *p);
uint32_t platform_link_count(const struct platform *p);
const struct platform_host *platform_host(const struct platform *p, uint32_t id);
const struct platform_link *platform_link(const struct platform *p, uint32_t id);
/* The same, but `name` may be NULL, because many names are made only when platform_link asks for them: use
 * this to walk all links of a large platform. */
const struct platform_link *platform_link_unnamed(const struct platform *p, uint32_t id);
/* The link "__loopback__" of each host to itself, or UINT32_MAX. */
uint32_t platform_loopback_link(const struct platform *p);
/* How many speeds (pstates) the host has; *pstate: the number of the one that it begins in. */
uint32_t platform_host_pstates(const struct platform *p, uint32_t id, uint32_t *pstate);
/* flop/s of one core in one of them; 0: there is no such pstate, or its speed is 0. */
double platform_host_pstate_speed(const struct platform *p, uint32_t id, uint32_t pstate);
int platform_host_find(const struct platform *p, const char *name, uint32_t *id); /* -1: no such host */
/* The value of a <prop>, or NULL. A host of a <cluster> has the cluster's properties; both halves of a split
 * link have the link's. */
const char *platform_host_property(const struct platform *p, uint32_t id, const char *key);
const char *platform_link_property(const struct platform *p, uint32_t id, const char *key);
const char *platform_zone_property(const struct platform *p, const char *zone, const char *key);
/* Every <prop> of hosts, zones and links, k from 0; false: there are no more. Those of a cluster apply to
 * each of its hosts, unless the host has one with the same key. */
enum platform_holder { PLATFORM_PROPERTY_OF_HOST, PLATFORM_PROPERTY_OF_CLUSTER, PLATFORM_PROPERTY_OF_OTHER };
struct platform_prop {
    const char *key, *value;
    const char *file; /* where it stands */
    uint32_t line;
    enum platform_holder holder;
    uint32_t first, hosts; /* hosts to which it applies: consecutive ids; none for OTHER */
};
bool platform_property_at(const struct platform *p, size_t k, struct platform_prop *out);
/* The route from host `src` to host `dst`. If src == dst: as in SimGrid, the declared route, else the
 * loopback link of the cluster or of Full zones, else (a cluster without loopback) the host's own link up and
 * down. Returns -1 with st naming both hosts if there is none. */
int platform_route(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out,
                   struct base_status *st);
/* The same for two hosts of one zone that computes routes from places alone, where keeping the route would
 * cost more than asking again; the way back has the same latency. false: use platform_route. */
bool platform_route_quick(struct platform *p, uint32_t src, uint32_t dst, struct platform_route *out);
/* Adds every link to the fluid model, so that link id l is resource `*first_link + l`, and every host's CPU
 * (capacity speed * cores), so that host h is resource `*first_cpu + h`. */
void platform_realize(const struct platform *p, struct fluid *f, fluid_resource *first_link,
                      fluid_resource *first_cpu);
/* --- what changes with time ---------------------------------------------------------------------- */

/* A profile says when a host's speed or state, or a link's bandwidth, latency or state changes: speed_file
 * and its kin, or <trace> and <trace_connect>. Values are as in SimGrid: a factor of the peak speed, bytes/s,
 * seconds; a state above 0 means on. All are >= 0 and finite, bandwidths > 0. */
enum platform_trait {
    PLATFORM_SPEED,
    PLATFORM_HOST_STATE,
    PLATFORM_BANDWIDTH,
    PLATFORM_LATENCY,
    PLATFORM_LINK_STATE
};
struct platform_change {
    double at, value; /* at: seconds, never decreasing */
};
struct platform_profile {
    enum platform_trait trait;
    uint32_t id; /* of the host or link */
    const struct platform_change *changes;
    uint32_t n;
    double period; /* > 0: the changes repeat after this many seconds; < 0: they come once */
};
/* In order of declaration; for a split link, those of both halves. */
uint32_t platform_profile_count(const struct platform *p);
const struct platform_profile *platform_profile_at(const struct platform *p, uint32_t k);

/* A <disk>; storage/ knows how long it takes. */
struct platform_disk {
    const char *name;
    uint32_t host;
    double read_bandwidth, write_bandwidth; /* bytes/s */
};
uint32_t platform_disk_count(const struct platform *p);
const struct platform_disk *platform_disk(const struct platform *p, uint32_t k);
const char *platform_disk_property(const struct platform *p, uint32_t k, const char *key);

/* For people: the first disks and profiles, one per line, at most `shown` of each. */
void platform_varying_print(const struct platform *p, uint32_t shown, FILE *out);

/* `path`: where to look for the files that a platform names. */
extern const struct base_setting platform_settings[];
extern const size_t platform_settings_count;

/* Asserts the invariants of model/model.h (debug builds and tests). */
void platform_check(const struct platform *p);

/* --- for people: lists and pictures (model/view.c, draw/) ----------------------------------------------- */

struct platform_zone_view {
    const char *name, *routing; /* as in <zone routing=...>; for clusters their topology */
    uint32_t parent;            /* UINT32_MAX at the top, which is zone 0 */
    uint32_t depth;
    uint32_t zones, routers;    /* directly inside */
    uint32_t first_host, hosts; /* directly inside; consecutive ids */
};
uint32_t platform_zone_count(const struct platform *p);
struct platform_zone_view platform_zone_view(const struct platform *p, uint32_t id);
uint32_t platform_host_zone(const struct platform *p, uint32_t id);
uint32_t platform_router_count(const struct platform *p);
const char *platform_router_view(const struct platform *p, uint32_t id, uint32_t *zone); /* its name */
/* The first of the links with the least bandwidth; UINT32_MAX if the route has no link. */
uint32_t platform_route_bottleneck(const struct platform *p, const struct platform_route *route);

/* Draws the platform as SVG. The same platform gives the same bytes. */
void platform_draw(const struct platform *p, FILE *out);

/* --- placement: which rank runs on which host ---------------------------------------------------- */

enum platform_map {
    PLATFORM_MAP_CORE, /* fills all slots of an entry before the next entry */
    PLATFORM_MAP_HOST, /* one rank for each entry in turn */
};
struct platform_placement {
    uint64_t slots; /* given by the hostfile or the platform; further ranks start again from the first slot */
    uint32_t hosts; /* with at least one rank */
    uint32_t crowded; /* hosts with more ranks than cores */
};
/* Writes the host of each rank to rank_host[0..ranks). Without a hostfile each host is an entry with one slot
 * per core. A hostfile's lines are entries: `host`, `host:n`, `host slots=n`; what other launchers write
 * behind that about limits and interfaces is left out of account; `localhost` is the first host, unless one
 * has that name; # starts a comment. A host that appears on one line only, without a number, has one slot per
 * core; otherwise a line without a number is one slot. Returns -1 with st as "FILE:LINE: what is wrong, what
 * was expected". */
int platform_place(const struct platform *p, uint32_t ranks, const char *hostfile, enum platform_map map,
                   uint32_t *rank_host, struct platform_placement *out, struct base_status *st);
/* The same with what launchers ask for besides. */
struct platform_where {
    const char *hostfile; /* NULL: none */
    const char *hosts;    /* "a,b:2": instead of a hostfile; NULL: none */
    enum platform_map map;
    uint32_t per_host; /* each host of the entries gets so many ranks, once; 0: as its slots say */
};
int platform_place_where(const struct platform *p, uint32_t ranks, const struct platform_where *where,
                         uint32_t *rank_host, struct platform_placement *out, struct base_status *st);
/* Changes the hosts of the ranks that a file of lines `rank N=HOST ...` names. */
int platform_place_rankfile(const struct platform *p, uint32_t ranks, const char *rankfile,
                            uint32_t *rank_host, struct base_status *st);
int platform_place_text(const struct platform *p, uint32_t ranks, const char *text, size_t size,
                        const char *name, enum platform_map map, uint32_t *rank_host,
                        struct platform_placement *out, struct base_status *st);

/* --- platform files made from parameters (generate/) -------------------------------------------- */

/* Parameters, named like the options of `pgasim platform generate`; see docs/platform.md. */
enum platform_parameter {
    PLATFORM_HOSTS,
    PLATFORM_CORES,
    PLATFORM_PEAK, /* --speed */
    PLATFORM_BW,
    PLATFORM_LAT,
    PLATFORM_SHARING, /* --policy */
    PLATFORM_LOOPBACK_BW,
    PLATFORM_LOOPBACK_LAT,
    PLATFORM_LIMITER,
    PLATFORM_ID,
    PLATFORM_PREFIX,
    PLATFORM_SUFFIX,
    PLATFORM_BACKBONE,
    PLATFORM_BACKBONE_LAT,
    PLATFORM_DIMENSIONS,
    PLATFORM_LEVELS,
    PLATFORM_CHILDREN, /* --down */
    PLATFORM_PARENTS,  /* --up */
    PLATFORM_PORTS,
    PLATFORM_OVERSUBSCRIPTION,
    PLATFORM_LEAF,
    PLATFORM_GROUPS,
    PLATFORM_CHASSIS,
    PLATFORM_ROUTERS,
    PLATFORM_NODES,
    PLATFORM_COMPACT, /* any text: a mesh as topology MESH, which SimGrid does not read */
    PLATFORM_PARAMETERS
};

/* What to generate; NULL texts mean the default. */
struct platform_plan {
    const char *kind; /* one of platform_plan_kinds */
    const char *value[PLATFORM_PARAMETERS];
};

/* The kinds, "cluster, torus, ...". */
extern const char platform_plan_kinds[];
/* The file's text, to be freed; platform_load_text and SimGrid accept it. NULL with st: which parameter is
 * wrong, what was expected. */
char *platform_generate(const struct platform_plan *plan, struct base_status *st);

/* Platforms whose name says all, KIND:SIZES with kind mesh, rae-mesh or torus: rae-mesh:8x8 (named.c). */
bool platform_is_named(const char *name);
/* As platform_load, of a name that is one. */
int platform_load_named(struct platform **out, const char *name, struct base_settings *settings,
                        struct base_status *st);

/* What debuggers read (facts.c). */
extern const struct base_fact platform_facts[];

#endif
