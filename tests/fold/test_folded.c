/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded memory by itself: which ranks get which block, how much memory and how many mappings that takes, and
 * what happens when there are no mappings left.
 */
#include "fold/annotate/annotate.h"
#include "rank/ranks.h"

enum { RANKS = 3000, PAGE = 4096 };

/* Test ranks, whose records have fold's part. */
struct stage {
    struct ranks ranks;
    struct fold_job job;
};

static int set_up(void **state)
{
    struct stage *s = calloc(1, sizeof *s);
    rank_slot_register(&fold_slot, sizeof(struct fold_part));
    ranks_prepare(&s->ranks, RANKS, 0);
    base_settings_declare(s->ranks.settings, fold_settings, fold_settings_count);
    ranks_setting(&s->ranks, "memory/fold-most", "1MiB");
    ranks_begin(&s->ranks, platform_default(RANKS), NULL);
    s->job.job = s->ranks.job;
    s->job.settings = s->ranks.settings;
    s->job.ranks = RANKS;
    rank_set_part(s->ranks.job, &fold_slot, &s->job);
    annotated_begin(&s->job);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *s = *state;
    annotated_end(&s->job);
    ranks_end(&s->ranks);
    free(s);
    return 0;
}

static struct rank *rank_of(const struct stage *s, uint32_t id)
{
    return rank_at(s->ranks.job, id);
}

static uint64_t mappings(void)
{
    uint64_t n = 0;
    char line[512];
    FILE *f = fopen("/proc/self/maps", "re");
    while (fgets(line, sizeof line, f))
        n++;
    fclose(f);
    return n;
}

static void assert_no_blocks(const struct stage *s)
{
    assert_int_equal(s->job.annotated->folded.live, 0);
}

static const struct folded_place here = {1, 100}, there = {1, 200};

/* One block for all ranks, another for another place, size or turn. */
static void test_whose(void **state)
{
    struct stage *s = *state;
    void *first = folded_get(rank_of(s, 0), here, 1000);
    for (int k = 1; k < RANKS; k++)
        assert_ptr_equal(folded_get(rank_of(s, k), here, 1000), first);
    void *other = folded_get(rank_of(s, 5), there, 1000), *size = folded_get(rank_of(s, 5), here, 1001),
         *turn = folded_get(rank_of(s, 5), here, 1000);
    assert_ptr_not_equal(other, first);
    assert_ptr_not_equal(size, first);
    assert_ptr_not_equal(turn, first);
    assert_ptr_equal(folded_get(rank_of(s, 6), here, 1000), turn);
    assert_true(folded_put(rank_of(s, 6), first));
    assert_false(folded_put(rank_of(s, 6), first));
    assert_ptr_equal(folded_get(rank_of(s, 6), here, 1000), first);
    assert_int_equal(folded_size(rank_of(s, 5), size), 1001);
    assert_int_equal(folded_size(rank_of(s, 5), (char *)size + 1), 0);
    assert_int_equal(s->job.annotated->folded_now, 4 * PAGE);
    assert_int_equal(s->job.annotated->asked, (RANKS + 3) * 1000 + 1001 + 1000);
}

/* The last one that frees it gives it back. */
static void test_given_back(void **state)
{
    struct stage *s = *state;
    char *p = folded_get(rank_of(s, 0), here, 100);
    folded_get(rank_of(s, 1), here, 100);
    p[0] = 7;
    assert_true(folded_put(rank_of(s, 0), p));
    assert_int_equal(p[0], 7);
    folded_clear(rank_of(s, 1), p);
    assert_int_equal(p[0], 0);
    annotated_release(rank_of(s, 1));
    assert_null(fold_part(rank_of(s, 1))->annotated);
    assert_int_equal(s->job.annotated->folded_now, 0);
    assert_no_blocks(s);
}

/* 1 GiB in 1 MiB would be 1024 mappings; windows grow instead. */
static void test_windows(void **state)
{
    struct stage *s = *state;
    size_t small = (size_t)10 << 20, large = (size_t)1 << 30;
    uint64_t before = mappings();
    char *a = folded_get(rank_of(s, 0), here, small + 5), *b = folded_get(rank_of(s, 0), here, large);
    assert_in_range(mappings() - before, 12, 600);
    a[3] = 4;
    assert_int_equal(a[3 + (9 << 20)], 4);
    a[small + 4] = 5;
    assert_int_equal(a[4], 5);
    b[0] = 6;
    assert_int_equal(b[large - ((size_t)4 << 20)], 6);
    assert_in_range(s->job.annotated->folded_now, 1 << 20, 8 << 20);
    folded_clear(rank_of(s, 0), a);
    assert_int_equal(a[small + 4], 0);
}

/* No memory is an answer. */
static void test_too_large(void **state)
{
    struct stage *s = *state;
    const size_t all[] = {0, (size_t)1 << 60};
    assert_null(folded_get(rank_of(s, 0), here, SIZE_MAX));
    assert_null(folded_get(rank_of(s, 0), here, (size_t)1 << 60));
    assert_null(folded_get_partial(rank_of(s, 0), here, (size_t)1 << 60, (struct folded_ranges){all, 1}));
    assert_no_blocks(s);
}

/* When mappings run out, blocks are private; what was folded stays so. */
static void test_mappings_run_out(void **state)
{
    struct stage *s = *state;
    const size_t range[] = {PAGE, 2 * PAGE};
    const struct folded_ranges f = {range, 1};
    char *p[4];
    p[0] = folded_get_partial(rank_of(s, 0), here, 3 * PAGE, f);
    s->job.annotated->mappings_most = s->job.annotated->mappings + 3;
    for (int k = 1; k < 4; k++)
        p[k] = folded_get_partial(rank_of(s, k), here, 3 * PAGE, f);
    memset(p[0], 1, 3 * PAGE);
    assert_int_equal(p[1][PAGE], 1);
    assert_int_equal(p[1][2 * PAGE - 1], 1);
    assert_int_equal(p[1][0] + p[1][PAGE - 1] + p[1][2 * PAGE], 0);
    assert_int_equal(p[2][PAGE] + p[3][PAGE], 0);
}

/* A rank may hold thousands of one kind; what it frees in the middle it gets again. */
static void test_many_turns(void **state)
{
    struct stage *s = *state;
    void *p[5000];
    for (int k = 0; k < 5000; k++)
        p[k] = folded_get(rank_of(s, 0), here, 100);
    for (int k = 0; k < 5000; k++)
        assert_ptr_equal(folded_get(rank_of(s, 1), here, 100), p[k]);
    folded_put(rank_of(s, 0), p[4321]);
    folded_put(rank_of(s, 0), p[123]);
    assert_ptr_equal(folded_get(rank_of(s, 0), here, 100), p[123]);
    void *last = folded_get(rank_of(s, 0), here, 100);
    for (int k = 0; k < 5000; k++)
        assert_true(k == 4321 || last != p[k]);
}

/* Under default limits a few thousand ranks may have such blocks, and whole blocks cost no mapping a rank. */
static void test_many_ranks(void **state)
{
    struct stage *s = *state;
    const size_t range[] = {PAGE, 2 * PAGE};
    uint64_t before = mappings();
    for (int k = 0; k < RANKS; k++)
        folded_get(rank_of(s, k), here, 100000);
    assert_in_range(mappings() - before, 0, 2);
    char *last = NULL,
         *first = folded_get_partial(rank_of(s, 0), there, 3 * PAGE, (struct folded_ranges){range, 1});
    for (int k = 1; k < RANKS; k++)
        last = folded_get_partial(rank_of(s, k), there, 3 * PAGE, (struct folded_ranges){range, 1});
    first[PAGE] = 9;
    assert_int_equal(last[PAGE], 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whose, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_given_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mappings_run_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_ranks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
