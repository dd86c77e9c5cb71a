/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symmetric addresses: translations, refusals and their messages, and the numbers of words. Ranks 0 and 3 are
 * on host a, 1 on b, 2 on c. The heap begins with a block of 4096 bytes and one of 16.
 */
#include "rank/ranks.h"
#include "shmem/internal.h"

#include <inttypes.h>

enum { RANKS = 4, BYTES = 1 << 18, HEAP = 1 << 20 };
static struct ranks stage;
static unsigned char *first, *second; /* rank 0's blocks */

/* Objects of the statics: 'grid' of 64 bytes at 0, 'table' of 4096 bytes at 256, 'rest' from 8192 to the
 * end. */
static const struct rank_object objects[] = {
    {"grid", 0, 0, 64}, {"table", 0, 256, 4096}, {"rest", 0, 8192, BYTES - 8192}};
static const char platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
    "<link id='l' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='l'/></route><route src='b' dst='c'><link_ctn id='l'/></route>\n"
    "<route src='a' dst='c'><link_ctn id='l'/></route>\n</zone></platform>\n";

static void prepare(bool exchanged)
{
    rma_register();
    coll_register();
    shmem_register();
    ranks_prepare(&stage, RANKS, BYTES);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, shmem_settings, shmem_settings_count);
    ranks_setting(&stage, "shmem/symmetric-size", "1MiB");
    stage.exchanged = exchanged;
    stage.objects = objects;
    stage.n_objects = BASE_LENGTH(objects);
    ranks_begin(&stage, ranks_platform(&stage, platform), NULL);
}

static int setup(void **state)
{
    (void)state;
    prepare(false);
    return 0;
}
static int setup_exchanged(void **state)
{
    (void)state;
    prepare(true);
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    ranks_end(&stage);
    return 0;
}

/* --- all PEs start and end; in between, one or all of them do the test ---------------------------------- */

static ranks_body_fn act;
static uint32_t actor_of;

static const struct shmem_pe *pe(uint32_t k)
{
    struct shmem_job *job = shmem_job_of(rank_at(stage.job, k));
    return &job->pes[k];
}

static void whole_life(struct rank *r)
{
    shmem_init();
    unsigned char *a = shmem_malloc(4096), *b = shmem_malloc(16);
    if (r->id == 0) {
        first = a;
        second = b;
    }
    shmem_barrier_all();
    if (r->id == actor_of)
        act(r);
    shmem_finalize();
}

static void run(ranks_body_fn fn, uint32_t who)
{
    act = fn;
    actor_of = who;
    stage.all = whole_life;
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the job did not end as it should: %s", stage.report);
}

static uintptr_t from_span(uint32_t rank, size_t offset, size_t bytes, uint32_t target)
{
    return shmem_symmetric_try(pe(rank), (void *)ranks_statics_at(rank, offset), bytes, target);
}
/* A rank's heap address for one of rank 0's. */
static uintptr_t heap_of(uint32_t rank, const unsigned char *address)
{
    return pe(rank)->heap + ((uintptr_t)address - pe(0)->heap);
}
static uintptr_t from_heap(uint32_t rank, const unsigned char *address, size_t bytes, uint32_t target)
{
    return shmem_symmetric_try(pe(rank), (void *)heap_of(rank, address), bytes, target);
}

/* --- what is found ------------------------------------------------------------------------------ */

static void globals(struct rank *r)
{
    (void)r;
    for (uint32_t to = 0; to < RANKS; to++) {
        assert_true(from_span(0, 0, 64, to) == ranks_statics_at(to, 0));
        assert_true(from_span(2, 256 + 4000, 96, to) == ranks_statics_at(to, 4256));
        assert_true(from_span(3, BYTES - 1, 1, to) == ranks_statics_at(to, BYTES - 1));
    }
}
static void globals_are_found_at_every_rank(void **state)
{
    (void)state;
    run(globals, 0);
}

static void heap_blocks(struct rank *r)
{
    (void)r;
    for (uint32_t to = 0; to < RANKS; to++) {
        assert_true(from_heap(0, first, 4096, to) == heap_of(to, first));
        assert_true(from_heap(1, second + 8, 8, to) == heap_of(to, second) + 8);
    }
    assert_true(pe(1)->heap != pe(0)->heap);
}
static void heap_blocks_are_found_at_every_rank(void **state)
{
    (void)state;
    run(heap_blocks, 1);
}

static void outside(struct rank *r)
{
    static char own;
    assert_true(from_span(0, 0, 65, 1) == 0);
    assert_true(from_span(0, 63, 2, 1) == 0);
    assert_true(from_span(0, 100, 1, 1) == 0); /* between 'grid' and 'table' */
    assert_true(from_span(0, BYTES - 1, 2, 1) == 0);
    assert_true(from_span(0, 0, SIZE_MAX, 1) == 0);
    assert_true(from_heap(0, second + 16, 1, 1) == 0);
    assert_true(from_heap(0, second, 17, 1) == 0);
    assert_true(from_heap(0, (void *)(pe(0)->heap + HEAP), 1, 1) == 0);
    assert_true(shmem_symmetric_try(pe(r->id), &own, 1, 1) == 0);
    assert_true(shmem_symmetric_try(pe(r->id), NULL, 1, 1) == 0);
    assert_true(from_span(0, 0, 1, RANKS) == 0); /* no such rank */
}
static void what_leaves_its_object_is_refused(void **state)
{
    (void)state;
    run(outside, 0);
}

static void no_symbols(struct rank *r)
{
    (void)r;
    assert_true(from_span(0, 0, 65, 1) == ranks_statics_at(1, 0));
    assert_true(from_span(0, 100, BYTES - 100, 1) == ranks_statics_at(1, 100));
    assert_true(from_span(0, 100, BYTES - 99, 1) == 0);
}
static void without_symbols_the_span_is_the_bound(void **state)
{
    (void)state;
    stage.objects = NULL;
    run(no_symbols, 0);
}

static uintptr_t given(uintptr_t address, size_t bytes)
{
    return shmem_symmetric(pe(3), (void *)address, bytes, 2, "shmem_long_put").address;
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
    assert_true(given(heap_of(3, second), 24) == heap_of(2, second));
}
static void overruns_reach_what_lies_behind(void **state)
{
    (void)state;
    run(overruns, 3);
}

/* Memory of the heap and of static data that is in no object is there all the same. */
static void in_no_object(struct rank *r)
{
    const char *far = (const char *)pe(3)->heap + 5000;
    (void)r;
    assert_int_equal(shmem_symmetric_try(pe(3), (void *)ranks_statics_at(3, 70), 8, 2), 0);
    assert_false(base_warn_again("misuse/no-object"));
    assert_true(given(ranks_statics_at(3, 70), 8) == ranks_statics_at(2, 70));
    assert_true(base_warn_again("misuse/no-object"));
    assert_true(given((uintptr_t)far, 8) == pe(2)->heap + 5000);
    assert_true(shmem_symmetric_known(pe(3), far, 2) == pe(2)->heap + 5000);
    assert_int_equal(shmem_symmetric_known(pe(3), NULL, 2), 0);
}
static void what_is_in_no_object_is_reached(void **state)
{
    (void)state;
    run(in_no_object, 3);
}

/* Words of one symmetric address have numbers that the offset and the rank alone decide. */
static void words(struct rank *r)
{
    (void)r;
    for (uint32_t to = 0; to < RANKS; to++) {
        const unsigned char *at = (void *)heap_of(3, second + 8);
        uint32_t offset = (uint32_t)((uintptr_t)at - pe(3)->heap);
        assert_int_equal(shmem_symmetric(pe(3), at, 8, to, "add").word, offset / 8 + to * 29);
        assert_int_equal(shmem_symmetric(pe(3), (void *)ranks_statics_at(3, 264), 8, to, "add").word,
                         33 + to * 29);
        assert_int_equal(shmem_symmetric(pe(3), at, 8, to, "add").rank->id, to);
    }
}
static void words_have_the_numbers_of_their_offsets(void **state)
{
    (void)state;
    run(words, 3);
}

/* --- reports: each ends its job ----------------------------------------------------------------- */

static struct {
    const unsigned char *address;
    uint32_t of_heap; /* offset in rank 3's heap + 1; 0: the address is not in the heap */
    size_t bytes;
    int64_t target;
} wrong;

static void go_wrong(struct rank *r)
{
    const void *address = wrong.of_heap ? (void *)(pe(3)->heap + wrong.of_heap - 1) : wrong.address;
    (void)r;
    shmem_symmetric(pe(3), address, wrong.bytes, wrong.target, "shmem_long_put");
    fail_msg("not refused");
}

/* Rank 3's error, and a fresh stage for the next one. */
static void expect(const char *a, const char *b)
{
    act = go_wrong;
    actor_of = 3;
    stage.all = whole_life;
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, BASE_EXIT_PROGRAM);
    if (!strstr(stage.report, "rank 3 (host a) at ") || !strstr(stage.report, ": shmem_long_put: ") ||
        !strstr(stage.report, a) || !strstr(stage.report, b))
        fail_msg("report: %s\nexpected in it: %s\nand: %s", stage.report, a, b);
    bool exchanged = stage.exchanged;
    ranks_end(&stage);
    prepare(exchanged);
}
static void expect_address(uintptr_t address, size_t bytes, int64_t target, const char *a, const char *b)
{
    wrong.address = (void *)address;
    wrong.of_heap = 0;
    wrong.bytes = bytes;
    wrong.target = target;
    expect(a, b);
}
static void expect_heap(uint32_t offset, size_t bytes, int64_t target, const char *a, const char *b)
{
    wrong.of_heap = offset + 1;
    wrong.bytes = bytes;
    wrong.target = target;
    expect(a, b);
}

static void reports_name_what_is_wrong(void **state)
{
    (void)state;
    static char own;
    expect_address(ranks_statics_at(3, 0), 8, -1, "PE -1 does not exist", "PEs are 0 to 3");
    expect_address(ranks_statics_at(3, 0), 8, 4, "PE 4 does not exist", "PEs are 0 to 3");
    expect_heap(5000, 1u << 30, 1, "bytes of PE 1", "not a symmetric address: unallocated");
    expect_address((uintptr_t)&own, 8, 1, "not a symmetric address", "nearest symmetric object is ");
    expect_address(0, 8, 1, "8 bytes of PE 1: not a symmetric address: a null pointer",
                   "nearest symmetric object is ");
    stage.objects = NULL;
    expect_address(ranks_statics_at(3, BYTES - 8), 9, 1, "of PE 1 run 1 bytes past the end of",
                   "static data");
}

static void no_bytes(struct rank *r)
{
    static char own;
    assert_true(shmem_symmetric(pe(r->id), &own, 0, 1, "put").address == (uintptr_t)&own);
}
static void no_bytes_are_never_wrong(void **state)
{
    (void)state;
    run(no_bytes, 0);
    assert_string_equal(stage.report, "");
}

#define TEST(f)                                                                                              \
    {                                                                                                        \
#f, f, setup, teardown, NULL                                                                         \
    }
#define TEST_EXCHANGED(f)                                                                                    \
    {                                                                                                        \
#f ", exchanged", f, setup_exchanged, teardown, NULL                                                 \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(globals_are_found_at_every_rank),
        TEST_EXCHANGED(globals_are_found_at_every_rank),
        TEST(heap_blocks_are_found_at_every_rank),
        TEST_EXCHANGED(heap_blocks_are_found_at_every_rank),
        TEST(what_leaves_its_object_is_refused),
        TEST(without_symbols_the_span_is_the_bound),
        TEST(overruns_reach_what_lies_behind),
        TEST(what_is_in_no_object_is_reached),
        TEST(words_have_the_numbers_of_their_offsets),
        TEST_EXCHANGED(words_have_the_numbers_of_their_offsets),
        TEST(reports_name_what_is_wrong),
        TEST_EXCHANGED(reports_name_what_is_wrong),
        TEST(no_bytes_are_never_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
