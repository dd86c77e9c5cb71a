/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts: which hosts of a platform are interchangeable. Hosts a and b are if the exchange of a and b, with a
 * suitable exchange of links, maps every route of the platform to a route of it. The exchange of links
 * follows from the routes that begin or end at a or b: it pairs the links of (a, x) with those of (b, x). All
 * other routes must stay as they are, so a link that it moves must not be on any of them. Such exchanges can
 * be put one after the other, so that to be interchangeable with the first host of a class is to be so with
 * all of them.
 */
#include "deploy/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct platform *p;
    struct deploy_hosts *h;
    bool *varies, *link_varies; /* a profile changes it */
    uint64_t *uses;             /* of each link, by the routes between all pairs */
    /* For the pair of hosts that is looked at. */
    uint32_t a, b;
    uint32_t *to;    /* where the exchange takes a link; UINT32_MAX: not yet known */
    uint64_t *moved; /* uses of a link by the routes that it maps */
    BASE_ARRAY(uint32_t) touched;
    BASE_ARRAY(uint32_t) route;
};

/* --- hosts ---------------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

static bool has_properties_of(const struct platform *p, uint32_t a, uint32_t b)
{
    struct platform_prop prop;
    for (size_t k = 0; platform_property_at(p, k, &prop); k++)
        if (prop.hosts && a >= prop.first && a < prop.first + prop.hosts &&
            !same(platform_host_property(p, a, prop.key), platform_host_property(p, b, prop.key)))
            return false;
    return true;
}

static bool equal_hosts(const struct search *x)
{
    const struct platform_host a = *platform_host(x->p, x->a), b = *platform_host(x->p, x->b);
    return a.speed == b.speed && a.cores == b.cores && !x->varies[x->a] && !x->varies[x->b] &&
           has_properties_of(x->p, x->a, x->b) && has_properties_of(x->p, x->b, x->a);
}

/* --- routes --------------------------------------------------------------------------------------- */

static bool equal_links(const struct search *x, uint32_t a, uint32_t b)
{
    const struct platform_link k = *platform_link_unnamed(x->p, a), l = *platform_link_unnamed(x->p, b);
    return a == b || (k.bandwidth == l.bandwidth && k.latency == l.latency && k.policy == l.policy &&
                      !x->link_varies[a] && !x->link_varies[b]);
}

static bool pair_link(struct search *x, uint32_t from, uint32_t to)
{
    if (x->to[from] == UINT32_MAX) {
        if (!equal_links(x, from, to))
            return false;
        x->to[from] = to;
        BASE_ARRAY_PUSH(&x->touched, from);
    }
    x->moved[from]++;
    return x->to[from] == to;
}

static uint32_t exchanged(const struct search *x, uint32_t host)
{
    return host == x->a ? x->b : host == x->b ? x->a : host;
}

static bool pair_route(struct search *x, uint32_t from, uint32_t to)
{
    struct platform_route r;
    x->route.n = 0;
    bool there = !platform_route(x->p, from, to, &r, NULL);
    for (uint32_t k = 0; there && k < r.n_links; k++)
        BASE_ARRAY_PUSH(&x->route, r.links[k]);
    double latency = there ? r.latency : 0;
    if (platform_route(x->p, exchanged(x, from), exchanged(x, to), &r, NULL))
        return !there;
    if (!there || r.n_links != x->route.n || r.latency != latency)
        return false;
    for (uint32_t k = 0; k < r.n_links; k++)
        if (!pair_link(x, x->route.at[k], r.links[k]))
            return false;
    return true;
}

static bool pair_routes(struct search *x)
{
    const uint32_t a = x->a, b = x->b;
    if (!pair_route(x, a, a) || !pair_route(x, b, b) || !pair_route(x, a, b) || !pair_route(x, b, a))
        return false;
    for (uint32_t k = 0; k < x->h->n; k++)
        if (k != a && k != b &&
            (!pair_route(x, a, k) || !pair_route(x, b, k) || !pair_route(x, k, a) || !pair_route(x, k, b)))
            return false;
    for (size_t k = 0; k < x->touched.n; k++) {
        uint32_t link = x->touched.at[k];
        if (x->to[link] != link && x->moved[link] != x->uses[link])
            return false;
    }
    return true;
}

static bool interchangeable(struct search *x, uint32_t a, uint32_t b)
{
    x->a = a;
    x->b = b;
    bool yes = equal_hosts(x) && pair_routes(x);
    for (size_t k = 0; k < x->touched.n; k++) {
        x->to[x->touched.at[k]] = UINT32_MAX;
        x->moved[x->touched.at[k]] = 0;
    }
    x->touched.n = 0;
    return yes;
}

/* --- reading -------------------------------------------------------------------------------------- */

static void note_profiles(struct search *x)
{
    for (uint32_t k = 0; k < platform_profile_count(x->p); k++) {
        const struct platform_profile *f = platform_profile_at(x->p, k);
        bool host = f->trait == PLATFORM_SPEED || f->trait == PLATFORM_HOST_STATE;
        (host ? x->varies : x->link_varies)[f->id] = true;
    }
}

static void note_routes(struct search *x)
{
    struct platform_route r;
    for (uint32_t from = 0; from < x->h->n; from++)
        for (uint32_t to = 0; to < x->h->n; to++) {
            bool there = !platform_route(x->p, from, to, &r, NULL);
            x->h->latency[from * x->h->n + to] = from == to ? 0 : there ? r.latency : INFINITY;
            for (uint32_t k = 0; there && k < r.n_links; k++)
                x->uses[r.links[k]]++;
        }
}

static void find_classes(struct search *x)
{
    for (uint32_t k = 0; k < x->h->n; k++) {
        x->h->at[k].like = k;
        for (uint32_t l = 0; l < k; l++)
            if (x->h->at[l].like == l && interchangeable(x, l, k)) {
                x->h->at[k].like = l;
                break;
            }
    }
}

static void classify(struct deploy_hosts *h, struct platform *p)
{
    uint32_t links = platform_link_count(p);
    struct search x = {.p = p, .h = h};
    x.varies = base_zalloc(h->n, "hosts");
    x.link_varies = base_zalloc(links + 1, "links");
    x.uses = base_zalloc((links + 1) * sizeof *x.uses, "links");
    x.moved = base_zalloc((links + 1) * sizeof *x.moved, "links");
    x.to = base_alloc((links + 1) * sizeof *x.to, "links");
    memset(x.to, 0xff, (links + 1) * sizeof *x.to);
    note_profiles(&x);
    note_routes(&x);
    find_classes(&x);
    free(x.varies);
    free(x.link_varies);
    free(x.uses);
    free(x.moved);
    free(x.to);
    free(x.touched.at);
    free(x.route.at);
}

/* Names are words of tables and rankfiles. */
static int read_host(struct deploy_host *h, const struct platform *p, uint32_t id, uint32_t per_host,
                     struct base_status *st)
{
    const struct platform_host *host = platform_host(p, id);
    const char *idle = platform_host_property(p, id, "sat/power-idle");
    size_t n = strcspn(host->name, " \t\r\n@*,=\"#");
    if (host->name[n])
        return base_fail(st, "host '%.80s': its name contains '%c'", host->name, host->name[n]);
    if (idle && base_parse_double(idle, &h->power_idle, NULL))
        return base_fail(st, "host '%.80s': sat/power-idle '%.40s' is not a number of watts", host->name,
                         idle);
    if (h->power_idle < 0)
        return base_fail(st, "host '%.80s': sat/power-idle '%.40s' is negative", host->name, idle);
    uint32_t room = per_host ? per_host : host->cores;
    h->room = room > DEPLOY_PROCESSES ? DEPLOY_PROCESSES : (uint16_t)room;
    h->name = base_strdup(host->name);
    return 0;
}

int deploy_hosts_read(struct deploy_hosts *h, struct platform *p, uint32_t per_host, struct base_status *st)
{
    uint32_t n = platform_host_count(p);
    if (n > DEPLOY_HOSTS)
        return base_fail(st, "the platform has %u hosts; explore handles at most %d", n, DEPLOY_HOSTS);
    *h = (struct deploy_hosts){.n = n};
    h->at = base_zalloc((n + 1) * sizeof *h->at, "hosts");
    h->latency = base_zalloc((n * n + 1) * sizeof *h->latency, "latencies");
    for (uint32_t k = 0; k < n; k++)
        if (read_host(&h->at[k], p, k, per_host, st)) {
            deploy_hosts_release(h);
            return -1;
        }
    classify(h, p);
    return 0;
}

void deploy_hosts_release(struct deploy_hosts *h)
{
    for (uint32_t k = 0; k < h->n; k++)
        free(h->at[k].name);
    free(h->at);
    free(h->latency);
    *h = (struct deploy_hosts){0};
}

int deploy_host_find(const struct deploy_hosts *h, const char *name, size_t length, uint16_t *out)
{
    for (uint32_t k = 0; k < h->n; k++)
        if (strlen(h->at[k].name) == length && !memcmp(h->at[k].name, name, length)) {
            *out = (uint16_t)k;
            return 0;
        }
    return -1;
}
