/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast_messages: how many messages the broadcasts' comments promise (messages.h). */
#ifndef PGASIM_TESTS_COLL_BROADCAST_MESSAGES_H
#define PGASIM_TESTS_COLL_BROADCAST_MESSAGES_H

#include "coll/trial.h"

/* Down a tree in segments, as a name's algorithm does. */
static bool goes_in_segments(const char *name)
{
    static const char *const all[] = {"pipeline",
                                      "chains",
                                      "k-ary-dealt",
                                      "k-ary",
                                      "binomial-near-first",
                                      "k-nomial-pipelined",
                                      "k-nomial-runs",
                                      "event-chains",
                                      "event-k-ary",
                                      "event-k-nomial",
                                      "event-k-nomial-runs",
                                      "two-trees",
                                      "circulant",
                                      "postal",
                                      "hosts-k-ary",
                                      "hosts-postal"};
    for (size_t k = 0; k < BASE_LENGTH(all); k++)
        if (!strcmp(name, all[k]))
            return true;
    return false;
}

/* STAR-MPI's: a root that is not the first member hands over all, and once more what is in no full
 * segment. */
static uint64_t handed_messages(const struct trial *t, uint64_t m, uint64_t n)
{
    uint64_t full = m > t->segment ? m / t->segment : 0, rest = !full || m % t->segment;
    return (full + rest) * (n - 1) + (t->root ? (full > 0) + rest : 0);
}

/* Chunks of the scatter that are not empty, then all of a ring. */
static uint64_t whole_ring_messages(uint64_t m, uint64_t n)
{
    uint64_t width = n ? (m + n - 1) / n : 0, sum = n * (n - 1);
    for (uint64_t v = 1; v < n; v++)
        sum += v * width < m;
    return sum;
}

static uint64_t exchange_messages(uint64_t n, uint64_t k)
{
    uint64_t p = 1;
    while (p * k <= n)
        p *= k;
    uint64_t sum = p - 1 + (n - p);
    for (uint64_t d = 1; d < p; d *= k)
        for (uint64_t v = 1; v < p; v++)
            if (v % (d * k)) /* the scatter gave v no more than d chunks */
                sum += k - 1;
    return sum;
}

/* UINT64_MAX: another algorithm, or no formula. */
static uint64_t broadcast_messages(const struct trial *t)
{
    uint64_t m = part_bytes(t, 0), n = t->group.size, segments = m ? (m - 1) / t->segment + 1 : 1;
    if (goes_in_segments(t->name))
        return segments * (n - 1);
    if (!strcmp(t->name, "han-3") && t->islands)
        return segments * (n - 1);
    if (!strcmp(t->name, "han") || !strcmp(t->name, "han-3"))
        return t->hosts < n ? segments * (n - 1) : UINT64_MAX;
    if (!strcmp(t->name, "handed-chain") || !strcmp(t->name, "handed-binary"))
        return n > 1 ? handed_messages(t, m, n) : 0;
    if (!strcmp(t->name, "linear-in-turn"))
        return m < t->segment ? n - 1 : segments * (n - 1);
    if (!strcmp(t->name, "binomial-in-turn") || !strcmp(t->name, "k-nomial-by-level"))
        return n - 1;
    if (!strcmp(t->name, "scatter-whole-ring"))
        return whole_ring_messages(m, n);
    if (!strcmp(t->name, "scatter-exchange"))
        return exchange_messages(n, t->radix);
    if (!strcmp(t->name, "arrival-linear") || !strcmp(t->name, "arrival-k-nomial"))
        return 2 * (n - 1);
    if (!strcmp(t->name, "arrival-scatter"))
        return n > 1 ? n * (n - 1) : 0;
    return UINT64_MAX;
}

#endif
