/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_cluster: the tags <cluster> and <cabinet>.
 */
#include "platform/xml/elements.h"

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
        platform_attribute_quantity(r, "bw", base_parse_bandwidth, &spec->bandwidth) ||
        platform_attribute_quantity(r, "lat", platform_parse_latency, &spec->latency) ||
        platform_attribute_optional(r, "bb_bw", base_parse_bandwidth, &spec->backbone_bandwidth) ||
        platform_attribute_optional(r, "bb_lat", platform_parse_latency, &spec->backbone_latency))
        return -1;
    return platform_attribute_optional(r, "limiter_link", base_parse_bandwidth, &spec->limiter_bandwidth) ||
                   platform_attribute_optional(r, "loopback_bw", base_parse_bandwidth,
                                               &spec->loopback_bandwidth) ||
                   platform_attribute_optional(r, "loopback_lat", platform_parse_latency,
                                               &spec->loopback_latency)
               ? -1
               : 0;
}

/* Warns of what SimGrid ignores, because only a flat cluster has a backbone and a router. */
static void regular_warnings(const struct platform_reader *r, const struct platform_cluster_spec *spec)
{
    const char *topology = platform_reader_value(r, "topology");
    uint32_t line = r->open[r->depth - 1].line;
    if (spec->backbone_bandwidth > 0)
        base_warn("platform/cluster-backbone",
                  "%s:%u: <cluster bb_bw=...>: topology %s has no backbone, so it is left out, as in SimGrid",
                  r->name, line, topology);
    if (*spec->router)
        base_warn("platform/cluster-router",
                  "%s:%u: <cluster router_id=\"%.80s\">: topology %s has no router, so it is left out, as in "
                  "SimGrid",
                  r->name, line, spec->router, topology);
}

/* shape->topology becomes NULL for FLAT. */
static int cluster_shape(struct platform_reader *r, struct platform_shape *shape)
{
    static const char *const topologies[] = {"FLAT", "TORUS", "MESH", "FAT_TREE", "DRAGONFLY"};
    struct base_status why;
    int chosen = platform_attribute_choice(r, "topology", topologies, BASE_LENGTH(topologies));
    if (chosen < 0)
        return -1;
    shape->topology = platform_topology_find(topologies[chosen]);
    if (!shape->topology && *platform_reader_value(r, "topo_parameters"))
        base_warn(
            "platform/cluster-flat",
            "%s:%u: <cluster topo_parameters=...>: a flat cluster has none, so they are left out, as in "
            "SimGrid",
            r->name, platform_reader_top(r)->line);
    if (!shape->topology)
        return 0;
    if (shape->topology->parse(shape, platform_reader_value(r, "topo_parameters"), r->p->host_limit, &why))
        return platform_reader_refuse(r, "topo_parameters", why.text);
    return 0;
}

int platform_element_cluster(struct platform_reader *r)
{
    struct platform_cluster_spec spec = {.id = platform_reader_value(r, "id"),
                                         .prefix = platform_reader_value(r, "prefix"),
                                         .suffix = platform_reader_value(r, "suffix"),
                                         .radical = platform_reader_value(r, "radical"),
                                         .router = platform_reader_value(r, "router_id")};
    struct platform_shape shape;
    struct base_status why;
    uint32_t zone, line = platform_reader_top(r)->line, first = (uint32_t)r->p->hosts.n;
    if (cluster_shape(r, &shape) || cluster_numbers(r, &spec))
        return -1;
    if (shape.topology)
        regular_warnings(r, &spec);
    if (shape.topology ? platform_regular_add(r->p, r->zone, &spec, &shape, line, &zone, &why)
                       : platform_cluster_add(r->p, r->zone, &spec, line, &zone, &why))
        return platform_reader_refuse(r, "id", why.text);
    platform_reader_top(r)->owner[0] = platform_point_of(PLATFORM_IS_ZONE, zone);
    platform_pstates_add(r->p, first, platform_attribute_speeds(r), 0, platform_attribute_each_speed(r));
    return 0;
}

int platform_element_cabinet(struct platform_reader *r)
{
    struct platform_cabinet_spec spec = {.prefix = platform_reader_value(r, "prefix"),
                                         .suffix = platform_reader_value(r, "suffix"),
                                         .radical = platform_reader_value(r, "radical")};
    struct base_status why;
    if (platform_attribute_quantity(r, "speed", base_parse_speed, &spec.speed) ||
        platform_attribute_quantity(r, "bw", base_parse_bandwidth, &spec.bandwidth) ||
        platform_attribute_quantity(r, "lat", platform_parse_latency, &spec.latency))
        return -1;
    if (platform_cabinet_add(r->p, r->zone, &spec, platform_reader_top(r)->line, &why))
        return platform_reader_refuse(r, "id", why.text);
    return 0;
}
