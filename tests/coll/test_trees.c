/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes of trees that broadcasts go down: who is whose parent and who is whose child say the same,
 * and a way leads from each number to 0, for more members than the tests of algorithms have. */
#include "coll/broadcast/tree.h"

#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct {
    const char *name;
    const struct broadcast_shape *shape;
} shapes[] = {
    {"star", &broadcast_star},
    {"binomial", &broadcast_binomial_tree},
    {"k-nomial", &broadcast_knomial_tree},
    {"binomial, highest bit", &broadcast_high_bit_tree},
    {"k-nomial in runs", &broadcast_knomial_runs},
    {"heap", &broadcast_heap_tree},
    {"dealt", &broadcast_dealt_tree},
    {"chains", &broadcast_chains},
    {"postal", &broadcast_postal_tree},
};

static uint32_t add_children(const struct broadcast_tree *t, uint32_t v, uint32_t *times, const char *name)
{
    uint32_t n = 0, child;
    while ((child = t->shape->child(t, v, n)) != COLL_NOBODY) {
        if (child >= t->n || times[child]++ || t->shape->parent(t, child) != v)
            fail_msg("%s, k = %u, %u members: child %u of %u has parent %u, and is a child of %u", name,
                     t->fan, t->n, child, v, t->shape->parent(t, child), times[child]);
        n++;
    }
    return n;
}

static void check_tree(const char *name, const struct broadcast_shape *shape, uint32_t n, uint32_t fan)
{
    struct broadcast_tree t = {.shape = shape, .n = n, .fan = fan, .first = n / 3};
    uint32_t *times = base_zalloc(n * sizeof *times, "test"), edges = 0;
    for (uint32_t v = 0; v < n; v++)
        edges += add_children(&t, v, times, name);
    if (edges != n - 1 || times[0])
        fail_msg("%s, k = %u, %u members: %u edges, %u to the root", name, fan, n, edges, times[0]);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t steps = 0;
        for (uint32_t at = v; at; at = shape->parent(&t, at))
            if (steps++ == n)
                fail_msg("%s, k = %u, %u members: no way leads from %u to the root", name, fan, n, v);
    }
    free(times);
}

static void test_shapes(void **state)
{
    static const uint32_t members[] = {41, 64, 65, 81, 100, 127, 128, 129, 243, 511},
                          fans[] = {2, 3, 4, 7, 64};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(shapes); k++)
        for (size_t f = 0; f < BASE_LENGTH(fans); f++) {
            for (uint32_t n = 1; n <= 40; n++)
                check_tree(shapes[k].name, shapes[k].shape, n, fans[f]);
            for (size_t m = 0; m < BASE_LENGTH(members); m++)
                check_tree(shapes[k].name, shapes[k].shape, members[m], fans[f]);
        }
}

/* After u sends' overheads, as many members as can be have it: for k = 2 the Fibonacci numbers. */
static uint32_t last_unit(const struct broadcast_tree *t, uint32_t v, uint32_t has)
{
    uint32_t last = has, child;
    for (uint32_t k = 0; (child = t->shape->child(t, v, k)) != COLL_NOBODY; k++) {
        uint32_t there = last_unit(t, child, has + k + t->fan);
        last = there > last ? there : last;
    }
    return last;
}

static void test_postal(void **state)
{
    static const uint32_t most[] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89},
                          most_of_three[] = {1, 1, 1, 2, 3, 4, 6, 9, 13, 19, 28};
    (void)state;
    for (uint32_t u = 2; u < BASE_LENGTH(most); u++)
        for (uint32_t fan = 2; fan <= 3; fan++) {
            uint32_t n = fan == 2 ? most[u] : most_of_three[u];
            struct broadcast_tree t = {.shape = &broadcast_postal_tree, .n = n, .fan = fan};
            uint32_t expected = n > 1 ? u : 0;
            if (last_unit(&t, 0, 0) != expected)
                fail_msg("k = %u, %u members: the last has it after %u units, expected %u", fan, n,
                         last_unit(&t, 0, 0), expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_postal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
