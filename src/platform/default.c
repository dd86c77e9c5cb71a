/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * default: the cluster on which programs run if no platform file is given. Its values and their sources are
 * in docs/default-cluster.md. They are kept as XML texts, so that printing them and reading them again gives
 * the same platform to the last bit.
 */
#include "base/text.h"
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
#define LOOPBACK_BW  "12179MBps"
#define LOOPBACK_LAT "80ns"
enum { LEAST_HOSTS = 64 }; /* so that --map-by host has hosts to use */

/* Two-sided messages: what they cost their ranks, and how they travel. */
static const struct {
    const char *key, *value;
} config[] = {{"smpi/async-small-thresh", "8192"},
              {"smpi/os", "0:120ns:0.143ns;8192:120ns:0"},
              {"smpi/ois", "0:120ns:0.143ns;8192:120ns:0"},
              {"smpi/or", "0:120ns:0.143ns;8192:120ns:0"},
              {"smpi/test", "20ns"},
              {"smpi/iprobe", "20ns"}};

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
    struct base_text props;
    base_text_init(&props, "the built-in cluster");
    for (size_t k = 0; k < BASE_LENGTH(config); k++)
        base_text_format(&props, "    <prop id=\"%s\" value=\"%s\"/>\n", config[k].key, config[k].value);
    char *settings = base_text_take(&props);
    char *xml = base_strfmt(
        "<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        "  <config id=\"two-sided-messages\">\n"
        "%s"
        "  </config>\n"
        "  <cluster id=\"" ID "\" prefix=\"" PREFIX "\" suffix=\"\" radical=\"0-%u\"\n"
        "           speed=\"" SPEED "\" core=\"%d\"\n"
        "           bw=\"" BANDWIDTH "\" lat=\"" LATENCY "\" sharing_policy=\"SPLITDUPLEX\"\n"
        "           bb_bw=\"" BACKBONE_BW "\" bb_lat=\"" BACKBONE_LAT "\" bb_sharing_policy=\"FATPIPE\"\n"
        "           loopback_bw=\"" LOOPBACK_BW "\" loopback_lat=\"" LOOPBACK_LAT "\"/>\n"
        "</platform>\n",
        settings, hosts_for(ranks) - 1, CORES);
    free(settings);
    return xml;
}

void platform_default_configure(struct base_settings *s)
{
    for (size_t k = 0; k < BASE_LENGTH(config); k++) {
        int rc = platform_configure(s, config[k].key, config[k].value, BASE_FROM_PLATFORM, NULL);
        BASE_ASSERT("P9", rc == 0);
    }
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
                                         .backbone_policy = PLATFORM_FATPIPE,
                                         .loopback_bandwidth = parsed(base_parse_bandwidth, LOOPBACK_BW),
                                         .loopback_latency = parsed(platform_parse_latency, LOOPBACK_LAT)};
    struct platform *p = platform_create("(built-in cluster)");
    uint32_t zone, line = 0;
    int rc = platform_cluster_add(p, PLATFORM_NONE, &spec, 0, &zone, NULL);
    BASE_ASSERT("P9", rc == 0);
    rc = platform_seal(p, &line, NULL);
    BASE_ASSERT("P9", rc == 0);
    return p;
}
