/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policies: some for the tests: all at once; all kept back until a completion call needs it, then in order or
 * in reverse; and a random one that does everything that a policy can.
 */
#ifndef PGASIM_TESTS_RMA_POLICIES_H
#define PGASIM_TESTS_RMA_POLICIES_H

#include "rma/rma.h"

#include <math.h>

/* What the policies were asked, and what the random one did. */
static struct {
    uint64_t asked, demanded, given_in, kept, cut, delayed, late, early;
} policies_seen;
static struct base_random policies_random;

static inline uint64_t policies_below(uint64_t n)
{
    return base_random_below(&policies_random, n);
}

static inline size_t policies_all_go(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n)
{
    (void)arg, (void)operations;
    policies_seen.demanded++;
    policies_seen.given_in += d->reason != RMA_FOR_COMPLETION;
    return n;
}
static inline struct rma_verdict policies_now(void *arg, const struct rma_question *q)
{
    (void)arg;
    policies_seen.asked++;
    return rma_verdict_now(q);
}
static inline struct rma_verdict policies_keep(void *arg, const struct rma_question *q)
{
    (void)arg, (void)q;
    policies_seen.asked++;
    policies_seen.kept++;
    return (struct rma_verdict){0, 0, INFINITY, true};
}

static inline size_t policies_backwards(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n)
{
    for (size_t k = 0; k < n / 2; k++) {
        uint64_t first = operations[k];
        operations[k] = operations[n - 1 - k];
        operations[n - 1 - k] = first;
    }
    return policies_all_go(arg, d, operations, n);
}

/* Gives in to waits and to standstill one operation at a time. */
static inline size_t policies_shuffle(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n)
{
    for (size_t k = n; k > 1; k--) {
        size_t other = policies_below(k);
        uint64_t last = operations[k - 1];
        operations[k - 1] = operations[other];
        operations[other] = last;
    }
    policies_all_go(arg, d, operations, n);
    if (d->reason == RMA_FOR_COMPLETION)
        return n;
    return d->reason == RMA_FOR_PROGRESS ? 1 : policies_below(2);
}
static inline struct rma_verdict policies_any(void *arg, const struct rma_question *q)
{
    struct rma_verdict v = {0, q->bytes, 0, q->source_kept && policies_below(2)};
    (void)arg;
    policies_seen.asked++;
    policies_seen.early += q->step == RMA_ISSUED || q->step == RMA_REPLIED;
    policies_seen.late += v.late;
    if (policies_below(3) == 0) { /* some bytes of it */
        v.from = policies_below(q->bytes);
        v.to = v.from + policies_below(q->bytes - v.from) + 1;
        policies_seen.cut += q->unit < q->bytes;
    } else if (policies_below(3) == 0) {
        v.to = 0;
    }
    if (policies_below(2)) {
        v.again = INFINITY;
        policies_seen.kept++;
    } else if (policies_below(2)) {
        v.again = 10e-6 * base_random_unit(&policies_random);
        policies_seen.delayed++;
    }
    return v;
}

static const struct rma_policy policies_table[] = {
    {policies_now, policies_all_go, false, NULL},    {policies_keep, policies_all_go, false, NULL},
    {policies_keep, policies_backwards, true, NULL}, {policies_any, policies_shuffle, false, NULL},
    {policies_any, policies_shuffle, true, NULL},
};
static const struct rma_policy
    *const policy_now = &policies_table[0],
           *const policy_keep = &policies_table[1], *const policy_reverse = &policies_table[2],
           *const policy_random = &policies_table[3], *const policy_random_early = &policies_table[4];

static inline void policies_seed(uint64_t seed)
{
    memset(&policies_seen, 0, sizeof policies_seen);
    base_random_seed(&policies_random, seed, 7);
}

#endif
