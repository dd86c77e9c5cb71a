/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows: reductions to all up a tree and down again in segments (flow.h): as many segments are under way as
 * the tree is deep, so that a long vector takes little more than the time in which a member receives it once
 * from each child, and sends it. a is the time of one small message, B the bandwidth, g the time to reduce a
 * byte, m the bytes in S segments, n members.
 */
#include "coll/reduce/reduce.h"

enum { OWN_SEGMENT = 32 << 10, OWN_RADIX = 2 };

static struct coll_run whole(const struct coll_schedule *s)
{
    return (struct coll_run){0, s->bytes};
}

/* Bytes of whole items. */
static uint64_t segment(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s), bytes = coll_segment(s, OWN_SEGMENT);
    return bytes < item ? item : bytes / item * item;
}

static bool flow(struct coll_schedule *s, uint32_t round, const struct coll_flow *trees, uint32_t n)
{
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0 ||
           coll_flow_round(s, round - 1, trees, n, segment(s), coll_outstanding(s, COLL_WINDOW));
}

/* --- trees --------------------------------------------------------------------------------------- */

static struct coll_flow leaf(struct coll_run run)
{
    struct coll_flow f;
    f.parent = COLL_NO_PARENT;
    f.n = 0;
    f.run = run;
    return f;
}

/* Numbered level by level. */
static struct coll_flow kary(const struct coll_schedule *s, uint32_t k)
{
    struct coll_flow f = leaf(whole(s));
    f.parent = s->me ? (int64_t)((s->me - 1) / k) : COLL_NO_PARENT;
    for (uint64_t c = (uint64_t)s->me * k + 1; c <= (uint64_t)s->me * k + k && c < s->size; c++)
        coll_flow_add_child(&f, (uint32_t)c);
    return f;
}

static struct coll_flow knomial(const struct coll_schedule *s, uint32_t k)
{
    struct coll_flow f = leaf(whole(s));
    f.parent = s->me ? (int64_t)coll_tree_parent(s->me, k) : COLL_NO_PARENT;
    for (uint64_t w = 1; w < s->size && s->me % (w * k) == 0; w *= k)
        for (uint64_t c = 1; c < k && s->me + c * w < s->size; c++)
            coll_flow_add_child(&f, (uint32_t)(s->me + c * w));
    return f;
}

/* A binary tree of numbers 0 to n - 1 in which about half are leaves, the even ones but 0: number v, the
 * lowest bit of which is b, has the children v - b/2 and v + b/2, or the first below that exists; 0 has one
 * child. */
static uint32_t bit_of(uint32_t v)
{
    return v & (~v + 1);
}

static uint32_t parent_of(uint32_t v, uint32_t n)
{
    uint32_t b = bit_of(v), up = (v ^ b) | b << 1;
    return up < n ? up : v ^ b;
}

static void add_child(struct coll_flow *f, const struct coll_schedule *s, uint32_t v, uint32_t shift)
{
    coll_flow_add_child(f, (v + s->size - shift) % s->size);
}

/* `shift`: place p has number p + shift, modulo n. */
static struct coll_flow binary(const struct coll_schedule *s, uint32_t shift, struct coll_run run)
{
    struct coll_flow f = leaf(run);
    uint32_t n = s->size, v = (s->me + shift) % n, b = v ? bit_of(v) : 2 * coll_power_below(n);
    if (v)
        f.parent = (parent_of(v, n) + n - shift) % n;
    if (v && b > 1)
        add_child(&f, s, v - b / 2, shift);
    for (b /= 2; b && v + b >= n;)
        b /= 2;
    if (b && v + b < n && parent_of(v + b, n) == v)
        add_child(&f, s, v + b, shift);
    return f;
}

/* --- the algorithms ------------------------------------------------------------------------------ */

/* A chain from the last place to the first, and back. 2 (n - 1 + S)(a + m/(S B)); 2 (n - 1) S messages. */
bool coll_reduce_chain(struct coll_schedule *s, uint32_t round)
{
    struct coll_flow f = kary(s, 1);
    return flow(s, round, &f, 1);
}

/* A k-ary tree (MPICH's tree, kary). 2 (log_k n + S) k (a + m/(S B)); 2 (n - 1) S messages. */
bool coll_reduce_kary(struct coll_schedule *s, uint32_t round)
{
    struct coll_flow f = kary(s, coll_radix(s, OWN_RADIX));
    return flow(s, round, &f, 1);
}

/* A k-nomial tree (MPICH's tree, knomial). 2 (log_k n + S (k - 1) log_k n) (a + m/(S B)) at most; 2 (n - 1) S
 * messages. */
bool coll_reduce_knomial_flow(struct coll_schedule *s, uint32_t round)
{
    struct coll_flow f = knomial(s, coll_radix(s, OWN_RADIX));
    return flow(s, round, &f, 1);
}

/* Half of the vector in each of two binary trees; who is a leaf in one has children in the other, so that
 * everyone sends and receives all of it once up and once down (Sanders, Speck, Traeff, "Two-tree algorithms
 * for full bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009; NCCL). 2 m/B + (4 a
 * log2 n + m g) or so, for long vectors; 2 (n - 1) messages for each segment of each half. */
bool coll_reduce_double_tree(struct coll_schedule *s, uint32_t round)
{
    struct coll_run first = coll_run_even(s, 0, 1, 2), second = coll_run_even(s, 1, 1, 2);
    struct coll_flow trees[COLL_FLOW_TREES] = {binary(s, 0, first), binary(s, 1 % s->size, second)};
    return flow(s, round, trees, COLL_FLOW_TREES);
}
