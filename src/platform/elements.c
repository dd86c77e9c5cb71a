/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements: the meaning of each tag. Turns attribute texts into numbers and calls build.c and the zone kinds.
 */
#include "platform/elements.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static int fail_at_top(struct platform_reader *r, const char *why)
{
    const struct platform_element *top = platform_reader_top(r);
    return platform_reader_fail(r, top->line, "<%s>: %s", top->tag->name, why);
}

/* --- platform, zone ----------------------------------------------------------------------------- */

int platform_element_nothing(struct platform_reader *r)
{
    (void)r;
    return 0;
}

int platform_element_platform(struct platform_reader *r)
{
    struct base_status why;
    double version;
    if (base_parse_double(platform_reader_value(r, "version"), &version, &why))
        return platform_reader_refuse(r, "version", why.text);
    long hundredths = lround(version * 100);
    if (hundredths < 400)
        return platform_reader_refuse(r, "version",
                                      "too old; expected 4.1 (simgrid_update_xml brings a file up to date)");
    if (hundredths > 410)
        return platform_reader_refuse(r, "version", "unknown; expected 4.1");
    return 0;
}

int platform_element_platform_end(struct platform_reader *r)
{
    return r->p->zones.n ? 0 : fail_at_top(r, "empty; expected a <zone> or a <cluster> in it");
}

int platform_element_zone(struct platform_reader *r)
{
    static const char *const others[] = {"Floyd",   "Dijkstra", "DijkstraCache", "Cluster",
                                         "Vivaldi", "Wifi",     "None"};
    struct base_status why;
    struct platform_element *top = platform_reader_top(r);
    const char *routing = platform_reader_value(r, "routing");
    for (unsigned k = 0; k < BASE_LENGTH(others); k++)
        if (!strcasecmp(routing, others[k]))
            return platform_reader_fail(r, top->line,
                                        "<zone routing=\"%s\"> is not modelled yet; only Full is", routing);
    if (strcasecmp(routing, platform_zone_full.name))
        return platform_reader_refuse(r, "routing", "unknown; expected Full");
    if (platform_zone_add(r->p, r->zone, platform_reader_value(r, "id"), top->line, &platform_zone_full,
                          &r->zone, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = platform_point_of(PLATFORM_IS_ZONE, r->zone);
    return 0;
}

int platform_element_zone_end(struct platform_reader *r)
{
    struct base_status why;
    uint32_t line;
    if (platform_zone_seal(r->p, r->zone, &line, &why))
        return platform_reader_fail(r, line, "%s", why.text);
    r->zone = r->p->zones.at[r->zone].parent;
    return 0;
}

/* --- cluster ------------------------------------------------------------------------------------ */

static int cluster_policies(struct platform_reader *r, struct platform_cluster_spec *spec)
{
    static const char *const shared_or_fat[] = {"SHARED", "FATPIPE"};
    int hosts = platform_attribute_policy(r, "sharing_policy");
    int backbone = hosts < 0 ? -1 : platform_attribute_choice(r, "bb_sharing_policy", shared_or_fat, 2);
    if (backbone < 0)
        return -1;
    spec->split = hosts == PLATFORM_POLICY_SPLIT;
    spec->backbone_policy = backbone ? PLATFORM_FATPIPE : PLATFORM_SHARED;
    if (hosts == PLATFORM_POLICY_FATPIPE)
        base_warn("platform/cluster-fatpipe",
                  "%s:%u: <cluster sharing_policy=\"FATPIPE\">: the hosts' links are SHARED, as in SimGrid",
                  r->name, platform_reader_top(r)->line);
    return 0;
}

static int cluster_numbers(struct platform_reader *r, struct platform_cluster_spec *spec)
{
    if (cluster_policies(r, spec) || platform_attribute_cores(r, &spec->cores) ||
        platform_attribute_speed(r, 0, &spec->speed) ||
        platform_attribute_quantity(r, "bw", base_parse_bandwidth, true, &spec->bandwidth) ||
        platform_attribute_quantity(r, "lat", base_parse_time, false, &spec->latency) ||
        platform_attribute_optional(r, "bb_bw", base_parse_bandwidth, &spec->backbone_bandwidth) ||
        platform_attribute_optional(r, "bb_lat", base_parse_time, &spec->backbone_latency))
        return -1;
    return platform_attribute_optional(r, "limiter_link", base_parse_bandwidth, &spec->limiter_bandwidth) ||
                   platform_attribute_optional(r, "loopback_bw", base_parse_bandwidth,
                                               &spec->loopback_bandwidth) ||
                   platform_attribute_optional(r, "loopback_lat", base_parse_time, &spec->loopback_latency)
               ? -1
               : 0;
}

int platform_element_cluster(struct platform_reader *r)
{
    struct platform_cluster_spec spec = {.id = platform_reader_value(r, "id"),
                                         .prefix = platform_reader_value(r, "prefix"),
                                         .suffix = platform_reader_value(r, "suffix"),
                                         .radical = platform_reader_value(r, "radical"),
                                         .router = platform_reader_value(r, "router_id")};
    struct base_status why;
    uint32_t zone;
    if (cluster_numbers(r, &spec))
        return -1;
    if (platform_cluster_add(r->p, r->zone, &spec, platform_reader_top(r)->line, &zone, &why))
        return platform_reader_refuse(r, "id", why.text);
    platform_reader_top(r)->owner[0] = platform_point_of(PLATFORM_IS_ZONE, zone);
    return 0;
}

/* --- host, router, link ------------------------------------------------------------------------- */

static const char *kept_id(struct platform_reader *r)
{
    const char *id = platform_reader_value(r, "id");
    return platform_names_keep(r->p->names, id, strlen(id));
}

int platform_element_host(struct platform_reader *r)
{
    struct platform_element *top = platform_reader_top(r);
    struct base_status why;
    double speed;
    uint32_t n, host;
    if (platform_attribute_host_speed(r, &speed) || platform_attribute_cores(r, &n))
        return -1;
    if (platform_host_add(r->p, r->zone, kept_id(r), speed, n, top->line, &host, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = platform_point_of(PLATFORM_IS_HOST, host);
    return 0;
}

int platform_element_router(struct platform_reader *r)
{
    struct base_status why;
    if (platform_router_add(r->p, r->zone, kept_id(r), platform_reader_top(r)->line, &why))
        return platform_reader_refuse(r, "id", why.text);
    return 0;
}

int platform_element_link(struct platform_reader *r)
{
    struct platform_element *top = platform_reader_top(r);
    struct platform_link link = {.name = platform_reader_value(r, "id")};
    struct base_status why;
    uint32_t id;
    int shared = platform_attribute_policy(r, "sharing_policy");
    if (shared < 0 ||
        platform_attribute_quantity(r, "bandwidth", base_parse_bandwidth, true, &link.bandwidth) ||
        platform_attribute_quantity(r, "latency", base_parse_time, false, &link.latency))
        return -1;
    link.policy = shared == PLATFORM_POLICY_FATPIPE ? PLATFORM_FATPIPE : PLATFORM_SHARED;
    if (platform_link_add(r->p, link, shared == PLATFORM_POLICY_SPLIT, top->line, &id, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = PLATFORM_OF_LINK | id;
    if (shared == PLATFORM_POLICY_SPLIT)
        top->owner[1] = PLATFORM_OF_LINK | (id + 1);
    return 0;
}

/* --- routes ------------------------------------------------------------------------------------- */

static int point(struct platform_reader *r, const char *attribute, platform_point *out)
{
    struct platform_named found;
    const char *name = platform_reader_value(r, attribute);
    if (!platform_names_find(r->p->names, PLATFORM_POINTS, name, strlen(name), &found))
        return platform_reader_refuse(r, attribute, "no host, router or zone above has this name");
    *out = found.id;
    return 0;
}

static int route_begin(struct platform_reader *r, bool between_zones)
{
    static const char *const answers[] = {"YES", "NO", "yes", "no"};
    struct platform_route_spec *route = &r->route;
    int answer = platform_attribute_choice(r, "symmetrical", answers, BASE_LENGTH(answers));
    if (answer < 0 || point(r, "src", &route->from) || point(r, "dst", &route->to))
        return -1;
    route->symmetrical = answer % 2 == 0;
    route->between_zones = between_zones;
    route->line = platform_reader_top(r)->line;
    route->crossings.n = 0;
    return between_zones ? point(r, "gw_src", &route->gateway_from) || point(r, "gw_dst", &route->gateway_to)
                         : 0;
}

int platform_element_route(struct platform_reader *r)
{
    return route_begin(r, false);
}

int platform_element_zone_route(struct platform_reader *r)
{
    return route_begin(r, true);
}

int platform_element_route_end(struct platform_reader *r)
{
    struct base_status why;
    return platform_full_route_add(r->p, r->zone, &r->route, &why) ? fail_at_top(r, why.text) : 0;
}

int platform_element_link_ctn(struct platform_reader *r)
{
    static const char *const directions[] = {"NONE", "UP", "DOWN"};
    struct platform_crossing c;
    int direction = platform_attribute_choice(r, "direction", directions, BASE_LENGTH(directions));
    if (direction < 0)
        return -1;
    if (!platform_link_find(r->p, platform_reader_value(r, "id"), &c.link))
        return platform_reader_refuse(r, "id", "no link above has this name");
    bool split = c.link & PLATFORM_SPLIT;
    if (split && direction == PLATFORM_WHOLE)
        return platform_reader_refuse(r, "id",
                                      "a SPLITDUPLEX link; expected direction=\"UP\" or direction=\"DOWN\"");
    if (!split && direction != PLATFORM_WHOLE)
        return platform_reader_refuse(r, "direction", "expected NONE: the link is not SPLITDUPLEX");
    c.link &= ~PLATFORM_SPLIT;
    c.direction = (enum platform_direction)direction;
    BASE_ARRAY_PUSH(&r->route.crossings, c);
    return 0;
}

/* --- properties, configuration ------------------------------------------------------------------ */

/* True for SimGrid's own keys, of which most name models and options that pgasim does not have. */
static bool is_simgrid_key(const char *key)
{
    static const char *const starts[] = {
        "network/",  "cpu/",    "host/",       "disk/",  "storage/", "smpi/",        "maxmin/", "precision/",
        "contexts/", "surf/",   "bmf/",        "vm/",    "debug/",   "exception/",   "ns3/",    "cmonkey/",
        "viva/",     "tracing", "model-check", "plugin", "path",     "clean-atexit", "help",    "watch",
    };
    for (unsigned k = 0; k < BASE_LENGTH(starts); k++)
        if (!strncmp(key, starts[k], strlen(starts[k])))
            return true;
    return false;
}

static int configure(struct platform_reader *r, const char *key, const char *value)
{
    struct base_status why = {"no settings are known here"};
    uint32_t line = platform_reader_top(r)->line;
    bool known = r->settings && base_settings_known(r->settings, key);
    if (!known && is_simgrid_key(key))
        return platform_reader_fail(
            r, line, "<config> with <prop id=\"%.80s\" value=\"%.80s\"> is not modelled yet", key, value);
    if (!r->settings || base_settings_set(r->settings, key, value, BASE_FROM_PLATFORM, &why))
        return platform_reader_fail(r, line, "<config> with <prop id=\"%.80s\" value=\"%.80s\">: %s", key,
                                    value, why.text);
    return 0;
}

int platform_element_prop(struct platform_reader *r)
{
    const char *key = platform_reader_value(r, "id"), *value = platform_reader_value(r, "value");
    const struct platform_element *around = &r->open[r->depth - 2];
    if (around->tag->opens == PLATFORM_IN_CONFIG)
        return configure(r, key, value);
    for (unsigned k = 0; k < BASE_LENGTH(around->owner); k++)
        if (around->owner[k] != PLATFORM_NONE)
            platform_property_add(r->p, around->owner[k], key, value, platform_reader_top(r)->line);
    return 0;
}
