/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside: what the files of platform/ share. A platform is a tree of zones. Leaf zones hold hosts and
 * routers, the others hold zones; hosts, routers and zones are the points between which routes run.
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
 *  P7  A tag's code asks only for attributes that its row in schema.c has.
 *  P8  A platform that was given out has a host.
 *  P9  The default cluster is a valid platform.
 *  P10 A failure says what is wrong, with the name of what was read.
 *  P11 Every rank gets a host.
 *  P13 A link without a name is one of a zone that computes it. (P12: profile_text.c)
 */
#ifndef PGASIM_PLATFORM_INSIDE_H
#define PGASIM_PLATFORM_INSIDE_H

#include "platform/platform.h"

#define PLATFORM_NONE       UINT32_MAX
#define PLATFORM_HOST_LIMIT (1u << 24) /* a typing error in a radical is likelier than more hosts */
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
/* "<prefix><number><suffix>", kept, without the cost of printf. */
const char *platform_names_number(struct platform_names *n, const char *prefix, uint32_t number,
                                  const char *suffix);
bool platform_names_find(const struct platform_names *n, enum platform_space space, const char *name,
                         size_t length, struct platform_named *out);
/* `what.name` must be kept. False, with the earlier holder in *before, when the name is taken. */
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

/* The links crossed so far and their latencies' sum. */
struct platform_path {
    BASE_ARRAY(uint32_t) links;
    double latency;
    bool uneven; /* noted by a quick zone: the way back has another latency */
    /* Dijkstra zones put their links in front of those since here, as SimGrid does. */
    size_t list;
    uint32_t depth, parts;      /* of the search so far (path.c) */
    BASE_ARRAY(uint32_t) hops;  /* scratch of zone_graph.c */
    BASE_ARRAY(uint32_t) aside; /* and of path.c */
    /* When there is no route: the zone that should have one, between which of its points, and why there can be
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
/* Where the next links go, of which there are `most` at most; the caller then says how many there are. */
static inline uint32_t *platform_path_room(struct platform_path *path, size_t most)
{
    if (BASE_UNLIKELY(path->links.n + most > path->links.cap))
        path->links.at = base_array_grow(path->links.at, &path->links.cap, path->links.n + most,
                                         sizeof *path->links.at, "links of a route");
    return path->links.at + path->links.n;
}
/* Always -1, with the gap noted. */
int platform_path_gap(struct platform_path *path, uint32_t zone, platform_point from, platform_point to);
/* The same, with a reason that declaring a route does not change. */
int platform_path_refuse(struct platform_path *path, uint32_t zone, platform_point from, platform_point to,
                         const char *why);

/* A declared route, one direction. Its links are p->route_links[first .. first + n). */
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
struct platform_graph; /* Floyd, Dijkstra: graph.h */
struct platform_star;  /* Cluster, Vivaldi: zone_star.c */

/* Numbers first..last of a radical; the host of number first is the cluster's host `index`. */
struct platform_range {
    uint32_t first, last, index;
};
struct platform_radical {
    BASE_ARRAY(struct platform_range) ranges;
    uint32_t n; /* numbers */
};
/* A flat cluster. Its links: the backbone, then for each host [loopback] [limiter] up [down]. */
struct platform_cluster {
    uint32_t backbone; /* link id or PLATFORM_NONE */
    uint32_t first_link;
    uint8_t per_host; /* links of one host */
    bool loopback, limiter, split;
    double host_to_host, host_to_router, host_to_itself; /* latencies */
    struct platform_radical radical;
};
struct platform_regular; /* a torus, fat tree or dragonfly: regular.h */

struct platform_zone;
struct platform_route_spec;
/* What differs between kinds of zone. Points are those directly in the zone. */
struct platform_zone_kind {
    const char *name; /* as in <zone routing=...> */
    bool quick;       /* routes between hosts need no search and never lack; see platform_path.uneven */
    /* Makes what the kind has in the zone's union; NULL: that begins as zeros. */
    void (*open)(struct platform_zone *z);
    /* Takes a declared <route> or <zoneRoute>; NULL: routes of this kind are not declared. */
    int (*route_add)(struct platform *p, struct platform_zone *z, const struct platform_route_spec *spec,
                     struct base_status *st);
    /* The gateways of the route between two zones of z; -1 with path's gap when there is none. */
    int (*gateways)(const struct platform *p, const struct platform_zone *z, platform_point from,
                    platform_point to, struct platform_path *path, platform_point gateways[2]);
    /* Appends the route from one point of z to another; -1 with path's gap when there is none. */
    int (*append)(const struct platform *p, const struct platform_zone *z, platform_point from,
                  platform_point to, struct platform_path *path);
    /* Called when all of z is declared. -1 with st and *line. */
    int (*seal)(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st);
    /* The id of the link that z computes under this name, PLATFORM_SPLIT added for a split one. */
    bool (*link_find)(const struct platform *p, const struct platform_zone *z, const char *name,
                      uint32_t *id);
    /* The name of a link of z that was appended without one; NULL: z has none such. */
    const char *(*link_name)(const struct platform *p, const struct platform_zone *z, uint32_t id);
    void (*release)(struct platform_zone *z);
    void (*print)(const struct platform *p, const struct platform_zone *z, FILE *out); /* one line's rest */
    void (*check)(const struct platform *p, const struct platform_zone *z);
};
extern const struct platform_zone_kind platform_zone_full, platform_zone_cluster;
extern const struct platform_zone_kind platform_zone_floyd, platform_zone_dijkstra,
    platform_zone_dijkstra_cache;
extern const struct platform_zone_kind platform_zone_star, platform_zone_vivaldi, platform_zone_none;
extern const struct platform_zone_kind platform_zone_torus, platform_zone_fat_tree, platform_zone_dragonfly;

struct platform_zone {
    const struct platform_zone_kind *kind;
    const char *name;
    uint32_t id, parent; /* PLATFORM_NONE at the top */
    uint32_t depth, line;
    uint32_t zones, routers; /* directly inside */
    uint32_t first_host, hosts;
    uint32_t bypasses; /* declared in it */
    union {
        struct platform_full full;
        struct platform_cluster cluster;
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
/* Where a host or router lies for Vivaldi zones, in ms. */
struct platform_place {
    platform_point at;
    double x[3];
};
/* A bypass route of `zone`; its gateways are PLATFORM_NONE when both ends are points of the zone. */
struct platform_bypass {
    uint32_t zone;
    struct platform_declared route;
};
/* A property of a host, link or zone. `owner` is a platform_point, or a link id with PLATFORM_OF_LINK. */
struct platform_property {
    uint32_t owner, line;
    const char *key, *value;
};
#define PLATFORM_OF_LINK (3u << PLATFORM_POINT_SHIFT)
/* Routers have no properties, so that their kind stands for disks. */
#define PLATFORM_OF_DISK ((uint32_t)PLATFORM_IS_ROUTER << PLATFORM_POINT_SHIFT)

/* Changes as a file or a <trace> gives them, whatever they are of. */
struct platform_trace {
    struct platform_change *changes;
    uint32_t n;
    double period;
};

struct platform {
    const char *file; /* its name in reports */
    struct platform_names *names;
    BASE_ARRAY(struct platform_host) hosts;
    BASE_ARRAY(uint32_t) host_zone; /* by host id */
    BASE_ARRAY(struct platform_link) links;
    BASE_ARRAY(struct platform_router) routers;
    BASE_ARRAY(struct platform_zone) zones; /* the top zone is 0 */
    BASE_ARRAY(uint32_t) route_links;
    BASE_ARRAY(struct platform_property) properties; /* sorted by owner and key once sealed */
    BASE_ARRAY(struct platform_disk) disks;
    BASE_ARRAY(struct platform_trace) traces;
    BASE_ARRAY(struct platform_profile) profiles;
    BASE_ARRAY(uint32_t) profile_lines;          /* where each was declared */
    BASE_ARRAY(struct platform_place) places;    /* sorted once sealed */
    BASE_ARRAY(struct platform_bypass) bypasses; /* sorted by zone, from, to once sealed */
    BASE_ARRAY(uint32_t) regular;                /* the zones with a platform_regular, in order */
    uint32_t fat_tree_hosts; /* in all fat trees; SimGrid counts them through the platform */
    uint32_t loopback; /* the link of points to themselves in Full, Floyd, Dijkstra zones, or PLATFORM_NONE */
    uint32_t host_limit;       /* most hosts that it may have */
    struct platform_path path; /* of the last platform_route */
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

#endif
