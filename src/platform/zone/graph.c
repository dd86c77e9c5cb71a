/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: zones with routing="Floyd", "Dijkstra" or "DijkstraCache": declared routes are the edges of a graph,
 * and a route is the path over the fewest links. Between zones, the route continues within a zone from the
 * gateway where one edge ends to the one where the next begins. The choice among equally short paths, the
 * order of links, and which points have a loopback are SimGrid's: see docs/platform.md. DijkstraCache is the
 * same as Dijkstra here: both keep trees.
 */
#include "platform/zone/graph.h"

#include <stdlib.h>
#include <string.h>

/* --- routes ------------------------------------------------------------------------------------- */

/* Pushes the edges of the route from a to b, the last one first; false if there is none. */
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
    if (!platform_graph_node(g, from, &a) || !platform_graph_node(g, to, &b) || !hops_push(g, a, b, path))
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

/* SimGrid's Dijkstra lists the links of each edge in reverse order, but adds their latencies in another
 * order, as way_append does. */
static void edge_append(const struct platform *p, const struct platform_graph *g,
                        const struct platform_declared *edge, struct platform_path *path)
{
    if (g->floyd) {
        platform_declared_append(p, edge, path);
        return;
    }
    for (uint32_t k = edge->n; k-- > 0;)
        platform_path_push(path, p->routes->links.at[edge->first + k]);
}

/* Appends the edges of path->hops from `start` on and,
 * where they join zones, the routes between their gateways. */
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

/* Moves the links from `start` on to the front of the list. */
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
    for (size_t k = hops; !g->floyd && k < path->hops.n; k++)
        platform_declared_wait(p, hop(g, path, k), path);
    if (z->zones)
        path->list = start; /* SimGrid starts a separate list here */
    int rc = edges_append(p, z, path, hops);
    path->hops.n = hops;
    path->list = list;
    if (rc == 0 && !g->floyd && !z->zones && start > list)
        move_to_front(path, start);
    return rc;
}

/* The declared route, or the loopback of points that have any route. */
static int itself_append(const struct platform *p, const struct platform_zone *z, platform_point at,
                         struct platform_path *path)
{
    const struct platform_graph *g = z->graph;
    const struct platform_declared *route = platform_declared_find(&g->declared, at, at);
    size_t start = path->links.n;
    if (route) {
        edge_append(p, g, route, path);
        platform_declared_wait(p, route, path);
    } else
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
    if (!platform_graph_node(g, from, &a) || !platform_graph_node(g, to, &b))
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

static int graph_seal(struct platform *p, struct platform_zone *z, uint32_t *line, struct base_status *st)
{
    struct platform_graph *g = z->graph;
    platform_graph_number(p, z, g);
    if (platform_declared_seal(p, &g->declared, line, st))
        return -1;
    platform_graph_join(g);
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
