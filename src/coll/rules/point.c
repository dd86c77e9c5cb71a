/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * point: reads a point from words, for `pgasim info selectors` and tests. What is not given follows: one
 * member a node, regular parts, a commutative operator of MPI's own on bytes.
 */
#include "coll/rules/parse.h"

#include <string.h>

enum { GIVEN_COUNT = 1, GIVEN_TOTAL = 2, GIVEN_LARGEST = 4, GIVEN_NODES = 8, GIVEN_PER_NODE = 16 };

static int read_number(struct coll_reader *r, enum coll_fact fact, struct coll_point *p, uint32_t *given)
{
    uint64_t n;
    if (coll_reader_expect(r, "=", "'='"))
        return -1;
    bool small = fact == COLL_FACT_RANKS || fact == COLL_FACT_NODES || fact == COLL_FACT_PER_NODE ||
                 fact == COLL_FACT_DEGREE || fact == COLL_FACT_DIMENSIONS;
    if (r->kind != COLL_READ_WORD || coll_number_parse(r->word, &n) || (small && n > INT32_MAX) ||
        (fact == COLL_FACT_RANKS && !n))
        return coll_reader_fail(r, small ? "a number from 1 to 2147483647" : "a size, as 8KiB");
    coll_reader_next(r);
    uint64_t *const big[] = {
        [COLL_FACT_PART] = &p->part, [COLL_FACT_TOTAL] = &p->total, [COLL_FACT_LARGEST] = &p->largest,
        [COLL_FACT_PIPE] = &p->pipe, [COLL_FACT_BURST] = &p->burst, [COLL_FACT_COUNT] = &p->count};
    uint32_t *const little[] = {[COLL_FACT_RANKS] = &p->ranks,
                                [COLL_FACT_NODES] = &p->nodes,
                                [COLL_FACT_PER_NODE] = &p->per_node,
                                [COLL_FACT_DEGREE] = &p->degree,
                                [COLL_FACT_DIMENSIONS] = &p->dimensions};
    static const uint32_t bit[] = {[COLL_FACT_NODES] = GIVEN_NODES,
                                   [COLL_FACT_PER_NODE] = GIVEN_PER_NODE,
                                   [COLL_FACT_TOTAL] = GIVEN_TOTAL,
                                   [COLL_FACT_LARGEST] = GIVEN_LARGEST,
                                   [COLL_FACT_COUNT] = GIVEN_COUNT,
                                   [COLL_FACT_RANKS] = 0,
                                   [COLL_FACT_PIPE] = 0,
                                   [COLL_FACT_BURST] = 0,
                                   [COLL_FACT_DEGREE] = 0,
                                   [COLL_FACT_DIMENSIONS] = 0};
    *given |= bit[fact];
    if (small)
        *little[fact] = (uint32_t)n;
    else
        *big[fact] = n;
    return 0;
}

static int read_topology(struct coll_reader *r, struct coll_point *p)
{
    if (coll_reader_expect(r, "=", "'='"))
        return -1;
    p->topology = r->kind == COLL_READ_WORD ? coll_topology_find(r->word) : COLL_TOPOLOGIES;
    if (p->topology == COLL_TOPOLOGIES)
        return coll_reader_fail(r, coll_topology_expected);
    coll_reader_next(r);
    return 0;
}

static int read_fact(struct coll_reader *r, struct coll_point *p, uint32_t *given)
{
    bool negated = coll_reader_accept(r, "not");
    enum coll_fact fact = r->kind == COLL_READ_WORD ? coll_fact_find(r->word) : COLL_FACT_FLAG;
    enum coll_point_flag flag = r->kind == COLL_READ_WORD ? coll_flag_find(r->word) : COLL_IS_FLAGS;
    if (flag >= COLL_IS_GIVEN && (fact == COLL_FACT_FLAG || negated))
        return coll_reader_fail(r, "a fact, as ranks=64, or a property, as commutative, that is not derived");
    coll_reader_next(r);
    if (fact == COLL_FACT_TOPOLOGY)
        return read_topology(r, p);
    if (fact != COLL_FACT_FLAG)
        return read_number(r, fact, p, given);
    p->flags = negated ? p->flags & ~(UINT32_C(1) << flag) : p->flags | UINT32_C(1) << flag;
    return 0;
}

static bool counts_all(uint32_t op)
{
    return op == COLL_RULES_ALLGATHERV || op == COLL_RULES_REDUCE_SCATTER ||
           op == COLL_RULES_REDUCE_SCATTER_BLOCK || op == COLL_RULES_ALLTOALLV;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static void complete(struct coll_point *p, uint32_t given)
{
    if (!(given & GIVEN_TOTAL))
        p->total = times(p->part, p->ranks);
    else if (!p->part)
        p->part = p->total / p->ranks;
    if (!(given & GIVEN_LARGEST))
        p->largest = p->part;
    if (!(given & GIVEN_COUNT))
        p->count = counts_all(p->op) ? p->total : p->part;
    if (!(given & GIVEN_NODES))
        p->nodes = p->per_node ? (p->ranks + p->per_node - 1) / p->per_node : p->ranks;
    if (!p->nodes || p->nodes > p->ranks)
        p->nodes = p->ranks;
    if (p->ranks % p->nodes)
        p->flags &= ~(UINT32_C(1) << COLL_IS_UNIFORM);
    p->per_node = p->flags >> COLL_IS_UNIFORM & 1 ? p->ranks / p->nodes : 0;
}

int coll_point_parse(struct coll_point *out, const char *text, struct base_status *st)
{
    struct coll_reader r = {.at = text, .end = text + strlen(text), .file = "point", .line = 1, .st = st};
    struct coll_point p = {.ranks = 2,
                           .pipe = COLL_PIPE_USUAL,
                           .burst = COLL_BURST_USUAL,
                           .flags = UINT32_C(1) << COLL_IS_COMMUTATIVE | UINT32_C(1) << COLL_IS_BUILTIN |
                                    UINT32_C(1) << COLL_IS_REGULAR | UINT32_C(1) << COLL_IS_CONSECUTIVE |
                                    UINT32_C(1) << COLL_IS_UNIFORM | UINT32_C(1) << COLL_IS_TWO_SIDED};
    uint32_t given = 0;
    coll_reader_next(&r);
    p.op = r.kind == COLL_READ_WORD ? coll_rules_op_find(r.word) : COLL_RULES_OPS;
    if (p.op == COLL_RULES_OPS)
        return coll_reader_fail(&r, "an operation, as allreduce");
    coll_reader_next(&r);
    while (r.kind != COLL_READ_END)
        if (read_fact(&r, &p, &given))
            return -1;
    complete(&p, given);
    *out = p;
    return 0;
}
