/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rooted: reductions whose result goes to one member (reduce-root), or of which each gets a part
 * (reduce-scatter). Operands are combined in order of place, grouped by places alone. a is the time of one
 * small message, B the bandwidth, g the time to reduce a byte, m the bytes of the result at one member, n
 * members.
 */
#include "coll/algorithms.h"
#include "coll/parts.h"
#include "coll/tree.h"

/* Reduces all others' operands into `at`, which has the member's own: first those of lower places, each as
 * the left operand, then those of higher places. */
static void add_reduce_from_all(struct coll_schedule *s, coll_place at, uint64_t bytes)
{
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_add_reduce(s, p, 1, at, bytes);
    for (uint32_t p = s->me; p > 1; p--)
        coll_order(s, p - 1, p - 2);
    for (uint32_t k = s->me; k + 1 < s->size; k++)
        if (k > s->me)
            coll_order(s, k - 1, k);
        else if (s->me)
            coll_order(s, 0, k);
}

/* The root reduces the others' operands one after the other. a + (n - 1) g m; n - 1 messages. */
bool coll_reduce_root_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round == 0 && root)
        coll_add_own(s, 0, 0, s->bytes);
    if (round == 1 && root)
        add_reduce_from_all(s, coll_at(COLL_DEST, 0), s->bytes);
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

/* Each sends every other its part, and reduces what comes for its own; where dest is the source, in temporary
 * memory. a + (n - 1) (m/B + g m); n (n - 1) messages. */
bool coll_reduce_scatter_linear(struct coll_schedule *s, uint32_t round)
{
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    coll_place own = coll_part_at(s, COLL_SOURCE, s->me), result = coll_at(COLL_DEST, 0);
    coll_place sum = s->in_place ? coll_at(COLL_TEMP, 0) : result;
    if (s->in_place)
        coll_temp(s, mine + 1);
    if (round == 0 && s->in_place && mine)
        coll_add_copy(s, own, sum, mine);
    else if (round == 0)
        coll_add_own(s, coll_place_offset(own), 0, mine);
    if (round == 1) {
        add_reduce_from_all(s, sum, mine);
        for (uint32_t d = 1; d < s->size; d++)
            coll_add_send_part(s, coll_after(s, d), 1, coll_after(s, d));
    }
    if (round == 2 && s->in_place && mine)
        coll_add_copy(s, sum, result, mine);
    return round < 2 || (round == 2 && s->in_place);
}
