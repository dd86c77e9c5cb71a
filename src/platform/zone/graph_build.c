/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph_build: the nodes and arcs of a Floyd or Dijkstra zone, once all of its routes are declared. Nodes are
 * numbered as in SimGrid, because the numbers decide between equally short paths.
 */
#include "platform/zone/graph.h"

#include <stdlib.h>

/* --- nodes -------------------------------------------------------------------------------------- */

bool platform_graph_node(const struct platform_graph *g, platform_point at, uint32_t *node)
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

/* Dijkstra: the points that have routes, in the order in which the routes name them. */
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

void platform_graph_number(const struct platform *p, const struct platform_zone *z, struct platform_graph *g)
{
    if (g->floyd)
        vertices_of_zone(p, z, g);
    else
        vertices_of_routes(g);
    g->nodes = (uint32_t)g->vertices.n;
    vertices_sort(g, by_point_node);
}

/* --- arcs --------------------------------------------------------------------------------------- */

void platform_graph_join(struct platform_graph *g)
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
        bool known =
            platform_graph_node(g, route->from, &from[k]) && platform_graph_node(g, route->to, &to[k]);
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
