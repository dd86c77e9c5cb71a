/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather: the members' parts to one of them, of one size or of sizes that only the root and each sender
 * know. a is the time of one small message, o the overhead to issue one, B the bandwidth, m the bytes of a
 * part, n members. Trees are over numbers v = (place - root) mod n.
 */
#include "coll/rooted/rooted.h"

/* The root receives each part at its final place. a + (n - 1) m/B, and n - 1 receives one after the other; n
 * - 1 messages. */
bool coll_gather_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round)
        return false;
    for (uint32_t p = 0; root && p < s->size; p++)
        if (p != s->me)
            coll_add_receive_part(s, p, 0, p);
    if (root)
        coll_add_own(s, 0, coll_place_offset(coll_part_at(s, COLL_DEST, s->me)),
                     coll_part_bytes(s, COLL_DEST, s->me));
    else
        coll_add_send(s, s->root, 0, coll_at(COLL_SOURCE, 0), s->bytes);
    return true;
}

/* The children of number v whose places wrapped around to below its own, or the others. */
static void receive_children(struct coll_schedule *s, uint32_t v, bool wrapped)
{
    uint64_t end = coll_tree_run(s, v);
    for (uint64_t w = 1; w < end; w *= 2) {
        uint32_t child = (uint32_t)(v + w);
        if ((child + (uint64_t)s->root >= s->size) == wrapped)
            coll_add_receive(s, coll_tree_place(s, child), 0, coll_at(COLL_TEMP, w * s->bytes),
                             coll_tree_run(s, child) * s->bytes);
    }
}

/* Reorders parts from order of number to order of place. */
static void add_in_place(struct coll_schedule *s)
{
    uint64_t m = s->bytes, behind = s->size - s->root;
    if (!m)
        return;
    coll_add_copy(s, coll_at(COLL_TEMP, 0), coll_at(COLL_DEST, s->root * m), behind * m);
    if (s->root)
        coll_add_copy(s, coll_at(COLL_TEMP, behind * m), coll_at(COLL_DEST, 0), s->root * m);
}

/* Up a binomial tree, each with the parts of all below it (Thakur, Rabenseifner, Gropp 2005, section 4.1,
 * the other way). a log2 n + m n/B; n - 1 messages. */
bool coll_gather_binomial(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s);
    uint64_t m = s->bytes, run = coll_tree_run(s, v);
    coll_temp(s, run * m + 1);
    if (round == 0) {
        receive_children(s, v, true);
        receive_children(s, v, false);
        if (m)
            coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), m);
    }
    if (round == 1 && v)
        coll_add_send(s, coll_tree_place(s, coll_tree_parent(v, 2)), 0, coll_at(COLL_TEMP, 0), run * m);
    if (round == 1 && !v)
        add_in_place(s);
    return round < 2;
}
