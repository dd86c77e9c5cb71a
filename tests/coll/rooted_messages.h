/* SPDX-License-Identifier: BSD-3-Clause */
/* rooted_messages: how many messages the comments of algorithms with a root promise. */
#ifndef PGASIM_TESTS_COLL_ROOTED_MESSAGES_H
#define PGASIM_TESTS_COLL_ROOTED_MESSAGES_H

#include "coll/coll.h"

#include <string.h>

#define ROOTED_UNKNOWN UINT64_MAX

static bool rooted_is(const char *name, const char *names)
{
    const char *at = strstr(names, name);
    return at && (at == names || at[-1] == ' ') && (!at[strlen(name)] || at[strlen(name)] == ' ');
}

static uint64_t rooted_gather_messages(enum coll_op op, const char *name, uint64_t n)
{
    bool trees = op == COLL_GATHER || op == COLL_SCATTER; /* without sizes */
    if (rooted_is(name, "linear ordered"))
        return n - 1;
    if (rooted_is(name, "window"))
        return op == COLL_GATHER || op == COLL_GATHERV ? 2 * (n - 1) : n - 1;
    if (rooted_is(name, "sync"))
        return 3 * (n - 1);
    if (trees && rooted_is(name, "binomial binomial-in-turn binomial-nearest k-nomial k-ary hosts han"))
        return n - 1;
    return ROOTED_UNKNOWN;
}

/* Of n members, p have a seat; a root without one takes another's in the gather. */
static uint64_t rooted_halving_messages(uint64_t n, uint64_t root)
{
    uint64_t p = n, log_p = 0;
    while (p & (p - 1))
        p &= p - 1;
    while (UINT64_C(1) << log_p < p)
        log_p++;
    return p * log_p + n - 1 + (root < 2 * (n - p) && root % 2);
}

static uint64_t rooted_reduce_messages(const char *name, uint64_t n, uint64_t root, bool commutes)
{
    uint64_t handed = !commutes && root;
    if (rooted_is(name, "linear ordered"))
        return n - 1;
    if (rooted_is(name, "binomial"))
        return n - 1 + (root > 0);
    if (rooted_is(name, "binomial-in-turn k-nomial"))
        return n - 1 + handed;
    if (rooted_is(name, "arrival-linear arrival-k-nomial"))
        return 3 * (n - 1) + handed;
    if (rooted_is(name, "scatter-gather"))
        return rooted_halving_messages(n, root);
    if (commutes && rooted_is(name, "k-ary hosts"))
        return n - 1;
    if (commutes && rooted_is(name, "circulant")) {
        uint64_t sum = n - 1;
        for (uint64_t p = 1; p < n; p *= 2)
            sum += n;
        return sum;
    }
    return ROOTED_UNKNOWN;
}

static uint64_t rooted_messages(enum coll_op op, const char *name, uint64_t n, uint64_t root, bool commutes)
{
    if (op == COLL_REDUCE_ROOT)
        return rooted_reduce_messages(name, n, root, commutes);
    return coll_op_is_rooted(op) ? rooted_gather_messages(op, name, n) : ROOTED_UNKNOWN;
}

#endif
