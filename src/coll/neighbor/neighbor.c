/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor: neighbourhood collectives on any graph, and its members' lists of edges. Several edges may join
 * the same two members, and an edge may lead from a member to itself. Tags tell messages of parallel edges
 * apart. In a graph, the k-th edge to a peer in one member's list is the k-th from it in the other's. In a
 * Cartesian grid, what is sent in the negative direction arrives from the positive one.
 */
#include "coll/neighbor/neighbor.h"

#include <stdlib.h>

/* --- lists -------------------------------------------------------------------------------------- */

static int by_peer(const void *a, const void *b)
{
    const struct coll_edge *x = a, *y = b;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Returns the number of edges, without those to nobody. */
static uint32_t fill(struct coll_edge *edges, const uint32_t *peers, uint32_t n, bool grid, uint32_t flip)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        if (peers[k] != COLL_NOBODY)
            edges[count++] = (struct coll_edge){peers[k], k ^ flip, k};
    qsort(edges, count, sizeof *edges, by_peer);
    for (uint32_t k = 0; k < count && !grid; k++)
        edges[k].tag = k && edges[k].peer == edges[k - 1].peer ? edges[k - 1].tag + 1 : 0;
    return count;
}

static bool tags_fit(const struct coll_edge *edges, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (edges[k].tag > UINT16_MAX)
            return false;
    return true;
}

static uint32_t count_to(const struct coll_edge *edges, uint32_t n, uint32_t peer)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        count += edges[k].peer == peer;
    return count;
}

struct coll_neighbors *coll_neighbors_create(const struct coll_graph *g, uint32_t me, struct base_status *st)
{
    size_t edges = (size_t)g->n_from + g->n_to;
    struct coll_neighbors *l = base_alloc(sizeof *l + edges * sizeof *l->in, "neighbours");
    l->references = 1;
    l->grid = g->grid;
    l->whole = NULL;
    l->in = (struct coll_edge *)(void *)(l + 1);
    l->out = l->in + g->n_from;
    l->n_in = fill(l->in, g->from, g->n_from, g->grid, g->grid);
    l->n_out = fill(l->out, g->to, g->n_to, g->grid, 0);
    uint32_t in = count_to(l->in, l->n_in, me), out = count_to(l->out, l->n_out, me);
    if (in == out && tags_fit(l->in, l->n_in) && tags_fit(l->out, l->n_out)) {
        l->whole = g->whole ? coll_whole_graph_retain(g->whole) : NULL;
        return l;
    }
    free(l);
    if (in != out)
        base_fail(st, "member %u is %u times among its sources, but %u times among its destinations", me, in,
                  out);
    else
        base_fail(st, "more than %u edges between two members", UINT16_MAX + 1);
    return NULL;
}

const struct coll_edge *coll_edge_find(const struct coll_edge *edges, uint32_t n, uint32_t peer, uint32_t tag)
{
    const struct coll_edge key = {peer, tag, 0};
    return n ? bsearch(&key, edges, n, sizeof key, by_peer) : NULL;
}

bool coll_neighbors_agree(const struct coll_neighbors *const *lists, uint32_t n, struct base_status *st)
{
    uint64_t *sent = base_zalloc(n * sizeof *sent + 1, "edges of a graph");
    bool agree = true;
    for (uint32_t p = 0; agree && p < n; p++)
        for (uint32_t k = 0; agree && k < lists[p]->n_out; k++) {
            const struct coll_edge *e = &lists[p]->out[k];
            agree = e->peer < n && coll_edge_find(lists[e->peer]->in, lists[e->peer]->n_in, p, e->tag);
            if (agree)
                sent[e->peer]++;
            else
                base_fail(st, "member %u sends to member %u, which does not list it as often as source", p,
                          e->peer);
        }
    for (uint32_t p = 0; agree && p < n; p++)
        if (sent[p] != lists[p]->n_in) {
            agree = false;
            base_fail(st, "member %u has %u sources, but only %llu edges lead to it", p, lists[p]->n_in,
                      (unsigned long long)sent[p]);
        }
    free(sent);
    return agree;
}

struct coll_neighbors *coll_neighbors_retain(struct coll_neighbors *l)
{
    l->references++;
    return l;
}

void coll_neighbors_release(struct coll_neighbors *l)
{
    if (!l || --l->references)
        return;
    coll_whole_graph_release(l->whole);
    free(l);
}

/* --- the operations ----------------------------------------------------------------------------- */

/* Edges of which dimension; or all. */
enum { ALL = UINT32_MAX };

static bool is_of(const struct coll_schedule *s, const struct coll_edge *e, uint32_t dimension)
{
    return e->peer != s->me && (dimension == ALL || e->part / 2 == dimension);
}

static void add_receives(struct coll_schedule *s, const struct coll_neighbors *l, uint32_t dimension)
{
    for (uint32_t k = 0; k < l->n_in; k++)
        if (is_of(s, &l->in[k], dimension))
            coll_add_receive_part(s, l->in[k].peer, l->in[k].tag, l->in[k].part);
}

/* The first edge to a place after mine. Sends begin there, so that the members begin with different ones. */
static uint32_t first_after(const struct coll_neighbors *l, uint32_t me)
{
    uint32_t low = 0, high = l->n_out;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (l->out[mid].peer <= me)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

coll_place coll_neighbor_sends(const struct coll_schedule *s, const struct coll_edge *e, uint64_t *bytes)
{
    bool each = s->call->op == COLL_NEIGHBOR_ALLTOALL;
    *bytes = each ? coll_part_bytes(s, COLL_SOURCE, e->part) : s->bytes;
    return each ? coll_part_at(s, COLL_SOURCE, e->part) : coll_at(COLL_SOURCE, 0);
}

static void add_sends(struct coll_schedule *s, const struct coll_neighbors *l, uint32_t dimension)
{
    uint32_t first = first_after(l, s->me);
    for (uint32_t k = 0; k < l->n_out; k++) {
        const struct coll_edge *e = &l->out[k < l->n_out - first ? first + k : k - (l->n_out - first)];
        uint64_t bytes;
        coll_place from = coll_neighbor_sends(s, e, &bytes);
        if (is_of(s, e, dimension))
            coll_add_send(s, e->peer, e->tag, from, bytes);
    }
}

/* Edges from a member to itself, in both lists in the same order. */
static void add_own_edges(struct coll_schedule *s, const struct coll_neighbors *l)
{
    uint32_t in = 0;
    for (uint32_t k = 0; k < l->n_out; k++) {
        if (l->out[k].peer != s->me)
            continue;
        while (l->in[in].peer != s->me)
            in++;
        uint64_t bytes;
        coll_place from = coll_neighbor_sends(s, &l->out[k], &bytes);
        uint64_t to = coll_place_offset(coll_part_at(s, COLL_DEST, l->in[in++].part));
        coll_add_own(s, coll_place_offset(from), to, bytes);
    }
}

/* Each member sends along all of its edges at once, one message per edge. With d edges: d issue overheads,
 * then a + d m/B. */
bool coll_neighbor_linear(struct coll_schedule *s, uint32_t round)
{
    if (round)
        return false;
    const struct coll_neighbors *l = s->local->neighbors;
    add_receives(s, l, ALL);
    add_sends(s, l, ALL);
    add_own_edges(s, l);
    return true;
}

/* The same with at most 4 sends outstanding at a member (coll/window): d/4 times what a send takes until it
 * is done, then a + d m/B. */
bool coll_neighbor_windows(struct coll_schedule *s, uint32_t round)
{
    const struct coll_neighbors *l = s->local->neighbors;
    uint32_t width = coll_outstanding(s, 4);
    if (round)
        return false;
    add_receives(s, l, ALL);
    add_sends(s, l, ALL);
    for (uint64_t k = s->receives; k + width < s->n; k++)
        coll_order(s, (uint32_t)k, (uint32_t)k + width);
    add_own_edges(s, l);
    return true;
}

static uint32_t dimensions(const struct coll_neighbors *l)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < l->n_out; k++)
        n = l->out[k].part / 2 + 1 > n ? l->out[k].part / 2 + 1 : n;
    for (uint32_t k = 0; k < l->n_in; k++)
        n = l->in[k].part / 2 + 1 > n ? l->in[k].part / 2 + 1 : n;
    return n;
}

/* On a Cartesian grid, with the neighbours of one dimension after the other, as stencil codes do by hand:
 * fewer messages share a link. For D dimensions D (a + 2 m/B). On other graphs all edges at once. */
bool coll_neighbor_by_dimension(struct coll_schedule *s, uint32_t round)
{
    const struct coll_neighbors *l = s->local->neighbors;
    if (!l->grid)
        return coll_neighbor_linear(s, round);
    uint32_t n = dimensions(l);
    if (round > n)
        return false;
    if (round == n) {
        add_own_edges(s, l);
        return true;
    }
    add_receives(s, l, round);
    add_sends(s, l, round);
    return true;
}

/* Between two groups, as MPICH does it: in round i, member r of either side sends to member r + i of the other one
 * and receives from member r - i, modulo the size of the larger side, where there is one. max(n, n') (a + m/B) for
 * sides of n and n' members; 2 n n' messages. */
bool coll_neighbor_pairwise(struct coll_schedule *s, uint32_t round)
{
    const struct coll_neighbors *l = s->local->neighbors;
    uint32_t first = s->call->sides, second = s->size - first, most = first > second ? first : second;
    uint32_t me = s->me < first ? s->me : s->me - first;
    if (round >= most)
        return false;
    uint32_t from = (me + (most - round)) % most, to = (uint32_t)(((uint64_t)me + round) % most);
    if (from < l->n_in)
        coll_add_receive_part(s, l->in[from].peer, l->in[from].tag, l->in[from].part);
    if (to < l->n_out)
        coll_add_send_part(s, l->out[to].peer, l->out[to].tag, l->out[to].part);
    return true;
}
