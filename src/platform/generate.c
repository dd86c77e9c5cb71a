/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate: platform files made from parameters. The numbers of a topology that are not given are worked out from
 * the number of hosts; generate_xml.c writes the file.
 */
#include "platform/generate_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- parameters --------------------------------------------------------------------------------- */

enum kind { CLUSTER = 1, TORUS = 2, FAT_TREE = 4, DRAGONFLY = 8, TWO_LEVEL = 16, EVERY = 31 };
const char platform_plan_kinds[] = "cluster, torus, fat-tree, dragonfly, two-level";
static const char *const kind_names[] = {"cluster", "torus", "fat-tree", "dragonfly", "two-level"};

static int check_count(const char *text, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(text, &n, st))
        return -1;
    if (n < 1 || n > PLATFORM_HOST_LIMIT)
        return base_fail(st, "expected 1 to %u", PLATFORM_HOST_LIMIT);
    return 0;
}

static int check_cores(const char *text, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(text, &n, st))
        return -1;
    return n < 1 || n > 1u << 20 ? base_fail(st, "expected 1 to 1048576") : 0;
}

static int positive(platform_parse_fn parse, const char *text, struct base_status *st)
{
    double x;
    if (parse(text, &x, st))
        return -1;
    return x > 0 ? 0 : base_fail(st, "expected more than 0");
}

static int check_speed(const char *text, struct base_status *st)
{
    return positive(base_parse_speed, text, st);
}

static int check_bandwidth(const char *text, struct base_status *st)
{
    return positive(base_parse_bandwidth, text, st);
}

static int check_time(const char *text, struct base_status *st)
{
    double x;
    return base_parse_time(text, &x, st);
}

static int check_policy(const char *text, struct base_status *st)
{
    return strcmp(text, "SHARED") && strcmp(text, "SPLITDUPLEX")
               ? base_fail(st, "expected SHARED or SPLITDUPLEX")
               : 0;
}

static int check_text(const char *text, struct base_status *st)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            return base_fail(st, "expected a text without control characters");
    return 0;
}

static int check_factor(const char *text, struct base_status *st)
{
    double x;
    if (base_parse_double(text, &x, st))
        return -1;
    return x >= 1 ? 0 : base_fail(st, "expected 1 or more");
}

/* In the order of enum platform_parameter. */
static const struct parameter {
    const char *name;
    unsigned kinds;
    int (*check)(const char *text, struct base_status *st); /* lists are checked by the topology */
} parameters[PLATFORM_PARAMETERS] = {
    {"hosts", EVERY, check_count},
    {"cores", EVERY, check_cores},
    {"speed", EVERY, check_speed},
    {"bw", EVERY, check_bandwidth},
    {"lat", EVERY, check_time},
    {"policy", EVERY, check_policy},
    {"loopback-bw", EVERY, check_bandwidth},
    {"loopback-lat", EVERY, check_time},
    {"limiter", EVERY, check_bandwidth},
    {"id", EVERY, check_text},
    {"prefix", EVERY, check_text},
    {"suffix", EVERY, check_text},
    {"backbone", CLUSTER, check_bandwidth},
    {"backbone-lat", CLUSTER, check_time},
    {"dimensions", TORUS, check_text},
    {"levels", FAT_TREE, check_count},
    {"down", FAT_TREE, check_text},
    {"up", FAT_TREE, check_text},
    {"ports", FAT_TREE, check_text},
    {"oversubscription", FAT_TREE | TWO_LEVEL, check_factor},
    {"leaf", TWO_LEVEL, check_count},
    {"groups", DRAGONFLY, check_text},
    {"chassis", DRAGONFLY, check_text},
    {"routers", DRAGONFLY, check_text},
    {"nodes", DRAGONFLY, check_count},
};

static int check(const struct platform_plan *plan, unsigned kind, struct base_status *st)
{
    for (unsigned k = 0; k < PLATFORM_PARAMETERS; k++) {
        struct base_status why;
        const char *text = plan->value[k];
        if (!text)
            continue;
        if (!(parameters[k].kinds & kind))
            return base_fail(st, "--%s has no meaning for a %s", parameters[k].name, plan->kind);
        if (parameters[k].check(text, &why))
            return base_fail(st, "--%s %.100s: %s", parameters[k].name, text, why.text);
    }
    if (plan->value[PLATFORM_LOOPBACK_LAT] && !plan->value[PLATFORM_LOOPBACK_BW])
        return base_fail(st, "--loopback-lat without --loopback-bw");
    if (plan->value[PLATFORM_BACKBONE_LAT] && !plan->value[PLATFORM_BACKBONE])
        return base_fail(st, "--backbone-lat without --backbone");
    return 0;
}

/* A checked count, or `otherwise`. */
static uint32_t count_of(const struct platform_plan *plan, enum platform_parameter which, uint32_t otherwise)
{
    return plan->value[which] ? (uint32_t)strtoul(plan->value[which], NULL, 10) : otherwise;
}

static uint32_t hosts_wanted(const struct platform_plan *plan)
{
    return count_of(plan, PLATFORM_HOSTS, PLATFORM_PLAN_HOSTS);
}

/* A list "4,4,2"; how many, or -1 with st. */
static int list_of(const struct platform_plan *plan, enum platform_parameter which, uint32_t *out,
                   unsigned most, struct base_status *st)
{
    const char *at = plan->value[which];
    int n = platform_shape_list(&at, 0, out, most);
    if (n < 0)
        base_fail(st, "--%s %.100s: expected up to %u number%s from 1 to %u, with commas between them",
                  parameters[which].name, plan->value[which], most, most == 1 ? "" : "s",
                  PLATFORM_HOST_LIMIT);
    return n;
}

/* --- topologies --------------------------------------------------------------------------------- */

/* n as a product of `parts` factors as near to each other as can be, the largest one first. */
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

static int plan_torus(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    uint32_t size[PLATFORM_TORUS_MOST];
    int n = 3;
    if (plan->value[PLATFORM_DIMENSIONS]) {
        if ((n = list_of(plan, PLATFORM_DIMENSIONS, size, PLATFORM_TORUS_MOST, st)) < 0)
            return -1;
    } else {
        split(hosts_wanted(plan), 3, size);
        while (n > 1 && size[n - 1] == 1)
            n--;
    }
    join(made->parameters, sizeof made->parameters, 0, size, (unsigned)n);
    return 0;
}

/* Parents of a switch with so many children. */
static int parents_of(const struct platform_plan *plan, uint32_t children, double otherwise,
                      uint32_t *parents, struct base_status *st)
{
    const char *text = plan->value[PLATFORM_OVERSUBSCRIPTION];
    double factor = otherwise;
    if (text && base_parse_double(text, &factor, st))
        return -1;
    double exact = children / factor, whole = nearbyint(exact);
    if (whole < 1 || fabs(exact - whole) > 1e-6 * whole)
        return base_fail(
            st,
            "--oversubscription %g: a switch with %u links down has no such number of links up; expected a "
            "divisor of %u",
            factor, children, children);
    *parents = (uint32_t)whole;
    return 0;
}

static int down_of(const struct platform_plan *plan, uint32_t *down, struct base_status *st)
{
    uint32_t levels = count_of(plan, PLATFORM_LEVELS, 2);
    if (levels > PLATFORM_FAT_TREE_MOST)
        return base_fail(st, "--levels %u: expected 1 to %d", levels, PLATFORM_FAT_TREE_MOST);
    if (!plan->value[PLATFORM_CHILDREN]) {
        split(hosts_wanted(plan), levels, down);
        return (int)levels;
    }
    int n = list_of(plan, PLATFORM_CHILDREN, down, PLATFORM_FAT_TREE_MOST, st);
    if (n > 0 && plan->value[PLATFORM_LEVELS] && levels != (uint32_t)n)
        return base_fail(st, "--levels %u: --down has %d", levels, n);
    return n;
}

/* A list of as many numbers as there are levels, when it is given. */
static int level_list(const struct platform_plan *plan, enum platform_parameter which, uint32_t *list,
                      int levels, struct base_status *st)
{
    if (!plan->value[which])
        return 0;
    int n = list_of(plan, which, list, PLATFORM_FAT_TREE_MOST, st);
    if (n > 0 && n != levels)
        return base_fail(st, "--%s %.100s: expected %d number%s, one a level", parameters[which].name,
                         plan->value[which], levels, levels == 1 ? "" : "s");
    return n < 0 ? -1 : 0;
}

static int plan_fat_tree(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    uint32_t down[PLATFORM_FAT_TREE_MOST], up[PLATFORM_FAT_TREE_MOST] = {1}, ports[PLATFORM_FAT_TREE_MOST];
    int n = down_of(plan, down, st);
    if (n < 0)
        return -1;
    if (plan->value[PLATFORM_PARENTS] && plan->value[PLATFORM_OVERSUBSCRIPTION])
        return base_fail(st, "--up and --oversubscription; expected one of them");
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

/* Leaf switches, each with a link to each of the spine switches. */
static int plan_two_level(const struct platform_plan *plan, struct platform_made *made,
                          struct base_status *st)
{
    uint32_t hosts = hosts_wanted(plan), spines;
    uint32_t leaf = count_of(plan, PLATFORM_LEAF, hosts < PLATFORM_PLAN_LEAF ? hosts : PLATFORM_PLAN_LEAF);
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
        if (plan->value[which[k]] && list_of(plan, which[k], n[k], 2, st) < 0)
            return -1;
        if (platform_shape_times(&routers, n[k][0], PLATFORM_HOST_LIMIT))
            return base_fail(st, "more than %u hosts", PLATFORM_HOST_LIMIT);
    }
    uint32_t hosts = count_of(plan, PLATFORM_HOSTS, 2 * (uint32_t)routers);
    uint32_t nodes = count_of(plan, PLATFORM_NODES, (uint32_t)(hosts / routers));
    if (!plan->value[PLATFORM_NODES] && hosts % routers)
        return base_fail(st,
                         "--hosts %u: not a multiple of the %llu routers (--groups, --chassis, --routers)",
                         hosts, (unsigned long long)routers);
    snprintf(made->parameters, sizeof made->parameters, "%u,%u;%u,%u;%u,%u;%u", n[0][0], n[0][1], n[1][0],
             n[1][1], n[2][0], n[2][1], nodes);
    return 0;
}

/* --- all of it ---------------------------------------------------------------------------------- */

/* What the topology makes of the parameters. */
static int shape_check(const struct platform_plan *plan, struct platform_made *made, struct base_status *st)
{
    struct base_status why;
    struct platform_shape shape;
    if (made->topology->parse(&shape, made->parameters, PLATFORM_HOST_LIMIT, &why))
        return base_fail(st, "a %s of %s: %s", plan->kind, made->parameters, why.text);
    if (plan->value[PLATFORM_HOSTS] && hosts_wanted(plan) != shape.hosts)
        return base_fail(st, "--hosts %s: a %s of %s has %u", plan->value[PLATFORM_HOSTS], plan->kind,
                         made->parameters, shape.hosts);
    if (plan->value[PLATFORM_LIMITER] && made->topology->limits && shape.switches > shape.hosts)
        return base_fail(st, "--limiter: %u switches for %u hosts; expected no more switches than hosts",
                         shape.switches, shape.hosts);
    made->hosts = shape.hosts;
    return 0;
}

char *platform_generate(const struct platform_plan *plan, struct base_status *st)
{
    static int (*const plans[])(const struct platform_plan *, struct platform_made *,
                                struct base_status *) = {NULL, plan_torus, plan_fat_tree, plan_dragonfly,
                                                         plan_two_level};
    static const char *const topologies[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY", "FAT_TREE"};
    struct platform_made made = {.hosts = 0};
    unsigned k = 0;
    while (k < BASE_LENGTH(kind_names) && strcmp(plan->kind, kind_names[k]) != 0)
        k++;
    if (k == BASE_LENGTH(kind_names)) {
        base_fail(st, "unknown kind '%.80s'; expected one of %s", plan->kind, platform_plan_kinds);
        return NULL;
    }
    if (check(plan, 1u << k, st))
        return NULL;
    made.topology = platform_topology_find(topologies[k]);
    if (!made.topology)
        made.hosts = hosts_wanted(plan);
    else if (plans[k](plan, &made, st) || shape_check(plan, &made, st))
        return NULL;
    return platform_generate_xml(plan, &made, st);
}
