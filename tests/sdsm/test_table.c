/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that a table (table.c) finds what was added and not removed, visits it in ascending order, and
 * releases it: random calls beside an array. */
#include "sdsm/alone.h"

enum { IDS = 40, ROUNDS = 300, STEPS = 200 };

struct thing {
    uint64_t id; /* first, as in all things of tables */
    int released;
};

struct order {
    uint64_t before;
    size_t n;
};

/* Ids up to the largest number, so that comparing by subtraction would go wrong. */
static uint64_t id_of(uint64_t k)
{
    return k % 2 ? UINT64_MAX - k : k * k * k;
}

static void see(void *thing, void *ctx)
{
    struct order *o = ctx;
    const struct thing *t = thing;
    if (o->n++)
        assert_true(t->id > o->before);
    o->before = t->id;
}

static void note_release(void *thing)
{
    ((struct thing *)thing)->released++;
}

static void step(void **table, struct thing *things, bool *there, uint64_t *state)
{
    uint64_t k = draw(state, IDS);
    assert_ptr_equal(sat_table_find(table, things[k].id), there[k] ? &things[k] : NULL);
    if (there[k] || draw(state, 4) == 0) /* removing what is not there changes nothing */
        sat_table_remove(table, things[k].id);
    else
        sat_table_add(table, &things[k]);
    there[k] = sat_table_find(table, things[k].id) != NULL;
}

static void behaves_like_an_array(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        void *table = NULL;
        struct thing things[IDS] = {0};
        bool there[IDS] = {0}, before[IDS];
        uint64_t state = seed * 12345;
        for (uint64_t k = 0; k < IDS; k++)
            things[k].id = id_of(k);
        for (int n = 0; n < STEPS; n++) {
            memcpy(before, there, sizeof there);
            step(&table, things, there, &state);
            size_t changed = 0, count = 0;
            for (int k = 0; k < IDS; k++) {
                changed += before[k] != there[k];
                count += there[k];
                if ((sat_table_find(&table, things[k].id) != NULL) != there[k])
                    fail_msg("seed %llu, step %d: %llu", (unsigned long long)seed, n,
                             (unsigned long long)things[k].id);
            }
            struct order o = {0};
            sat_table_each(table, see, &o);
            if (changed > 1 || o.n != count)
                fail_msg("seed %llu, step %d: %zu things, expected %zu", (unsigned long long)seed, n, o.n,
                         count);
        }
        sat_table_clear(&table, note_release);
        assert_null(table);
        for (int k = 0; k < IDS; k++)
            assert_int_equal(things[k].released, there[k]);
    }
}

static void may_be_empty(void **unused)
{
    (void)unused;
    void *table = NULL;
    struct order o = {0};
    assert_null(sat_table_find(&table, 0));
    sat_table_remove(&table, 0);
    sat_table_each(table, see, &o);
    assert_int_equal(o.n, 0);
    sat_table_clear(&table, note_release);
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaves_like_an_array),
        cmocka_unit_test(may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
