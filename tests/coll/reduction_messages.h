/* SPDX-License-Identifier: BSD-3-Clause */
/* reduction_messages: how many messages the comments of reductions to all and scans promise (messages.h). */
#ifndef PGASIM_TESTS_COLL_REDUCTION_MESSAGES_H
#define PGASIM_TESTS_COLL_REDUCTION_MESSAGES_H

#include "coll/trial.h"

static uint64_t log2_of(uint64_t power)
{
    return power > 1 ? 1 + log2_of(power / 2) : 0;
}

static uint64_t power_below(uint64_t n, uint64_t k)
{
    uint64_t p = 1;
    while (p * k <= n)
        p *= k;
    return p;
}

/* Members of a block: of a host, if all hosts have as many. */
static uint64_t block_size(const struct trial *t)
{
    uint64_t n = t->group.size, each = n / t->hosts;
    for (uint32_t p = 0; p < n; p++) {
        uint64_t same = 0;
        for (uint32_t q = 0; q < n; q++)
            same += t->host[q] == t->host[p];
        if (same != each || each * t->hosts != n)
            return 1;
    }
    return each;
}

/* p seats in groups of k, p a power of k; what each step sends. */
static uint64_t power_messages(uint64_t n, uint64_t k, uint64_t steps)
{
    uint64_t p = power_below(n, k), sum = 2 * (n - p);
    for (uint64_t left = p; left > 1; left /= k)
        sum += steps * p * (k - 1);
    return sum;
}

/* The largest product of factors up to k. */
static uint64_t product_messages(uint64_t n, uint64_t k)
{
    for (uint64_t p = n;; p--) {
        uint64_t left = p, sum = 2 * (n - p);
        for (uint64_t f = k; f > 1; f--)
            for (; left % f == 0; left /= f)
                sum += p * (f - 1);
        if (left == 1)
            return sum;
    }
}

static uint64_t segments_of(const struct trial *t, uint64_t bytes)
{
    uint64_t segment = t->segment < t->element ? t->element : t->segment / t->element * t->element;
    return bytes ? (bytes - 1) / segment + 1 : 1;
}

static uint64_t of_blocks(const struct trial *t, const char *how)
{
    uint64_t n = t->group.size, h = n / block_size(t), p = power_below(h, 2);
    uint64_t leaders = 2 * (h - p) + p * log2_of(p);
    if (!strcmp(how, "binomial"))
        return 2 * (n - 1);
    if (!strcmp(how, "pipelined"))
        return 2 * (n - 1) * segments_of(t, part_bytes(t, 0));
    if (!strcmp(how, "rabenseifner"))
        leaders += p * log2_of(p);
    if (!strcmp(how, "ring"))
        leaders = 2 * h * (h - 1);
    return 2 * (n - h) + leaders;
}

static uint64_t reduction_messages(const struct trial *t)
{
    uint64_t n = t->group.size, p = power_below(n, 2), log_p = log2_of(p), m = part_bytes(t, 0);
    uint64_t direct = n * (n - 1), k = t->radix;
    const char *name = t->name;
    if (!strncmp(name, "blocks-", 7))
        return of_blocks(t, name + 7);
    if (!strcmp(name, "rabenseifner-or-doubling"))
        return (t->elements >= p ? 2 : 1) * p * log_p + 2 * (n - p);
    if (!strcmp(name, "rabenseifner-shared"))
        return 2 * p * log_p + 4 * (n - p);
    if (!strcmp(name, "halving-allgather"))
        return n * log_p + direct;
    if (!strcmp(name, "linear-binomial"))
        return 2 * (n - 1);
    if (!strcmp(name, "ring-and-rest"))
        return (t->elements >= n ? 2 * direct : 0) + (t->elements % n || !t->elements ? 2 * (n - 1) : 0);
    if (!strcmp(name, "recursive-multiplying"))
        return product_messages(n, k);
    if (!strcmp(name, "k-nomial-halving"))
        return power_messages(n, k, 2);
    if (!strncmp(name, "recursive-exchange", 18))
        return power_messages(n, k, 1);
    if (!strcmp(name, "han") || !strcmp(name, "han-3"))
        return t->islands || t->hosts < n ? 2 * (n - 1) * segments_of(t, m) : UINT64_MAX;
    if (!strcmp(name, "chain") || !strcmp(name, "k-ary") || !strcmp(name, "k-nomial-pipelined"))
        return 2 * (n - 1) * segments_of(t, m);
    if (!strcmp(name, "circulant"))
        return 2 * n * (log_p + (p < n));
    if (!strcmp(name, "swing"))
        return n * log_p;
    if (!strcmp(name, "double-tree")) {
        uint64_t half = t->elements / 2 * t->element;
        return 2 * (n - 1) * (segments_of(t, half) + segments_of(t, m - half));
    }
    return UINT64_MAX;
}

/* Places [low, high) of n: edges up, but to its right, and down, but to its left. */
static uint64_t tree_scan_messages(uint64_t low, uint64_t high, uint64_t n)
{
    uint64_t root = low + (high - low) / 2;
    if (low >= high)
        return 0;
    return (low || high < n ? (high < n) + (low > 0) : 0) + tree_scan_messages(low, root, n) +
           tree_scan_messages(root + 1, high, n);
}

static uint64_t scan_messages(const struct trial *t)
{
    uint64_t n = t->group.size, sum = 0;
    if (!strcmp(t->name, "direct"))
        return n * (n - 1) / 2;
    if (!strcmp(t->name, "chain"))
        return (n - 1) * segments_of(t, part_bytes(t, 0));
    if (!strcmp(t->name, "tree"))
        return part_bytes(t, 0) ? tree_scan_messages(0, n, n) * segments_of(t, part_bytes(t, 0)) : 0;
    if (strcmp(t->name, "123-doubling"))
        return UINT64_MAX;
    for (uint64_t d = 1; d < n && d < 3; d++)
        sum += n - d;
    for (uint64_t d = 3; d + 1 < n; d *= 2)
        sum += n - 1 - d;
    return sum;
}

#endif
