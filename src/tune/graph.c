/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: lists of neighbours as values: from a program's communicator, as bytes, and as calls need them. */
#include "tune/graph.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "neighbours of trials";

static struct tune_graph *with_room(uint32_t n)
{
    struct tune_graph *g = base_zalloc(sizeof *g, what);
    g->n = n;
    g->first_from = base_zalloc(((size_t)n + 1) * sizeof *g->first_from, what);
    g->first_to = base_zalloc(((size_t)n + 1) * sizeof *g->first_to, what);
    return g;
}

void tune_graph_destroy(struct tune_graph *g)
{
    if (!g)
        return;
    free(g->first_from);
    free(g->first_to);
    free(g->from);
    free(g->to);
    free(g);
}

void tune_graph_list(const struct tune_graph *g, uint32_t p, struct coll_graph *out)
{
    *out = (struct coll_graph){.from = g->from + g->first_from[p],
                               .to = g->to + g->first_to[p],
                               .n_from = g->first_from[p + 1] - g->first_from[p],
                               .n_to = g->first_to[p + 1] - g->first_to[p],
                               .grid = g->grid};
}

uint64_t tune_graph_fingerprint(const struct tune_graph *g)
{
    uint64_t of = base_fnv(BASE_FNV, &g->grid, sizeof g->grid);
    of = base_fnv(of, g->extent, sizeof g->extent);
    of = base_fnv(of, g->first_from, ((size_t)g->n + 1) * sizeof *g->first_from);
    of = base_fnv(of, g->first_to, ((size_t)g->n + 1) * sizeof *g->first_to);
    of = base_fnv(of, g->from, g->first_from[g->n] * sizeof *g->from);
    return base_fnv(of, g->to, g->first_to[g->n] * sizeof *g->to);
}

/* --- of a program ----------------------------------------------------------------------------------- */

static uint32_t edges_of(const uint32_t *list, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        count += list[k] != COLL_NOBODY;
    return count;
}

static void count_edges(struct tune_graph *g, uint32_t p, const struct coll_graph *lists)
{
    uint32_t in = edges_of(lists->from, lists->n_from), out = edges_of(lists->to, lists->n_to);
    g->degree = in > g->degree ? in : g->degree;
    g->degree = out > g->degree ? out : g->degree;
    g->first_from[p + 1] = g->first_from[p] + lists->n_from;
    g->first_to[p + 1] = g->first_to[p] + lists->n_to;
}

static void make_room(struct tune_graph *g)
{
    g->from = base_alloc(((size_t)g->first_from[g->n] + 1) * sizeof *g->from, what);
    g->to = base_alloc(((size_t)g->first_to[g->n] + 1) * sizeof *g->to, what);
}

struct tune_graph *tune_graph_of(const struct coll_neighbors *l, uint32_t n)
{
    struct coll_graph lists;
    if (!coll_neighbors_of_all(l, 0, &lists))
        return NULL;
    struct tune_graph *g = with_room(n);
    for (uint32_t p = 0; p < n; p++) {
        (void)coll_neighbors_of_all(l, p, &lists);
        count_edges(g, p, &lists);
    }
    make_room(g);
    for (uint32_t p = 0; p < n; p++) {
        (void)coll_neighbors_of_all(l, p, &lists);
        memcpy(g->from + g->first_from[p], lists.from, lists.n_from * sizeof *g->from);
        memcpy(g->to + g->first_to[p], lists.to, lists.n_to * sizeof *g->to);
    }
    g->grid = lists.grid;
    g->dims = coll_neighbors_grid(l, g->extent, TUNE_GRAPH_DIMS);
    if (g->dims)
        snprintf(g->name, sizeof g->name, "grid-%ud", g->dims);
    else
        snprintf(g->name, sizeof g->name, "graph-%u", g->degree);
    return g;
}

static uint32_t *copied(const uint32_t *list, size_t n)
{
    uint32_t *copy = base_alloc((n + 1) * sizeof *copy, what);
    memcpy(copy, list, n * sizeof *copy);
    return copy;
}

struct tune_graph *tune_graph_copy(const struct tune_graph *g)
{
    struct tune_graph *copy = base_alloc(sizeof *copy, what);
    *copy = *g;
    copy->first_from = copied(g->first_from, (size_t)g->n + 1);
    copy->first_to = copied(g->first_to, (size_t)g->n + 1);
    copy->from = copied(g->from, g->first_from[g->n]);
    copy->to = copied(g->to, g->first_to[g->n]);
    return copy;
}

/* --- as bytes --------------------------------------------------------------------------------------- */

void tune_graph_write(const struct tune_graph *g, void (*put)(const void *bytes, size_t n))
{
    put(g, sizeof *g);
    put(g->first_from, ((size_t)g->n + 1) * sizeof *g->first_from);
    put(g->first_to, ((size_t)g->n + 1) * sizeof *g->first_to);
    put(g->from, g->first_from[g->n] * sizeof *g->from);
    put(g->to, g->first_to[g->n] * sizeof *g->to);
}

struct tune_graph *tune_graph_read(bool (*get)(void *arg, void *bytes, size_t n), void *arg)
{
    struct tune_graph head;
    if (!get(arg, &head, sizeof head))
        return NULL;
    struct tune_graph *g = with_room(head.n);
    uint32_t *first_from = g->first_from, *first_to = g->first_to;
    *g = head;
    g->first_from = first_from;
    g->first_to = first_to;
    g->from = g->to = NULL;
    bool good = get(arg, first_from, ((size_t)g->n + 1) * sizeof *first_from) &&
                get(arg, first_to, ((size_t)g->n + 1) * sizeof *first_to);
    if (good) {
        make_room(g);
        good = get(arg, g->from, g->first_from[g->n] * sizeof *g->from) &&
               get(arg, g->to, g->first_to[g->n] * sizeof *g->to);
    }
    if (good)
        return g;
    tune_graph_destroy(g);
    return NULL;
}
