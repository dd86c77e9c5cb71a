/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every: every operation once, on the test ranks, against the serial result: rank r is member r of all, and
 * word k of its source is every_value(r, k). The operator is not commutative: words are affine functions
 * modulo a prime, and it composes them; or it adds them (every_adds).
 */
#ifndef PGASIM_TESTS_COLL_EVERY_H
#define PGASIM_TESTS_COLL_EVERY_H

#include "coll/stage.h"

enum { EVERY_WORDS = 6, EVERY_MOST = 16, EVERY_AREA = 8 * EVERY_WORDS * EVERY_MOST };
#define EVERY_PRIME UINT64_C(65537)

static uint32_t every_shift; /* other values */
static inline uint64_t every_value(uint32_t rank, size_t k)
{
    rank += every_shift;
    return (2 + rank * 131 + k * 17) % EVERY_PRIME << 32 | (rank * 977 + k * 31 + 5) % EVERY_PRIME;
}
static bool every_adds;
/* x -> a x + b, first the left one, then the right one. */
static inline uint64_t every_compose(uint64_t left, uint64_t right)
{
    if (every_adds)
        return left + right;
    uint64_t a = left >> 32, b = left & UINT32_MAX, c = right >> 32, d = right & UINT32_MAX;
    return a * c % EVERY_PRIME << 32 | (c * b + d) % EVERY_PRIME;
}
static inline void every_combine(void *arg, const void *left, void *right, uint64_t items)
{
    const uint64_t *a = left;
    uint64_t *b = right;
    (void)arg;
    for (uint64_t k = 0; k < items; k++)
        b[k] = every_compose(a[k], b[k]);
}
static const struct coll_user every_user = {every_combine, NULL, NULL};
static inline uint64_t every_fold(uint32_t from, uint32_t to, size_t k)
{
    uint64_t v = every_value(from, k);
    for (uint32_t p = from + 1; p < to; p++)
        v = every_compose(v, every_value(p, k));
    return v;
}

/* --- the calls ------------------------------------------------------------------------------------ */

/* Words of member p's part, and of what i has for j. */
static inline size_t every_part(uint32_t p)
{
    return p * 5 % (EVERY_WORDS + 1);
}
static inline size_t every_between(uint32_t i, uint32_t j)
{
    return (3 * i + 5 * j) % (EVERY_WORDS + 1);
}

/* One for each rank: sizes and places of parts; part p begins at p times EVERY_WORDS. */
struct every_sizes {
    int of_member[EVERY_MOST], to[EVERY_MOST], from[EVERY_MOST], at[EVERY_MOST];
    int words_to[EVERY_MOST], words_from[EVERY_MOST];
    const struct types_layout *layouts[EVERY_MOST];
    struct coll_neighbors *ring;
    struct coll_local local[COLL_OPS];
};
static struct every_sizes every_sizes[EVERY_MOST];

/* A ring of n members, which `ctx` is: both neighbours are sources and destinations. */
static inline void every_list_ring(void *ctx, uint32_t r, struct coll_graph *g)
{
    static uint32_t from[2], to[2];
    uint32_t n = (uint32_t)(uintptr_t)ctx;
    from[0] = to[1] = (r + n - 1) % n;
    from[1] = to[0] = (r + 1) % n;
    *g = (struct coll_graph){.from = from, .to = to, .n_from = 2, .n_to = 2};
}

static inline void every_release_nothing(void *ctx)
{
    (void)ctx;
}

static inline void every_prepare_ring(struct every_sizes *s, uint32_t r, struct coll_whole_graph *whole,
                                      uint32_t n)
{
    const struct coll_side parts = {.part = (uint64_t)8 * EVERY_WORDS};
    struct base_status st;
    struct coll_graph g;
    every_list_ring((void *)(uintptr_t)n, r, &g);
    g.whole = whole;
    coll_neighbors_release(s->ring);
    s->ring = coll_neighbors_create(&g, r, &st);
    for (int op = COLL_NEIGHBOR_ALLGATHER; op <= COLL_NEIGHBOR_ALLTOALL; op++)
        s->local[op] = (struct coll_local){.source = parts, .dest = parts, .neighbors = s->ring};
}

static inline void every_prepare(uint32_t n)
{
    static const struct coll_graph_lists lists = {every_list_ring, every_release_nothing};
    struct coll_whole_graph *ring = coll_whole_graph_create(n, NULL, 0, &lists, (void *)(uintptr_t)n);
    for (uint32_t r = 0; r < n; r++) {
        struct every_sizes *s = &every_sizes[r];
        for (uint32_t p = 0; p < n; p++) {
            s->of_member[p] = 8 * (int)every_part(p);
            s->words_to[p] = (int)every_between(r, p);
            s->words_from[p] = (int)every_between(p, r);
            s->to[p] = 8 * s->words_to[p];
            s->from[p] = 8 * s->words_from[p];
            s->layouts[p] = types_layout_of(TYPES_UINT64);
            s->at[p] = 8 * (int)p * EVERY_WORDS;
        }
        for (int op = 0; op < COLL_OPS; op++)
            s->local[op] = (struct coll_local){.user = &every_user};
        const struct coll_side members = {.counts = s->of_member, .at = s->at};
        s->local[COLL_GATHERV].dest = s->local[COLL_ALLGATHERV].dest = members;
        s->local[COLL_SCATTERV].source = members;
        s->local[COLL_ALLTOALLV].source = (struct coll_side){.counts = s->to, .at = s->at};
        s->local[COLL_ALLTOALLV].dest = (struct coll_side){.counts = s->from, .at = s->at};
        s->local[COLL_ALLTOALLW].source =
            (struct coll_side){.counts = s->words_to, .at = s->at, .layouts = s->layouts};
        s->local[COLL_ALLTOALLW].dest =
            (struct coll_side){.counts = s->words_from, .at = s->at, .layouts = s->layouts};
        every_prepare_ring(s, r, ring, n);
    }
    coll_whole_graph_release(ring);
}

static inline size_t every_offset(unsigned op)
{
    return (size_t)(1 + op) * EVERY_AREA;
}
enum { EVERY_BYTES = (1 + COLL_OPS) * EVERY_AREA };

static inline void every_fill(const struct rank *r)
{
    uint64_t *words = (uint64_t *)(void *)stage.heap[r->id];
    for (size_t k = 0; k < EVERY_AREA / 8; k++)
        words[k] = every_value(r->id, k);
}

static inline struct coll_call every_call(const struct rank *r, uint32_t n, enum coll_op op)
{
    const struct every_sizes *s = &every_sizes[r->id];
    struct coll_call c = {.name = coll_op_name(op),
                          .op = op,
                          .group = {0, 1, n, 0, NULL},
                          .me = r->id,
                          .source = stage_at(r, 0),
                          .dest = stage_at(r, every_offset(op)),
                          .bytes = 8 * EVERY_WORDS,
                          .element = 8,
                          .root = coll_op_is_rooted(op) ? 2 % n : 0,
                          .private_dest = true,
                          .operator= {TYPES_OPS, TYPES_ELEMENTS, !every_adds},
                          .local = &s->local[op]};
    if (op == COLL_COLLECT || op == COLL_GATHERV || op == COLL_SCATTERV || op == COLL_ALLGATHERV)
        c.bytes = 8 * every_part(r->id);
    return c;
}

/* --- the results ---------------------------------------------------------------------------------- */

static inline void every_word(uint32_t rank, enum coll_op op, size_t k, uint64_t expected)
{
    uint64_t got = ((const uint64_t *)(void *)(stage.heap[rank] + every_offset(op)))[k];
    if (got != expected)
        fail_msg("%s: word %zu at rank %u is %#llx, expected %#llx", coll_op_name(op), k, rank,
                 (unsigned long long)got, (unsigned long long)expected);
}

/* What comes from member p: `words` of them from word `from` on, to word `to`. */
static inline void every_run(uint32_t rank, enum coll_op op, uint32_t p, size_t words, size_t from, size_t to)
{
    for (size_t k = 0; k < words; k++)
        every_word(rank, op, to + k, every_value(p, from + k));
}

static inline void every_expect_moved(uint32_t r, uint32_t n, enum coll_op op)
{
    uint32_t root = 2 % n;
    size_t collected = 0;
    for (uint32_t p = 0; p < n; p++) {
        size_t here = (size_t)p * EVERY_WORDS;
        if (op == COLL_COLLECT)
            every_run(r, op, p, every_part(p), 0, collected);
        if (op == COLL_FCOLLECT || (op == COLL_GATHER && r == root))
            every_run(r, op, p, EVERY_WORDS, 0, here);
        if (op == COLL_ALLGATHERV || (op == COLL_GATHERV && r == root))
            every_run(r, op, p, every_part(p), 0, here);
        if (op == COLL_ALLTOALL)
            every_run(r, op, p, EVERY_WORDS, (size_t)r * EVERY_WORDS, here);
        if (op == COLL_ALLTOALLV || op == COLL_ALLTOALLW)
            every_run(r, op, p, every_between(p, r), (size_t)r * EVERY_WORDS, here);
        collected += every_part(p);
    }
    for (uint32_t k = 0; k < 2 && op >= COLL_NEIGHBOR_ALLGATHER; k++)
        every_run(r, op, (r + (k ? 1 : n - 1)) % n, EVERY_WORDS,
                  op == COLL_NEIGHBOR_ALLTOALL ? k * EVERY_WORDS : 0, k * EVERY_WORDS);
    if (op == COLL_BROADCAST)
        every_run(r, op, root, EVERY_WORDS, 0, 0);
    if (op == COLL_SCATTER)
        every_run(r, op, root, EVERY_WORDS, (size_t)r * EVERY_WORDS, 0);
    if (op == COLL_SCATTERV)
        every_run(r, op, root, every_part(r), (size_t)r * EVERY_WORDS, 0);
}

static inline void every_expect(uint32_t r, uint32_t n, enum coll_op op)
{
    every_expect_moved(r, n, op);
    for (size_t k = 0; k < EVERY_WORDS; k++) {
        if (op == COLL_REDUCE || (op == COLL_REDUCE_ROOT && r == 2 % n))
            every_word(r, op, k, every_fold(0, n, k));
        if (op == COLL_INSCAN)
            every_word(r, op, k, every_fold(0, r + 1, k));
        if (op == COLL_EXSCAN)
            every_word(r, op, k, r ? every_fold(0, r, k) : 0);
        if (coll_op_scatters_result(op))
            every_word(r, op, k, every_fold(0, n, r * EVERY_WORDS + k));
    }
}

#endif
