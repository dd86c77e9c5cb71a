/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric addresses: what is translated to what, what is refused, and the words of the refusal. */
#include "rma/stage.h"

static uintptr_t from_span(uint32_t rank, size_t offset, size_t bytes, uint32_t target)
{
    return rma_symmetric_try(rank_at(stage.job, rank), (void *)ranks_statics_at(rank, offset), bytes, target);
}
static uintptr_t from_heap(uint32_t rank, size_t offset, size_t bytes, uint32_t target)
{
    return rma_symmetric_try(rank_at(stage.job, rank), (void *)ranks_heap_at(rank, offset), bytes, target);
}

/* --- what is found ------------------------------------------------------------------------------ */

/* Rank 0 asks for all: the job's part of rma is there only while it runs. */
static void globals(struct rank *r)
{
    (void)r;
    for (uint32_t to = 0; to < STAGE_RANKS; to++) {
        assert_true(from_span(0, 0, 64, to) == ranks_statics_at(to, 0));
        assert_true(from_span(2, 256 + 4000, 96, to) == ranks_statics_at(to, 4256));
        assert_true(from_span(3, STAGE_BYTES - 1, 1, to) == ranks_statics_at(to, STAGE_BYTES - 1));
    }
}

static void globals_are_found_at_every_rank(void **state)
{
    (void)state;
    stage_run_rank0(globals);
}

static void heap_blocks(struct rank *r)
{
    (void)r;
    for (uint32_t to = 0; to < STAGE_RANKS; to++) {
        assert_true(from_heap(0, 0, 4096, to) == ranks_heap_at(to, 0));
        assert_true(from_heap(1, 8200, 8, to) == ranks_heap_at(to, 8200));
        assert_true(from_heap(3, STAGE_BYTES - 8, 8, to) == ranks_heap_at(to, STAGE_BYTES - 8));
    }
}

static void heap_blocks_are_found_at_every_rank(void **state)
{
    (void)state;
    stage_run_rank0(heap_blocks);
}

static void outside(struct rank *r)
{
    static char own;
    assert_true(from_span(0, 0, 65, 1) == 0);
    assert_true(from_span(0, 63, 2, 1) == 0);
    assert_true(from_span(0, 100, 1, 1) == 0); /* between 'grid' and 'table' */
    assert_true(from_span(0, STAGE_BYTES - 1, 2, 1) == 0);
    assert_true(from_span(0, 0, SIZE_MAX, 1) == 0);
    assert_true(from_heap(0, 4096, 1, 1) == 0);
    assert_true(from_heap(0, 8192, 17, 1) == 0);
    assert_true(from_heap(0, STAGE_BYTES, 1, 1) == 0);
    assert_true(rma_symmetric_try(r, &own, 1, 1) == 0);
    assert_true(rma_symmetric_try(r, NULL, 1, 1) == 0);
    assert_true(from_span(0, 0, 1, STAGE_RANKS) == 0); /* no such rank */
}

static void what_leaves_its_object_is_refused(void **state)
{
    (void)state;
    stage_run_rank0(outside);
}

static void no_symbols(struct rank *r)
{
    (void)r;
    assert_true(from_span(0, 0, 65, 1) == ranks_statics_at(1, 0));
    assert_true(from_span(0, 100, STAGE_BYTES - 100, 1) == ranks_statics_at(1, 100));
    assert_true(from_span(0, 100, STAGE_BYTES - 99, 1) == 0);
}

static void without_symbols_the_span_is_the_bound(void **state)
{
    (void)state;
    stage.objects = NULL;
    stage_run_rank0(no_symbols);
}

static void no_heap(struct rank *r)
{
    (void)r;
    rma_heap_base(rank_at(stage.job, 1), 0);
    assert_true(from_heap(0, 0, 8, 1) == 0);
    assert_true(from_heap(0, 0, 8, 2) == ranks_heap_at(2, 0));
}

static void a_rank_without_heap_has_no_heap_addresses(void **state)
{
    (void)state;
    stage_run_rank0(no_heap);
}

static uintptr_t given(uintptr_t address, size_t bytes)
{
    return rma_symmetric(rank_at(stage.job, 3), (void *)address, bytes, 2, "shmem_long_put");
}

/* As on a real machine; what the warning says is seen by tests/run. */
static void overruns(struct rank *r)
{
    static const char key[] = "misuse/array-bounds";
    (void)r;
    assert_true(given(ranks_statics_at(3, 0), 64) == ranks_statics_at(2, 0));
    assert_false(base_warn_again(key));
    assert_true(given(ranks_statics_at(3, 0), 80) == ranks_statics_at(2, 0));
    assert_true(base_warn_again(key));
    assert_true(given(ranks_statics_at(3, 60), 80) == ranks_statics_at(2, 60));
    assert_true(given(ranks_heap_at(3, 8192), 24) == ranks_heap_at(2, 8192));
}
static void overruns_reach_what_lies_behind(void **state)
{
    (void)state;
    stage_run_rank0(overruns);
}

/* --- reports: each ends its job ----------------------------------------------------------------- */

static struct {
    uintptr_t address;
    size_t bytes;
    int64_t target;
    bool no_heap; /* rank 1 has none */
} wrong;

static void go_wrong(struct rank *r)
{
    if (wrong.no_heap)
        rma_heap_base(rank_at(stage.job, 1), 0);
    rma_symmetric(r, (void *)wrong.address, wrong.bytes, wrong.target, "shmem_long_put");
    fail_msg("not refused");
}

/* Rank 3's error, and a fresh stage for the next one. */
static void expect(uintptr_t address, size_t bytes, int64_t target, const char *a, const char *b)
{
    static const char who[] = "rank 3 (host a) at 0 s: shmem_long_put: ";
    wrong.address = address;
    wrong.bytes = bytes;
    wrong.target = target;
    stage.body[3] = go_wrong;
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, BASE_EXIT_PROGRAM);
    if (!strstr(stage.report, who) || !strstr(stage.report, a) || !strstr(stage.report, b))
        fail_msg("report: %s\nexpected in it: %s\nand: %s\nand: %s", stage.report, who, a, b);
    bool exchanged = stage.exchanged;
    ranks_end(&stage);
    stage_prepare(exchanged);
    stage_begin();
}

static void reports_name_what_is_wrong(void **state)
{
    (void)state;
    static char own;
    wrong.no_heap = false;
    expect(ranks_statics_at(3, 0), 8, -1, "rank -1 does not exist", "from 0 to 3");
    expect(ranks_statics_at(3, 0), 8, 4, "rank 4 does not exist", "there are 4");
    expect(ranks_statics_at(3, 70), 8, 2, "not a symmetric address: in no static object",
           "nearest symmetric object is 'grid'");
    expect(ranks_heap_at(3, 5000), 8, 1, "8 bytes of rank 1", "not a symmetric address: 'block 0'");
    expect((uintptr_t)&own, 8, 1, "not a symmetric address", "nearest symmetric object is '");
    expect(0, 8, 1, "8 bytes of rank 1: not a symmetric address: a null pointer",
           "nearest symmetric object is '");
    stage.objects = NULL;
    expect(ranks_statics_at(3, STAGE_BYTES - 8), 9, 1, "of rank 1 run 1 bytes past the end of",
           "static data");
    wrong.no_heap = true;
    expect(ranks_heap_at(3, 0), 8, 1, "8 bytes at 'block 0'", "rank 1 has no symmetric heap yet");
}

static void no_bytes(struct rank *r)
{
    static char own;
    assert_true(rma_symmetric(r, &own, 0, 1, "put") == (uintptr_t)&own);
}
static void no_bytes_are_never_wrong(void **state)
{
    (void)state;
    stage_run_rank0(no_bytes);
    assert_string_equal(stage.report, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(globals_are_found_at_every_rank),
        STAGE_TEST_EXCHANGED(globals_are_found_at_every_rank),
        STAGE_TEST(heap_blocks_are_found_at_every_rank),
        STAGE_TEST_EXCHANGED(heap_blocks_are_found_at_every_rank),
        STAGE_TEST(what_leaves_its_object_is_refused),
        STAGE_TEST(without_symbols_the_span_is_the_bound),
        STAGE_TEST(a_rank_without_heap_has_no_heap_addresses),
        STAGE_TEST(overruns_reach_what_lies_behind),
        STAGE_TEST(reports_name_what_is_wrong),
        STAGE_TEST_EXCHANGED(reports_name_what_is_wrong),
        STAGE_TEST(no_bytes_are_never_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
