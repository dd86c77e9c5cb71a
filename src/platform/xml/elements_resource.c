/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_resource: the tags of hosts, routers and links.
 */
#include "platform/xml/elements.h"

#include <string.h>

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
    uint64_t pstate;
    uint32_t n, host;
    if (platform_attribute_host_speed(r, &speed, &pstate) || platform_attribute_cores(r, &n))
        return -1;
    if (platform_host_add(r->p, r->zone, kept_id(r), speed, n, top->line, &host, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = platform_point_of(PLATFORM_IS_HOST, host);
    platform_pstates_add(r->p, host, platform_attribute_speeds(r), (uint32_t)pstate,
                         platform_attribute_each_speed(r));
    return platform_attribute_coordinates(r, platform_point_of(PLATFORM_IS_HOST, host)) ||
                   platform_attribute_profile(r, "speed_file", PLATFORM_SPEED, host) ||
                   platform_attribute_profile(r, "availability_file", PLATFORM_SPEED,
                                              host) || /* its old name */
                   platform_attribute_profile(r, "state_file", PLATFORM_HOST_STATE, host)
               ? -1
               : 0;
}

int platform_element_router(struct platform_reader *r)
{
    struct base_status why;
    uint32_t router;
    if (platform_router_add(r->p, r->zone, kept_id(r), platform_reader_top(r)->line, &router, &why))
        return platform_reader_refuse(r, "id", why.text);
    return platform_attribute_coordinates(r, platform_point_of(PLATFORM_IS_ROUTER, router));
}

static int link_profiles(struct platform_reader *r, uint32_t id)
{
    return platform_attribute_profile(r, "bandwidth_file", PLATFORM_BANDWIDTH, id) ||
                   platform_attribute_profile(r, "latency_file", PLATFORM_LATENCY, id) ||
                   platform_attribute_profile(r, "state_file", PLATFORM_LINK_STATE, id)
               ? -1
               : 0;
}

int platform_element_link(struct platform_reader *r)
{
    struct platform_element *top = platform_reader_top(r);
    struct platform_link link = {.name = platform_reader_value(r, "id")};
    struct base_status why;
    uint32_t id;
    int shared = platform_attribute_policy(r, "sharing_policy");
    if (shared < 0 || platform_attribute_quantity(r, "bandwidth", base_parse_bandwidth, &link.bandwidth) ||
        platform_attribute_quantity(r, "latency", platform_parse_latency, &link.latency))
        return -1;
    link.policy = shared == PLATFORM_POLICY_FATPIPE ? PLATFORM_FATPIPE : PLATFORM_SHARED;
    if (platform_link_add(r->p, link, shared == PLATFORM_POLICY_SPLIT, top->line, &id, &why))
        return platform_reader_refuse(r, "id", why.text);
    top->owner[0] = PLATFORM_OF_LINK | id;
    if (shared == PLATFORM_POLICY_SPLIT)
        top->owner[1] = PLATFORM_OF_LINK | (id + 1);
    return link_profiles(r, id) || (shared == PLATFORM_POLICY_SPLIT && link_profiles(r, id + 1)) ? -1 : 0;
}
