/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_scatter: scatters down a tree whose edges carry the parts of all below (Thakur, Rabenseifner, Gropp
 * 2005, section 4.3). D a + n m/B for a tree of depth D and m bytes a part; n - 1 messages. Where sizes
 * differ, a message to a member with children is preceded by one with the sizes of what is below.
 */
#include "coll/rooted/rooted.h"
#include "coll/rooted/runs.h"

enum order {
    AT_ONCE,         /* the largest subtree first */
    LARGEST_IN_TURN, /* each send is done before the next one begins */
    SMALLEST_IN_TURN,
};

struct scatter {
    enum coll_span_shape shape;
    uint32_t radix;
    enum order order;
};

/* A leaf's part is received at its place, if it has one: in two levels, the root may be a leaf of its host. */
static bool is_leaf(const struct coll_schedule *s, const struct coll_span *t)
{
    return t->me && !t->children && s->has_dest;
}

static void receive(struct coll_schedule *s, const struct coll_span *t)
{
    uint32_t parent = coll_span_place(t, s, t->parent);
    if (!t->me)
        coll_runs_collect(s, t);
    else if (is_leaf(s, t))
        coll_add_receive(s, parent, COLL_RUN_PARTS, coll_at(COLL_DEST, 0), s->bytes);
    else
        coll_add_receive(s, parent, COLL_RUN_PARTS, coll_runs_at(s, t, t->me),
                         coll_runs_bytes(s, t, t->me, t->end));
}

/* The root knows all sizes, and a leaf its own. */
static void learn(struct coll_schedule *s, const struct coll_span *t)
{
    coll_runs_begin(s, t, COLL_SOURCE);
    if (t->me && t->children)
        coll_add_receive(s, coll_span_place(t, s, t->parent), COLL_RUN_SIZES, coll_runs_size_at(t, t->me),
                         (uint64_t)COLL_RUN_SIZE * (t->end - t->me));
}

static void send(struct coll_schedule *s, const struct coll_span *t, uint32_t k)
{
    uint32_t v = t->child[k], end = t->child[k + 1], place = coll_span_place(t, s, v);
    if (coll_runs_differ(s) && end - v > 1)
        coll_add_send(s, place, COLL_RUN_SIZES, coll_runs_size_at(t, v), (uint64_t)COLL_RUN_SIZE * (end - v));
    coll_add_send(s, place, COLL_RUN_PARTS, coll_runs_at(s, t, v), coll_runs_bytes(s, t, v, end));
}

/* The sizes that came from the root are those that the members expect. */
static void add_own(struct coll_schedule *s, const struct coll_span *t)
{
    uint64_t bytes = coll_runs_bytes(s, t, t->me, t->me + 1);
    if (BASE_UNLIKELY(t->me && bytes != s->bytes))
        base_fatal(BASE_EXIT_PROGRAM, "%s: the part of member %u has %llu bytes there but %llu at member %u",
                   s->call->name, s->me, (unsigned long long)s->bytes, (unsigned long long)bytes, s->root);
    if (bytes && s->has_dest)
        coll_add_copy(s, coll_runs_at(s, t, t->me), coll_at(COLL_DEST, 0), bytes);
}

static void pass_on(struct coll_schedule *s, const struct coll_span *t, uint32_t round, enum order order)
{
    for (uint32_t k = t->children; order == AT_ONCE && k; k--)
        send(s, t, k - 1);
    if (order != AT_ONCE && round < t->children)
        send(s, t, order == LARGEST_IN_TURN ? t->children - 1 - round : round);
    if (!round && !is_leaf(s, t))
        add_own(s, t);
}

static bool scatter(struct coll_schedule *s, uint32_t round, struct scatter how)
{
    struct coll_span t;
    coll_span_find(&t, s, how.shape, how.radix);
    bool learns = coll_runs_differ(s);
    uint32_t first = learns ? 2 : 1, rounds = how.order != AT_ONCE && t.children ? t.children : 1;
    if (learns && !round)
        learn(s, &t);
    else if (round < first)
        receive(s, &t);
    else if (round < first + rounds)
        pass_on(s, &t, round - first, how.order);
    return round < first + rounds;
}

/* All children's messages at once. a log2 n + n m/B; n - 1 messages. */
bool coll_scatter_binomial(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_KNOMIAL, 2, AT_ONCE});
}

/* One child after the other, the largest subtree first, as MPICH does. a log2 n + n m/B; n - 1 messages. */
bool coll_scatter_binomial_in_turn(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_KNOMIAL, 2, LARGEST_IN_TURN});
}

/* The same, but the smallest subtree first, as Open MPI does: the longest way begins last. */
bool coll_scatter_binomial_nearest(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_KNOMIAL, 2, SMALLEST_IN_TURN});
}

/* ceil(log_k n) levels of up to k - 1 messages at once; n - 1 messages. */
bool coll_scatter_knomial(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_KNOMIAL, coll_radix(s, 4), AT_ONCE});
}

/* Every member has k children, whose subtrees are equally large: log_k n levels, k messages at once; n - 1
 * messages. */
bool coll_scatter_kary(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_KARY, coll_radix(s, 2), AT_ONCE});
}

/* Between hosts, then within each, both binomial; the root and each other host's first member act for theirs:
 * each host's parts cross the network together (Karonis et al. 2000). a log2 H + b log2 P + n m/B; n - 1
 * messages. */
bool coll_scatter_hosts(struct coll_schedule *s, uint32_t round)
{
    return scatter(s, round, (struct scatter){COLL_SPAN_HOSTS, 2, AT_ONCE});
}
