/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rooted: reductions whose result goes to one member (reduce-root). Operands are combined in order of place,
 * grouped by places alone. a is the time of one small message, B the bandwidth, g the time to reduce a byte,
 * m the bytes of the result at one member, n members.
 */
#include "coll/reduce/reduce.h"

/* The root reduces the others' operands one after the other. a + (n - 1) g m; n - 1 messages. */
bool coll_reduce_root_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round == 0 && root)
        coll_add_own(s, 0, 0, s->bytes);
    if (round == 1 && root)
        coll_add_reduce_from_all(s, coll_at(COLL_DEST, 0), s->bytes);
    if (round == 1 && !root)
        coll_add_send(s, s->root, 1, coll_at(COLL_SOURCE, 0), s->bytes);
    return round < 2;
}

/* Up a binomial tree to place 0, so that operands stay in order, and from there to the root. ceil(log2 n) (a
 * + m/B + g m), and a + m/B where the root is not place 0; n - 1 messages and that one. */
bool coll_reduce_root_binomial(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    struct coll_load up = {coll_at(COLL_TEMP, 0), m, true, false};
    uint32_t root = s->root;
    coll_temp(s, m + 1);
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), up.at, m);
    if (round == 1 || round == 2) {
        s->root = 0;
        coll_tree_up(s, round - 1, 2, &up);
        s->root = root;
    }
    if (round == 3 && s->me == root && root)
        coll_add_receive(s, 0, round, coll_at(COLL_DEST, 0), m);
    if (round == 3 && s->me == 0 && root)
        coll_add_send(s, root, round, up.at, m);
    if (round == 3 && !root && s->me == 0 && m)
        coll_add_copy(s, up.at, coll_at(COLL_DEST, 0), m);
    return round < 4;
}
