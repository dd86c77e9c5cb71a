/* SPDX-License-Identifier: BSD-3-Clause */
/* Tori, fat trees and dragonflies: routes by hand, names of links, what is refused, files made from
 * parameters. */
#include "platform/check.h"
#include "platform/model/model.h"

#include <malloc.h>

#define CLUSTER(topology, parameters, radical, more)                                                         \
    "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"" radical                                          \
    "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"10ns\" topology=\"" topology "\" topo_parameters=\"" parameters     \
    "\" " more "/>\n"

/* --- routes ------------------------------------------------------------------------------------- */

static void routes_in_a_torus(void **state)
{
    (void)state;
    struct platform *p = loaded(OPEN CLUSTER("TORUS", "4,3", "0-11", "") CLOSE);
    assert_route(p, "n0", "n1", "c_link_from_0_to_1_UP; 10");
    assert_route(p, "n1", "n0", "c_link_from_0_to_1_DOWN; 10");
    assert_route(p, "n0", "n3", "c_link_from_3_to_0_DOWN; 10");
    assert_route(p, "n0", "n2", "c_link_from_0_to_1_UP c_link_from_1_to_2_UP; 20");
    assert_route(p, "n2", "n0", "c_link_from_1_to_2_DOWN c_link_from_0_to_1_DOWN; 20");
    assert_route(p, "n3", "n1", "c_link_from_3_to_0_UP c_link_from_0_to_1_UP; 20");
    assert_route(p, "n1", "n11", "c_link_from_1_to_2_UP c_link_from_2_to_3_UP c_link_from_11_to_3_DOWN; 30");
    assert_route(p, "n5", "n5",
                 "test.xml: no route from host 'n5' to host 'n5': it has neither links nor latency");
    assert_int_equal(platform_link_count(p), 12 * 2 * 2);
    platform_destroy(p);
}

static void limiters_and_loopbacks(void **state)
{
    (void)state;
    struct platform *p = loaded(OPEN CLUSTER(
        "TORUS", "3", "7,20-21",
        "sharing_policy=\"SHARED\" limiter_link=\"1GBps\" loopback_bw=\"2GBps\" loopback_lat=\"3ns\"") CLOSE);
    assert_route(p, "n7", "n20", "c_link_0_limiter c_link_from_0_to_1 c_link_1_limiter; 10");
    assert_route(p, "n7", "n21", "c_link_0_limiter c_link_from_2_to_0 c_link_2_limiter; 10");
    assert_route(p, "n20", "n20", "c_link_20_loopback; 3");
    platform_destroy(p);
    p = loaded(OPEN CLUSTER("FAT_TREE", "2;2,2;1,1;1,1", "0-3", "limiter_link=\"1GBps\"") CLOSE);
    assert_route(
        p, "n0", "n3",
        "c_link_0_limiter link_from_0_7_0_UP c_link_7_limiter link_from_7_5_4_UP link_from_6_5_5_DOWN "
        "c_link_5_limiter link_from_3_6_3_DOWN c_link_6_limiter c_link_3_limiter; 40");
    platform_destroy(p);
    p = loaded(OPEN CLUSTER("DRAGONFLY", "1,1;1,1;2,3;1", "0-1", "limiter_link=\"1GBps\"") CLOSE);
    assert_route(p, "n0", "n1",
                 "c_link_0_limiter local_link_from_router_0_to_node_0_0_UP c_link_3_limiter "
                 "green_link_in_chassis_0_between_routers_0_and_1_2_UP c_link_2_limiter "
                 "local_link_from_router_1_to_node_0_1_DOWN c_link_1_limiter; 30");
    platform_destroy(p);
}

static void routes_in_a_fat_tree(void **state)
{
    (void)state;
    struct platform *p = loaded(OPEN CLUSTER("FAT_TREE", "2;4,4;1,2;1,2", "0-15", "") CLOSE);
    assert_route(p, "n0", "n1", "link_from_0_31_0_UP link_from_1_31_1_DOWN; 20");
    assert_route(p, "n0", "n0", "link_from_0_31_0_UP link_from_0_31_0_DOWN; 20");
    /* the destination's place chooses spine 5 % 2 and cable 5 / 2 % 2 up, the source's cable 0 % 2 down */
    assert_route(
        p, "n0", "n5",
        "link_from_0_31_0_UP link_from_31_26_18_UP link_from_30_26_22_DOWN link_from_5_30_5_DOWN; 40");
    assert_route(
        p, "n1", "n6",
        "link_from_1_31_1_UP link_from_31_27_17_UP link_from_30_27_21_DOWN link_from_6_30_6_DOWN; 40");
    platform_destroy(p);
}

static void places_count_on_through_fat_trees(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE(
        "<cluster id=\"a\" prefix=\"a\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0\" "
        "topology=\"FAT_TREE\" topo_parameters=\"1;3;2;1\"/>" CLUSTER("FAT_TREE", "1;2;2;1", "0-1", "")));
    assert_route(p, "a0", "a2", "link_from_0_5_0_UP link_from_2_5_4_DOWN; 0");
    /* place 3 + 1 of host n1 is even, where place 1 would not be; its first link is number 6 */
    assert_route(p, "n0", "n1", "link_from_0_3_6_UP link_from_1_3_8_DOWN; 20");
    platform_destroy(p);
}

static void routes_in_a_dragonfly(void **state)
{
    (void)state;
    struct platform_route there;
    struct platform *p = loaded(OPEN CLUSTER("DRAGONFLY", "2,5;2,4;2,3;1", "0-7", "") CLOSE);
    assert_route(
        p, "n0", "n7",
        "local_link_from_router_0_to_node_0_0_UP green_link_in_chassis_0_between_routers_0_and_1_8_UP "
        "blue_link_between_group_0_and_1_routers_1_and_4_16_UP "
        "green_link_in_chassis_0_between_routers_0_and_1_10_UP "
        "black_link_in_group_1_between_chassis_0_and_1_blade_1_15_UP "
        "local_link_from_router_7_to_node_0_7_DOWN; 60");
    assert_route(
        p, "n2", "n1",
        "local_link_from_router_2_to_node_0_2_UP green_link_in_chassis_1_between_routers_0_and_1_9_UP "
        "local_link_from_router_1_to_node_0_1_DOWN; 30");
    assert_route(
        p, "n1", "n2",
        "local_link_from_router_1_to_node_0_1_UP green_link_in_chassis_0_between_routers_0_and_1_8_DOWN "
        "black_link_in_group_0_between_chassis_0_and_1_blade_0_12_UP "
        "local_link_from_router_2_to_node_0_2_DOWN; 40");
    assert_false(platform_route_quick(p, 1, 2, &there)); /* the way back is shorter */
    assert_true(platform_route_quick(p, 0, 7, &there));
    static const double width[] = {1, 3, 4, 5};
    static const uint32_t first[] = {0, 8, 12, 16};
    for (unsigned k = 0; k < 4; k++)
        assert_number(platform_link(p, 2 * first[k] + 1)->bandwidth, width[k] * 1e9);
    platform_destroy(p);
}

/* --- names -------------------------------------------------------------------------------------- */

static void every_link_is_found_by_its_name(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE(CLUSTER(
        "TORUS", "2,3,1", "4-9",
        "limiter_link=\"1GBps\" loopback_bw=\"1GBps\"") "<cluster id=\"f\" prefix=\"f\" suffix=\"\" "
                                                        "radical=\"0-7\" speed=\"1Gf\" bw=\"1GBps\" "
                                                        "lat=\"0\" "
                                                        "topology=\"FAT_TREE\" "
                                                        "topo_parameters=\"2;4,2;1,3;2,1\" "
                                                        "limiter_link=\"1GBps\"/>"
                                                        "<cluster id=\"d\" prefix=\"d\" suffix=\"\" "
                                                        "radical=\"0-23\" speed=\"1Gf\" bw=\"1GBps\" "
                                                        "lat=\"0\" "
                                                        "topology=\"DRAGONFLY\" "
                                                        "topo_parameters=\"2,1;2,1;3,1;2\" "
                                                        "limiter_link=\"1GBps\" sharing_policy=\"SHARED\"/>"
                                                        "<cluster id=\"g\" prefix=\"g\" suffix=\"\" "
                                                        "radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" "
                                                        "lat=\"0\" "
                                                        "topology=\"FAT_TREE\" topo_parameters=\"1;2;5;1\"/>"
                                                        "<cluster id=\"e\" prefix=\"e\" suffix=\"\" "
                                                        "radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" "
                                                        "lat=\"0\" "
                                                        "topology=\"DRAGONFLY\" "
                                                        "topo_parameters=\"1,1;2,1;2,1;1\"/>"));
    static const char *const none[] = {
        "c_link_0_loopback",       "c_link_6_limiter",     "c_link_from_0_to_1",
        "c_link_from_0_to_7_UP",   "link_from_0_15_0",     "link_from_0_15_00_UP",
        "link_from_0_15_1000_UP",  "link_from_0_15_1_UPP", "f_link_8_limiter",
        "c_link_from_00_to_1_UP",  "d_link_6_limiterr",    "_0",
        "link_from_0_15_0_DOWN_UP"};
    uint32_t id;
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        if (!platform_link_find(p, platform_link(p, k)->name, &id) || id != k)
            fail_msg("link %u, %s, is not found by its name", k, platform_link(p, k)->name);
    for (unsigned k = 0; k < BASE_LENGTH(none); k++)
        if (platform_link_find(p, none[k], &id))
            fail_msg("%s is found as %s", none[k], platform_link(p, id)->name);
    platform_destroy(p);
}

/* --- refused ------------------------------------------------------------------------------------ */

struct wrong {
    const char *text, *report;
};

static void expect(const struct wrong *list, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct platform *p = NULL;
        struct base_status st = {""};
        int rc = platform_load_text(&p, list[k].text, strlen(list[k].text), "t.xml", NULL, &st);
        if (rc != -1 || strcmp(st.text, list[k].report))
            fail_msg("case %zu: %s\n   got (%d): %s\nwanted    : %s", k, list[k].text, rc, st.text,
                     list[k].report);
    }
}

#define TORUS(parameters, radical) OPEN CLUSTER("TORUS", parameters, radical, "") CLOSE
#define TORUS_SAYS(parameters, why)                                                                          \
    {                                                                                                        \
        TORUS(parameters, "0-3"), "t.xml:2: <cluster topo_parameters=\"" parameters "\">: " why              \
    }
#define TREE_SAYS(parameters, why)                                                                           \
    {                                                                                                        \
        OPEN CLUSTER("FAT_TREE", parameters, "0-3", "") CLOSE,                                               \
            "t.xml:2: <cluster topo_parameters=\"" parameters "\">: " why                                    \
    }
#define FLY_SAYS(parameters, why)                                                                            \
    {                                                                                                        \
        OPEN CLUSTER("DRAGONFLY", parameters, "0-3", "") CLOSE,                                              \
            "t.xml:2: <cluster topo_parameters=\"" parameters "\">: " why                                    \
    }
#define CABINET(more)                                                                                        \
    "<cabinet id=\"p\" prefix=\"h\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0\" " more "/>"
#define ROOM(text) OPEN "<zone id=\"z\" routing=\"Cluster\">\n" text "</zone>\n" CLOSE
#define SIZES      "expected the size of each of 1 to 26 dimensions, such as 4,4,2"
#define LEVELS     "expected levels;children;parents;ports, such as 2;4,4;1,2;1,2, with 1 to 24 levels"
#define WHOLE      "; the whole is levels;children;parents;ports, such as 2;4,4;1,2;1,2"
#define FLY                                                                                                  \
    " is not understood; expected groups,links;chassis,links;routers,links;nodes, such as 3,4;3,2;3,1;2"

static const struct wrong wrongs[] = {
    TORUS_SAYS("", SIZES),
    TORUS_SAYS("4,", SIZES),
    TORUS_SAYS("0,4", SIZES),
    TORUS_SAYS("-2,2", SIZES),
    TORUS_SAYS("2x2", SIZES),
    TORUS_SAYS("2;2", SIZES),
    TORUS_SAYS("99999999999999999999", SIZES),
    TORUS_SAYS("1,1,4", "2 dimensions of size 1 would have links of the same names; expected at most one"),
    TORUS_SAYS("16777216,2", "more than 16777216 hosts"),
    {TORUS("2,4", "0-3"), "t.xml:2: <cluster id=\"c\">: the radical '0-3' makes 4 hosts; the topology has 8"},
    TREE_SAYS("", LEVELS),
    TREE_SAYS("0;1;1;1", LEVELS),
    TREE_SAYS("25;1;1;1", LEVELS),
    TREE_SAYS("2,2;1;1", LEVELS),
    TREE_SAYS("2;4;1,1;1,1", "expected the numbers of children of 2 levels" WHOLE),
    TREE_SAYS("1;4;1", "expected the numbers of parents of 1 level" WHOLE),
    TREE_SAYS("1;4;1;1;1", "expected the numbers of ports of 1 level" WHOLE),
    TREE_SAYS("2;2,2;1,1;1,0", "expected the numbers of ports of 2 levels" WHOLE),
    TREE_SAYS("2;16777216,2;1,1;1,1", "more than 16777216 hosts"),
    TREE_SAYS("1;4;16777216;16777216", "more than 2147483647 switches and cables"),
    TREE_SAYS("1;4;16777216;1", "more than 65792 switches and cables for 4 hosts"),
    {OPEN CLUSTER("FAT_TREE", "1;4;5;1", "0-3", "limiter_link=\"1GBps\"") CLOSE,
     "t.xml:2: <cluster id=\"c\">: 5 switches for 4 hosts; with limiter_link expected no more switches than "
     "hosts, as "
     "in SimGrid"},
    FLY_SAYS("", "the number of groups" FLY),
    FLY_SAYS("1;1;1;1", "the number of groups" FLY),
    FLY_SAYS("1,1;1,1,1;1,1;4", "the number of chassis" FLY),
    FLY_SAYS("1,1;1,1;1,0;4", "the number of routers" FLY),
    FLY_SAYS("1,1;1,1;1,1;4;1", "the number of nodes" FLY),
    FLY_SAYS("3,1;1,1;2,1;1",
             "3 groups, but 2 routers in a chassis, each of which leads to one group; expected no "
             "more groups than routers"),
    FLY_SAYS("1,1;1,1;16777216,1;2", "more than 16777216 hosts"),
    FLY_SAYS("1,1;1,1;16777216,1;1", "more than 2147483647 cables"),
    {ZONE(CABINET("radical=\"0-3\"")),
     "t.xml:3: <cabinet id=\"p\">: zone 'z' has routing Full; expected routing Cluster"},
    {ROOM(CABINET("radical=\"3-0\"")), "t.xml:3: <cabinet id=\"p\">: the radical '3-0' is not a list of "
                                       "numbers; expected numbers and ranges, such as 0-15,20,32-39"},
    {ROOM(CABINET("radical=\"0-3\"") CABINET("radical=\"3\"")),
     "t.xml:3: <cabinet id=\"p\">: the name 'h3' is already that of the host declared at line 3"},
    {ROOM("<link id=\"link_h1_UP\" bandwidth=\"1GBps\"/>" CABINET("radical=\"1\"")),
     "t.xml:3: <cabinet id=\"p\">: the name 'link_h1_UP' is already that of the link declared at line 3"},
    {ROOM(CABINET("")), "t.xml:3: <cabinet> without radical; expected radical=\"...\""},
    {OPEN CLUSTER("RING", "4", "0-3", "") CLOSE,
     "t.xml:2: <cluster topology=\"RING\">: expected one of FLAT, TORUS, MESH, FAT_TREE, DRAGONFLY"},
    {OPEN CLUSTER("TORUS", "4", "0-3", "loopback_lat=\"1us\"") CLOSE,
     "t.xml:2: <cluster id=\"c\">: a loopback_lat without loopback_bw; expected the loopback's bandwidth as "
     "well"},
    {ZONE(CLUSTER("TORUS", "4", "0-3", "") "<link id=\"c_link_from_0_to_1_UP\" bandwidth=\"1GBps\"/>"),
     "t.xml:4: <link id=\"c_link_from_0_to_1_UP\">: the name 'c_link_from_0_to_1_UP' is already that of a "
     "cluster's "
     "link"},
    {ZONE("<link id=\"link_from_1_7_1_UP\" bandwidth=\"1GBps\"/>" CLUSTER("FAT_TREE", "1;4;1;1", "0-3", "")),
     "t.xml:3: <cluster id=\"c\">: the cluster's link 'link_from_1_7_1_UP' has the name of the link declared "
     "at line 3"},
};

static void refused(void **state)
{
    (void)state;
    expect(wrongs, BASE_LENGTH(wrongs));
}

static void a_longer_radical_is_cut(void **state)
{
    (void)state;
    struct platform *p = loaded(TORUS("2,2", "0-2,10-19"));
    assert_int_equal(platform_host_count(p), 4);
    assert_route(p, "n2", "n10", "c_link_from_2_to_3_UP; 10");
    platform_destroy(p);
}

/* --- size --------------------------------------------------------------------------------------- */

static void large_ones_stay_small(void **state)
{
    (void)state;
    static const char *const texts[] = {
        OPEN CLUSTER("TORUS", "32,32,64", "0-65535", "") CLOSE,
        OPEN CLUSTER("FAT_TREE", "3;64,32,32;1,32,32;1,1,1", "0-65535", "") CLOSE,
        OPEN CLUSTER("DRAGONFLY", "32,1;4,1;32,1;16", "0-65535", "") CLOSE,
    };
    for (unsigned k = 0; k < BASE_LENGTH(texts); k++) {
        struct mallinfo2 before = mallinfo2();
        struct platform *p = loaded(texts[k]);
        struct mallinfo2 after = mallinfo2();
        size_t bytes = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
        struct platform_route route;
        assert_int_equal(platform_host_count(p), 65536);
        for (uint32_t h = 1; h < 65536; h++)
            if (platform_route(p, h, 65535 - h, &route, NULL) || (k && route.n_links > 7) ||
                route.n_links > 64)
                fail_msg("a route of %u links from host %u", route.n_links, h);
        if (bytes > 32 << 20)
            fail_msg("%zu bytes for\n%s", bytes, texts[k]);
        platform_destroy(p);
    }
}

/* --- files made from parameters ----------------------------------------------------------------- */

static void generated(void **state)
{
    (void)state;
    static const struct {
        struct platform_plan plan;
        uint32_t hosts, links;
    } cases[] = {
        {{"cluster", {NULL}}, 64, 128},
        {{"cluster", {[PLATFORM_HOSTS] = "3", [PLATFORM_BACKBONE] = "1GBps"}}, 3, 7},
        {{"torus", {NULL}}, 64, 384},
        {{"torus", {[PLATFORM_HOSTS] = "7", [PLATFORM_SHARING] = "SHARED"}}, 7, 7},
        {{"fat-tree", {[PLATFORM_CHILDREN] = "4,4", [PLATFORM_PARENTS] = "1,2", [PLATFORM_PORTS] = "1,2"}},
         16,
         64},
        {{"dragonfly", {[PLATFORM_HOSTS] = "96", [PLATFORM_PREFIX] = "<&\">"}}, 96, 332},
        {{"two-level", {[PLATFORM_OVERSUBSCRIPTION] = "4", [PLATFORM_LIMITER] = "1GBps"}},
         64,
         128 + 32 + 64 + 8},
    };
    for (unsigned k = 0; k < BASE_LENGTH(cases); k++) {
        struct base_status st;
        char *xml = platform_generate(&cases[k].plan, &st);
        if (!xml)
            fail_msg("case %u: %s", k, st.text);
        struct platform *p = loaded(xml);
        if (platform_host_count(p) != cases[k].hosts || platform_link_count(p) != cases[k].links)
            fail_msg("case %u: %u hosts, %u links:\n%s", k, platform_host_count(p), platform_link_count(p),
                     xml);
        platform_destroy(p);
        free(xml);
    }
}

static void not_generated(void **state)
{
    (void)state;
    static const struct {
        struct platform_plan plan;
        const char *report;
    } cases[] = {
        {{"ring", {NULL}},
         "unknown kind 'ring'; expected one of cluster, torus, fat-tree, dragonfly, two-level, mesh, "
         "rae-mesh"},
        {{"torus", {[PLATFORM_HOSTS] = "0"}}, "--hosts 0: expected 1 to 16777216"},
        {{"torus", {[PLATFORM_LEAF] = "4"}}, "--leaf does not apply to a torus"},
        {{"torus", {[PLATFORM_HOSTS] = "9", [PLATFORM_DIMENSIONS] = "4,2"}},
         "--hosts 9: a torus of 4,2 has 8"},
        {{"torus", {[PLATFORM_SHARING] = "FATPIPE"}}, "--policy FATPIPE: expected SHARED or SPLITDUPLEX"},
        {{"torus", {[PLATFORM_BW] = "0"}}, "--bw 0: '0' is out of range; expected 1e-3Bps to 1e21Bps"},
        {{"cluster", {[PLATFORM_ID] = "a\nb"}}, "--id a\nb: expected a text without control characters"},
        {{"cluster", {[PLATFORM_BACKBONE_LAT] = "1us"}}, "--backbone-lat needs --backbone"},
        {{"cluster", {[PLATFORM_LOOPBACK_LAT] = "1us"}}, "--loopback-lat needs --loopback-bw"},
        {{"fat-tree",
          {[PLATFORM_CHILDREN] = "2,2", [PLATFORM_PARENTS] = "4,4", [PLATFORM_LIMITER] = "1GBps"}},
         "--limiter: 24 switches for 4 hosts; expected no more switches than hosts"},
        {{"fat-tree", {[PLATFORM_PARENTS] = "1,2", [PLATFORM_OVERSUBSCRIPTION] = "2"}},
         "--up and --oversubscription exclude each other; expected one of them"},
        {{"two-level", {[PLATFORM_HOSTS] = "20"}},
         "20 hosts do not fill leaf switches of 16 hosts; expected a multiple (--hosts, --leaf)"},
        {{"two-level", {[PLATFORM_OVERSUBSCRIPTION] = "3"}},
         "--oversubscription 3: the 16 links down of a switch cannot be divided by it; expected a "
         "divisor of 16"},
        {{"dragonfly", {[PLATFORM_HOSTS] = "33"}},
         "--hosts 33: not a multiple of the 32 routers (--groups, --chassis, --routers)"},
    };
    for (unsigned k = 0; k < BASE_LENGTH(cases); k++) {
        struct base_status st = {""};
        char *xml = platform_generate(&cases[k].plan, &st);
        if (xml || strcmp(st.text, cases[k].report))
            fail_msg("case %u: got %s\nwanted %s", k, xml ? xml : st.text, cases[k].report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_in_a_torus),
        cmocka_unit_test(limiters_and_loopbacks),
        cmocka_unit_test(routes_in_a_fat_tree),
        cmocka_unit_test(places_count_on_through_fat_trees),
        cmocka_unit_test(routes_in_a_dragonfly),
        cmocka_unit_test(every_link_is_found_by_its_name),
        cmocka_unit_test(refused),
        cmocka_unit_test(a_longer_radical_is_cut),
        cmocka_unit_test(large_ones_stay_small),
        cmocka_unit_test(generated),
        cmocka_unit_test(not_generated),
    };
    return cmocka_run_group_tests_name("platform topologies", tests, NULL, NULL);
}
