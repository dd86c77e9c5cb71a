/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular: what clusters of the topologies TORUS, FAT_TREE and DRAGONFLY have in common. They have no router and no
 * backbone. A link's name is made when somebody asks for it: a large torus has hundreds of thousands of links, of
 * which nobody ever reads most.
 */
#include "platform/regular.h"

#include <stdlib.h>
#include <string.h>

/* --- declaring ---------------------------------------------------------------------------------- */

static int spec_check(const struct platform_cluster_spec *spec, const struct platform_regular *r,
                      struct base_status *st)
{
    if (spec->loopback_latency > 0 && !(spec->loopback_bandwidth > 0))
        return base_fail(st, "a loopback_lat without loopback_bw; expected the loopback's bandwidth, too");
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

/* The counts of cables that the zone begins with: where the regular zone before it ended. */
static void count_on(const struct platform *p, struct platform_regular *r)
{
    if (!p->regular.n)
        return;
    const struct platform_regular *before = p->zones.at[p->regular.at[p->regular.n - 1]].regular;
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
    if (shape->topology == &platform_fat_tree) {
        r->shape.fat_tree.offset = p->fat_tree_hosts;
        p->fat_tree_hosts += shape->hosts;
    }
    BASE_ARRAY_PUSH(&p->regular, id);
    *zone = id;
    return platform_cluster_clash(p, id, st);
}

/* --- links by name, names of links -------------------------------------------------------------- */

static const char *const halves[] = {"_UP", "_DOWN"};

/* SimGrid numbers the limiters of hosts by their places, those of switches downwards from twice the hosts. */
static uint32_t limiter_number(const struct platform_regular *r, uint32_t k)
{
    return k < r->shape.hosts ? k : 3 * r->shape.hosts - 1 - k;
}

static char *host_link_name(const struct platform_zone *z, uint32_t id)
{
    const struct platform_regular *r = z->regular;
    if (id < r->first_limiter)
        return base_strfmt("%s_link_%u_loopback", z->name,
                           platform_radical_number(&r->radical, id - r->first_link));
    return base_strfmt("%s_link_%u_limiter", z->name, limiter_number(r, id - r->first_limiter));
}

static char *cable_name(const struct platform_zone *z, uint32_t id)
{
    const struct platform_regular *r = z->regular;
    uint32_t k = id - r->first_cable;
    char *name = r->shape.topology->name_of(z, r->split ? k / 2 : k);
    if (!r->split)
        return name;
    char *whole = base_strfmt("%s%s", name, halves[k % 2]);
    free(name);
    return whole;
}

static char *name_of(const struct platform_zone *z, uint32_t id)
{
    return id < z->regular->first_cable ? host_link_name(z, id) : cable_name(z, id);
}

const char *platform_regular_name(const struct platform *p, const struct platform_zone *z, uint32_t id)
{
    char *made = name_of(z, id);
    const char *kept = platform_names_keep(p->names, made, strlen(made));
    free(made);
    return kept;
}

/* "<zone>_link_<number>_loopback" or "..._limiter". */
static bool host_link_find(const struct platform_zone *z, const char *name, uint32_t *id)
{
    const struct platform_regular *r = z->regular;
    size_t length = strlen(z->name);
    const char *at = name + length + strlen("_link_");
    uint32_t limiters = r->first_cable - r->first_limiter, index;
    uint64_t number;
    if (strncmp(name, z->name, length) || strncmp(name + length, "_link_", strlen("_link_")) ||
        !platform_name_number(&at, &number))
        return false;
    if (r->loopback && !strcmp(at, "_loopback") && platform_radical_find(&r->radical, number, &index)) {
        *id = r->first_link + index;
        return index < r->shape.hosts;
    }
    if (strcmp(at, "_limiter"))
        return false;
    if (number >= r->shape.hosts && number < 2ull * r->shape.hosts)
        number = 3ull * r->shape.hosts - 1 - number;
    *id = r->first_limiter + (uint32_t)number;
    return number < limiters;
}

/* The number at the end of a name, behind a '_' and before _UP or _DOWN. */
static bool number_at_end(const char *name, uint64_t *number)
{
    size_t length = strlen(name);
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(halves[k]);
        if (length > n && !strcmp(name + length - n, halves[k]))
            length -= n;
    }
    const char *at = name + length;
    while (at > name && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at > name && at[-1] == '_' && platform_name_number(&at, number) && *number <= UINT32_MAX;
}

bool platform_regular_counted(const struct platform_zone *z, const char *name, uint32_t *cable)
{
    const struct platform_regular *r = z->regular;
    uint64_t number;
    if (!number_at_end(name, &number) || number < r->count[r->shape.topology->counted])
        return false;
    *cable = (uint32_t)number - r->count[r->shape.topology->counted];
    return true;
}

/* A cable is told by what its name says and then compared, so that nothing else than its very name finds it. */
static bool cable_find(const struct platform_zone *z, const char *name, uint32_t *id)
{
    const struct platform_regular *r = z->regular;
    size_t length = strlen(name);
    uint32_t cable;
    if (!r->shape.topology->find(z, name, &cable) || cable >= r->shape.cables)
        return false;
    *id =
        r->first_cable + (r->split ? 2 * cable + (length > 5 && !strcmp(name + length - 5, "_DOWN")) : cable);
    char *right = name_of(z, *id);
    bool found = !strcmp(right, name);
    free(right);
    return found;
}

bool platform_regular_find(const struct platform *p, const struct platform_zone *z, const char *name,
                           uint32_t *id)
{
    (void)p;
    return host_link_find(z, name, id) || cable_find(z, name, id);
}

/* The last regular zone whose first link or cable of kind k is not behind `than`. */
static const struct platform_zone *last_regular(const struct platform *p, uint32_t than,
                                                uint32_t (*first)(const struct platform_regular *r, int k),
                                                int k)
{
    size_t low = 0, high = p->regular.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (first(p->zones.at[p->regular.at[middle]].regular, k) <= than)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &p->zones.at[p->regular.at[low - 1]] : NULL;
}

static uint32_t first_counted(const struct platform_regular *r, int k)
{
    return r->count[k];
}

static uint32_t first_link(const struct platform_regular *r, int k)
{
    (void)k;
    return r->first_link;
}

const struct platform_zone *platform_regular_of_link(const struct platform *p, uint32_t link)
{
    return last_regular(p, link, first_link, 0);
}

bool platform_regular_link_find(const struct platform *p, const char *name, uint32_t *id)
{
    uint64_t number;
    if (!p->regular.n || !number_at_end(name, &number))
        return false;
    for (int k = 0; k < 2; k++) {
        const struct platform_zone *z = last_regular(p, (uint32_t)number, first_counted, k);
        if (z && z->regular->shape.topology->counted == k && cable_find(z, name, id))
            return true;
    }
    return false;
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
