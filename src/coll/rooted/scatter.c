/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter: one member's parts to all, of one size or of sizes that only the root and each receiver know. a
 * is the time of one small message, o the overhead to issue one, B the bandwidth, m the bytes of a part, n
 * members. Trees are over numbers v = (place - root) mod n.
 */
#include "coll/rooted/rooted.h"

/* The root sends each its part. (n - 1) (o + m/B) + a; n - 1 messages. */
bool coll_scatter_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round)
        return false;
    if (!root)
        coll_add_receive(s, s->root, 0, coll_at(COLL_DEST, 0), s->bytes);
    for (uint32_t v = 1; root && v < s->size; v++)
        coll_add_send_part(s, coll_tree_place(s, v), 0, coll_tree_place(s, v));
    if (root)
        coll_add_own(s, coll_place_offset(coll_part_at(s, COLL_SOURCE, s->me)), 0,
                     coll_part_bytes(s, COLL_SOURCE, s->me));
    return true;
}

/* Reorders parts from order of place to order of number. */
static void add_by_number(struct coll_schedule *s)
{
    uint64_t m = s->bytes, behind = s->size - s->root;
    if (!m)
        return;
    coll_add_copy(s, coll_at(COLL_SOURCE, s->root * m), coll_at(COLL_TEMP, 0), behind * m);
    if (s->root)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, behind * m), s->root * m);
}

/* Down a binomial tree, each edge with the parts of its whole subtree, largest first (Thakur, Rabenseifner,
 * Gropp 2005, section 4.3). a log2 n + m n/B; n - 1 messages. */
bool coll_scatter_binomial(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s);
    uint64_t m = s->bytes, run = coll_tree_run(s, v), top = 1;
    coll_temp(s, run * m + 1);
    if (round == 0 && v)
        coll_add_receive(s, coll_tree_place(s, coll_tree_parent(v, 2)), 0, coll_at(COLL_TEMP, 0), run * m);
    if (round == 0 && !v)
        add_by_number(s);
    while (top < run)
        top *= 2;
    for (uint64_t w = round == 1 ? top / 2 : 0; w; w /= 2) {
        uint32_t child = (uint32_t)(v + w);
        coll_add_send(s, coll_tree_place(s, child), 0, coll_at(COLL_TEMP, w * m),
                      coll_tree_run(s, child) * m);
    }
    if (round == 1 && m && s->has_dest)
        coll_add_copy(s, coll_at(COLL_TEMP, 0), coll_at(COLL_DEST, 0), m);
    return round < 2;
}
