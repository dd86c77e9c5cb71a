/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_in_turn: reductions to a root whose members receive one operand after the other. a is the time of one
 * small message, B the bandwidth, g the time to reduce a byte, m the bytes of the result, n members.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { OPERAND, RESULT };

/* Up a binomial tree, from the nearest child on, as MPICH and SMPI do: from the root, or, if the operator
 * does not commute, from place 0 and then to the root. ceil(log2 n) (a + m/B + g m), and a + m/B in that
 * case; n - 1 messages and that one. */
bool coll_reduce_root_binomial_in_turn(struct coll_schedule *s, uint32_t round)
{
    uint32_t first = s->call->operator.ordered ? 0 : s->root;
    struct root_tree t = coll_root_tree(s, ROOT_KNOMIAL, 2, first);
    coll_place sum = coll_root_sum(s);
    coll_temp(s, s->bytes + 1);
    if (round == 0 && s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round == 0 && s->bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), sum, s->bytes);
    else if (round && round <= t.children)
        coll_add_reduce(s, coll_root_child(&t, round - 1), OPERAND, sum, s->bytes);
    if (round == t.children + 1 && !t.is_root)
        coll_add_send(s, t.parent, OPERAND, sum, s->bytes);
    if (round == t.children + 2)
        coll_root_hand_over(s, first, RESULT);
    return round < t.children + 3;
}

/* --- linear --------------------------------------------------------------------------------------- */

/* The root combines from the last place down, each operand as the left one: x0 (x1 (x2 x3)). */
static void add_operand(struct coll_schedule *s, uint32_t place, coll_place sum, coll_place in)
{
    if (place == s->me) {
        if (s->bytes)
            coll_add_combine(s, in, sum, s->bytes);
        return;
    }
    uint32_t got = coll_add_receive(s, place, OPERAND, in, s->bytes);
    if (s->bytes)
        coll_order(s, got, coll_add_combine(s, in, sum, s->bytes));
}

/* The root receives the operands from the last place down. (n - 1) (a + m/B + g m) at most; n - 1 messages.
 * Temporary memory: the sum, what comes, the root's own operand (dest may be its place, too). */
bool coll_reduce_root_ordered(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    coll_place sum = coll_at(COLL_TEMP, 0), in = coll_at(COLL_TEMP, m), own = coll_at(COLL_TEMP, 2 * m);
    uint32_t last = s->size - 1;
    if (s->me != s->root) {
        if (!round)
            coll_add_send(s, s->root, OPERAND, coll_at(COLL_SOURCE, 0), m);
        return !round;
    }
    coll_temp(s, 3 * m + 1);
    if (round == 0 && s->me != last)
        coll_add_receive(s, last, OPERAND, sum, m);
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), own, m);
    if (round == 1 && s->me == last && m)
        coll_add_copy(s, own, sum, m);
    if (round > 1 && round - 1 <= last)
        add_operand(s, last - (round - 1), sum, last - (round - 1) == s->me ? own : in);
    if (round == last + 2 && m)
        coll_add_copy(s, sum, coll_at(COLL_DEST, 0), m);
    return round <= last + 2;
}
