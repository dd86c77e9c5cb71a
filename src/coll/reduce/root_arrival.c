/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_arrival: reductions to a root in which a member sends its operand only when it is asked. It says by
 * an empty message that it is there, and its parent asks those for theirs that are, in the order in which
 * they come: data that cannot be received yet do not crowd the network (Patarasuk, Yuan, "Efficient
 * MPI_Bcast across different process arrival patterns", IPDPS 2008, the other way). In SMPI's, place 0
 * probes which members have come, and forms chains of them. Here who sends to whom is fixed, and operands
 * are combined in order of place, whoever comes first.
 *
 * a is the time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes, n members.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { HERE, DATA, ASKED, HAND_OVER }; /* tags */

/* My own word, and my operand when I am asked and it is complete. */
static void answer(struct coll_schedule *s, const struct root_tree *t, uint32_t asked, uint32_t last)
{
    coll_add_send(s, t->parent, HERE, coll_at(COLL_SOURCE, 0), 0);
    uint32_t out =
        coll_add_send(s, t->parent, DATA, t->children ? coll_root_sum(s) : coll_at(COLL_SOURCE, 0), s->bytes);
    coll_order(s, asked, out);
    if (t->children)
        coll_order(s, last, out);
}

static void exchange(struct coll_schedule *s, const struct root_tree *t)
{
    uint32_t n = t->children, asked = 0, *rank = base_buffers_get(s->buffers, 2 * (n + 1) * sizeof *rank);
    uint32_t *by_place = rank + n + 1;
    coll_root_by_place(t, by_place); /* words and operands are received side by side */
    for (uint32_t k = 0; k < n; k++) {
        uint32_t place = coll_root_child(t, by_place[k]);
        rank[by_place[k]] = k;
        coll_add_receive(s, place, HERE, coll_at(COLL_SOURCE, 0), 0);
        coll_add_reduce(s, place, DATA, coll_root_sum(s), s->bytes);
    }
    if (!t->is_root) { /* a parent's place is anywhere among the children's */
        asked = coll_add_receive(s, t->parent, ASKED, coll_at(COLL_SOURCE, 0), 0);
        s->unsorted = true;
    }
    for (uint32_t i = 1; i < n; i++)
        coll_order(s, 2 * rank[i - 1] + 1, 2 * rank[i] + 1);
    for (uint32_t k = 0; k < n; k++)
        coll_order(s, 2 * k,
                   coll_add_send(s, coll_root_child(t, by_place[k]), ASKED, coll_at(COLL_SOURCE, 0), 0));
    if (!t->is_root)
        answer(s, t, asked, n ? 2 * rank[n - 1] + 1 : 0);
    base_buffers_put(s->buffers, rank, 2 * (n + 1) * sizeof *rank);
}

static bool by_arrival(struct coll_schedule *s, uint32_t round, enum root_shape shape, uint32_t k)
{
    uint32_t first = s->call->operator.ordered ? 0 : s->root;
    struct root_tree t = coll_root_tree(s, shape, k, first);
    coll_temp(s, s->bytes + 1);
    if (round == 0)
        coll_root_add_own(s, &t);
    if (round == 1)
        exchange(s, &t);
    if (round == 2)
        coll_root_hand_over(s, first, HAND_OVER);
    return round < 3;
}

/* The root asks each. 3 a + (n - 1)(m/B + g m) from when all are there; 3 (n - 1) messages, a third of them
 * with data. */
bool coll_reduce_root_arrival_linear(struct coll_schedule *s, uint32_t round)
{
    return by_arrival(s, round, ROOT_HEAP, s->size);
}

/* A k-nomial tree, k own 2, whose members ask their children. 2 a + (a + (k - 1)(m/B + g m)) log_k n; 3 (n -
 * 1) messages. */
bool coll_reduce_root_arrival_knomial(struct coll_schedule *s, uint32_t round)
{
    return by_arrival(s, round, ROOT_KNOMIAL, coll_radix(s, 2));
}
