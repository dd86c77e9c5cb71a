/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what the accounts report: blocks, pools, regions and their memory, by layer and purpose. Compares the
 * table of blocks with a naive one on random allocations. */
#include "base/base.h"
#include "seed.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct asked {
    const char *layer, *what;
    struct base_account is;
};

static void pick(void *arg, const struct base_account *a)
{
    struct asked *q = arg;
    if (!strcmp(a->layer, q->layer) && !strcmp(a->what, q->what))
        q->is = *a;
}

static struct base_account account(const char *layer, const char *what)
{
    struct asked q = {.layer = layer, .what = what};
    base_accounts_each(pick, &q);
    return q.is;
}

/* This program is not linked with --wrap=free. */
static void give_back(void *p)
{
    base_account_forget(p);
    free(p);
}

static void test_blocks(void **state)
{
    (void)state;
    char *older = base_alloc_for(50, "things", "one");
    base_accounts_begin();
    char *a = base_alloc_for(100, "things", "one"), *b = base_zalloc_for(30, "things", "two");
    assert_int_equal(account("one", "things").blocks, 100);
    assert_int_equal(account("two", "things").blocks, 30);
    a = base_realloc_for(a, 500, "things", "one");
    assert_int_equal(account("one", "things").blocks, 500);
    a = base_realloc_for(a, 20, "others", "one"); /* the last one who asked has it */
    assert_int_equal(account("one", "things").blocks, 0);
    assert_int_equal(account("one", "things").peak, 500);
    assert_int_equal(account("one", "others").blocks, 20);
    give_back(older); /* nobody's */
    base_account_forget(NULL);
    give_back(a);
    give_back(b);
    assert_int_equal(account("one", "others").blocks + account("two", "things").blocks, 0);
    free(base_alloc_for(10, "things", "one")); /* not told of */
    base_accounts_end();
    assert_false(base_accounts_on);
}

static void test_random_blocks(void **state)
{
    (void)state;
    enum { N = 3000, STEPS = 200000 };
    static char *block[N];
    static size_t size[N];
    static const char *const layer[] = {"a", "b", "c"};
    uint64_t sum[3] = {0}, seed = seed_of_test(1);
    struct base_random r;
    base_random_seed(&r, seed, 0);
    base_accounts_begin();
    for (int step = 0; step < STEPS; step++) {
        size_t k = base_random_below(&r, N), owner = k % 3;
        if (block[k]) {
            give_back(block[k]);
            sum[owner] -= size[k];
            block[k] = NULL;
        } else {
            size[k] = base_random_below(&r, 200);
            block[k] = base_alloc_for(size[k], "random", layer[owner]);
            sum[owner] += size[k];
        }
        uint64_t is = account(layer[owner], "random").blocks;
        if (is != sum[owner])
            fail_msg("step %d: layer %s has %llu bytes, expected %llu", step, layer[owner],
                     (unsigned long long)is, (unsigned long long)sum[owner]);
    }
    for (int k = 0; k < N; k++)
        if (block[k])
            give_back(block[k]);
    assert_int_equal(account("a", "random").blocks + account("b", "random").blocks, 0);
    base_accounts_end();
}

static void test_pools(void **state)
{
    (void)state;
    struct base_pool p;
    struct base_buffers b;
    base_accounts_begin();
    base_pool_init_for(&p, 100, "objects", "one");
    assert_int_equal(account("one", "objects").pools, 0);
    for (int k = 0; k < 100000; k++)
        base_pool_get(&p);
    uint64_t is = account("one", "objects").pools;
    if (is < 100000 * 112 || is > 100000 * 112 + (4 << 20))
        fail_msg("100000 objects of 112 bytes are in slabs of %llu bytes", (unsigned long long)is);
    base_pool_release(&p);
    assert_int_equal(account("one", "objects").pools, 0);
    assert_int_equal(account("one", "objects").peak, is);
    base_buffers_init_for(&b, "buffers", "two");
    void *large = base_buffers_get(&b, (size_t)100 << 20);
    base_buffers_get(&b, 1000);
    assert_int_equal(account("two", "buffers").blocks, 100 << 20);
    assert_true(account("two", "buffers").pools >= 1024);
    base_account_forget(large);
    base_buffers_put(&b, large, (size_t)100 << 20);
    base_buffers_release(&b);
    base_accounts_end();
}

static void test_regions(void **state)
{
    (void)state;
    enum { PAGES = 100 };
    size_t page = base_page_size(), bytes = (size_t)1 << 40;
    base_accounts_begin();
    char *first = base_reserve_for(bytes, "first", "one"), *second = base_reserve_for(bytes, "second", "one");
    for (int k = 0; k < PAGES; k++)
        first[(size_t)k << 30] = second[bytes - 1 - 2 * (size_t)k * page] = 1;
    uint64_t all = base_accounts_read();
    assert_true(all >= 2 * PAGES * page);
    assert_int_equal(account("one", "first").reserved, bytes);
    assert_int_equal(account("one", "first").resident, PAGES * page);
    assert_int_equal(account("one", "second").resident, PAGES * page);
    base_unreserve(first, bytes);
    base_accounts_read();
    assert_int_equal(account("one", "first").reserved + account("one", "first").resident, 0);
    assert_int_equal(account("one", "second").resident, PAGES * page);
    base_unreserve(second, bytes);
    base_accounts_end();
}

/* The tests are not libpgasim. */
static void test_no_layers(void **state)
{
    (void)state;
    assert_null(base_layer_of((const void *)(uintptr_t)base_alloc_for));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),  cmocka_unit_test(test_random_blocks), cmocka_unit_test(test_pools),
        cmocka_unit_test(test_regions), cmocka_unit_test(test_no_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
