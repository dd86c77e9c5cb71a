/* SPDX-License-Identifier: BSD-3-Clause */
/* json: a platform, or one of its routes, as JSON. Keys and units are documented in
 * pgasim-platform(1). Numbers have all their digits, so that two platforms can be compared for equality. */
#include "cli/platform/command.h"

#include "base/json.h"

static void put_zones(struct base_json *j, const struct platform *p)
{
    base_json_open(j, "zones", '[');
    for (uint32_t k = 0; k < platform_zone_count(p); k++) {
        struct platform_zone_view z = platform_zone_view(p, k);
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", z.name);
        base_json_text(j, "routing", z.routing);
        if (z.parent != UINT32_MAX)
            base_json_text(j, "in", platform_zone_view(p, z.parent).name);
        base_json_count(j, "hosts", z.hosts);
        base_json_count(j, "routers", z.routers);
        base_json_count(j, "zones", z.zones);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_points(struct base_json *j, const struct platform *p)
{
    base_json_open(j, "hosts", '[');
    for (uint32_t k = 0; k < platform_host_count(p); k++) {
        const struct platform_host *h = platform_host(p, k);
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", h->name);
        base_json_number(j, "speed", h->speed);
        base_json_count(j, "cores", h->cores);
        base_json_text(j, "in", platform_zone_view(p, platform_host_zone(p, k)).name);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_open(j, "routers", '[');
    for (uint32_t k = 0; k < platform_router_count(p); k++) {
        uint32_t zone;
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", platform_router_view(p, k, &zone));
        base_json_text(j, "in", platform_zone_view(p, zone).name);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_link(struct base_json *j, const struct platform_link *link)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", link->name);
    base_json_number(j, "bandwidth", link->bandwidth);
    base_json_number(j, "latency", link->latency);
    base_json_text(j, "policy", link->policy == PLATFORM_FATPIPE ? "FATPIPE" : "SHARED");
    base_json_close(j);
}

static void put_links(struct base_json *j, const struct platform *p)
{
    base_json_open(j, "links", '[');
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        put_link(j, platform_link(p, k));
    base_json_close(j);
}

static void put_properties(struct base_json *j, const struct platform *p)
{
    struct platform_prop prop;
    base_json_open(j, "properties", '[');
    for (size_t k = 0; platform_property_at(p, k, &prop); k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "key", prop.key);
        base_json_text(j, "value", prop.value);
        if (prop.hosts) {
            base_json_text(j, "first_host", platform_host(p, prop.first)->name);
            base_json_count(j, "hosts", prop.hosts);
        }
        base_json_close(j);
    }
    base_json_close(j);
}

static void begin(struct base_json *j)
{
    base_json_init(j, stdout, &(struct base_json_form){.indent = " ", .null_for_invalid = true});
    base_json_open(j, NULL, '{');
}

static void end(struct base_json *j)
{
    base_json_close(j);
    base_json_end(j);
}

void platform_json_print(const struct platform *p)
{
    struct base_json j;
    begin(&j);
    put_zones(&j, p);
    put_points(&j, p);
    put_links(&j, p);
    put_properties(&j, p);
    end(&j);
}

void platform_json_print_route(const struct platform *p, uint32_t from, uint32_t to,
                               const struct platform_route *route)
{
    struct base_json j;
    begin(&j);
    uint32_t least = platform_route_bottleneck(p, route);
    base_json_text(&j, "from", platform_host(p, from)->name);
    base_json_text(&j, "to", platform_host(p, to)->name);
    base_json_number(&j, "latency", route->latency);
    if (least != UINT32_MAX) {
        base_json_text(&j, "bottleneck", platform_link(p, least)->name);
        base_json_number(&j, "bandwidth", platform_link(p, least)->bandwidth);
    }
    base_json_open(&j, "links", '[');
    for (uint32_t k = 0; k < route->n_links; k++)
        put_link(&j, platform_link(p, route->links[k]));
    base_json_close(&j);
    end(&j);
}
