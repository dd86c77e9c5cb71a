/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_star: the tags <host_link>, <backbone>, <peer>, and the attribute `coordinates`.
 */
#include "platform/xml/elements.h"

int platform_attribute_coordinates(struct platform_reader *r, platform_point at)
{
    struct base_status why;
    const char *text = platform_reader_value(r, "coordinates");
    return platform_place_add(r->p, at, text, &why) ? platform_reader_refuse(r, "coordinates", why.text) : 0;
}

int platform_element_host_link(struct platform_reader *r)
{
    struct base_status why;
    return platform_star_host_link_add(r->p, r->zone, platform_reader_value(r, "id"),
                                       platform_reader_value(r, "up"), platform_reader_value(r, "down"),
                                       platform_reader_top(r)->line, &why)
               ? platform_reader_refuse(r, "id", why.text)
               : 0;
}

int platform_element_backbone(struct platform_reader *r)
{
    struct platform_link link = {.name = platform_reader_value(r, "id")};
    struct base_status why;
    if (platform_attribute_quantity(r, "bandwidth", base_parse_bandwidth, &link.bandwidth) ||
        platform_attribute_quantity(r, "latency", platform_parse_latency, &link.latency))
        return -1;
    return platform_star_backbone_add(r->p, r->zone, link, platform_reader_top(r)->line, &why)
               ? platform_reader_refuse(r, "id", why.text)
               : 0;
}

/* The latency of a peer is in its coordinates; SimGrid ignores the old attribute, too. */
static void old_latency_warn(struct platform_reader *r)
{
    const char *latency = platform_reader_value(r, "lat");
    if (*latency && *latency != '0')
        base_warn("platform/peer-latency",
                  "%s:%u: <peer lat=\"%.40s\"> has no effect, as in SimGrid; expected the third coordinate "
                  "instead",
                  r->name, platform_reader_top(r)->line, latency);
}

int platform_element_peer(struct platform_reader *r)
{
    struct base_status why;
    double speed, in, out;
    uint32_t host;
    if (platform_attribute_quantity(r, "speed", base_parse_speed, &speed) ||
        platform_attribute_quantity(r, "bw_in", base_parse_bandwidth, &in) ||
        platform_attribute_quantity(r, "bw_out", base_parse_bandwidth, &out))
        return -1;
    if (platform_peer_add(r->p, r->zone, platform_reader_value(r, "id"), speed, in, out,
                          platform_reader_top(r)->line, &host, &why))
        return platform_reader_refuse(r, "id", why.text);
    old_latency_warn(r);
    return platform_attribute_coordinates(r, platform_point_of(PLATFORM_IS_HOST, host)) ||
                   platform_attribute_profile(r, "speed_file", PLATFORM_SPEED, host) ||
                   platform_attribute_profile(r, "availability_file", PLATFORM_SPEED, host) ||
                   platform_attribute_profile(r, "state_file", PLATFORM_HOST_STATE, host)
               ? -1
               : 0;
}
