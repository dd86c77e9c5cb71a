/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate: platform files made from parameters. Numbers of a topology that are not given are derived from
 * the number of hosts. parameters.c checks each parameter, xml.c writes the file.
 */
#include "platform/generate/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char platform_plan_kinds[] = "cluster, torus, fat-tree, dragonfly, two-level, mesh, rae-mesh";

static uint32_t hosts_wanted(const struct platform_plan *plan)
{
    return platform_plan_count(plan, PLATFORM_HOSTS, PLATFORM_PLAN_HOSTS);
}

/* --- topologies --------------------------------------------------------------------------------- */

/* n as a product of `parts` factors as close to each other as possible, the largest first. */
static void split(uint32_t n, unsigned parts, uint32_t *out)
{
    for (unsigned k = parts; k > 1; k--) {
        uint32_t factor = (uint32_t)(pow(n, 1.0 / k) + 1e-9);
        while (n % factor)
            factor--;
        out[k - 1] = factor;
        n /= factor;
    }
    out[0] = n;
}

static void join(char *text, size_t size, char before, const uint32_t *list, unsigned n)
{
    size_t used = strlen(text);
    for (unsigned k = 0; k < n && used < size; k++) {
        if (k || before)
            text[used++] = k ? ',' : before;
        used += (size_t)snprintf(text + used, size - used, "%u", list[k]);
    }
}

static int plan_flat(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    (void)st;
    made->hosts = hosts_wanted(plan);
    return 0;
}

/* The sizes of a torus or a mesh: by default `n` of them. */
static int plan_sizes(const struct platform_plan *plan, struct platform_made *made, int n,
                      struct base_status *st)
{
    uint32_t size[PLATFORM_TORUS_MOST];
    if (plan->value[PLATFORM_DIMENSIONS]) {
        if ((n = platform_plan_list(plan, PLATFORM_DIMENSIONS, size, PLATFORM_TORUS_MOST, st)) < 0)
            return -1;
    } else {
        split(hosts_wanted(plan), (unsigned)n, size);
        while (n > 1 && size[n - 1] == 1)
            n--;
    }
    join(made->parameters, sizeof made->parameters, 0, size, (unsigned)n);
    return 0;
}

static int plan_torus(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    return plan_sizes(plan, made, 3, st);
}

static int plan_mesh(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    return plan_sizes(plan, made, 2, st);
}

/* Parents of a switch with this many children. */
static int parents_of(const struct platform_plan *plan, uint32_t children, double otherwise,
                      uint32_t *parents, struct base_status *st)
{
    const char *text = plan->value[PLATFORM_OVERSUBSCRIPTION];
    double factor = otherwise;
    if (text && base_parse_double(text, &factor, st))
        return -1;
    double exact = children / factor, whole = nearbyint(exact);
    if (whole < 1 || fabs(exact - whole) > 1e-6 * whole)
        return base_fail(st,
                         "--oversubscription %g: the %u links down of a switch cannot be divided by it; "
                         "expected a divisor of %u",
                         factor, children, children);
    *parents = (uint32_t)whole;
    return 0;
}

static int down_of(const struct platform_plan *plan, uint32_t *down, struct base_status *st)
{
    uint32_t levels = platform_plan_count(plan, PLATFORM_LEVELS, 2);
    if (levels > PLATFORM_FAT_TREE_MOST)
        return base_fail(st, "--levels %u: expected 1 to %d", levels, PLATFORM_FAT_TREE_MOST);
    if (!plan->value[PLATFORM_CHILDREN]) {
        split(hosts_wanted(plan), levels, down);
        return (int)levels;
    }
    int n = platform_plan_list(plan, PLATFORM_CHILDREN, down, PLATFORM_FAT_TREE_MOST, st);
    if (n > 0 && plan->value[PLATFORM_LEVELS] && levels != (uint32_t)n)
        return base_fail(st, "--levels %u: --down has %d", levels, n);
    return n;
}

/* If given, a list with as many numbers as there are levels. */
static int level_list(const struct platform_plan *plan, enum platform_parameter which, uint32_t *list,
                      int levels, struct base_status *st)
{
    if (!plan->value[which])
        return 0;
    int n = platform_plan_list(plan, which, list, PLATFORM_FAT_TREE_MOST, st);
    if (n > 0 && n != levels)
        return base_fail(st, "--%s %.100s: expected %d number%s, one per level",
                         which == PLATFORM_PORTS ? "ports" : "up", plan->value[which], levels,
                         levels == 1 ? "" : "s");
    return n < 0 ? -1 : 0;
}

static int plan_fat_tree(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    uint32_t down[PLATFORM_FAT_TREE_MOST], up[PLATFORM_FAT_TREE_MOST] = {1}, ports[PLATFORM_FAT_TREE_MOST];
    int n = down_of(plan, down, st);
    if (n < 0)
        return -1;
    if (plan->value[PLATFORM_PARENTS] && plan->value[PLATFORM_OVERSUBSCRIPTION])
        return base_fail(st, "--up and --oversubscription exclude each other; expected one of them");
    for (int k = 0; k < n; k++) {
        ports[k] = 1;
        if (k > 0 && !plan->value[PLATFORM_PARENTS] && parents_of(plan, down[k - 1], 1, &up[k], st))
            return -1;
    }
    if (level_list(plan, PLATFORM_PARENTS, up, n, st) || level_list(plan, PLATFORM_PORTS, ports, n, st))
        return -1;
    snprintf(made->parameters, sizeof made->parameters, "%d", n);
    join(made->parameters, sizeof made->parameters, ';', down, (unsigned)n);
    join(made->parameters, sizeof made->parameters, ';', up, (unsigned)n);
    join(made->parameters, sizeof made->parameters, ';', ports, (unsigned)n);
    return 0;
}

/* Leaf switches, each with a link to every spine switch. */
static int plan_two_level(const struct platform_plan *plan, struct platform_made *made,
                          struct base_status *st)
{
    uint32_t hosts = hosts_wanted(plan), spines;
    uint32_t leaf =
        platform_plan_count(plan, PLATFORM_LEAF, hosts < PLATFORM_PLAN_LEAF ? hosts : PLATFORM_PLAN_LEAF);
    if (hosts % leaf)
        return base_fail(
            st, "%u hosts do not fill leaf switches of %u hosts; expected a multiple (--hosts, --leaf)",
            hosts, leaf);
    if (parents_of(plan, leaf, leaf % 2 ? 1 : 2, &spines, st))
        return -1;
    snprintf(made->parameters, sizeof made->parameters, "2;%u,%u;1,%u;1,1", leaf, hosts / leaf, spines);
    return 0;
}

/* "groups,links;chassis,links;routers,links;nodes" */
static int plan_dragonfly(const struct platform_plan *plan, struct platform_made *made,
                          struct base_status *st)
{
    static const enum platform_parameter which[] = {PLATFORM_GROUPS, PLATFORM_CHASSIS, PLATFORM_ROUTERS};
    uint32_t n[3][2] = {{4, 1}, {2, 1}, {4, 1}};
    uint64_t routers = 1;
    for (int k = 0; k < 3; k++) {
        if (plan->value[which[k]] && platform_plan_list(plan, which[k], n[k], 2, st) < 0)
            return -1;
        if (platform_shape_times(&routers, n[k][0], PLATFORM_HOST_LIMIT))
            return base_fail(st, "more than %u hosts", PLATFORM_HOST_LIMIT);
    }
    uint32_t hosts = platform_plan_count(plan, PLATFORM_HOSTS, 2 * (uint32_t)routers);
    uint32_t nodes = platform_plan_count(plan, PLATFORM_NODES, (uint32_t)(hosts / routers));
    if (!plan->value[PLATFORM_NODES] && hosts % routers)
        return base_fail(st,
                         "--hosts %u: not a multiple of the %llu routers (--groups, --chassis, --routers)",
                         hosts, (unsigned long long)routers);
    snprintf(made->parameters, sizeof made->parameters, "%u,%u;%u,%u;%u,%u;%u", n[0][0], n[0][1], n[1][0],
             n[1][1], n[2][0], n[2][1], nodes);
    return 0;
}

/* --- kinds -------------------------------------------------------------------------------------- */

static const struct platform_defaults usual = {"cluster", "40Gf", "64", "100Gbps", "100ns", NULL};
static const struct platform_defaults usual_mesh = {"mesh", "40Gf", "64", "100Gbps", "100ns", NULL};
static const struct platform_defaults usual_cluster = {"cluster", "40Gf", "64", "100Gbps", "300ns", NULL};
/* The machine of paper 002, Table I, at any size. The numbers are explained in platforms/rae-table1.xml; a
 * test compares the times of both. */
static const char rae_config[] = "  <config id=\"rae\">\n"
                                 "    <prop id=\"rdma/profile\" value=\"rae\"/>\n"
                                 "    <prop id=\"rdma/header-bytes\" value=\"4\"/>\n"
                                 "    <prop id=\"rdma/gap\" value=\"0.5ns\"/>\n"
                                 "    <prop id=\"rdma/put-overhead\" value=\"0.5ns\"/>\n"
                                 "    <prop id=\"rdma/get-overhead\" value=\"0.5ns\"/>\n"
                                 "    <prop id=\"rdma/atomic-overhead\" value=\"0.5ns\"/>\n"
                                 "    <prop id=\"rdma/copy-per-byte\" value=\"0ns\"/>\n"
                                 "    <prop id=\"rdma/fetch-latency\" value=\"0ns\"/>\n"
                                 "    <prop id=\"rdma/ack-overhead\" value=\"0.5ns\"/>\n"
                                 "    <prop id=\"rdma/poll-cost\" value=\"0.5ns\"/>\n"
                                 "  </config>\n";
static const struct platform_defaults table_1 = {"mesh", "2Gf", "1", "8GBps", "1ns", rae_config};

/* Bit k of a set of kinds in parameters.c is number k here. */
static const struct kind {
    const char *name, *topology;
    int (*plan)(const struct platform_plan *plan, struct platform_made *made, struct base_status *st);
    const struct platform_defaults *defaults;
} kinds[] = {
    {"cluster", "FLAT", plan_flat, &usual_cluster},    {"torus", "TORUS", plan_torus, &usual},
    {"fat-tree", "FAT_TREE", plan_fat_tree, &usual},   {"dragonfly", "DRAGONFLY", plan_dragonfly, &usual},
    {"two-level", "FAT_TREE", plan_two_level, &usual}, {"mesh", "MESH", plan_mesh, &usual_mesh},
    {"rae-mesh", "MESH", plan_mesh, &table_1},
};

/* --- all of it ---------------------------------------------------------------------------------- */

/* Checks the parameters as the topology does. */
static int shape_check(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    struct base_status why;
    struct platform_shape *shape = &made->shape;
    if (made->topology->parse(shape, made->parameters, PLATFORM_HOST_LIMIT, &why))
        return base_fail(st, "a %s of %s: %s", plan->kind, made->parameters, why.text);
    if (plan->value[PLATFORM_HOSTS] && hosts_wanted(plan) != shape->hosts)
        return base_fail(st, "--hosts %s: a %s of %s has %u", plan->value[PLATFORM_HOSTS], plan->kind,
                         made->parameters, shape->hosts);
    if (plan->value[PLATFORM_LIMITER] && made->topology->limits && shape->switches > shape->hosts)
        return base_fail(st, "--limiter: %u switches for %u hosts; expected no more switches than hosts",
                         shape->switches, shape->hosts);
    made->hosts = shape->hosts;
    return 0;
}

char *platform_generate(const struct platform_plan *plan, struct base_status *st)
{
    struct platform_made made = {.hosts = 0};
    unsigned k = 0;
    while (k < BASE_LENGTH(kinds) && strcmp(plan->kind, kinds[k].name) != 0)
        k++;
    if (k == BASE_LENGTH(kinds)) {
        base_fail(st, "unknown kind '%.80s'; expected one of %s", plan->kind, platform_plan_kinds);
        return NULL;
    }
    if (platform_plan_check(plan, 1u << k, st))
        return NULL;
    made.topology = platform_topology_find(kinds[k].topology);
    made.defaults = kinds[k].defaults;
    if (kinds[k].plan(plan, &made, st) || (made.topology && shape_check(plan, &made, st)))
        return NULL;
    return platform_generate_xml(plan, &made, st);
}
