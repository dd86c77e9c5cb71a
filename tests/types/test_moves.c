/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins that data moves byte by byte as the type map says, and that no other byte changes: cursors, pack and
 * unpack between any two positions, copies from one layout to another, reductions along a layout.
 */
#include "types/naive.h"

enum { CASES = 1500 };

/* Items of a random layout in memory of their own. */
struct items {
    struct naive x;
    uint64_t count, size;
    int64_t *bytes; /* the offset of each byte of data */
    unsigned char *memory;
    size_t room;
    unsigned char *data; /* item 0 */
};

/* out->x and out->count are set. */
static void fill(struct base_random *r, struct items *out)
{
    int64_t low, high;
    out->size = out->count * naive_size(&out->x.map);
    out->bytes = naive_bytes(&out->x.map, out->count);
    types_layout_span(out->x.layout, out->count, &low, &high);
    out->room = (size_t)(high - low);
    out->memory = malloc(out->room + 1);
    out->data = out->memory - low;
    for (size_t k = 0; k < out->room; k++)
        out->memory[k] = (unsigned char)base_random_u64(r);
}

static void make(struct base_random *r, int depth, enum types_element e, struct items *out)
{
    naive_random(r, depth, e, &out->x);
    out->count = base_random_below(r, 4);
    fill(r, out);
}

static void drop(struct items *i)
{
    naive_free(&i->x);
    free(i->bytes);
    free(i->memory);
}

static unsigned char *noise(struct base_random *r, uint64_t n)
{
    unsigned char *out = calloc(n + 1, 1);
    for (uint64_t k = 0; k < n; k++)
        out[k] = (unsigned char)base_random_u64(r);
    return out;
}

static unsigned char *copy_of(const void *from, size_t n)
{
    return memcpy(malloc(n + 1), from, n);
}

static void check_same(uint64_t n, const char *what, const unsigned char *got, const unsigned char *want,
                       size_t size)
{
    for (size_t k = 0; k < size; k++)
        if (got[k] != want[k])
            fail_msg("case %llu: %s: byte %zu of %zu is %u, expected %u", (unsigned long long)n, what, k,
                     size, got[k], want[k]);
}

/* --- cursors -------------------------------------------------------------------------------------- */

static void check_cursor(uint64_t n, const struct items *i, uint64_t from, uint64_t to)
{
    struct types_cursor c;
    struct types_strip s;
    uint64_t at = from;
    types_cursor_init(&c, i->x.layout, i->count, from, to);
    while (types_cursor_next(&c, &s)) {
        assert_true(s.bytes && s.n && s.bytes * s.n <= to - at);
        for (uint64_t k = 0; k < s.n; k++)
            for (uint64_t byte = 0; byte < s.bytes; byte++, at++)
                if (i->bytes[at] != s.offset + (int64_t)k * s.stride + (int64_t)byte)
                    fail_msg("case %llu: position %llu (from %llu) is at %lld, expected %lld",
                             (unsigned long long)n, (unsigned long long)at, (unsigned long long)from,
                             (long long)(s.offset + (int64_t)k * s.stride + (int64_t)byte),
                             (long long)i->bytes[at]);
    }
    types_cursor_release(&c);
    assert_int_equal(at, to);
}

/* --- pack and unpack ------------------------------------------------------------------------------ */

static void check_pack(uint64_t n, const struct items *i, uint64_t from, uint64_t to)
{
    unsigned char *got = calloc(to - from + 2, 1), *want = calloc(to - from + 2, 1);
    for (uint64_t k = from; k < to; k++)
        want[k - from] = i->data[i->bytes[k]];
    got[to - from] = want[to - from] = 42;
    types_pack(i->x.layout, i->count, i->data, from, to, got);
    check_same(n, "packed", got, want, to - from + 1);
    free(got);
    free(want);
}

static void check_unpack(struct base_random *r, uint64_t n, struct items *i, uint64_t from, uint64_t to)
{
    unsigned char *packed = noise(r, to - from), *want = copy_of(i->memory, i->room);
    for (uint64_t k = from; k < to; k++)
        want[i->data + i->bytes[k] - i->memory] = packed[k - from];
    types_unpack(i->x.layout, i->count, i->data, from, to, packed);
    check_same(n, "unpacked", i->memory, want, i->room);
    free(packed);
    free(want);
}

static void test_positions(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("positions"), 2);
    for (uint64_t n = 0; n < CASES; n++) {
        struct items i;
        make(&r, (int)base_random_below(&r, 5), TYPES_ELEMENTS, &i);
        check_cursor(n, &i, 0, i.size);
        check_unpack(&r, n, &i, 0, i.size);
        check_pack(n, &i, 0, i.size);
        for (int k = 0; k < 20; k++) {
            uint64_t from = base_random_below(&r, i.size + 1),
                     to = from + base_random_below(&r, i.size - from + 1);
            check_cursor(n, &i, from, to);
            check_pack(n, &i, from, to);
            check_unpack(&r, n, &i, from, to);
        }
        drop(&i);
    }
}

/* All pairs of positions of a few small ones. */
static void test_every_position(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("every position"), 3);
    for (uint64_t n = 0; n < 150; n++) {
        struct items i;
        make(&r, 3, TYPES_ELEMENTS, &i);
        for (uint64_t from = 0; i.size <= 100 && from <= i.size; from++) {
            for (uint64_t to = from; to <= i.size; to++) {
                check_cursor(n, &i, from, to);
                check_pack(n, &i, from, to);
            }
        }
        drop(&i);
    }
}

/* Replaces a layout by two of it, `stride` apart. */
static void nest(struct naive *x, int64_t stride)
{
    struct base_status st;
    struct naive more = {NULL, {.made_of = TYPES_ELEMENTS}};
    more.layout = types_layout_hvector(2, 1, stride, x->layout, &st);
    naive_blocks(&more.map, x, 1, 0);
    naive_blocks(&more.map, x, 1, stride);
    naive_free(x);
    *x = more;
}

/* More loops within each other than a cursor has frames of its own; they lie over each other, for the map's
 * sake. */
/* No bytes need no memory. Of interest to the sanitizers. */
static void test_nothing(void **state)
{
    struct base_status st;
    unsigned char byte = 5;
    struct types_layout *vector = types_layout_vector(2, 1, 3, types_layout_of(TYPES_BYTE), &st);
    const struct types_layout *of[] = {types_layout_of(TYPES_BYTE), vector};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(of); k++) {
        types_pack(of[k], 0, NULL, 0, 0, &byte);
        types_pack(of[k], 1, &byte, 0, 0, NULL);
        types_unpack(of[k], 0, NULL, 0, 0, &byte);
        types_unpack(of[k], 1, &byte, 0, 0, NULL);
    }
    assert_int_equal(byte, 5);
    types_layout_release(vector);
}

static void test_deep(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("deep"), 4);
    struct items i = {.count = 2};
    naive_element(TYPES_CHAR, &i.x);
    for (int k = 0; k < TYPES_CURSOR_FRAMES - 4; k++)
        nest(&i.x, 3 + k);
    assert_int_equal(types_layout_depth(i.x.layout), TYPES_CURSOR_FRAMES - 4);
    for (int more = 0; more < 6; more++, nest(&i.x, 31)) {
        i.size = i.count * naive_size(&i.x.map);
        i.bytes = naive_bytes(&i.x.map, i.count);
        for (int k = 0; k < 30; k++) {
            uint64_t from = base_random_below(&r, i.size + 1),
                     to = from + base_random_below(&r, i.size - from + 1);
            check_cursor((uint64_t)k, &i, from, to);
        }
        free(i.bytes);
    }
    assert_true(types_layout_depth(i.x.layout) > TYPES_CURSOR_FRAMES);
    naive_free(&i.x);
}

/* --- layout to layout ----------------------------------------------------------------------------- */

static void check_copy(struct base_random *r, uint64_t n)
{
    struct items a, b;
    make(r, (int)base_random_below(r, 4), TYPES_ELEMENTS, &a);
    make(r, (int)base_random_below(r, 4), TYPES_ELEMENTS, &b);
    for (int k = 0; k < 8; k++) {
        uint64_t to = base_random_below(r, a.size + 1), from = base_random_below(r, b.size + 1);
        uint64_t most = a.size - to < b.size - from ? a.size - to : b.size - from;
        uint64_t bytes = k ? base_random_below(r, most + 1) : most;
        unsigned char *want = copy_of(a.memory, a.room);
        for (uint64_t m = 0; m < bytes; m++)
            want[a.data + a.bytes[to + m] - a.memory] = b.data[b.bytes[from + m]];
        types_copy(&(struct types_view){a.x.layout, a.count, to}, a.data,
                   &(struct types_view){b.x.layout, b.count, from}, b.data, bytes);
        check_same(n, "copied", a.memory, want, a.room);
        free(want);
    }
    drop(&a);
    drop(&b);
}

static void test_copies(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("copies"), 5);
    for (uint64_t n = 0; n < CASES; n++)
        check_copy(&r, n);
}

/* --- reductions ----------------------------------------------------------------------------------- */

/* Whether some byte is in two places. */
static bool overlaps(const struct items *i)
{
    unsigned char *seen = calloc(i->room + 1, 1);
    bool found = false;
    for (uint64_t k = 0; k < i->size; k++)
        found |= seen[i->data + i->bytes[k] - i->memory]++;
    free(seen);
    return found;
}

/* Bytes of `size` at the positions from `at` on, as an array element has them. */
static void gather(const struct items *i, uint64_t at, uint32_t size, const int64_t *within,
                   unsigned char *out)
{
    for (uint32_t k = 0; k < size; k++)
        out[within[k]] = i->data[i->bytes[at + k]];
}

/* Takes the items. */
static void check_reduce(struct base_random *r, uint64_t n, enum types_op op, enum types_element e,
                         struct items i)
{
    const struct types_element_info *info = types_element_info(e);
    struct naive one;
    naive_element(e, &one);
    int64_t *within = naive_bytes(&one.map, 1);
    uint64_t first = base_random_below(r, i.size / info->size + 1) * info->size;
    uint64_t to = first + base_random_below(r, (i.size - first) / info->size + 1) * info->size;
    bool packed_first = base_random_below(r, 2);
    unsigned char *packed = noise(r, to - first), *want = copy_of(i.memory, i.room);
    for (uint64_t at = first; at < to; at += info->size) {
        _Alignas(16) unsigned char here[32] = {0}, there[32] = {0};
        gather(&i, at, info->size, within, here);
        for (uint32_t k = 0; k < info->size; k++)
            there[within[k]] = packed[at - first + k];
        types_operator(op, e)(here, packed_first ? there : here, packed_first ? here : there, 1);
        for (uint32_t k = 0; k < info->size; k++)
            want[i.data + i.bytes[at + k] - i.memory] = here[within[k]];
    }
    if (!overlaps(&i)) {
        types_reduce(op, i.x.layout, i.count, i.data, first, to, packed, packed_first);
        check_same(n, "reduced", i.memory, want, i.room);
    }
    free(within);
    free(packed);
    free(want);
    naive_free(&one);
    drop(&i);
}

static void test_reductions(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("reductions"), 6);
    for (uint64_t n = 0; n < CASES; n++) {
        enum types_element e = (enum types_element)base_random_below(&r, TYPES_ELEMENTS);
        enum types_op op = (enum types_op)base_random_below(&r, TYPES_OPS);
        if (types_operator(op, e) && e != TYPES_LONGDOUBLE && e != TYPES_LONGDOUBLE_INT &&
            e != TYPES_COMPLEX_LONGDOUBLE) {
            struct items i;
            make(&r, (int)base_random_below(&r, 4), e, &i);
            check_reduce(&r, n, op, e, i);
        }
    }
}

/* More than is gathered at once. */
static void test_long_reductions(void **state)
{
    (void)state;
    struct base_random r;
    struct base_status st;
    static const enum types_element some[] = {TYPES_INT, TYPES_DOUBLE_INT, TYPES_SHORT_INT, TYPES_INT8};
    base_random_seed(&r, naive_seed("long reductions"), 12);
    for (uint64_t n = 0; n < 60; n++) {
        enum types_element e = some[n % BASE_LENGTH(some)];
        struct naive one;
        struct items i = {.x = {NULL, {.made_of = TYPES_ELEMENTS}}, .count = 1};
        int64_t length = naive_between(&r, 100, 1500), stride = 3 * (int64_t)types_element_info(e)->extent;
        naive_element(e, &one);
        i.x.layout = types_layout_hvector(length, 1, stride, one.layout, &st);
        for (int64_t k = 0; k < length; k++)
            naive_blocks(&i.x.map, &one, 1, k * stride);
        naive_free(&one);
        fill(&r, &i);
        check_reduce(&r, n, types_element_info(e)->class == TYPES_CLASS_PAIR ? TYPES_MAXLOC : TYPES_SUM, e,
                     i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_every_position),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_long_reductions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
