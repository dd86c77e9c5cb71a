/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random tori, fat trees and dragonflies: each route is walked link by link, using only the links' names.
 * Links connect, the walk ends at the destination, and its length agrees with an independent formula.
 */
#include "platform/check.h"
#include "seed.h"

#include <stdlib.h>

enum { CASES = 200, MOST = 6 };

/* A random case and what its numbers are. */
static struct {
    struct base_random random;
    char text[64];
    unsigned n, hosts;
    unsigned size[MOST], up[MOST]; /* torus: sizes; fat tree: children, parents; dragonfly: size[0..4) */
} c;

static unsigned number(unsigned low, unsigned high)
{
    return low + (unsigned)base_random_below(&c.random, high - low + 1);
}

static int abs_less(unsigned a, unsigned size, unsigned b)
{
    unsigned d = a > b ? a - b : b - a;
    return (int)(d < size - d ? d : size - d);
}

/* What the last link's name says. */
static bool is_up(const char *name)
{
    return strcmp(name + strlen(name) - 3, "_UP") == 0;
}

/* --- torus -------------------------------------------------------------------------------------- */

static void torus_make(void)
{
    char *at = c.text;
    c.hosts = 1;
    c.n = number(1, 4);
    for (unsigned d = 0; d < c.n; d++) {
        c.size[d] = number(2, c.n == 1 ? 40 : c.n == 2 ? 8 : 4);
        c.hosts *= c.size[d];
        at += sprintf(at, "%s%u", d ? "," : "", c.size[d]);
    }
}

static int torus_links(unsigned src, unsigned dst)
{
    int links = 0;
    for (unsigned d = 0; d < c.n; src /= c.size[d], dst /= c.size[d], d++)
        links += abs_less(src % c.size[d], c.size[d], dst % c.size[d]);
    return links;
}

static bool torus_step(const char *name, int *at)
{
    int from, to;
    if (sscanf(name, "c_link_from_%d_to_%d", &from, &to) != 2 || *at != (is_up(name) ? from : to))
        return false;
    *at = is_up(name) ? to : from;
    return true;
}

/* --- fat tree ----------------------------------------------------------------------------------- */

static void fat_tree_make(void)
{
    char *at = c.text + sprintf(c.text, "%u", c.n = number(1, 4));
    c.hosts = 1;
    for (unsigned list = 0; list < 3; list++)
        for (unsigned l = 0; l < c.n; l++) {
            unsigned k = number(1, list ? 3 : 4);
            if (list == 0)
                c.hosts *= c.size[l] = k;
            at += sprintf(at, "%c%u", l ? ',' : ';', k);
        }
}

static int fat_tree_links(unsigned src, unsigned dst)
{
    int levels = 0;
    do {
        src /= c.size[levels];
        dst /= c.size[levels++];
    } while (src != dst);
    return 2 * levels;
}

static bool fat_tree_step(const char *name, int *at)
{
    int child, parent;
    if (sscanf(name, "link_from_%d_%d_", &child, &parent) != 2 || *at != (is_up(name) ? child : parent))
        return false;
    *at = is_up(name) ? parent : child;
    return true;
}

/* --- dragonfly ---------------------------------------------------------------------------------- */

/* Where a walk is (-1: a host), and whether it stays within a group. */
static int router;
static bool inner;

static void dragonfly_make(void)
{
    unsigned *s = c.size; /* groups, chassis, routers, nodes */
    s[2] = number(1, 5), s[0] = number(1, s[2]), s[1] = number(1, 3), s[3] = number(1, 3);
    c.hosts = s[0] * s[1] * s[2] * s[3];
    sprintf(c.text, "%u,%u;%u,%u;%u,%u;%u", s[0], number(1, 3), s[1], number(1, 3), s[2], number(1, 3), s[3]);
}

static int dragonfly_links(unsigned src, unsigned dst)
{
    const unsigned *s = c.size;
    unsigned a = src / s[3], b = dst / s[3], ag = a / s[2] / s[1], bg = b / s[2] / s[1];
    unsigned ac = a / s[2] % s[1], bc = b / s[2] % s[1], ab = a % s[2], bb = b % s[2];
    if (ag != bg)
        return 3 + (ab != bg) + (ac != 0) + (bb != ag) + (bc != 0);
    return 2 + (ab != bb) +
           (bc != (ab != bb ? 0 : ac)); /* SimGrid's peculiarity: a new blade is one of chassis 0 */
}

static bool between(int a, int b, int at)
{
    return at == a || at == b;
}

/* SimGrid's peculiarity: in a walk within a group a new blade is one of chassis 0. */
static bool dragonfly_cross(const char *name)
{
    int routers = (int)c.size[2], chassis = (int)c.size[1], a, b, k, g;
    int blade = router % routers, in = router / routers % chassis, group = router / routers / chassis;
    if (sscanf(name, "green_link_in_chassis_%d_between_routers_%d_and_%d_", &k, &a, &b) == 3) {
        if (in != k || !between(a, b, blade) || is_up(name) != (blade == a))
            return false;
        router = (group * chassis + (inner ? 0 : in)) * routers + a + b - blade;
        return true;
    }
    if (sscanf(name, "black_link_in_group_%d_between_chassis_%d_and_%d_blade_%d_", &g, &a, &b, &k) == 4) {
        if (group != g || blade != k || !between(a, b, in) || is_up(name) != (in == a))
            return false;
        router = (group * chassis + a + b - in) * routers + blade;
        return true;
    }
    if (sscanf(name, "blue_link_between_group_%d_and_%d_routers_%d_and_%d_", &k, &g, &a, &b) != 4 ||
        !between(a, b, router) || is_up(name) != (router == a))
        return false;
    router = a + b - router;
    return true;
}

static bool dragonfly_step(const char *name, int *at)
{
    int nodes = (int)c.size[3], r, k;
    if (sscanf(name, "local_link_from_router_%d_to_node_%d_", &r, &k) != 2)
        return dragonfly_cross(name);
    bool up = is_up(name), right = up ? *at == r * nodes + k : router == r;
    *at = up ? -1 : r * nodes + k;
    router = up ? r : -1;
    return right;
}

/* --- all ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*make)(void);
    int (*links)(unsigned src, unsigned dst);
    bool (*step)(const char *name, int *at);
} kinds[] = {{"TORUS", torus_make, torus_links, torus_step},
             {"FAT_TREE", fat_tree_make, fat_tree_links, fat_tree_step},
             {"DRAGONFLY", dragonfly_make, dragonfly_links, dragonfly_step}};

static void walk(struct platform *p, unsigned kind, uint32_t src, uint32_t dst)
{
    struct platform_route route, quick;
    int at = (int)src;
    unsigned group = c.size[1] * c.size[2] * c.size[3];
    router = -1;
    inner = kind == 2 && src / group == dst / group;
    if (platform_route(p, src, dst, &route, NULL))
        fail_msg("%s %s: no route from %u to %u", kinds[kind].name, c.text, src, dst);
    for (uint32_t k = 0; k < route.n_links; k++)
        if (!kinds[kind].step(platform_link(p, route.links[k])->name, &at))
            fail_msg("%s %s, %u to %u: link %u does not go on: %s", kinds[kind].name, c.text, src, dst, k,
                     route_text(p, platform_host(p, src)->name, platform_host(p, dst)->name));
    if (at != (int)dst || (int)route.n_links != kinds[kind].links(src, dst))
        fail_msg("%s %s, %u to %u: ends at %d, with %u links, not %d", kinds[kind].name, c.text, src, dst, at,
                 route.n_links, kinds[kind].links(src, dst));
    assert_true(route.latency * 1e9 > route.n_links * 10 - 1e-3 &&
                route.latency * 1e9 < route.n_links * 10 + 1e-3);
    int back = kinds[kind].links(dst, src), there = (int)route.n_links;
    if (platform_route_quick(p, src, dst, &quick) ? back != there || (int)quick.n_links != there
                                                  : kind != 2 || src == dst)
        fail_msg("%s %s, %u to %u: asked quickly", kinds[kind].name, c.text, src, dst);
}

static void random_topologies_are_walked(void **state)
{
    (void)state;
    uint64_t seed = seed_of_test(1);
    for (unsigned k = 0; k < CASES; k++) {
        unsigned kind = k % 3;
        base_random_seed(&c.random, seed, k);
        kinds[kind].make();
        char *text =
            base_strfmt(OPEN "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-%u\" speed=\"1Gf\" "
                             "bw=\"1GBps\" lat=\"10ns\" topology=\"%s\" topo_parameters=\"%s\"/>" CLOSE,
                        c.hosts - 1, kinds[kind].name, c.text);
        struct platform *p = loaded(text);
        for (uint32_t src = 0; src < c.hosts; src++)
            for (uint32_t dst = src % 7; dst < c.hosts; dst += 1 + (c.hosts > 64))
                if (src != dst)
                    walk(p, kind, src, dst);
        platform_destroy(p);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_topologies_are_walked)};
    return cmocka_run_group_tests_name("platform topologies random", tests, NULL, NULL);
}
