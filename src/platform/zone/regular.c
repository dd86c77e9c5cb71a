/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular: what clusters of the topologies TORUS, MESH, FAT_TREE and DRAGONFLY have in common. They have no
 * router and no backbone. regular_names.c names their links.
 */
#include "platform/zone/regular.h"

#include <stdlib.h>

/* --- declaring ---------------------------------------------------------------------------------- */

static int spec_check(const struct platform_cluster_spec *spec, const struct platform_regular *r,
                      struct base_status *st)
{
    if (spec->loopback_latency > 0 && !(spec->loopback_bandwidth > 0))
        return base_fail(st, "a loopback_lat without loopback_bw; expected the loopback's bandwidth as well");
    if (r->radical.n < r->shape.hosts)
        return base_fail(st, "the radical '%s' makes %u hosts; the topology has %u", spec->radical,
                         r->radical.n, r->shape.hosts);
    if (r->limiter && r->shape.topology->limits && r->shape.switches > r->shape.hosts)
        return base_fail(st,
                         "%u switches for %u hosts; with limiter_link expected no more switches than hosts, "
                         "as in SimGrid",
                         r->shape.switches, r->shape.hosts);
    if (r->radical.n > r->shape.hosts)
        base_warn(
            "platform/radical",
            "<cluster id=\"%s\">: the radical '%s' makes %u hosts; the topology has %u, the rest is left "
            "out, as in SimGrid",
            spec->id, spec->radical, r->radical.n, r->shape.hosts);
    return 0;
}

/* Links of one kind, whose names are computed. */
static void append(struct platform *p, uint32_t n, double bandwidth, double latency,
                   enum platform_policy policy)
{
    struct platform_link link = {NULL, bandwidth, latency, policy};
    for (uint32_t k = 0; k < n; k++)
        platform_link_append(p, link);
}

static void links_add(struct platform *p, struct platform_regular *r,
                      const struct platform_cluster_spec *spec)
{
    const struct platform_shape *shape = &r->shape;
    uint32_t loopbacks = r->loopback ? shape->hosts : 0;
    uint32_t limiters = r->limiter ? shape->hosts + (shape->topology->limits ? shape->switches : 0) : 0;
    platform_reserve(p, 0, (size_t)loopbacks + limiters + (size_t)shape->cables * (1 + r->split));
    r->first_link = (uint32_t)p->links.n;
    append(p, loopbacks, spec->loopback_bandwidth, spec->loopback_latency, PLATFORM_FATPIPE);
    r->first_limiter = (uint32_t)p->links.n;
    append(p, limiters, spec->limiter_bandwidth, 0, PLATFORM_SHARED);
    r->first_cable = (uint32_t)p->links.n;
    for (uint32_t k = 0; k < shape->cables; k++)
        append(p, 1 + r->split, spec->bandwidth * shape->topology->width(shape, k), spec->latency,
               PLATFORM_SHARED);
}

/* The zone's cable counts continue where the regular zone before it ended. */
static void count_on(const struct platform *p, struct platform_regular *r)
{
    if (!p->routes->regular.n)
        return;
    const struct platform_regular *before =
        p->zones.at[p->routes->regular.at[p->routes->regular.n - 1]].regular;
    for (int k = 0; k < 2; k++)
        r->count[k] = before->count[k] + (before->shape.topology->counted == k ? before->shape.cables : 0);
}

int platform_regular_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         const struct platform_shape *shape, uint32_t line, uint32_t *zone,
                         struct base_status *st)
{
    uint32_t id;
    struct platform_regular *r = base_zalloc(sizeof *r, "a cluster");
    if (platform_zone_add(p, parent, spec->id, line, shape->topology->zone, &id, st)) {
        free(r);
        return -1;
    }
    p->zones.at[id].regular = r;
    r->shape = *shape;
    r->loopback = spec->loopback_bandwidth > 0;
    r->limiter = spec->limiter_bandwidth > 0;
    r->split = spec->split;
    r->latency = spec->latency;
    r->loopback_latency = spec->loopback_latency;
    if (platform_radical_parse(p, spec->radical, &r->radical, st) || spec_check(spec, r, st))
        return -1;
    if (p->links.n + (uint64_t)(shape->cables + shape->switches + shape->hosts) * 2 > PLATFORM_LINK_LIMIT)
        return base_fail(st, "more than %u links", PLATFORM_LINK_LIMIT);
    platform_reserve(p, shape->hosts, 0);
    if (platform_cluster_hosts_add(p, id, spec, &r->radical, shape->hosts, line, st))
        return -1;
    links_add(p, r, spec);
    count_on(p, r);
    if (shape->topology->settle)
        shape->topology->settle(p, &r->shape);
    BASE_ARRAY_PUSH(&p->routes->regular, id);
    *zone = id;
    return platform_cluster_clash(p, id, st);
}

/* --- the slots ---------------------------------------------------------------------------------- */

bool platform_regular_start(const struct platform_zone *z, platform_point from, platform_point to,
                            struct platform_path *path, uint32_t *src, uint32_t *dst)
{
    const struct platform_regular *r = z->regular;
    *src = platform_point_id(from) - z->first_host;
    *dst = platform_point_id(to) - z->first_host;
    if (BASE_LIKELY(*src != *dst) || !r->loopback)
        return false;
    platform_path_push(path, r->first_link + *src);
    path->latency += r->loopback_latency;
    return true;
}

int platform_regular_gateways(const struct platform *p, const struct platform_zone *z, platform_point from,
                              platform_point to, struct platform_path *path, platform_point gateways[2])
{
    (void)p, (void)gateways;
    return platform_path_gap(path, z->id, from, to);
}

int platform_regular_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    (void)p, (void)z, (void)line, (void)st;
    return 0;
}

void platform_regular_release(struct platform_zone *z)
{
    if (z->regular)
        platform_radical_release(&z->regular->radical);
    free(z->regular);
}

void platform_regular_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    (void)p;
    const struct platform_regular *r = z->regular;
    r->shape.topology->print(&r->shape, out);
    fprintf(out, ", %s%s%s", r->split ? "split-duplex links" : "shared links", r->limiter ? ", limiters" : "",
            r->loopback ? ", loopbacks" : "");
}

void platform_regular_check(const struct platform *p, const struct platform_zone *z)
{
    const struct platform_regular *r = z->regular;
    BASE_ASSERT("P2", z->zones == 0 && z->routers == 0 && z->hosts == r->shape.hosts);
    BASE_ASSERT("P1", r->first_cable + (uint64_t)r->shape.cables * (1 + r->split) <= p->links.n);
}
