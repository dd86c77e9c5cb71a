/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose collectives are: common subsequences against a table of all lengths, on random input; and random traces of
 * collectives of random groups, whose members are found again. */
#include "replay/ti/groups.h"

#include "coll/coll.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 40, RANKS = 6 };

static uint32_t below(struct base_random *r, uint32_t n)
{
    return (uint32_t)base_random_below(r, n);
}

static uint32_t longest(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m)
{
    uint32_t length[LONGEST + 1][LONGEST + 1] = {{0}};
    for (uint32_t i = 1; i <= n; i++)
        for (uint32_t k = 1; k <= m; k++) {
            uint32_t up = length[i - 1][k], left = length[i][k - 1];
            length[i][k] = a[i - 1] == b[k - 1] ? length[i - 1][k - 1] + 1 : up > left ? up : left;
        }
    return length[n][m];
}

static void test_common(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= seed_share(2000); seed++) {
        struct base_random r;
        uint64_t a[LONGEST], b[LONGEST];
        uint32_t out[LONGEST];
        base_random_seed(&r, seed, 0);
        uint32_t n = below(&r, LONGEST), m = below(&r, LONGEST), letters = 1 + below(&r, 6);
        for (uint32_t k = 0; k < n; k++)
            a[k] = below(&r, letters);
        for (uint32_t k = 0; k < m; k++)
            b[k] = below(&r, letters);
        uint32_t found = replay_common(a, n, b, m, UINT32_MAX, out), at = 0, wanted = longest(a, n, b, m);
        if (found != wanted)
            fail_msg("seed %d: %u, expected %u", (int)seed, found, wanted);
        for (uint32_t k = 0; k < found; k++, at++) {
            assert_true(out[k] < n && (!k || out[k - 1] < out[k]));
            while (at < m && b[at] != a[out[k]])
                at++;
            assert_true(at < m); /* they are in b, in this order */
        }
        if (n + m > 2 * wanted) /* too many differences */
            assert_int_equal(replay_common(a, n, b, m, n + m - 2 * wanted - 1, out), UINT32_MAX);
    }
}

/* Each collective has a size of its own, so that there is one answer. */
static void random_trace(struct replay_tape *t, uint64_t seed, uint32_t members[], uint32_t *n)
{
    struct base_random r;
    base_random_seed(&r, seed, 1);
    *n = 1 + below(&r, 30);
    for (uint32_t k = 0; k < *n; k++) {
        uint32_t all = (1U << RANKS) - 1;
        members[k] = below(&r, 3) ? all : below(&r, all) + 1;
        if (!(members[k] & (members[k] - 1)))
            members[k] = all; /* a group of one calls nobody */
        for (uint32_t rank = 0; rank < RANKS; rank++)
            if (members[k] & 1U << rank)
                replay_tape_write(
                    t, rank,
                    &(struct replay_action){.kind = REPLAY_COLLECTIVE, .number = COLL_REDUCE, .bytes = k});
    }
    replay_tape_ranks_least(t, RANKS);
    replay_tape_seal(t);
}

static void test_groups(void **state)
{
    (void)state;
    base_level_set(BASE_LEVEL_ERROR);
    for (uint64_t seed = 1; seed <= seed_share(500); seed++) {
        uint32_t members[40], n;
        struct replay_tape *t = replay_tape_create();
        replay_tape_limit(t, 1 << 20);
        random_trace(t, seed, members, &n);
        t = replay_ti_name_groups(t);
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            struct replay_cursor c;
            struct replay_action a = {0};
            replay_cursor_begin(t, rank, &c);
            while (replay_cursor_next(t, &c, &a)) {
                uint32_t found = 0;
                for (uint32_t k = 0; a.group && k < replay_tape_group_at(t, a.group)->n; k++)
                    found |= 1U << replay_tape_group_at(t, a.group)->rank[k];
                if ((a.group ? found : (1U << RANKS) - 1) != members[a.bytes])
                    fail_msg("seed %d: collective %d", (int)seed, (int)a.bytes);
            }
        }
        replay_tape_destroy(t);
    }
}

/* A collective that only one rank calls stays the world's: it is an error of the trace. */
static void test_alone(void **state)
{
    (void)state;
    struct replay_tape *t = replay_tape_create();
    struct replay_cursor c;
    struct replay_action a = {.kind = REPLAY_COLLECTIVE, .number = COLL_BARRIER};
    replay_tape_write(t, 0, &a);
    replay_tape_ranks_least(t, 2);
    replay_tape_seal(t);
    t = replay_ti_name_groups(t);
    replay_cursor_begin(t, 0, &c);
    assert_true(replay_cursor_next(t, &c, &a));
    assert_int_equal(a.group, 0);
    replay_cursor_end(&c);
    replay_tape_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_common), cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
