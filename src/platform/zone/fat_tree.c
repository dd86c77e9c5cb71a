/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fat_tree: <cluster topology="FAT_TREE" topo_parameters="levels;down;up;ports">. Routes go up until the
 * destination is below, and then down. The way up is chosen by the destination's place (d-mod-k), the cable
 * among parallel ones on the way down by the source's.
 *
 * SimGrid numbers hosts consecutively through all fat trees of a platform, and on the way down continues its
 * search for a cable where the level above ended. Both affect which of several equal ways a route takes, so
 * we do the same.
 */
#include "platform/zone/regular.h"

#include <string.h>

/* --- topo_parameters ---------------------------------------------------------------------------- */

/* Nodes and cables of each level. */
static int levels_count(struct platform_shape *out, uint32_t most_hosts, struct base_status *st)
{
    struct platform_fat_tree *t = &out->fat_tree;
    uint64_t nodes = 1, below = 0, cables = 0, most = UINT32_MAX / 2, ups = 1;
    for (uint32_t l = 0; l < t->levels; l++)
        if (platform_shape_times(&nodes, t->down[l], most_hosts))
            return base_fail(st, "more than %u hosts", most_hosts);
    uint64_t hosts = nodes;
    for (uint32_t l = 0;; l++) {
        t->below[l] = (uint32_t)below;
        t->cable[l] = (uint32_t)cables;
        t->ups[l] = (uint32_t)ups;
        below += nodes;
        if (l == t->levels)
            break;
        uint64_t leaving = nodes;
        nodes = nodes / t->down[l];
        if (platform_shape_times(&nodes, t->up[l], most) || platform_shape_times(&ups, t->up[l], most) ||
            platform_shape_times(&leaving, t->up[l], most) ||
            platform_shape_times(&leaving, t->ports[l], most) || (cables += leaving) > most || below > most)
            return base_fail(st, "more than %llu switches and cables", (unsigned long long)most);
    }
    t->below[t->levels + 1] = (uint32_t)below;
    return platform_shape_counts(out, hosts, below - hosts, cables, most_hosts, st);
}

static int fat_tree_parse(struct platform_shape *out, const char *text, uint32_t most_hosts,
                          struct base_status *st)
{
    struct platform_fat_tree *t = &out->fat_tree;
    const char *at = text;
    static const char *const nouns[] = {"children", "parents", "ports"};
    uint32_t *lists[] = {t->down, t->up, t->ports};
    if (platform_shape_list(&at, ';', &t->levels, 1) != 1 || t->levels > PLATFORM_FAT_TREE_MOST)
        return base_fail(st,
                         "expected levels;children;parents;ports, such as 2;4,4;1,2;1,2, with 1 to %d levels",
                         PLATFORM_FAT_TREE_MOST);
    for (int k = 0; k < 3; k++)
        if (platform_shape_list(&at, k == 2 ? 0 : ';', lists[k], t->levels) != (int)t->levels)
            return base_fail(
                st,
                "expected the numbers of %s of %u level%s; the whole is levels;children;parents;ports, "
                "such as 2;4,4;1,2;1,2",
                nouns[k], t->levels, t->levels == 1 ? "" : "s");
    t->offset = 0;
    return levels_count(out, most_hosts, st);
}

static uint32_t fat_tree_width(const struct platform_shape *shape, uint32_t cable)
{
    (void)shape, (void)cable;
    return 1;
}

/* --- routes ------------------------------------------------------------------------------------- */

/* The cable to parent `q` of node `at` of level l. */
static inline uint32_t cable_up(const struct platform_fat_tree *t, uint32_t l, uint32_t at, uint32_t q,
                                uint32_t port)
{
    return t->cable[l] + (at * t->up[l] + q) * t->ports[l] + port;
}

/* Parent q of node `at` of level l: in base down[l], q replaces the digit of the step. */
static inline uint32_t parent_of(const struct platform_fat_tree *t, uint32_t l, uint32_t at, uint32_t q)
{
    uint32_t low = at % t->ups[l], high = at / t->ups[l] / t->down[l];
    return low + t->ups[l] * (q + t->up[l] * high);
}

/* The node of level l - 1 below node `at` of level l that has digit c; *q: which of its parents `at` is. */
static inline uint32_t child_of(const struct platform_fat_tree *t, uint32_t l, uint32_t at, uint32_t c,
                                uint32_t *q)
{
    uint32_t low = at % t->ups[l - 1], rest = at / t->ups[l - 1];
    *q = rest % t->up[l - 1];
    return low + t->ups[l - 1] * (c + t->down[l - 1] * (rest / t->up[l - 1]));
}

/* Climbs from host src until dst is below; returns the level and notes the node. */
static uint32_t climb(const struct platform_regular *r, uint32_t src, uint32_t dst,
                      struct platform_path *path, uint32_t *top)
{
    const struct platform_fat_tree *t = &r->shape.fat_tree;
    uint32_t at = src, l = 0, place = t->offset + dst, high = dst;
    while (l == 0 || at / t->ups[l] != high) {
        uint32_t d = place % (t->up[l] * t->ports[l]), q = d % t->up[l];
        platform_regular_limit(r, t->below[l] + at, path);
        platform_regular_cross(r, cable_up(t, l, at, q, d / t->up[l]), true, path);
        at = parent_of(t, l, at, q);
        place /= t->up[l];
        high /= t->down[l++];
    }
    *top = at;
    return l;
}

/* Descends from node `at` of level l to host dst. In a node's
 * children[], each child appears once per port, down[] apart. */
static void descend(const struct platform_regular *r, uint32_t l, uint32_t at, uint32_t src, uint32_t dst,
                    struct platform_path *path)
{
    const struct platform_fat_tree *t = &r->shape.fat_tree;
    uint32_t stride = 1, place = t->offset + src, q;
    uint64_t next = UINT64_MAX; /* where the search continues; none at the top */
    for (uint32_t k = 0; k + 1 < l; k++)
        stride *= t->down[k];
    for (;; stride /= t->down[--l - 1]) {
        uint32_t down = t->down[l - 1], c = dst / stride % down;
        uint64_t slots = (uint64_t)down * t->ports[l - 1];
        uint64_t slot = next == UINT64_MAX ? slots : next + (c + down - next % down) % down;
        if (slot >= slots)
            slot = (uint64_t)(place % t->ports[l - 1]) * down + c;
        uint32_t child = child_of(t, l, at, c, &q);
        platform_regular_cross(r, cable_up(t, l - 1, child, q, (uint32_t)(slot / down)), false, path);
        platform_regular_limit(r, t->below[l] + at, path);
        at = child;
        next = slot + 1;
        if (l == 1)
            return;
    }
}

static int fat_tree_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                           platform_point to, struct platform_path *path)
{
    (void)p;
    const struct platform_regular *r = z->regular;
    uint32_t src, dst, top;
    if (platform_regular_start(z, from, to, path, &src, &dst))
        return 0;
    uint32_t l = climb(r, src, dst, path, &top);
    descend(r, l, top, src, dst, path);
    platform_regular_limit(r, dst, path);
    return 0;
}

/* --- names -------------------------------------------------------------------------------------- */

/* SimGrid numbers switches downwards from twice the number of hosts, past 0 if there are many. */
static int node_number(const struct platform_shape *shape, uint32_t l, uint32_t at)
{
    return l == 0 ? (int)at : (int)(3 * shape->hosts - 1 - (shape->fat_tree.below[l] + at));
}

static char *fat_tree_name(const struct platform_zone *z, uint32_t cable)
{
    const struct platform_shape *shape = &z->regular->shape;
    const struct platform_fat_tree *t = &shape->fat_tree;
    uint32_t l = t->levels - 1;
    while (cable < t->cable[l])
        l--;
    uint32_t k = (cable - t->cable[l]) / t->ports[l], at = k / t->up[l];
    return base_strfmt("link_from_%d_%d_%u", node_number(shape, l, at),
                       node_number(shape, l + 1, parent_of(t, l, at, k % t->up[l])),
                       cable + z->regular->count[platform_fat_tree.counted]);
}

/* SimGrid counts hosts through all fat trees. */
static void fat_tree_settle(struct platform *p, struct platform_shape *shape)
{
    shape->fat_tree.offset = p->routes->fat_tree_hosts;
    p->routes->fat_tree_hosts += shape->hosts;
}

static void fat_tree_print(const struct platform_shape *shape, FILE *out)
{
    const struct platform_fat_tree *t = &shape->fat_tree;
    for (uint32_t l = 1; l <= t->levels; l++)
        fprintf(out, "%s%u", l > 1 ? " + " : "", t->below[l + 1] - t->below[l]);
    fputs(" switches", out);
}

const struct platform_topology platform_fat_tree = {
    .name = "FAT_TREE",
    .zone = &platform_zone_fat_tree,
    .counted = 0,
    .limits = true,
    .parse = fat_tree_parse,
    .settle = fat_tree_settle,
    .width = fat_tree_width,
    .name_of = fat_tree_name,
    .find = platform_regular_counted,
    .print = fat_tree_print,
};

const struct platform_zone_kind platform_zone_fat_tree = {
    .name = "FatTree",
    .inherited = true,
    .append = fat_tree_append,
    PLATFORM_REGULAR_FUNCTIONS,
};
