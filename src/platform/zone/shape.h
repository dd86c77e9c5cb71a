/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shape: the numbers of the topologies TORUS, MESH, FAT_TREE and DRAGONFLY, and clusters that have one: the
 * second part of zone.h, which includes it.
 */
#ifndef PGASIM_PLATFORM_SHAPE_H
#define PGASIM_PLATFORM_SHAPE_H

#include "platform/model/model.h"

/* Numbers first..last of a radical; number `first` is the cluster's host `index`. */
struct platform_range {
    uint32_t first, last, index;
};
struct platform_radical {
    BASE_ARRAY(struct platform_range) ranges;
    uint32_t n; /* numbers */
};
enum {
    PLATFORM_TORUS_MOST = 26,    /* dimensions: 2^24 hosts have no more, with one of size 1 */
    PLATFORM_FAT_TREE_MOST = 24, /* levels */
};

/* Also of a mesh. Host h is at h % size[0], h / size[0] % size[1], ... Cable (h, d) leads from h one step up
 * dimension d. A torus has n cables a host; those of a mesh are numbered dimension by dimension, without the
 * hosts at the upper end. */
struct platform_torus {
    uint32_t n;
    uint32_t size[PLATFORM_TORUS_MOST];
};

/* Level 0 is the hosts. A node of level l has up[l] parents, with ports[l] cables to each, and down[l - 1]
 * children. Nodes of a level are numbered from 0; `below[l]` nodes of all levels come before those of level
 * l. A node's label has a digit for each step between levels: digit k is the lowest of the remaining ones, in
 * base up[k] if k < l, else in base down[k]. A node and its parent differ in one digit, that of the step. */
struct platform_fat_tree {
    uint32_t levels;
    uint32_t up[PLATFORM_FAT_TREE_MOST], down[PLATFORM_FAT_TREE_MOST], ports[PLATFORM_FAT_TREE_MOST];
    uint32_t ups[PLATFORM_FAT_TREE_MOST + 1];   /* product of up[0..l) */
    uint32_t below[PLATFORM_FAT_TREE_MOST + 2]; /* nodes */
    uint32_t cable[PLATFORM_FAT_TREE_MOST + 1]; /* the first one from level l to the next */
    uint32_t offset; /* hosts in earlier fat trees: SimGrid numbers hosts consecutively */
};

/* Groups of chassis of routers (blades) of hosts. Cables, in this order: router to host; within a chassis
 * between all pairs of routers (green); within a group between routers with the same number in all pairs of
 * chassis (black); between all pairs of groups (blue). */
struct platform_dragonfly {
    uint32_t groups, blue, chassis, black, blades, green, nodes;
    uint32_t first_green, first_black, first_blue;
};

/* The numbers of a topology. */
struct platform_topology;
struct platform_shape {
    const struct platform_topology *topology;
    uint32_t hosts, switches, cables;
    union {
        struct platform_torus torus;
        struct platform_fat_tree fat_tree;
        struct platform_dragonfly dragonfly;
    };
};

struct platform_regular {
    struct platform_shape shape;
    struct platform_radical radical;
    bool loopback, limiter, split;
    uint32_t first_link, first_limiter, first_cable;
    uint32_t count[2]; /* cables before this zone's, of fat trees and of dragonflies: part of their names */
    double latency, loopback_latency;
};

/* Cables of a mesh in dimension d. */
static inline uint32_t platform_mesh_cables(const struct platform_shape *shape, uint32_t d)
{
    return shape->hosts - shape->hosts / shape->torus.size[d];
}
/* Which of them leads up from `host`, which is not at the upper end. */
static inline uint32_t platform_mesh_cable(uint32_t host, uint32_t size, uint32_t stride)
{
    return host / (size * stride) * (size - 1) * stride + host % (size * stride);
}

/* What differs between topologies besides their kind of zone. */
struct platform_topology {
    const char *name; /* as in <cluster topology=...> */
    const struct platform_zone_kind *zone;
    int counted; /* index in platform_regular.count; -1: names begin with the zone's name */
    bool limits; /* switches have a limiter if hosts do */
    /* Reads topo_parameters and computes counts; allows at most
     * this many hosts, and links in proportion. -1 with st. */
    int (*parse)(struct platform_shape *out, const char *text, uint32_t most_hosts, struct base_status *st);
    /* Called once the cluster is part of the platform; NULL: nothing to do. */
    void (*settle)(struct platform *p, struct platform_shape *shape);
    /* A cable's bandwidth, in units of that of the cluster's links. */
    uint32_t (*width)(const struct platform_shape *shape, uint32_t cable);
    /* The name of a cable, without _UP or _DOWN, to be freed. */
    char *(*name_of)(const struct platform_zone *z, uint32_t cable);
    /* The cable that may have this name; the caller compares
     * names. For counted topologies, the number in the name tells. */
    bool (*find)(const struct platform_zone *z, const char *name, uint32_t *cable);
    void (*print)(const struct platform_shape *shape, FILE *out);
};
/* The topology of this name, NULL for FLAT and unknown ones. */
const struct platform_topology *platform_topology_find(const char *name);
/* A list "4,4,2" of 1 to `most` numbers, each from 1 to 2^24, up to `end` (';' or 0); *at moves past it.
 * Returns the length, or -1. */
int platform_shape_list(const char **at, char end, uint32_t *out, unsigned most);
/* Multiplies *product by factor; -1 if that is more than `most`. */
int platform_shape_times(uint64_t *product, uint64_t factor, uint64_t most);

#endif
