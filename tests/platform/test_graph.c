/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random Floyd and Dijkstra zones: every pair of points has the route of the simplest model: the table in n^3
 * steps for Floyd, the search without a heap for Dijkstra, both over a matrix. Graphs are small and edges
 * short, to get ties.
 */
#include "platform/check.h"
#include "seed.h"

enum { POINTS = 14, LINKS = 400, EDGE = 4 };
static const int zones = 400;

/* A zone; edge[a][b].n is 0 where there is none. Point k is host "pK" or, where host[k] is false, a
 * router. */
static struct {
    bool floyd, cached, host[POINTS];
    int n, links, nodes, node[POINTS], point[POINTS]; /* Dijkstra's numbers of points, and back */
    struct {
        int n, link[EDGE];
    } edge[POINTS][POINTS];
    int before[POINTS][POINTS], cost[POINTS][POINTS]; /* Floyd's table */
} z;
static struct base_random dice;
static uint64_t compared, missing;

static int below(int n)
{
    return (int)base_random_below(&dice, (uint64_t)n);
}

/* --- the file ----------------------------------------------------------------------------------- */

static void number_point(int at)
{
    if (z.node[at] >= 0)
        return;
    z.node[at] = z.nodes;
    z.point[z.nodes++] = at;
}

static void edge_write(FILE *xml, int a, int b)
{
    bool both = a != b && below(3) && !z.edge[b][a].n;
    int n = 1 + below(below(2) ? 1 : EDGE);
    if (z.edge[a][b].n || z.links + n > LINKS)
        return;
    number_point(a);
    number_point(b);
    for (int k = 0; k < n; k++)
        fprintf(xml, "<link id=\"l%d\" bandwidth=\"1GBps\" latency=\"1ns\"/>", z.links + k);
    fprintf(xml, "<route src=\"p%d\" dst=\"p%d\" symmetrical=\"%s\">", a, b, both ? "YES" : "NO");
    z.edge[a][b].n = n;
    for (int k = 0; k < n; k++) {
        fprintf(xml, "<link_ctn id=\"l%d\"/>", z.links);
        z.edge[a][b].link[k] = z.links++;
    }
    for (int k = 0; both && k < n; k++)
        z.edge[b][a].link[n - 1 - k] = z.edge[a][b].link[k];
    if (both)
        z.edge[b][a].n = n;
    fprintf(xml, "</route>\n");
}

static void zone_write(FILE *xml)
{
    memset(&z, 0, sizeof z);
    memset(z.node, 0xff, sizeof z.node);
    z.floyd = below(2);
    z.cached = below(2);
    z.n = 1 + below(POINTS);
    fprintf(xml, OPEN "<zone id=\"z\" routing=\"%s\">\n",
            z.floyd    ? "Floyd"
            : z.cached ? "DijkstraCache"
                       : "Dijkstra");
    for (int k = 0; k < z.n; k++) {
        z.host[k] = !k || below(4);
        fprintf(xml, z.host[k] ? "<host id=\"p%d\" speed=\"1Gf\"/>" : "<router id=\"p%d\"/>", k);
    }
    for (int k = below(4 * z.n); k >= 0; k--)
        edge_write(xml, below(z.n), below(z.n));
    fprintf(xml, "</zone>\n" CLOSE);
}

/* --- the plain models --------------------------------------------------------------------------- */

static void floyd_fill(void)
{
    for (int a = 0; a < z.n; a++)
        for (int b = 0; b < z.n; b++) {
            bool loop = a == b && !z.edge[a][a].n;
            z.cost[a][b] = loop ? 1 : z.edge[a][b].n;
            z.before[a][b] = a;
        }
    for (int c = 0; c < z.n; c++)
        for (int a = 0; a < z.n; a++)
            for (int b = 0; b < z.n; b++)
                if (z.cost[a][c] && z.cost[c][b] &&
                    (!z.cost[a][b] || z.cost[a][c] + z.cost[c][b] < z.cost[a][b])) {
                    z.cost[a][b] = z.cost[a][c] + z.cost[c][b];
                    z.before[a][b] = z.before[c][b];
                }
}

/* The predecessor of each point on the paths from a, -1 if there is none. */
static void dijkstra_fill(int a, int before[POINTS])
{
    int cost[POINTS];
    bool done[POINTS] = {false};
    for (int k = 0; k < z.n; k++) {
        cost[k] = k == a ? 0 : INT32_MAX;
        before[k] = -1;
    }
    for (;;) {
        int v = -1;
        for (int k = 0; k < z.nodes; k++) { /* in the order of the numbers */
            int at = z.point[k];
            if (!done[at] && cost[at] < INT32_MAX && (v < 0 || cost[at] < cost[v]))
                v = at;
        }
        if (v < 0)
            return;
        done[v] = true;
        for (int b = 0; b < z.n; b++)
            if (z.edge[v][b].n && cost[v] + z.edge[v][b].n < cost[b]) {
                cost[b] = cost[v] + z.edge[v][b].n;
                before[b] = v;
            }
    }
}

static void prepend(char *text, const char *what)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%s%s", what, text);
    snprintf(text, 2048, "%s", copy);
}

static void edge_prepend(char *text, int a, int b)
{
    char links[256] = "";
    for (int k = 0; k < z.edge[a][b].n; k++) {
        int at = z.floyd ? k : z.edge[a][b].n - 1 - k;
        size_t used = strlen(links);
        snprintf(links + used, sizeof links - used, "l%d ", z.edge[a][b].link[at]);
    }
    prepend(text, *links ? links : "__loopback__ ");
}

/* False: none. */
static bool expected(int a, int b, char *text)
{
    int before[POINTS];
    *text = 0;
    if (!z.floyd) {
        if (z.node[a] < 0 || z.node[b] < 0)
            return false;
        dijkstra_fill(a, before);
    }
    if (!z.floyd && a == b) {
        edge_prepend(text, a, a);
        return true;
    }
    int at = b;
    do {
        int from = z.floyd ? (z.cost[a][at] ? z.before[a][at] : -1) : before[at];
        if (from < 0)
            return false;
        edge_prepend(text, from, at);
        at = from;
    } while (at != a);
    return true;
}

/* --- the test ----------------------------------------------------------------------------------- */

static void check_pair(struct platform *p, int a, int b, const char *xml, uint64_t seed)
{
    char from[16], to[16], wanted[2048], got[2048] = "";
    struct platform_route route;
    struct base_status st;
    uint32_t x = 0, y = 0;
    snprintf(from, sizeof from, "p%d", a);
    snprintf(to, sizeof to, "p%d", b);
    bool exists = expected(a, b, wanted);
    if (platform_host_find(p, from, &x) || platform_host_find(p, to, &y))
        fail_msg("no host %s or %s", from, to);
    bool found = !platform_route(p, x, y, &route, &st);
    for (uint32_t k = 0; found && k < route.n_links; k++) {
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%s ", platform_link(p, route.links[k])->name);
    }
    if (found != exists || strcmp(got, exists ? wanted : ""))
        fail_msg("seed %llu: %s to %s: got '%s', wanted '%s' in\n%s", (unsigned long long)seed, from, to, got,
                 exists ? wanted : "none", xml);
    compared++;
    missing += !exists;
}

static void random_graphs_have_the_ways_of_the_plain_models(void **state)
{
    (void)state;
    uint64_t seed = seed_of_test(1);
    for (int k = 0; k < zones; k++) {
        char *text;
        size_t size;
        base_random_seed(&dice, seed, (uint64_t)k);
        FILE *xml = open_memstream(&text, &size);
        zone_write(xml);
        fclose(xml);
        floyd_fill();
        struct platform *p = loaded(text);
        for (int a = 0; a < z.n; a++)
            for (int b = 0; b < z.n; b++)
                if (z.host[a] && z.host[b])
                    check_pair(p, a, b, text, seed);
        platform_check(p);
        platform_destroy(p);
        free(text);
    }
    printf("%llu pairs, %llu without route\n", (unsigned long long)compared, (unsigned long long)missing);
    assert_true(compared > 5000 && missing > 500 && missing < compared / 2);
}

/* A ring of 6 000 hosts, each also joined to the one 50 further on: trees are dropped and made again. */
static void large_zones_answer_within_bounded_memory(void **state)
{
    (void)state;
    const int n = 6000;
    for (int floyd = 0; floyd < 2; floyd++) {
        char *text, a[16], b[16];
        size_t size, sum = 0;
        FILE *xml = open_memstream(&text, &size);
        fprintf(xml, OPEN "<zone id=\"z\" routing=\"%s\">\n", floyd ? "Floyd" : "Dijkstra");
        for (int k = 0; k < n; k++)
            fprintf(xml, "<host id=\"p%d\" speed=\"1Gf\"/>", k);
        fprintf(xml, "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1ns\"/>");
        for (int k = 0; k < n; k++) {
            fprintf(xml, "<route src=\"p%d\" dst=\"p%d\"><link_ctn id=\"l\"/></route>", k, (k + 1) % n);
            fprintf(xml, "<route src=\"p%d\" dst=\"p%d\"><link_ctn id=\"l\"/></route>\n", k, (k + 50) % n);
        }
        fprintf(xml, "</zone>\n" CLOSE);
        fclose(xml);
        struct platform *p = loaded(text);
        clock_t begin = clock();
        for (int k = 0; k < 150; k++) {
            struct platform_route route;
            uint32_t x = 0, y = 0;
            snprintf(a, sizeof a, "p%d", 40 * k % n);
            snprintf(b, sizeof b, "p%d", (40 * k + 1025) % n); /* 20 long steps and 25 short ones */
            platform_host_find(p, a, &x);
            platform_host_find(p, b, &y);
            assert_int_equal(platform_route(p, x, y, &route, NULL), 0);
            sum += route.n_links;
        }
        printf("%s: 150 routes in %.3f s\n", floyd ? "Floyd" : "Dijkstra",
               (double)(clock() - begin) / CLOCKS_PER_SEC);
        assert_int_equal(sum, 150 * 45);
        platform_check(p);
        platform_destroy(p);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_have_the_ways_of_the_plain_models),
        cmocka_unit_test(large_zones_answer_within_bounded_memory),
    };
    return cmocka_run_group_tests_name("platform graph", tests, NULL, NULL);
}
