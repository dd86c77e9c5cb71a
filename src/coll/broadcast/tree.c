/* SPDX-License-Identifier: BSD-3-Clause */
/* tree: the shapes of trees. What each is, is in tree.h. */
#include "coll/broadcast/tree.h"

struct broadcast_tree broadcast_tree(const struct coll_schedule *s, const struct broadcast_shape *shape,
                                     uint32_t fan, uint32_t first)
{
    return (struct broadcast_tree){
        shape, s->size, fan, first, coll_before(s, first), s->part ? NULL : s->hosts};
}

uint32_t broadcast_parent(const struct broadcast_tree *t)
{
    return broadcast_place(t, t->shape->parent(t, t->me));
}

uint32_t broadcast_child(const struct broadcast_tree *t, uint32_t k)
{
    uint32_t v = t->shape->child(t, t->me, k);
    return v == COLL_NOBODY ? v : broadcast_place(t, v);
}

/* A number, if the tree has it. */
static uint32_t number(const struct broadcast_tree *t, uint64_t v)
{
    return v < t->n ? (uint32_t)v : COLL_NOBODY;
}

/* --- star --------------------------------------------------------------------------------------- */

static uint32_t star_parent(const struct broadcast_tree *t, uint32_t v)
{
    (void)t, (void)v;
    return 0;
}

/* In order of place, from the group's first on, not from the tree's. */
static uint32_t star_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint32_t place = k < t->first ? k : k + 1;
    if (v || k + 1 >= t->n)
        return COLL_NOBODY;
    return place >= t->first ? place - t->first : place + (t->n - t->first);
}

const struct broadcast_shape broadcast_star = {star_parent, star_child};

/* --- k-nomial: v's lowest digit that is not 0 is cleared ------------------------------------------ */

static uint64_t low_weight(uint32_t v, uint32_t n, uint32_t radix)
{
    uint64_t w = 1;
    while (w < n && v % (w * radix) == 0)
        w *= radix;
    return w;
}

static uint32_t nomial_parent(uint32_t v, uint32_t radix)
{
    uint64_t w = low_weight(v, UINT32_MAX, radix);
    return (uint32_t)(v - v / w % radix * w);
}

static uint32_t nomial_child(const struct broadcast_tree *t, uint32_t v, uint32_t radix, uint32_t k)
{
    for (uint64_t w = low_weight(v, t->n, radix) / radix; w; w /= radix)
        for (uint64_t c = 1; c < radix && v + c * w < t->n; c++)
            if (k-- == 0)
                return (uint32_t)(v + c * w);
    return COLL_NOBODY;
}

static uint32_t binomial_parent(const struct broadcast_tree *t, uint32_t v)
{
    (void)t;
    return nomial_parent(v, 2);
}

static uint32_t binomial_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    return nomial_child(t, v, 2, k);
}

static uint32_t knomial_parent(const struct broadcast_tree *t, uint32_t v)
{
    return nomial_parent(v, t->fan);
}

static uint32_t knomial_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    return nomial_child(t, v, t->fan, k);
}

const struct broadcast_shape broadcast_binomial_tree = {binomial_parent, binomial_child};
const struct broadcast_shape broadcast_knomial_tree = {knomial_parent, knomial_child};

/* --- binomial: v's highest bit is cleared --------------------------------------------------------- */

static uint32_t high_bit_parent(const struct broadcast_tree *t, uint32_t v)
{
    (void)t;
    return v - coll_power_below(v);
}

static uint32_t high_bit_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint64_t first = v ? 2 * (uint64_t)coll_power_below(v) : 1;
    return k < 32 ? number(t, v + (first << k)) : COLL_NOBODY;
}

const struct broadcast_shape broadcast_high_bit_tree = {high_bit_parent, high_bit_child};

/* --- k-nomial, subtrees in runs ------------------------------------------------------------------- */

/* The number of v's run, v included, of a k-nomial tree that would have at least n members in all; its
 * parent. */
struct run {
    uint64_t members;
    uint32_t parent;
};

static struct run run_of(const struct broadcast_tree *t, uint32_t v)
{
    struct run r = {1, 0};
    uint32_t at = 0;
    while (r.members < t->n)
        r.members *= t->fan;
    while (at != v) {
        uint64_t next = at + 1, width = r.members / t->fan, left = t->fan - 1;
        while (v >= next + width) {
            next += width;
            if (--left == 0) {
                width /= t->fan;
                left = t->fan - 1;
            }
        }
        r = (struct run){width, at};
        at = (uint32_t)next;
    }
    return r;
}

static uint32_t runs_parent(const struct broadcast_tree *t, uint32_t v)
{
    return run_of(t, v).parent;
}

static uint32_t runs_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint64_t next = (uint64_t)v + 1;
    for (uint64_t width = run_of(t, v).members / t->fan; width; width /= t->fan) {
        uint64_t here = k < t->fan - 1 ? k : t->fan - 1;
        next += here * width;
        k -= (uint32_t)here;
        if (here < t->fan - 1)
            return number(t, next);
    }
    return COLL_NOBODY;
}

const struct broadcast_shape broadcast_knomial_runs = {runs_parent, runs_child};

/* --- k-ary ---------------------------------------------------------------------------------------- */

static uint32_t heap_parent(const struct broadcast_tree *t, uint32_t v)
{
    return (v - 1) / t->fan;
}

static uint32_t heap_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    return k < t->fan ? number(t, (uint64_t)v * t->fan + k + 1) : COLL_NOBODY;
}

const struct broadcast_shape broadcast_heap_tree = {heap_parent, heap_child};

/* The members of v's level, and those of all levels above it. */
struct level {
    uint64_t width, above;
};

static struct level level_of(uint32_t v, uint32_t fan)
{
    struct level l = {1, 0};
    while (l.above + l.width <= v) {
        l.above += l.width;
        l.width *= fan;
    }
    return l;
}

static uint32_t dealt_parent(const struct broadcast_tree *t, uint32_t v)
{
    struct level l = level_of(v, t->fan);
    uint64_t width = l.width / t->fan; /* of the parents' level */
    return (uint32_t)(l.above - width + (v - l.above) % width);
}

static uint32_t dealt_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    struct level l = level_of(v, t->fan);
    return k < t->fan ? number(t, v + l.width * (k + 1)) : COLL_NOBODY;
}

const struct broadcast_shape broadcast_dealt_tree = {dealt_parent, dealt_child};

/* --- chains --------------------------------------------------------------------------------------- */

/* The beginning of chain k, and of the one after the last: n. */
static uint32_t chain_begin(const struct broadcast_tree *t, uint32_t k)
{
    uint32_t rest = t->n - 1, fan = t->fan < rest ? t->fan : rest;
    if (k >= fan)
        return t->n;
    uint32_t each = rest / fan, longer = rest % fan;
    return 1 + k * each + (k < longer ? k : longer);
}

static uint32_t chain_of(const struct broadcast_tree *t, uint32_t v)
{
    uint32_t rest = t->n - 1, fan = t->fan < rest ? t->fan : rest;
    BASE_ASSERT("C10", fan > 0);
    uint32_t each = rest / fan, longer = rest % fan;
    return v - 1 < longer * (each + 1) ? (v - 1) / (each + 1) : longer + (v - 1 - longer * (each + 1)) / each;
}

static uint32_t chains_parent(const struct broadcast_tree *t, uint32_t v)
{
    return v == chain_begin(t, chain_of(t, v)) ? 0 : v - 1;
}

static uint32_t chains_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    if (!v)
        return t->n > 1 && k < t->fan ? number(t, chain_begin(t, k)) : COLL_NOBODY;
    return k == 0 && v + 1 < chain_begin(t, chain_of(t, v) + 1) ? v + 1 : COLL_NOBODY;
}

const struct broadcast_shape broadcast_chains = {chains_parent, chains_child};
