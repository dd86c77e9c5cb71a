/* SPDX-License-Identifier: BSD-3-Clause */
/* platform_show_json: a platform, or one of its routes, as JSON. Keys and units are documented in
 * pgasim-platform(1). Numbers have all their digits, so that two platforms can be compared for equality. */
#include "cli/json_put.h"
#include "cli/platform_command.h"

#include <string.h>

static void put_zones(yajl_gen g, const struct platform *p)
{
    cli_json_text(g, "zones");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < platform_zone_count(p); k++) {
        struct platform_zone_view z = platform_zone_view(p, k);
        yajl_gen_map_open(g);
        cli_json_key_text(g, "name", z.name);
        cli_json_key_text(g, "routing", z.routing);
        if (z.parent != UINT32_MAX)
            cli_json_key_text(g, "in", platform_zone_view(p, z.parent).name);
        cli_json_key_count(g, "hosts", z.hosts);
        cli_json_key_count(g, "routers", z.routers);
        cli_json_key_count(g, "zones", z.zones);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static void put_points(yajl_gen g, const struct platform *p)
{
    cli_json_text(g, "hosts");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < platform_host_count(p); k++) {
        const struct platform_host *h = platform_host(p, k);
        yajl_gen_map_open(g);
        cli_json_key_text(g, "name", h->name);
        cli_json_key_number(g, "speed", h->speed);
        cli_json_key_count(g, "cores", h->cores);
        cli_json_key_text(g, "in", platform_zone_view(p, platform_host_zone(p, k)).name);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    cli_json_text(g, "routers");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < platform_router_count(p); k++) {
        uint32_t zone;
        yajl_gen_map_open(g);
        cli_json_key_text(g, "name", platform_router_view(p, k, &zone));
        cli_json_key_text(g, "in", platform_zone_view(p, zone).name);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static void put_link(yajl_gen g, const struct platform_link *link)
{
    yajl_gen_map_open(g);
    cli_json_key_text(g, "name", link->name);
    cli_json_key_number(g, "bandwidth", link->bandwidth);
    cli_json_key_number(g, "latency", link->latency);
    cli_json_key_text(g, "policy", link->policy == PLATFORM_FATPIPE ? "FATPIPE" : "SHARED");
    yajl_gen_map_close(g);
}

static void put_links(yajl_gen g, const struct platform *p)
{
    cli_json_text(g, "links");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        put_link(g, platform_link(p, k));
    yajl_gen_array_close(g);
}

static void put_properties(yajl_gen g, const struct platform *p)
{
    struct platform_prop prop;
    cli_json_text(g, "properties");
    yajl_gen_array_open(g);
    for (size_t k = 0; platform_property_at(p, k, &prop); k++) {
        yajl_gen_map_open(g);
        cli_json_key_text(g, "key", prop.key);
        cli_json_key_text(g, "value", prop.value);
        if (prop.hosts) {
            cli_json_key_text(g, "first_host", platform_host(p, prop.first)->name);
            cli_json_key_count(g, "hosts", prop.hosts);
        }
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static yajl_gen begin(void)
{
    yajl_gen g = yajl_gen_alloc(NULL);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_indent_string, " ");
    yajl_gen_config(g, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(g);
    return g;
}

static void end(yajl_gen g)
{
    const unsigned char *text;
    size_t size;
    yajl_gen_map_close(g);
    yajl_gen_get_buf(g, &text, &size);
    fwrite(text, 1, size, stdout);
    yajl_gen_free(g);
}

void platform_json_print(const struct platform *p)
{
    yajl_gen g = begin();
    put_zones(g, p);
    put_points(g, p);
    put_links(g, p);
    put_properties(g, p);
    end(g);
}

void platform_json_print_route(const struct platform *p, uint32_t from, uint32_t to,
                               const struct platform_route *route)
{
    yajl_gen g = begin();
    uint32_t least = platform_route_bottleneck(p, route);
    cli_json_key_text(g, "from", platform_host(p, from)->name);
    cli_json_key_text(g, "to", platform_host(p, to)->name);
    cli_json_key_number(g, "latency", route->latency);
    if (least != UINT32_MAX) {
        cli_json_key_text(g, "bottleneck", platform_link(p, least)->name);
        cli_json_key_number(g, "bandwidth", platform_link(p, least)->bandwidth);
    }
    cli_json_text(g, "links");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < route->n_links; k++)
        put_link(g, platform_link(p, route->links[k]));
    yajl_gen_array_close(g);
    end(g);
}
