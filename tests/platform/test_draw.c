/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pictures of random platforms, and of random tori, fat trees and dragonflies: valid XML, every host at a
 * place of its own within the picture, all numbers finite, and the same bytes again. Shapes that stand for
 * links name them: every link crossed by a route between hosts is named where links are drawn.
 */
#include "platform/check.h"
#include "platform/random_platform.h"
#include "seed.h"

#include <expat.h>
#include <math.h>

enum { PLATFORMS = 120, SHAPES = 200 };
static struct random_platform model; /* large */

/* What a picture holds. */
struct seen {
    double width, height;
    size_t n;
    double x[20000], y[20000];
    bool link[20000]; /* something stands for it */
};
static struct seen seen; /* large */

static const char *value_of(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return "";
}

/* "3,5-7" */
static void take_links(struct seen *s, const char *text)
{
    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        assert_true(end > text);
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        assert_true(last >= first && last < BASE_LENGTH(s->link));
        memset(&s->link[first], true, last - first + 1);
        assert_true(*end == ',' || !*end);
        text = end + (*end == ',');
    }
}

/* Hosts are boxes of their class; the legend has one, too, which comes last. */
static void on_element(void *arg, const char *name, const char **attributes)
{
    struct seen *s = arg;
    if (!strcmp(name, "svg")) {
        s->width = strtod(value_of(attributes, "width"), NULL);
        s->height = strtod(value_of(attributes, "height"), NULL);
    }
    take_links(s, value_of(attributes, "data-links"));
    if (strcmp(name, "rect") != 0 || strcmp(value_of(attributes, "class"), "host") != 0)
        return;
    assert_true(s->n < BASE_LENGTH(s->x));
    s->x[s->n] = strtod(value_of(attributes, "x"), NULL);
    s->y[s->n++] = strtod(value_of(attributes, "y"), NULL);
}

static char *drawn(const struct platform *p, size_t *size)
{
    char *text;
    FILE *out = open_memstream(&text, size);
    platform_draw(p, out);
    fclose(out);
    return text;
}

static void check_places(const struct platform *p, const char *where)
{
    if (seen.n != platform_host_count(p) + 1)
        fail_msg("%s: %zu hosts are drawn, of %u", where, seen.n - 1, platform_host_count(p));
    for (size_t a = 0; a < seen.n; a++) {
        if (!(seen.x[a] >= 0 && seen.x[a] <= seen.width && seen.y[a] >= 0 && seen.y[a] <= seen.height))
            fail_msg("%s: host %zu is at %g, %g of %g, %g", where, a, seen.x[a], seen.y[a], seen.width,
                     seen.height);
        for (size_t b = 0; b < a; b++)
            if (fabs(seen.x[a] - seen.x[b]) < 2 && fabs(seen.y[a] - seen.y[b]) < 2)
                fail_msg("%s: hosts %zu and %zu lie on each other", where, a, b);
    }
}

static void check_picture(const struct platform *p, const char *where)
{
    size_t size, again;
    char *text = drawn(p, &size), *other = drawn(p, &again);
    if (size != again || memcmp(text, other, size) != 0)
        fail_msg("%s: two pictures differ", where);
    if (strstr(text, "\"nan") || strstr(text, "-nan") || strstr(text, "\"inf") || strstr(text, " nan"))
        fail_msg("%s: a number is none", where);
    XML_Parser x = XML_ParserCreate(NULL);
    seen.n = 0;
    memset(seen.link, false, sizeof seen.link);
    XML_SetUserData(x, &seen);
    XML_SetStartElementHandler(x, on_element);
    if (XML_Parse(x, text, (int)size, 1) != XML_STATUS_OK)
        fail_msg("%s: %s at line %lu", where, XML_ErrorString(XML_GetErrorCode(x)),
                 (unsigned long)XML_GetCurrentLineNumber(x));
    XML_ParserFree(x);
    check_places(p, where);
    free(text);
    free(other);
}

static void random_platforms_are_drawn(void **state)
{
    uint64_t from = seed_of_test(1);
    (void)state;
    for (int k = 0; k < PLATFORMS; k++) {
        char *text, where[64];
        size_t size;
        FILE *xml = open_memstream(&text, &size);
        random_platform_make(&model, from, (uint64_t)k, k % 2, xml);
        fclose(xml);
        struct platform *p = loaded(text);
        snprintf(where, sizeof where, "platform %d", k);
        check_picture(p, where);
        platform_destroy(p);
        free(text);
    }
}

static unsigned upto(struct base_random *r, unsigned n)
{
    return 1 + (unsigned)base_random_below(r, n);
}

static void random_shape(struct base_random *r, char *out, size_t size)
{
    unsigned a = upto(r, 5), b = upto(r, 5), c = upto(r, 4), d = upto(r, 3);
    switch (base_random_below(r, 4)) {
    case 0:
        snprintf(out, size, "topology=\"TORUS\" topo_parameters=\"%u,%u,%u\"", a + 1, b + 1, c + 1);
        break;
    case 1:
        snprintf(out, size, "topology=\"TORUS\" topo_parameters=\"%u,%u,%u,%u,2\"", a + 1, b + 1, c + 1,
                 d + 1);
        break;
    case 2:
        snprintf(out, size, "topology=\"FAT_TREE\" topo_parameters=\"3;%u,%u,%u;%u,%u,%u;1,%u,1\"", 4 * a, b,
                 c, d, upto(r, 4), upto(r, 4), upto(r, 3));
        break;
    default:
        snprintf(out, size, "topology=\"DRAGONFLY\" topo_parameters=\"%u,1;%u,2;%u,1;%u\"", upto(r, b), c, b,
                 a);
    }
}

static void random_topologies_are_drawn(void **state)
{
    struct base_random r;
    (void)state;
    base_random_seed(&r, seed_of_test(1), 1);
    for (int k = 0; k < SHAPES; k++) {
        char shape[200], text[600];
        random_shape(&r, shape, sizeof shape);
        snprintf(text, sizeof text,
                 OPEN
                 "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-9999\" speed=\"1f\" bw=\"1GBps\" "
                 "lat=\"1us\" %s/>\n" CLOSE,
                 shape);
        struct platform *p = loaded(text);
        check_picture(p, shape);
        platform_destroy(p);
    }
}

static void check_route(struct platform *p, uint32_t from, uint32_t to, const char *where)
{
    struct platform_route route;
    struct base_status st;
    assert_int_equal(platform_route(p, from, to, &route, &st), 0);
    for (uint32_t k = 0; k < route.n_links; k++)
        if (!seen.link[route.links[k]])
            fail_msg("%s: nothing stands for link %u, on the way from host %u to %u", where, route.links[k],
                     from, to);
}

/* Of a dragonfly all but the cables of hosts. */
static void links_are_named(void **state)
{
    static const struct {
        unsigned hosts;
        const char *text;
    } shapes[] = {
        {24, "bb_bw=\"1GBps\" bb_lat=\"1us\" sharing_policy=\"SPLITDUPLEX\""},
        {300, "loopback_bw=\"2GBps\" loopback_lat=\"0us\" sharing_policy=\"SHARED\""},
        {24, "topology=\"TORUS\" topo_parameters=\"4,2,3\" sharing_policy=\"SPLITDUPLEX\""},
        {6, "topology=\"TORUS\" topo_parameters=\"2,3\" sharing_policy=\"SHARED\""},
        {12, "topology=\"FAT_TREE\" topo_parameters=\"2;4,3;1,2;2,1\" sharing_policy=\"SPLITDUPLEX\""},
        {256, "topology=\"FAT_TREE\" topo_parameters=\"2;16,16;1,4;1,1\" sharing_policy=\"SHARED\""},
        {24, "topology=\"DRAGONFLY\" topo_parameters=\"3,2;2,1;4,1;1\" sharing_policy=\"SPLITDUPLEX\""},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(shapes); k++) {
        char text[700];
        snprintf(text, sizeof text,
                 OPEN "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-%u\" speed=\"1f\" bw=\"1GBps\" "
                      "lat=\"1us\" %s/>\n" CLOSE,
                 shapes[k].hosts - 1, shapes[k].text);
        struct platform *p = loaded(text);
        check_picture(p, shapes[k].text);
        for (uint32_t host = 0; strstr(shapes[k].text, "DRAGONFLY") && host < 2 * platform_host_count(p);
             host++)
            seen.link[host] = true;
        for (uint32_t a = 0; a < platform_host_count(p); a += 1 + a / 16)
            for (uint32_t b = 0; b < platform_host_count(p); b += 1 + b / 16)
                if (a != b)
                    check_route(p, a, b, shapes[k].text);
        platform_destroy(p);
    }
}

/* A declared route may cross links whose names their zone computes. */
static void computed_links_of_routes_have_names(void **state)
{
    size_t size;
    (void)state;
    struct platform *p =
        loaded(OPEN "<zone id=\"w\" routing=\"Full\">\n"
                    "<cluster id=\"t\" prefix=\"t\" suffix=\"\" radical=\"0-5\" speed=\"1f\" bw=\"1GBps\" "
                    "lat=\"1us\" topology=\"TORUS\" topo_parameters=\"3,2\"/>\n"
                    "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1GBps\" "
                    "lat=\"1us\"/>\n"
                    "<cluster id=\"d\" prefix=\"d\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1GBps\" "
                    "lat=\"1us\"/>\n"
                    "<zoneRoute src=\"t\" dst=\"c\" gw_src=\"t0\" gw_dst=\"cc_router\">"
                    "<link_ctn id=\"t_link_from_0_to_1_UP\"/></zoneRoute>\n"
                    "<zoneRoute src=\"t\" dst=\"d\" gw_src=\"t0\" gw_dst=\"dd_router\">"
                    "<link_ctn id=\"t_link_from_0_to_1_UP\"/></zoneRoute>\n</zone>\n" CLOSE);
    check_picture(p, "computed links");
    char *text = drawn(p, &size);
    assert_non_null(strstr(text, "t_link_from_0_to_1: 1.000 GB/s"));
    free(text);
    platform_destroy(p);
}

static void names_are_escaped(void **state)
{
    size_t size;
    (void)state;
    struct platform *p = loaded(ZONE("<host id=\"&lt;a&gt;&amp;&quot;&#10;b\" speed=\"1f\"/>\n"));
    check_picture(p, "odd names");
    char *text = drawn(p, &size);
    assert_non_null(strstr(text, "&lt;a&gt;&amp;&quot;&#10;b: 1 core"));
    free(text);
    platform_destroy(p);
}

static void many_hosts_are_one_box(void **state)
{
    size_t size;
    (void)state;
    struct platform *p =
        loaded(OPEN "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-19999\" speed=\"1f\" "
                    "bw=\"1GBps\" lat=\"1us\"/>\n" CLOSE);
    char *text = drawn(p, &size);
    assert_non_null(strstr(text, "20000 hosts, not drawn one by one"));
    assert_true(size < 10000);
    free(text);
    platform_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_platforms_are_drawn),
        cmocka_unit_test(random_topologies_are_drawn),
        cmocka_unit_test(links_are_named),
        cmocka_unit_test(computed_links_of_routes_have_names),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(many_hosts_are_one_box),
    };
    return cmocka_run_group_tests_name("platform draw", tests, NULL, NULL);
}
