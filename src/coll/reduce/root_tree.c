/* SPDX-License-Identifier: BSD-3-Clause */
/* root_tree: parents and children in the trees of root_tree.h. */
#include "coll/reduce/root_tree.h"

static uint32_t place_of(const struct root_tree *t, uint64_t v)
{
    return (uint32_t)((t->first + v) % t->s->size);
}

/* --- chains --------------------------------------------------------------------------------------- */

/* The first chains have one member more than the others. */
struct chains {
    uint32_t n, length, longer;
};

static struct chains chains_of(const struct root_tree *t)
{
    uint32_t others = t->s->size - 1, n = t->k < others ? t->k : others;
    n = n ? n : 1;
    return (struct chains){n, others / n, others % n};
}

static uint32_t head(const struct chains *c, uint32_t k)
{
    return 1 + k * c->length + (k < c->longer ? k : c->longer);
}

static void find_in_chains(struct root_tree *t)
{
    struct chains c = chains_of(t);
    uint32_t k = 0, v = t->me;
    if (!v) {
        t->children = t->s->size > 1 ? c.n : 0;
        return;
    }
    uint32_t whole = c.longer * (c.length + 1);
    BASE_ASSERT("C10", c.length);
    k = v - 1 < whole ? (v - 1) / (c.length + 1) : c.longer + (v - 1 - whole) / c.length;
    t->parent = place_of(t, v == head(&c, k) ? 0 : v - 1);
    t->children = v + 1 < t->s->size && (k + 1 == c.n || v + 1 < head(&c, k + 1));
}

/* --- trees of levels ------------------------------------------------------------------------------ */

/* The size of the level that v is on, and the number at which it begins. */
static uint64_t level_of(uint32_t v, uint32_t k, uint64_t *begin)
{
    uint64_t width = 1;
    *begin = 0;
    while (v >= *begin + width) {
        *begin += width;
        width *= k;
    }
    return width;
}

static void find_in_levels(struct root_tree *t)
{
    uint64_t begin, width = level_of(t->me, t->k, &begin);
    if (t->me) {
        uint64_t above = width / t->k, up = t->me;
        while (up >= begin)
            up -= above;
        t->parent = place_of(t, up);
    }
    while (t->children < t->k && t->me + width * (t->children + 1) < t->s->size)
        t->children++;
}

static void find_in_heap(struct root_tree *t)
{
    uint64_t child = (uint64_t)t->me * t->k + 1;
    if (t->me)
        t->parent = place_of(t, (t->me - 1) / t->k);
    if (child < t->s->size)
        t->children = t->s->size - child < t->k ? (uint32_t)(t->s->size - child) : t->k;
}

static void find_in_knomial(struct root_tree *t)
{
    uint64_t w = 1;
    for (; w < t->s->size && t->me % (w * t->k) == 0; w *= t->k)
        for (uint64_t c = 1; c < t->k && t->me + c * w < t->s->size; c++)
            t->children++;
    if (t->me)
        t->parent = place_of(t, coll_tree_parent(t->me, t->k));
}

static uint32_t knomial_child(const struct root_tree *t, uint32_t i)
{
    uint64_t w = 1;
    for (; i >= t->k - 1; i -= t->k - 1)
        w *= t->k;
    return place_of(t, t->me + (i + 1) * w);
}

/* --- in order ------------------------------------------------------------------------------------- */

/* A subtree of n places has its root last. Its first half is one child's, the rest the other's. */
static void find_in_order(struct root_tree *t)
{
    uint32_t low = 0, n = t->s->size;
    while (low + n - 1 != t->me) {
        uint32_t half = n / 2;
        t->parent = low + n - 1;
        if (t->me < low + half) {
            n = half;
        } else {
            low += half;
            n -= half + 1;
        }
    }
    t->low = low;
    t->size = n;
    t->children = n < 2 ? 0 : n < 3 ? 1 : 2;
}

static uint32_t in_order_child(const struct root_tree *t, uint32_t i)
{
    return i ? t->low + t->size / 2 - 1 : t->me - 1;
}

/* --- hosts ---------------------------------------------------------------------------------------- */

static void find_by_hosts(struct root_tree *t)
{
    coll_span_find(&t->span, t->s, COLL_SPAN_HOSTS, 2);
    t->children = t->span.children;
    t->parent = coll_span_place(&t->span, t->s, t->span.parent);
}

static void find_by_islands(struct root_tree *t)
{
    coll_tiers_find(t->s, COLL_TIER_ISLANDS, &t->tiers);
    t->children = t->tiers.n;
    t->parent = t->tiers.parent < 0 ? t->s->me : (uint32_t)t->tiers.parent;
}

/* --- all ------------------------------------------------------------------------------------------ */

struct root_tree coll_root_tree(const struct coll_schedule *s, enum root_shape shape, uint32_t k,
                                uint32_t first)
{
    struct root_tree t = {.s = s, .shape = shape, .k = k, .first = first};
    t.me = coll_before(s, first);
    t.is_root = !t.me;
    switch (shape) {
    case ROOT_CHAINS:
        find_in_chains(&t);
        break;
    case ROOT_LEVELS:
        find_in_levels(&t);
        break;
    case ROOT_HEAP:
        find_in_heap(&t);
        break;
    case ROOT_KNOMIAL:
        find_in_knomial(&t);
        break;
    case ROOT_HOSTS:
        find_by_hosts(&t);
        break;
    case ROOT_ISLANDS:
        find_by_islands(&t);
        break;
    case ROOT_IN_ORDER_BINARY:
        t.is_root = t.me == s->size - 1;
        find_in_order(&t);
        break;
    }
    return t;
}

uint32_t coll_root_child(const struct root_tree *t, uint32_t i)
{
    struct chains c;
    uint64_t begin;
    switch (t->shape) {
    case ROOT_CHAINS:
        c = chains_of(t);
        return place_of(t, t->me ? t->me + 1 : head(&c, i));
    case ROOT_LEVELS:
        return place_of(t, t->me + level_of(t->me, t->k, &begin) * (i + 1));
    case ROOT_HEAP:
        return place_of(t, (uint64_t)t->me * t->k + 1 + i);
    case ROOT_KNOMIAL:
        return knomial_child(t, i);
    case ROOT_HOSTS:
        return coll_span_place(&t->span, t->s, t->span.child[i]);
    case ROOT_ISLANDS:
        return t->tiers.child[i];
    default:
        return in_order_child(t, i);
    }
}

void coll_root_by_place(const struct root_tree *t, uint32_t *by_place)
{
    for (uint32_t i = 0; i < t->children; i++) {
        uint32_t k = i, place = coll_root_child(t, i);
        for (; k && coll_root_child(t, by_place[k - 1]) > place; k--)
            by_place[k] = by_place[k - 1];
        by_place[k] = i;
    }
}

/* --- segments ------------------------------------------------------------------------------------- */

struct root_segments coll_root_segments(const struct coll_schedule *s, uint64_t segment)
{
    uint64_t item = coll_item(s), least = s->bytes / ROOT_MOST_SEGMENTS + 1;
    struct root_segments g = {s->bytes, s->bytes, 1};
    if (!segment || segment >= s->bytes)
        return g;
    uint64_t items = (segment > least ? segment : least) / item;
    if (items * item < least)
        items++;
    g.bytes = items * item;
    g.n = (uint32_t)((g.all - 1) / g.bytes + 1);
    return g;
}

void coll_root_add_own(struct coll_schedule *s, const struct root_tree *t)
{
    if (!s->bytes || (!t->children && !t->is_root))
        return;
    if (s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
    else
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), s->bytes);
}

void coll_root_hand_over(struct coll_schedule *s, uint32_t from, uint32_t tag)
{
    if (from == s->root)
        return;
    if (s->me == s->root)
        coll_add_receive(s, from, tag, coll_at(COLL_DEST, 0), s->bytes);
    else if (s->me == from)
        coll_add_send(s, s->root, tag, coll_at(COLL_TEMP, 0), s->bytes);
}
