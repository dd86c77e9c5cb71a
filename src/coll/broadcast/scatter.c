/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter: broadcasts by scatter and allgather as MPICH has them, call by call, and its choice among them
 * (Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 19(1),
 * 2005, section 4.3). Chunks are ceil(m/n) bytes, so the last ones may be short or empty. The scatter leaves
 * out empty messages, the allgather does not, nor does it spare the root.
 */
#include "coll/broadcast/scatter.h"
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

#define KIB(n) ((uint64_t)(n) << 10)

/* The data of chunks [first, end). */
struct chunks {
    uint64_t low, bytes;
};

static struct chunks chunks_of(const struct coll_schedule *s, uint64_t first, uint64_t end)
{
    BASE_ASSERT("C10", s->size > 0);
    uint64_t width = (s->bytes + s->size - 1) / s->size, low = first * width, high = end * width;
    low = low < s->bytes ? low : s->bytes;
    high = high < s->bytes ? high : s->bytes;
    return (struct chunks){low, high > low ? high - low : 0};
}

static struct chunks subtree(const struct coll_schedule *s, uint32_t v)
{
    return chunks_of(s, v, v + coll_tree_run(s, v));
}

/* The calls of the scatter down a binomial tree, tag 0. */
static void add_scatter(struct coll_program *p, const struct broadcast_tree *t)
{
    struct coll_schedule *s = p->s;
    struct chunks x = subtree(s, t->me);
    uint32_t child;
    if (t->me > 0 && x.bytes)
        coll_program_receive_wait(p, broadcast_parent(t), 0, coll_at(COLL_DEST, x.low), x.bytes);
    for (uint32_t k = 0; (child = t->shape->child(t, t->me, k)) != COLL_NOBODY; k++) {
        x = subtree(s, child);
        if (x.bytes)
            coll_program_send_wait(p, broadcast_place(t, child), 0, broadcast_data(s, x.low), x.bytes);
    }
}

/* Then a ring of n - 1 steps. a (log2 n + n - 1) + 2 m/B; at most n - 1 + n (n - 1) messages. */
bool coll_broadcast_scatter_whole_ring(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_binomial_tree, 0, s->root);
    uint32_t n = s->size;
    BASE_ASSERT("C10", n > 0);
    broadcast_room(s, chunks_of(s, 0, 1).bytes);
    if (round == 0) {
        struct coll_program p;
        coll_program_begin(&p, s);
        add_scatter(&p, &t);
        coll_program_end(&p);
    } else if (round < n) {
        uint32_t here = (t.me + n - round + 1) % n, before = (t.me + n - round) % n;
        struct chunks sent = chunks_of(s, here, here + 1), received = chunks_of(s, before, before + 1);
        coll_add_receive(s, coll_before(s, 1), round, broadcast_into(s, received.low), received.bytes);
        coll_add_send(s, coll_after(s, 1), round, broadcast_data(s, sent.low), sent.bytes);
    } else if (round == n) {
        broadcast_root_copy(s);
    }
    return round <= n;
}

/* --- doubling ----------------------------------------------------------------------------------- */

enum { DOUBLING_TAGS = 64 }; /* a tag for each step, and from there on for each step within one */

/* Members [base, base + d) hold the same; those from `have` on did not get [base + d, n), as they have no
 * partner at distance d: the others send it to them, halving the distance. */
static void add_catch_up(struct coll_program *p, const struct broadcast_tree *t, uint32_t d, uint32_t step)
{
    struct coll_schedule *s = p->s;
    uint32_t v = t->me, base = v & ~(d - 1);
    if ((uint64_t)base + d >= s->size)
        return;
    struct chunks x = chunks_of(s, base + d, (uint64_t)base + 2 * (uint64_t)d);
    uint32_t have = s->size - base - d, tag = DOUBLING_TAGS * (step + 1);
    for (uint32_t half = d / 2; half; half /= 2, tag++) {
        uint32_t peer = v ^ half, end = (v & ~(2 * half - 1)) + have; /* from there on they lack it */
        if (peer > v && v < end && peer >= end)
            coll_program_send_wait(p, broadcast_place(t, peer), tag, broadcast_data(s, x.low), x.bytes);
        else if (peer < v && peer < end && v >= end)
            coll_program_receive_wait(p, broadcast_place(t, peer), tag, broadcast_into(s, x.low), x.bytes);
    }
}

/* In step k, blocks of 2^k members that hold the chunks of all of them exchange what they hold, each
 * member with one of the other block. */
static void add_doubling(struct coll_program *p, const struct broadcast_tree *t)
{
    struct coll_schedule *s = p->s;
    for (uint32_t d = 1, step = 1; d && d < s->size; d *= 2, step++) {
        uint32_t peer = t->me ^ d, here = t->me & ~(d - 1), there = peer & ~(d - 1);
        if (peer < s->size) {
            struct chunks mine = chunks_of(s, here, here + d), other = chunks_of(s, there, there + d);
            uint32_t place = broadcast_place(t, peer);
            coll_program_receive(p, place, step, broadcast_into(s, other.low), other.bytes);
            coll_program_send(p, place, step, broadcast_data(s, mine.low), mine.bytes);
            coll_program_wait_all(p);
        }
        add_catch_up(p, t, d, step);
    }
}

/* Scatter, then recursive doubling, for any n: members without a partner get from others of their block
 * what they miss. 2 a log2 n + 2 m/B for a power of two, else up to a (log2 n)^2/2 more; at most n - 1 + n
 * log2 n messages, and fewer than n for each step that members miss. */
bool coll_broadcast_scatter_whole_doubling(struct coll_schedule *s, uint32_t round)
{
    struct broadcast_tree t = broadcast_tree(s, &broadcast_binomial_tree, 0, s->root);
    struct coll_program p;
    if (round == 1)
        broadcast_root_copy(s);
    if (round)
        return round < 2;
    broadcast_room(s, s->bytes);
    coll_program_begin(&p, s);
    if (s->bytes) {
        add_scatter(&p, &t);
        add_doubling(&p, &t);
    }
    coll_program_end(&p);
    return true;
}

coll_build_fn broadcast_of_mpich(uint64_t bytes, uint32_t n)
{
    if (n <= 8 || bytes < KIB(12))
        return coll_broadcast_binomial_in_turn;
    bool doubles = bytes < KIB(512) && n % 2 == 0;
    return doubles ? coll_broadcast_scatter_whole_doubling : coll_broadcast_scatter_whole_ring;
}
