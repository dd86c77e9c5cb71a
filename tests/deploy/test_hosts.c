/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins which hosts are interchangeable: by hand, and on random platforms against all exchanges of links.
 * Prints its seed.
 */
#include "random_space.h"

enum { ROUNDS = 300, HOSTS = 4, LINKS = 5 };

static void classes_are(const char *xml, const uint32_t *like, uint32_t n)
{
    struct platform *p = NULL;
    struct deploy_hosts h;
    struct base_status st;
    if (platform_load_text(&p, xml, strlen(xml), "platform", NULL, &st))
        fail_msg("%s", st.text);
    if (deploy_hosts_read(&h, p, 0, &st))
        fail_msg("%s", st.text);
    assert_int_equal(h.n, n);
    for (uint32_t k = 0; k < n; k++)
        if (h.at[k].like != like[k])
            fail_msg("host %u is like %u, not %u, in\n%s", k, h.at[k].like, like[k], xml);
    deploy_hosts_release(&h);
    platform_destroy(p);
}

#define CLUSTER(more)                                                                                        \
    "id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"" more
#define PLATFORM(zone) "<platform version=\"4.1\">" zone "</platform>"

static void clusters_are_one_class(void **state)
{
    (void)state;
    classes_are(PLATFORM("<cluster " CLUSTER("/>")), (const uint32_t[]){0, 0, 0, 0}, 4);
    classes_are(PLATFORM("<cluster " CLUSTER(" bb_bw=\"1GBps\" bb_lat=\"1us\" loopback_bw=\"1GBps\" "
                                             "loopback_lat=\"0\" sharing_policy=\"SHARED\"/>")),
                (const uint32_t[]){0, 0, 0, 0}, 4);
    /* Two leaves of two hosts: exchanging hosts of different leaves changes who shares a leaf. */
    classes_are(PLATFORM("<cluster " CLUSTER(" topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,1;1,1\"/>")),
                (const uint32_t[]){0, 0, 2, 2}, 4);
    /* A ring of four: hosts have different neighbours. */
    classes_are(PLATFORM("<cluster " CLUSTER(" topology=\"TORUS\" topo_parameters=\"4\"/>")),
                (const uint32_t[]){0, 1, 2, 3}, 4);
}

static void properties_and_profiles_tell_hosts_apart(void **state)
{
    (void)state;
    static const char xml[] = PLATFORM(
        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
        "<host id=\"c\" speed=\"1Gf\"><prop id=\"sat/power-user\" value=\"5\"/></host>"
        "<host id=\"d\" speed=\"1Gf\"><prop id=\"sat/power-user\" value=\"5\"/></host>"
        "<host id=\"e\" speed=\"1Gf\"><prop id=\"sat/power-user\" value=\"6\"/></host>"
        "<host id=\"f\" speed=\"1Gf\" core=\"2\"/></zone>");
    classes_are(xml, (const uint32_t[]){0, 0, 2, 2, 4, 5}, 6);
}

/* --- all exchanges of links ----------------------------------------------------------------------------- */

struct net {
    int speed[HOSTS], width[LINKS];
    int route[HOSTS][HOSTS][3], length[HOSTS][HOSTS]; /* there and back alike */
};

static char *net_xml(const struct net *n)
{
    struct base_text t;
    base_text_init(&t, "a platform");
    base_text_add(&t, "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">");
    for (int k = 0; k < HOSTS; k++)
        base_text_format(&t, "<host id=\"h%d\" speed=\"%dGf\"/>", k, n->speed[k]);
    for (int k = 0; k < LINKS; k++)
        base_text_format(&t, "<link id=\"l%d\" bandwidth=\"%dGBps\" latency=\"1us\"/>", k, n->width[k]);
    base_text_add(&t, "<link id=\"own\" bandwidth=\"1GBps\" latency=\"1us\"/>");
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < HOSTS; b++) {
            base_text_format(&t, "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", a, b);
            if (a == b)
                base_text_add(&t, "<link_ctn id=\"own\"/>");
            for (int k = 0; a != b && k < n->length[a][b]; k++)
                base_text_format(&t, "<link_ctn id=\"l%d\"/>", n->route[a][b][k]);
            base_text_add(&t, "</route>");
        }
    base_text_add(&t, "</zone></platform>");
    return base_text_take(&t);
}

static int other(int host, int a, int b)
{
    return host == a ? b : host == b ? a : host;
}

/* Whether exchanging hosts a and b, and renaming the links by `to`, changes nothing. */
static bool keeps(const struct net *n, int a, int b, const int *to)
{
    for (int k = 0; k < LINKS; k++)
        if (n->width[k] != n->width[to[k]])
            return false;
    for (int x = 0; x < HOSTS; x++)
        for (int y = 0; y < HOSTS; y++) {
            int u = other(x, a, b), v = other(y, a, b);
            if (x == y)
                continue;
            if (n->length[x][y] != n->length[u][v])
                return false;
            for (int k = 0; k < n->length[x][y]; k++)
                if (to[n->route[x][y][k]] != n->route[u][v][k])
                    return false;
        }
    return n->speed[a] == n->speed[b];
}

static bool some_keeps(const struct net *n, int a, int b, int *to, int link)
{
    if (link == LINKS)
        return keeps(n, a, b, to);
    for (int k = 0; k < LINKS; k++) {
        bool taken = false;
        for (int l = 0; l < link; l++)
            taken |= to[l] == k;
        to[link] = k;
        if (!taken && some_keeps(n, a, b, to, link + 1))
            return true;
    }
    return false;
}

/* Hosts with a link each, and some disorder, so that both answers come up. */
static struct net draw_net(struct base_random *r)
{
    struct net n = {0};
    uint32_t speeds = 1 + test_below(r, 2), widths = 1 + test_below(r, 2), disorder = test_below(r, 3);
    for (int k = 0; k < HOSTS; k++)
        n.speed[k] = 1 + (int)test_below(r, speeds);
    for (int k = 0; k < LINKS; k++)
        n.width[k] = 1 + (int)test_below(r, widths);
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < HOSTS; b++) {
            n.length[a][b] = 2;
            n.route[a][b][0] = a;
            n.route[a][b][1] = test_below(r, 8) ? b : 4;
        }
    for (; disorder; disorder--)
        n.route[test_below(r, HOSTS)][test_below(r, HOSTS)][test_below(r, 2)] = (int)test_below(r, LINKS);
    return n;
}

static void classes_are_those_of_all_exchanges(void **state)
{
    uint64_t seed = test_seed();
    uint32_t alike = 0;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct base_random r;
        uint32_t like[HOSTS];
        int to[LINKS];
        base_random_seed(&r, seed, round);
        struct net n = draw_net(&r);
        for (int k = 0; k < HOSTS; k++) {
            like[k] = (uint32_t)k;
            for (int l = 0; l < k && like[k] == (uint32_t)k; l++)
                if (some_keeps(&n, l, k, to, 0))
                    like[k] = like[l];
            alike += like[k] != (uint32_t)k;
        }
        char *xml = net_xml(&n);
        classes_are(xml, like, HOSTS);
        free(xml);
    }
    assert_true(alike > ROUNDS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_one_class),
        cmocka_unit_test(properties_and_profiles_tell_hosts_apart),
        cmocka_unit_test(classes_are_those_of_all_exchanges),
    };
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
