/* SPDX-License-Identifier: BSD-3-Clause */
/* route: from the hops of all items to each member's messages (route.h). Kept with the graph. */
#include "coll/neighbor/route.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "routes of combined messages";

/* --- order of hops -------------------------------------------------------------------------------- */

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* As receivers see them. */
static int by_receiver(const void *a, const void *b)
{
    const struct coll_hop *x = a, *y = b;
    int c = compare(x->to, y->to);
    c = c ? c : compare(x->phase, y->phase);
    c = c ? c : compare(x->from, y->from);
    return c ? c : compare(x->item, y->item);
}

/* As senders do: those to places after the sender's first, so that members begin with different ones. */
static int by_sender(const void *a, const void *b)
{
    const struct coll_hop *x = a, *y = b;
    int c = compare(x->from, y->from);
    c = c ? c : compare(x->phase, y->phase);
    c = c ? c : compare(x->to - x->from - 1, y->to - y->from - 1); /* those before are large */
    return c ? c : compare(x->item, y->item);
}

static void sort(struct coll_routing *r, int (*order)(const void *, const void *))
{
    if (r->hops.n)
        qsort(r->hops.at, r->hops.n, sizeof *r->hops.at, order);
}

static void drop_twins(struct coll_routing *r)
{
    size_t n = 0;
    for (size_t k = 0; k < r->hops.n; k++)
        if (!n || by_receiver(&r->hops.at[n - 1], &r->hops.at[k]))
            r->hops.at[n++] = r->hops.at[k];
    r->hops.n = n;
}

/* --- where items are ------------------------------------------------------------------------------- */

/* An item that a member gets, and its slot there. */
struct held {
    uint32_t member, item, slot, phase;
};
struct making {
    const struct coll_routing *from;
    struct coll_route *to;
    struct held *held; /* by member, then item */
    size_t n_hops;
    size_t *first_held; /* n + 1 */
};

static int by_item(const void *a, const void *b)
{
    return compare(((const struct held *)a)->item, ((const struct held *)b)->item);
}

/* Hops are in the order of receivers. */
static void hold(struct making *m)
{
    const struct coll_whole_graph *w = m->from->graph;
    const struct coll_hop *hop = m->from->hops.at;
    size_t k = 0;
    m->n_hops = m->from->hops.n;
    m->held = base_alloc((m->n_hops + 1) * sizeof *m->held, what);
    m->first_held = base_alloc((w->n + 1) * sizeof *m->first_held, what);
    for (uint32_t p = 0; p < w->n; p++) {
        uint32_t slot = coll_route_own(w, m->to, p);
        size_t first = m->first_held[p] = k;
        for (; k < m->n_hops && hop[k].to == p; k++)
            m->held[k] = (struct held){p, hop[k].item, slot++, hop[k].phase};
        m->to->first_in[p] = first;
        qsort(m->held + first, k - first, sizeof *m->held, by_item);
        for (size_t j = first + 1; j < k; j++)
            BASE_ASSERT("N1", m->held[j - 1].item != m->held[j].item);
    }
    m->first_held[w->n] = m->to->first_in[w->n] = k;
}

/* The slot of an item at a member that has it before `phase`. */
static uint32_t slot_of(const struct making *m, uint32_t member, uint32_t item, uint32_t phase)
{
    const struct coll_whole_graph *w = m->from->graph;
    uint32_t first = m->to->each ? w->first_out[member] : member;
    if (item >= first && item - first < coll_route_own(w, m->to, member))
        return item - first;
    const struct held key = {member, item, 0, 0};
    size_t from = m->first_held[member], n = m->first_held[member + 1] - from;
    const struct held *h = n ? bsearch(&key, m->held + from, n, sizeof key, by_item) : NULL;
    BASE_ASSERT("N1", h && h->phase < phase);
    return h->slot;
}

/* --- messages -------------------------------------------------------------------------------------- */

static bool continues(const struct coll_hop *a, const struct coll_hop *b)
{
    return a->phase == b->phase && a->from == b->from && a->to == b->to;
}

static uint32_t count_messages(const struct coll_hop *hop, size_t n)
{
    uint32_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += !k || !continues(&hop[k - 1], &hop[k]);
    return count;
}

/* Hops in the order of receivers (or senders); each one's messages begin at first[place]. */
static struct coll_route_message *make_messages(const struct making *m, bool out, uint32_t *first)
{
    const struct coll_hop *hop = m->from->hops.at;
    uint32_t count = 0, place = 0, n = m->from->graph->n, at = 0;
    struct coll_route_message *made = base_alloc((count_messages(hop, m->n_hops) + 1) * sizeof *made, what);
    first[0] = 0;
    for (size_t k = 0; k < m->n_hops; k++, at++) {
        uint32_t owner = out ? hop[k].from : hop[k].to;
        for (; place < owner; first[++place] = count)
            at = out ? at : 0; /* slots are numbered for each receiver */
        if (!k || !continues(&hop[k - 1], &hop[k]))
            made[count++] = (struct coll_route_message){
                out ? hop[k].to : hop[k].from, hop[k].phase,
                out ? at : coll_route_own(m->from->graph, m->to, owner) + at, 0, COLL_NO_EDGE};
        made[count - 1].count++;
    }
    while (place < n)
        first[++place] = count;
    return made;
}

static void list_sent(struct making *m)
{
    const struct coll_hop *hop = m->from->hops.at;
    m->to->sent = base_alloc((m->n_hops + 1) * sizeof *m->to->sent, what);
    for (size_t k = 0; k < m->n_hops; k++) {
        m->to->sent[k] = slot_of(m, hop[k].from, hop[k].item, hop[k].phase);
        m->to->phases = hop[k].phase + 1 > m->to->phases ? hop[k].phase + 1 : m->to->phases;
    }
}

/* --- arrivals -------------------------------------------------------------------------------------- */

/* The item that comes along edge `e` of a receiver. */
static uint32_t item_of(const struct making *m, uint32_t p, const struct coll_edge *e)
{
    const struct coll_neighbors *from = m->from->graph->member[e->peer];
    if (!m->to->each)
        return e->peer;
    const struct coll_edge *out = coll_edge_find(from->out, from->n_out, p, e->tag);
    BASE_ASSERT("N1", out);
    return m->from->graph->first_out[e->peer] + (uint32_t)(out - from->out);
}

/* Messages of one item that is for the member. */
static void mark_direct(const struct making *m, uint32_t p)
{
    const struct coll_whole_graph *w = m->from->graph;
    uint32_t own = coll_route_own(w, m->to, p);
    uint32_t n = coll_route_received(m->to, p), *edge = base_alloc((n + 1) * sizeof *edge, what);
    for (uint32_t k = 0; k < n; k++)
        edge[k] = COLL_NO_EDGE;
    for (uint32_t k = w->member[p]->n_in; k-- > 0;) {
        uint32_t slot = m->to->last[w->first_in[p] + k];
        if (slot >= own)
            edge[slot - own] = k;
    }
    for (uint32_t k = m->to->in_first[p]; k < m->to->in_first[p + 1]; k++)
        if (m->to->in[k].count == 1)
            m->to->in[k].edge = edge[m->to->in[k].first - own];
    free(edge);
}

static void list_arrivals(struct making *m)
{
    const struct coll_whole_graph *w = m->from->graph;
    m->to->last = base_alloc((w->first_in[w->n] + 1) * sizeof *m->to->last, what);
    for (uint32_t p = 0; p < w->n; p++) {
        for (uint32_t k = 0; k < w->member[p]->n_in; k++)
            m->to->last[w->first_in[p] + k] = slot_of(m, p, item_of(m, p, &w->member[p]->in[k]), UINT32_MAX);
        mark_direct(m, p);
    }
}

/* --- sizes ----------------------------------------------------------------------------------------- */

/* Of each item that is an edge the member it comes from; NULL: items are members. */
static uint32_t *owners_of(const struct making *m)
{
    const struct coll_whole_graph *w = m->from->graph;
    if (!m->to->each)
        return NULL;
    uint32_t *owner = base_alloc((w->first_out[w->n] + 1) * sizeof *owner, what);
    for (uint32_t p = 0; p < w->n; p++)
        for (uint32_t k = w->first_out[p]; k < w->first_out[p + 1]; k++)
            owner[k] = p;
    return owner;
}

/* Which of a member's two sizes each item has that it receives. */
static void list_sizes(struct making *m)
{
    const struct coll_whole_graph *w = m->from->graph;
    uint32_t *set = coll_whole_graph_sizes(w), *owner = owners_of(m);
    m->to->as_sent = base_alloc((m->n_hops + 1) * sizeof *m->to->as_sent, what);
    for (size_t k = 0; k < m->n_hops; k++) {
        const struct held *h = &m->held[k];
        uint32_t size = set[owner ? owner[h->item] : h->item];
        size_t at = m->to->first_in[h->member] + h->slot - coll_route_own(w, m->to, h->member);
        m->to->as_sent[at] = size == set[h->member];
        m->to->blind |= size != set[h->member] && size != set[w->n + h->member];
    }
    free(set);
    free(owner);
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void make(struct coll_route *to, struct coll_routing *from)
{
    struct making m = {.from = from, .to = to};
    size_t room = (from->graph->n + 1) * sizeof(uint32_t);
    to->first_in = base_alloc((from->graph->n + 1) * sizeof *to->first_in, what);
    to->in_first = base_alloc(room, what);
    to->out_first = base_alloc(room, what);
    sort(from, by_receiver);
    drop_twins(from);
    hold(&m);
    to->in = make_messages(&m, false, to->in_first);
    sort(from, by_sender);
    to->out = make_messages(&m, true, to->out_first);
    list_sent(&m);
    list_arrivals(&m);
    list_sizes(&m);
    free(m.held);
    free(m.first_held);
}

static struct coll_route *create(const struct coll_schedule *s, const struct coll_route *key)
{
    struct coll_route *r = base_alloc(sizeof *r, what);
    struct coll_routing from = {.graph = s->local->neighbors->whole,
                                .hosts = key->hosts ? s->hosts : NULL,
                                .radix = key->radix,
                                .each = key->each};
    *r = *key;
    r->exists = key->by->find(&from);
    if (r->exists)
        make(r, &from);
    free(from.hops.at);
    return r;
}

const struct coll_route *coll_route_of(const struct coll_schedule *s, const struct coll_router *by)
{
    struct coll_whole_graph *w = s->local->neighbors->whole;
    const struct coll_route key = {.next = w->routes,
                                   .by = by,
                                   .radix = by->radix ? coll_radix(s, by->radix) : 0,
                                   .hosts = by->hosts && s->hosts ? s->hosts->serial : 0,
                                   .each = by->each || s->call->op == COLL_NEIGHBOR_ALLTOALL};
    for (const struct coll_route *r = w->routes; r; r = r->next)
        if (r->by == by && r->radix == key.radix && r->hosts == key.hosts && r->each == key.each)
            return r;
    return w->routes = create(s, &key);
}

void coll_routes_free(struct coll_route *r)
{
    while (r) {
        struct coll_route *next = r->next;
        free(r->in_first);
        free(r->out_first);
        free(r->in);
        free(r->out);
        free(r->sent);
        free(r->first_in);
        free(r->as_sent);
        free(r->last);
        free(r);
        r = next;
    }
}
