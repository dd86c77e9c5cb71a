/* SPDX-License-Identifier: BSD-3-Clause */
/* api: the functions of pgasim.h with which C code builds platforms. Each writes the element of its name. */
#include "platform/builder/parts.h"

#include <stdlib.h>

#define WORDS(words) words, BASE_LENGTH(words)

BASE_PUBLIC struct pgasim_platform *pgasim_platform_at(struct pgasim_platform *p, const char *file,
                                                       unsigned line)
{
    if (p) {
        p->file = file;
        p->line = line;
    }
    return p;
}

BASE_PUBLIC struct pgasim_zone *pgasim_zone_at(struct pgasim_zone *zone, const char *file, unsigned line)
{
    if (zone)
        pgasim_platform_at(zone->p, file, line);
    return zone;
}

static void given(const struct pgasim_platform *p, const void *what, const char *noun)
{
    if (!what)
        builder_refuse(p, "the %s is NULL; expected one", noun);
}

static void put_property(struct pgasim_platform *p, struct pgasim_zone *z, const char *key, const char *value)
{
    builder_open(p, "prop");
    builder_text(p, "id", key);
    builder_text(p, "value", value);
    fputs("/>", p->out);
    builder_close(p, z, BUILDER_PROPERTIES);
}

BASE_PUBLIC void pgasim_config_set(struct pgasim_platform *p, const char *key, const char *value)
{
    builder_begin(p, __func__);
    put_property(p, &p->top, key, value);
}

BASE_PUBLIC void pgasim_zone_property_set(struct pgasim_zone *zone, const char *key, const char *value)
{
    put_property(builder_begin_in(zone, __func__), zone, key, value);
}

/* NULL is the top; a zone of another platform is refused. */
static struct pgasim_zone *parent(struct pgasim_platform *p, struct pgasim_zone *in)
{
    if (in && in->p != p)
        builder_refuse(p, "the zone belongs to another platform; expected one of this platform");
    return in ? in : &p->top;
}

BASE_PUBLIC struct pgasim_zone *pgasim_zone_add(struct pgasim_platform *p, struct pgasim_zone *in,
                                                const char *name, enum pgasim_routing routing)
{
    static const char *const routings[] = {"Full",    "Floyd",   "Dijkstra", "DijkstraCache",
                                           "Cluster", "Vivaldi", "None"};
    builder_begin(p, __func__);
    builder_open(p, "zone");
    builder_text(p, "id", name);
    builder_word(p, "routing", WORDS(routings), (unsigned)routing);
    fputc('>', p->out);
    return builder_close_zone(p, parent(p, in));
}

/* --- hosts and links ---------------------------------------------------------------------------------- */

static void put_speeds(struct pgasim_platform *p, const struct pgasim_host *h)
{
    if (!h->n_pstates) {
        builder_number(p, "speed", h->speed, "f");
        return;
    }
    given(p, h->pstates, "list of pstates");
    for (unsigned k = 0; k < h->n_pstates; k++)
        if (!(h->pstates[k] > 0 && h->pstates[k] < 1e300))
            builder_refuse(p, "pstate %u is %g; expected a speed above 0", k, h->pstates[k]);
    for (unsigned k = 0; k < h->n_pstates; k++)
        fprintf(p->out, "%s%.17gf", k ? "," : " speed=\"", h->pstates[k]);
    fprintf(p->out, "\" pstate=\"%u\"", h->pstate);
}

BASE_PUBLIC void pgasim_host_add(struct pgasim_zone *zone, const struct pgasim_host *h)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    given(p, h, "host");
    builder_open(p, "host");
    builder_text(p, "id", h->name);
    put_speeds(p, h);
    fprintf(p->out, " core=\"%u\"", h->cores ? h->cores : 1);
    builder_option(p, "coordinates", h->coordinates);
    builder_option(p, "speed_file", h->speed_file);
    builder_option(p, "state_file", h->state_file);
    builder_properties(p, h->properties);
    fputs("</host>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

BASE_PUBLIC void pgasim_router_add(struct pgasim_zone *zone, const char *name, const char *coordinates)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    builder_open(p, "router");
    builder_text(p, "id", name);
    builder_option(p, "coordinates", coordinates);
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

BASE_PUBLIC void pgasim_link_add(struct pgasim_zone *zone, const struct pgasim_link *link)
{
    static const char *const policies[] = {"SHARED", "FATPIPE", "SPLITDUPLEX"};
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    given(p, link, "link");
    builder_open(p, "link");
    builder_text(p, "id", link->name);
    builder_number(p, "bandwidth", link->bandwidth, "Bps");
    builder_number(p, "latency", link->latency, "s");
    builder_word(p, "sharing_policy", WORDS(policies), (unsigned)link->sharing);
    builder_option(p, "bandwidth_file", link->bandwidth_file);
    builder_option(p, "latency_file", link->latency_file);
    builder_option(p, "state_file", link->state_file);
    builder_properties(p, link->properties);
    fputs("</link>", p->out);
    builder_close(p, zone, BUILDER_LINKS);
}

/* --- routes ------------------------------------------------------------------------------------------- */

static void put_hops(struct pgasim_platform *p, const struct pgasim_route *r)
{
    static const char *const directions[] = {"NONE", "UP", "DOWN"};
    if (r->n_hops)
        given(p, r->hops, "list of hops");
    for (unsigned k = 0; k < r->n_hops; k++) {
        builder_open(p, "link_ctn");
        builder_text(p, "id", r->hops[k].link);
        builder_word(p, "direction", WORDS(directions), (unsigned)r->hops[k].direction);
        fputs("/>", p->out);
    }
}

static void put_route(struct pgasim_zone *zone, const struct pgasim_route *r, const char *function,
                      const char *tag, bool bypass, bool between_zones)
{
    struct pgasim_platform *p = builder_begin_in(zone, function);
    given(p, r, "route");
    if (!between_zones && (r->gateway_from || r->gateway_to))
        builder_refuse(p, "gateways are given; expected them only for routes between zones");
    if (bypass && r->one_way)
        builder_refuse(p, "one_way is set; expected 0, because a bypass route always has one direction");
    builder_open(p, tag);
    builder_text(p, "src", r->from);
    builder_text(p, "dst", r->to);
    if (between_zones) {
        builder_text(p, "gw_src", r->gateway_from);
        builder_text(p, "gw_dst", r->gateway_to);
    }
    if (!bypass)
        builder_text(p, "symmetrical", r->one_way ? "NO" : "YES");
    fputc('>', p->out);
    put_hops(p, r);
    fprintf(p->out, "</%s>", tag);
    builder_close(p, zone, BUILDER_ROUTES);
}

BASE_PUBLIC void pgasim_route_add(struct pgasim_zone *zone, const struct pgasim_route *route)
{
    put_route(zone, route, __func__, "route", false, false);
}

BASE_PUBLIC void pgasim_zone_route_add(struct pgasim_zone *zone, const struct pgasim_route *route)
{
    put_route(zone, route, __func__, "zoneRoute", false, true);
}

BASE_PUBLIC void pgasim_bypass_route_add(struct pgasim_zone *zone, const struct pgasim_route *route)
{
    put_route(zone, route, __func__, "bypassRoute", true, false);
}

BASE_PUBLIC void pgasim_bypass_zone_route_add(struct pgasim_zone *zone, const struct pgasim_route *route)
{
    put_route(zone, route, __func__, "bypassZoneRoute", true, true);
}

/* --- what makes many hosts, or links of hosts --------------------------------------------------------- */

BASE_PUBLIC void pgasim_host_link_add(struct pgasim_zone *zone, const char *host, const char *up,
                                      const char *down)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    builder_open(p, "host_link");
    builder_text(p, "id", host);
    builder_text(p, "up", up);
    builder_text(p, "down", down);
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

BASE_PUBLIC void pgasim_backbone_add(struct pgasim_zone *zone, const char *name, double bandwidth,
                                     double latency)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    builder_open(p, "backbone");
    builder_text(p, "id", name);
    builder_number(p, "bandwidth", bandwidth, "Bps");
    builder_number(p, "latency", latency, "s");
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

static void put_names(struct pgasim_platform *p, const char *name, const char *prefix, const char *suffix,
                      const char *radical)
{
    builder_text(p, "id", name);
    builder_text(p, "prefix", prefix ? prefix : "");
    builder_text(p, "suffix", suffix ? suffix : "");
    builder_text(p, "radical", radical);
}

static void put_cluster_links(struct pgasim_platform *p, const struct pgasim_cluster *c)
{
    builder_number(p, "bw", c->bandwidth, "Bps");
    builder_number(p, "lat", c->latency, "s");
    builder_text(p, "sharing_policy", c->shared ? "SHARED" : "SPLITDUPLEX");
    if (c->backbone_bandwidth != 0) {
        builder_number(p, "bb_bw", c->backbone_bandwidth, "Bps");
        builder_number(p, "bb_lat", c->backbone_latency, "s");
        builder_text(p, "bb_sharing_policy", c->backbone_fatpipe ? "FATPIPE" : "SHARED");
    }
    builder_optional(p, "limiter_link", c->limiter_bandwidth, "Bps");
    if (c->loopback_bandwidth != 0) {
        builder_number(p, "loopback_bw", c->loopback_bandwidth, "Bps");
        builder_number(p, "loopback_lat", c->loopback_latency, "s");
    }
}

BASE_PUBLIC void pgasim_cluster_add(struct pgasim_platform *p, struct pgasim_zone *in,
                                    const struct pgasim_cluster *c)
{
    static const char *const topologies[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY", "MESH"};
    builder_begin(p, __func__);
    given(p, c, "cluster");
    builder_open(p, "cluster");
    put_names(p, c->name, c->prefix, c->suffix, c->radical);
    builder_number(p, "speed", c->speed, "f");
    fprintf(p->out, " core=\"%u\"", c->cores ? c->cores : 1);
    put_cluster_links(p, c);
    builder_word(p, "topology", WORDS(topologies), (unsigned)c->topology);
    builder_option(p, "topo_parameters", c->parameters);
    builder_option(p, "router_id", c->router);
    builder_properties(p, c->properties);
    fputs("</cluster>", p->out);
    builder_close(p, parent(p, in), BUILDER_POINTS);
}

BASE_PUBLIC void pgasim_cabinet_add(struct pgasim_zone *zone, const struct pgasim_cabinet *c)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    given(p, c, "cabinet");
    builder_open(p, "cabinet");
    put_names(p, c->name, c->prefix, c->suffix, c->radical);
    builder_number(p, "speed", c->speed, "f");
    builder_number(p, "bw", c->bandwidth, "Bps");
    builder_number(p, "lat", c->latency, "s");
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

BASE_PUBLIC void pgasim_peer_add(struct pgasim_zone *zone, const struct pgasim_peer *peer)
{
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    given(p, peer, "peer");
    builder_open(p, "peer");
    builder_text(p, "id", peer->name);
    builder_text(p, "coordinates", peer->coordinates);
    builder_number(p, "speed", peer->speed, "f");
    builder_number(p, "bw_in", peer->bandwidth_in, "Bps");
    builder_number(p, "bw_out", peer->bandwidth_out, "Bps");
    builder_option(p, "speed_file", peer->speed_file);
    builder_option(p, "state_file", peer->state_file);
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_POINTS);
}

/* --- profiles ----------------------------------------------------------------------------------------- */

/* The trace's name is made up so that it cannot clash. In attributes changes
 * are separated by ';', but in the element each needs a line of its own. An
 * item must be one line, so line ends are written as character references. */
BASE_PUBLIC void pgasim_profile_add(struct pgasim_zone *zone, enum pgasim_trait trait, const char *element,
                                    const struct pgasim_change *changes, unsigned n_changes, double period)
{
    static const char *const kinds[] = {"SPEED", "HOST_AVAIL", "BANDWIDTH", "LATENCY", "LINK_AVAIL"};
    struct pgasim_platform *p = builder_begin_in(zone, __func__);
    char name[40];
    if (n_changes)
        given(p, changes, "list of changes");
    snprintf(name, sizeof name, "__profile_%u__", p->profiles++);
    builder_open(p, "trace");
    builder_text(p, "id", name);
    fprintf(p->out, " periodicity=\"%.17g\">", period < 0 ? -1 : period);
    for (unsigned k = 0; k < n_changes; k++)
        fprintf(p->out, "%.17g %.17g&#10;", changes[k].at, changes[k].value);
    fputs("</trace>", p->out);
    builder_open(p, "trace_connect");
    builder_word(p, "kind", WORDS(kinds), (unsigned)trait);
    builder_text(p, "trace", name);
    builder_text(p, "element", element);
    fputs("/>", p->out);
    builder_close(p, zone, BUILDER_PROFILES);
}
