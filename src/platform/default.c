/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * default: the cluster on which programs run if no platform file is given. Its values and their sources are
 * in docs/default-cluster.md. They are kept as XML texts, so that printing them and reading them again gives
 * the same platform to the last bit.
 */
#include "platform/xml/xml.h"
#include "platform/zone/zone.h"

#include <stdlib.h>

#define ID           "cluster"
#define PREFIX       "node-"
#define CORES        64
#define SPEED        "40Gf"
#define BANDWIDTH    "100Gbps"
#define LATENCY      "300ns"
#define BACKBONE_BW  "100Gbps"
#define BACKBONE_LAT "300ns"
enum { LEAST_HOSTS = 64 }; /* so that --map-by host has hosts to use */

static uint32_t hosts_for(uint64_t ranks)
{
    uint64_t hosts = ranks / CORES + (ranks % CORES != 0);
    if (hosts > PLATFORM_HOST_LIMIT)
        base_fatal(BASE_EXIT_INPUT, "%llu ranks; the built-in cluster has room for %llu",
                   (unsigned long long)ranks, (unsigned long long)PLATFORM_HOST_LIMIT * CORES);
    return hosts < LEAST_HOSTS ? LEAST_HOSTS : (uint32_t)hosts;
}

char *platform_default_xml(uint64_t ranks)
{
    return base_strfmt("<?xml version=\"1.0\"?>\n"
                       "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                       "<platform version=\"4.1\">\n"
                       "  <cluster id=\"" ID "\" prefix=\"" PREFIX "\" suffix=\"\" radical=\"0-%u\"\n"
                       "           speed=\"" SPEED "\" core=\"%d\"\n"
                       "           bw=\"" BANDWIDTH "\" lat=\"" LATENCY "\" sharing_policy=\"SPLITDUPLEX\"\n"
                       "           bb_bw=\"" BACKBONE_BW "\" bb_lat=\"" BACKBONE_LAT
                       "\" bb_sharing_policy=\"FATPIPE\"/>\n"
                       "</platform>\n",
                       hosts_for(ranks) - 1, CORES);
}

static double parsed(int (*parse)(const char *text, double *out, struct base_status *st), const char *text)
{
    double x = 0;
    int rc = parse(text, &x, NULL);
    BASE_ASSERT("P9", rc == 0);
    return x;
}

struct platform *platform_default(uint64_t ranks)
{
    char radical[32];
    snprintf(radical, sizeof radical, "0-%u", hosts_for(ranks) - 1);
    struct platform_cluster_spec spec = {.id = ID,
                                         .prefix = PREFIX,
                                         .suffix = "",
                                         .radical = radical,
                                         .speed = parsed(base_parse_speed, SPEED),
                                         .cores = CORES,
                                         .bandwidth = parsed(base_parse_bandwidth, BANDWIDTH),
                                         .latency = parsed(platform_parse_latency, LATENCY),
                                         .split = true,
                                         .backbone_bandwidth = parsed(base_parse_bandwidth, BACKBONE_BW),
                                         .backbone_latency = parsed(platform_parse_latency, BACKBONE_LAT),
                                         .backbone_policy = PLATFORM_FATPIPE};
    struct platform *p = platform_create("(built-in cluster)");
    uint32_t zone, line = 0;
    int rc = platform_cluster_add(p, PLATFORM_NONE, &spec, 0, &zone, NULL);
    BASE_ASSERT("P9", rc == 0);
    rc = platform_seal(p, &line, NULL);
    BASE_ASSERT("P9", rc == 0);
    return p;
}
