/* SPDX-License-Identifier: BSD-3-Clause */
/* tree: the rounds of k-nomial trees. What they are is in tree.h. */
#include "coll/schedule/tree.h"

enum { UP, DOWN };

/* The weight of v's lowest nonzero digit, or for 0 the first power of the radix that is at least n. */
static uint64_t weight_of(uint32_t v, uint32_t n, uint32_t radix)
{
    uint64_t w = 1;
    while (w < n && v % (w * radix) == 0)
        w *= radix;
    return w;
}

uint32_t coll_tree_parent(uint32_t v, uint32_t radix)
{
    uint64_t w = weight_of(v, UINT32_MAX, radix);
    return (uint32_t)(v - v / w % radix * w);
}

/* What goes from number v up to its parent. */
static struct coll_load upward(const struct coll_load *load, uint32_t v, uint32_t n, uint32_t radix)
{
    struct coll_load l = *load;
    if (l.runs) {
        uint64_t run = weight_of(v, n, radix);
        l.at += v * l.bytes;
        l.bytes *= run < n - v ? run : n - v;
    }
    return l;
}

static void add_from_child(struct coll_schedule *s, uint32_t child, uint32_t radix,
                           const struct coll_load *whole)
{
    struct coll_load load = upward(whole, child, s->size, radix);
    if (!load.reduce) {
        coll_add_receive(s, child, UP, load.at, load.bytes);
        return;
    }
    uint32_t k = coll_add_reduce(s, child, UP, load.at, load.bytes);
    if (k)
        coll_order(s, k - 1, k);
}

bool coll_tree_up(struct coll_schedule *s, uint32_t round, uint32_t radix, const struct coll_load *load)
{
    uint32_t v = s->me;
    uint64_t end = weight_of(v, s->size, radix);
    BASE_ASSERT("C4", s->root == 0);
    for (uint64_t w = 1; round == 0 && w < end; w *= radix)
        for (uint64_t c = 1; c < radix && v + c * w < s->size; c++)
            add_from_child(s, (uint32_t)(v + c * w), radix, load);
    if (round == 1 && v) {
        struct coll_load mine = upward(load, v, s->size, radix);
        coll_add_send(s, coll_tree_parent(v, radix), UP, mine.at, mine.bytes);
    }
    return round < 2;
}

bool coll_tree_down(struct coll_schedule *s, uint32_t round, uint32_t radix, const struct coll_load *load)
{
    uint32_t v = coll_tree_number(s);
    if (round == 0 && v)
        coll_add_receive(s, coll_tree_place(s, coll_tree_parent(v, radix)), DOWN, load->at, load->bytes);
    for (uint64_t w = round == 1 ? weight_of(v, s->size, radix) / radix : 0; w; w /= radix)
        for (uint64_t c = 1; c < radix && v + c * w < s->size; c++)
            coll_add_send(s, coll_tree_place(s, (uint32_t)(v + c * w)), DOWN, load->at, load->bytes);
    return round < 2;
}
