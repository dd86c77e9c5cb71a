/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_build: a flat <cluster> as it is declared: its hosts, links and router from its radical. cluster.c
 * has its routes. Clusters of the other topologies (regular.c) share some of this.
 */
#include "platform/zone/cluster.h"

#include <stdlib.h>
#include <string.h>

/* --- declaring ---------------------------------------------------------------------------------- */

static int spec_check(const struct platform_cluster_spec *spec, struct base_status *st)
{
    if (spec->backbone_latency > 0 && !(spec->backbone_bandwidth > 0))
        return base_fail(st, "a bb_lat without bb_bw; expected the backbone's bandwidth as well");
    if (spec->loopback_latency > 0 && !(spec->loopback_bandwidth > 0))
        return base_fail(st, "a loopback_lat without loopback_bw; expected the loopback's bandwidth as well");
    return 0;
}

static int backbone_add(struct platform *p, struct platform_cluster *c,
                        const struct platform_cluster_spec *spec, uint32_t line, struct base_status *st)
{
    c->backbone = PLATFORM_NONE;
    if (!(spec->backbone_bandwidth > 0))
        return 0;
    char *name = base_strfmt("%s_backbone", spec->id);
    struct platform_link link = {name, spec->backbone_bandwidth, spec->backbone_latency,
                                 spec->backbone_policy};
    int rc = platform_link_add(p, link, false, line, &c->backbone, st);
    free(name);
    return rc;
}

/* Adds the links of the host with this number. */
static void host_links_add(struct platform *p, const struct platform_cluster *c,
                           const struct platform_cluster_spec *spec, const char *prefix, uint32_t number)
{
    const char *suffixes[4];
    unsigned n = platform_cluster_suffixes(c, suffixes), limited = c->loopback + (unsigned)c->limiter;
    struct platform_link loopback = {NULL, spec->loopback_bandwidth, spec->loopback_latency,
                                     PLATFORM_FATPIPE};
    struct platform_link limiter = {NULL, spec->limiter_bandwidth, 0, PLATFORM_SHARED};
    struct platform_link private = {NULL, spec->bandwidth, spec->latency, PLATFORM_SHARED};
    for (unsigned k = 0; k < n; k++) {
        struct platform_link *link = k < c->loopback ? &loopback : k < limited ? &limiter : &private;
        link->name = platform_names_number(p->names, prefix, number, suffixes[k]);
        platform_link_append(p, *link);
    }
}

static void links_add(struct platform *p, const struct platform_cluster *c,
                      const struct platform_cluster_spec *spec)
{
    char *prefix = base_strfmt("%s_link_", spec->id);
    for (size_t k = 0; k < c->radical.ranges.n; k++)
        for (uint32_t number = c->radical.ranges.at[k].first; number <= c->radical.ranges.at[k].last;
             number++)
            host_links_add(p, c, spec, prefix, number);
    free(prefix);
}

int platform_cluster_hosts_add(struct platform *p, uint32_t zone, const struct platform_cluster_spec *spec,
                               const struct platform_radical *radical, uint32_t n, uint32_t line,
                               struct base_status *st)
{
    uint32_t done = 0, host;
    for (size_t k = 0; k < radical->ranges.n; k++)
        for (uint32_t number = radical->ranges.at[k].first; number <= radical->ranges.at[k].last; number++) {
            if (done++ == n)
                return 0;
            const char *name = platform_names_number(p->names, spec->prefix, number, spec->suffix);
            if (platform_host_add(p, zone, name, spec->speed, spec->cores, line, &host, st))
                return -1;
        }
    return 0;
}

static void latencies_set(struct platform_cluster *c, const struct platform_cluster_spec *spec)
{
    double backbone = c->backbone == PLATFORM_NONE ? 0 : spec->backbone_latency;
    c->host_to_router = spec->latency + backbone;
    c->host_to_host = c->host_to_router + spec->latency;
    c->host_to_itself = c->loopback ? spec->loopback_latency : c->split ? c->host_to_host : c->host_to_router;
}

static int router_add(struct platform *p, uint32_t zone, const struct platform_cluster_spec *spec,
                      uint32_t line, struct base_status *st)
{
    char *computed = spec->router && *spec->router
                         ? base_strdup(spec->router)
                         : base_strfmt("%s%s_router%s", spec->prefix, spec->id, spec->suffix);
    const char *name = platform_names_keep(p->names, computed, strlen(computed));
    free(computed);
    uint32_t id;
    return platform_router_add(p, zone, name, line, &id, st);
}

/* An earlier link with one of the names that this cluster computes. */
struct clash {
    const struct platform *p;
    const struct platform_zone *z;
    struct platform_named found;
};

static bool clashes(void *arg, const struct platform_named *link)
{
    struct clash *clash = arg;
    uint32_t id;
    if (!clash->z->kind->link_find(clash->p, clash->z, link->name, &id))
        return false;
    clash->found = *link;
    return true;
}

int platform_cluster_clash(const struct platform *p, uint32_t zone, struct base_status *st)
{
    struct clash clash = {.p = p, .z = &p->zones.at[zone]};
    if (!platform_names_any(p->names, PLATFORM_LINKS, clashes, &clash))
        return 0;
    return base_fail(st, "the cluster's link '%s' has the name of the link declared at line %u",
                     clash.found.name, clash.found.line);
}

int platform_cluster_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         uint32_t line, uint32_t *zone, struct base_status *st)
{
    uint32_t id;
    if (spec_check(spec, st) || platform_zone_add(p, parent, spec->id, line, &platform_zone_cluster, &id, st))
        return -1;
    struct platform_cluster *c = p->zones.at[id].cluster;
    c->loopback = spec->loopback_bandwidth > 0;
    c->limiter = spec->limiter_bandwidth > 0;
    c->split = spec->split;
    c->per_host = (uint8_t)(c->loopback + c->limiter + c->split + 1);
    if (platform_radical_parse(p, spec->radical, &c->radical, st) || backbone_add(p, c, spec, line, st))
        return -1;
    c->first_link = (uint32_t)p->links.n;
    latencies_set(c, spec);
    platform_reserve(p, c->radical.n, (size_t)c->radical.n * c->per_host);
    if (platform_cluster_hosts_add(p, id, spec, &c->radical, c->radical.n, line, st) ||
        router_add(p, id, spec, line, st))
        return -1;
    links_add(p, c, spec);
    *zone = id;
    return platform_cluster_clash(p, id, st);
}
