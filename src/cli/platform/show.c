/* SPDX-License-Identifier: BSD-3-Clause */
/* show: `pgasim platform show`: what a platform holds, in tables, or one of its routes. */
#include "cli/platform/command.h"
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* rows of a table, without --all */

/* --- tables ----------------------------------------------------------------------------------------- */

static size_t rows(const struct platform_request *q, size_t n)
{
    return q->all || n <= SHOWN ? n : SHOWN;
}

static void print_rest(const struct platform_request *q, size_t n, const char *noun)
{
    if (rows(q, n) < n)
        printf("  ... and %zu more %s (--all shows them)\n", n - rows(q, n), noun);
}

static int widest(int width, const char *name)
{
    int n = (int)strlen(name);
    return n > width ? n : width;
}

static void print_zones(const struct platform_request *q, const struct platform *p)
{
    uint32_t n = platform_zone_count(p);
    int width = 4;
    for (uint32_t k = 0; k < rows(q, n); k++) {
        struct platform_zone_view z = platform_zone_view(p, k);
        int needed = 2 * (int)z.depth + (int)strlen(z.name);
        width = needed > width ? needed : width;
    }
    printf("\n  %-*s  %-14s %10s %10s %10s\n", width, "zone", "routing", "hosts", "routers", "zones");
    for (uint32_t k = 0; k < rows(q, n); k++) {
        struct platform_zone_view z = platform_zone_view(p, k);
        int indent = 2 * (int)z.depth;
        printf("  %*s%-*s  %-14s %10u %10u %10u\n", indent, "", width - indent, z.name, z.routing, z.hosts,
               z.routers, z.zones);
    }
    print_rest(q, n, "zones");
}

static void print_hosts(const struct platform_request *q, const struct platform *p)
{
    uint32_t n = platform_host_count(p);
    int width = 4;
    for (uint32_t k = 0; k < rows(q, n); k++)
        width = widest(width, platform_host(p, k)->name);
    printf("\n  %-*s  %14s %6s  %s\n", width, "host", "flop/s a core", "cores", "zone");
    for (uint32_t k = 0; k < rows(q, n); k++) {
        const struct platform_host *h = platform_host(p, k);
        char speed[32];
        printf("  %-*s  %14s %6u  %s\n", width, h->name, base_show_count(speed, h->speed), h->cores,
               platform_zone_view(p, platform_host_zone(p, k)).name);
    }
    print_rest(q, n, "hosts");
}

static const char *policy(const struct platform_link *link)
{
    return link->policy == PLATFORM_FATPIPE ? "FATPIPE" : "SHARED";
}

static void print_link_row(const struct platform *p, uint32_t id, int width)
{
    const struct platform_link *link = platform_link(p, id);
    char bandwidth[32], latency[32];
    printf("  %-*s  %12sB/s %12s  %s\n", width, link->name, base_show_count(bandwidth, link->bandwidth),
           base_show_time(latency, link->latency), policy(link));
}

static void print_links(const struct platform_request *q, const struct platform *p)
{
    uint32_t n = platform_link_count(p);
    int width = 4;
    for (uint32_t k = 0; k < rows(q, n); k++)
        width = widest(width, platform_link(p, k)->name);
    printf("\n  %-*s  %15s %12s  %s\n", width, "link", "bandwidth", "latency", "policy");
    for (uint32_t k = 0; k < rows(q, n); k++)
        print_link_row(p, k, width);
    print_rest(q, n, "links");
}

static void print_platform(const struct platform_request *q, const struct platform *p, const char *name)
{
    uint64_t cores = 0;
    for (uint32_t k = 0; k < platform_host_count(p); k++)
        cores += platform_host(p, k)->cores;
    printf("platform %s: %llu core%s, ", name, (unsigned long long)cores, cores == 1 ? "" : "s");
    platform_request_counts(p);
    print_zones(q, p);
    print_hosts(q, p);
    print_links(q, p);
    if (platform_disk_count(p) + platform_profile_count(p))
        putchar('\n');
    platform_varying_print(p, q->all ? UINT32_MAX : SHOWN, stdout);
}

static void print_count(uint32_t n, const char *noun, const char *behind)
{
    printf("%u %s%s%s", n, noun, n == 1 ? "" : "s", behind);
}

void platform_request_counts(const struct platform *p)
{
    print_count(platform_host_count(p), "host", ", ");
    print_count(platform_link_count(p), "link", ", ");
    print_count(platform_router_count(p), "router", ", ");
    print_count(platform_zone_count(p), "zone", "\n");
}

/* --- routes ------------------------------------------------------------------------------------------- */

static void print_route(const struct platform *p, const char *from, const char *to,
                        const struct platform_route *route)
{
    char text[32];
    int width = 4;
    for (uint32_t k = 0; k < route->n_links; k++)
        width = widest(width, platform_link(p, route->links[k])->name);
    printf("route %s -> %s: %u link%s, latency %s", from, to, route->n_links, route->n_links == 1 ? "" : "s",
           base_show_time(text, route->latency));
    uint32_t least = platform_route_bottleneck(p, route);
    if (least == UINT32_MAX) {
        puts(", no bottleneck");
        return;
    }
    const struct platform_link *link = platform_link(p, least);
    printf(", bottleneck %sB/s (%s)\n\n", base_show_count(text, link->bandwidth), link->name);
    printf("  %-*s  %15s %12s  %s\n", width, "link", "bandwidth", "latency", "policy");
    for (uint32_t k = 0; k < route->n_links; k++)
        print_link_row(p, route->links[k], width);
}

static int find_host(const struct platform *p, const char *name, uint32_t *id)
{
    if (!platform_host_find(p, name, id))
        return 0;
    base_error("unknown host '%s' (pgasim platform show --all lists all hosts)", name);
    return -1;
}

static int show_route(const struct platform_request *q, struct platform *p, char **names)
{
    struct base_status st;
    struct platform_route route;
    uint32_t from, to;
    if (find_host(p, names[0], &from) || find_host(p, names[1], &to))
        return BASE_EXIT_INPUT;
    if (platform_route(p, from, to, &route, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    if (q->json)
        platform_json_print_route(p, from, to, &route);
    else
        print_route(p, names[0], names[1], &route);
    return BASE_EXIT_OK;
}

int platform_request_show(const struct platform_request *q)
{
    const char *path = q->words % 2 ? q->word[0] : NULL;
    struct base_settings *s = cli_settings_create();
    struct platform *p = platform_request_load(q, path, s);
    int status = p ? BASE_EXIT_OK : BASE_EXIT_INPUT;
    if (p && q->words >= 2)
        status = show_route(q, p, q->word + q->words - 2);
    else if (p && q->json)
        platform_json_print(p);
    else if (p)
        print_platform(q, p, path ? path : "(built-in)");
    if (p)
        platform_destroy(p);
    base_settings_destroy(s);
    return status;
}
