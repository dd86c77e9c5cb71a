/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * areas: members whose sources and dests are sides (sides.h) in the middle of areas of their own, on a random
 * small network; all other bytes of the areas must stay as they were.
 */
#ifndef PGASIM_TESTS_COLL_AREAS_H
#define PGASIM_TESTS_COLL_AREAS_H

#include "coll/seeds.h"
#include "coll/sides.h"

enum { AREAS_MEMBERS = 18, AREA = 60000, MIDDLE = AREA / 2, AREAS = 2 * AREA };

/* The memory of each member before the call: source in its first half, dest in the second. */
static unsigned char *areas_before[AREAS_MEMBERS];

static inline const unsigned char *areas_source(uint32_t p)
{
    return areas_before[p] + MIDDLE;
}
static inline const unsigned char *areas_dest(uint32_t p)
{
    return areas_before[p] + AREA + MIDDLE;
}

/* Where a call's data are. */
static inline void areas_call(struct coll_call *c)
{
    c->source = (void *)(NET_ADDRESS + MIDDLE);
    c->dest = (void *)(NET_ADDRESS + AREA + MIDDLE);
}

static inline struct net areas_net(struct base_random *random)
{
    struct net n = {
        .latency = 1, .jitter = (double)base_random_below(random, 4), .issue = 0.25, .check = true};
    n.limit = (uint64_t[]){0, 40, 1 << 20}[base_random_below(random, 3)];
    n.pieces = base_random_below(random, 3) == 0;
    return n;
}

/* Each member, at a random time, makes its call; all must return. */
static inline void areas_run(struct net *n, uint64_t seed, const struct coll_call *calls)
{
    for (uint32_t p = 0; p < n->n_ranks; p++) {
        unsigned char *memory = net_give_memory(n, p, AREAS);
        for (size_t k = 0; k < AREAS; k++)
            memory[k] = (unsigned char)(base_hash(seed ^ (uint64_t)p << 40 ^ k));
        areas_before[p] = base_alloc(AREAS, "test");
        memcpy(areas_before[p], memory, AREAS);
        net_script(n, p, &calls[p], 1, 5 * base_random_unit(&n->random));
    }
    net_run(n);
    net_expect_over(n);
}

/* What member p's memory must hold afterwards: the caller puts the results in, and frees it. */
static inline unsigned char *areas_expected(uint32_t p)
{
    unsigned char *expected = base_alloc(AREAS, "test");
    memcpy(expected, areas_before[p], AREAS);
    return expected;
}

/* `what` says what was called. */
static inline void areas_compare(const struct net *n, uint32_t p, const unsigned char *expected,
                                 const char *what)
{
    for (size_t k = 0; k < AREAS; k++)
        if (expected[k] != n->ranks[p].memory[k])
            fail_msg("%s: byte %zd of %s of member %u is wrong", what, (ssize_t)(k % AREA) - MIDDLE,
                     k < AREA ? "source" : "dest", p);
}

static inline void areas_release(struct net *n)
{
    for (uint32_t p = 0; p < n->n_ranks; p++)
        free(areas_before[p]);
    net_release(n);
}

#endif
