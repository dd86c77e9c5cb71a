/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins sizes, bounds, alignment, elements and signatures of random nested layouts against their type maps. */
#include "types/naive.h"

enum { CASES = 3000 };

static void check_numbers(uint64_t n, const struct naive *x)
{
    struct types_bounds want = naive_bounds(&x->map), got = types_layout_bounds(x->layout);
    if (want.lower != got.lower || want.extent != got.extent || want.true_lower != got.true_lower ||
        want.true_extent != got.true_extent)
        fail_msg("case %llu: bounds %lld %lld %lld %lld, expected %lld %lld %lld %lld", (unsigned long long)n,
                 (long long)got.lower, (long long)got.extent, (long long)got.true_lower,
                 (long long)got.true_extent, (long long)want.lower, (long long)want.extent,
                 (long long)want.true_lower, (long long)want.true_extent);
    uint64_t size = naive_size(&x->map);
    if (types_layout_size(x->layout) != size || types_layout_align(x->layout) != naive_align(&x->map))
        fail_msg("case %llu: size %llu, expected %llu; alignment %u, expected %u", (unsigned long long)n,
                 (unsigned long long)types_layout_size(x->layout), (unsigned long long)size,
                 types_layout_align(x->layout), naive_align(&x->map));
    enum types_element e = size && !x->map.mixed ? x->map.made_of : TYPES_ELEMENTS;
    if (types_layout_element(x->layout) != e)
        fail_msg("case %llu: made of %u, expected %u", (unsigned long long)n, types_layout_element(x->layout),
                 e);
}

static void check_span(uint64_t n, const struct naive *x, uint64_t count)
{
    int64_t *bytes = naive_bytes(&x->map, count), low = 0, high = 0, got_low, got_high, offset = 0;
    uint64_t size = naive_size(&x->map) * count;
    bool run = true;
    for (uint64_t k = 0; k < size; k++) {
        low = k == 0 || bytes[k] < low ? bytes[k] : low;
        high = k == 0 || bytes[k] + 1 > high ? bytes[k] + 1 : high;
        run = run && bytes[k] == bytes[0] + (int64_t)k;
    }
    types_layout_span(x->layout, count, &got_low, &got_high);
    if (low != got_low || high != got_high)
        fail_msg("case %llu: %llu items span %lld to %lld, expected %lld to %lld", (unsigned long long)n,
                 (unsigned long long)count, (long long)got_low, (long long)got_high, (long long)low,
                 (long long)high);
    if (types_layout_is_run(x->layout, count, &offset) != run || (run && size && offset != bytes[0]))
        fail_msg("case %llu: %llu items are %s run", (unsigned long long)n, (unsigned long long)count,
                 run ? "a" : "no");
    assert_true(types_layout_fits(x->layout, count));
    free(bytes);
}

static void test_numbers(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("numbers"), 0);
    for (uint64_t n = 0; n < CASES; n++) {
        struct naive x;
        naive_random(&r, (int)base_random_below(&r, 5), TYPES_ELEMENTS, &x);
        check_numbers(n, &x);
        check_span(n, &x, base_random_below(&r, 4));
        naive_free(&x);
    }
}

/* --- signatures ----------------------------------------------------------------------------------- */

/* The elements of count items, in memory of the caller's. */
static size_t sequence(const struct naive *x, uint64_t count, unsigned **out)
{
    size_t n = 0;
    *out = malloc((x->map.n * count + 1) * sizeof **out);
    for (uint64_t item = 0; item < count; item++)
        n += naive_sequence(&x->map, *out + n);
    return n;
}

/* Elements that begin in the first `bytes` bytes. */
static size_t naive_elements_in(const unsigned *e, size_t n, uint64_t bytes, bool *whole)
{
    size_t k = 0;
    for (*whole = true; k < n && bytes; k++) {
        uint32_t size = types_element_info(e[k])->size;
        *whole = bytes >= size;
        bytes -= bytes < size ? bytes : size;
    }
    return k;
}

static bool alike(unsigned a, unsigned b)
{
    struct types_signature x = types_signature(types_layout_of(a), 1),
                           y = types_signature(types_layout_of(b), 1);
    return types_signature_equal(&x, &y, false);
}

/* The first element that is not represented alike, by looking at each. */
static void check_first_unlike(const struct naive x[2], unsigned *const e[2], const size_t length[2],
                               const uint64_t count[2], uint64_t n)
{
    size_t at = 0, both = length[0] < length[1] ? length[0] : length[1];
    struct types_unlike got = {0};
    while (at < both && alike(e[0][at], e[1][at]))
        at++;
    bool found = types_first_unlike(x[0].layout, count[0], x[1].layout, count[1], &got);
    if (found != (at < both) || (found && (got.at != at || got.a != e[0][at] || got.b != e[1][at])))
        fail_msg("case %llu: elements %zu of %zu are the first unlike ones, got %llu (%d)",
                 (unsigned long long)n, at, both, (unsigned long long)got.at, found);
}

/* Two layouts of few elements, of which one is often what the other is: signatures agree if and only if the
 * sequences do. */
static void check_signatures(struct base_random *r, uint64_t n)
{
    struct naive x[2];
    unsigned *e[2];
    size_t length[2];
    uint64_t count[2];
    static const enum types_element few[] = {TYPES_INT, TYPES_DOUBLE_INT, TYPES_ELEMENTS, TYPES_INT_INT};
    for (int k = 0; k < 2; k++) {
        naive_random(r, 1 + (int)base_random_below(r, 3), few[base_random_below(r, 4)], &x[k]);
        count[k] = base_random_below(r, 4);
        length[k] = sequence(&x[k], count[k], &e[k]);
    }
    struct types_signature whole = types_signature(x[0].layout, count[0]);
    struct types_signature first = types_signature_prefix(x[1].layout, count[1], length[0]);
    bool begins = length[0] <= length[1] && memcmp(e[0], e[1], length[0] * sizeof *e[0]) == 0;
    if (whole.elements != length[0] || types_signature_equal(&whole, &first, true) != begins)
        fail_msg("case %llu: %zu elements (got %llu) %s the beginning of %zu", (unsigned long long)n,
                 length[0], (unsigned long long)whole.elements, begins ? "are" : "are not", length[1]);
    check_first_unlike(x, e, length, count, n);
    bool got_complete, complete;
    uint64_t bytes = base_random_below(r, naive_size(&x[0].map) * count[0] + 1);
    size_t in = naive_elements_in(e[0], length[0], bytes, &complete);
    uint64_t got = types_elements_in(x[0].layout, count[0], bytes, &got_complete);
    if (got != in || got_complete != complete)
        fail_msg("case %llu: %llu bytes hold %llu elements, expected %zu", (unsigned long long)n,
                 (unsigned long long)bytes, (unsigned long long)got, in);
    for (int k = 0; k < 2; k++) {
        naive_free(&x[k]);
        free(e[k]);
    }
}

static void test_signatures(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("signatures"), 1);
    for (uint64_t n = 0; n < CASES; n++)
        check_signatures(&r, n);
}

/* The same sequence, put together in two ways, and one that differs in one place. */
static void test_signature_forms(void **state)
{
    (void)state;
    struct base_status st;
    const struct types_layout *i = types_layout_of(TYPES_INT), *d = types_layout_of(TYPES_DOUBLE);
    const struct types_layout *both[] = {i, d, i, d}, *other[] = {i, d, i, i};
    struct types_layout *two = types_layout_struct(2, (int64_t[]){1, 3}, (int64_t[]){0, 8}, both, &st);
    struct types_layout *four =
        types_layout_struct(4, (int64_t[]){1, 3, 1, 3}, (int64_t[]){0, 8, 99, 200}, both, &st);
    struct types_layout *wrong =
        types_layout_struct(4, (int64_t[]){1, 3, 1, 3}, (int64_t[]){0, 8, 99, 200}, other, &st);
    struct types_layout *many = types_layout_contiguous(INT64_C(1) << 40, two, &st);
    struct types_signature a = types_signature(two, 2), b = types_signature(four, 1),
                           c = types_signature(wrong, 1);
    assert_true(types_signature_equal(&a, &b, true));
    assert_false(types_signature_equal(&a, &c, true));
    assert_int_equal(a.elements, 8);
    a = types_signature(two, UINT64_C(1) << 41);
    b = types_signature(many, 2);
    assert_true(types_signature_equal(&a, &b, true));
    b = types_signature_prefix(many, 3, a.elements);
    assert_true(types_signature_equal(&a, &b, true));
    /* By name and by representation. */
    a = types_signature(types_layout_of(TYPES_INT32), 5);
    b = types_signature(i, 5);
    assert_true(types_signature_equal(&a, &b, false));
    assert_false(types_signature_equal(&a, &b, true));
    b = types_signature(types_layout_of(TYPES_UINT), 5);
    assert_false(types_signature_equal(&a, &b, false));
    b = types_signature(types_layout_of(TYPES_FLOAT), 5);
    assert_false(types_signature_equal(&a, &b, false));
    types_layout_release(two);
    types_layout_release(four);
    types_layout_release(wrong);
    types_layout_release(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_signatures),
        cmocka_unit_test(test_signature_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
