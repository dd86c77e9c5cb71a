/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins that clocks hold what dense arrays of counts hold, over random raises, joins, copies and clears, for
 * ids near and far; that a barrier of many clocks makes them share their memory; and that nothing is left.
 * Prints its seed; PGASIM_TEST_SEED=n runs another one.
 */
#include "check/clock/clock.h"
#include "seed.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CLOCKS = 24, IDS = 300, STEPS = 40000 };

static struct base_random rng;
static struct clock_nodes *nodes;
static struct clock clocks[CLOCKS];
static struct clock_seen seen[CLOCKS];
static uint32_t dense[CLOCKS][IDS];

static uint32_t below(uint32_t n)
{
    return (uint32_t)base_random_below(&rng, n);
}

/* Ids of several leaves, of which some lie far away. */
static uint32_t id_of(uint32_t k)
{
    return k < IDS / 2 ? k : k * 4099;
}

static void step(void)
{
    uint32_t a = below(CLOCKS), b = below(CLOCKS), id = below(IDS), count = below(1000) + 1;
    bool larger = dense[a][id] < count;
    switch (below(8)) {
    case 0:
        clock_clear(nodes, &clocks[a]);
        clock_seen_clear(nodes, &seen[a]);
        memset(dense[a], 0, sizeof dense[a]);
        break;
    case 1:
        if (a == b)
            break;
        clock_clear(nodes, &clocks[a]);
        clock_seen_clear(nodes, &seen[a]);
        clock_copy(&clocks[a], &clocks[b]);
        memcpy(dense[a], dense[b], sizeof dense[a]);
        break;
    case 2:
    case 3:
        clock_join(nodes, &clocks[a], &clocks[b], below(2) ? &seen[a] : NULL);
        for (uint32_t k = 0; k < IDS; k++)
            dense[a][k] = dense[a][k] > dense[b][k] ? dense[a][k] : dense[b][k];
        break;
    default:
        assert_int_equal(clock_raise(nodes, &clocks[a], id_of(id), count), larger);
        dense[a][id] = larger ? count : dense[a][id];
    }
}

static void check(void)
{
    for (uint32_t c = 0; c < CLOCKS; c++)
        for (uint32_t k = 0; k < IDS; k++)
            if (clock_get(&clocks[c], id_of(k)) != dense[c][k])
                fail_msg("clock %u, id %u: %u instead of %u", c, id_of(k), clock_get(&clocks[c], id_of(k)),
                         dense[c][k]);
}

static void holds_what_arrays_hold(void **state)
{
    (void)state;
    nodes = clock_nodes_create();
    for (int k = 0; k < STEPS; k++) {
        step();
        if (k % 97 == 0)
            check();
    }
    check();
    for (uint32_t c = 0; c < CLOCKS; c++) {
        clock_clear(nodes, &clocks[c]);
        clock_seen_clear(nodes, &seen[c]);
    }
    assert_int_equal(clock_nodes_live(nodes), 0);
    clock_nodes_destroy(nodes);
}

/* All raise their own entry, one clock joins them, all take a copy of it. */
static void barrier(struct clock *all, uint32_t n, uint32_t round)
{
    struct clock joined = {0};
    struct clock_seen bases = {0};
    for (uint32_t k = 0; k < n; k++) {
        clock_raise(nodes, &all[k], k, round);
        clock_join(nodes, &joined, &all[k], &bases);
    }
    for (uint32_t k = 0; k < n; k++) {
        clock_clear(nodes, &all[k]);
        clock_copy(&all[k], &joined);
    }
    clock_clear(nodes, &joined);
    clock_seen_clear(nodes, &bases);
}

static void a_barrier_shares(void **state)
{
    enum { N = 4096, LEAVES = N / 16, NODES = LEAVES + LEAVES / 16 + 1 };
    static struct clock all[N];
    (void)state;
    nodes = clock_nodes_create();
    for (uint32_t round = 1; round <= 20; round++) {
        barrier(all, N, round);
        assert_int_equal(clock_get(&all[below(N)], below(N)), round);
        assert_in_range(clock_nodes_live(nodes), 1, NODES + 4);
    }
    for (uint32_t k = 0; k < N; k++)
        clock_clear(nodes, &all[k]);
    assert_int_equal(clock_nodes_live(nodes), 0);
    clock_nodes_destroy(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_what_arrays_hold),
                                       cmocka_unit_test(a_barrier_shares)};
    base_random_seed(&rng, seed_of_test(1), 0);
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
