/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes: graphs by name (graph.h). */
#include "tune/graph.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "neighbours of trials";
const char tune_graph_shapes[] = "grid-2d, grid-3d, moore-2d, moore-3d or random-D with D from 1 to 4096";
enum { MOST_DIMS = 3, MOST_DEGREE = 4096, SEED = 1 };

/* --- grids ------------------------------------------------------------------------------------------ */

/* The greatest divisor of n that is at most its root of this degree. */
static uint32_t side_of(uint32_t n, uint32_t degree)
{
    uint32_t best = 1;
    for (uint64_t side = 2; side * side * (degree == 3 ? side : 1) <= n; side++)
        if (n % side == 0)
            best = (uint32_t)side;
    return best;
}

/* As nearly equal as the number of members allows, the longest first, as MPI_Dims_create does. */
static void fill_extents(uint32_t n, uint32_t dims, int *extent)
{
    for (uint32_t d = dims; d > 1; d--) {
        uint32_t side = side_of(n, d);
        extent[d - 1] = (int)side;
        n /= side;
    }
    extent[0] = (int)n;
}

/* The place at an offset, around the border. */
static uint32_t moved(uint32_t place, const int *extent, uint32_t dims, const int *offset)
{
    uint32_t to = 0, below = 1;
    for (uint32_t d = dims; d-- > 0;) {
        int at = (int)(place / below % (uint32_t)extent[d]) + offset[d];
        to += (uint32_t)((at + extent[d]) % extent[d]) * below;
        below *= (uint32_t)extent[d];
    }
    return to;
}

static void give_room(struct tune_graph *g, uint32_t n, uint32_t degree)
{
    g->n = n;
    g->degree = degree;
    g->first_from = base_alloc(((size_t)n + 1) * sizeof *g->first_from, what);
    g->first_to = base_alloc(((size_t)n + 1) * sizeof *g->first_to, what);
    g->from = base_alloc((size_t)n * degree * sizeof *g->from + 1, what);
    g->to = base_alloc((size_t)n * degree * sizeof *g->to + 1, what);
    for (uint32_t p = 0; p <= n; p++)
        g->first_from[p] = g->first_to[p] = p * degree;
}

/* Edges by these offsets; from where, for each, is the other way. */
static void fill_stencil(struct tune_graph *g, uint32_t dims, const int (*offset)[MOST_DIMS], bool both)
{
    for (uint32_t p = 0; p < g->n; p++)
        for (uint32_t k = 0; k < g->degree; k++) {
            int back[MOST_DIMS];
            for (uint32_t d = 0; d < dims; d++)
                back[d] = both ? offset[k][d] : -offset[k][d];
            g->to[p * g->degree + k] = moved(p, g->extent, dims, offset[k]);
            g->from[p * g->degree + k] = moved(p, g->extent, dims, back);
        }
}

/* The neighbours of a Cartesian communicator: lists of both directions are the same. */
static void make_grid(struct tune_graph *g, uint32_t n, uint32_t dims)
{
    int offset[2 * MOST_DIMS][MOST_DIMS] = {{0}};
    for (uint32_t k = 0; k < 2 * dims; k++)
        offset[k][k / 2] = k % 2 ? 1 : -1;
    give_room(g, n, 2 * dims);
    fill_extents(n, dims, g->extent);
    fill_stencil(g, dims, (const int(*)[MOST_DIMS])offset, true);
    g->grid = true;
    for (uint32_t d = 0; d < dims; d++)
        if (g->extent[d] > 1)
            g->extent[g->dims++] = g->extent[d];
    for (uint32_t d = g->dims; d < dims; d++)
        g->extent[d] = 0;
}

/* A program passes it as a distributed graph. */
static void make_moore(struct tune_graph *g, uint32_t n, uint32_t dims)
{
    int offset[27][MOST_DIMS] = {{0}};
    uint32_t all = dims == 2 ? 9 : 27, count = 0;
    for (uint32_t k = 0; k < all; k++) {
        if (k == all / 2)
            continue;
        for (uint32_t d = 0, rest = k; d < dims; d++, rest /= 3)
            offset[count][d] = (int)(rest % 3) - 1;
        count++;
    }
    give_room(g, n, count);
    fill_extents(n, dims, g->extent);
    fill_stencil(g, dims, (const int(*)[MOST_DIMS])offset, false);
    memset(g->extent, 0, sizeof g->extent);
}

/* --- random graphs ---------------------------------------------------------------------------------- */

/* The destinations of a member, all different and not itself. */
static void draw(struct base_random *random, uint32_t *to, uint32_t degree, uint32_t p, uint32_t n)
{
    for (uint32_t k = 0; k < degree; k++) {
        bool again = true;
        while (again) {
            to[k] = (uint32_t)base_random_below(random, n);
            again = to[k] == p;
            for (uint32_t j = 0; j < k; j++)
                again |= to[j] == to[k];
        }
    }
}

static void make_random(struct tune_graph *g, uint32_t n, uint32_t degree)
{
    struct base_random random;
    degree = degree < n ? degree : n - 1;
    base_random_seed(&random, SEED, degree);
    give_room(g, n, degree);
    uint32_t *count = base_zalloc(((size_t)n + 1) * sizeof *count, what);
    for (uint32_t p = 0; p < n; p++) {
        draw(&random, &g->to[p * degree], degree, p, n);
        for (uint32_t k = 0; k < degree; k++)
            count[g->to[p * degree + k]]++;
    }
    for (uint32_t p = 0; p < n; p++) {
        g->degree = count[p] > g->degree ? count[p] : g->degree;
        g->first_from[p + 1] = g->first_from[p] + count[p];
        count[p] = g->first_from[p];
    }
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t k = 0; k < degree; k++)
            g->from[count[g->to[p * degree + k]]++] = p;
    free(count);
}

/* --- by name ---------------------------------------------------------------------------------------- */

static bool ends_in_dims(const char *name, const char *kind, uint32_t *dims)
{
    size_t n = strlen(kind);
    if (strncmp(name, kind, n) != 0 || (strcmp(name + n, "2d") != 0 && strcmp(name + n, "3d") != 0))
        return false;
    *dims = (uint32_t)(name[n] - '0');
    return true;
}

struct tune_graph *tune_graph_shape(const char *name, uint32_t n, struct base_status *st)
{
    struct tune_graph *g = base_zalloc(sizeof *g, what);
    uint64_t degree;
    uint32_t dims;
    snprintf(g->name, sizeof g->name, "%s", name);
    if (ends_in_dims(name, "grid-", &dims)) {
        make_grid(g, n, dims);
    } else if (ends_in_dims(name, "moore-", &dims)) {
        make_moore(g, n, dims);
    } else if (!strncmp(name, "random-", 7) && !base_parse_uint(name + 7, &degree, NULL) && degree &&
               degree <= MOST_DEGREE) {
        make_random(g, n, (uint32_t)degree);
    } else {
        free(g);
        base_fail(st, "no shape \"%.40s\": expected %s", name, tune_graph_shapes);
        return NULL;
    }
    return g;
}
