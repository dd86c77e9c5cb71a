/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric addresses: what is translated to what, what is refused, and the words of the refusal. */
#include "rma/fake_fold.h"

static int setup(void **state)
{
    (void)state;
    fake_begin(false);
    return 0;
}
static int setup_exchanged(void **state)
{
    (void)state;
    fake_begin(true);
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    fake_end();
    return 0;
}

static uintptr_t from_span(uint32_t rank, size_t offset, size_t bytes, uint32_t target)
{
    return rma_symmetric_try(&fake.rank[rank], (void *)span_at(rank, offset), bytes, target);
}
static uintptr_t from_heap(uint32_t rank, size_t offset, size_t bytes, uint32_t target)
{
    return rma_symmetric_try(&fake.rank[rank], (void *)heap_at(rank, offset), bytes, target);
}

static void globals_are_found_at_every_rank(void **state)
{
    (void)state;
    for (uint32_t to = 0; to < FAKE_RANKS; to++) {
        assert_true(from_span(0, 0, 64, to) == span_at(to, 0));
        assert_true(from_span(2, 256 + 4000, 96, to) == span_at(to, 4256));
        assert_true(from_span(3, FAKE_SIZE - 1, 1, to) == span_at(to, FAKE_SIZE - 1));
    }
}

static void heap_blocks_are_found_at_every_rank(void **state)
{
    (void)state;
    for (uint32_t to = 0; to < FAKE_RANKS; to++) {
        assert_true(from_heap(0, 0, 4096, to) == heap_at(to, 0));
        assert_true(from_heap(1, 8200, 8, to) == heap_at(to, 8200));
        assert_true(from_heap(3, FAKE_SIZE - 8, 8, to) == heap_at(to, FAKE_SIZE - 8));
    }
}

static void what_leaves_its_object_is_refused(void **state)
{
    (void)state;
    static char own;
    assert_true(from_span(0, 0, 65, 1) == 0);
    assert_true(from_span(0, 63, 2, 1) == 0);
    assert_true(from_span(0, 100, 1, 1) == 0); /* between 'grid' and 'table' */
    assert_true(from_span(0, FAKE_SIZE - 1, 2, 1) == 0);
    assert_true(from_span(0, 0, SIZE_MAX, 1) == 0);
    assert_true(from_heap(0, 4096, 1, 1) == 0);
    assert_true(from_heap(0, 8192, 17, 1) == 0);
    assert_true(from_heap(0, FAKE_SIZE, 1, 1) == 0);
    assert_true(rma_symmetric_try(&fake.rank[0], &own, 1, 1) == 0);
    assert_true(rma_symmetric_try(&fake.rank[0], NULL, 1, 1) == 0);
    assert_true(from_span(0, 0, 1, FAKE_RANKS) == 0); /* no such rank */
}

static void without_symbols_the_span_is_the_bound(void **state)
{
    (void)state;
    fake.no_symbols = true;
    assert_true(from_span(0, 0, 65, 1) == span_at(1, 0));
    assert_true(from_span(0, 100, FAKE_SIZE - 100, 1) == span_at(1, 100));
    assert_true(from_span(0, 100, FAKE_SIZE - 99, 1) == 0);
}

static void a_rank_without_heap_has_no_heap_addresses(void **state)
{
    (void)state;
    rma_heap_base(&fake.rank[1], 0);
    assert_true(from_heap(0, 0, 8, 1) == 0);
    assert_true(from_heap(0, 0, 8, 2) == heap_at(2, 0));
}

/* --- reports ------------------------------------------------------------------------------------ */

static uintptr_t wrong_address;
static size_t wrong_bytes;
static int64_t wrong_target;

static void go_wrong(struct fold_rank *r)
{
    rma_symmetric(r, (void *)wrong_address, wrong_bytes, wrong_target, "shmem_long_put");
    fail_msg("not refused");
}

static void expect(uintptr_t address, size_t bytes, int64_t target, const char *a, const char *b)
{
    wrong_address = address;
    wrong_bytes = bytes;
    wrong_target = target;
    memset(fake.body, 0, sizeof fake.body);
    fake.body[3] = go_wrong;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
    if (!strstr(fake.error, "rank 3: shmem_long_put: ") || !strstr(fake.error, a) || !strstr(fake.error, b))
        fail_msg("report: %s\nexpected in it: %s\nand: %s", fake.error, a, b);
}

static uintptr_t given(uintptr_t address, size_t bytes)
{
    return rma_symmetric(&fake.rank[3], (void *)address, bytes, 2, "shmem_long_put");
}

/* As on a real machine; what the warning says is seen by tests/run. */
static void overruns_reach_what_lies_behind(void **state)
{
    static const char key[] = "misuse/array-bounds";
    (void)state;
    assert_true(given(span_at(3, 0), 64) == span_at(2, 0));
    assert_false(base_warn_again(key));
    assert_true(given(span_at(3, 0), 80) == span_at(2, 0));
    assert_true(base_warn_again(key));
    assert_true(given(span_at(3, 60), 80) == span_at(2, 60));
    assert_true(given(heap_at(3, 8192), 24) == heap_at(2, 8192));
}

static void reports_name_what_is_wrong(void **state)
{
    (void)state;
    static char own;
    expect(span_at(3, 0), 8, -1, "rank -1 does not exist", "from 0 to 3");
    expect(span_at(3, 0), 8, 4, "rank 4 does not exist", "there are 4");
    expect(span_at(3, 70), 8, 2, "not a symmetric address: in no static object",
           "nearest symmetric object is 'grid'");
    expect(heap_at(3, 5000), 8, 1, "8 bytes of rank 1", "not a symmetric address: 'block 0'");
    expect((uintptr_t)&own, 8, 1, "not a symmetric address", "nearest symmetric object is '");
    expect(0, 8, 1, "8 bytes of rank 1: not a symmetric address: a null pointer",
           "nearest symmetric object is '");
    fake.no_symbols = true;
    expect(span_at(3, FAKE_SIZE - 8), 9, 1, "of rank 1 run 1 bytes past the end of", "static data");
    rma_heap_base(&fake.rank[1], 0);
    expect(heap_at(3, 0), 8, 1, "8 bytes at 'block 0'", "rank 1 has no symmetric heap yet");
}

static void no_bytes(struct fold_rank *r)
{
    static char own;
    assert_true(rma_symmetric(r, &own, 0, 1, "put") == (uintptr_t)&own);
}
static void no_bytes_are_never_wrong(void **state)
{
    (void)state;
    fake.body[0] = no_bytes;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
    assert_string_equal(fake.error, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(globals_are_found_at_every_rank, setup, teardown),
        cmocka_unit_test_setup_teardown(globals_are_found_at_every_rank, setup_exchanged, teardown),
        cmocka_unit_test_setup_teardown(heap_blocks_are_found_at_every_rank, setup, teardown),
        cmocka_unit_test_setup_teardown(heap_blocks_are_found_at_every_rank, setup_exchanged, teardown),
        cmocka_unit_test_setup_teardown(what_leaves_its_object_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(without_symbols_the_span_is_the_bound, setup, teardown),
        cmocka_unit_test_setup_teardown(a_rank_without_heap_has_no_heap_addresses, setup, teardown),
        cmocka_unit_test_setup_teardown(overruns_reach_what_lies_behind, setup, teardown),
        cmocka_unit_test_setup_teardown(reports_name_what_is_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(reports_name_what_is_wrong, setup_exchanged, teardown),
        cmocka_unit_test_setup_teardown(no_bytes_are_never_wrong, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
