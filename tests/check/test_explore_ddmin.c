/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that delta debugging finds a set that fails and of which nothing can be left out, and with how many trials;
 * with failures that need some elements, and random ones. */
#include "check/explore/parts.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 200, ALTERNATIVES = 4 };

/* The set fails if it has all elements of one of the alternatives. */
struct failure {
    size_t n, alternatives;
    bool needs[ALTERNATIVES][MOST];
    unsigned trials;
};

static bool fails(const struct failure *f, const bool *set)
{
    for (size_t a = 0; a < f->alternatives; a++) {
        size_t k = 0;
        while (k < f->n && (set[k] || !f->needs[a][k]))
            k++;
        if (k == f->n)
            return true;
    }
    return false;
}

static size_t try(void *arg, const bool *candidates, size_t n, size_t count)
{
    struct failure *f = arg;
    for (size_t k = 0; k < count; k++) {
        f->trials++;
        if (fails(f, candidates + k * n))
            return k;
    }
    return count;
}

static size_t shrunk(struct failure *f, bool *kept)
{
    size_t left = 0;
    memset(kept, true, f->n);
    explore_ddmin(kept, f->n, try, f);
    assert_true(fails(f, kept));
    for (size_t k = 0; k < f->n; k++) {
        left += kept[k];
        if (!kept[k])
            continue;
        kept[k] = false;
        if (left > 1 || f->n == 1)
            assert_false(fails(f, kept));
        kept[k] = true;
    }
    return left;
}

static void test_one_element(void **state)
{
    (void)state;
    for (size_t n = 1; n <= MOST; n += 7)
        for (size_t which = 0; which < n; which += 3) {
            struct failure f = {.n = n, .alternatives = 1};
            bool kept[MOST];
            f.needs[0][which] = true;
            assert_int_equal(shrunk(&f, kept), 1);
            assert_true(kept[which]);
            assert_in_range(f.trials, 0, 2 * 9);
        }
}

static void test_all_elements(void **state)
{
    (void)state;
    struct failure f = {.n = 16, .alternatives = 1};
    bool kept[MOST];
    memset(f.needs[0], true, f.n);
    assert_int_equal(shrunk(&f, kept), 16);
}

static void test_random(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, 1, 0);
    for (int round = 0; round < 300; round++) {
        struct failure f = {.n = 1 + base_random_below(&r, MOST),
                            .alternatives = 1 + base_random_below(&r, 4)};
        bool kept[MOST];
        for (size_t a = 0; a < f.alternatives; a++)
            for (uint64_t k = 1 + base_random_below(&r, 5); k; k--)
                f.needs[a][base_random_below(&r, f.n)] = true;
        assert_in_range(shrunk(&f, kept), 1, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_element),
        cmocka_unit_test(test_all_elements),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
