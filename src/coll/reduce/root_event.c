/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_event: reductions to a root up a tree, in which nothing waits for more than it needs (Luo et al.,
 * ADAPT, HPDC 2018). All receives are posted at once, with a buffer for each; a segment's operands are
 * combined in the order of the children, and it is sent when its last one is in, whatever happens to other
 * segments. With one segment, these are the trees of MPICH's and MVAPICH's nonblocking receives.
 *
 * A tree with subtrees of neighbours begins at place 0 if the operator does not commute, and the result is
 * then sent to the root; else at the root.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { HAND_OVER = ROOT_MOST_SEGMENTS + 1 };

/* Adds the receives in ascending order of place, and orders those of a segment by child. A segment's steps
 * are found again by the child's rank among the places. */
static void climb(struct coll_schedule *s, const struct root_tree *t, const struct root_segments *g)
{
    uint32_t n = t->children, *by_place = base_buffers_get(s->buffers, (n + 1) * sizeof *by_place);
    coll_place sum = coll_root_sum(s);
    coll_root_by_place(t, by_place);
    uint32_t *rank = base_buffers_get(s->buffers, (n + 1) * sizeof *rank);
    for (uint32_t k = 0; k < n; k++) {
        rank[by_place[k]] = k;
        for (uint32_t j = 0; j < g->n; j++)
            coll_add_reduce(s, coll_root_child(t, by_place[k]), j, sum + j * g->bytes,
                            coll_root_segment(g, j));
    }
    for (uint32_t j = 0; j < g->n; j++) {
        for (uint32_t i = 1; i < n; i++)
            coll_order(s, rank[i - 1] * g->n + j, rank[i] * g->n + j);
        if (t->is_root)
            continue;
        uint32_t out =
            coll_add_send(s, t->parent, j, n ? sum + j * g->bytes : coll_at(COLL_SOURCE, j * g->bytes),
                          coll_root_segment(g, j));
        if (n)
            coll_order(s, rank[n - 1] * g->n + j, out);
    }
    base_buffers_put(s->buffers, rank, (n + 1) * sizeof *rank);
    base_buffers_put(s->buffers, by_place, (n + 1) * sizeof *by_place);
}

static bool by_events(struct coll_schedule *s, uint32_t round, enum root_shape shape, uint32_t k,
                      uint64_t segment)
{
    bool in_order = s->call->operator.ordered;
    uint32_t first = in_order ? 0 : s->root;
    struct root_tree t = coll_root_tree(s, shape, k, first);
    struct root_segments g = coll_root_segments(s, segment);
    coll_temp(s, s->bytes + 1);
    if (round == 0)
        coll_root_add_own(s, &t);
    if (round == 1)
        climb(s, &t, &g);
    if (round == 2)
        coll_root_hand_over(s, first, HAND_OVER);
    return round < 3;
}

/* ceil(log_k n) levels, k own 4, of up to k - 1 messages at once: (a + (k - 1) (m/B + g m)) log_k n; n - 1
 * messages, and one where the tree is not the root's. */
bool coll_reduce_root_knomial(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_KNOMIAL, coll_radix(s, 4), 0);
}

/* Every member has k children, own 2, numbered level by level: (a + k (m/B + g m)) log_k n; n - 1 messages.
 * The operator must commute. */
bool coll_reduce_root_kary(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_HEAP, coll_radix(s, 2), 0);
}

/* In segments of 32 KiB, each on its own: S (n - 1) messages. */
bool coll_reduce_root_event_binomial(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_KNOMIAL, 2, coll_segment(s, 32768));
}

/* The same by a binary tree. The operator must commute. */
bool coll_reduce_root_event_binary(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_HEAP, 2, coll_segment(s, 32768));
}

/* The same along k chains, own 1 (MPICH's ring with a buffer for each child). The operator must commute. */
bool coll_reduce_root_event_chain(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_CHAINS, coll_radix(s, 1), coll_segment(s, 32768));
}

/* Binomial within each host, then between hosts (Karonis et al. 2000): (b + m/B + g m) log2 P + (a + m/B + g
 * m) log2 H for H hosts of P; n - 1 messages. The operator must commute. */
bool coll_reduce_root_hosts(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_HOSTS, 2, 0);
}

/* The same in segments of 64 KiB: hosts reduce a segment while leaders reduce the one before (Luo et al.,
 * HAN, CLUSTER 2020). S (n - 1) messages. The operator must commute. */
bool coll_reduce_root_han(struct coll_schedule *s, uint32_t round)
{
    return by_events(s, round, ROOT_HOSTS, 2, coll_segment(s, 65536));
}

/* The same with a third level of islands (islands.c): S segments pass through hosts, between the hosts of an
 * island and between islands at once; S (n - 1) messages. Without islands it is `han`. The operator must
 * commute. */
bool coll_reduce_root_han_3(struct coll_schedule *s, uint32_t round)
{
    if (!s->islands || s->part)
        return coll_reduce_root_han(s, round);
    return by_events(s, round, ROOT_ISLANDS, 2, coll_segment(s, 65536));
}
