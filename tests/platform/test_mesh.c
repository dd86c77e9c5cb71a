/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes: routes by hand, both forms of generated files against each other, names, sizes, what is refused. */
#include "platform/check.h"
#include "platform/model/model.h"

#include <malloc.h>

#define MESH(parameters, radical, more)                                                                      \
    "<cluster id=\"m\" prefix=\"n\" suffix=\"\" radical=\"" radical                                          \
    "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"10ns\" topology=\"MESH\" topo_parameters=\"" parameters "\" " more  \
    "/>\n"

/* 8  9 10 11
 * 4  5  6  7
 * 0  1  2  3: x first, no way round. */
static void routes_by_hand(void **state)
{
    (void)state;
    struct platform *p = loaded(OPEN MESH("4,3", "0-11", "") CLOSE);
    assert_route(p, "n0", "n1", "m_link_from_0_to_1_UP; 10");
    assert_route(p, "n1", "n0", "m_link_from_0_to_1_DOWN; 10");
    assert_route(p, "n0", "n3", "m_link_from_0_to_1_UP m_link_from_1_to_2_UP m_link_from_2_to_3_UP; 30");
    assert_route(p, "n8", "n0", "m_link_from_4_to_8_DOWN m_link_from_0_to_4_DOWN; 20");
    assert_route(
        p, "n1", "n11",
        "m_link_from_1_to_2_UP m_link_from_2_to_3_UP m_link_from_3_to_7_UP m_link_from_7_to_11_UP; 40");
    assert_route(p, "n11", "n1",
                 "m_link_from_10_to_11_DOWN m_link_from_9_to_10_DOWN m_link_from_5_to_9_DOWN "
                 "m_link_from_1_to_5_DOWN; 40");
    assert_route(p, "n5", "n5",
                 "test.xml: no route from host 'n5' to host 'n5': it has neither links nor latency");
    assert_int_equal(platform_link_count(p), (3 * 3 + 4 * 2) * 2);
    platform_destroy(p);
    p = loaded(OPEN MESH("3", "7,20-21",
                         "sharing_policy=\"SHARED\" limiter_link=\"1GBps\" loopback_bw=\"2GBps\"") CLOSE);
    assert_route(
        p, "n7", "n21",
        "m_link_0_limiter m_link_from_0_to_1 m_link_1_limiter m_link_from_1_to_2 m_link_2_limiter; 20");
    assert_route(p, "n20", "n20", "m_link_20_loopback; 0");
    platform_destroy(p);
}

/* --- both forms of a generated mesh ----------------------------------------------------------------- */

static struct platform *generated(const char *sizes, bool compact, const char *sharing)
{
    struct platform_plan plan = {.kind = "mesh"};
    struct base_status st;
    plan.value[PLATFORM_DIMENSIONS] = sizes;
    plan.value[PLATFORM_COMPACT] = compact ? "" : NULL;
    plan.value[PLATFORM_SHARING] = sharing;
    char *xml = platform_generate(&plan, &st);
    if (!xml)
        fail_msg("a mesh of %s: %s", sizes, st.text);
    struct platform *p = loaded(xml);
    free(xml);
    return p;
}

/* The names of the links between two hosts, without ports; returns the number of ports. */
static unsigned names_of(struct platform *p, uint32_t from, uint32_t to, char *out, double *latency)
{
    struct platform_route route;
    struct base_status st;
    unsigned ports = 0;
    if (platform_route(p, from, to, &route, &st))
        fail_msg("%s", st.text);
    for (uint32_t k = 0; k < route.n_links; k++) {
        const struct platform_link *link = platform_link(p, route.links[k]);
        if (link->policy == PLATFORM_FATPIPE)
            ports++;
        else
            out += sprintf(out, "%s ", link->name);
    }
    *out = 0;
    *latency = route.latency;
    return ports;
}

/* The sum of the distances in each dimension. */
static unsigned distance(uint32_t a, uint32_t b, const uint32_t *size, unsigned n)
{
    unsigned sum = 0;
    for (unsigned d = 0; d < n; a /= size[d], b /= size[d++])
        sum += (unsigned)abs((int)(a % size[d]) - (int)(b % size[d]));
    return sum;
}

/* For every pair: the same links, one port a dimension and one more, and a link a step. */
static void both_forms(void **state)
{
    (void)state;
    static const struct {
        const char *sizes, *sharing;
        unsigned n;
        uint32_t size[3];
    } cases[] = {
        {"3,2", NULL, 2, {3, 2}}, {"4,4", "SHARED", 2, {4, 4}},  {"2,3,4", NULL, 3, {2, 3, 4}},
        {"5", NULL, 1, {5}},      {"1,4,1", NULL, 3, {1, 4, 1}}, {"7,3", "SHARED", 2, {7, 3}},
    };
    for (unsigned k = 0; k < BASE_LENGTH(cases); k++) {
        struct platform *far = generated(cases[k].sizes, false, cases[k].sharing),
                        *near = generated(cases[k].sizes, true, cases[k].sharing);
        uint32_t hosts = platform_host_count(near);
        assert_int_equal(platform_host_count(far), hosts);
        for (uint32_t pair = 0; pair < hosts * hosts; pair++) {
            char want[1024], got[1024];
            double latency, same;
            uint32_t from = pair / hosts, to = pair % hosts;
            if (from == to)
                continue;
            unsigned steps = distance(from, to, cases[k].size, cases[k].n);
            unsigned ports = names_of(far, from, to, want, &latency);
            names_of(near, from, to, got, &same);
            if (strcmp(got, want) || ports != cases[k].n + 1 || latency < (steps - 0.01) * 100e-9 ||
                latency > (steps + 0.01) * 100e-9 || same < latency * (1 - 1e-12) ||
                same > latency * (1 + 1e-12))
                fail_msg("%s, %u to %u, %u steps: %s (%g s); in tags of SimGrid %s (%g s), %u ports",
                         cases[k].sizes, from, to, steps, got, same, want, latency, ports);
        }
        platform_destroy(far);
        platform_destroy(near);
    }
}

static void one_host(void **state)
{
    (void)state;
    struct platform *p = generated("1,1", true, NULL);
    assert_int_equal(platform_host_count(p), 1);
    assert_int_equal(platform_link_count(p), 0);
    platform_destroy(p);
    p = generated("1,1", false, NULL);
    assert_int_equal(platform_link_count(p), 1 + 1); /* the port, the loopback */
    platform_destroy(p);
}

/* --- names -------------------------------------------------------------------------------------------- */

static void every_link_is_found_by_its_name(void **state)
{
    (void)state;
    static const char *const none[] = {"m_link_from_3_to_4_UP",   "m_link_from_0_to_2_UP",
                                       "m_link_from_0_to_1",      "m_link_from_8_to_12_UP",
                                       "m_link_from_20_to_24_UP", "m_link_from_0_to_1_UPP",
                                       "m_link_from_00_to_1_UP",  "m_link_from_23_to_24_UP"};
    struct platform *p = loaded(ZONE(MESH("4,3,2", "0-23", "")));
    uint32_t id;
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        if (!platform_link_find(p, platform_link(p, k)->name, &id) || id != k)
            fail_msg("link %u, %s, is not found by its name", k, platform_link(p, k)->name);
    for (unsigned k = 0; k < BASE_LENGTH(none); k++)
        if (platform_link_find(p, none[k], &id))
            fail_msg("%s is found as %s", none[k], platform_link(p, id)->name);
    assert_int_equal(platform_link_count(p), 2 * (3 * 3 * 2 + 4 * 2 * 2 + 12));
    platform_destroy(p);
}

/* --- by name ------------------------------------------------------------------------------------------ */

static void by_name(void **state)
{
    (void)state;
    static const char *const wrong[] = {"rae-mesh:",    "rae-mesh:0x8", "rae-mesh:8x",
                                        "rae-mesh:8,8", "mesh:8x-8",    "rae-mesh:5000x5000",
                                        "torus:2x2 ",   "mesh:axb",     "mesh:x"};
    static const char *const none[] = {"rae-mesh", "rae:8x8", "cluster:8x8", "", ":8x8", "meshes:4x4"};
    struct platform *p = NULL;
    struct base_status st;
    assert_true(platform_is_named("rae-mesh:8x8"));
    if (platform_load_named(&p, "mesh:4x3", NULL, &st))
        fail_msg("%s", st.text);
    assert_int_equal(platform_host_count(p), 12);
    assert_route(p, "node-0", "node-5", "mesh_link_from_0_to_1_UP mesh_link_from_1_to_5_UP; 200");
    platform_destroy(p);
    if (platform_load_named(&p, "torus:4x3x2", NULL, &st))
        fail_msg("%s", st.text);
    assert_route(p, "node-0", "node-3", "cluster_link_from_3_to_0_DOWN; 100");
    platform_destroy(p);
    for (unsigned k = 0; k < BASE_LENGTH(wrong); k++) {
        st.text[0] = 0;
        if (!platform_is_named(wrong[k]) || !platform_load_named(&p, wrong[k], NULL, &st) ||
            !strstr(st.text, wrong[k]) || !strstr(st.text, "XxY"))
            fail_msg("%s: %s", wrong[k], st.text);
    }
    for (unsigned k = 0; k < BASE_LENGTH(none); k++)
        if (platform_is_named(none[k]))
            fail_msg("'%s' is taken for a mesh", none[k]);
}

/* --- refused, and size -------------------------------------------------------------------------------- */

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *report;
    } cases[] = {
        {OPEN MESH("", "0-3", "") CLOSE,
         "t.xml:2: <cluster topo_parameters=\"\">: expected the size of each of 1 "
         "to 26 dimensions, such as 8,8"},
        {OPEN MESH("2x2", "0-3", "") CLOSE,
         "t.xml:2: <cluster topo_parameters=\"2x2\">: expected the size of "
         "each of 1 to 26 dimensions, such as 8,8"},
        {OPEN MESH("16777216,2", "0-3", "") CLOSE,
         "t.xml:2: <cluster topo_parameters=\"16777216,2\">: more than 16777216 hosts"},
        {OPEN MESH("4,2", "0-3", "") CLOSE,
         "t.xml:2: <cluster id=\"m\">: the radical '0-3' makes 4 hosts; the topology has 8"},
    };
    static const struct {
        struct platform_plan plan;
        const char *report;
    } plans[] = {
        {{"mesh", {[PLATFORM_LIMITER] = "1GBps"}}, "--limiter does not apply to a mesh"},
        {{"mesh", {[PLATFORM_LOOPBACK_BW] = "1GBps"}}, "--loopback-bw does not apply to a mesh"},
        {{"torus", {[PLATFORM_COMPACT] = ""}}, "--compact does not apply to a torus"},
        {{"mesh", {[PLATFORM_HOSTS] = "9", [PLATFORM_DIMENSIONS] = "4,2"}}, "--hosts 9: a mesh of 4,2 has 8"},
        {{"rae-mesh", {[PLATFORM_DIMENSIONS] = "8x8"}},
         "--dimensions 8x8: expected up to 26 numbers from 1 to 16777216, separated by commas"},
    };
    struct base_status st = {""};
    for (size_t k = 0; k < BASE_LENGTH(cases); k++) {
        struct platform *p = NULL;
        if (!platform_load_text(&p, cases[k].text, strlen(cases[k].text), "t.xml", NULL, &st) ||
            strcmp(st.text, cases[k].report))
            fail_msg("case %zu: %s\nwanted: %s", k, st.text, cases[k].report);
    }
    for (size_t k = 0; k < BASE_LENGTH(plans); k++)
        if (platform_generate(&plans[k].plan, &st) || strcmp(st.text, plans[k].report))
            fail_msg("plan %zu: %s\nwanted: %s", k, st.text, plans[k].report);
}

/* A mesh of 32 x 32 in tags of SimGrid has some 0.9 MB of text; it grows with the hosts, not with their
 * pairs. That of 256 x 256 hosts by name takes less memory than 32 MB. */
static void large_ones_stay_small(void **state)
{
    (void)state;
    struct platform_plan plan = {.kind = "mesh", .value = {[PLATFORM_DIMENSIONS] = "32,32"}};
    struct base_status st;
    struct platform_route route;
    char *xml = platform_generate(&plan, &st);
    assert_non_null(xml);
    if (strlen(xml) > 1000 * 1024)
        fail_msg("%zu bytes for 1 024 hosts", strlen(xml));
    struct platform *p = loaded(xml);
    assert_int_equal(platform_route(p, 0, 1023, &route, NULL), 0);
    assert_int_equal(route.n_links, 62 + 3);
    platform_destroy(p);
    free(xml);
    struct mallinfo2 before = mallinfo2();
    assert_int_equal(platform_load_named(&p, "mesh:256x256", NULL, &st), 0);
    struct mallinfo2 after = mallinfo2();
    size_t bytes = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    if (bytes > 32 << 20)
        fail_msg("%zu bytes for 65 536 hosts", bytes);
    for (uint32_t h = 0; h < 65535; h += 97)
        if (!platform_route_quick(p, h, 65535, &route) || route.n_links != 255 - h % 256 + 255 - h / 256)
            fail_msg("%u links from host %u to the last one", route.n_links, h);
    platform_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_by_hand),
        cmocka_unit_test(both_forms),
        cmocka_unit_test(one_host),
        cmocka_unit_test(every_link_is_found_by_its_name),
        cmocka_unit_test(by_name),
        cmocka_unit_test(refused),
        cmocka_unit_test(large_ones_stay_small),
    };
    return cmocka_run_group_tests_name("platform meshes", tests, NULL, NULL);
}
