/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster: the flat <cluster>. Hosts hang from a crossbar or a backbone by a private link each:
 *
 *      host a --[limiter a]-- link a (up) --\             /-- link b (down) --[limiter b]-- host b
 *                                            [ backbone ]
 *                                                 |
 *                                              router   (the cluster's gateway)
 *
 * Nothing is kept per pair: a host's links follow from its place in the cluster, and all private links have
 * the same latency. As in SimGrid, a route crosses no link twice, so a host without a loopback link reaches
 * itself over its own link and the backbone.
 */
#include "platform/zone/cluster.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 5 }; /* of a route */

static void cluster_open(struct platform_zone *z)
{
    z->cluster = base_zalloc(sizeof *z->cluster, "a cluster");
}

/* The first link of a host; the others follow in the order [loopback] [limiter] up [down]. */
static inline uint32_t links_of(const struct platform_zone *z, uint32_t host)
{
    return z->cluster->first_link + (host - z->first_host) * z->cluster->per_host;
}

/* Both functions write to `at` and return the end. */
static inline uint32_t *append_up(const struct platform_zone *z, uint32_t host, uint32_t *at)
{
    uint32_t link = links_of(z, host) + z->cluster->loopback;
    if (z->cluster->limiter)
        *at++ = link++;
    *at++ = link;
    return at;
}

static inline uint32_t *append_down(const struct platform_zone *z, uint32_t host, uint32_t *at)
{
    uint32_t limiter = links_of(z, host) + z->cluster->loopback;
    *at++ = limiter + z->cluster->limiter + z->cluster->split;
    if (z->cluster->limiter)
        *at++ = limiter;
    return at;
}

/* Link by link if something was crossed before, so that the sum is SimGrid's to the last digit. */
static void latency_add(const struct platform *p, const struct platform_cluster *c, bool from_host,
                        bool to_host, struct platform_path *path)
{
    if (path->latency == 0) {
        path->latency = from_host && to_host ? c->host_to_host : c->host_to_router;
        return;
    }
    double own = p->links.at[c->first_link + c->loopback + c->limiter].latency;
    if (from_host)
        path->latency += own;
    if (c->backbone != PLATFORM_NONE)
        path->latency += p->links.at[c->backbone].latency;
    if (to_host)
        path->latency += own;
}

static void append_itself(const struct platform *p, const struct platform_zone *z, uint32_t host,
                          struct platform_path *path)
{
    const struct platform_cluster *c = z->cluster;
    if (c->loopback) {
        path->latency += c->host_to_itself;
        platform_path_push(path, links_of(z, host));
        return;
    }
    latency_add(p, c, true, c->split, path);
    uint32_t *at = append_up(z, host, platform_path_room(path, MOST_LINKS));
    if (c->backbone != PLATFORM_NONE)
        *at++ = c->backbone;
    if (c->split)
        *at++ = links_of(z, host) + c->limiter + 1;
    path->links.n = (size_t)(at - path->links.at);
}

static int cluster_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                          platform_point to, struct platform_path *path)
{
    const struct platform_cluster *c = z->cluster;
    bool from_host = platform_point_kind(from) == PLATFORM_IS_HOST;
    bool to_host = platform_point_kind(to) == PLATFORM_IS_HOST;
    if (BASE_UNLIKELY(from == to)) {
        if (from_host)
            append_itself(p, z, platform_point_id(from), path);
        return 0;
    }
    uint32_t *at = platform_path_room(path, MOST_LINKS);
    if (from_host)
        at = append_up(z, platform_point_id(from), at);
    if (c->backbone != PLATFORM_NONE)
        *at++ = c->backbone;
    if (to_host)
        at = append_down(z, platform_point_id(to), at);
    path->links.n = (size_t)(at - path->links.at);
    latency_add(p, c, from_host, to_host, path);
    return 0;
}

/* A cluster holds no zones, so this is never needed. */
static int cluster_gateways(const struct platform *p, const struct platform_zone *z, platform_point from,
                            platform_point to, struct platform_path *path, platform_point gateways[2])
{
    (void)p, (void)gateways;
    return platform_path_gap(path, z->id, from, to);
}

/* --- links by name ------------------------------------------------------------------------------ */

unsigned platform_cluster_suffixes(const struct platform_cluster *c, const char *suffixes[4])
{
    unsigned n = 0;
    if (c->loopback)
        suffixes[n++] = "_loopback";
    if (c->limiter)
        suffixes[n++] = "_limiter";
    suffixes[n++] = c->split ? "_UP" : "";
    if (c->split)
        suffixes[n++] = "_DOWN";
    return n;
}

/* "<zone>_link_<number><suffix>"; without a suffix it is the whole private link. */
static bool cluster_link_find(const struct platform *p, const struct platform_zone *z, const char *name,
                              uint32_t *id)
{
    (void)p;
    const struct platform_cluster *c = z->cluster;
    size_t length = strlen(z->name);
    const char *at = name + length + strlen("_link_"), *suffixes[4];
    uint32_t index;
    uint64_t number;
    if (strncmp(name, z->name, length) || strncmp(name + length, "_link_", strlen("_link_")) ||
        !platform_name_number(&at, &number) || !platform_radical_find(&c->radical, number, &index))
        return false;
    uint32_t first = c->first_link + index * c->per_host;
    if (!*at && c->split) {
        *id = (first + c->loopback + c->limiter) | PLATFORM_SPLIT;
        return true;
    }
    for (unsigned k = 0, n = platform_cluster_suffixes(c, suffixes); k < n; k++)
        if (!strcmp(at, suffixes[k])) {
            *id = first + k;
            return true;
        }
    return false;
}

/* --- the rest ----------------------------------------------------------------------------------- */

static int cluster_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    (void)p, (void)z, (void)line, (void)st;
    return 0;
}

static void cluster_release(struct platform_zone *z)
{
    platform_radical_release(&z->cluster->radical);
    free(z->cluster);
}

static void cluster_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    const struct platform_cluster *c = z->cluster;
    fprintf(out, "%s%s%s%s", c->split ? "split-duplex links" : "shared links",
            c->backbone == PLATFORM_NONE                          ? ""
            : p->links.at[c->backbone].policy == PLATFORM_FATPIPE ? ", fatpipe backbone"
                                                                  : ", shared backbone",
            c->limiter ? ", limiters" : "", c->loopback ? ", loopbacks" : "");
}

static void cluster_check(const struct platform *p, const struct platform_zone *z)
{
    BASE_ASSERT("P1", (size_t)z->cluster->first_link + (size_t)z->hosts * z->cluster->per_host <= p->links.n);
    BASE_ASSERT("P2", z->zones == 0 && z->routers == 1);
}

const struct platform_zone_kind platform_zone_cluster = {
    .name = "Cluster",
    .quick = true,
    .inherited = true,
    .open = cluster_open,
    .gateways = cluster_gateways,
    .append = cluster_append,
    .seal = cluster_seal,
    .link_find = cluster_link_find,
    .release = cluster_release,
    .print = cluster_print,
    .check = cluster_check,
};
