/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zone_graph: zones with routing="Floyd", "Dijkstra" or "DijkstraCache": declared routes are the edges of a graph, and a
 * route is the way over the fewest links. Between zones, the route continues within a zone from the gateway where one
 * edge ends to the one where the next begins. Which of equally short ways it is, the order of links, and which points
 * have a loopback is SimGrid's: see docs/platform.md. DijkstraCache differs from Dijkstra in nothing here: trees are kept
 * by both.
 */
#include "platform/graph.h"

#include <stdlib.h>
#include <string.h>

static bool node_of(const struct platform_graph *g, platform_point at, uint32_t *node)
{
    size_t low = 0, high = g->vertices.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (g->vertices.at[mid].at == at) {
            *node = g->vertices.at[mid].node;
            return true;
        }
        if (g->vertices.at[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}

/* --- routes ------------------------------------------------------------------------------------- */

/* Pushes the edges of the route from a to b, the last one first. False: there is none. */
static bool hops_push(struct platform_graph *g, uint32_t a, uint32_t b, struct platform_path *path)
{
    size_t start = path->hops.n;
    uint32_t at = b;
    do {
        uint32_t edge = platform_graph_tree(g, g->floyd ? at : a)[g->floyd ? a : at];
        if (edge == PLATFORM_NONE) {
            path->hops.n = start;
            return false;
        }
        BASE_ARRAY_PUSH(&path->hops, edge);
        at = g->node_from[edge];
    } while (at != a);
    return true;
}

static const struct platform_declared *hop(const struct platform_graph *g, const struct platform_path *path,
                                           size_t k)
{
    return &g->declared.routes.at[path->hops.at[k]];
}

static int graph_gateways(const struct platform *p, const struct platform_zone *z, platform_point from,
                          platform_point to, struct platform_path *path, platform_point gateways[2])
{
    (void)p;
    struct platform_graph *g = z->graph;
    size_t start = path->hops.n;
    uint32_t a, b;
    if (!node_of(g, from, &a) || !node_of(g, to, &b) || !hops_push(g, a, b, path))
        return platform_path_gap(path, z->id, from, to);
    gateways[0] = hop(g, path, path->hops.n - 1)->gateway_from;
    gateways[1] = hop(g, path, start)->gateway_to;
    path->hops.n = start;
    return 0;
}

static void reverse(uint32_t *at, size_t n)
{
    for (size_t k = 0; k < n / 2; k++) {
        uint32_t link = at[k];
        at[k] = at[n - 1 - k];
        at[n - 1 - k] = link;
    }
}

/* SimGrid's Dijkstra gives the links of each edge in the order opposite to the declared one. */
static void edge_append(const struct platform *p, const struct platform_graph *g,
                        const struct platform_declared *edge, struct platform_path *path)
{
    size_t start = path->links.n;
    platform_declared_append(p, edge, path);
    if (!g->floyd)
        reverse(path->links.at + start, path->links.n - start);
}

/* Appends the edges on path->hops from `start` on, and where they join zones the ways between their gateways. */
static int edges_append(const struct platform *p, const struct platform_zone *z, struct platform_path *path,
                        size_t start)
{
    const struct platform_graph *g = z->graph;
    platform_point gateway = PLATFORM_NONE;
    for (size_t k = path->hops.n; k-- > start;) {
        const struct platform_declared *edge = hop(g, path, k);
        size_t list = path->list;
        if (gateway != PLATFORM_NONE && gateway != edge->gateway_from) {
            path->list = g->floyd ? list : path->links.n;
            if (platform_path_between(p, gateway, edge->gateway_from, path))
                return -1;
            path->list = list;
        }
        edge_append(p, g, edge, path);
        gateway = z->zones ? edge->gateway_to : PLATFORM_NONE;
    }
    return 0;
}

/* Moves the links from `start` on to where the list begins. */
static void move_to_front(struct platform_path *path, size_t start)
{
    uint32_t *list = path->links.at + path->list;
    size_t before = start - path->list, moved = path->links.n - start;
    reverse(list, before + moved);
    reverse(list, moved);
    reverse(list + moved, before);
}

static int way_append(const struct platform *p, const struct platform_zone *z, uint32_t a, uint32_t b,
                      struct platform_path *path)
{
    struct platform_graph *g = z->graph;
    size_t start = path->links.n, hops = path->hops.n, list = path->list;
    if (!hops_push(g, a, b, path))
        return 1;
    if (z->zones)
        path->list = start; /* SimGrid starts a list of its own here */
    int rc = edges_append(p, z, path, hops);
    path->hops.n = hops;
    path->list = list;
    if (rc == 0 && !g->floyd && !z->zones && start > list)
        move_to_front(path, start);
    return rc;
}

/* The route declared, or the loopback that points with any route have. */
static int itself_append(const struct platform *p, const struct platform_zone *z, platform_point at,
                         struct platform_path *path)
{
    const struct platform_graph *g = z->graph;
    const struct platform_declared *route = platform_declared_find(&g->declared, at, at);
    size_t start = path->links.n;
    if (route)
        edge_append(p, g, route, path);
    else
        platform_loopback_append(p, path);
    if (!g->floyd)
        move_to_front(path, start);
    return 0;
}

static int graph_append(const struct platform *p, const struct platform_zone *z, platform_point from,
                        platform_point to, struct platform_path *path)
{
    struct platform_graph *g = z->graph;
    uint32_t a, b;
    if (!node_of(g, from, &a) || !node_of(g, to, &b))
        return platform_path_gap(path, z->id, from, to);
    if (a == b && (!g->floyd || !platform_declared_find(&g->declared, from, from)))
        return itself_append(p, z, from, path);
    int rc = way_append(p, z, a, b, path);
    return rc == 1 ? platform_path_gap(path, z->id, from, to) : rc;
}

/* --- declaring ---------------------------------------------------------------------------------- */

static int graph_route_add(struct platform *p, struct platform_zone *z,
                           const struct platform_route_spec *spec, struct base_status *st)
{
    struct platform_graph *g = z->graph;
    if (platform_declared_check(p, z->id, spec, st))
        return -1;
    if (spec->symmetrical && spec->from == spec->to)
        return base_fail(st, "a symmetrical route from '%s' to itself; expected symmetrical=\"NO\"",
                         platform_point_name(p, spec->from));
    BASE_ARRAY_PUSH(&g->declared.routes, platform_declared_make(p, spec, false));
    if (spec->symmetrical)
        BASE_ARRAY_PUSH(&g->declared.routes, platform_declared_make(p, spec, true));
    return 0;
}

static void vertex_push(struct platform_graph *g, platform_point at)
{
    struct platform_vertex v = {.at = at, .node = (uint32_t)g->vertices.n};
    BASE_ARRAY_PUSH(&g->vertices, v);
}

/* Floyd: the points of the zone in the order in which they were declared. */
static void vertices_of_zone(const struct platform *p, const struct platform_zone *z,
                             struct platform_graph *g)
{
    uint32_t host = z->first_host, router = (uint32_t)p->routers.n - z->routers;
    if (!z->zones)
        for (uint32_t k = 0; k < z->hosts + z->routers; k++) {
            bool is_host = host < z->first_host + z->hosts &&
                           (router == p->routers.n || host < p->routers.at[router].hosts_before);
            vertex_push(g, is_host ? platform_point_of(PLATFORM_IS_HOST, host++)
                                   : platform_point_of(PLATFORM_IS_ROUTER, router++));
        }
    for (size_t k = z->id + 1; z->zones && k < p->zones.n; k++)
        if (p->zones.at[k].parent == z->id)
            vertex_push(g, platform_point_of(PLATFORM_IS_ZONE, (uint32_t)k));
}

static int by_point_node(const void *left, const void *right)
{
    const struct platform_vertex *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static int by_node(const void *left, const void *right)
{
    const struct platform_vertex *a = left, *b = right;
    return (a->node > b->node) - (a->node < b->node);
}

static void vertices_sort(struct platform_graph *g, int (*order)(const void *, const void *))
{
    if (g->vertices.n)
        qsort(g->vertices.at, g->vertices.n, sizeof *g->vertices.at, order);
}

/* Dijkstra: the points that have routes, in the order in which these name them. */
static void vertices_of_routes(struct platform_graph *g)
{
    size_t kept = 0;
    for (size_t k = 0; k < g->declared.routes.n; k++) {
        vertex_push(g, g->declared.routes.at[k].from);
        vertex_push(g, g->declared.routes.at[k].to);
    }
    vertices_sort(g, by_point_node);
    for (size_t k = 0; k < g->vertices.n; k++)
        if (k == 0 || g->vertices.at[k].at != g->vertices.at[k - 1].at)
            g->vertices.at[kept++] = g->vertices.at[k];
    g->vertices.n = kept;
    vertices_sort(g, by_node);
    for (size_t k = 0; k < kept; k++)
        g->vertices.at[k].node = (uint32_t)k;
}

static void arcs_make(struct platform_graph *g)
{
    size_t n = g->declared.routes.n;
    uint32_t *from = base_alloc(n * sizeof *from + 1, "routes"),
             *to = base_alloc(n * sizeof *to + 1, "routes");
    g->node_from = from;
    g->node_to = to;
    g->first = base_zalloc((g->nodes + 2) * sizeof *g->first, "routes");
    g->arcs = base_alloc(n * sizeof *g->arcs + 1, "routes");
    for (uint32_t k = 0; k < n; k++) {
        const struct platform_declared *route = &g->declared.routes.at[k];
        bool known = node_of(g, route->from, &from[k]) && node_of(g, route->to, &to[k]);
        BASE_ASSERT("G1", known);
        if (from[k] != to[k])
            g->first[(g->floyd ? to[k] : from[k]) + 2]++;
    }
    for (uint32_t v = 0; v < g->nodes; v++)
        g->first[v + 2] += g->first[v + 1];
    for (uint32_t k = 0; k < n; k++)
        if (from[k] != to[k])
            g->arcs[g->first[(g->floyd ? to[k] : from[k]) + 1]++] =
                (struct platform_arc){g->floyd ? from[k] : to[k], g->declared.routes.at[k].n, k};
}

static int graph_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    struct platform_graph *g = z->graph;
    if (g->floyd)
        vertices_of_zone(p, z, g);
    else
        vertices_of_routes(g);
    g->nodes = (uint32_t)g->vertices.n;
    vertices_sort(g, by_point_node);
    if (platform_declared_seal(p, &g->declared, line, st))
        return -1;
    arcs_make(g);
    platform_graph_search_init(g);
    if (!z->zones)
        platform_loopback_create(p);
    return 0;
}

/* --- the rest ----------------------------------------------------------------------------------- */

static void floyd_open(struct platform_zone *z)
{
    z->graph = base_zalloc(sizeof *z->graph, "routes");
    z->graph->floyd = true;
}

static void dijkstra_open(struct platform_zone *z)
{
    z->graph = base_zalloc(sizeof *z->graph, "routes");
}

static void graph_release(struct platform_zone *z)
{
    struct platform_graph *g = z->graph;
    platform_graph_search_release(g);
    free(g->declared.routes.at);
    free(g->vertices.at);
    free(g->node_from);
    free(g->node_to);
    free(g->first);
    free(g->arcs);
    free(g);
}

static void graph_print(const struct platform *p, const struct platform_zone *z, FILE *out)
{
    (void)p;
    fprintf(out, "%zu declared routes between %u points", z->graph->declared.routes.n, z->graph->nodes);
}

static void graph_check(const struct platform *p, const struct platform_zone *z)
{
    const struct platform_graph *g = z->graph;
    platform_declared_verify(p, z, &g->declared);
    for (uint32_t v = 0; v < g->nodes; v++)
        for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
            uint32_t edge = g->arcs[k].edge;
            BASE_ASSERT("G1", g->node_from[edge] != g->node_to[edge]);
            BASE_ASSERT("G1", v == (g->floyd ? g->node_to : g->node_from)[edge]);
        }
    for (uint32_t slot = 0; slot < g->slots; slot++)
        BASE_ASSERT("G2", g->node_in[slot] == PLATFORM_NONE || g->slot_of[g->node_in[slot]] == slot);
}

#define GRAPH(variable, title, begin)                                                                        \
    const struct platform_zone_kind variable = {                                                             \
        .name = title,                                                                                       \
        .open = begin,                                                                                       \
        .gateways = graph_gateways,                                                                          \
        .append = graph_append,                                                                              \
        .route_add = graph_route_add,                                                                        \
        .seal = graph_seal,                                                                                  \
        .link_find = platform_link_none,                                                                     \
        .release = graph_release,                                                                            \
        .print = graph_print,                                                                                \
        .check = graph_check,                                                                                \
    }
GRAPH(platform_zone_floyd, "Floyd", floyd_open);
GRAPH(platform_zone_dijkstra, "Dijkstra", dijkstra_open);
GRAPH(platform_zone_dijkstra_cache, "DijkstraCache", dijkstra_open);
