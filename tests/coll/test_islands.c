/* SPDX-License-Identifier: BSD-3-Clause */
/* Which hosts are found to be close to each other: by blocks, dealt in turn, of unequal size, in two steps; none
 * where hosts are a ring, all alike or all different. */
#include "coll/net.h"

enum { RANKS = 24 };

static struct net n;
static struct coll_call call;

static const struct coll_islands *islands(uint32_t ranks, uint32_t per_host,
                                          double (*apart)(uint32_t a, uint32_t b), bool ordered)
{
    n = (struct net){.latency = 1, .apart = apart};
    net_init(&n, ranks, 1);
    for (uint32_t k = 0; k < ranks; k++)
        n.ranks[k].rank->host = k / per_host;
    call = (struct coll_call){.op = COLL_BARRIER, .group = {0, 1, ranks, 0, NULL}, .transport = &n.transport};
    return coll_group_islands(coll_group_find(&n.exec, NULL, &call), ordered);
}

static void expect(const struct coll_islands *l, uint32_t hosts, const uint32_t *island)
{
    assert_non_null(l);
    for (uint32_t h = 0; h < hosts; h++) {
        assert_int_equal(l->island[h], island[h]);
        assert_true(l->first[island[h]] + l->index[h] < l->first[island[h] + 1]);
        assert_int_equal(l->host[l->first[island[h]] + l->index[h]], h);
    }
    assert_int_equal(l->first[l->count], hosts);
}

static double in_threes(uint32_t a, uint32_t b)
{
    return a / 3 == b / 3 ? 0.5 : 1;
}
static double in_turn(uint32_t a, uint32_t b)
{
    return a % 3 == b % 3 ? 0.5 : 1;
}
static double in_two_steps(uint32_t a, uint32_t b)
{
    return a / 2 == b / 2 ? 0.8 : a / 4 == b / 4 ? 0.9 : 4;
}
/* Islands whose own networks are not equally quick. */
static double unlike(uint32_t a, uint32_t b)
{
    uint32_t island = a / 4;
    return island != b / 4 ? 2 : 0.5 + 0.02 * island;
}

static void finds_blocks(void **state)
{
    (void)state;
    const struct coll_islands *l = islands(12, 1, in_threes, true);
    expect(l, 12, (uint32_t[]){0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
    assert_int_equal(l->count, 4);
    assert_int_equal(l->each, 3);
    assert_true(l->in_order);
    net_release(&n);
    l = islands(24, 3, in_threes, true); /* eight hosts: the last island has two of them */
    expect(l, 8, (uint32_t[]){0, 0, 0, 1, 1, 1, 2, 2});
    assert_int_equal(l->each, 0);
    net_release(&n);
    expect(islands(12, 1, unlike, false), 12, (uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
    net_release(&n);
}

static void finds_hosts_that_were_dealt(void **state)
{
    (void)state;
    const struct coll_islands *l = islands(7, 1, in_turn, false);
    expect(l, 7, (uint32_t[]){0, 1, 2, 0, 1, 2, 0});
    assert_int_equal(l->each, 0);
    assert_false(l->in_order);
    assert_null(coll_group_islands(coll_group_find(&n.exec, NULL, &call), true));
    net_release(&n);
}

static void cuts_at_the_largest_step(void **state)
{
    (void)state;
    expect(islands(8, 1, in_two_steps, true), 8, (uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1});
    net_release(&n);
}

static double on_a_ring(uint32_t a, uint32_t b)
{
    uint32_t d = a > b ? a - b : b - a;
    return d < RANKS - d ? d : RANKS - d;
}
static double all_different(uint32_t a, uint32_t b)
{
    return 1 + 0.01 / (1 + a + b);
}

static void finds_none(void **state)
{
    (void)state;
    assert_null(islands(RANKS, 1, on_a_ring, false));
    net_release(&n);
    assert_null(islands(RANKS, 2, NULL, false));
    net_release(&n);
    assert_null(islands(RANKS, 1, all_different, false));
    net_release(&n);
    assert_null(islands(2, 1, in_threes, false));
    net_release(&n);
    assert_null(islands(RANKS, RANKS, in_threes, false));
    net_release(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_blocks),
        cmocka_unit_test(finds_hosts_that_were_dealt),
        cmocka_unit_test(cuts_at_the_largest_step),
        cmocka_unit_test(finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
