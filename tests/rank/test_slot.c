/* SPDX-License-Identifier: BSD-3-Clause */
/* slot: what several modules keep in each rank's record and for each job lies apart, and is zero at first. */
#include "rank/stage.h"

enum { RANKS = 5, MODULES = 4 };
static const size_t bytes[MODULES] = {1, 0, 100, 8};
static struct rank_slot slot[MODULES];

static int register_all(void **state)
{
    (void)state;
    for (int k = 0; k < MODULES; k++)
        rank_slot_register(&slot[k], bytes[k]);
    return 0;
}

static void slots_follow_each_other(void **state)
{
    size_t at = offsetof(struct rank, slots);
    struct rank_slot before[MODULES];
    (void)state;
    for (int k = 0; k < MODULES; k++) {
        assert_int_equal(slot[k].offset, at);
        assert_int_equal(slot[k].part, 1 + k);
        at += (bytes[k] + 7) / 8 * 8;
    }
    memcpy(before, slot, sizeof slot);
    register_all(state); /* by another start in this process */
    assert_memory_equal(before, slot, sizeof slot);
    stage_open(RANKS);
    size_t stride = rank_public(stage.job)->stride;
    assert_int_equal(stride % 64, 0);
    assert_in_range(stride, at, at + 63);
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal((uintptr_t)rank_at(stage.job, r) % 64, 0);
        assert_int_equal(rank_at(stage.job, r)->id, r);
    }
    stage_close();
}

/* Each module fills its bytes at each rank with a pattern; nobody's are in anybody's way. */
static void each_has_its_own_bytes(void **state)
{
    (void)state;
    stage_open(RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        for (int k = 0; k < MODULES; k++) {
            unsigned char *p = rank_slot(rank_at(stage.job, r), &slot[k]);
            for (size_t b = 0; b < bytes[k]; b++)
                assert_int_equal(p[b], 0);
            memset(p, (int)(1 + r * MODULES) + k, bytes[k]);
        }
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(rank_at(stage.job, r)->id, r);
        assert_ptr_equal(rank_at(stage.job, r)->job, stage.job);
        for (int k = 0; k < MODULES; k++) {
            const unsigned char *p = rank_slot(rank_at(stage.job, r), &slot[k]);
            for (size_t b = 0; b < bytes[k]; b++)
                assert_int_equal(p[b], 1 + r * MODULES + (uint32_t)k);
        }
    }
    stage_close();
}

static void a_slot_may_keep_a_pointer(void **state)
{
    (void)state;
    stage_open(2);
    assert_null(rank_kept(rank_at(stage.job, 1), &slot[3]));
    rank_keep(rank_at(stage.job, 1), &slot[3], &stage);
    assert_ptr_equal(rank_kept(rank_at(stage.job, 1), &slot[3]), &stage);
    assert_null(rank_kept(rank_at(stage.job, 0), &slot[3]));
    stage_close();
}

static void parts_are_each_jobs_own(void **state)
{
    static const uint32_t hosts[] = {0, 1};
    struct rank_job *other;
    struct base_status st;
    (void)state;
    stage_open(2);
    assert_int_equal(rank_job_create(&other, &(struct rank_config){.ranks = 2, .rank_host = hosts},
                                     stage.fabric, &stage.trace, stage.settings, &st),
                     0);
    for (int k = 0; k < MODULES; k++) {
        assert_null(rank_part(stage.job, &slot[k]));
        rank_set_part(stage.job, &slot[k], &slot[k]);
        rank_set_part(other, &slot[k], &stage);
    }
    for (int k = 0; k < MODULES; k++) {
        assert_ptr_equal(rank_part(stage.job, &slot[k]), &slot[k]);
        assert_ptr_equal(rank_part(other, &slot[k]), &stage);
    }
    rank_job_destroy(other);
    stage_close();
}

/* Of a module that takes no part in any job of this process. */
static void an_unregistered_slot_has_no_part(void **state)
{
    static struct rank_slot unknown;
    (void)state;
    stage_open(2);
    for (int k = 0; k < MODULES; k++)
        rank_set_part(stage.job, &slot[k], &stage);
    assert_null(rank_part(stage.job, &unknown));
    for (int k = 0; k < MODULES; k++)
        rank_set_part(stage.job, &slot[k], NULL);
    stage_close();
}

static void register_late(void)
{
    static struct rank_slot late;
    rank_slot_register(&late, 8);
}
static void use_unregistered(void)
{
    static struct rank_slot unknown;
    stage_open(2);
    rank_set_part(stage.job, &unknown, &stage);
}
static void wrong_uses_are_our_bugs(void **state)
{
    (void)state;
    stage_open(2);
    stage_close();
    stage_expect_exit(register_late, BASE_EXIT_BUG, "N4");
    stage_expect_exit(use_unregistered, BASE_EXIT_BUG, "N6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_follow_each_other),          cmocka_unit_test(each_has_its_own_bytes),
        cmocka_unit_test(a_slot_may_keep_a_pointer),        cmocka_unit_test(parts_are_each_jobs_own),
        cmocka_unit_test(an_unregistered_slot_has_no_part), cmocka_unit_test(wrong_uses_are_our_bugs),
    };
    return cmocka_run_group_tests(tests, register_all, NULL);
}
