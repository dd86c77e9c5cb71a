/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_pipelined: reductions to a root up a tree in segments, as in Open MPI's `tuned`. A member receives
 * from its children in turn, one segment after the other, with the next receive always posted before it
 * waits for the one before. It combines into one of two buffers' operand, and sends a finished segment
 * before it goes on.
 *
 * a is the time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes, n members,
 * S segments, D the depth of the tree. (D + S)(a + k m/(S B) + k g m/S) with k children; S (n - 1) messages.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { HAND_OVER = ROOT_MOST_SEGMENTS + 1 };

/* A member with children: what it does, as a program. */
struct climb {
    struct coll_program program;
    const struct root_tree *t;
    struct root_segments g;
    coll_place sum, in[2];
};

/* The operand of a lower place stands left. */
static void combine(struct climb *c, const struct coll_schedule *s, uint32_t segment, uint32_t child,
                    unsigned which)
{
    uint64_t bytes = coll_root_segment(&c->g, segment);
    coll_place sum = c->sum + segment * c->g.bytes;
    if (!s->call->operator.ordered || coll_root_child(c->t, child) < s->me) {
        coll_program_combine(&c->program, c->in[which], sum, bytes);
        return;
    }
    coll_program_combine(&c->program, sum, c->in[which], bytes);
    coll_program_copy(&c->program, c->in[which], sum, bytes);
}

static void climb(struct coll_schedule *s, struct climb *c)
{
    struct coll_program *p = &c->program;
    uint32_t children = c->t->children, total = children * c->g.n, before = 0;
    for (uint32_t k = 0; k <= total; k++) {
        uint32_t segment = k / children, call = before;
        if (k < total)
            call = coll_program_receive(p, coll_root_child(c->t, k % children), segment, c->in[k % 2],
                                        coll_root_segment(&c->g, segment));
        if (k) {
            uint32_t done = (k - 1) / children;
            coll_program_wait(p, before);
            combine(c, s, done, (k - 1) % children, (k - 1) % 2);
            if (k % children == 0 && !c->t->is_root)
                coll_program_send_wait(p, c->t->parent, done, c->sum + done * c->g.bytes,
                                       coll_root_segment(&c->g, done));
        }
        before = call;
    }
}

static void build(struct coll_schedule *s, const struct root_tree *t, struct root_segments g)
{
    struct climb c = {.t = t, .g = g, .sum = coll_root_sum(s)};
    coll_temp(s, s->bytes + 2 * g.bytes + 1);
    c.in[0] = coll_at(COLL_TEMP, s->bytes);
    c.in[1] = coll_at(COLL_TEMP, s->bytes + g.bytes);
    coll_program_begin(&c.program, s);
    if (s->bytes)
        coll_program_copy(&c.program, coll_at(COLL_SOURCE, 0), c.sum, s->bytes);
    climb(s, &c);
    coll_program_end(&c.program);
}

/* `top`: the place of the tree's root. A leaf sends one segment after the other. */
static bool pipelined(struct coll_schedule *s, uint32_t round, struct root_tree t, uint32_t top,
                      uint64_t segment)
{
    struct root_segments g = coll_root_segments(s, segment);
    uint32_t rounds = t.children || t.is_root ? 1 : g.n;
    if (round < rounds && t.children)
        build(s, &t, g);
    else if (round < rounds && t.is_root)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round < rounds)
        coll_add_send(s, t.parent, round, coll_at(COLL_SOURCE, round * g.bytes),
                      coll_root_segment(&g, round));
    if (round == rounds)
        coll_root_hand_over(s, top, HAND_OVER);
    return round <= rounds;
}

/* k chains, own n/2, in segments of 64 KiB. Operands in the order of the chains: the operator must commute.
 * */
bool coll_reduce_root_chains(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = coll_radix(s, s->size / 2 ? s->size / 2 : 1);
    return pipelined(s, round, coll_root_tree(s, ROOT_CHAINS, k, s->root), s->root, coll_segment(s, 65536));
}

/* One chain. Its segments, 1 to 64 KiB, are the longer the more data each member has (Pjesivac-Grbovic et al.
 * 2007). The operator must commute. */
bool coll_reduce_root_pipeline(struct coll_schedule *s, uint32_t round)
{
    double m = (double)s->bytes / 1024;
    uint64_t own = s->size > 0.0410 * m + 9.7128 ? 1024 : s->size > 0.0033 * m + 1.6761 ? 32768 : 65536;
    return pipelined(s, round, coll_root_tree(s, ROOT_CHAINS, 1, s->root), s->root, coll_segment(s, own));
}

/* A binary tree in segments of 32 KiB. The operator must commute. */
bool coll_reduce_root_binary(struct coll_schedule *s, uint32_t round)
{
    return pipelined(s, round, coll_root_tree(s, ROOT_LEVELS, 2, s->root), s->root, coll_segment(s, 32768));
}

/* A binary tree in whose subtrees places lie together, so that operands stay in order; its root is the last
 * place, which then sends the result to the call's. Not segmented. */
bool coll_reduce_root_in_order_binary(struct coll_schedule *s, uint32_t round)
{
    return pipelined(s, round, coll_root_tree(s, ROOT_IN_ORDER_BINARY, 2, 0), s->size - 1,
                     coll_segment(s, 0));
}

/* A binomial tree, in segments of 1 KiB where members are many and the data are few. The operator must
 * commute. */
bool coll_reduce_root_binomial_pipelined(struct coll_schedule *s, uint32_t round)
{
    bool is_short = (s->size < 8 && s->bytes < 20480) || s->bytes < 2048 || s->bytes <= coll_item(s);
    uint64_t own = !is_short && s->size > 0.6016 * (double)s->bytes / 1024 + 1.3496 ? 1024 : 0;
    return pipelined(s, round, coll_root_tree(s, ROOT_KNOMIAL, 2, s->root), s->root, coll_segment(s, own));
}
