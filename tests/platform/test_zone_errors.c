/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the reports about Floyd, Dijkstra, Cluster, Vivaldi and None zones, and about bypasses. */
#include "platform/check.h"

#define HOST(name)             "<host id=\"" name "\" speed=\"1Gf\"/>\n"
#define LINK(name, latency)    "<link id=\"" name "\" bandwidth=\"1GBps\" latency=\"" latency "ns\"/>\n"
#define CTN(name)              "<link_ctn id=\"" name "\"/>"
#define ROUTE(a, b, links)     "<route src=\"" a "\" dst=\"" b "\">" links "</route>\n"
#define ZONE_OF(routing, text) OPEN "<zone id=\"z\" routing=\"" routing "\">\n" text "</zone>\n" CLOSE

#define PEER(attributes)   "<peer id=\"p\" speed=\"1Gf\" bw_in=\"1GBps\" bw_out=\"1GBps\" " attributes "/>\n"
#define TWO(routing, text) ZONE_OF(routing, HOST("a") HOST("b") LINK("l", "1") text)
#define ZONES(text)                                                                                          \
    ZONE_OF("Full",                                                                                          \
            "<zone id=\"u\" routing=\"Full\">" HOST("a") "</zone>\n<zone id=\"v\" routing=\"Full\">" HOST(   \
                "b") LINK("l", "1") text "</zone>\n")

static const struct {
    const char *text, *report;
} wrong[] = {
    {TWO("Full", "<host_link id=\"a\" up=\"l\" down=\"l\"/>"),
     "t.xml:6: <host_link id=\"a\">: zone 'z' has routing Full; expected routing Cluster"},
    {TWO("Vivaldi", "<host_link id=\"a\" up=\"l\" down=\"l\"/>"),
     "t.xml:6: <host_link id=\"a\">: zone 'z' has routing Vivaldi; expected routing Cluster"},
    {TWO("Cluster", "<host_link id=\"c\" up=\"l\" down=\"l\"/>"),
     "t.xml:6: <host_link id=\"c\">: no host has this name"},
    {TWO("Cluster", "<host_link id=\"a\" up=\"l\" down=\"m\"/>"),
     "t.xml:6: <host_link down=\"m\">: no link has this name"},
    {TWO("Cluster", "<link id=\"s\" bandwidth=\"1Bps\" sharing_policy=\"SPLITDUPLEX\"/>\n<host_link id=\"a\" "
                    "up=\"s\" down=\"l\"/>"),
     "t.xml:7: <host_link up=\"s\">: a SPLITDUPLEX link; expected s_UP or s_DOWN"},
    {ZONE_OF("Full",
             "<zone id=\"u\" routing=\"Full\">" HOST("a") "</zone>\n<zone id=\"v\" routing=\"Cluster\">" LINK(
                 "l", "1") "<host_link id=\"a\" up=\"l\" down=\"l\"/></zone>\n"),
     "t.xml:6: <host_link id=\"a\">: the host lies in zone 'u'; expected one of zone 'v'"},
    {TWO("Cluster", ROUTE("a", "b", CTN("l"))), "t.xml:6: <route>: zone 'z' has routing Cluster, where "
                                                "routes are computed; expected a <route> from a host "
                                                "to itself"},
    {TWO("Vivaldi", ROUTE("a", "b", CTN("l"))), "t.xml:6: <route>: zone 'z' has routing Vivaldi, where "
                                                "routes are computed; expected a <route> from a host "
                                                "to itself"},
    {TWO("None", ROUTE("a", "b", CTN("l"))),
     "t.xml:6: <route>: zone 'z' has routing None, which takes no routes"},
    {TWO("Cluster", "<backbone id=\"b1\" bandwidth=\"1Bps\" latency=\"0\"/>\n<backbone id=\"b2\" "
                    "bandwidth=\"1Bps\" latency=\"0\"/>"),
     "t.xml:7: <backbone id=\"b2\">: a second backbone; the first is at line 6"},
    {TWO("Cluster", "<backbone id=\"l\" bandwidth=\"1Bps\" latency=\"0\"/>"),
     "t.xml:6: <backbone id=\"l\">: the name 'l' is already that of the link declared at line 5"},
    {TWO("Floyd", "<backbone id=\"k\" bandwidth=\"1Bps\" latency=\"0\"/>"),
     "t.xml:6: <backbone id=\"k\">: zone 'z' has routing Floyd; expected routing Cluster"},
    {TWO("Cluster", "<backbone id=\"k\" bandwidth=\"0\" latency=\"0\"/>"),
     "t.xml:6: <backbone bandwidth=\"0\">: '0' is out of range; expected 1e-3Bps to 1e21Bps"},
    {TWO("Floyd", ROUTE("a", "a", CTN("l"))),
     "t.xml:6: <route>: a symmetrical route from 'a' to itself; expected symmetrical=\"NO\""},
    {TWO("Dijkstra", ROUTE("a", "b", CTN("l")) ROUTE("b", "a", CTN("l"))),
     "t.xml:7: a second route from 'a' to 'b'; the first is at line 6 (routes are symmetrical unless "
     "symmetrical=\"NO\")"},
    {TWO("Full", PEER("")), "t.xml:6: <peer id=\"p\">: zone 'z' has routing Full; expected routing Vivaldi"},
    {ZONE_OF("Vivaldi", PEER("") PEER("")),
     "t.xml:4: <peer id=\"p\">: the name 'p' is already that of the host declared at line 3"},
    {ZONE_OF("Vivaldi", LINK("link_p_DOWN", "1") PEER("")),
     "t.xml:4: <peer id=\"p\">: the name 'link_p_DOWN' is already that of the link declared at line 3"},
    {ZONE_OF("Vivaldi", PEER("coordinates=\"1 2\"")),
     "t.xml:3: <peer coordinates=\"1 2\">: expected three coordinates such as \"25.5 9.4 1.4\", each -1e12 "
     "to 1e12"},
    {ZONE_OF("Vivaldi", PEER("coordinates=\"1 2 3 4\"")),
     "t.xml:3: <peer coordinates=\"1 2 3 4\">: expected three coordinates such as \"25.5 9.4 1.4\", each "
     "-1e12 to 1e12"},
    {ZONE_OF("Full", "<host id=\"a\" speed=\"1f\" coordinates=\"1 x 3\"/>"),
     "t.xml:3: <host coordinates=\"1 x 3\">: expected three coordinates such as \"25.5 9.4 1.4\", each -1e12 "
     "to 1e12"},
    {ZONE_OF("Full", "<router id=\"a\" coordinates=\"1 2 nan\"/>"),
     "t.xml:3: <router coordinates=\"1 2 nan\">: expected three coordinates such as \"25.5 9.4 1.4\", each "
     "-1e12 to 1e12"},
    {OPEN PEER("") CLOSE, "t.xml:2: <peer> is not allowed in <platform>"},
    {TWO("Full", "<bypassRoute src=\"a\" dst=\"c\">" CTN("l") "</bypassRoute>"),
     "t.xml:6: <bypassRoute dst=\"c\">: no host, router or zone above has this name"},
    {TWO("Full", "<bypassRoute src=\"a\" dst=\"z\">" CTN("l") "</bypassRoute>"),
     "t.xml:6: <bypassRoute>: 'z' is a zone; expected a host or router here, or <bypassZoneRoute> between "
     "zones"},
    {TWO("Full", "<bypassRoute src=\"a\" dst=\"b\"/>"),
     "t.xml:6: <bypassRoute>: a route without links; expected at least one <link_ctn>"},
    {TWO("Full", "<bypassRoute src=\"a\" dst=\"b\">" CTN("l") "</bypassRoute>\n<bypassRoute src=\"a\" "
                                                              "dst=\"b\">" CTN("l") "</bypassRoute>"),
     "t.xml:7: a second bypass route from 'a' to 'b'; the first is at line 6"},
    {TWO("Full",
         "<bypassZoneRoute src=\"a\" dst=\"b\" gw_src=\"a\" gw_dst=\"b\">" CTN("l") "</bypassZoneRoute>"),
     "t.xml:6: <bypassZoneRoute>: 'a' is a host; expected a zone here, or <bypassRoute> between hosts and "
     "routers"},
    {ZONES("<bypassRoute src=\"a\" dst=\"b\">" CTN("l") "</bypassRoute>"),
     "t.xml:7: <bypassRoute>: host 'a' does not lie directly in zone 'v'"},
    {ZONES("<bypassZoneRoute src=\"u\" dst=\"v\" gw_src=\"a\" gw_dst=\"b\">" CTN("l") "</bypassZoneRoute>"),
     "t.xml:7: <bypassZoneRoute>: zone 'u' does not lie inside zone 'v'"},
    {ZONE_OF("Full",
             "<zone id=\"u\" routing=\"Full\">" HOST("a") "</zone>\n<zone id=\"v\" routing=\"Full\">" HOST(
                 "b") "</zone>\n" LINK("l", "1") "<bypassZoneRoute src=\"u\" dst=\"v\" gw_src=\"u\" "
                                                 "gw_dst=\"b\">" CTN("l") "</bypassZoneRoute>"),
     "t.xml:8: <bypassZoneRoute>: gateway 'u' is a zone; expected a host or router"},
    {ZONE_OF("Full",
             "<zone id=\"u\" routing=\"Cluster\">" LINK("l", "1") HOST("a") "<route src=\"a\" dst=\"a\"/>"
                                                                            "</zone>\n"),
     "t.xml:5: <route>: a route without links; expected at least one <link_ctn>"},
};

static void reports(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct platform *p = NULL;
        struct base_status st = {""};
        int rc = platform_load_text(&p, wrong[k].text, strlen(wrong[k].text), "t.xml", NULL, &st);
        if (rc != -1 || strcmp(st.text, wrong[k].report))
            fail_msg("case %zu: %s\n   got (%d): %s\nwanted    : %s", k, wrong[k].text, rc, st.text,
                     wrong[k].report);
    }
}

static void many_links_to_itself(void **state)
{
    (void)state;
    char *text;
    size_t size;
    struct platform *p = NULL;
    struct base_status st;
    FILE *xml = open_memstream(&text, &size);
    fputs(OPEN "<zone id=\"z\" routing=\"Cluster\">\n" HOST("a") LINK("l", "1") "<route src=\"a\" dst=\"a\">",
          xml);
    for (int k = 0; k < 1025; k++)
        fputs(CTN("l"), xml);
    fputs("</route></zone>" CLOSE, xml);
    fclose(xml);
    assert_int_equal(platform_load_text(&p, text, size, "t.xml", NULL, &st), -1);
    assert_string_equal(st.text, "t.xml:5: <route>: a route from 'a' to itself over more than 1024 links");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports),
        cmocka_unit_test(many_links_to_itself),
    };
    return cmocka_run_group_tests_name("platform zone errors", tests, NULL, NULL);
}
