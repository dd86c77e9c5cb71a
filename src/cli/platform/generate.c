/* SPDX-License-Identifier: BSD-3-Clause */
/* generate: `pgasim platform generate KIND` prints a platform file made from parameters. */
#include "cli/options/options.h"
#include "cli/platform/command.h"

#include <stdlib.h>

/* Notes the text; platform/ checks it when all are known. */
#define NOTE(name, parameter)                                                                                \
    static int apply_##name(void *ctx, const char *value, struct base_status *st)                            \
    {                                                                                                        \
        (void)st;                                                                                            \
        ((struct platform_plan *)ctx)->value[parameter] = value;                                             \
        return 0;                                                                                            \
    }
NOTE(hosts, PLATFORM_HOSTS)
NOTE(cores, PLATFORM_CORES)
NOTE(speed, PLATFORM_PEAK)
NOTE(bw, PLATFORM_BW)
NOTE(lat, PLATFORM_LAT)
NOTE(policy, PLATFORM_SHARING)
NOTE(loopback_bw, PLATFORM_LOOPBACK_BW)
NOTE(loopback_lat, PLATFORM_LOOPBACK_LAT)
NOTE(limiter, PLATFORM_LIMITER)
NOTE(id, PLATFORM_ID)
NOTE(prefix, PLATFORM_PREFIX)
NOTE(suffix, PLATFORM_SUFFIX)
NOTE(backbone, PLATFORM_BACKBONE)
NOTE(backbone_lat, PLATFORM_BACKBONE_LAT)
NOTE(dimensions, PLATFORM_DIMENSIONS)
NOTE(levels, PLATFORM_LEVELS)
NOTE(down, PLATFORM_CHILDREN)
NOTE(up, PLATFORM_PARENTS)
NOTE(ports, PLATFORM_PORTS)
NOTE(oversubscription, PLATFORM_OVERSUBSCRIPTION)
NOTE(leaf, PLATFORM_LEAF)
NOTE(groups, PLATFORM_GROUPS)
NOTE(chassis, PLATFORM_CHASSIS)
NOTE(routers, PLATFORM_ROUTERS)
NOTE(nodes, PLATFORM_NODES)

static int apply_compact(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    ((struct platform_plan *)ctx)->value[PLATFORM_COMPACT] = "";
    return 0;
}

static const struct cli_option table[] = {
    {"--hosts", "N", "hosts (default: 64, or what the numbers below make)", apply_hosts},
    {"--cores", "N", "cores per host (default: 64; rae-mesh: 1)", apply_cores},
    {"--speed", "SPEED", "of a core (default: 40Gf; rae-mesh: 2Gf)", apply_speed},
    {"--bw", "BANDWIDTH", "of a link (default: 100Gbps; rae-mesh: 8GBps)", apply_bw},
    {"--lat", "TIME", "of a link (default: 100ns; cluster: 300ns;\nrae-mesh: 1ns)", apply_lat},
    {"--policy", "POLICY",
     "SPLITDUPLEX (default): each link has its bandwidth in\nboth directions; or SHARED", apply_policy},
    {"--loopback-bw", "BANDWIDTH", "of a host to itself (default: no such link)", apply_loopback_bw},
    {"--loopback-lat", "TIME", "(default: 0)", apply_loopback_lat},
    {"--limiter", "BANDWIDTH", "limit on all traffic of a host (or switch)\n(default: no limit)",
     apply_limiter},
    {"--id", "NAME", "of the cluster (default: cluster; mesh: mesh)", apply_id},
    {"--prefix", "TEXT", "of hosts' names, before the number (default: node-)", apply_prefix},
    {"--suffix", "TEXT", "behind the number (default: none)", apply_suffix},
    {"--backbone", "BANDWIDTH", "cluster: a backbone that all flows share", apply_backbone},
    {"--backbone-lat", "TIME", "(default: 300ns)", apply_backbone_lat},
    {"--dimensions", "X,Y,...", "torus, mesh: its sizes (default: three that are nearly\nequal; mesh: two)",
     apply_dimensions},
    {"--levels", "N", "fat-tree: levels of switches (default: 2)", apply_levels},
    {"--down", "N,N,...",
     "fat-tree: children of a switch at each level, the\nlowest first (default: nearly equal)", apply_down},
    {"--up", "N,N,...",
     "fat-tree: parents of a host, of a switch of level 1, ...\n"
     "(default: 1, then as many as make it non-blocking)",
     apply_up},
    {"--ports", "N,N,...", "fat-tree: parallel cables at each level (default: 1)", apply_ports},
    {"--oversubscription", "F",
     "fat-tree, two-level: links down per link up of a\nswitch (default: 1; two-level: 2)",
     apply_oversubscription},
    {"--leaf", "N", "two-level: hosts of a leaf switch (default: 16)", apply_leaf},
    {"--groups", "N[,LINKS]", "dragonfly (default: 4,1)", apply_groups},
    {"--chassis", "N[,LINKS]", "dragonfly: of a group (default: 2,1)", apply_chassis},
    {"--routers", "N[,LINKS]", "dragonfly: of a chassis, at least as many as groups\n(default: 4,1)",
     apply_routers},
    {"--nodes", "N", "dragonfly: hosts of a router (default: 2)", apply_nodes},
    {"--compact", NULL, "mesh: as topology MESH, which pgasim reads faster, and\nSimGrid not at all",
     apply_compact},
};

static const struct cli_options help_generate = {
    .usage = "pgasim platform generate KIND [options]",
    .about = "Prints a platform file in SimGrid's language, made from a few numbers. KIND:\n"
             "cluster    hosts on a switch without limits, or on a backbone\n"
             "torus      each host has two neighbours in each dimension\n"
             "fat-tree   levels of switches; the destination chooses among equal ways (d-mod-k)\n"
             "dragonfly  groups of chassis of routers, all pairs connected at each level\n"
             "two-level  leaf switches below spine switches, with fewer links up than down\n"
             "mesh       a torus without the links that close its rings, as on a chip; X-Y routes\n"
             "rae-mesh   a mesh of cores of 2 GHz with remote atomics and 32-bit flits: rae-table1\n"
             "           at any size",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "LINKS: cables side by side, which multiply the bandwidth.\n\nexample:\n"
             "  pgasim platform generate two-level --hosts 128 --leaf 32 --oversubscription 4 > mine.xml\n"
             "  pgasim run -np 128 --map-by host --platform mine.xml ./heat",
};

/* Options may stand before and behind KIND. */
static enum cli_read read_all(struct platform_plan *plan, int argc, char **args, struct base_status *st)
{
    int at = 0;
    while (at < argc - 1) {
        int rest = argc - at;
        enum cli_read r = cli_options_read(&help_generate, plan, argc - at, args + at, &rest, st);
        if (r != CLI_READ)
            return r;
        at += rest;
        if (at >= argc)
            break;
        if (plan->kind) {
            base_fail(st, "unexpected '%s'", args[at]);
            return CLI_READ_FAILED;
        }
        plan->kind = args[at];
    }
    return CLI_READ;
}

static int refuse(const char *reason)
{
    base_error("%s (see pgasim platform generate --help)", reason);
    return BASE_EXIT_INPUT;
}

int cli_platform_generate(int argc, char **args)
{
    struct base_status st;
    struct platform_plan plan = {.kind = NULL};
    enum cli_read r = read_all(&plan, argc, args, &st);
    if (r == CLI_READ_HELP) {
        cli_options_help(&help_generate, stdout);
        return BASE_EXIT_OK;
    }
    if (r == CLI_READ_FAILED)
        return refuse(st.text);
    if (!plan.kind) {
        base_fail(&st, "expected one of %s", platform_plan_kinds);
        return refuse(st.text);
    }
    char *xml = platform_generate(&plan, &st);
    if (!xml)
        return refuse(st.text);
    fputs(xml, stdout);
    free(xml);
    return BASE_EXIT_OK;
}
