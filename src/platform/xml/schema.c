/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schema: the tags and attributes of SimGrid's platform DTD 4.1: which of them have a meaning here, where
 * they are allowed, and what to say about the others. Initial values are the DTD's.
 */
#include "platform/xml/elements.h"

#include <string.h>

#define NEEDED(name)                                                                                         \
    {                                                                                                        \
        name, NULL, false                                                                                    \
    }
#define INITIAL(name, value)                                                                                 \
    {                                                                                                        \
        name, value, false                                                                                   \
    }
#define REFUSED(name, initial)                                                                               \
    {                                                                                                        \
        name, initial, true                                                                                  \
    }
#define END                                                                                                  \
    {                                                                                                        \
        NULL, NULL, false                                                                                    \
    }

static const struct platform_attribute none[] = {END};
static const struct platform_attribute platform_attributes[] = {INITIAL("version", "0.0"), END};
static const struct platform_attribute config_attributes[] = {INITIAL("id", ""), END};
static const struct platform_attribute prop_attributes[] = {NEEDED("id"), NEEDED("value"), END};
static const struct platform_attribute zone_attributes[] = {NEEDED("id"), NEEDED("routing"), END};
static const struct platform_attribute host_attributes[] = {NEEDED("id"),
                                                            NEEDED("speed"),
                                                            INITIAL("core", "1"),
                                                            INITIAL("pstate", "0.0"),
                                                            INITIAL("speed_file", ""),
                                                            INITIAL("availability_file", ""),
                                                            INITIAL("state_file", ""),
                                                            INITIAL("coordinates", ""),
                                                            END};
static const struct platform_attribute router_attributes[] = {NEEDED("id"), INITIAL("coordinates", ""), END};
static const struct platform_attribute link_attributes[] = {NEEDED("id"),
                                                            NEEDED("bandwidth"),
                                                            INITIAL("latency", "0"),
                                                            INITIAL("sharing_policy", "SHARED"),
                                                            INITIAL("bandwidth_file", ""),
                                                            INITIAL("latency_file", ""),
                                                            INITIAL("state_file", ""),
                                                            END};
static const struct platform_attribute cluster_attributes[] = {NEEDED("id"),
                                                               NEEDED("prefix"),
                                                               NEEDED("suffix"),
                                                               NEEDED("radical"),
                                                               NEEDED("speed"),
                                                               INITIAL("core", "1"),
                                                               NEEDED("bw"),
                                                               NEEDED("lat"),
                                                               INITIAL("sharing_policy", "SPLITDUPLEX"),
                                                               INITIAL("topology", "FLAT"),
                                                               INITIAL("topo_parameters", ""),
                                                               INITIAL("bb_bw", ""),
                                                               INITIAL("bb_lat", "0s"),
                                                               INITIAL("bb_sharing_policy", "SHARED"),
                                                               INITIAL("router_id", ""),
                                                               INITIAL("limiter_link", ""),
                                                               INITIAL("loopback_bw", ""),
                                                               INITIAL("loopback_lat", ""),
                                                               END};
static const struct platform_attribute route_attributes[] = {NEEDED("src"), NEEDED("dst"),
                                                             INITIAL("symmetrical", "YES"), END};
static const struct platform_attribute zone_route_attributes[] = {
    NEEDED("src"), NEEDED("dst"), NEEDED("gw_src"), NEEDED("gw_dst"), INITIAL("symmetrical", "YES"), END};
static const struct platform_attribute disk_attributes[] = {INITIAL("id", "/"), NEEDED("read_bw"),
                                                            NEEDED("write_bw"), END};
static const struct platform_attribute trace_attributes[] = {NEEDED("id"), INITIAL("file", ""),
                                                             NEEDED("periodicity"), END};
static const struct platform_attribute trace_connect_attributes[] = {INITIAL("kind", "HOST_AVAIL"),
                                                                     NEEDED("trace"), NEEDED("element"), END};
static const struct platform_attribute actor_attributes[] = {NEEDED("host"),
                                                             NEEDED("function"),
                                                             INITIAL("start_time", "-1.0"),
                                                             INITIAL("kill_time", "-1.0"),
                                                             INITIAL("on_failure", "DIE"),
                                                             END};
static const struct platform_attribute argument_attributes[] = {NEEDED("value"), END};
static const struct platform_attribute bypass_attributes[] = {NEEDED("src"), NEEDED("dst"), END};
static const struct platform_attribute zone_bypass_attributes[] = {NEEDED("src"), NEEDED("dst"),
                                                                   NEEDED("gw_src"), NEEDED("gw_dst"), END};
static const struct platform_attribute host_link_attributes[] = {NEEDED("id"), NEEDED("up"), NEEDED("down"),
                                                                 END};
static const struct platform_attribute cabinet_attributes[] = {
    NEEDED("id"),    NEEDED("prefix"), NEEDED("suffix"), NEEDED("radical"),
    NEEDED("speed"), NEEDED("bw"),     NEEDED("lat"),    END};
static const struct platform_attribute backbone_attributes[] = {NEEDED("id"), NEEDED("bandwidth"),
                                                                NEEDED("latency"), END};
static const struct platform_attribute peer_attributes[] = {NEEDED("id"),
                                                            NEEDED("speed"),
                                                            NEEDED("bw_in"),
                                                            NEEDED("bw_out"),
                                                            INITIAL("lat", "0"),
                                                            INITIAL("coordinates", ""),
                                                            INITIAL("speed_file", ""),
                                                            INITIAL("availability_file", ""),
                                                            INITIAL("state_file", ""),
                                                            END};
static const struct platform_attribute link_ctn_attributes[] = {NEEDED("id"), INITIAL("direction", "NONE"),
                                                                END};

static const char removed[] = "was removed from SimGrid's platforms; expected it to be left out";

#define REFUSE(name, why)                                                                                    \
    {                                                                                                        \
        name, why, none, 0, 0, NULL, NULL                                                                    \
    }

static const struct platform_tag tags[] = {
    {"platform", NULL, platform_attributes, PLATFORM_IN_DOCUMENT, PLATFORM_IN_PLATFORM,
     platform_element_platform, platform_element_platform_end},
    {"config", NULL, config_attributes, PLATFORM_IN_PLATFORM, PLATFORM_IN_CONFIG, platform_element_nothing,
     platform_element_nothing},
    {"zone", NULL, zone_attributes, PLATFORM_IN_PLATFORM | PLATFORM_IN_ZONE, PLATFORM_IN_ZONE,
     platform_element_zone, platform_element_zone_end},
    {"cluster", NULL, cluster_attributes, PLATFORM_IN_PLATFORM | PLATFORM_IN_ZONE, PLATFORM_IN_ITEM,
     platform_element_cluster, platform_element_nothing},
    {"host", NULL, host_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ITEM | PLATFORM_IN_HOST,
     platform_element_host, platform_element_nothing},
    {"router", NULL, router_attributes, PLATFORM_IN_ZONE, 0, platform_element_router,
     platform_element_nothing},
    {"link", NULL, link_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ITEM, platform_element_link,
     platform_element_nothing},
    {"AS", NULL, zone_attributes, PLATFORM_IN_PLATFORM | PLATFORM_IN_ZONE, PLATFORM_IN_ZONE,
     platform_element_zone, platform_element_zone_end}, /* <zone>'s old name */
    {"host_link", NULL, host_link_attributes, PLATFORM_IN_ZONE, 0, platform_element_host_link,
     platform_element_nothing},
    {"cabinet", NULL, cabinet_attributes, PLATFORM_IN_ZONE, 0, platform_element_cabinet,
     platform_element_nothing},
    {"backbone", NULL, backbone_attributes, PLATFORM_IN_ZONE, 0, platform_element_backbone,
     platform_element_nothing},
    {"peer", NULL, peer_attributes, PLATFORM_IN_ZONE, 0, platform_element_peer, platform_element_nothing},
    {"route", NULL, route_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE, platform_element_route,
     platform_element_route_end},
    {"zoneRoute", NULL, zone_route_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE,
     platform_element_zone_route, platform_element_route_end},
    {"ASroute", NULL, zone_route_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE, platform_element_zone_route,
     platform_element_route_end}, /* <zoneRoute>'s old name */
    {"bypassRoute", NULL, bypass_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE, platform_element_bypass,
     platform_element_bypass_end},
    {"bypassZoneRoute", NULL, zone_bypass_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE,
     platform_element_zone_bypass, platform_element_bypass_end},
    {"bypassASroute", NULL, zone_bypass_attributes, PLATFORM_IN_ZONE, PLATFORM_IN_ROUTE,
     platform_element_zone_bypass, platform_element_bypass_end}, /* <bypassZoneRoute>'s old name */
    {"link_ctn", NULL, link_ctn_attributes, PLATFORM_IN_ROUTE, 0, platform_element_link_ctn,
     platform_element_nothing},
    {"prop", NULL, prop_attributes,
     PLATFORM_IN_CONFIG | PLATFORM_IN_ZONE | PLATFORM_IN_ITEM | PLATFORM_IN_ACTOR, 0, platform_element_prop,
     platform_element_nothing},
    {"disk", NULL, disk_attributes, PLATFORM_IN_HOST, PLATFORM_IN_ITEM, platform_element_disk,
     platform_element_nothing},
    {"trace", NULL, trace_attributes, PLATFORM_IN_PLATFORM | PLATFORM_IN_ZONE, PLATFORM_IN_TEXT,
     platform_element_trace, platform_element_trace_end},
    {"trace_connect", NULL, trace_connect_attributes, PLATFORM_IN_PLATFORM | PLATFORM_IN_ZONE, 0,
     platform_element_trace_connect, platform_element_nothing},
    {"actor", NULL, actor_attributes, PLATFORM_IN_PLATFORM, PLATFORM_IN_ACTOR, platform_element_actor,
     platform_element_nothing},
    {"process", NULL, actor_attributes, PLATFORM_IN_PLATFORM, PLATFORM_IN_ACTOR, platform_element_actor,
     platform_element_nothing},
    {"argument", NULL, argument_attributes, PLATFORM_IN_ACTOR, 0, platform_element_argument,
     platform_element_nothing},
    REFUSE("storage", removed),
    REFUSE("storage_type", removed),
    REFUSE("mount", removed),
    REFUSE("include", removed),
    REFUSE("random", removed),
    REFUSE("model_prop", removed),
};

const struct platform_tag *platform_tag_find(const char *name)
{
    for (size_t k = 0; k < BASE_LENGTH(tags); k++)
        if (!strcmp(tags[k].name, name))
            return &tags[k];
    return NULL;
}

bool platform_tag_deploys(const struct platform_tag *tag)
{
    return tag->inside & (PLATFORM_IN_DOCUMENT | PLATFORM_IN_ACTOR) || tag->opens == PLATFORM_IN_ACTOR;
}
