/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * built_in: the built-in cluster with a parallel file system: its nodes, and servers at the same switches on which no
 * ranks run. Values and their reasons are in docs/default-cluster.md.
 *
 * Invariants
 *  P9  The text of the built-in cluster ends with its <cluster>.
 */
#include "cli/platform/platform.h"

#include <stdlib.h>
#include <string.h>

#define SERVERS_OPEN                                                                                         \
    "  <zone id=\"site\" routing=\"Full\">\n"                                                                \
    "  <prop id=\"storage/scratch/mount\" value=\"/\"/>\n"                                                   \
    "  <prop id=\"storage/scratch/servers\" value=\"oss\"/>\n"                                               \
    "  <prop id=\"storage/scratch/metadata\" value=\"mds-0\"/>\n"                                            \
    "  <prop id=\"storage/scratch/read_bw\" value=\"5GBps\"/>\n"                                             \
    "  <prop id=\"storage/scratch/write_bw\" value=\"5GBps\"/>\n"                                            \
    "  <prop id=\"storage/scratch/latency\" value=\"100us\"/>\n"                                             \
    "  <prop id=\"storage/scratch/request_time\" value=\"20us\"/>\n"                                         \
    "  <prop id=\"storage/scratch/stripe_size\" value=\"1MiB\"/>\n"                                          \
    "  <prop id=\"storage/scratch/stripe_count\" value=\"1\"/>\n"                                            \
    "  <prop id=\"storage/scratch/lookup_time\" value=\"40us\"/>\n"                                          \
    "  <prop id=\"storage/scratch/change_time\" value=\"100us\"/>\n"                                         \
    "  <prop id=\"storage/scratch/metadata_threads\" value=\"16\"/>\n"                                       \
    "  <prop id=\"storage/scratch/lock_time\" value=\"200us\"/>\n"                                           \
    "  <prop id=\"storage/scratch/cache\" value=\"2GiB\"/>\n"                                                \
    "  <prop id=\"storage/scratch/cache_bw\" value=\"8GBps\"/>\n"

#define SERVERS_OF(id, radical)                                                                              \
    "  <cluster id=\"" id "\" prefix=\"" id "-\" suffix=\"\" radical=\"" radical "\"\n"                      \
    "           speed=\"40Gf\" core=\"64\" bw=\"100Gbps\" lat=\"300ns\" sharing_policy=\"SPLITDUPLEX\"\n"    \
    "           bb_bw=\"100Gbps\" bb_lat=\"0ns\" bb_sharing_policy=\"FATPIPE\">\n"                           \
    "    <prop id=\"ranks\" value=\"none\"/>\n"                                                              \
    "  </cluster>\n"

#define ROUTE(a, gate_a, b, gate_b)                                                                          \
    "  <zoneRoute src=\"" a "\" dst=\"" b "\" gw_src=\"" gate_a "\" gw_dst=\"" gate_b "\">"                  \
    "<link_ctn id=\"spine\"/></zoneRoute>\n"

#define SERVERS_CLOSE                                                                                        \
    SERVERS_OF("oss", "0-7")                                                                                 \
    SERVERS_OF("mds", "0-0")                                                                                 \
    "  <link id=\"spine\" bandwidth=\"100Gbps\" latency=\"0ns\" sharing_policy=\"FATPIPE\"/>\n" ROUTE(       \
        "cluster", "node-cluster_router", "oss", "oss-oss_router")                                           \
        ROUTE("cluster", "node-cluster_router", "mds", "mds-mds_router")                                     \
            ROUTE("oss", "oss-oss_router", "mds", "mds-mds_router") "  </zone>\n"

char *cli_platform_built_in_xml(uint64_t ranks)
{
    char *plain = platform_default_xml(ranks);
    char *cluster = strstr(plain, "  <cluster "), *end = cluster ? strstr(cluster, "</platform>") : NULL;
    BASE_ASSERT("P9", end != NULL);
    char *xml = base_strfmt("%.*s" SERVERS_OPEN "%.*s" SERVERS_CLOSE "%s", (int)(cluster - plain), plain,
                            (int)(end - cluster), cluster, end);
    free(plain);
    return xml;
}

int cli_platform_built_in(struct platform **out, uint64_t ranks, struct base_settings *s,
                          struct base_status *st)
{
    if (!base_settings_flag(s, "io/posix") && !base_settings_flag(s, "storage/built-in")) {
        *out = platform_default(ranks);
        platform_default_configure(s);
        return 0;
    }
    char *xml = cli_platform_built_in_xml(ranks);
    int rc = platform_load_text(out, xml, strlen(xml), "(built-in cluster)", s, st);
    free(xml);
    return rc;
}
