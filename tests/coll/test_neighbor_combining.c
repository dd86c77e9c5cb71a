/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Algorithms of neighbour operations that combine messages: what every member gets, on random graphs of 1 to
 * 40 and of more members and on random stencils, with counts, without, and with as many sizes as a graph allows
 * without; and which graphs they refuse.
 * PGASIM_TEST_SEED repeats a run.
 */
#include "coll/links.h"

/* --- what is received ------------------------------------------------------------------------------- */

static void play_all(uint64_t seed)
{
    size_t count;
    const struct coll_algorithm_info *info = coll_algorithms(&count);
    for (size_t k = 0; k < count; k++)
        if (info[k].traits & COLL_WHOLE_GRAPH && algorithm_is_played(coll_op_name(info[k].op), info[k].name))
            play(info[k].op, info[k].name, seed % 3 ? 2 + (uint32_t)(seed % 4) : 0, seed % 5 == 0);
}

static void choose_calls(struct base_random *random, uint64_t seed)
{
    t.seed = seed;
    t.counts = base_random_below(random, 2);
    t.unequal = !t.counts && base_random_below(random, 2);
    t.part = base_random_below(random, MOST_BYTES);
    t.neighbors = base_random_below(random, 2);
    t.hosts = base_random_below(random, 3) ? 1 + (uint32_t)base_random_below(random, t.n) : 0;
}

static void test_random_graphs(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(120);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
        struct base_random random;
        base_random_seed(&random, seed, 5);
        make_random(&random, seed <= 80 ? 1 + (uint32_t)(seed - 1) % 40 : 41 + (uint32_t)seed % 90);
        choose_calls(&random, seed);
        play_all(seed);
    }
}

/* Any offsets, also to oneself and twice, in grids with and without rings, some of one or two places. */
static void test_random_stencils(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(120);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
        struct base_random random;
        struct torus g;
        int offset[8][3];
        uint32_t n = 1 + (uint32_t)(base_random_seed(&random, seed, 6), base_random_below(&random, 8));
        g.dims = 1 + (uint32_t)base_random_below(&random, 3);
        g.wraps = (uint32_t)base_random_below(&random, 3) ? 7 : (uint32_t)base_random_below(&random, 8);
        for (uint32_t d = 0; d < g.dims; d++)
            g.extent[d] = 1 + (uint32_t)base_random_below(&random, 5);
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t d = 0; d < 3; d++)
                offset[k][d] = (int)base_random_below(&random, 5) - 2;
        make_stencil(&g, (const int(*)[3])offset, n);
        choose_calls(&random, seed);
        play_all(seed);
    }
}

/* Two rings, of even and of odd places, which pass parts on for each other, and a chain, in which every edge has a
 * size of its own. */
static void test_separate_sizes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        begin(12);
        for (uint32_t u = 0; u < t.n; u++)
            for (uint32_t step = seed % 2 ? 2 : 1; step <= (seed % 2 ? 8u : 1u); step += 2)
                if (seed % 2 || u + step < t.n)
                    connect(u, (u + step) % t.n);
        t.seed = seed;
        t.unequal = true;
        t.hosts = seed % 3 ? 3 : 0;
        play_all(seed);
    }
}

/* --- requirements ------------------------------------------------------------------------------------ */

/* Member 0's call, `known`: every member knows the graph. */
static const struct coll_call *open_call(bool known)
{
    static const struct coll_graph_lists lists = {list_edges, release_nothing};
    struct coll_whole_graph *whole = known ? coll_whole_graph_create(t.n, NULL, 0, &lists, NULL) : NULL;
    t.op = COLL_NEIGHBOR_ALLTOALL;
    number_parts();
    for (int side = 0; side < 2; side++)
        list_side(side);
    make_call(0, whole);
    coll_whole_graph_release(whole);
    return &t.call[0];
}

static void close_call(void)
{
    coll_neighbors_release(t.lists[0]);
    forget_sides();
}

static void expect_lacks(unsigned trait, bool lacks)
{
    const char *words = coll_select_lacks(COLL_WHOLE_GRAPH | trait, open_call(true), NULL);
    if (!words != !lacks)
        fail_msg("of %u members: lacks %s", t.n, words ? words : "nothing");
    close_call();
}

static void expect_choice(struct coll_select *s, bool known, coll_build_fn build)
{
    struct coll_decision d;
    coll_select_choose(s, open_call(known), NULL, NULL, &d);
    assert_string_equal(coll_select_name(d.build), coll_select_name(build));
    close_call();
}

/* A choice for one graph is not kept for another. */
static void test_choices(void **state)
{
    (void)state;
    struct coll_select s = {.tuning.choose = coll_select_part};
    for (int op = 0; op < COLL_OPS; op++)
        s.chosen[op] = COLL_AUTO;
    s.chosen[COLL_NEIGHBOR_ALLTOALL] = coll_select_find(COLL_NEIGHBOR_ALLTOALL, "digits");
    make_ring(12, 2);
    expect_choice(&s, true, coll_neighbor_digits);
    expect_choice(&s, false, coll_neighbor_linear);
    expect_choice(&s, true, coll_neighbor_digits);
    make_two_sided(2, 12);
    expect_choice(&s, true, coll_neighbor_linear);
}

static void test_requirements(void **state)
{
    (void)state;
    make_ring(12, 2);
    expect_lacks(COLL_CIRCULANT, false);
    expect_lacks(COLL_STENCIL, false);
    t.links.at[7].to = 6; /* one edge elsewhere */
    expect_lacks(0, false);
    expect_lacks(COLL_CIRCULANT, true);
    expect_lacks(COLL_STENCIL, true);
    make_ring(12, 2);
    connect(3, 11); /* one edge more */
    expect_lacks(COLL_CIRCULANT, true);
    expect_lacks(COLL_STENCIL, true);
    make_moore(&(struct torus){2, {5, 6}, 3});
    expect_lacks(COLL_CIRCULANT, true);
    expect_lacks(COLL_STENCIL, false);
    make_moore(&(struct torus){2, {5, 6}, 2});
    expect_lacks(COLL_STENCIL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),  cmocka_unit_test(test_random_stencils),
        cmocka_unit_test(test_separate_sizes), cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_choices),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(t.links.at);
    return failed;
}
