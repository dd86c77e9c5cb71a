/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random platform file of one to three clusters of any topology, with all their attributes, side by side in
 * a Full zone with routes between them. Used for the comparison with SimGrid, whose routes are the reference.
 */
#ifndef PGASIM_TESTS_PLATFORM_RANDOM_CLUSTERS_H
#define PGASIM_TESTS_PLATFORM_RANDOM_CLUSTERS_H

#include <stdio.h>

#include "base/base.h"

struct random_clusters {
    struct base_random random;
    FILE *xml;
    char gateway[3][64];
    unsigned switches; /* of the fat tree made last */
};

static inline unsigned cluster_number(struct random_clusters *r, unsigned low, unsigned high)
{
    return low + (unsigned)base_random_below(&r->random, high - low + 1);
}

/* Each writes topo_parameters to `text` and returns the number of hosts, a few dozen at most. */
static inline unsigned random_torus(struct random_clusters *r, char *text)
{
    unsigned n = cluster_number(r, 1, 4), hosts = 1;
    bool one = false;
    for (unsigned k = 0; k < n; k++) {
        unsigned size = cluster_number(r, one ? 2 : 1, n == 1 ? 20 : n == 2 ? 7 : 3);
        one |= size == 1;
        hosts *= size;
        text += sprintf(text, "%s%u", k ? "," : "", size);
    }
    return hosts;
}

static inline unsigned random_fat_tree(struct random_clusters *r, char *text)
{
    unsigned levels = cluster_number(r, 1, 4), number[3][4], hosts = 1;
    text += sprintf(text, "%u", levels);
    for (unsigned list = 0; list < 3; list++)
        for (unsigned k = 0; k < levels; k++) {
            number[list][k] = cluster_number(r, 1, list ? 3 : levels == 1 ? 12 : levels == 2 ? 5 : 3);
            text += sprintf(text, "%c%u", k ? ',' : ';', number[list][k]);
        }
    for (unsigned k = 0; k < levels; k++)
        hosts *= number[0][k];
    r->switches = 0;
    for (unsigned k = 0, nodes = hosts; k < levels; k++)
        r->switches += nodes = nodes / number[0][k] * number[1][k];
    return hosts;
}

static inline unsigned random_dragonfly(struct random_clusters *r, char *text)
{
    unsigned blades = cluster_number(r, 1, 4), groups = cluster_number(r, 1, blades);
    unsigned chassis = cluster_number(r, 1, 3), nodes = cluster_number(r, 1, 2);
    sprintf(text, "%u,%u;%u,%u;%u,%u;%u", groups, cluster_number(r, 1, 3), chassis, cluster_number(r, 1, 3),
            blades, cluster_number(r, 1, 3), nodes);
    return groups * chassis * blades * nodes;
}

/* Ranges and single numbers that make n hosts; the first number is noted. */
static inline void random_radical(struct random_clusters *r, unsigned n, unsigned *first)
{
    unsigned at = *first = cluster_number(r, 0, 3);
    fputs("radical=\"", r->xml);
    for (bool more = false; n; more = true) {
        unsigned some = cluster_number(r, 1, n);
        fprintf(r->xml, more ? ",%u" : "%u", at);
        if (some > 1)
            fprintf(r->xml, "-%u", at + some - 1);
        at += some + cluster_number(r, 1, 5);
        n -= some;
    }
    fputs("\" ", r->xml);
}

static inline void random_clusters_one(struct random_clusters *r, unsigned k)
{
    static const char *const topologies[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"};
    static const char *const policies[] = {"SHARED", "SPLITDUPLEX", "FATPIPE"};
    char text[128] = "";
    unsigned topology = cluster_number(r, 0, 3), hosts = cluster_number(r, 1, 8), first;
    if (topology)
        hosts = (topology == 1 ? random_torus : topology == 2 ? random_fat_tree : random_dragonfly)(r, text);
    fprintf(r->xml, "<cluster id=\"c%u\" prefix=\"n%u-\" suffix=\".%u\" speed=\"%uMf\" core=\"%u\" ", k, k, k,
            cluster_number(r, 1, 9), cluster_number(r, 1, 4));
    random_radical(r, hosts, &first);
    fprintf(r->xml, "topology=\"%s\" topo_parameters=\"%s\" bw=\"%uMBps\" lat=\"%uns\" sharing_policy=\"%s\"",
            topologies[topology], text, cluster_number(r, 1, 1000), cluster_number(r, 0, 100),
            policies[cluster_number(r, 0, 2)]);
    if (cluster_number(r, 0, 1))
        fprintf(r->xml, " loopback_bw=\"%uMBps\" loopback_lat=\"%uns\"", cluster_number(r, 1, 1000),
                cluster_number(r, 0, 100));
    /* otherwise SimGrid requires no more switches than hosts */
    if (cluster_number(r, 0, 1) && (topology != 2 || r->switches <= hosts))
        fprintf(r->xml, " limiter_link=\"%uMBps\"", cluster_number(r, 1, 1000));
    if (cluster_number(r, 0, 1))
        fprintf(r->xml, " bb_bw=\"%uMBps\" bb_lat=\"%uns\"", cluster_number(r, 1, 1000),
                cluster_number(r, 0, 100));
    fputs("/>\n", r->xml);
    if (topology == 0 && cluster_number(r, 0, 1))
        snprintf(r->gateway[k], sizeof r->gateway[k], "n%u-c%u_router.%u", k, k, k);
    else
        snprintf(r->gateway[k], sizeof r->gateway[k], "n%u-%u.%u", k, first, k);
}

static inline void random_clusters_make(uint64_t seed, uint64_t number, FILE *xml)
{
    struct random_clusters r = {.xml = xml};
    base_random_seed(&r.random, seed, number);
    unsigned n = cluster_number(&r, 1, 3);
    fprintf(xml, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                 "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n");
    for (unsigned k = 0; k < n; k++)
        random_clusters_one(&r, k);
    fputs("<link id=\"between\" bandwidth=\"1GBps\" latency=\"1us\"/>\n", xml);
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++)
            fprintf(xml,
                    "<zoneRoute src=\"c%u\" dst=\"c%u\" gw_src=\"%s\" gw_dst=\"%s\"><link_ctn "
                    "id=\"between\"/></zoneRoute>\n",
                    a, b, r.gateway[a], r.gateway[b]);
    fputs("</zone>\n</platform>\n", xml);
}

#endif
