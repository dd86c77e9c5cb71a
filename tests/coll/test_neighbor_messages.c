/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many messages and bytes the algorithms of neighbour operations send that combine messages, on graphs for
 * which that is known. Where parts have counts, the sizes go ahead by as many messages. PGASIM_TEST_SEED repeats
 * a run of the random ones.
 */
#include "coll/links.h"

/* --- how much is sent ------------------------------------------------------------------------------- */

static void expect_sent(const char *name, uint32_t radix, uint64_t messages, uint64_t alltoall_parts,
                        uint64_t allgather_parts)
{
    t.part = 5;
    for (int round = 0; round < 4; round++) {
        bool all = round & 1;
        t.counts = round > 1;
        struct sent s = play(all ? COLL_NEIGHBOR_ALLTOALL : COLL_NEIGHBOR_ALLGATHER, name, radix, false);
        uint64_t parts = all ? alltoall_parts : allgather_parts;
        if (s.messages != messages * (t.counts ? 2 : 1))
            fail_msg("%s of %u members: %llu messages, expected %llu", name, t.n,
                     (unsigned long long)s.messages, (unsigned long long)messages);
        if (!t.counts && parts && s.bytes != 5 * parts)
            fail_msg("%s of %u members: %llu bytes, expected %llu", name, t.n, (unsigned long long)s.bytes,
                     (unsigned long long)(5 * parts));
    }
}

/* Of a torus, 2 messages for each dimension; an alltoall's parts make as many hops as they have coordinates, an
 * allgather's one for each neighbour. Of a mesh those at its border are not there. */
static void test_cartesian(void **state)
{
    (void)state;
    make_moore(&(struct torus){2, {4, 6}, 3});
    expect_sent("cartesian", 0, 4 * 24, 12 * 24, 8 * 24);
    make_moore(&(struct torus){2, {7, 3}, 3});
    expect_sent("cartesian", 0, 4 * 21, 12 * 21, 8 * 21);
    make_moore(&(struct torus){3, {4, 3, 5}, 7});
    expect_sent("cartesian", 0, 6 * 60, (6 + 24 + 24) * 60, 26 * 60);
    make_moore(&(struct torus){2, {5, 4}, 0});
    expect_sent("cartesian", 0, 2 * (4 * 4 + 5 * 3), 0, 0);
    make_moore(&(struct torus){2, {5, 4}, 1});
    expect_sent("cartesian", 0, 2 * (5 * 4 + 5 * 3), 0, 0);
    make_moore(&(struct torus){2, {16, 16}, 3});
    expect_sent("cartesian", 0, 4 * 256, 12 * 256, 8 * 256);
    make_complete(81); /* of three dimensions, 3 x 3 x 9 has the fewest messages */
    expect_sent("cartesian", 0, 12 * 81, 0, 80 * 81);
    t.dims = (const int[]){3, 3, 1, 3, 3};
    t.n_dims = 5;
    expect_sent("cartesian", 0, 8 * 81, 4 * 2 * 27 * 81, 80 * 81);
}

/* One message for each digit that occurs in the distances 1 to 8, in both directions; each place on the way is
 * itself a neighbour, so an allgather sends no part more than once to a member. */
static void test_digits(void **state)
{
    (void)state;
    make_ring(40, 8);
    expect_sent("digits", 0, 8 * 40, 2 * (1 + 1 + 2 + 1 + 2 + 2 + 3 + 1) * 40, 16 * 40);
    make_ring(33, 8);
    expect_sent("digits", 3, 8 * 33, 2 * (1 + 1 + 1 + 2 + 2 + 1 + 2 + 2) * 33, 16 * 33);
    make_ring(17, 8);
    expect_sent("digits", 4, 10 * 17, 2 * (1 + 1 + 1 + 1 + 2 + 2 + 2 + 1) * 17, 16 * 17);
    make_ring(200, 31);
    expect_sent("digits", 2, 10 * 200, 0, 62 * 200);
}

/* Sources in groups of k, all with the same d destinations, of which each carries some: d messages to them, and
 * one from each of the group to each other. */
static void test_common(void **state)
{
    (void)state;
    make_two_sided(6, 16);
    expect_sent("common-neighbors", 0, 3 * (10 + 2), 6 * 10 + 6 * 5, 6 * 10 + 6);
    make_two_sided(8, 20);
    expect_sent("common-neighbors", 4, 2 * (12 + 4 * 3), 8 * 12 + 8 * 9, 8 * 12 + 8 * 3);
    make_two_sided(6, 9); /* one of a pair carries two, the other one */
    expect_sent("common-neighbors", 0, 3 * (3 + 2), 6 * 3 + 3 * 3, 6 * 3 + 6);
    make_two_sided(7, 9); /* two destinations in common are too few */
    expect_sent("common-neighbors", 0, 14, 14, 14);
    make_two_sided(3, 9); /* one is left over */
    expect_sent("common-neighbors", 0, 6 + 2 + 6, 0, 0);
}

static uint64_t halves(uint64_t n)
{
    return n < 2 ? 0 : n + halves(n / 2) + halves(n - n / 2);
}

/* Where all are neighbours, every member sends one message in each phase, as in recursive doubling. */
static void test_halving(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 40; n++) {
        make_complete(n);
        expect_sent("distance-halving", 0, halves(n), 0, n & (n - 1) ? 0 : n * (n - 1));
    }
    assert_int_equal(halves(32), 32 * 5);
    make_complete(16); /* two phases between hosts of four, then one message to each of the others there */
    t.hosts = 4;
    t.neighbors = true;
    expect_sent("distance-halving", 0, 16 * (1 + 1 + 3), 0, 0);
    t.counts = false;
    assert_int_equal(play(COLL_NEIGHBOR_ALLTOALL, "distance-halving", 0, false).far, 16 * 2);
}

/* --- between hosts ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many different (member or host, host) the links between hosts have. */
static uint64_t different(bool members)
{
    uint64_t n = 0, count = 0, *key = base_alloc((t.links.n + 1) * sizeof *key, "test");
    for (size_t k = 0; k < t.links.n; k++) {
        uint32_t u = t.links.at[k].from, from = host_of(u), to = host_of(t.links.at[k].to);
        if (from != to)
            key[n++] = (uint64_t)(members ? u : from) << 32 | to;
    }
    qsort(key, n, sizeof *key, by_number);
    for (uint64_t k = 0; k < n; k++)
        count += !k || key[k] != key[k - 1];
    free(key);
    return count;
}

static uint64_t far_links(void)
{
    uint64_t n = 0;
    for (size_t k = 0; k < t.links.n; k++)
        n += host_of(t.links.at[k].from) != host_of(t.links.at[k].to);
    return n;
}

/* The members of a host share the work. */
static void test_shares(void **state)
{
    (void)state;
    make_complete(16);
    t.hosts = 4;
    t.part = 1;
    struct sent three = play(COLL_NEIGHBOR_ALLTOALL, "three-step", 0, false);
    struct sent two = play(COLL_NEIGHBOR_ALLTOALL, "two-step", 0, false);
    assert_int_equal(three.most_out, 1);
    assert_int_equal(three.most_in, 1);
    assert_int_equal(two.most_out, 3);
    assert_int_equal(two.most_in, 3);
}

static void expect_far(enum coll_op op, const char *name, uint64_t messages, uint64_t parts)
{
    struct sent s = play(op, name, 0, false);
    if (t.separate && s.far == 2 * messages) { /* sizes went ahead */
        s.far -= messages;
        s.far_bytes -= 8 * parts;
    }
    if (s.far != messages || s.far_bytes != t.part * parts)
        fail_msg(
            "seed %llu: %s/%s of %u members on %u hosts: %llu messages of %llu bytes, expected %llu of %llu",
            (unsigned long long)t.seed, coll_op_name(op), name, t.n, t.hosts, (unsigned long long)s.far,
            (unsigned long long)s.far_bytes, (unsigned long long)messages,
            (unsigned long long)(t.part * parts));
}

/* In three steps a message for each pair of hosts, in two for each member and host. An allgather's part crosses
 * once for each of these, or once for each edge. */
static void test_hosts(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(60);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
        struct base_random random;
        base_random_seed(&random, seed, 8);
        make_random(&random, 2 + (uint32_t)base_random_below(&random, 60));
        t.seed = seed;
        t.part = 3;
        t.hosts = 1 + (uint32_t)base_random_below(&random, t.n - 1);
        t.neighbors = seed % 2;
        uint64_t pairs = different(false), members = different(true), links = far_links();
        expect_far(COLL_NEIGHBOR_ALLTOALL, "three-step", pairs, links);
        expect_far(COLL_NEIGHBOR_ALLTOALL, "two-step", members, links);
        expect_far(COLL_NEIGHBOR_ALLGATHER, "three-step", pairs, members);
        expect_far(COLL_NEIGHBOR_ALLGATHER, "two-step", members, members);
        expect_far(COLL_NEIGHBOR_ALLGATHER, "three-step-each", pairs, links);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cartesian), cmocka_unit_test(test_digits), cmocka_unit_test(test_common),
        cmocka_unit_test(test_halving),   cmocka_unit_test(test_hosts),  cmocka_unit_test(test_shares),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(t.links.at);
    return failed;
}
