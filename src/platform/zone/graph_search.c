/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph_search: the shortest paths of Dijkstra and Floyd zones, choosing among equally short ones as SimGrid
 * does.
 *
 * Dijkstra: nodes are settled by (length, number); the first node to reach another one is its predecessor.
 *
 * Floyd: SimGrid fills the whole table in n^3 steps. In round c it allows paths over node c, and replaces a
 * path only by a shorter one. So a shortest path is found in the round of its highest intermediate node, and
 * the first one found is the one whose highest node is lowest: its bottleneck m. It is the path from a to m
 * followed by the path from m to b, both found before. Going backwards from b, (length, bottleneck) settles
 * all nodes at once in the order of the lengths, because every edge has a length. The last edge to b is then
 * that of m's path, or the direct edge if there is no intermediate node. This gives one column of the table
 * without the others.
 */
#include "platform/zone/graph.h"

#include <stdlib.h>
#include <string.h>

enum { TREE_BYTES = 64 << 20 }; /* of one zone */
static const uint64_t unreached = UINT64_MAX;

void platform_graph_search_init(struct platform_graph *g)
{
    size_t n = g->nodes, fit = TREE_BYTES / (n * sizeof(uint32_t) + 1);
    g->slots = (uint32_t)(fit < 2 ? 2 : fit > n ? n : fit);
    g->slot_of = base_alloc(n * sizeof *g->slot_of, "routes");
    g->node_in = base_alloc(g->slots * sizeof *g->node_in, "routes");
    memset(g->slot_of, 0xff, n * sizeof *g->slot_of);
    memset(g->node_in, 0xff, g->slots * sizeof *g->node_in);
    g->trees = base_zalloc(g->slots * sizeof *g->trees, "routes");
    g->length = base_alloc(n * sizeof *g->length, "routes");
    g->via = base_alloc(n * sizeof *g->via, "routes");
    g->bottleneck = base_alloc(n * sizeof *g->bottleneck, "routes");
}

void platform_graph_search_release(struct platform_graph *g)
{
    for (uint32_t k = 0; g->trees && k < g->slots; k++)
        free(g->trees[k]);
    free(g->trees);
    free(g->slot_of);
    free(g->node_in);
    free(g->length);
    free(g->via);
    free(g->bottleneck);
    free(g->heap.at);
}

/* --- the heap: length above, node below; a node may be in it several times, the shortest counts ------- */

static void heap_push(struct platform_graph *g, uint64_t length, uint32_t node)
{
    uint64_t key = length << 32 | node;
    BASE_ARRAY_PUSH(&g->heap, key);
    size_t at = g->heap.n - 1;
    for (; at && g->heap.at[(at - 1) / 2] > key; at = (at - 1) / 2)
        g->heap.at[at] = g->heap.at[(at - 1) / 2];
    g->heap.at[at] = key;
}

static uint64_t heap_pop(struct platform_graph *g)
{
    uint64_t *heap = g->heap.at, top = heap[0], last = heap[--g->heap.n];
    size_t at = 0, n = g->heap.n;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

/* --- the search --------------------------------------------------------------------------------- */

static void reach(struct platform_graph *g, uint32_t node, uint64_t length, uint32_t edge,
                  uint32_t bottleneck)
{
    g->length[node] = length;
    g->via[node] = edge;
    g->bottleneck[node] = bottleneck;
    heap_push(g, length, node);
}

/* Relaxes the arcs of v, which is settled. A node with nothing in
 * between was reached from the root; `via` is the direct edge. */
static void relax(struct platform_graph *g, uint32_t root, uint32_t v)
{
    uint32_t between = 0;
    if (g->floyd && v != root) {
        between = v + 1; /* so that 0 means nothing in between */
        if (g->bottleneck[v] > between)
            between = g->bottleneck[v];
    }
    for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
        const struct platform_arc *arc = &g->arcs[k];
        uint64_t length = g->length[v] + arc->length;
        if (length < g->length[arc->node])
            reach(g, arc->node, length, arc->edge, between);
        else if (length == g->length[arc->node] && between < g->bottleneck[arc->node])
            g->bottleneck[arc->node] = between;
    }
}

static const struct platform_declared *edge_of(const struct platform_graph *g, uint32_t edge)
{
    return &g->declared.routes.at[edge];
}

/* As in SimGrid, a declared route from a node to itself is replaced by a shorter cycle. */
static void circle(const struct platform_graph *g, uint32_t root, uint32_t *tree)
{
    const struct platform_declared *itself = NULL;
    uint32_t bottleneck = 0;
    uint64_t least = unreached;
    for (size_t k = 0; k < g->declared.routes.n; k++)
        if (g->node_from[k] == root && g->node_to[k] == root) {
            itself = edge_of(g, (uint32_t)k);
            tree[root] = (uint32_t)k;
            least = itself->n;
        }
    for (size_t k = 0; itself && k < g->declared.routes.n; k++) {
        uint32_t y = g->node_to[k], between = y + 1;
        if (g->node_from[k] != root || y == root || g->length[y] == unreached)
            continue;
        uint64_t length = edge_of(g, (uint32_t)k)->n + g->length[y];
        if (g->bottleneck[y] > between)
            between = g->bottleneck[y];
        if (length < least || (length == least && bottleneck && between < bottleneck)) {
            least = length;
            bottleneck = between;
        }
    }
    if (bottleneck)
        tree[root] = tree[bottleneck - 1];
}

static void search(struct platform_graph *g, uint32_t root, uint32_t *tree)
{
    for (uint32_t k = 0; k < g->nodes; k++)
        g->length[k] = unreached;
    memset(tree, 0xff, g->nodes * sizeof *tree);
    g->heap.n = 0;
    reach(g, root, 0, PLATFORM_NONE, 0);
    while (g->heap.n) {
        uint64_t top = heap_pop(g);
        uint32_t v = (uint32_t)top;
        if (top >> 32 != g->length[v])
            continue;
        tree[v] = g->bottleneck[v] ? tree[g->bottleneck[v] - 1] : g->via[v];
        relax(g, root, v);
    }
    if (g->floyd)
        circle(g, root, tree);
}

/* --- slots -------------------------------------------------------------------------------------- */

const uint32_t *platform_graph_tree(struct platform_graph *g, uint32_t node)
{
    uint32_t slot = g->slot_of[node];
    if (BASE_UNLIKELY(slot == PLATFORM_NONE)) {
        slot = g->next_slot;
        g->next_slot = (slot + 1) % g->slots;
        if (!g->trees[slot])
            g->trees[slot] = base_alloc(g->nodes * sizeof **g->trees, "routes");
        if (g->node_in[slot] != PLATFORM_NONE)
            g->slot_of[g->node_in[slot]] = PLATFORM_NONE;
        g->slot_of[node] = slot;
        g->node_in[slot] = node;
        search(g, node, g->trees[slot]);
    }
    BASE_ASSERT("G2", g->node_in[slot] == node);
    return g->trees[slot];
}
