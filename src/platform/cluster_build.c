/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_build: a flat <cluster> as it is declared: its hosts, links and router from its radical. What its
 * routes are is in zone_cluster.c.
 */
#include "platform/inside.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- radicals ----------------------------------------------------------------------------------- */

static int radical_number(const char **at, uint32_t *out)
{
    while (isspace((unsigned char)**at))
        ++*at;
    if (!isdigit((unsigned char)**at))
        return -1;
    char *end;
    errno = 0;
    unsigned long value = strtoul(*at, &end, 10);
    if (errno || value > INT32_MAX)
        return -1;
    while (isspace((unsigned char)*end))
        end++;
    *at = end;
    *out = (uint32_t)value;
    return 0;
}

/* One group of "0-9,12,20-29"; *at ends behind it and its comma. */
static int radical_group(const char **at, struct platform_range *out)
{
    if (radical_number(at, &out->first))
        return -1;
    out->last = out->first;
    if (**at == '-') {
        ++*at;
        if (radical_number(at, &out->last) || out->last < out->first)
            return -1;
    }
    if (**at == ',' && (*at)[1])
        ++*at;
    else if (**at)
        return -1;
    return 0;
}

static int radical_parse(const struct platform *p, const char *text, struct platform_cluster *c,
                         uint32_t *hosts, struct base_status *st)
{
    uint64_t n = 0;
    const char *at = text;
    do {
        struct platform_range range = {.index = (uint32_t)n};
        if (radical_group(&at, &range))
            return base_fail(st, "the radical '%s' is not a list of numbers; expected such as 0-15,20,32-39",
                             text);
        n += (uint64_t)range.last - range.first + 1;
        if (n + p->hosts.n > p->host_limit)
            return base_fail(st, "the radical '%s' makes more than %u hosts", text, p->host_limit);
        BASE_ARRAY_PUSH(&c->ranges, range);
    } while (*at);
    *hosts = (uint32_t)n;
    return 0;
}

/* --- declaring ---------------------------------------------------------------------------------- */

static int spec_check(const struct platform_cluster_spec *spec, struct base_status *st)
{
    if (spec->backbone_latency > 0 && !(spec->backbone_bandwidth > 0))
        return base_fail(st, "a bb_lat without bb_bw; expected the backbone's bandwidth, too");
    if (spec->loopback_latency > 0 && !(spec->loopback_bandwidth > 0))
        return base_fail(st, "a loopback_lat without loopback_bw; expected the loopback's bandwidth, too");
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

static int hosts_add(struct platform *p, uint32_t zone, const struct platform_cluster *c,
                     const struct platform_cluster_spec *spec, uint32_t line, struct base_status *st)
{
    char *link_prefix = base_strfmt("%s_link_", spec->id);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < c->ranges.n; k++)
        for (uint32_t number = c->ranges.at[k].first; rc == 0 && number <= c->ranges.at[k].last; number++) {
            uint32_t host;
            const char *name = platform_names_number(p->names, spec->prefix, number, spec->suffix);
            rc = platform_host_add(p, zone, name, spec->speed, spec->cores, line, &host, st);
            if (rc == 0)
                host_links_add(p, c, spec, link_prefix, number);
        }
    free(link_prefix);
    return rc;
}

/* Makes room for n hosts at once, so that nothing large is moved or left over. */
static void reserve(struct platform *p, const struct platform_cluster *c, size_t n)
{
#define RESERVE(array, more)                                                                                 \
    do {                                                                                                     \
        size_t need = (array)->n + (more);                                                                   \
        if (need > (array)->cap) {                                                                           \
            (array)->at = base_realloc((array)->at, need * sizeof *(array)->at, "hosts and links");          \
            (array)->cap = need;                                                                             \
        }                                                                                                    \
    } while (0)
    RESERVE(&p->hosts, n);
    RESERVE(&p->host_zone, n);
    RESERVE(&p->links, n * c->per_host);
#undef RESERVE
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
    return platform_router_add(p, zone, name, line, st);
}

/* A link declared before under one of the names that this cluster computes. */
struct clash {
    const struct platform *p;
    const struct platform_zone *z;
    struct platform_named found;
};

static bool clashes(void *arg, const struct platform_named *link)
{
    struct clash *clash = arg;
    size_t length = strlen(clash->z->name);
    uint32_t id;
    if (strncmp(link->name, clash->z->name, length) || strncmp(link->name + length, "_link_", 6) ||
        !clash->z->kind->link_find(clash->p, clash->z, link->name, &id))
        return false;
    clash->found = *link;
    return true;
}

int platform_cluster_add(struct platform *p, uint32_t parent, const struct platform_cluster_spec *spec,
                         uint32_t line, uint32_t *zone, struct base_status *st)
{
    uint32_t id, hosts = 0;
    if (spec_check(spec, st) || platform_zone_add(p, parent, spec->id, line, &platform_zone_cluster, &id, st))
        return -1;
    struct platform_cluster *c = &p->zones.at[id].cluster;
    c->loopback = spec->loopback_bandwidth > 0;
    c->limiter = spec->limiter_bandwidth > 0;
    c->split = spec->split;
    c->per_host = (uint8_t)(c->loopback + c->limiter + c->split + 1);
    if (radical_parse(p, spec->radical, c, &hosts, st) || backbone_add(p, c, spec, line, st))
        return -1;
    c->first_link = (uint32_t)p->links.n;
    latencies_set(c, spec);
    reserve(p, c, hosts);
    if (hosts_add(p, id, c, spec, line, st) || router_add(p, id, spec, line, st))
        return -1;
    struct clash clash = {.p = p, .z = &p->zones.at[id]};
    if (platform_names_any(p->names, PLATFORM_LINKS, clashes, &clash))
        return base_fail(st, "the cluster's link '%s' has the name of the link declared at line %u",
                         clash.found.name, clash.found.line);
    *zone = id;
    return 0;
}
