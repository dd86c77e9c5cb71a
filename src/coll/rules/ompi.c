/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompi: what both forms of Open MPI's files of dynamic rules share: the numbers of operations and
 * algorithms, and how their rules become ours. Like the library's, they are for blocking calls in one
 * group.
 */
#include "coll/rules/ompi.h"

#include <stdio.h>
#include <string.h>

/* Operations in the order of their numbers, their keys in JSON, and their algorithms from 1 on. */
const struct coll_ompi_operation coll_ompi_table[] = {
    {COLL_RULES_ALLGATHER, "allgather",
     "linear bruck recursive_doubling ring neighbor two_proc sparbit direct-messaging"},
    {COLL_RULES_ALLGATHERV, "allgatherv", "default bruck ring neighbor two_proc sparbit"},
    {COLL_RULES_ALLREDUCE, "allreduce",
     "basic_linear nonoverlapping recursive_doubling ring segmented_ring rabenseifner allgather_reduce"},
    {COLL_RULES_ALLTOALL, "alltoall", "linear pairwise modified_bruck linear_sync two_proc"},
    {COLL_RULES_ALLTOALLV, "alltoallv", "basic_linear pairwise"},
    {COLL_RULES_ALLTOALLW, "alltoallw", ""},
    {COLL_RULES_BARRIER, "barrier", "linear double_ring recursive_doubling bruck two_proc tree"},
    {COLL_RULES_BCAST, "bcast",
     "basic_linear chain pipeline split_binary_tree binary_tree binomial knomial scatter_allgather "
     "scatter_allgather_ring"},
    {COLL_RULES_EXSCAN, "exscan", "linear recursive_doubling"},
    {COLL_RULES_GATHER, "gather", "basic_linear binomial linear_sync"},
    {COLL_RULES_GATHERV, "gatherv", ""},
    {COLL_RULES_REDUCE, "reduce",
     "linear chain pipeline binary binomial in-order_binary rabenseifner knomial"},
    {COLL_RULES_REDUCE_SCATTER, "reducescatter", "non-overlapping recursive_halving ring butterfly"},
    {COLL_RULES_REDUCE_SCATTER_BLOCK, "reducescatterblock",
     "basic_linear recursive_doubling recursive_halving butterfly"},
    {COLL_RULES_SCAN, "scan", "linear recursive_doubling"},
    {COLL_RULES_SCATTER, "scatter", "basic_linear binomial linear_nb"},
    {COLL_RULES_SCATTERV, "scatterv", ""},
    {COLL_RULES_NEIGHBOR_ALLGATHER, "neighbor_allgather", ""},
    {COLL_RULES_NEIGHBOR_ALLGATHERV, "neighbor_allgatherv", ""},
    {COLL_RULES_NEIGHBOR_ALLTOALL, "neighbor_alltoall", ""},
    {COLL_RULES_NEIGHBOR_ALLTOALLV, "neighbor_alltoallv", ""},
    {COLL_RULES_NEIGHBOR_ALLTOALLW, "neighbor_alltoallw", ""},
};
const size_t coll_ompi_operations = BASE_LENGTH(coll_ompi_table);

static size_t operation_of(enum coll_rules_op op)
{
    size_t k = 0;
    while (coll_ompi_table[k].op != op)
        k++;
    return k;
}

bool coll_ompi_algorithm(enum coll_rules_op op, uint64_t number, char *buf, size_t size)
{
    const char *at = op == COLL_RULES_COLLECT ? "" : coll_ompi_table[operation_of(op)].algorithms;
    for (uint64_t k = 1; *at; k++) {
        size_t n = strcspn(at, " ");
        if (k == number) {
            snprintf(buf, size, "%.*s", (int)n, at);
            return true;
        }
        at += n + strspn(at + n, " ");
    }
    return false;
}

bool coll_ompi_knows(enum coll_rules_op op, const char *name)
{
    char one[64];
    if (op == COLL_RULES_ALLGATHER && !strcmp(name, "bruck-k-fanout")) /* what version 5 calls bruck */
        return true;
    for (uint64_t k = 1; coll_ompi_algorithm(op, k, one, sizeof one); k++)
        if (!strcmp(one, name))
            return true;
    return false;
}

/* --- rules -------------------------------------------------------------------------------------------- */

/* The size that the library compares, as docs/selectors.md lists them. */
enum coll_fact coll_ompi_size(enum coll_rules_op op)
{
    switch (op) {
    case COLL_RULES_ALLTOALL:
    case COLL_RULES_ALLGATHER:
    case COLL_RULES_GATHER:
    case COLL_RULES_SCATTER:
    case COLL_RULES_REDUCE_SCATTER:
    case COLL_RULES_REDUCE_SCATTER_BLOCK:
        return COLL_FACT_TOTAL;
    default:
        return COLL_FACT_PART;
    }
}

bool coll_ompi_has_size(enum coll_rules_op op)
{
    return op != COLL_RULES_ALLTOALLV && op != COLL_RULES_BARRIER;
}

void coll_ompi_between(struct coll_rules *s, enum coll_fact fact, uint64_t least, uint64_t most)
{
    struct coll_test t = {.fact = (uint8_t)fact, .compare = COLL_LEAST, .value = least};
    if (least)
        coll_rules_add_test(s, &t);
    t.compare = COLL_MOST;
    t.value = most;
    if (most != UINT64_MAX)
        coll_rules_add_test(s, &t);
}

uint32_t coll_ompi_section(struct coll_rules *s, enum coll_rules_op op, uint32_t line)
{
    uint32_t last = COLL_RULES_NONE, rule = coll_rules_add(s, COLL_RULES_NONE, &last, line);
    struct coll_test t = {.fact = COLL_FACT_FLAG, .value = COLL_IS_INTER, .negated = true};
    coll_rules_add_test(s, &t);
    t.value = COLL_IS_BLOCKING;
    t.negated = false;
    coll_rules_add_test(s, &t);
    return s->section[op] = rule;
}

static uint32_t at_most(uint64_t n)
{
    return (uint32_t)(n > UINT32_MAX ? UINT32_MAX : n);
}

void coll_ompi_leaf(struct coll_rules *s, uint32_t rule, const struct coll_ompi_rule *r)
{
    struct coll_leaf *l = coll_rules_set_leaf(s, rule, "ompi", r->algorithm ? r->algorithm : "");
    l->pass = !r->algorithm;
    if (l->pass)
        return;
    l->k = at_most(r->fan);
    l->segment = r->segment;
    l->outstanding = at_most(r->requests);
}

enum coll_rules_op coll_ompi_operation(const char *key)
{
    for (size_t k = 0; k < BASE_LENGTH(coll_ompi_table); k++)
        if (!strcmp(coll_ompi_table[k].key, key))
            return coll_ompi_table[k].op;
    return COLL_RULES_OPS;
}
