/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way in which a platform file can be wrong, with the whole text of its report. */
#include "platform/check.h"

#define HOST(name) "<host id=\"" name "\" speed=\"1Gf\"/>"
#define LINK(name) "<link id=\"" name "\" bandwidth=\"1GBps\"/>"
#define CTN(name)  "<link_ctn id=\"" name "\"/>"
#define CLUSTER(attributes)                                                                                  \
    OPEN "<cluster prefix=\"n\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" " attributes "/>" CLOSE

struct wrong {
    const char *text, *report;
};

static const struct wrong xml[] = {
    {"", "t.xml:1: malformed XML: no element found"},
    {OPEN "<zone id=\"z\" routing=\"Full\">\n</platform>", "t.xml:3: malformed XML: mismatched tag"},
    {OPEN "<zone id=z/>", "t.xml:2: malformed XML: not well-formed (invalid token)"},
    {OPEN "<zone id=\"z\" routing=\"Full\">", "t.xml:2: malformed XML: no element found"},
    {"<zone id=\"z\" routing=\"Full\"/>",
     "t.xml:1: <zone> outside <platform>; expected <platform version=\"4.1\">"},
    {ZONE("hello\n"), "t.xml:3: text between tags; expected only tags"},
    {ZONE("<hst/>\n"), "t.xml:3: unknown tag <hst>; expected one of SimGrid's DTD 4.1"},
    {ZONE("\n<host id=\"a\" speed=\"1f\" cores=\"2\"/>"),
     "t.xml:4: <host> has no attribute cores in DTD 4.1"},
    {ZONE("<host id=\"a\"/>"), "t.xml:3: <host> without speed; expected speed=\"...\""},
    {ZONE("<link_ctn id=\"a\"/>"), "t.xml:3: <link_ctn> is not allowed in <zone>"},
    {ZONE("<host id=\"a\" speed=\"1f\"><host id=\"b\" speed=\"1f\"/></host>"),
     "t.xml:3: <host> is not allowed in <host>"},
    {OPEN "<link id=\"l\" bandwidth=\"1Bps\"/>" CLOSE, "t.xml:2: <link> is not allowed in <platform>"},
    {"<platform/>", "t.xml:1: <platform version=\"0.0\">: too old; expected 4.1 (simgrid_update_xml brings a "
                    "file up to date)"},
    {"<platform version=\"3\"/>", "t.xml:1: <platform version=\"3\">: too old; expected 4.1 "
                                  "(simgrid_update_xml brings a file up to date)"},
    {"<platform version=\"4.2\"/>", "t.xml:1: <platform version=\"4.2\">: unknown; expected 4.1"},
    {"<platform version=\"new\"/>", "t.xml:1: <platform version=\"new\">: 'new' is not a number"},
    {"<platform version=\"4.1\"/>", "t.xml:1: <platform>: empty; expected a <zone> or a <cluster> in it"},
    {ZONE(""), "t.xml:2: the platform has no host"},
};

static const struct wrong entities[] = {
    {"<!DOCTYPE platform [<!ENTITY a \"b\">\n]>" ZONE(HOST("a")),
     "t.xml:1: the entity 'a' is declared; expected no entities"},
    {"<!DOCTYPE platform [\n<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]>" ZONE(HOST("a")),
     "t.xml:2: the entity 'a' is declared; expected no entities"},
    {"<!DOCTYPE platform [\n<!ENTITY a \"0000000000\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>" ZONE(
         ""),
     "t.xml:2: the entity 'a' is declared; expected no entities"},
    {"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" ZONE("&who;"),
     "t.xml:4: a reference to the entity 'who'; expected none"},
    {"<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" ZONE(HOST("a&who;")),
     "t.xml:4: a reference to an entity; expected only XML's own five"},
    {ZONE("&who;"), "t.xml:3: malformed XML: undefined entity"},
};

static const struct wrong names[] = {
    {ZONE(HOST("a") "\n" HOST("a")),
     "t.xml:4: <host id=\"a\">: the name 'a' is already that of the host declared at line 3"},
    {ZONE(HOST("z")),
     "t.xml:3: <host id=\"z\">: the name 'z' is already that of the zone declared at line 2"},
    {ZONE(HOST("a") "\n\n<router id=\"a\"/>"),
     "t.xml:5: <router id=\"a\">: the name 'a' is already that of the host declared at line 3"},
    {OPEN "<zone id=\"z\" routing=\"Full\">\n<zone id=\"z\" routing=\"Full\"/></zone>" CLOSE,
     "t.xml:3: <zone id=\"z\">: the name 'z' is already that of the zone declared at line 2"},
    {ZONE(LINK("l") "\n" LINK("l")),
     "t.xml:4: <link id=\"l\">: the name 'l' is already that of the link declared at line 3"},
    {ZONE(LINK("l_DOWN") "\n<link id=\"l\" bandwidth=\"1Bps\" sharing_policy=\"SPLITDUPLEX\"/>"),
     "t.xml:4: <link id=\"l\">: the name 'l_DOWN' is already that of the link declared at line 3"},
    {ZONE(LINK("__loopback__")), "t.xml:3: <link id=\"__loopback__\">: the name '__loopback__' is reserved"},
    {ZONE(HOST("")), "t.xml:3: <host id=\"\">: an empty name; expected the name of a host"},
    {ZONE(LINK("")), "t.xml:3: <link id=\"\">: an empty name; expected the name of a link"},
    {OPEN "<zone id=\"z\" routing=\"Full\">" HOST("a") "\n<zone id=\"y\" routing=\"Full\"/></zone>" CLOSE,
     "t.xml:3: <zone id=\"y\">: zone 'z' holds hosts or routers; expected no zone in it (DTD 4.1)"},
    {OPEN "<zone id=\"z\" routing=\"Full\"><zone id=\"y\" routing=\"Full\"/>\n" HOST("a") "</zone>" CLOSE,
     "t.xml:3: <host id=\"a\">: zone 'z' holds zones; expected no host in it (DTD 4.1)"},
    {OPEN
     "<zone id=\"z\" routing=\"Full\"><zone id=\"y\" routing=\"Full\"/>\n<router id=\"a\"/></zone>" CLOSE,
     "t.xml:3: <router id=\"a\">: zone 'z' holds zones; expected no router in it (DTD 4.1)"},
    {OPEN "<zone id=\"z\" routing=\"Full\"/>\n<zone id=\"y\" routing=\"Full\"/>" CLOSE,
     "t.xml:3: <zone id=\"y\">: a second zone at the top; expected one zone that holds all others"},
    {ZONE("<host id=\"a\" speed=\"1f\"><prop id=\"k\" value=\"1\"/>\n<prop id=\"k\" value=\"2\"/></host>"),
     "t.xml:4: the property 'k' was already given at line 3"},
};

static const struct wrong values[] = {
    {ZONE("<host id=\"a\" speed=\"1Gx\"/>"),
     "t.xml:3: <host speed=\"1Gx\">: '1Gx' has the unknown unit 'Gx'; "
     "expected a speed such as 2.5Gf or 100Mf"},
    {ZONE("<host id=\"a\" speed=\"fast\"/>"), "t.xml:3: <host speed=\"fast\">: 'fast' is not a number with a "
                                              "unit; expected a speed such as 2.5Gf or 100Mf"},
    {ZONE("<host id=\"a\" speed=\"0f\"/>"),
     "t.xml:3: <host speed=\"0f\">: '0f' is out of range; expected 1e-3f to 1e30f"},
    {ZONE("<host id=\"a\" speed=\"1e-305\"/>"),
     "t.xml:3: <host speed=\"1e-305\">: '1e-305' is out of range; expected 1e-3f to 1e30f"},
    {ZONE("<link id=\"a\" bandwidth=\"1e-300\"/>"),
     "t.xml:3: <link bandwidth=\"1e-300\">: '1e-300' is out of range; expected 1e-3Bps to 1e21Bps"},
    {ZONE("<link id=\"a\" bandwidth=\"1\" latency=\"1e308\"/>"),
     "t.xml:3: <link latency=\"1e308\">: '1e308' is out of range; expected 0 to 1e12s"},
    {ZONE("<host id=\"a\" speed=\"1f,2f\" pstate=\"2\"/>"),
     "t.xml:3: <host pstate=\"2\">: expected the number of one of the speeds, from 0"},
    {ZONE("<host id=\"a\" speed=\"1f\" pstate=\"x\"/>"),
     "t.xml:3: <host pstate=\"x\">: 'x' is not a number; expected a whole number, 0 or more"},
    {ZONE("<host id=\"a\" speed=\"1f\" core=\"0\"/>"),
     "t.xml:3: <host core=\"0\">: expected 1 to 1048576 cores"},
    {ZONE("<host id=\"a\" speed=\"1f\" core=\"two\"/>"),
     "t.xml:3: <host core=\"two\">: 'two' is not a number; expected a whole number, 0 or more"},
    {ZONE("<link id=\"a\" bandwidth=\"1Gb\"/>"),
     "t.xml:3: <link bandwidth=\"1Gb\">: '1Gb' has the unknown unit "
     "'Gb'; expected a bandwidth such as 100Gbps, 125MBps or 1MiBps"},
    {ZONE("<link id=\"a\" bandwidth=\"0Bps\"/>"),
     "t.xml:3: <link bandwidth=\"0Bps\">: '0Bps' is out of range; expected 1e-3Bps to 1e21Bps"},
    {ZONE("<link id=\"a\" bandwidth=\"1Bps\" latency=\"1x\"/>"),
     "t.xml:3: <link latency=\"1x\">: '1x' has the unknown unit 'x'; expected a time such as 2.5us (w d h m "
     "s ms "
     "us ns ps)"},
    {ZONE("<link id=\"a\" bandwidth=\"1Bps\" latency=\"-1s\"/>"),
     "t.xml:3: <link latency=\"-1s\">: '-1s' is negative; expected a time such as 2.5us (w d h m s ms us ns "
     "ps)"},
    {ZONE("<link id=\"a\" bandwidth=\"1Bps\" sharing_policy=\"shared\"/>"),
     "t.xml:3: <link sharing_policy=\"shared\">: expected one of SHARED, SPLITDUPLEX, FATPIPE, FULLDUPLEX"},
    {OPEN "<zone id=\"z\" routing=\"Ful\"/>" CLOSE, "t.xml:2: <zone routing=\"Ful\">: unknown; expected "
                                                    "Full, Floyd, Dijkstra, DijkstraCache, Cluster, Vivaldi "
                                                    "or None"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0-\""),
     "t.xml:2: <cluster id=\"c\">: the radical '0-' is not a list "
     "of numbers; expected numbers and ranges, such as 0-15,20,32-39"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"\""),
     "t.xml:2: <cluster id=\"c\">: the radical '' is not a list of "
     "numbers; expected numbers and ranges, such as 0-15,20,32-39"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"1,\""),
     "t.xml:2: <cluster id=\"c\">: the radical '1,' is not a list "
     "of numbers; expected numbers and ranges, such as 0-15,20,32-39"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"3-2\""),
     "t.xml:2: <cluster id=\"c\">: the radical '3-2' is not a "
     "list of numbers; expected numbers and ranges, such as 0-15,20,32-39"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0-2147483647\""),
     "t.xml:2: <cluster id=\"c\">: the radical '0-2147483647' makes more than 16777216 hosts"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0-2147483648\""),
     "t.xml:2: <cluster id=\"c\">: the radical '0-2147483648' is not a list of numbers; expected numbers and "
     "ranges, such as 0-15,20,32-39"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0-3,2\""),
     "t.xml:2: <cluster id=\"c\">: the name 'n2' is already that of the host declared at line 2"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0\" bb_lat=\"1us\""),
     "t.xml:2: <cluster id=\"c\">: a bb_lat without bb_bw; expected the backbone's bandwidth as well"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0\" loopback_lat=\"1us\""),
     "t.xml:2: <cluster id=\"c\">: a loopback_lat without loopback_bw; expected the loopback's bandwidth as "
     "well"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0\" bb_sharing_policy=\"SPLITDUPLEX\""),
     "t.xml:2: <cluster bb_sharing_policy=\"SPLITDUPLEX\">: expected one of SHARED, FATPIPE"},
    {CLUSTER("id=\"c\" lat=\"0\" radical=\"0\" router_id=\"n0\""),
     "t.xml:2: <cluster id=\"c\">: the name 'n0' is already that of the host declared at line 2"},
};

#define TWO                                                                                                  \
    HOST("a") HOST("b") LINK("l") "<link id=\"s\" bandwidth=\"1Bps\" sharing_policy=\"SPLITDUPLEX\"/>\n"
#define PAIR                                                                                                 \
    OPEN "<zone id=\"t\" routing=\"Full\">" LINK("l") "<zone id=\"u\" routing=\"Full\">" HOST("a")           \
        HOST("a2") "</zone><zone id=\"v\" routing=\"Full\">" HOST("b") "</zone>\n"

static const struct wrong routes[] = {
    {ZONE(TWO "<route src=\"a\" dst=\"c\">" CTN("l") "</route>"),
     "t.xml:4: <route dst=\"c\">: no host, router or zone above has this name"},
    {ZONE(TWO "<route src=\"a\" dst=\"z\">" CTN("l") "</route>"),
     "t.xml:4: <route>: 'z' is a zone; expected a host or router here, or <zoneRoute> between zones"},
    {ZONE(TWO "<route src=\"a\" dst=\"b\"/>"),
     "t.xml:4: <route>: a route without links; expected at least one <link_ctn>"},
    {ZONE(TWO "<route src=\"a\" dst=\"b\">\n" CTN("m") "</route>"),
     "t.xml:5: <link_ctn id=\"m\">: no link above has this name"},
    {ZONE(TWO "<route src=\"a\" dst=\"b\">" CTN("s") "</route>"),
     "t.xml:4: <link_ctn id=\"s\">: a SPLITDUPLEX link; expected direction=\"UP\" or direction=\"DOWN\""},
    {ZONE(TWO "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\" direction=\"UP\"/></route>"),
     "t.xml:4: <link_ctn direction=\"UP\">: expected NONE: the link is not SPLITDUPLEX"},
    {ZONE(TWO "<route src=\"a\" dst=\"b\"><link_ctn id=\"s\" direction=\"LEFT\"/></route>"),
     "t.xml:4: <link_ctn direction=\"LEFT\">: expected one of NONE, UP, DOWN"},
    {ZONE(TWO "<route src=\"a\" dst=\"b\" symmetrical=\"maybe\">" CTN("l") "</route>"),
     "t.xml:4: <route symmetrical=\"maybe\">: expected one of YES, NO, yes, no"},
    {ZONE(TWO
          "<route src=\"a\" dst=\"b\">" CTN("l") "</route>\n<route src=\"b\" dst=\"a\">" CTN("l") "</route>"),
     "t.xml:5: a second route from 'a' to 'b'; the first is at line 4 (routes are symmetrical unless "
     "symmetrical=\"NO\")"},
    {PAIR "<route src=\"a\" dst=\"b\">" CTN("l") "</route></zone>" CLOSE,
     "t.xml:3: <route>: host 'a' lies in zone 'u'; expected one directly in zone 't'"},
    {PAIR "<zoneRoute src=\"u\" dst=\"b\" gw_src=\"a\" gw_dst=\"b\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute>: 'b' is a host; expected a zone here, or <route> between hosts and routers"},
    {PAIR "<zoneRoute src=\"u\" dst=\"t\" gw_src=\"a\" gw_dst=\"b\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute>: zone 't' lies in zone '(none)'; expected one directly in zone 't'"},
    {PAIR "<zoneRoute src=\"u\" dst=\"v\" gw_src=\"a\" gw_dst=\"a2\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute>: gateway 'a2' lies in zone 'u'; expected one inside zone 'v'"},
    {PAIR "<zoneRoute src=\"u\" dst=\"v\" gw_src=\"u\" gw_dst=\"b\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute>: gateway 'u' is a zone; expected a host or router"},
    {PAIR "<zoneRoute src=\"u\" dst=\"u\" gw_src=\"a\" gw_dst=\"a2\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute>: a route from zone 'u' to itself; expected two zones"},
    {PAIR "<zoneRoute src=\"u\" dst=\"v\" gw_src=\"a\">" CTN("l") "</zoneRoute></zone>" CLOSE,
     "t.xml:3: <zoneRoute> without gw_dst; expected gw_dst=\"...\""},
    {OPEN
     "<zone id=\"t\" routing=\"Full\">\n<link id=\"c_link_2_UP\" bandwidth=\"1Bps\"/>\n<cluster id=\"c\" "
     "prefix=\"n\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"0\" radical=\"0-2\"/></zone>" CLOSE,
     "t.xml:4: <cluster id=\"c\">: the cluster's link 'c_link_2_UP' has the name of the link declared at "
     "line 3"},
    {OPEN "<zone id=\"t\" routing=\"Full\">\n<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"1Gf\" "
          "bw=\"1GBps\" lat=\"0\" radical=\"0-2\"/>\n<link id=\"c_link_2\" bandwidth=\"1Bps\"/></zone>" CLOSE,
     "t.xml:4: <link id=\"c_link_2\">: the name 'c_link_2' is already that of a cluster's link"},
};

static const struct wrong unmodelled[] = {
    {OPEN "<zone id=\"z\" routing=\"wifi\"/>" CLOSE,
     "t.xml:2: <zone routing=\"wifi\">: wireless networks are not modelled"},
    {ZONE("<link id=\"a\" bandwidth=\"1Bps\" sharing_policy=\"WIFI\"/>"),
     "t.xml:3: <link sharing_policy=\"WIFI\"> is not modelled yet"},
    {OPEN "<include file=\"x\"/>" CLOSE,
     "t.xml:2: <include file=\"x\"> was removed from SimGrid's platforms; expected it to be left out"},
    {OPEN "<config><prop id=\"smpi/host-speed\" value=\"1Gf\"/></config>" CLOSE,
     "t.xml:2: <config> with <prop id=\"smpi/host-speed\" value=\"1Gf\">: SimGrid's key "
     "smpi/host-speed is not modelled"},
    {OPEN "<config><prop id=\"cpu/optim\" value=\"TI\"/><prop id=\"host/model\" value=\"ptask_L07\"/>" CLOSE,
     "t.xml:2: <config> with <prop id=\"host/model\" value=\"ptask_L07\">: host/model 'ptask_L07' is not "
     "modelled; expected default or compound"},
    {OPEN "<config><prop id=\"rdma/gop\" value=\"1ns\"/></config>" CLOSE,
     "t.xml:2: <config> with <prop id=\"rdma/gop\" value=\"1ns\">: unknown setting 'rdma/gop'; the nearest "
     "known "
     "one is rdma/gap"},
    {OPEN "<config><prop id=\"rdma/gap\" value=\"1xs\"/></config>" CLOSE,
     "t.xml:2: <config> with <prop id=\"rdma/gap\" value=\"1xs\">: setting rdma/gap: '1xs' has the unknown "
     "unit "
     "'xs'; expected a time such as 2.5us (w d h m s ms us ns ps)"},
};

static void expect(const struct wrong *list, size_t n)
{
    static const struct base_setting table[] = {{"rdma/gap", BASE_TIME, "5ns", BASE_TIMES, "", ""}};
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, table, 1);
    for (size_t k = 0; k < n; k++) {
        struct platform *p = (void *)&table;
        struct base_status st = {""};
        int rc = platform_load_text(&p, list[k].text, strlen(list[k].text), "t.xml", s, &st);
        if (rc != -1 || strcmp(st.text, list[k].report))
            fail_msg("case %zu: %s\n   got (%d): %s\nwanted    : %s", k, list[k].text, rc, st.text,
                     list[k].report);
        assert_ptr_equal(p, &table); /* B2: untouched */
    }
    base_settings_destroy(s);
}

#define CASES(name)                                                                                          \
    static void reports_##name(void **state)                                                                 \
    {                                                                                                        \
        (void)state;                                                                                         \
        expect(name, BASE_LENGTH(name));                                                                     \
    }
CASES(xml)
CASES(entities)
CASES(names)
CASES(values)
CASES(routes)
CASES(unmodelled)

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    struct platform *p;
    struct base_status st;
    assert_int_equal(platform_load(&p, "/nonexistent/p.xml", NULL, &st), -1);
    assert_string_equal(st.text, "/nonexistent/p.xml: cannot open: No such file or directory");
    assert_int_equal(platform_load(&p, "/", NULL, &st), -1);
    assert_string_equal(st.text, "/: cannot read: Is a directory");
}

static void too_deep(void **state)
{
    (void)state;
    char text[4096] = OPEN, report[64];
    struct platform *p;
    struct base_status st;
    for (int k = 0; k < 40; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "<zone id=\"z%d\" routing=\"Full\">\n", k);
    assert_int_equal(platform_load_text(&p, text, strlen(text), "t.xml", NULL, &st), -1);
    snprintf(report, sizeof report, "t.xml:34: <zone id=\"z32\">: zones nested deeper than 32");
    assert_string_equal(st.text, report);
}

static void a_doctype_is_accepted_and_long_values_are_cut(void **state)
{
    (void)state;
    struct platform *p = loaded("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                                "\"https://simgrid.org/simgrid.dtd\">\n<!-- & --><platform version=\"4\">"
                                "<zone id=\"z&#33;\" routing=\"Full\">" HOST("a") "</zone></platform>");
    platform_destroy(p);
    char *text = base_strfmt(ZONE("<host id=\"a\" speed=\"%0500d\"/>"), 7);
    struct base_status st;
    assert_int_equal(platform_load_text(&p, text, strlen(text), "t.xml", NULL, &st), 0);
    platform_destroy(p);
    text[strlen(text) - 60] = 'x';
    platform_load_text(&p, text, strlen(text), "t.xml", NULL, &st);
    assert_true(strlen(st.text) < sizeof st.text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_xml),
        cmocka_unit_test(reports_entities),
        cmocka_unit_test(reports_names),
        cmocka_unit_test(reports_values),
        cmocka_unit_test(reports_routes),
        cmocka_unit_test(reports_unmodelled),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(too_deep),
        cmocka_unit_test(a_doctype_is_accepted_and_long_values_are_cut),
    };
    return cmocka_run_group_tests_name("platform errors", tests, NULL, NULL);
}
