/* SPDX-License-Identifier: BSD-3-Clause */
/* Routes of Floyd, Dijkstra, Cluster, Vivaldi and None zones and of bypasses, worked out by hand. */
#include "platform/check.h"

#define HOST(name)             "<host id=\"" name "\" speed=\"1Gf\"/>\n"
#define LINK(name, latency)    "<link id=\"" name "\" bandwidth=\"1GBps\" latency=\"" latency "ns\"/>\n"
#define CTN(name)              "<link_ctn id=\"" name "\"/>"
#define ROUTE(a, b, links)     "<route src=\"" a "\" dst=\"" b "\">" links "</route>\n"
#define ZONE_OF(routing, text) OPEN "<zone id=\"z\" routing=\"" routing "\">\n" text "</zone>\n" CLOSE

/* --- graphs ------------------------------------------------------------------------------------- */

/* a - b - d and a - c - d are equally long. */
#define DIAMOND                                                                                              \
    HOST("d")                                                                                                \
    HOST("c")                                                                                                \
    HOST("b")                                                                                                \
    HOST("a")                                                                                                \
    HOST("alone")                                                                                            \
    LINK("1", "1")                                                                                           \
    LINK("2", "2")                                                                                           \
    LINK("3", "4")                                                                                           \
    LINK("4", "8")                                                                                           \
    LINK("5", "16")                                                                                          \
    ROUTE("a", "b", CTN("1") CTN("2"))                                                                       \
    ROUTE("b", "d", CTN("3")) ROUTE("c", "d", CTN("4")) ROUTE("a", "c", CTN("5") CTN("2"))

static void floyd_takes_the_lowest_point_between(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF("Floyd", DIAMOND));
    assert_route(p, "a", "d", "5 2 4; 26"); /* c was declared before b */
    assert_route(p, "d", "a", "4 2 5; 26");
    assert_route(p, "b", "c", "3 4; 12");
    assert_route(p, "a", "a", "__loopback__; 0");
    assert_route(p, "alone", "alone", "__loopback__; 0");
    assert_route(
        p, "a", "alone",
        "test.xml:2: no route from host 'a' to host 'alone'; expected in zone 'z' a <route src=\"a\" "
        "dst=\"alone\">");
    platform_destroy(p);
}

static void dijkstra_takes_the_point_named_first_and_turns_edges_round(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF("Dijkstra", DIAMOND));
    assert_route(p, "a", "d", "2 1 3; 7"); /* b was named by a route before c */
    assert_route(p, "d", "a", "3 1 2; 7"); /* b is nearer to d than c? no: equally near, but named first */
    assert_route(p, "a", "a", "__loopback__; 0");
    assert_route(p, "alone", "alone",
                 "test.xml:2: no route from host 'alone' to host 'alone'; expected in zone 'z' a <route "
                 "src=\"alone\" dst=\"alone\">");
    platform_destroy(p);
}

static void one_way_edges_and_declared_loops(void **state)
{
    (void)state;
    static const char text[] = HOST("a") HOST("b") LINK("1", "1") LINK("2", "2")
        LINK("3", "4") "<route src=\"a\" dst=\"b\" symmetrical=\"NO\">" CTN("1")
            CTN("2") "</route>\n"
                     "<route src=\"b\" dst=\"b\" symmetrical=\"no\">" CTN("3") CTN("1") "</route>\n";
    const char *routings[] = {"Floyd", "Dijkstra", "dijkstracache"},
               *itself[] = {"3 1; 5", "1 3; 5", "1 3; 5"};
    for (int k = 0; k < 3; k++) {
        char file[2048];
        snprintf(file, sizeof file, OPEN "<zone id=\"z\" routing=\"%s\">\n%s</zone>\n" CLOSE, routings[k],
                 text);
        struct platform *p = loaded(file);
        assert_route(p, "a", "b", k ? "2 1; 3" : "1 2; 3");
        assert_route(p, "b", "b", itself[k]);
        assert_route(
            p, "b", "a",
            "test.xml:2: no route from host 'b' to host 'a'; expected in zone 'z' a <route src=\"b\" "
            "dst=\"a\">");
        platform_destroy(p);
    }
}

/* Floyd prefers a cycle to a longer declared route from a point to itself, as SimGrid's table does. */
static void floyd_circle(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF(
        "Floyd", HOST("a") HOST("b") LINK("1", "1") LINK("2", "2")
                     ROUTE("a", "b", CTN("1")) "<route src=\"a\" dst=\"a\" symmetrical=\"NO\">" CTN("2")
                         CTN("2") CTN("2") "</route>\n"));
    assert_route(p, "a", "a", "1 1; 2");
    assert_route(p, "b", "b", "__loopback__; 0");
    platform_destroy(p);
}

/* Three zones in a row; the middle one is entered and left at different hosts. */
#define LEAF(id, routing, a, b, first, second)                                                               \
    "<zone id=\"" id "\" routing=\"" routing "\">\n" HOST(a) HOST(b) LINK(first, "1") LINK(second, "2")      \
        ROUTE(a, b, CTN(first) CTN(second)) "</zone>\n"
#define ROW(routing, leaf)                                                                                   \
    ZONE_OF(routing,                                                                                         \
            LEAF("u", leaf, "u1", "u2", "p", "q") LEAF("v", leaf, "v1", "v2", "r", "s")                      \
                LEAF("w", leaf, "w1", "w2", "t", "x") LINK("uv", "10")                                       \
                    LINK("vw", "20") "<zoneRoute src=\"u\" dst=\"v\" gw_src=\"u2\" gw_dst=\"v1\">" CTN(      \
                        "uv") "</zoneRoute><ASroute src=\"v\" dst=\"w\" gw_src=\"v2\" "                      \
                              "gw_dst=\"w1\">" CTN("vw") "</ASroute>\n")

static void graphs_of_zones_go_on_between_gateways(void **state)
{
    (void)state;
    const char *texts[] = {ROW("Floyd", "Full"), ROW("Dijkstra", "Full")};
    for (int k = 0; k < 2; k++) {
        struct platform *p = loaded(texts[k]);
        assert_route(p, "u1", "w2", "p q uv r s vw t x; 39");
        assert_route(p, "w2", "u1", "x t vw s r uv q p; 39");
        assert_route(p, "u2", "w1", "uv r s vw; 33");
        platform_destroy(p);
    }
}

/* SimGrid puts the links of a Dijkstra zone in front of those that were found before. */
static void dijkstra_goes_in_front(void **state)
{
    (void)state;
    struct platform *p = loaded(ROW("Full", "Dijkstra"));
    assert_route(p, "u1", "v2", "s r q p uv; 16");
    assert_route(p, "v1", "v2", "s r; 3");
    assert_route(p, "u2", "v1", "uv; 10");
    platform_destroy(p);
    p = loaded(ROW("Floyd", "Dijkstra"));
    assert_route(p, "u1", "w2", "x t q p s r uv vw; 39"); /* the middle zone's: in front of its own list */
    platform_destroy(p);
}

/* --- Cluster, Vivaldi, None --------------------------------------------------------------------- */

static void cluster_host_links(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF(
        "Cluster", "<host_link id=\"b\" up=\"b_UP\" down=\"b_DOWN\"/>\n" /* names may follow */
        HOST("a") HOST("b") HOST("c") HOST("d") LINK("l", "1") LINK(
            "never",
            "100") "<link id=\"b\" bandwidth=\"1GBps\" latency=\"2ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                   "<host_link id=\"a\" up=\"never\" down=\"never\"/><host_link id=\"a\" up=\"l\" "
                   "down=\"l\"/>\n"
                   "<router id=\"r\"/><backbone id=\"bb\" bandwidth=\"1GBps\" latency=\"10ns\"/>\n" ROUTE(
                       "c", "c", CTN("l") CTN("b_UP") CTN("l"))));
    assert_route(p, "a", "b", "l bb b_DOWN; 13");
    assert_route(p, "b", "a", "b_UP bb l; 13");
    assert_route(p, "a", "a", "l bb; 11");
    assert_route(p, "b", "b", "b_UP bb b_DOWN; 14");
    assert_route(p, "a", "d", "l bb; 11");
    assert_route(p, "d", "b", "bb b_DOWN; 12");
    assert_route(p, "c", "c", "l b_UP; 3");
    assert_route(p, "d", "d",
                 "test.xml: no route from host 'd' to host 'd': it has neither links nor latency");
    assert_route(
        p, "a", "c",
        "test.xml:2: no route from host 'a' to host 'c', from host 'a' to 'c' in zone 'z': one of them "
        "has a route to itself, but no <host_link>");
    platform_destroy(p);
}

static void vivaldi_adds_the_distance(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF(
        "Vivaldi",
        "<peer id=\"p\" coordinates=\"3 4 1\" speed=\"1Gf\" bw_in=\"1GBps\" bw_out=\"2GBps\"/>\n"
        "<peer id=\"q\" coordinates=\"0 0 -2\" speed=\"1Gf\" bw_in=\"3GBps\" bw_out=\"4GBps\" lat=\"7\"/>\n"
        "<host id=\"h\" speed=\"1Gf\" coordinates=\" 0 4  0.5 \"/>\n"
        "<host id=\"nowhere\" speed=\"1Gf\"/>\n"));
    assert_route(p, "p", "q", "link_p_UP link_q_DOWN; 8000000");
    assert_route(p, "p", "p", "link_p_UP link_p_DOWN; 2000000");
    assert_route(p, "h", "h", "; 1000000");
    assert_route(p, "p", "h", "link_p_UP; 4500000");
    assert_route(
        p, "p", "nowhere",
        "test.xml:2: no route from host 'p' to host 'nowhere', from host 'p' to 'nowhere' in zone 'z': one "
        "of them has no coordinates");
    uint32_t id = 0;
    assert_number(platform_link(p, id)->bandwidth, 2e9);
    assert_number(platform_link(p, id + 1)->bandwidth, 1e9);
    platform_destroy(p);
}

/* The gateway's place counts if a Vivaldi zone is one among others. */
static void vivaldi_within_others(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF(
        "Full",
        "<zone id=\"v\" routing=\"Vivaldi\">\n<peer id=\"p\" coordinates=\"0 0 1\" speed=\"1Gf\" "
        "bw_in=\"1GBps\" "
        "bw_out=\"2GBps\"/>\n<router id=\"r\" coordinates=\"3 0 0\"/></zone>\n"
        "<zone id=\"w\" routing=\"Full\">\n" HOST("h") "</zone>\n" LINK(
            "l", "1") "<zoneRoute src=\"v\" dst=\"w\" gw_src=\"r\" gw_dst=\"h\">" CTN("l") "</zoneRoute>\n"));
    assert_route(p, "p", "h", "link_p_UP l; 4000001");
    assert_route(p, "h", "p", "l link_p_DOWN; 4000001");
    platform_destroy(p);
}

static void zones_that_cannot_be_joined(void **state)
{
    (void)state;
    const char *routings[] = {"None", "Cluster", "Vivaldi"};
    for (int k = 0; k < 3; k++) {
        char file[1024];
        snprintf(file, sizeof file,
                 OPEN "<zone id=\"z\" routing=\"%s\">\n<zone id=\"u\" routing=\"None\">" HOST("a")
                     HOST("b") "</zone>\n<zone id=\"v\" routing=\"Full\">" HOST("c") "</zone></zone>\n" CLOSE,
                 routings[k]);
        struct platform *p = loaded(file);
        assert_route(
            p, "a", "c",
            "test.xml:2: no route from host 'a' to host 'c', from zone 'u' to 'v' in zone 'z': its routing "
            "has no routes between zones");
        assert_route(
            p, "a", "b",
            "test.xml:3: no route from host 'a' to host 'b', from host 'a' to 'b' in zone 'u': its routing "
            "is None");
        assert_route(p, "c", "c", "__loopback__; 0");
        platform_destroy(p);
    }
}

/* As in SimGrid, a missing route within a Full zone adds nothing as long as the whole route has something. */
static void full_gaps(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE_OF("Full", "<zone id=\"u\" routing=\"Full\">\n" HOST("a")
                                   HOST("b") "<router id=\"r\"/></zone>\n"
                                             "<zone id=\"v\" routing=\"Full\">\n" HOST("c") "</zone>\n" LINK(
                                                 "l", "1") "<zoneRoute src=\"u\" dst=\"v\" gw_src=\"r\" "
                                                           "gw_dst=\"c\">" CTN("l") "</zoneRoute>\n"));
    assert_route(p, "a", "c", "l; 1");
    assert_route(p, "a", "b",
                 "test.xml:3: no route from host 'a' to host 'b'; expected in zone 'u' a <route src=\"a\" "
                 "dst=\"b\">");
    platform_destroy(p);
}

/* --- bypasses ----------------------------------------------------------------------------------- */

static void bypass_within_a_zone(void **state)
{
    (void)state;
    struct platform *p = loaded(
        ZONE_OF("None", HOST("a") HOST("b") "<router id=\"r\"/>" LINK("1", "1")
                            LINK("2", "2") "<bypassRoute src=\"a\" dst=\"b\">" CTN("2")
                                CTN("1") "</bypassRoute>\n"
                                         "<bypassRoute src=\"a\" dst=\"a\">" CTN("1") "</bypassRoute>\n"));
    assert_route(p, "a", "b", "2 1; 3");
    assert_route(p, "a", "a", "1; 1");
    assert_route(
        p, "b", "a",
        "test.xml:2: no route from host 'b' to host 'a', from host 'b' to 'a' in zone 'z': its routing is "
        "None");
    platform_destroy(p);
}

#define INNER(id, a, link)                                                                                   \
    "<zone id=\"" id "\" routing=\"Full\">\n" HOST(a) "<router id=\"" a "r\"/>" LINK(link, "1")              \
        ROUTE(a, a "r", CTN(link)) "</zone>\n"

/* A bypass between inner zones takes precedence over one between
 * outer zones; from a gateway to itself the loopback is crossed. */
static void bypass_between_zones(void **state)
{
    (void)state;
    static const char before[] =
        OPEN "<zone id=\"z\" routing=\"Full\">\n<zone id=\"x\" routing=\"Full\">\n" INNER("x1", "a", "la")
            INNER("x2", "b", "lb")
                LINK("xx", "10") "<zoneRoute src=\"x1\" dst=\"x2\" gw_src=\"ar\" gw_dst=\"br\">" CTN(
                    "xx") "</zoneRoute></zone>\n"
                          "<zone id=\"y\" routing=\"Full\">\n" INNER("y1", "c", "lc") "</zone>\n" LINK(
                              "xy", "100") LINK("by", "1000")
                              LINK("deep", "5000") "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"ar\" "
                                                   "gw_dst=\"cr\">" CTN(
                                                       "xy") "</zoneRoute>\n"
                                                             "<bypassZoneRoute src=\"x\" dst=\"y\" "
                                                             "gw_src=\"b\" gw_dst=\"c\">" CTN(
                                                                 "by") "</bypassZoneRoute>\n"
                                                                       "<bypassASroute src=\"x1\" dst=\"y1\" "
                                                                       "gw_src=\"a\" gw_dst=\"cr\">" CTN(
                                                                           "deep") "</bypassASroute></"
                                                                                   "zone>\n" CLOSE;
    struct platform *p = loaded(before);
    assert_route(p, "a", "c", "__loopback__ deep lc; 5001");
    assert_route(p, "b", "c", "__loopback__ by __loopback__; 1000");
    assert_route(p, "c", "a", "lc xy la; 102");
    assert_route(p, "c", "b", "lc xy xx lb; 112");
    platform_destroy(p);
}

static void bypass_in_circles(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE_OF(
        "Full", INNER("u", "a", "la") INNER("v", "b", "lb")
                    LINK("l", "1") "<bypassZoneRoute src=\"u\" dst=\"v\" gw_src=\"b\" gw_dst=\"b\">" CTN(
                        "l") "</bypassZoneRoute>\n"
                             "<bypassZoneRoute src=\"v\" dst=\"u\" gw_src=\"a\" gw_dst=\"b\">" CTN(
                                 "l") "</bypassZoneRoute>\n"));
    assert_route(
        p, "a", "b",
        "test.xml:3: no route from host 'a' to host 'b', from host 'a' to 'b' in zone 'u': it is too long, "
        "or bypass routes form a cycle");
    platform_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floyd_takes_the_lowest_point_between),
        cmocka_unit_test(dijkstra_takes_the_point_named_first_and_turns_edges_round),
        cmocka_unit_test(one_way_edges_and_declared_loops),
        cmocka_unit_test(floyd_circle),
        cmocka_unit_test(graphs_of_zones_go_on_between_gateways),
        cmocka_unit_test(dijkstra_goes_in_front),
        cmocka_unit_test(cluster_host_links),
        cmocka_unit_test(vivaldi_adds_the_distance),
        cmocka_unit_test(vivaldi_within_others),
        cmocka_unit_test(zones_that_cannot_be_joined),
        cmocka_unit_test(full_gaps),
        cmocka_unit_test(bypass_within_a_zone),
        cmocka_unit_test(bypass_between_zones),
        cmocka_unit_test(bypass_in_circles),
    };
    return cmocka_run_group_tests_name("platform zones", tests, NULL, NULL);
}
