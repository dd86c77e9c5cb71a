/* SPDX-License-Identifier: BSD-3-Clause */
/* Routes worked out by hand from SimGrid's documentation of its platform files, zone kind by zone kind. */
#include "platform/check.h"

/* --- Full --------------------------------------------------------------------------------------- */

static void full_symmetrical_goes_back_in_reverse(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE("<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n"
                    "<link id=\"l1\" bandwidth=\"1GBps\" latency=\"10ns\"/>\n"
                    "<link id=\"l2\" bandwidth=\"1GBps\" latency=\"5ns\"/>\n"
                    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l1\"/><link_ctn id=\"l2\"/></route>\n"));
    assert_route(p, "a", "b", "l1 l2; 15");
    assert_route(p, "b", "a", "l2 l1; 15");
    assert_route(p, "a", "a", "__loopback__; 0");
    assert_int_equal(platform_link_count(p), 3);
    assert_number(platform_link(p, 2)->bandwidth, 10e9);
    assert_int_equal(platform_link(p, 2)->policy, PLATFORM_FATPIPE);
    platform_destroy(p);
}

static void full_one_way_has_no_way_back(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE("<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n"
                    "<link id=\"l1\" bandwidth=\"1GBps\" latency=\"10ns\"/>\n"
                    "<route src=\"a\" dst=\"b\" symmetrical=\"NO\"><link_ctn id=\"l1\"/></route>\n"));
    assert_route(p, "a", "b", "l1; 10");
    assert_route(p, "b", "a",
                 "test.xml:2: no route from host 'b' to host 'a'; expected in zone 'z' a <route src=\"b\" "
                 "dst=\"a\">");
    platform_destroy(p);
}

static void full_split_links_change_halves_on_the_way_back(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE("<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n"
                    "<link id=\"s\" bandwidth=\"1GBps\" latency=\"1ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"
                    "<link id=\"t\" bandwidth=\"1GBps\" latency=\"2ns\" sharing_policy=\"FULLDUPLEX\"/>\n"
                    "<route src=\"a\" dst=\"b\"><link_ctn id=\"s\" direction=\"UP\"/>"
                    "<link_ctn id=\"t\" direction=\"DOWN\"/><link_ctn id=\"s_UP\"/></route>\n"));
    assert_route(p, "a", "b", "s_UP t_DOWN s_UP; 4");
    assert_route(p, "b", "a", "s_UP t_UP s_DOWN; 4"); /* a half named by itself is the same both ways */
    assert_string_equal(platform_link(p, 0)->name, "s_UP");
    assert_string_equal(platform_link(p, 1)->name, "s_DOWN");
    assert_string_equal(platform_link(p, 3)->name, "t_DOWN");
    platform_destroy(p);
}

static void full_own_loopback_replaces_the_built_in_one(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE("<host id=\"a\" speed=\"1Gf\"/>\n"
                    "<link id=\"own\" bandwidth=\"1GBps\" latency=\"7ns\" sharing_policy=\"FATPIPE\"/>\n"
                    "<route src=\"a\" dst=\"a\"><link_ctn id=\"own\"/></route>\n"));
    assert_route(p, "a", "a", "own; 7");
    assert_int_equal(platform_link_count(p), 1);
    platform_destroy(p);
}

static void full_routes_may_start_at_routers(void **state)
{
    (void)state;
    struct platform *p =
        loaded(ZONE("<host id=\"a\" speed=\"1Gf\"/><router id=\"r\"/><host id=\"b\" speed=\"1Gf\"/>\n"
                    "<link id=\"l\" bandwidth=\"1GBps\"/>\n"
                    "<route src=\"a\" dst=\"r\"><link_ctn id=\"l\"/></route>\n"));
    assert_int_equal(platform_host_count(p), 2);
    assert_route(p, "a", "b",
                 "test.xml:2: no route from host 'a' to host 'b'; expected in zone 'z' a <route src=\"a\" "
                 "dst=\"b\">");
    assert_string_equal(route_text(p, "a", "r"), "no such host");
    platform_destroy(p);
}

/* --- zones in zones ----------------------------------------------------------------------------- */

/*  top: [ west: a, gw_w ] ==up== [ east: (inner1: b, gw_1) ==in== (inner2: c) ]   */
#define NESTED                                                                                               \
    OPEN "<zone id=\"top\" routing=\"Full\">\n"                                                              \
         "<zone id=\"west\" routing=\"full\">\n"                                                             \
         "<host id=\"a\" speed=\"1Gf\"/><router id=\"gw_w\"/><link id=\"la\" bandwidth=\"1GBps\" "           \
         "latency=\"1ns\"/>\n"                                                                               \
         "<route src=\"a\" dst=\"gw_w\"><link_ctn id=\"la\"/></route>\n</zone>\n"                            \
         "<zone id=\"east\" routing=\"Full\">\n"                                                             \
         "<zone id=\"inner1\" routing=\"Full\"><host id=\"b\" speed=\"1Gf\"/><router id=\"gw_1\"/>\n"        \
         "<link id=\"lb\" bandwidth=\"1GBps\" latency=\"2ns\"/>\n"                                           \
         "<route src=\"b\" dst=\"gw_1\"><link_ctn id=\"lb\"/></route></zone>\n"                              \
         "<zone id=\"inner2\" routing=\"Full\"><host id=\"c\" speed=\"1Gf\"/></zone>\n"                      \
         "<link id=\"in\" bandwidth=\"1GBps\" latency=\"4ns\" sharing_policy=\"SPLITDUPLEX\"/>\n"            \
         "<zoneRoute src=\"inner1\" dst=\"inner2\" gw_src=\"gw_1\" gw_dst=\"c\">"                            \
         "<link_ctn id=\"in\" direction=\"UP\"/></zoneRoute>\n</zone>\n"                                     \
         "<link id=\"up\" bandwidth=\"1GBps\" latency=\"8ns\"/>\n"                                           \
         "<zoneRoute src=\"west\" dst=\"east\" gw_src=\"gw_w\" gw_dst=\"b\"><link_ctn "                      \
         "id=\"up\"/></zoneRoute>\n"                                                                         \
         "</zone>\n" CLOSE

static void nested_zones_pass_through_gateways(void **state)
{
    (void)state;
    struct platform *p = loaded(NESTED);
    assert_route(p, "b", "c", "lb in_UP; 6");
    assert_route(p, "c", "b", "in_DOWN lb; 6");
    assert_route(p, "a", "b", "la up; 9"); /* b is the gateway */
    assert_route(p, "a", "c", "la up lb in_UP; 15");
    assert_route(p, "c", "a", "in_DOWN lb up la; 15");
    assert_route(p, "a", "a", "__loopback__; 0");
    platform_destroy(p);
}

static void nested_zones_without_zone_route(void **state)
{
    (void)state;
    struct platform *p =
        loaded(OPEN "<zone id=\"top\" routing=\"Full\">\n<zone id=\"u\" routing=\"Full\"><host id=\"a\" "
                    "speed=\"1Gf\"/></zone>\n<zone id=\"v\" routing=\"Full\"><host id=\"b\" "
                    "speed=\"1Gf\"/></zone>\n</zone>" CLOSE);
    assert_route(p, "a", "b",
                 "test.xml:2: no route from host 'a' to host 'b'; expected in zone 'top' a <zoneRoute "
                 "src=\"u\" dst=\"v\">");
    platform_destroy(p);
}

/* --- clusters ----------------------------------------------------------------------------------- */

#define CLUSTER(more)                                                                                        \
    OPEN "<cluster id=\"c\" prefix=\"n\" suffix=\".x\" radical=\"0-2,7\" speed=\"2Gf\" bw=\"1GBps\" "        \
         "lat=\"10ns\" " more "/>\n" CLOSE

static void cluster_crossbar(void **state)
{
    (void)state;
    struct platform *p = loaded(CLUSTER("core=\"4\""));
    assert_int_equal(platform_host_count(p), 4);
    assert_int_equal(platform_link_count(p), 8);
    assert_string_equal(platform_host(p, 3)->name, "n7.x");
    assert_int_equal(platform_host(p, 3)->cores, 4);
    assert_route(p, "n0.x", "n7.x", "c_link_0_UP c_link_7_DOWN; 20");
    assert_route(p, "n7.x", "n0.x", "c_link_7_UP c_link_0_DOWN; 20");
    assert_route(p, "n7.x", "n7.x", "c_link_7_UP c_link_7_DOWN; 20");
    platform_destroy(p);
}

static void cluster_with_everything(void **state)
{
    (void)state;
    struct platform *p = loaded(CLUSTER("bb_bw=\"2GBps\" bb_lat=\"5ns\" bb_sharing_policy=\"FATPIPE\" "
                                        "limiter_link=\"3GBps\" loopback_bw=\"4GBps\" loopback_lat=\"1ns\""));
    assert_int_equal(platform_link_count(p), 1 + 4 * 4);
    assert_string_equal(platform_link(p, 0)->name, "c_backbone");
    assert_int_equal(platform_link(p, 0)->policy, PLATFORM_FATPIPE);
    assert_string_equal(platform_link(p, 5)->name, "c_link_1_loopback");
    assert_int_equal(platform_link(p, 5)->policy, PLATFORM_FATPIPE);
    assert_number(platform_link(p, 6)->bandwidth, 3e9);
    assert_route(p, "n1.x", "n2.x",
                 "c_link_1_limiter c_link_1_UP c_backbone c_link_2_DOWN c_link_2_limiter; 25");
    assert_route(p, "n1.x", "n1.x", "c_link_1_loopback; 1");
    platform_destroy(p);
}

static void cluster_shared_links_cross_no_link_twice(void **state)
{
    (void)state;
    struct platform *p =
        loaded(CLUSTER("sharing_policy=\"SHARED\" bb_bw=\"2GBps\" bb_lat=\"5ns\" limiter_link=\"3GBps\""));
    assert_route(p, "n1.x", "n2.x", "c_link_1_limiter c_link_1 c_backbone c_link_2 c_link_2_limiter; 25");
    assert_route(p, "n1.x", "n1.x", "c_link_1_limiter c_link_1 c_backbone; 15");
    platform_destroy(p);
}

static void cluster_split_to_itself(void **state)
{
    (void)state;
    struct platform *p = loaded(CLUSTER("bb_bw=\"2GBps\" bb_lat=\"5ns\" limiter_link=\"3GBps\""));
    assert_route(p, "n1.x", "n1.x", "c_link_1_limiter c_link_1_UP c_backbone c_link_1_DOWN; 25");
    platform_destroy(p);
}

/* Two clusters and a zone of one host; the clusters' routers are their gateways. */
static void clusters_in_a_full_zone(void **state)
{
    (void)state;
    struct platform *p = loaded(
        OPEN
        "<zone id=\"top\" routing=\"Full\">\n"
        "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-9\" speed=\"1Gf\" bw=\"1GBps\" lat=\"10ns\" "
        "bb_bw=\"2GBps\" bb_lat=\"5ns\" limiter_link=\"1GBps\"/>\n"
        "<cluster id=\"d\" prefix=\"d\" suffix=\"\" radical=\"0-9\" speed=\"1Gf\" bw=\"1GBps\" lat=\"20ns\" "
        "router_id=\"door\"/>\n"
        "<zone id=\"one\" routing=\"Full\"><host id=\"h\" speed=\"1Gf\"/></zone>\n"
        "<link id=\"x\" bandwidth=\"1GBps\" latency=\"100ns\"/>\n"
        "<zoneRoute src=\"c\" dst=\"d\" gw_src=\"cc_router\" gw_dst=\"door\"><link_ctn id=\"x\"/>"
        "<link_ctn id=\"c_backbone\"/></zoneRoute>\n"
        "<zoneRoute src=\"d\" dst=\"one\" gw_src=\"d3\" gw_dst=\"h\"><link_ctn id=\"d_link_3\" "
        "direction=\"UP\"/>"
        "</zoneRoute>\n</zone>\n" CLOSE);
    assert_route(p, "c1", "d2", "c_link_1_limiter c_link_1_UP c_backbone x c_backbone d_link_2_DOWN; 140");
    assert_route(p, "d2", "c1", "d_link_2_UP c_backbone x c_backbone c_link_1_DOWN c_link_1_limiter; 140");
    assert_route(p, "d1", "h", "d_link_1_UP d_link_3_DOWN d_link_3_UP; 60");
    assert_route(p, "h", "d1", "d_link_3_DOWN d_link_3_UP d_link_1_DOWN; 60");
    assert_route(p, "d3", "h", "d_link_3_UP; 20");
    platform_destroy(p);
}

static void a_route_may_name_a_clusters_links(void **state)
{
    (void)state;
    struct platform *p = loaded(
        OPEN "<zone id=\"top\" routing=\"Full\">\n"
             "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"5,0-3\" speed=\"1Gf\" bw=\"1GBps\" "
             "lat=\"10ns\" "
             "limiter_link=\"1GBps\" loopback_bw=\"1GBps\"/>\n"
             "<cluster id=\"s\" prefix=\"s\" suffix=\"\" radical=\"0\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0\" "
             "sharing_policy=\"SHARED\"/>\n"
             "<zoneRoute src=\"c\" dst=\"s\" gw_src=\"c5\" gw_dst=\"s0\"><link_ctn id=\"c_link_5_limiter\"/>"
             "<link_ctn id=\"c_link_0_loopback\"/><link_ctn id=\"c_link_3_DOWN\"/>"
             "<link_ctn id=\"c_link_2\" direction=\"DOWN\"/><link_ctn "
             "id=\"s_link_0\"/></zoneRoute>\n</zone>\n" CLOSE);
    assert_route(p, "c5", "s0",
                 "c_link_5_limiter c_link_0_loopback c_link_3_DOWN c_link_2_DOWN s_link_0; 20");
    assert_route(p, "s0", "c5", "s_link_0 c_link_2_UP c_link_3_DOWN c_link_0_loopback c_link_5_limiter; 20");
    platform_destroy(p);
}

/* --- what else a file says ---------------------------------------------------------------------- */

static void properties_of_hosts_links_zones(void **state)
{
    (void)state;
    struct platform *p = loaded(
        OPEN
        "<zone id=\"top\" routing=\"Full\"><prop id=\"room\" value=\"12\"/>\n"
        "<zone id=\"z\" routing=\"Full\"><host id=\"h\" speed=\"1Gf\"><prop id=\"b\" value=\"2\"/>"
        "<prop id=\"a\" value=\"1 &amp; &lt;\"/></host>\n"
        "<link id=\"l\" bandwidth=\"1Bps\" sharing_policy=\"SPLITDUPLEX\"><prop id=\"k\" "
        "value=\"v\"/></link></zone>\n"
        "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0\">"
        "<prop id=\"rack\" value=\"r1\"/></cluster>\n</zone>" CLOSE);
    uint32_t h, c1;
    assert_int_equal(platform_host_find(p, "h", &h) | platform_host_find(p, "c1", &c1), 0);
    assert_string_equal(platform_host_property(p, h, "a"), "1 & <");
    assert_string_equal(platform_host_property(p, h, "b"), "2");
    assert_null(platform_host_property(p, h, "c"));
    assert_string_equal(platform_host_property(p, c1, "rack"), "r1");
    assert_string_equal(platform_link_property(p, 1, "k"), "v");
    assert_string_equal(platform_link_property(p, 0, "k"), "v");
    assert_string_equal(platform_zone_property(p, "top", "room"), "12");
    assert_null(platform_zone_property(p, "h", "a"));
    platform_destroy(p);
}

static void speed_is_that_of_the_initial_pstate(void **state)
{
    (void)state;
    struct platform *p = loaded(ZONE("<host id=\"a\" speed=\"3Gf, 2Gf,1Gf\"/>\n"
                                     "<host id=\"b\" speed=\"3Gf,2Gf,1Gf\" pstate=\"2\" core=\"2\"/>\n"));
    assert_number(platform_host(p, 0)->speed, 3e9);
    assert_number(platform_host(p, 1)->speed, 1e9);
    assert_int_equal(platform_host(p, 1)->cores, 2);
    platform_destroy(p);
}

static void config_reaches_the_settings(void **state)
{
    (void)state;
    static const struct base_setting table[] = {{"a/size", BASE_SIZE, "1KiB", "0 to 1GiB", "", ""}};
    static const char text[] =
        OPEN "<config id=\"General\"><prop id=\"a/size\" value=\"2KiB\"/></config>\n"
             "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/></zone>" CLOSE;
    struct base_settings *s = base_settings_create();
    struct platform *p;
    struct base_status st;
    base_settings_declare(s, table, 1);
    assert_int_equal(platform_load_text(&p, text, strlen(text), "t", s, &st), 0);
    assert_int_equal(base_settings_count(s, "a/size"), 2048);
    assert_false(base_settings_is_default(s, "a/size"));
    platform_destroy(p);
    base_settings_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_symmetrical_goes_back_in_reverse),
        cmocka_unit_test(full_one_way_has_no_way_back),
        cmocka_unit_test(full_split_links_change_halves_on_the_way_back),
        cmocka_unit_test(full_own_loopback_replaces_the_built_in_one),
        cmocka_unit_test(full_routes_may_start_at_routers),
        cmocka_unit_test(nested_zones_pass_through_gateways),
        cmocka_unit_test(nested_zones_without_zone_route),
        cmocka_unit_test(cluster_crossbar),
        cmocka_unit_test(cluster_with_everything),
        cmocka_unit_test(cluster_shared_links_cross_no_link_twice),
        cmocka_unit_test(cluster_split_to_itself),
        cmocka_unit_test(clusters_in_a_full_zone),
        cmocka_unit_test(a_route_may_name_a_clusters_links),
        cmocka_unit_test(properties_of_hosts_links_zones),
        cmocka_unit_test(speed_is_that_of_the_initial_pstate),
        cmocka_unit_test(config_reaches_the_settings),
    };
    return cmocka_run_group_tests_name("platform routes", tests, NULL, NULL);
}
