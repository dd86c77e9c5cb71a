/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular: clusters whose hosts have their place in a torus, a mesh, a fat tree or a dragonfly. regular.c has
 * what these topologies share: hosts, loopbacks, limiters, the ids of links. Each <topology>.c says how many
 * cables there are, their names, and which of them a route takes. Only a record is kept per link, nothing per
 * pair of hosts.
 *
 * Links of such a zone, in the order of their ids:
 *      [a loopback for each host] [a limiter for each host, then for each switch] cables
 * where a cable is two links, up and down, if the cluster's links are SPLITDUPLEX.
 */
#ifndef PGASIM_PLATFORM_REGULAR_H
#define PGASIM_PLATFORM_REGULAR_H

#include "platform/zone/cluster.h"

extern const struct platform_topology platform_torus, platform_mesh, platform_fat_tree, platform_dragonfly;

/* --- regular.c ---------------------------------------------------------------------------------- */

/* Slots of the kinds of zone. */
int platform_regular_gateways(const struct platform *p, const struct platform_zone *z, platform_point from,
                              platform_point to, struct platform_path *path, platform_point gateways[2]);
int platform_regular_seal(struct platform *p, struct platform_zone *z, uint32_t *line,
                          struct base_status *st);
bool platform_regular_find(const struct platform *p, const struct platform_zone *z, const char *name,
                           uint32_t *id);
const char *platform_regular_name(const struct platform *p, const struct platform_zone *z, uint32_t id);
void platform_regular_release(struct platform_zone *z);
void platform_regular_print(const struct platform *p, const struct platform_zone *z, FILE *out);
void platform_regular_check(const struct platform *p, const struct platform_zone *z);
/* What the tables of all regular topologies have in common: all but the name and the walk of a route. */
#define PLATFORM_REGULAR_FUNCTIONS                                                                           \
    .quick = true, .gateways = platform_regular_gateways, .seal = platform_regular_seal,                     \
    .link_find = platform_regular_find, .link_name = platform_regular_name,                                  \
    .release = platform_regular_release, .print = platform_regular_print, .check = platform_regular_check

/* The zone whose regular cluster computes this link, or NULL (regular_names.c). */
const struct platform_zone *platform_regular_of_link(const struct platform *p, uint32_t link);
/* A link of a fat tree or dragonfly, whose names do not begin with their zone's. */
bool platform_regular_link_find(const struct platform *p, const char *name, uint32_t *id);

/* Slot `find` of a counted topology: by the number at the end of the name. */
bool platform_regular_counted(const struct platform_zone *z, const char *name, uint32_t *cable);

/* Hosts in dimensions, as in a torus (regular_names.c). "<zone>_link_from_<host>_to_<host>": the numbers of the
 * two, of which `from` is a host's. False: another name. */
bool platform_regular_ends(const struct platform_zone *z, const char *name, uint64_t *from, uint64_t *to);
char *platform_regular_between(const struct platform_zone *z, uint32_t from, uint32_t to); /* such a name */
void platform_regular_sizes(const struct platform_shape *shape, FILE *out);                /* 4 x 4 x 2 */

/* For append: the places of two hosts. True: src is dst and has a loopback, which was appended. */
bool platform_regular_start(const struct platform_zone *z, platform_point from, platform_point to,
                            struct platform_path *path, uint32_t *src, uint32_t *dst);
static inline void platform_regular_cross(const struct platform_regular *r, uint32_t cable, bool up,
                                          struct platform_path *path)
{
    platform_path_push(path, r->first_cable + (r->split ? 2 * cable + !up : cable));
    path->latency += r->latency;
}
/* Appends the limiter of host `at`, or of switch at - hosts, if there are any. */
static inline void platform_regular_limit(const struct platform_regular *r, uint32_t at,
                                          struct platform_path *path)
{
    if (r->limiter)
        platform_path_push(path, r->first_limiter + at);
}

/* --- numbers of topo_parameters (shape.c) -------------------------------------------------------- */

/* Checks the counts, which may have any width, and stores them. */
int platform_shape_counts(struct platform_shape *out, uint64_t hosts, uint64_t switches, uint64_t cables,
                          uint32_t most_hosts, struct base_status *st);

#endif
