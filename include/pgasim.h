/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pgasim.h: what a program can tell the simulator (first part), and platforms built by C code instead of XML
 * (second part).
 */
#ifndef PGASIM_H
#define PGASIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- for programs: without `pgasim run` every call does nothing, at no simulated cost ------------------- */

/* The calling rank computes for as long as its simulated host takes for `flops` floating-point operations.
 * Nothing happens for values that are not positive. */
void pgasim_compute_flops(double flops);

/* The calling rank computes for `seconds` of simulated time on a core of its own; longer where ranks share
 * cores. */
void pgasim_compute_seconds(double seconds);

/* What the calling rank has computed since its last call, and `flops` besides, moves so many bytes between its core
 * and the memory of its host, which the host's ranks share if the platform has local/memory-bandwidth; or copies so many
 * bytes there. Elsewhere bytes take no time. */
void pgasim_compute_memory(double flops, double bytes);
void pgasim_compute_copy(double bytes);

/* Simulated seconds since the program's start; 0 outside of a simulation. */
double pgasim_time(void);

/* 1 in a simulated rank, else 0. */
int pgasim_simulated(void);

/* Marks in the traces of `pgasim run --trace`: an instant, and spans, which may be nested. The text is
 * copied. */
void pgasim_mark(const char *text);
void pgasim_mark_begin(const char *text);
void pgasim_mark_end(void); /* ends this thread's innermost open span */

/* The value of a property (<prop>) of the calling rank's host, its own or that of its cluster; NULL: it has
 * none. Valid for the whole run. */
const char *pgasim_host_property(const char *key);

/* Events of types of your own in the same traces, with up to 8 integers: for libraries and tools.
 *
 *     int granted = pgasim_event_type("lock.granted", "lock waited");
 *     pgasim_event(granted, (const long long[]){7, 120});
 *
 * `fields`: their names, separated by blanks. Types of one name are one type, at all ranks; -1 after a warning
 * if there is one of this name with other fields, or if there are too many fields. */
int pgasim_event_type(const char *name, const char *fields);
void pgasim_event(int type, const long long *values); /* as many values as the type has fields */
/* 1 if a trace is written that has such events: else they need not be prepared. */
int pgasim_event_wanted(void);

/* If the job ends in a deadlock, `describe` is called on the calling rank, with its memory as it is then. What
 * it writes, up to `size` bytes with the final 0, is shown in the report, and may have several lines. It must
 * not call MPI or OpenSHMEM. NULL: nothing is called any more. */
void pgasim_on_deadlock(void (*describe)(char *text, size_t size));

/* --- power: docs/energy.md -------------------------------------------------------------------------------- */

/* The speeds (pstates) that the calling rank's host may have, numbered from 0: how many, which one it has now, and
 * flop/s of one core in one of them (0: there is none such). Outside of a simulation there is one, of speed 0. */
unsigned pgasim_pstates(void);
unsigned pgasim_pstate(void);
double pgasim_pstate_speed(unsigned pstate);
/* From now on the host has this one. Computations that are under way there go on at the new speed. 0, or -1 after
 * a warning: there is none such. */
int pgasim_pstate_set(unsigned pstate);
/* Joules that the calling rank's host has taken so far; 0: they are not counted. Watts that it takes now. */
double pgasim_joules(void);
double pgasim_watts(void);

/* --- annotations: docs/annotations.md -------------------------------------------------------------------
 * Where results do not matter, computation can be skipped and memory shared by all ranks. Without
 * `pgasim run` the program executes everything and has ordinary memory. */

/* A kernel that is executed until its cost is known, then skipped and charged at the mean of its executions:
 *
 *     for (int k = 0; k < n; k++)
 *         PGASIM_SAMPLE_GLOBAL(100, 0.02) {
 *             relax(grid, k);
 *         }
 *
 * `error`: the cost is known when the standard error of the mean, relative to the mean, is at most this,
 * after at least two executions; 0: no such limit. `most`: this many executions are always enough; 0: no such
 * limit. With neither, all are executed. LOCAL: each rank executes and learns for itself; GLOBAL: all ranks'
 * executions count. A kernel is identified by its place in the source and, with _TAG, by a text, for a place
 * whose cost depends on something. The block must not be left but at its end; `continue` and `break` leave
 * the block, not a loop around it. */
#define PGASIM_SAMPLE_LOCAL(most, error)           PGASIM_SAMPLE_(0, most, error, "")
#define PGASIM_SAMPLE_GLOBAL(most, error)          PGASIM_SAMPLE_(1, most, error, "")
#define PGASIM_SAMPLE_LOCAL_TAG(most, error, tag)  PGASIM_SAMPLE_(0, most, error, tag)
#define PGASIM_SAMPLE_GLOBAL_TAG(most, error, tag) PGASIM_SAMPLE_(1, most, error, tag)

/* The same for the body of a loop `for (init; condition; step)`, which it replaces: here `continue` and
 * `break` are the loop's. Init, condition and step are always evaluated as often as in the plain loop. */
#define PGASIM_SAMPLE_LOOP_LOCAL(init, condition, step, most, error)                                         \
    PGASIM_SAMPLE_LOOP_(init, condition, step, 0, most, error, "")
#define PGASIM_SAMPLE_LOOP_GLOBAL(init, condition, step, most, error)                                        \
    PGASIM_SAMPLE_LOOP_(init, condition, step, 1, most, error, "")

/* A block that is not executed, because its cost is given: PGASIM_INSTEAD_FLOPS(2.0 * n * n * n) {
 * multiply(a, b, c, n); } The block must not be left but at its end. */
#define PGASIM_INSTEAD_FLOPS(flops)     PGASIM_ONCE_(pgasim_instead_flops(flops))
#define PGASIM_INSTEAD_SECONDS(seconds) PGASIM_ONCE_(pgasim_instead_seconds(seconds))

/* Executions of sampled kernels that all ranks have skipped so far. Unless it is 0, do not verify results. */
unsigned long pgasim_skipped(void);

/* Folded memory, as from malloc, but shared: what one rank writes there, all read. NULL: no memory. Ranks
 * that request the same size at one place of the program get the same block; blocks that a rank holds at one
 * time do not overlap. */
void *pgasim_fold_malloc(size_t bytes);
/* Only the whole pages in these n ranges are folded: [ranges[2k], ranges[2k + 1]), offsets in bytes,
 * ascending. The rest is private to the rank. */
void *pgasim_fold_malloc_only(size_t bytes, const size_t *ranges, size_t n);
/* All except these n ranges is folded. */
void *pgasim_fold_malloc_except(size_t bytes, const size_t *ranges, size_t n);
/* Frees memory from the functions above or from malloc. */
void pgasim_fold_free(void *p);
/* As shmem_malloc, called by all PEs and freed by shmem_free; but all PEs share one copy at one address: a
 * put to any PE changes it for all. */
void *pgasim_fold_shmem_malloc(size_t bytes);

/* --- views: docs/views.md --------------------------------------------------------------------------------
 * For libraries that make a shared memory by page protection: memory that has the same address at all ranks,
 * whose bytes and protection are each rank's own. Without `pgasim run` these do nothing: map memory then. */

enum pgasim_access { PGASIM_NO_ACCESS, PGASIM_READ, PGASIM_READ_WRITE };
struct pgasim_view {
    void *at;     /* the same at all ranks */
    void *inside; /* the same bytes at an address of the rank's own, always accessible, also to messages */
    size_t bytes;
};
/* Makes the calling rank's view: zeros that it may not access yet. `wish`: where, or NULL; whole pages. All
 * ranks that have one must ask for the same; a rank has one view until its end. 1: it is made; 0: this is no
 * simulated rank.
 *
 * `fault` is called when the rank loads (0) or stores (1) where it may not, as if its code had called it there:
 * it may call everything, and wait. It returns 1 to try the access again, or 0 if it is a mistake. */
int pgasim_view_make(struct pgasim_view *view, void *wish, size_t bytes,
                     int (*fault)(void *address, int store));
/* From now on the rank may access these pages of its view so. */
void pgasim_view_protect(void *from, size_t bytes, enum pgasim_access access);

/* What the macros stand for. */
int pgasim_sample_begin(const char *file, int line, const char *tag, int global, int most, double error);
int pgasim_sample_end(const char *file, int line, const char *tag);
int pgasim_instead_flops(double flops);
int pgasim_instead_seconds(double seconds);
#define PGASIM_PASTE_(a, b) a##b
#define PGASIM_NAME_(line)  PGASIM_PASTE_(pgasim_go_, line)
#define PGASIM_SAMPLE_(global, most, error, tag)                                                             \
    for (int PGASIM_NAME_(__LINE__) = pgasim_sample_begin(__FILE__, __LINE__, tag, global, most, error);     \
         PGASIM_NAME_(__LINE__); PGASIM_NAME_(__LINE__) = pgasim_sample_end(__FILE__, __LINE__, tag))
#define PGASIM_SAMPLE_LOOP_(init, condition, step, global, most, error, tag)                                 \
    for (init; (condition); pgasim_sample_end(__FILE__, __LINE__, tag), (step))                              \
        if (!pgasim_sample_begin(__FILE__, __LINE__, tag, global, most, error)) {                            \
        } else
#define PGASIM_ONCE_(go)                                                                                     \
    for (int PGASIM_NAME_(__LINE__) = (go); PGASIM_NAME_(__LINE__); PGASIM_NAME_(__LINE__) = 0)

/* --- for platforms
 * -------------------------------------------------------------------------------------------
 *
 * A shared object that exports
 *
 *      int pgasim_platform(struct pgasim_platform *p);     0: the platform is complete; else: it failed
 *
 * can be used wherever a platform file is expected: `pgasim run -platform mine.so`,
 * `pgasim platform show mine.so`. Each function below does what the XML element of its name does
 * (docs/platform.md; SimGrid's DTD 4.1). Members that are left out (0, NULL) have the element's initial
 * value. Texts and arrays are copied. A wrong call ends the command with status 2 and a report that names the
 * source line, the function, and what was expected: at once or, for unknown names, when pgasim_platform has
 * returned.
 *
 * Units: bytes/s, seconds, flop/s of one core. Names of hosts, routers and zones share one space, names of
 * links another.
 * Within a zone, hosts, zones and links are in the order of the calls. Routes may name what any call adds.
 * */

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
    PGASIM_FLOYD,          /* declared routes are edges; shortest paths, all computed at once */
    PGASIM_DIJKSTRA,       /* the same, each computed when needed */
    PGASIM_DIJKSTRA_CACHE, /* the same, and kept */
    PGASIM_STAR,           /* each host has links of its own (pgasim_host_link_add): SimGrid's "Cluster" */
    PGASIM_VIVALDI,        /* latencies by coordinates (pgasim_peer_add) */
    PGASIM_EMPTY,          /* no routes within */
};
/* A zone in `in`, or the one that holds all others where `in` is NULL. Valid until pgasim_platform
 * returns. */
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
    int one_way; /* 1: not for the reverse direction */
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
    PGASIM_MESH,      /* parameters "X,Y,...": a torus whose rings are open; SimGrid does not have it */
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

/* Changes over time: from each time `at` on, a property of the host or link has the value. Speeds: a fraction
 * of the host's speed; states: 1 on, 0 off. `period`: seconds after the last change when the profile repeats;
 * < 0: never. */
enum pgasim_trait { PGASIM_SPEED, PGASIM_HOST_STATE, PGASIM_BANDWIDTH, PGASIM_LATENCY, PGASIM_LINK_STATE };
struct pgasim_change {
    double at, value;
};
void pgasim_profile_add(struct pgasim_zone *zone, enum pgasim_trait trait, const char *element,
                        const struct pgasim_change *changes, unsigned n_changes, double period);

/* Records the source line of the next call, for reports; called by the macros below. */
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
