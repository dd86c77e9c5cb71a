/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small site, built by C code: a torus, an old cluster with a slow backbone, and a file server, joined by a
 * switch of two links. site.xml beside it is the same platform as XML.
 *
 *      pgasim cc -shared -fPIC -o site.so site.c
 *      pgasim platform show site.so
 *      pgasim run -np 16 -platform site.so ./program
 */
#include "pgasim.h"

#include <stddef.h>

#define US 1e-6
#define NS 1e-9

static void add_clusters(struct pgasim_platform *p, struct pgasim_zone *site)
{
    static const struct pgasim_property slow_card[] = {{"rdma/gap", "20ns"}, {NULL, NULL}};
    pgasim_cluster_add(p, site,
                       &(struct pgasim_cluster){.name = "torus",
                                                .prefix = "t",
                                                .radical = "0-15",
                                                .speed = 40e9,
                                                .cores = 8,
                                                .bandwidth = 12.5e9,
                                                .latency = 300 * NS,
                                                .topology = PGASIM_TORUS,
                                                .parameters = "4,4"});
    pgasim_cluster_add(p, site,
                       &(struct pgasim_cluster){.name = "old",
                                                .prefix = "old-",
                                                .radical = "1-4,9",
                                                .speed = 8e9,
                                                .cores = 2,
                                                .bandwidth = 125e6,
                                                .latency = 20 * US,
                                                .backbone_bandwidth = 250e6,
                                                .backbone_latency = 5 * US,
                                                .properties = slow_card});
}

/* Two servers behind a switch; shortest ways over the cables that there are. */
static void add_servers(struct pgasim_platform *p, struct pgasim_zone *site)
{
    struct pgasim_zone *servers = pgasim_zone_add(p, site, "servers", PGASIM_FLOYD);
    pgasim_zone_property_set(servers, "room", "17");
    pgasim_router_add(servers, "switch", NULL);
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "archive" : "files", *cable = k ? "cable-1" : "cable-0";
        pgasim_host_add(servers, &(struct pgasim_host){.name = name, .speed = 20e9, .cores = 16});
        pgasim_link_add(servers,
                        &(struct pgasim_link){.name = cable, .bandwidth = 1.25e9, .latency = 2 * US});
        pgasim_route_add(servers, &(struct pgasim_route){.from = name,
                                                         .to = "switch",
                                                         .hops = (struct pgasim_hop[]){{cable, 0}},
                                                         .n_hops = 1});
    }
}

static void join(struct pgasim_zone *site, const char *from, const char *to, const char *gateway_from,
                 const char *gateway_to, const char *link)
{
    struct pgasim_hop hop = {link, PGASIM_UP};
    pgasim_zone_route_add(site, &(struct pgasim_route){.from = from,
                                                       .to = to,
                                                       .gateway_from = gateway_from,
                                                       .gateway_to = gateway_to,
                                                       .hops = &hop,
                                                       .n_hops = 1});
}

int pgasim_platform(struct pgasim_platform *p)
{
    struct pgasim_zone *site = pgasim_zone_add(p, NULL, "site", PGASIM_FULL);
    pgasim_link_add(
        site, &(struct pgasim_link){
                  .name = "uplink", .bandwidth = 5e9, .latency = 10 * US, .sharing = PGASIM_SPLITDUPLEX});
    pgasim_link_add(
        site, &(struct pgasim_link){
                  .name = "oldlink", .bandwidth = 125e6, .latency = 50 * US, .sharing = PGASIM_SPLITDUPLEX});
    add_clusters(p, site);
    add_servers(p, site);
    join(site, "torus", "servers", "t0", "switch", "uplink");
    join(site, "old", "servers", "old-old_router", "switch", "oldlink");
    join(site, "old", "torus", "old-old_router", "t0", "oldlink");
    return 0;
}
