/* SPDX-License-Identifier: BSD-3-Clause */
/* whole: reads the lists of all members when they are first needed, and sees whether they are a stencil's. */
#include "coll/neighbor/whole.h"
#include "coll/neighbor/route.h"

#include <stdlib.h>

static const char what[] = "graphs of neighbours";
enum { MOST_EDGES = 1 << 30, FEW_DIMS = 6 };

struct coll_whole_graph *coll_whole_graph_create(uint32_t n, const int *dims, uint32_t n_dims,
                                                 const struct coll_graph_lists *lists, void *ctx)
{
    struct coll_whole_graph *w = base_zalloc(sizeof *w, what);
    *w = (struct coll_whole_graph){.references = 1, .n = n, .lists = lists, .ctx = ctx};
    for (uint32_t d = 0; d < n_dims; d++)
        if (dims[d] > 1 && w->given.dims < COLL_MOST_DIMS)
            w->given.extent[w->given.dims++] = (uint32_t)dims[d];
    uint64_t places = 1;
    for (uint32_t d = 0; d < w->given.dims; d++)
        places *= w->given.extent[d];
    if (places != n)
        w->given.dims = 0;
    return w;
}

struct coll_whole_graph *coll_whole_graph_retain(struct coll_whole_graph *w)
{
    w->references++;
    return w;
}

static void release_members(struct coll_neighbors **member, uint32_t n)
{
    for (uint32_t p = 0; member && p < n; p++)
        coll_neighbors_release(member[p]);
    free(member);
}

void coll_whole_graph_release(struct coll_whole_graph *w)
{
    if (!w || --w->references)
        return;
    coll_routes_free(w->routes);
    release_members(w->member, w->n);
    free(w->first_out);
    free(w->first_in);
    w->lists->release(w->ctx);
    free(w);
}

/* --- reading ------------------------------------------------------------------------------------ */

static void number_edges(struct coll_whole_graph *w)
{
    w->first_out = base_zalloc((w->n + 1) * sizeof *w->first_out, what);
    w->first_in = base_zalloc((w->n + 1) * sizeof *w->first_in, what);
    for (uint32_t p = 0; p < w->n; p++) {
        w->first_out[p + 1] = w->first_out[p] + w->member[p]->n_out;
        w->first_in[p + 1] = w->first_in[p] + w->member[p]->n_in;
    }
}

bool coll_whole_graph_read(struct coll_whole_graph *w)
{
    struct base_status st;
    uint64_t edges = 0;
    bool good = true;
    if (w->read)
        return w->member != NULL;
    struct coll_neighbors **member = base_zalloc((w->n + 1) * sizeof *member, what);
    for (uint32_t p = 0; good && p < w->n; p++) {
        struct coll_graph g = {0};
        w->lists->list(w->ctx, p, &g);
        g.whole = NULL;
        edges += (uint64_t)g.n_from + g.n_to;
        member[p] = edges < MOST_EDGES ? coll_neighbors_create(&g, p, &st) : NULL;
        good = member[p] != NULL;
    }
    good = good && coll_neighbors_agree((const struct coll_neighbors *const *)member, w->n, &st);
    w->read = true;
    if (good) {
        w->member = member;
        number_edges(w);
    } else {
        release_members(member, w->n);
    }
    return good;
}

bool coll_neighbors_of_all(const struct coll_neighbors *l, uint32_t p, struct coll_graph *g)
{
    struct coll_whole_graph *w = l->whole;
    *g = (struct coll_graph){0};
    if (!w || !coll_whole_graph_read(w))
        return false;
    w->lists->list(w->ctx, p, g);
    return true;
}

uint32_t coll_neighbors_grid(const struct coll_neighbors *l, int *extent, uint32_t most)
{
    const struct coll_shape *g = l->whole ? &l->whole->given : NULL;
    if (!l->grid || !g || g->dims > most)
        return 0;
    for (uint32_t d = 0; d < g->dims; d++)
        extent[d] = (int)g->extent[d];
    return g->dims;
}

/* --- stencils ----------------------------------------------------------------------------------- */

/* The place in the middle, which has all of a stencil's neighbours if any place does. */
static uint32_t middle_of(const struct coll_shape *g)
{
    uint32_t place = 0;
    for (uint32_t d = 0; d < g->dims; d++)
        place = place * g->extent[d] + g->extent[d] / 2;
    return place;
}

/* The place that is from `u` where `v` is from `m`; bit d of `wraps`: dimension d is a ring. false: outside. */
static bool moved(const struct coll_shape *g, unsigned wraps, uint32_t m, uint32_t v, uint32_t u,
                  uint32_t *to)
{
    uint32_t place = 0;
    for (uint32_t d = 0; d < g->dims; d++) {
        int64_t extent = g->extent[d];
        int64_t at = (int64_t)coll_shape_at(g, d, u) + coll_shape_at(g, d, v) - coll_shape_at(g, d, m);
        if (wraps >> d & 1)
            at = (at + extent) % extent;
        if (at < 0 || at >= extent)
            return false;
        place = place * g->extent[d] + (uint32_t)at;
    }
    *to = place;
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Member u has the neighbours of the one in the middle; `room` for their list. */
static bool is_alike(const struct coll_whole_graph *w, const struct coll_shape *g, unsigned wraps, uint32_t u,
                     uint32_t *room)
{
    uint32_t m = middle_of(g), n = 0;
    const struct coll_neighbors *of_middle = w->member[m], *of_u = w->member[u];
    for (uint32_t k = 0; k < of_middle->n_out; k++)
        n += moved(g, wraps, m, of_middle->out[k].peer, u, &room[n]);
    if (n != of_u->n_out)
        return false;
    qsort(room, n, sizeof *room, by_number);
    for (uint32_t k = 0; k < n; k++)
        if (room[k] != of_u->out[k].peer)
            return false;
    return true;
}

static bool is_stencil(const struct coll_whole_graph *w, const struct coll_shape *g, unsigned wraps)
{
    bool alike = true;
    uint32_t *room = base_alloc((w->member[middle_of(g)]->n_out + 1) * sizeof *room, what);
    for (uint32_t u = 0; alike && u < w->n; u++)
        alike = is_alike(w, g, wraps, u, room);
    free(room);
    return alike;
}

static bool is_stencil_somehow(const struct coll_whole_graph *w, const struct coll_shape *g)
{
    unsigned all = (1u << g->dims) - 1;
    for (unsigned wraps = 0; g->dims <= FEW_DIMS && wraps < all; wraps++)
        if (is_stencil(w, g, wraps))
            return true;
    return is_stencil(w, g, all) || (g->dims > FEW_DIMS && is_stencil(w, g, 0));
}

/* Messages of a member in the middle that follow the dimensions: one for each distance in each of them. */
static uint32_t messages_of(const struct coll_whole_graph *w, const struct coll_shape *g)
{
    const struct coll_neighbors *l = w->member[middle_of(g)];
    uint32_t count = 0, *at = base_alloc((l->n_out + 1) * sizeof *at, what);
    for (uint32_t d = 0; d < g->dims; d++) {
        for (uint32_t k = 0; k < l->n_out; k++)
            at[k] = coll_shape_at(g, d, l->out[k].peer);
        qsort(at, l->n_out, sizeof *at, by_number);
        for (uint32_t k = 0; k < l->n_out; k++)
            count += at[k] != g->extent[d] / 2 && (!k || at[k] != at[k - 1]);
    }
    free(at);
    return count;
}

static void try_shape(struct coll_whole_graph *w, const struct coll_shape *g)
{
    if (w->shape.dims && messages_of(w, g) >= messages_of(w, &w->shape))
        return;
    if (is_stencil_somehow(w, g))
        w->shape = *g;
}

static void try_shapes(struct coll_whole_graph *w, uint32_t dims)
{
    uint32_t n = w->n;
    for (uint32_t a = 2; a <= n / 2; a++) {
        if (n % a)
            continue;
        if (dims == 2)
            try_shape(w, &(struct coll_shape){2, {a, n / a}});
        for (uint32_t b = 2; dims == 3 && b <= n / a / 2; b++)
            if (n / a % b == 0)
                try_shape(w, &(struct coll_shape){3, {a, b, n / a / b}});
    }
}

/* Of shapes with as few messages the one of the fewest dimensions, as items make fewer hops there. */
const struct coll_shape *coll_whole_graph_shape(struct coll_whole_graph *w)
{
    if (w->shaped)
        return &w->shape;
    w->shaped = true;
    try_shape(w, &(struct coll_shape){1, {w->n}});
    try_shapes(w, 2);
    try_shapes(w, 3);
    if (w->given.dims)
        try_shape(w, &w->given);
    return &w->shape;
}

bool coll_whole_graph_is_circulant(struct coll_whole_graph *w)
{
    if (!w->turned)
        w->circulant = is_stencil(w, &(struct coll_shape){1, {w->n}}, 1);
    w->turned = true;
    return w->circulant;
}

unsigned coll_neighbors_lack(const struct coll_neighbors *l, unsigned traits)
{
    if (!(traits & (COLL_WHOLE_GRAPH | COLL_STENCIL | COLL_CIRCULANT)))
        return 0;
    if (!l || !l->whole || !coll_whole_graph_read(l->whole))
        return COLL_WHOLE_GRAPH;
    if (traits & COLL_STENCIL && !coll_whole_graph_shape(l->whole)->dims)
        return COLL_STENCIL;
    if (traits & COLL_CIRCULANT && !coll_whole_graph_is_circulant(l->whole))
        return COLL_CIRCULANT;
    return 0;
}
