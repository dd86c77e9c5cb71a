/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model: what a platform consists of, and the functions by which it grows: names, hosts, routers, links,
 * zones in general, properties, profiles. Kinds of zone, and routes, are in zone/. A platform is a tree of
 * zones. Leaf zones hold hosts and routers, the others hold zones; hosts, routers and zones are the points
 * between which routes run.
 *
 *      zone "grid" (Full)              routes between its zones, through gateways
 *       |-- zone "lab" (Full)          routes between its hosts and routers
 *       |    `-- host, router, ...
 *       `-- cluster "farm"             routes computed from a host's place in it
 *            `-- host, host, ..., router
 *
 * Invariants
 *  P1  Host and link ids are dense from 0, in order of declaration.
 *  P2  A zone holds either hosts and routers or zones, never both.
 *  P3  The hosts of a zone have consecutive ids.
 *  P4  A gateway lies inside the zone whose gateway it is.
 *  P5  The declared routes of a sealed zone are sorted by (source, destination), each pair once.
 *  P6  Zones are nested at most PLATFORM_NESTING deep, so that route computation needs little stack.
 *  P7  A tag's code asks only for attributes in its row of xml/schema.c.
 *  P8  A platform returned to callers has at least one host.
 *  P9  The default cluster is a valid platform.
 *  P10 An error says what is wrong, and names the input.
 *  P11 Every rank gets a host.
 *  P13 Only links of zones that compute names have no name of their own. (P12: profile_text.c)
 */
#ifndef PGASIM_PLATFORM_MODEL_H
#define PGASIM_PLATFORM_MODEL_H

#include "platform/platform.h"

#define PLATFORM_NONE       UINT32_MAX
#define PLATFORM_HOST_LIMIT (1u << 24) /* beyond this, a typing error in a radical is likelier */
#define PLATFORM_LINK_LIMIT (1u << 28)
#define PLATFORM_LOOPBACK   "__loopback__"
enum { PLATFORM_NESTING = 32 };

/* --- names (names.c) ---------------------------------------------------------------------------- */

/* Names of points share one space, names of links another one; both as in SimGrid. */
enum platform_space {
    PLATFORM_POINTS,
    PLATFORM_LINKS,
    PLATFORM_TRACES,      /* ids of <trace> */
    PLATFORM_TRACE_FILES, /* files read as profiles */
    PLATFORM_SPACES
};
struct platform_names;
struct platform_named {
    const char *name;
    uint32_t id;   /* a platform_point, or a link id with PLATFORM_SPLIT */
    uint32_t line; /* of the declaration */
};
struct platform_names *platform_names_create(void);
void platform_names_destroy(struct platform_names *n);
/* A copy of text[0..length) that lives as long as n. */
const char *platform_names_keep(struct platform_names *n, const char *text, size_t length);
/* "<prefix><number><suffix>", kept; avoids the cost of printf. */
const char *platform_names_number(struct platform_names *n, const char *prefix, uint32_t number,
                                  const char *suffix);
bool platform_names_find(const struct platform_names *n, enum platform_space space, const char *name,
                         size_t length, struct platform_named *out);
/* `what.name` must be kept. Returns false, with the earlier holder in *before, if the name is taken. */
bool platform_names_add(struct platform_names *n, enum platform_space space, struct platform_named what,
                        struct platform_named *before);
/* In order of declaration; stops at the first true. */
bool platform_names_any(const struct platform_names *n, enum platform_space space,
                        bool (*fn)(void *arg, const struct platform_named *named), void *arg);

/* --- points ------------------------------------------------------------------------------------- */

/* A host, a router or a zone in one word: its kind in the two upper bits, its id below. */
typedef uint32_t platform_point;
enum platform_point_kind { PLATFORM_IS_HOST, PLATFORM_IS_ROUTER, PLATFORM_IS_ZONE };
enum { PLATFORM_POINT_SHIFT = 30 };
static inline platform_point platform_point_of(enum platform_point_kind kind, uint32_t id)
{
    return (uint32_t)kind << PLATFORM_POINT_SHIFT | id;
}
static inline enum platform_point_kind platform_point_kind(platform_point at)
{
    return (enum platform_point_kind)(at >> PLATFORM_POINT_SHIFT);
}
static inline uint32_t platform_point_id(platform_point at)
{
    return at & ((1u << PLATFORM_POINT_SHIFT) - 1);
}

/* In the links' name space: the name of a split link as a whole; the id is that of its UP half. */
#define PLATFORM_SPLIT (1u << 31)

/* --- zones -------------------------------------------------------------------------------------- */

struct platform_path;
struct platform_full;    /* Full */
struct platform_cluster; /* a flat cluster */
struct platform_regular; /* a torus, mesh, fat tree or dragonfly */
struct platform_graph;   /* Floyd, Dijkstra */
struct platform_star;    /* Cluster, Vivaldi */

struct platform_zone;
struct platform_route_spec;
/* What differs between kinds of zone. Points are those directly in the zone. */
struct platform_zone_kind {
    const char *name; /* as in <zone routing=...> */
    bool quick;       /* routes between hosts need no search and always exist; see platform_path.uneven */
    bool inherited;   /* its properties also apply to each of its hosts */
    /* Initializes the kind's part of the zone's union; NULL: zeros are enough. */
    void (*open)(struct platform_zone *z);
    /* Takes a declared <route> or <zoneRoute>; NULL: this kind does not declare routes. */
    int (*route_add)(struct platform *p, struct platform_zone *z, const struct platform_route_spec *spec,
                     struct base_status *st);
    /* The gateways of the route between two zones of z; -1 with path's gap if there is none. */
    int (*gateways)(const struct platform *p, const struct platform_zone *z, platform_point from,
                    platform_point to, struct platform_path *path, platform_point gateways[2]);
    /* Appends the route from one point of z to another; -1 with path's gap if there is none. */
    int (*append)(const struct platform *p, const struct platform_zone *z, platform_point from,
                  platform_point to, struct platform_path *path);
    /* Called when z is completely declared. -1 with st and *line. */
    int (*seal)(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st);
    /* The id of the link that z computes under this name, PLATFORM_SPLIT added for a split one. */
    bool (*link_find)(const struct platform *p, const struct platform_zone *z, const char *name,
                      uint32_t *id);
    /* The name of a link of z that was appended without one; NULL: z has no such links. */
    const char *(*link_name)(const struct platform *p, const struct platform_zone *z, uint32_t id);
    void (*release)(struct platform_zone *z);
    void (*print)(const struct platform *p, const struct platform_zone *z, FILE *out); /* one line's rest */
    void (*check)(const struct platform *p, const struct platform_zone *z);
};
struct platform_zone {
    const struct platform_zone_kind *kind;
    const char *name;
    uint32_t id, parent; /* PLATFORM_NONE at the top */
    uint32_t depth, line;
    uint32_t zones, routers; /* directly inside */
    uint32_t first_host, hosts;
    uint32_t bypasses; /* declared in it */
    union {
        struct platform_full *full;
        struct platform_cluster *cluster;
        struct platform_regular *regular;
        struct platform_graph *graph;
        struct platform_star *star;
    };
};

/* --- the platform ------------------------------------------------------------------------------- */

struct platform_router {
    const char *name;
    uint32_t zone;
    uint32_t hosts_before; /* of the platform */
};
/* A property of a host, link or zone. `owner` is a platform_point, or a link id with PLATFORM_OF_LINK. */
struct platform_property {
    uint32_t owner, line;
    const char *key, *value;
};
#define PLATFORM_OF_LINK (3u << PLATFORM_POINT_SHIFT)
/* Routers have no properties, so their kind stands for disks here. */
#define PLATFORM_OF_DISK ((uint32_t)PLATFORM_IS_ROUTER << PLATFORM_POINT_SHIFT)

/* Changes as given by a file or a <trace>, whatever they apply to. */
struct platform_trace {
    struct platform_change *changes;
    uint32_t n;
    double period;
};

/* Functions that know the names of links computed by zones, which may have no name of their own. */
struct platform_computed {
    /* The link of this name, PLATFORM_SPLIT added for a split one. */
    bool (*find)(const struct platform *p, const char *name, uint32_t *id);
    /* The name of a link that was appended without one (P13), kept. */
    const char *(*name)(const struct platform *p, uint32_t id);
};

struct platform_routes;
/* Hosts with consecutive ids that have several speeds. */
struct platform_pstates {
    uint32_t first, hosts;
    uint32_t n, pstate; /* how many; which one they begin in */
    double *speed;      /* of each */
};

struct platform {
    const char *file; /* its name in reports */
    struct platform_names *names;
    BASE_ARRAY(struct platform_host) hosts;
    BASE_ARRAY(uint32_t) host_zone; /* by host id */
    BASE_ARRAY(struct platform_link) links;
    BASE_ARRAY(struct platform_router) routers;
    BASE_ARRAY(struct platform_zone) zones;          /* the top zone is 0 */
    BASE_ARRAY(struct platform_property) properties; /* sorted by owner and key once sealed */
    BASE_ARRAY(struct platform_pstates) pstates;     /* in order of hosts */
    BASE_ARRAY(struct platform_disk) disks;
    BASE_ARRAY(struct platform_trace) traces;
    BASE_ARRAY(struct platform_profile) profiles;
    BASE_ARRAY(uint32_t) profile_lines; /* where each was declared */
    uint32_t host_limit;                /* the largest allowed number of hosts */
    const struct platform_computed *computed;
    struct platform_routes *routes; /* what zone/ keeps for all zones */
};

static inline uint32_t platform_point_zone(const struct platform *p, platform_point at)
{
    uint32_t id = platform_point_id(at);
    switch (platform_point_kind(at)) {
    case PLATFORM_IS_HOST:
        return p->host_zone.at[id];
    case PLATFORM_IS_ROUTER:
        return p->routers.at[id].zone;
    case PLATFORM_IS_ZONE:
        break;
    }
    return p->zones.at[id].parent;
}
const char *platform_point_name(const struct platform *p, platform_point at);
const char *platform_point_noun(platform_point at); /* "host", "router", "zone" */

/* --- growing (build.c, properties.c) ------------------------------------------------------------- */

/* Without zones; zone/ creates and destroys whole platforms. `computed` is kept. */
struct platform *platform_model_create(const char *file, const struct platform_computed *computed);
void platform_model_destroy(struct platform *p);
/* All return -1 with st, without file and line, if something is wrong; `line` is kept for later reports. */
int platform_zone_add(struct platform *p, uint32_t parent, const char *name, uint32_t line,
                      const struct platform_zone_kind *kind, uint32_t *id, struct base_status *st);
int platform_host_add(struct platform *p, uint32_t zone, const char *name, double speed, uint32_t cores,
                      uint32_t line, uint32_t *id, struct base_status *st);
/* The last hosts, those from `first` on, have so many speeds. */
void platform_pstates_add(struct platform *p, uint32_t first, uint32_t n, uint32_t pstate, double *speed);
int platform_router_add(struct platform *p, uint32_t zone, const char *name, uint32_t line, uint32_t *id,
                        struct base_status *st);
/* A split link is two links: NAME_UP (its id is returned) and NAME_DOWN (the next id). */
int platform_link_add(struct platform *p, struct platform_link link, bool split, uint32_t line, uint32_t *id,
                      struct base_status *st);
uint32_t platform_link_append(struct platform *p, struct platform_link link); /* without a name of its own */
/* Finds a link, or with PLATFORM_SPLIT in *id a split one, by name. */
bool platform_link_find(const struct platform *p, const char *name, uint32_t *id);
/* Makes room for this many more at once. */
void platform_reserve(struct platform *p, size_t hosts, size_t links);

void platform_property_add(struct platform *p, uint32_t owner, const char *key, const char *value,
                           uint32_t line);
int platform_properties_seal(struct platform *p, uint32_t *line, struct base_status *st);

/* --- profiles (profile.c, profile_text.c) --------------------------------------------------------- */

/* Reads lines TIME VALUE and the other lines of SimGrid's profiles. periodicity > 0: as if the text said so.
 * Returns -1 with st and *line if something is wrong; the caller frees the changes of `out`. */
int platform_trace_parse(struct platform_trace *out, const char *text, size_t size, double periodicity,
                         uint32_t *line, struct base_status *st);
/* The platform takes over the trace; returns its number. */
uint32_t platform_trace_add(struct platform *p, struct platform_trace trace);
/* The trace in a file, which is read once. The file is looked for in the folders of `path` (the value of that
 * setting; NULL: none) and next to the platform's file. -1 with st as "FILE:LINE: ...". */
int platform_trace_of_file(struct platform *p, const char *name, const char *path, uint32_t *trace,
                           struct base_status *st);
void platform_profile_add(struct platform *p, enum platform_trait trait, uint32_t id, uint32_t trace,
                          uint32_t line);
/* Checks that no two profiles are for the same trait of the same thing. */
int platform_profiles_seal(struct platform *p, uint32_t *line, struct base_status *st);
void platform_profiles_release(struct platform *p);

/* --- files (file.c) ----------------------------------------------------------------------------- */

/* Reads a whole file; *text has a 0 after its last byte and is freed by the caller. */
int platform_file_read(const char *path, char **text, size_t *size, struct base_status *st);

#endif
