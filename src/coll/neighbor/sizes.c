/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes: which members use parts of one size where parts have no counts. A member sends parts of one size and
 * receives parts of one size, and an edge's two ends have the same. So each member is two nodes, p as a sender
 * and n + p as a receiver, edges join them, and what is not joined may differ.
 */
#include "coll/neighbor/whole.h"

#include <stdlib.h>

static uint32_t set_of(uint32_t *set, uint32_t node)
{
    while (set[node] != node)
        node = set[node] = set[set[node]];
    return node;
}

uint32_t *coll_whole_graph_sizes(const struct coll_whole_graph *w)
{
    uint32_t *set = base_alloc(2 * (size_t)w->n * sizeof *set + 1, "sizes of neighbours");
    for (uint32_t k = 0; k < 2 * w->n; k++)
        set[k] = k;
    for (uint32_t p = 0; p < w->n; p++)
        for (uint32_t k = 0; k < w->member[p]->n_out; k++)
            set[set_of(set, p)] = set_of(set, w->n + w->member[p]->out[k].peer);
    for (uint32_t k = 0; k < 2 * w->n; k++)
        set[k] = set_of(set, k);
    return set;
}

/* Whether every member has edges of all sets, of which there are two at most: then it knows all sizes. */
static bool all_know(const struct coll_whole_graph *w)
{
    uint32_t *set = coll_whole_graph_sizes(w), low = 0, high = 0;
    bool know = true;
    for (uint32_t p = 0; know && p < w->n; p++) {
        const struct coll_neighbors *l = w->member[p];
        uint32_t out = set[l->n_out ? p : w->n + p], in = set[l->n_in ? w->n + p : p];
        uint32_t least = out < in ? out : in, most = out < in ? in : out;
        know = (l->n_out || l->n_in) && (!p || (least == low && most == high));
        low = least;
        high = most;
    }
    free(set);
    return know;
}

static void work_out(struct coll_whole_graph *w)
{
    for (uint32_t p = 0; p < w->n; p++) {
        const struct coll_neighbors *l = w->member[p];
        uint32_t most = l->n_out > l->n_in ? l->n_out : l->n_in;
        w->degree = most > w->degree ? most : w->degree;
    }
    w->sizes_known = all_know(w);
    w->counted = true;
}

struct coll_graph_facts coll_neighbors_facts(const struct coll_call *c)
{
    struct coll_graph_facts f = {0, 0, 0};
    const struct coll_neighbors *l = c->local ? c->local->neighbors : NULL;
    if (!l || !l->whole || !coll_whole_graph_read(l->whole))
        return f;
    struct coll_whole_graph *w = l->whole;
    if (!w->counted)
        work_out(w);
    f.degree = w->degree;
    f.dimensions = l->grid ? w->given.dims : 0;
    if (!w->sizes_known || c->local->dest.counts || c->local->source.counts)
        return f;
    uint64_t sent = l->n_out ? c->bytes : 0, received = l->n_in ? c->local->dest.part : 0;
    f.part = sent > received ? sent : received;
    return f;
}
