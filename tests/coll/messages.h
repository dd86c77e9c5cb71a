/* SPDX-License-Identifier: BSD-3-Clause */
/* messages: how many messages each algorithm's comment promises for a trial. */
#ifndef PGASIM_TESTS_COLL_MESSAGES_H
#define PGASIM_TESTS_COLL_MESSAGES_H

#include "coll/allgather_messages.h"
#include "coll/broadcast_messages.h"
#include "coll/reduction_messages.h"
#include "coll/trial.h"

static uint64_t ceil_log2(uint64_t n)
{
    uint64_t k = 0;
    while (UINT64_C(1) << k < n)
        k++;
    return k;
}

/* Runs of Bruck's fcollect that pass the end of dest. */
static uint64_t wrapping_runs(uint64_t n)
{
    uint64_t runs = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        for (uint64_t me = 0, count = d < n - d ? d : n - d; me < n; me++)
            runs += me + count > n;
    return runs;
}

static uint64_t prefix_messages(uint64_t n)
{
    return n * ceil_log2(n) - ((UINT64_C(1) << ceil_log2(n)) - 1);
}

/* Up and down a binomial tree. */
static uint64_t sweep_messages(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        sum += n / (2 * d) + (n - d) / (2 * d);
    return sum;
}

static bool is(const struct trial *t, enum coll_op op, const char *name)
{
    return t->op == op && !strcmp(t->name, name);
}

#define UNKNOWN_MESSAGES UINT64_MAX /* docs/collectives-costs.md has the formula */
static uint64_t expected_messages(const struct trial *t);

/* A trial of the algorithm that leaders take. */
static uint64_t leaders_messages(const struct trial *t)
{
    struct trial l = *t;
    uint64_t m = part_bytes(t, 0), n = l.group.size = t->hosts;
    if (t->op == COLL_BARRIER)
        l.name = "dissemination";
    if (t->op == COLL_FCOLLECT)
        l.name = "bruck";
    if (t->op == COLL_BROADCAST)
        l.name = n < 8 || m < 12 * 1024 || m / n < 64 ? "binomial" : "scatter-ring";
    if (t->op == COLL_REDUCE)
        l.name = m <= 2048 || t->elements < n ? "recursive-doubling" : "rabenseifner";
    return expected_messages(&l);
}

static uint64_t hierarchical_messages(const struct trial *t)
{
    uint64_t n = t->group.size, hosts = t->hosts;
    if (t->op == COLL_FCOLLECT && (!t->in_order || hosts == n)) {
        struct trial l = *t;
        l.name = "bruck";
        return expected_messages(&l);
    }
    return (t->op == COLL_BROADCAST ? 1 : 2) * (n - hosts) + leaders_messages(t);
}

/* Scatter, then exchanges in which nobody gets what the scatter gave it. */
static uint64_t scatter_doubling_messages(uint64_t n)
{
    uint64_t sum = n - 1;
    for (uint64_t v = 1; v < n; v++)
        for (uint64_t d = v & (~v + 1); d < n; d *= 2)
            sum++;
    return sum;
}

static bool ends(const char *name, const char *with)
{
    size_t n = strlen(name), m = strlen(with);
    return n >= m && !strcmp(name + n - m, with);
}

/* On a grid each member sends to those of its row and of its column. */
static uint64_t grid_messages(uint64_t n)
{
    uint64_t side = 1;
    while ((side + 1) * (side + 1) <= n)
        side++;
    while (n % side)
        side++;
    return n * (side + n / side - 2);
}

/* In square layers of the least side from n^(1/3) on, each also to one of each layer. */
static uint64_t layers_messages(uint64_t n)
{
    uint64_t side = 1;
    while ((side + 1) * (side + 1) * (side + 1) <= n)
        side++;
    while (side <= n / 3 && n % (side * side))
        side++;
    side = side <= n / 3 ? side : 1;
    return n * (2 * side + n / side / side - 3);
}

/* One for each digit that a distance below n may have. */
static uint64_t digits_messages(uint64_t n, uint64_t k)
{
    uint64_t sum = 0;
    for (uint64_t weight = 1; weight < n; weight *= k)
        sum += (n - 1) / weight < k - 1 ? (n - 1) / weight : k - 1;
    return n * sum;
}

static uint64_t cube_messages(uint64_t n)
{
    uint64_t layers = 1, rows = 1;
    for (uint64_t side = 2; side * side * side <= n; side++)
        layers = n % side ? layers : side;
    for (uint64_t side = 2; side * side <= n / layers; side++)
        rows = n / layers % side ? rows : side;
    return n * (layers + rows + n / layers / rows - 3);
}

static uint64_t levels_messages(const struct trial *t, uint64_t n)
{
    uint64_t hosts = t->hosts ? t->hosts : 1;
    if (!strcmp(t->name, "multi-lane"))
        return n * (n / hosts + hosts - 2);
    return 2 * (n - hosts) + (ends(t->name, "bruck") ? hosts * ceil_log2(hosts) : hosts * (hosts - 1));
}

static uint64_t alltoall_messages(const struct trial *t, uint64_t n)
{
    uint64_t direct = n * (n - 1), barrier = n * ceil_log2(n);
    if (ends(t->name, "light-barrier"))
        return n > 1 ? n * (2 * n - 3) : 0;
    if (ends(t->name, "barriers"))
        return direct + n * barrier;
    if (ends(t->name, "one-barrier"))
        return direct + barrier;
    if (!strcmp(t->name, "pair-rma"))
        return direct + 2 * barrier;
    if (!strcmp(t->name, "two"))
        return 2;
    if (!strncmp(t->name, "k-bruck", 7))
        return digits_messages(n, t->radix);
    if (!strcmp(t->name, "multiphase"))
        return digits_messages(n, t->radix < 4 ? 2 : 4);
    if (!strncmp(t->name, "two-level", 9) || !strcmp(t->name, "multi-lane"))
        return levels_messages(t, n);
    if (!strcmp(t->name, "cube"))
        return cube_messages(n);
    if (ends(t->name, "bruck") || !strcmp(t->name, "hypercube"))
        return barrier;
    if (!strcmp(t->name, "2d-mesh") || !strcmp(t->name, "grid"))
        return grid_messages(n);
    if (!strcmp(t->name, "3d-mesh"))
        return layers_messages(n);
    if (!strcmp(t->name, "recursive-doubling"))
        return n & (n - 1) ? UNKNOWN_MESSAGES : barrier;
    return direct;
}

static uint64_t expected_messages(const struct trial *t)
{
    if (!strcmp(t->name, "hierarchical"))
        return hierarchical_messages(t);
    uint64_t n = t->group.size, log_n = ceil_log2(n), p = n;
    while (p & (p - 1))
        p &= p - 1;
    uint64_t log_p = ceil_log2(p);
    if (!strcmp(t->name, "k-nomial") || !strcmp(t->name, "binomial"))
        if (t->op == COLL_BARRIER || t->op == COLL_BROADCAST || t->op == COLL_REDUCE)
            return (t->op == COLL_BROADCAST ? 1 : 2) * (n - 1);
    if (is(t, COLL_BROADCAST, "chain"))
        return (n - 1) * (part_bytes(t, 0) ? (part_bytes(t, 0) - 1) / t->segment + 1 : 1);
    if (is(t, COLL_BROADCAST, "scatter-recursive-doubling"))
        return p == n ? scatter_doubling_messages(n) : (n - 1) + (n - 1) * (n - 1);
    if (is(t, COLL_BARRIER, "recursive-doubling") || is(t, COLL_FCOLLECT, "recursive-doubling"))
        return p * log_p + 2 * (n - p);
    if (is(t, COLL_FCOLLECT, "neighbor-exchange"))
        return n % 2 ? n * (n - 1) : n * n / 2;
    if (is(t, COLL_INSCAN, "linear") || is(t, COLL_EXSCAN, "linear"))
        return n - 1;
    if (is(t, COLL_INSCAN, "recursive-doubling") || is(t, COLL_EXSCAN, "recursive-doubling"))
        return prefix_messages(n);
    if (is(t, COLL_INSCAN, "binomial") || is(t, COLL_EXSCAN, "binomial"))
        return sweep_messages(n) + (t->op == COLL_EXSCAN ? n - 1 : 0);
    if (is(t, COLL_BARRIER, "linear") || is(t, COLL_REDUCE, "linear"))
        return 2 * (n - 1);
    if (is(t, COLL_BROADCAST, "linear"))
        return n - 1;
    if (is(t, COLL_BROADCAST, "scatter-ring"))
        return (n - 1) + (n - 1) * (n - 1);
    if (is(t, COLL_COLLECT, "recursive-doubling"))
        return prefix_messages(n) + p * log_p + 2 * (n - p);
    if (is(t, COLL_COLLECT, "ring") || is(t, COLL_COLLECT, "linear"))
        return prefix_messages(n) + n * (n - 1);
    if (is(t, COLL_COLLECT, "tree"))
        return prefix_messages(n) + 2 * (n - 1);
    if (is(t, COLL_FCOLLECT, "bruck"))
        return n * log_n + wrapping_runs(n);
    if (is(t, COLL_BARRIER, "dissemination") || is(t, COLL_ALLTOALL, "bruck"))
        return n * log_n;
    if (is(t, COLL_REDUCE, "recursive-doubling"))
        return p * log_p + 2 * (n - p);
    if (is(t, COLL_REDUCE, "rabenseifner"))
        return 2 * p * log_p + 2 * (n - p);
    if (is(t, COLL_REDUCE, "ring"))
        return 2 * n * (n - 1);
    if (is(t, COLL_FCOLLECT, "ring") || is(t, COLL_FCOLLECT, "linear"))
        return n * (n - 1);
    if (t->op == COLL_ALLTOALL)
        return alltoall_messages(t, n);
    if (t->op == COLL_REDUCE)
        return reduction_messages(t);
    if (t->op == COLL_INSCAN || t->op == COLL_EXSCAN)
        return scan_messages(t);
    return t->op == COLL_BROADCAST ? broadcast_messages(t) : allgather_messages(t);
}

#endif
