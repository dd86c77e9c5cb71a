/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event: broadcasts in which a segment is sent on as soon as it is there, whatever becomes of others: no
 * member waits for a round, and a slow child does not hold up its siblings. A member has three receives
 * posted, and `coll/window` sends under way to each child (Luo et al., "ADAPT: an event-based adaptive
 * collective communication framework", HPDC 2018, which is Open MPI's coll/adapt; MPICH's schedules of
 * transport operations do the same).
 *
 * a is the time of one small message, B the bandwidth, m the bytes, n members, S segments, d a tree's depth,
 * f the most children of a member: about (d + S - 1)(a + f m/(S B)), and S (n - 1) messages.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/down.h"

#define KIB(n) ((uint64_t)(n) << 10)

enum { POSTED = 3, WINDOW = 2, TREES = 2, TAGS = 2 * BROADCAST_BATCH };

/* The segments of one round, which go down `trees` trees in turn. */
struct events {
    struct coll_schedule *s;
    const struct broadcast_tree *tree;
    uint32_t trees, window;
    uint64_t segment, segments, from, end;
    uint32_t first_receive[TREES]; /* its step, of the first segment of the round that goes down this tree */
    bool mixed;                    /* both trees' receives are in one sequence, as they are of one parent */
};

static uint64_t bytes_of(const struct events *e, uint64_t k)
{
    uint64_t left = e->s->bytes - k * e->segment;
    return left < e->segment ? left : e->segment;
}

static uint32_t receive_of(const struct events *e, uint64_t k)
{
    return e->first_receive[k % e->trees] + (uint32_t)((k - e->from) / (e->mixed ? 1 : e->trees));
}

/* From the parent in tree t; all have been added when the first send is. */
static void add_receives(struct events *e, uint32_t t)
{
    struct coll_schedule *s = e->s;
    const struct broadcast_tree *tree = &e->tree[t];
    e->first_receive[t] = s->n;
    for (uint64_t k = e->from + t; k < e->end; k += e->mixed ? 1 : e->trees)
        coll_add_receive(s, broadcast_parent(tree), (uint32_t)(k % TAGS), coll_at(COLL_DEST, k * e->segment),
                         bytes_of(e, k));
}

/* They ascend by (place, tag), as C4 says. */
static void add_all_receives(struct events *e)
{
    uint32_t parent[TREES] = {0};
    if (!e->tree[0].me)
        return;
    for (uint32_t t = 0; t < e->trees; t++)
        parent[t] = broadcast_parent(&e->tree[t]);
    e->mixed = e->trees > 1 && parent[0] == parent[1];
    uint32_t other = e->trees > 1 && parent[1] < parent[0];
    for (uint32_t t = 0; t < (e->mixed ? 1 : e->trees); t++)
        add_receives(e, t ^ other);
    e->first_receive[1] = e->mixed ? e->first_receive[0] : e->first_receive[1];
}

/* The sends of segment k, and what its receive lets begin: those, and by a join the receive of a later
 * one. */
static void add_sends(struct events *e, uint64_t k, uint32_t *sent, uint32_t children)
{
    struct coll_schedule *s = e->s;
    const struct broadcast_tree *tree = &e->tree[k % e->trees];
    bool receives = tree->me > 0;
    uint64_t later = k + (uint64_t)POSTED * e->trees, ago = (uint64_t)e->window * e->trees;
    uint32_t first = s->n;
    for (uint32_t c = 0; c < children; c++) {
        uint32_t step = coll_add_send(s, broadcast_child(tree, c), (uint32_t)(k % TAGS),
                                      broadcast_data(s, k * e->segment), bytes_of(e, k));
        if (receives)
            coll_order(s, receive_of(e, k), step);
        if (k >= e->from + ago)
            coll_order(s, sent[(k - ago) - e->from] + c, step);
    }
    sent[k - e->from] = first;
    if (receives && later < e->end) {
        uint32_t join = coll_add_join(s), held = receive_of(e, later);
        coll_order(s, receive_of(e, k), join);
        coll_order(s, join, held);
        s->steps[held].state = COLL_HELD;
    }
}

static uint32_t children_of(const struct broadcast_tree *t)
{
    uint32_t n = 0;
    while (broadcast_child(t, n) != COLL_NOBODY)
        n++;
    return n;
}

static void add_round(struct events *e)
{
    uint32_t sent[BROADCAST_BATCH], children[TREES];
    for (uint32_t t = 0; t < e->trees; t++)
        children[t] = children_of(&e->tree[t]);
    add_all_receives(e);
    for (uint64_t k = e->from; k < e->end; k++)
        add_sends(e, k, sent, children[k % e->trees]);
}

static bool events(struct coll_schedule *s, uint32_t round, const struct broadcast_tree *tree, uint32_t trees,
                   uint64_t segment)
{
    struct events e = {.s = s, .tree = tree, .trees = trees, .window = coll_outstanding(s, WINDOW)};
    e.segment = coll_segment(s, segment);
    e.segments = s->bytes ? (s->bytes - 1) / e.segment + 1 : 1;
    uint64_t rounds = (e.segments + BROADCAST_BATCH - 1) / BROADCAST_BATCH;
    e.from = (uint64_t)round * BROADCAST_BATCH;
    e.end = e.from + BROADCAST_BATCH < e.segments ? e.from + BROADCAST_BATCH : e.segments;
    if (round == rounds)
        broadcast_root_copy(s);
    if (round < rounds)
        add_round(&e);
    return round <= rounds;
}

static bool one_tree(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape,
                     uint32_t fan)
{
    struct broadcast_tree t = broadcast_tree(s, shape, fan, s->root);
    return events(s, round, &t, 1, KIB(128));
}

/* One chain, or k. */
bool coll_broadcast_event_chains(struct coll_schedule *s, uint32_t round)
{
    return one_tree(s, round, &broadcast_chains, coll_radix(s, 1));
}

/* k-ary tree, k own 2. */
bool coll_broadcast_event_tree(struct coll_schedule *s, uint32_t round)
{
    return one_tree(s, round, &broadcast_heap_tree, coll_radix(s, 2));
}

/* k-nomial tree, k own 2. */
bool coll_broadcast_event_knomial(struct coll_schedule *s, uint32_t round)
{
    return one_tree(s, round, &broadcast_knomial_tree, coll_radix(s, 2));
}

/* k-nomial tree whose subtrees are runs of neighbours, k own 4. */
bool coll_broadcast_event_runs(struct coll_schedule *s, uint32_t round)
{
    return one_tree(s, round, &broadcast_knomial_runs, coll_radix(s, 4));
}

/* --- two trees ---------------------------------------------------------------------------------- */

/* The binary tree in which numbers 1 to p are in order: a number's height is that of its lowest bit, its
 * children are half a height's weight away. Where the right one would be above p, its left descendants
 * take its place. */
static uint32_t in_order_parent(uint32_t x, uint32_t p)
{
    do {
        uint32_t low = x & (~x + 1);
        x = x & 2 * low ? x - low : x + low;
    } while (x > p);
    return x;
}

static uint32_t in_order_child(uint32_t x, uint32_t p, uint32_t k)
{
    uint32_t half = (x & (~x + 1)) / 2;
    if (!half)
        return COLL_NOBODY;
    if (k == 0)
        return x - half;
    for (x += half; x > p && half; x -= half)
        half /= 2;
    return half || x <= p ? x : COLL_NOBODY;
}

/* Below the broadcast's root, number 0, which is in neither; `fan` 0: as above, 1: with inner members and
 * leaves swapped, by mirroring if p is even, else by one place around. */
static uint32_t to_order(const struct broadcast_tree *t, uint32_t v)
{
    uint32_t p = t->n - 1;
    if (!t->fan)
        return v;
    return p % 2 ? v % p + 1 : p + 1 - v;
}

static uint32_t from_order(const struct broadcast_tree *t, uint32_t x)
{
    uint32_t p = t->n - 1;
    if (!t->fan)
        return x;
    return p % 2 ? (x + p - 2) % p + 1 : p + 1 - x;
}

static uint32_t two_parent(const struct broadcast_tree *t, uint32_t v)
{
    uint32_t x = to_order(t, v), p = t->n - 1;
    return x == coll_power_below(p) ? 0 : from_order(t, in_order_parent(x, p));
}

static uint32_t two_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint32_t p = t->n - 1;
    if (!p || k > 1 || (!v && k))
        return COLL_NOBODY;
    if (!v)
        return from_order(t, coll_power_below(p));
    uint32_t x = in_order_child(to_order(t, v), p, k);
    return x == COLL_NOBODY ? x : from_order(t, x);
}

static const struct broadcast_shape two_trees = {two_parent, two_child};

/* Two binary trees below the root, a member being a leaf in one of them and having two children in the
 * other, so that each receives and sends as much (Sanders, Speck, Traeff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009; event-driven, without their
 * colours). Segments, own 32 KiB, go down the trees in turn. About (2 log2 n + S)(a + m/(S B)); S (n - 1)
 * messages. */
bool coll_broadcast_two_trees(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_tree t[TREES];
    for (uint32_t k = 0; k < TREES; k++)
        t[k] = broadcast_tree(s, &two_trees, k, s->root);
    return events(s, round, t, TREES, KIB(32));
}
