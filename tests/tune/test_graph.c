/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs of trials: of every shape and number of members the lists agree, with so many edges; random ones are the
 * same each time; as bytes and back, and copied, they are the same.
 */
#include "tune/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const shapes[] = {"grid-2d", "grid-3d", "moore-2d", "moore-3d", "random-1", "random-5"};

static void expect_agree(const struct tune_graph *g)
{
    struct base_status st = {{0}};
    struct coll_neighbors **lists = base_zalloc(g->n * sizeof *lists, "test");
    for (uint32_t p = 0; p < g->n; p++) {
        struct coll_graph edges;
        tune_graph_list(g, p, &edges);
        lists[p] = coll_neighbors_create(&edges, p, &st);
        if (!lists[p])
            fail_msg("%s of %u: %s", g->name, g->n, st.text);
    }
    if (!coll_neighbors_agree((const struct coll_neighbors *const *)lists, g->n, &st))
        fail_msg("%s of %u: %s", g->name, g->n, st.text);
    for (uint32_t p = 0; p < g->n; p++)
        coll_neighbors_release(lists[p]);
    free(lists);
}

/* What was written, and how much of it was read. */
static struct {
    unsigned char *at;
    size_t n, read;
} bytes;

static void put(const void *from, size_t n)
{
    bytes.at = realloc(bytes.at, bytes.n + n + 1);
    assert_non_null(bytes.at);
    memcpy(bytes.at + bytes.n, from, n);
    bytes.n += n;
}

static bool get(void *arg, void *to, size_t n)
{
    (void)arg;
    if (bytes.n - bytes.read < n)
        return false;
    memcpy(to, bytes.at + bytes.read, n);
    bytes.read += n;
    return true;
}

static void expect_same(const struct tune_graph *a, struct tune_graph *b)
{
    assert_non_null(b);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->degree, b->degree);
    assert_true(tune_graph_fingerprint(a) == tune_graph_fingerprint(b));
    tune_graph_destroy(b);
}

static void expect_kept(const struct tune_graph *g)
{
    bytes.n = bytes.read = 0;
    tune_graph_write(g, put);
    expect_same(g, tune_graph_read(get, NULL));
    expect_same(g, tune_graph_copy(g));
    size_t all = bytes.n; /* none of its beginnings is a graph */
    for (bytes.n = 0; bytes.n < all; bytes.n += 1 + all / 16) {
        bytes.read = 0;
        assert_null(tune_graph_read(get, NULL));
    }
}

static uint32_t degree_of(const char *shape, uint32_t n)
{
    static const uint32_t grids[] = {4, 6, 8, 26};
    for (size_t k = 0; k < BASE_LENGTH(grids); k++)
        if (!strcmp(shape, shapes[k]))
            return grids[k];
    uint32_t degree = (uint32_t)(shape[7] - '0');
    return degree < n ? degree : n - 1;
}

static void test_shapes(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 40; n++)
        for (size_t k = 0; k < BASE_LENGTH(shapes); k++) {
            struct base_status st;
            struct tune_graph *g = tune_graph_shape(shapes[k], n, &st);
            assert_non_null(g);
            assert_int_equal(g->n, n);
            assert_int_equal(g->first_to[n], n * degree_of(shapes[k], n));
            assert_int_equal(g->first_from[n], g->first_to[n]);
            assert_true(g->degree >= degree_of(shapes[k], n));
            expect_agree(g);
            expect_same(g, tune_graph_shape(shapes[k], n, &st));
            expect_kept(g);
            tune_graph_destroy(g);
        }
    free(bytes.at);
}

/* The places of a 3-D grid of 2 x 4 x 3 next to the first one. */
static void test_a_grid(void **state)
{
    (void)state;
    struct base_status st;
    struct coll_graph edges;
    struct tune_graph *g = tune_graph_shape("grid-3d", 24, &st);
    assert_int_equal(g->dims, 3);
    assert_int_equal(g->extent[0] * g->extent[1] * g->extent[2], 24);
    tune_graph_list(g, 0, &edges);
    uint32_t below = (uint32_t)g->extent[2], all = 24, row = below * (uint32_t)g->extent[1];
    const uint32_t expected[] = {all - row, row, row - below, below, below - 1, 1};
    assert_true(edges.grid && edges.n_to == 6);
    assert_memory_equal(edges.to, expected, sizeof expected);
    assert_memory_equal(edges.from, expected, sizeof expected);
    tune_graph_destroy(g);
}

static void test_wrong_names(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",         "grid-4d",  "grid-2", "random-0", "random-4097",
                                        "random-x", "moore-2dx"};
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct base_status st;
        assert_null(tune_graph_shape(wrong[k], 8, &st));
        assert_non_null(strstr(st.text, "expected grid-2d"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_a_grid),
                                       cmocka_unit_test(test_wrong_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
