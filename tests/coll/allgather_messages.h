/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather_messages: how many messages the comments of allgathers, collects and barriers promise
 * (messages.h). */
#ifndef PGASIM_TESTS_COLL_ALLGATHER_MESSAGES_H
#define PGASIM_TESTS_COLL_ALLGATHER_MESSAGES_H

#include "coll/trial.h"

static uint64_t ceil_log2(uint64_t n);
static uint64_t wrapping_runs(uint64_t n);
static uint64_t grid_messages(uint64_t n);

/* Each member with up to k - 1 others at multiples of 1, k, k^2, ... */
static uint64_t ports_messages(uint64_t n, uint64_t k)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < n; d *= k)
        sum += k - 1 < (n - 1) / d ? k - 1 : (n - 1) / d;
    return n * sum;
}

static uint64_t reversed_in(uint64_t seat, uint64_t p, uint64_t k)
{
    uint64_t r = 0;
    for (; p > 1; p /= k, seat /= k)
        r = r * k + seat % k;
    return r;
}

/* p = k^digits exchange digit by digit; n - p hand over and get back; if `swaps`, data first go to who has
 * the reversed number. */
static uint64_t seats_messages(uint64_t n, uint64_t radix, bool swaps)
{
    uint64_t k = radix < n ? radix : n, p = 1, digits = 0, moved = 0;
    for (; k > 1 && p * k <= n; digits++)
        p *= k;
    for (uint64_t seat = 0; swaps && seat < p; seat++)
        moved += reversed_in(seat, p, k) != seat;
    return p * (k - 1) * digits + 2 * (n - p) + moved;
}

/* Doubling; in the last block that is not whole, each without a partner gets what it lacks from another. */
static uint64_t repaired_messages(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t w = 1; w < n; w *= 2) {
        uint64_t low = (n - 1) / (2 * w) * (2 * w);
        for (uint64_t me = 0; me < n; me++)
            sum += (me ^ w) < n;
        if (low + w < n)
            sum += w - (n - low - w);
    }
    return sum;
}

/* In square layers of the least side from n^(1/3) on; else of the largest side up to it that divides n. */
static uint64_t box_messages(uint64_t n)
{
    uint64_t from = 1, side;
    while ((from + 1) * (from + 1) * (from + 1) <= n)
        from++;
    for (side = from; side <= n / 3 && n % (side * side);)
        side++;
    if (side <= n / 3)
        return n * (2 * side + n / side / side - 3);
    while (n % from)
        from--;
    return n * (from - 1) + grid_messages(n / from) * from;
}

/* Members on each host, if these are equal and next to each other, else 1. */
static uint64_t equal_width(const struct trial *t)
{
    uint64_t n = t->group.size, w = n / t->hosts;
    bool equal = t->in_order && n % t->hosts == 0;
    for (uint64_t p = 1; equal && p < n; p++)
        equal = (t->host[p] != t->host[p - 1]) == (p % w == 0);
    return equal ? w : 1;
}

static uint64_t leveled_messages(const struct trial *t, uint64_t n)
{
    uint64_t w = equal_width(t), h = n / w, hosts = t->hosts;
    if (!strcmp(t->name, "leader-ring-chain"))
        return h == 1 ? n * (n - 1) : n * (w - 1) + h * (h - 1) * w;
    if (!strcmp(t->name, "leader-spread"))
        return n * (w - 1) + h * (h - 1) + n - h;
    if (!strcmp(t->name, "leader-ring"))
        return hosts < n && t->in_order ? (n - hosts) * (hosts + 1) + hosts * (hosts - 1) : n * (n - 1);
    return UINT64_MAX;
}

static bool is_any(const char *name, const char *const *names, size_t n)
{
    while (n--)
        if (!strcmp(name, names[n]))
            return true;
    return false;
}

/* By name, for equal parts and parts whose sizes are known. */
static uint64_t gathered_messages(const struct trial *t, const char *name)
{
    static const char *const direct[] = {"spread",  "in-order",    "pairwise",       "pair",
                                         "sparbit", "ring-posted", "ring-both-ways", "loose-ring"};
    uint64_t n = t->group.size, m = part_bytes(t, 0);
    bool odd = n % 2;
    if (is_any(name, direct, BASE_LENGTH(direct)))
        return n * (n - 1);
    if (!strcmp(name, "bruck-turned") || !strcmp(name, "circulant"))
        return n * ceil_log2(n);
    if (!strcmp(name, "k-bruck"))
        return ports_messages(n, t->radix);
    if (!strcmp(name, "recursive-exchange") || !strcmp(name, "recursive-halving"))
        return seats_messages(n, t->radix, !strcmp(name, "recursive-halving"));
    if (!strcmp(name, "doubling-repaired"))
        return repaired_messages(n);
    if (!strcmp(name, "ring-segmented") || !strcmp(name, "circulant-segmented"))
        return n * (n - 1) * (m ? (m - 1) / t->segment + 1 : 1);
    if (!strcmp(name, "neighbor-or-pairwise"))
        return odd ? n * (n - 1) : n * n / 2;
    if (!strcmp(name, "neighbor-odd"))
        return !odd ? n * n / 2 : n == 1 ? 0 : (n - 1) * (n - 1) / 2 + (n + 1) / 2;
    if (!strcmp(name, "2d-mesh"))
        return grid_messages(n);
    return !strcmp(name, "3d-mesh") ? box_messages(n) : leveled_messages(t, n);
}

/* The sizes first, by Bruck's algorithm. */
static uint64_t sized_messages(const struct trial *t)
{
    static const char *const known[][2] = {
        {"bruck", "bruck-turned"}, {"circulant", "circulant"},
        {"sparbit", "sparbit"},    {"neighbor-exchange", "neighbor-odd"},
        {"pairwise", "pairwise"},  {"recursive-exchange", "recursive-exchange"}};
    uint64_t n = t->group.size, sizes = n * ceil_log2(n) + wrapping_runs(n);
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (!strcmp(t->name, known[k][0]))
            return sizes + gathered_messages(t, known[k][1]);
    return UINT64_MAX;
}

static uint64_t smp_messages(const struct trial *t)
{
    uint64_t n = t->group.size, hosts = t->hosts, sum = hosts < n ? hosts * ceil_log2(hosts) + n - hosts : 0;
    for (uint64_t p = 0; p < n; p++) {
        uint64_t width = 0;
        for (uint64_t q = 0; q < n; q++)
            width += t->host[p] == t->host[q];
        sum += hosts < n ? ceil_log2(width) : ceil_log2(n);
    }
    return sum;
}

static uint64_t barrier_messages(const struct trial *t)
{
    static const char *const trees[] = {"k-ary", "mcs-tree", "tournament", "binomial-in-turn"};
    uint64_t n = t->group.size;
    if (is_any(t->name, trees, BASE_LENGTH(trees)))
        return 2 * (n - 1);
    if (!strcmp(t->name, "folded-doubling"))
        return seats_messages(n, 2, false);
    if (!strcmp(t->name, "k-dissemination"))
        return ports_messages(n, t->radix);
    if (!strcmp(t->name, "recursive-exchange"))
        return seats_messages(n, t->radix, false);
    if (!strcmp(t->name, "double-ring"))
        return n > 1 ? 2 * n : 0;
    if (!strcmp(t->name, "han-3")) {
        uint64_t top = t->islands ? t->islands : t->hosts;
        return 2 * (n - top) + top * ceil_log2(top);
    }
    return !strcmp(t->name, "smp") ? smp_messages(t) : UINT64_MAX;
}

static uint64_t allgather_messages(const struct trial *t)
{
    if (t->op == COLL_BARRIER)
        return barrier_messages(t);
    if (t->op == COLL_COLLECT)
        return sized_messages(t);
    return t->op == COLL_FCOLLECT ? gathered_messages(t, t->name) : UINT64_MAX;
}

#endif
