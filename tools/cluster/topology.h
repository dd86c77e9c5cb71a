/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology: the part of a platform that a cluster needs: the hosts that get ranks, and the links on the routes
 * between them. Knows nothing of frames or namespaces.
 */
#ifndef CLUSTER_TOPOLOGY_H
#define CLUSTER_TOPOLOGY_H

#include "base/base.h"

struct topology_link {
    char *name;
    double bandwidth; /* bytes/s */
    double latency;   /* seconds */
    uint64_t queue;   /* bytes that may wait; 0: as the options say */
    bool shared;      /* frames wait for each other; not so on a FATPIPE link */
};
struct topology_node {
    char *name;
    uint32_t slots; /* ranks on it */
};
struct topology {
    struct topology_node *nodes;
    struct topology_link *links;
    uint32_t n_nodes, n_links;
    uint32_t *first; /* [n_nodes * n_nodes + 1]: the route from a to b is route[first[a * n_nodes + b]...] */
    uint32_t *route; /* links in order of crossing */
};

enum { TOPOLOGY_NODES_MOST = 250 };

/* Reads a platform file, or the name of a platform, and places `ranks` ranks on its hosts as `pgasim run` does.
 * Settings in the file (<config>) are for the simulator, and are left out of account. */
int topology_load(struct topology *t, const char *platform, uint32_t ranks, struct base_status *st);
/* A star for tests: n nodes, one link up and one down for each. */
void topology_star(struct topology *t, uint32_t n, double bandwidth, double latency);
void topology_release(struct topology *t);

static inline const uint32_t *topology_route(const struct topology *t, uint32_t a, uint32_t b, uint32_t *n)
{
    size_t k = (size_t)a * t->n_nodes + b;
    *n = t->first[k + 1] - t->first[k];
    return t->route + t->first[k];
}

#endif
