/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_gather: gathers up a tree whose edges carry the parts of all below (Thakur, Rabenseifner, Gropp 2005,
 * section 4.1, the other way). Each part is moved once per level, so with m bytes a part the root receives n
 * m in all: D a + n m/B for a tree of depth D; n - 1 messages. Where sizes differ, members that are not
 * children of the root first send up the sizes of what is below them.
 */
#include "coll/rooted/rooted.h"
#include "coll/rooted/runs.h"

struct gather {
    enum coll_span_shape shape;
    uint32_t radix;
    bool in_turn; /* a member receives from one child after the other */
};

/* Receives from the children [from, end) at once, in ascending order of place. */
static void receive(struct coll_schedule *s, const struct coll_span *t, uint32_t from, uint32_t end,
                    bool sizes)
{
    uint64_t after = 0;
    for (uint32_t n = from; n < end; n++) {
        uint32_t child = from, place = UINT32_MAX;
        for (uint32_t k = from; k < end; k++) {
            uint32_t p = coll_span_place(t, s, t->child[k]);
            if (p >= after && p <= place)
                child = k, place = p;
        }
        uint32_t v = t->child[child], last = t->child[child + 1];
        if (sizes)
            coll_add_receive(s, place, COLL_RUN_SIZES, coll_runs_size_at(t, v),
                             (uint64_t)COLL_RUN_SIZE * (last - v));
        else
            coll_add_receive(s, place, COLL_RUN_PARTS, coll_runs_at(s, t, v), coll_runs_bytes(s, t, v, last));
        after = (uint64_t)place + 1;
    }
}

/* Two rounds by which sizes go up; the root knows them. */
static void learn(struct coll_schedule *s, const struct coll_span *t, uint32_t round)
{
    if (round == 0) {
        coll_runs_begin(s, t, COLL_DEST);
        if (t->me)
            receive(s, t, 0, t->children, true);
    } else if (t->me && t->parent) {
        coll_add_send(s, coll_span_place(t, s, t->parent), COLL_RUN_SIZES, coll_runs_size_at(t, t->me),
                      (uint64_t)COLL_RUN_SIZE * (t->end - t->me));
    }
}

static void add_own(struct coll_schedule *s, const struct coll_span *t)
{
    uint64_t bytes = coll_runs_bytes(s, t, t->me, t->me + 1);
    if (bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_runs_at(s, t, t->me), bytes);
}

/* What is below the member goes to its parent, or to its place. */
static void pass_on(struct coll_schedule *s, const struct coll_span *t)
{
    if (!t->me)
        coll_runs_deliver(s, t);
    else
        coll_add_send(s, coll_span_place(t, s, t->parent), COLL_RUN_PARTS,
                      t->children ? coll_runs_at(s, t, t->me) : coll_at(COLL_SOURCE, 0),
                      coll_runs_bytes(s, t, t->me, t->end));
}

static bool gather(struct coll_schedule *s, uint32_t round, struct gather g)
{
    struct coll_span t;
    coll_span_find(&t, s, g.shape, g.radix);
    if (coll_runs_differ(s) && round < 2) {
        learn(s, &t, round);
        return true;
    }
    uint32_t r = coll_runs_differ(s) ? round - 2 : round;
    uint32_t rounds = t.children && g.in_turn ? t.children : 1;
    if (r < rounds) {
        receive(s, &t, g.in_turn ? r : 0, g.in_turn ? (t.children ? r + 1 : 0) : t.children, false);
        if (!r && (t.children || !t.me))
            add_own(s, &t);
    }
    if (r == rounds)
        pass_on(s, &t);
    return r <= rounds;
}

/* All children's messages at once. a log2 n + n m/B; n - 1 messages. */
bool coll_gather_binomial(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, (struct gather){COLL_SPAN_KNOMIAL, 2, false});
}

/* One child after the other, the smallest subtree first, as MPICH and Open MPI do. a log2 n + n m/B; n - 1
 * messages. */
bool coll_gather_binomial_in_turn(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, (struct gather){COLL_SPAN_KNOMIAL, 2, true});
}

/* ceil(log_k n) levels of up to k - 1 messages at once; n - 1 messages. */
bool coll_gather_knomial(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, (struct gather){COLL_SPAN_KNOMIAL, coll_radix(s, 4), false});
}

/* Every member has k children, whose subtrees are equally large: log_k n levels, k messages at once; n - 1
 * messages. */
bool coll_gather_kary(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, (struct gather){COLL_SPAN_KARY, coll_radix(s, 2), false});
}

/* Binomial within each host, then between hosts, where the root and each other host's first member act for
 * theirs: each host's parts cross the network together (Karonis et al. 2000). b log2 P + a log2 H + n m/B; n
 * - 1 messages. */
bool coll_gather_hosts(struct coll_schedule *s, uint32_t round)
{
    return gather(s, round, (struct gather){COLL_SPAN_HOSTS, 2, false});
}
