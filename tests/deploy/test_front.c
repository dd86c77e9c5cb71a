/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins ranks, crowding distances and areas of fronts: by hand, and against definitions taken word for word,
 * on random values with many ties and some failures. Prints its seed.
 */
#include "random_space.h"

#include <math.h>

enum { ROUNDS = 400, MOST = 40 };

static uint32_t draw(struct base_random *r, struct deploy_value *v)
{
    uint32_t n = 1 + test_below(r, MOST), values = 1 + test_below(r, 12);
    for (uint32_t k = 0; k < n; k++) {
        v[k] = (struct deploy_value){1 + test_below(r, values), 1 + test_below(r, values)};
        if (test_below(r, 10) == 0)
            v[k] = (struct deploy_value){INFINITY, INFINITY};
    }
    return n;
}

/* Fronts are taken away one by one. */
static void peel(const struct deploy_value *v, uint32_t n, uint32_t *rank)
{
    for (uint32_t k = 0; k < n; k++)
        rank[k] = UINT32_MAX;
    for (uint32_t front = 0, left = n; left; front++)
        for (uint32_t k = 0; k < n; k++) {
            bool best = rank[k] == UINT32_MAX;
            for (uint32_t l = 0; l < n && best; l++)
                best = !(rank[l] >= front && deploy_dominates(v[l], v[k]));
            if (best) {
                rank[k] = front;
                left--;
            }
        }
}

static void ranks_are_those_of_peeling(void **state)
{
    uint64_t seed = test_seed();
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct base_random r;
        struct deploy_value v[MOST];
        uint32_t rank[MOST], wanted[MOST], most = 0;
        base_random_seed(&r, seed, round);
        uint32_t n = draw(&r, v), fronts = deploy_front_ranks(v, n, rank);
        peel(v, n, wanted);
        for (uint32_t k = 0; k < n; k++) {
            if (rank[k] != wanted[k])
                fail_msg("seed %llu, round %llu: value %u (%g, %g) has rank %u, not %u",
                         (unsigned long long)seed, (unsigned long long)round, k, v[k].time, v[k].energy,
                         rank[k], wanted[k]);
            most = rank[k] > most ? rank[k] : most;
        }
        assert_int_equal(fronts, most + 1);
    }
}

/* Squares of side 1: the area is the number of those that some value dominates. */
static void areas_are_those_of_squares(void **state)
{
    uint64_t seed = test_seed();
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct base_random r;
        struct deploy_value v[MOST];
        base_random_seed(&r, seed, round);
        uint32_t n = draw(&r, v), squares = 0, reference = 1 + test_below(&r, 14);
        for (uint32_t x = 0; x < reference; x++)
            for (uint32_t y = 0; y < reference; y++) {
                bool in = false;
                for (uint32_t k = 0; k < n; k++)
                    in |= v[k].time <= x && v[k].energy <= y;
                squares += in;
            }
        double area = deploy_hypervolume(v, n, (struct deploy_value){reference, reference});
        if (area != squares)
            fail_msg("seed %llu, round %llu: area %g, not %u", (unsigned long long)seed,
                     (unsigned long long)round, area, squares);
    }
}

static void crowding_by_hand(void **state)
{
    const struct deploy_value v[] = {{1, 10}, {3, 6}, {3, 6}, {4, 5}, {9, 2}, {5, 11}, {INFINITY, INFINITY}};
    uint32_t rank[7];
    double d[7];
    (void)state;
    assert_int_equal(deploy_front_ranks(v, 7, rank), 3);
    deploy_front_crowding(v, 7, rank, d);
    assert_true(isinf(d[0]) && isinf(d[4]) && isinf(d[5]));
    /* The front is 8 wide and 8 high; (3, 6) lies between (1, 10) and (4, 5), (4, 5) between (3, 6) and (9,
     * 2). */
    assert_true(fabs(d[1] - (3 + 5) / 8.0) < 1e-12 || fabs(d[2] - (3 + 5) / 8.0) < 1e-12);
    assert_true(d[1] == 0 || d[2] == 0);
    assert_true(fabs(d[3] - (6 + 4) / 8.0) < 1e-12);
    assert_true(d[6] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_peeling),
        cmocka_unit_test(areas_are_those_of_squares),
        cmocka_unit_test(crowding_by_hand),
    };
    return cmocka_run_group_tests_name("front", tests, NULL, NULL);
}
