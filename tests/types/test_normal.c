/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what layouts are normalized to, that references keep what is needed and no more, what does not fit,
 * and layouts far larger than memory.
 */
#include "types/naive.h"

#include <malloc.h>

static struct base_status st;

/* Checks the depth, whether it is dense, and lets go. */
static void expect(struct types_layout *l, unsigned depth, bool dense)
{
    int64_t offset;
    assert_non_null(l);
    assert_int_equal(types_layout_depth(l), depth);
    assert_int_equal(types_layout_is_dense(l, &offset), dense);
    types_layout_release(l);
}

/* As an argument: the constructor of the outer layout holds the inner one. */
static struct types_layout *then(struct types_layout *inner, struct types_layout *outer)
{
    types_layout_release(inner);
    return outer;
}

static void test_dense(void **state)
{
    (void)state;
    const struct types_layout *i = types_layout_of(TYPES_INT), *d = types_layout_of(TYPES_DOUBLE);
    struct types_layout *c = types_layout_contiguous(10, i, &st);
    expect(types_layout_contiguous(7, i, &st), 0, true);
    expect(types_layout_contiguous(3, c, &st), 0, true);
    expect(types_layout_vector(4, 3, 3, i, &st), 0, true);
    expect(types_layout_vector(1, 3, 99, i, &st), 0, true);
    expect(types_layout_hvector(5, 2, 8, i, &st), 0, true);
    expect(types_layout_indexed(3, (int64_t[]){2, 0, 5}, (int64_t[]){0, 77, 2}, i, &st), 0, true);
    expect(types_layout_indexed_block(3, 4, (int64_t[]){8, 12, 16}, i, &st), 0, true);
    const struct types_layout *of[] = {i, i, d};
    expect(types_layout_struct(3, (int64_t[]){1, 1, 3}, (int64_t[]){0, 4, 8}, of, &st), 0, true);
    expect(types_layout_struct(3, (int64_t[]){1, 0, 3}, (int64_t[]){0, 4, 8}, of, &st), 1, false);
    int64_t sizes[] = {4, 5, 6}, parts[] = {2, 5, 6}, starts[] = {1, 0, 0};
    expect(types_layout_subarray(3, sizes, parts, starts, TYPES_ORDER_C, i, &st), 0, false);
    struct types_layout *all =
        types_layout_subarray(3, sizes, sizes, (int64_t[]){0, 0, 0}, TYPES_ORDER_FORTRAN, i, &st);
    expect(all, 0, true);
    types_layout_release(c);
    for (int e = 0; e < TYPES_ELEMENTS; e++) {
        const struct types_element_info *info = types_element_info((enum types_element)e);
        int64_t offset;
        assert_int_equal(types_layout_is_dense(types_layout_of((enum types_element)e), &offset),
                         info->size == info->extent);
        assert_int_equal(offset, 0);
    }
}

static void test_loops(void **state)
{
    (void)state;
    const struct types_layout *i = types_layout_of(TYPES_INT), *f = types_layout_of(TYPES_FLOAT);
    struct types_layout *column = types_layout_vector(8, 1, 10, i, &st);
    expect(types_layout_vector(8, 2, 10, i, &st), 1, false);
    expect(types_layout_hvector(4, 1, 320, column, &st), 1, false); /* continues the column */
    expect(types_layout_hvector(4, 1, 324, column, &st), 2, false);
    expect(types_layout_indexed_block(4, 2, (int64_t[]){0, 5, 10, 15}, i, &st), 1,
           false); /* equal distances */
    expect(types_layout_indexed(3, (int64_t[]){2, 3, 2}, (int64_t[]){0, 5, 10}, i, &st), 1, false);
    expect(types_layout_hindexed_block(2, 1, (int64_t[]){0, 320}, column, &st), 1, false);
    /* A list of short lists is one list. */
    struct types_layout *list = types_layout_indexed(3, (int64_t[]){1, 2, 1}, (int64_t[]){0, 3, 9}, i, &st);
    expect(types_layout_hindexed_block(3, 1, (int64_t[]){0, 100, 300}, list, &st), 1, false);
    expect(types_layout_contiguous(3, list, &st), 2, false);
    /* Rows of a matrix, whole and in part, in three dimensions. */
    int64_t sizes[] = {6, 7, 8}, starts[] = {0, 1, 2};
    expect(types_layout_subarray(3, sizes, (int64_t[]){6, 3, 8}, (int64_t[]){0, 1, 0}, TYPES_ORDER_C, i, &st),
           1, false);
    expect(types_layout_subarray(3, sizes, (int64_t[]){6, 7, 3}, (int64_t[]){0, 0, 2}, TYPES_ORDER_C, i, &st),
           1, false);
    expect(types_layout_subarray(3, sizes, (int64_t[]){3, 3, 3}, starts, TYPES_ORDER_C, i, &st), 2, false);
    expect(types_layout_subarray(3, sizes, (int64_t[]){3, 3, 3}, starts, TYPES_ORDER_FORTRAN, i, &st), 2,
           false);
    /* A struct of arrays of equal length is a loop; a transposed matrix is two. */
    const struct types_layout *two[] = {i, f};
    expect(types_layout_struct(2, (int64_t[]){4, 4}, (int64_t[]){0, 160}, two, &st), 1, false);
    struct types_layout *next = types_layout_resized(column, 0, 4, &st);
    expect(types_layout_contiguous(10, next, &st), 2, false);
    types_layout_release(next);
    types_layout_release(list);
    types_layout_release(column);
}

/* --- references ----------------------------------------------------------------------------------- */

static void live_and_die(void)
{
    struct types_layout *a = types_layout_indexed(3, (int64_t[]){1, 2, 1}, (int64_t[]){0, 3, 9},
                                                  types_layout_of(TYPES_SHORT_INT), &st);
    struct types_layout *b = types_layout_hvector(3, 2, 999, a, &st);
    types_layout_release(a); /* b still needs it */
    struct types_layout *c = types_layout_retain(b);
    types_layout_release(b);
    unsigned char memory[4000] = {0}, packed[144];
    memset(packed, 1, sizeof packed);
    assert_int_equal(types_layout_size(c), sizeof packed);
    types_unpack(c, 1, memory, 0, sizeof packed, packed);
    unsigned set = 0;
    for (size_t k = 0; k < sizeof memory; k++)
        set += memory[k];
    assert_int_equal(set, sizeof packed);
    types_layout_release(c);
    types_layout_release(NULL);
    types_layout_release(types_layout_retain(types_layout_of(TYPES_INT)));
}

/* Many lives take no more memory than a few. */
static void test_references(void **state)
{
    (void)state;
    size_t before = 0;
    for (int k = 0; k < 100; k++) {
        live_and_die();
        before = k == 10 ? mallinfo2().uordblks : before;
    }
    assert_int_equal(mallinfo2().uordblks, before);
}

/* Each holds the one before: letting go of the last must not need a stack of their number. */
static void test_long_chain(void **state)
{
    (void)state;
    struct types_layout *l = types_layout_vector(2, 1, 2, types_layout_of(TYPES_BYTE), &st);
    for (int k = 0; k < 200000; k++)
        l = then(l, types_layout_resized(l, 0, 3 + k, &st));
    assert_int_equal(types_layout_size(l), 2);
    types_layout_release(l);
}

/* --- what does not fit ---------------------------------------------------------------------------- */

static void refuse(struct types_layout *l, const char *text)
{
    assert_null(l);
    if (!strstr(st.text, text))
        fail_msg("\"%s\" does not say \"%s\"", st.text, text);
    st.text[0] = 0;
}

static void test_overflow(void **state)
{
    (void)state;
    const struct types_layout *i = types_layout_of(TYPES_INT);
    const char *big = "63 bits", *negative = "negative";
    int64_t huge = INT64_MAX;
    refuse(types_layout_contiguous(huge / 4 + 1, i, &st), big);
    refuse(types_layout_vector(2, 1, huge / 4 + 1, i, &st), big);
    refuse(types_layout_hvector(3, 1, huge / 2, i, &st), big);
    refuse(types_layout_hvector(2, 1, INT64_MIN, i, &st), big);
    refuse(types_layout_hvector(huge, huge, 0, i, &st), big);
    refuse(types_layout_hindexed_block(1, 1, &huge, i, &st), big);
    refuse(types_layout_indexed(1, (int64_t[]){1}, &huge, i, &st), big);
    refuse(types_layout_hindexed(2, (int64_t[]){1, 1}, (int64_t[]){INT64_MIN, huge - 4}, i, &st), big);
    refuse(types_layout_struct(2, (int64_t[]){huge / 4, huge / 4}, (int64_t[]){0, 0},
                               (const struct types_layout *[]){i, i}, &st),
           big);
    refuse(types_layout_resized(i, huge, 1, &st), big);
    refuse(types_layout_subarray(2, (int64_t[]){huge, huge}, (int64_t[]){1, 1}, (int64_t[]){0, 0},
                                 TYPES_ORDER_C, i, &st),
           big);
    refuse(types_layout_subarray(1, (int64_t[]){4}, (int64_t[]){3}, (int64_t[]){2}, TYPES_ORDER_C, i, &st),
           "takes 3");
    refuse(types_layout_contiguous(-1, i, &st), negative);
    refuse(types_layout_vector(1, -1, 0, i, &st), negative);
    refuse(types_layout_indexed(2, (int64_t[]){1, -1}, (int64_t[]){0, 0}, i, &st), negative);
    refuse(types_layout_hindexed_block(-1, 1, NULL, i, &st), negative);
    /* Just fits. */
    struct types_layout *most = types_layout_contiguous(huge / 4, i, &st);
    assert_int_equal(types_layout_size(most), huge / 4 * 4);
    assert_true(types_layout_fits(most, 1));
    assert_false(types_layout_fits(most, 2));
    types_layout_release(most);
    most = types_layout_hindexed(2, (int64_t[]){1, 1}, (int64_t[]){INT64_MIN / 2, huge / 2 - 7}, i, &st);
    assert_non_null(most);
    types_layout_release(most);
    most = types_layout_resized(i, 0, huge / 2, &st);
    assert_true(types_layout_fits(most, 2));
    assert_false(types_layout_fits(most, 4));
    types_layout_release(most);
    most = types_layout_resized(i, 0, huge / 2 - 2, &st); /* the last of three ends at 2^63 - 2 */
    assert_true(types_layout_fits(most, 3));
    assert_false(types_layout_fits(most, 4));
    types_layout_release(most);
    most = types_layout_resized(i, 0, huge / 2, &st); /* and here beyond 2^63 */
    assert_false(types_layout_fits(most, 3));
    types_layout_release(most);
    /* A stride that is not taken may be anything. */
    most = types_layout_vector(1, 1, huge, i, &st);
    assert_int_equal(types_layout_size(most), 4);
    types_layout_release(most);
}

/* 2^50 doubles, every third: positions far in are found at once. */
static void test_large(void **state)
{
    (void)state;
    int64_t n = INT64_C(1) << 50;
    struct types_layout *l = types_layout_vector(n, 1, 3, types_layout_of(TYPES_DOUBLE), &st);
    struct types_layout *two = types_layout_hindexed_block(2, 1, (int64_t[]){INT64_C(1) << 55, 5}, l, &st);
    struct types_cursor c;
    struct types_strip s;
    assert_int_equal(types_layout_bounds(l).extent, (3 * n - 2) * 8);
    uint64_t from = 8 * (uint64_t)n + 8 * ((uint64_t)n - 3) + 5;
    types_cursor_init(&c, two, 1, from, 16 * (uint64_t)n);
    assert_true(types_cursor_next(&c, &s));
    assert_true(s.n == 1 && s.bytes == 3 && s.offset == 5 + 24 * (n - 3) + 5);
    assert_true(types_cursor_next(&c, &s));
    assert_true(s.n == 2 && s.bytes == 8 && s.stride == 24 && s.offset == 5 + 24 * (n - 2));
    assert_false(types_cursor_next(&c, &s));
    types_cursor_release(&c);
    types_layout_release(two);
    types_layout_release(l);
}

/* --- parts of arrays ------------------------------------------------------------------------------ */

/* Offsets of the elements of one item, in order. */
static void check_offsets(const struct types_layout *l, const int64_t *want, uint64_t n, uint64_t number)
{
    struct types_cursor c;
    struct types_strip s;
    uint64_t k = 0;
    assert_int_equal(types_layout_size(l), n * sizeof(int));
    types_cursor_init(&c, l, 1, 0, n * sizeof(int));
    while (types_cursor_next(&c, &s))
        for (uint64_t run = 0; run < s.n; run++)
            for (uint64_t byte = 0; byte < s.bytes; byte += sizeof(int), k++)
                if (want[k] * (int64_t)sizeof(int) != s.offset + (int64_t)run * s.stride + (int64_t)byte)
                    fail_msg("case %llu: element %llu of %llu is elsewhere", (unsigned long long)number,
                             (unsigned long long)k, (unsigned long long)n);
    types_cursor_release(&c);
}

enum { DIMS = 4, ELEMENTS = 5 * 5 * 5 * 5 };

/* Goes through an array in memory order, and keeps the places of what `has` says is part of it. */
struct grid {
    int dims;
    enum types_order order;
    int64_t sizes[DIMS];
};

/* The indices of the element at `place`. */
static void indices(const struct grid *g, int64_t place, int64_t *out)
{
    for (int k = 0; k < g->dims; k++) {
        int dim = g->order == TYPES_ORDER_FORTRAN ? k : g->dims - 1 - k;
        out[dim] = place % g->sizes[dim];
        place /= g->sizes[dim];
    }
}

static int64_t make_grid(struct base_random *r, struct grid *g)
{
    int64_t all = 1;
    g->dims = 1 + (int)base_random_below(r, DIMS);
    g->order = base_random_below(r, 2) ? TYPES_ORDER_C : TYPES_ORDER_FORTRAN;
    for (int k = 0; k < g->dims; k++)
        all *= g->sizes[k] = naive_between(r, 1, 5);
    return all;
}

static void check_extent(const struct types_layout *l, int64_t all)
{
    struct types_bounds b = types_layout_bounds(l);
    assert_int_equal(b.lower, 0);
    assert_int_equal(b.extent, all * (int64_t)sizeof(int));
}

static void test_subarrays(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("subarrays"), 10);
    for (uint64_t n = 0; n < 500; n++) {
        struct grid g;
        int64_t all = make_grid(&r, &g), parts[DIMS], starts[DIMS], at[DIMS], want[ELEMENTS] = {0};
        for (int k = 0; k < g.dims; k++) {
            parts[k] = naive_between(&r, 1, g.sizes[k]);
            starts[k] = naive_between(&r, 0, g.sizes[k] - parts[k]);
        }
        uint64_t taken = 0;
        for (int64_t place = 0; place < all; place++) {
            bool in = true;
            indices(&g, place, at);
            for (int k = 0; k < g.dims; k++)
                in = in && at[k] >= starts[k] && at[k] < starts[k] + parts[k];
            if (in)
                want[taken++] = place;
        }
        struct types_layout *l =
            types_layout_subarray(g.dims, g.sizes, parts, starts, g.order, types_layout_of(TYPES_INT), &st);
        check_offsets(l, want, taken, n);
        check_extent(l, all);
        types_layout_release(l);
    }
}

/* Which process of the dimension has index i: blocks in turn (MPI-5.0 section 5.1.4). */
static int64_t owner(const struct types_grid_dim *d, int64_t i)
{
    int64_t block = d->how == TYPES_SPREAD_NONE    ? d->size
                    : d->block                     ? d->block
                    : d->how == TYPES_SPREAD_BLOCK ? (d->size + d->processes - 1) / d->processes
                                                   : 1;
    return i / block % d->processes;
}

static void random_dim(struct base_random *r, int64_t size, struct types_grid_dim *d)
{
    *d = (struct types_grid_dim){size, (enum types_spread)base_random_below(r, 3), 0, naive_between(r, 1, 4)};
    int64_t least = d->how == TYPES_SPREAD_BLOCK ? (size + d->processes - 1) / d->processes : 1;
    if (d->how == TYPES_SPREAD_NONE)
        d->processes = 1;
    else if (base_random_below(r, 2))
        d->block = naive_between(r, least, size + 2);
}

static void check_darray(uint64_t n, const struct grid *g, const struct types_grid_dim *dim, int64_t all,
                         int64_t processes, int64_t me)
{
    int64_t at[DIMS], want[ELEMENTS] = {0}, mine[DIMS], rest = me;
    for (int k = g->dims - 1; k >= 0; k--) { /* row-major */
        mine[k] = rest % dim[k].processes;
        rest /= dim[k].processes;
    }
    uint64_t taken = 0;
    for (int64_t place = 0; place < all; place++) {
        bool in = true;
        indices(g, place, at);
        for (int k = 0; k < g->dims; k++)
            in = in && owner(&dim[k], at[k]) == mine[k];
        if (in)
            want[taken++] = place;
    }
    struct types_layout *l =
        types_layout_darray(processes, me, g->dims, dim, g->order, types_layout_of(TYPES_INT), &st);
    assert_non_null(l);
    check_offsets(l, want, taken, n);
    check_extent(l, all);
    types_layout_release(l);
}

static void test_darrays(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("darrays"), 11);
    for (uint64_t n = 0; n < 300; n++) {
        struct grid g;
        struct types_grid_dim dim[DIMS];
        int64_t all = make_grid(&r, &g), processes = 1;
        for (int k = 0; k < g.dims; k++) {
            random_dim(&r, g.sizes[k], &dim[k]);
            processes *= dim[k].processes;
        }
        for (int64_t me = 0; me < processes; me++)
            check_darray(n, &g, dim, all, processes, me);
    }
    struct types_grid_dim bad = {10, TYPES_SPREAD_BLOCK, 2, 4};
    const struct types_layout *i = types_layout_of(TYPES_INT);
    refuse(types_layout_darray(4, 0, 1, &bad, TYPES_ORDER_C, i, &st), "too small");
    bad.block = 3;
    refuse(types_layout_darray(5, 0, 1, &bad, TYPES_ORDER_C, i, &st), "grid");
    refuse(types_layout_darray(4, 4, 1, &bad, TYPES_ORDER_C, i, &st), "grid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),      cmocka_unit_test(test_loops),    cmocka_unit_test(test_references),
        cmocka_unit_test(test_long_chain), cmocka_unit_test(test_overflow), cmocka_unit_test(test_large),
        cmocka_unit_test(test_subarrays),  cmocka_unit_test(test_darrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
