/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric heap's bookkeeping, on random calls, against a naive model that marks each byte's owner. And
 * the log by which all PEs take over the first PE's result of a call, read by PEs in any order that the
 * barriers allow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shmem/heap.h"

enum { UNITS = 512, SIZE = UNITS * SHMEM_HEAP_GRAIN, BLOCKS = 64 };

/* --- the model: which block owns each grain ------------------------------------------------------- */

struct model {
    uint8_t owner[UNITS]; /* block number + 1; 0: free */
    struct {
        size_t offset, size;
        bool used;
    } block[BLOCKS];
};

static size_t units(size_t size)
{
    return (size + SHMEM_HEAP_GRAIN - 1) / SHMEM_HEAP_GRAIN;
}

static bool free_range(const struct model *m, size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++)
        if (i >= UNITS || m->owner[i])
            return false;
    return true;
}

static size_t model_alloc(struct model *m, size_t size, size_t alignment)
{
    size_t step = alignment > SHMEM_HEAP_GRAIN ? alignment / SHMEM_HEAP_GRAIN : 1;
    for (size_t first = 0; first < UNITS; first += step)
        if (free_range(m, first, units(size)))
            return first * SHMEM_HEAP_GRAIN;
    return SHMEM_HEAP_NONE;
}

static void model_paint(struct model *m, unsigned number, size_t offset, size_t size)
{
    m->block[number].used = true;
    m->block[number].offset = offset;
    m->block[number].size = size;
    memset(&m->owner[offset / SHMEM_HEAP_GRAIN], (int)number + 1, units(size));
}

static void model_free(struct model *m, unsigned number)
{
    m->block[number].used = false;
    memset(&m->owner[m->block[number].offset / SHMEM_HEAP_GRAIN], 0, units(m->block[number].size));
}

static bool model_resizes(struct model *m, unsigned number, size_t size)
{
    size_t first = m->block[number].offset / SHMEM_HEAP_GRAIN, have = units(m->block[number].size);
    return units(size) <= have || free_range(m, first + have, units(size) - have);
}

/* The block that contains the offset, or the nearest before it. */
static int model_find(const struct model *m, size_t offset)
{
    int best = -1;
    for (int i = 0; i < BLOCKS; i++)
        if (m->block[i].used && m->block[i].offset <= offset &&
            (best < 0 || m->block[i].offset > m->block[best].offset))
            best = i;
    return best;
}

/* --- random calls --------------------------------------------------------------------------------- */

static void compare_find(struct shmem_heap *h, const struct model *m, size_t offset)
{
    const struct shmem_heap_block *b = shmem_heap_find(h, offset);
    int want = model_find(m, offset);
    if (!b != (want < 0) || (b && (b->offset != m->block[want].offset || b->size != m->block[want].size)))
        fail_msg("find(%zu): offset %zu, expected block %d", offset, b ? b->offset : 0, want);
}

static size_t random_size(struct base_random *r)
{
    return 1 + base_random_below(r, base_random_below(r, 8) ? 500 : SIZE / 3);
}

static void random_call(struct shmem_heap *h, struct model *m, struct base_random *r)
{
    unsigned n = (unsigned)base_random_below(r, BLOCKS);
    size_t size = random_size(r), alignment = (size_t)8 << base_random_below(r, 9), got;
    if (!m->block[n].used) {
        got = shmem_heap_alloc(h, size, alignment);
        size_t want = model_alloc(m, size, alignment);
        if (got != want)
            fail_msg("alloc(%zu, %zu) gave %zu, expected %zu", size, alignment, got, want);
        if (want != SHMEM_HEAP_NONE)
            model_paint(m, n, want, size);
    } else if (base_random_below(r, 3)) {
        assert_true(shmem_heap_free(h, m->block[n].offset));
        assert_false(shmem_heap_free(h, m->block[n].offset));
        model_free(m, n);
    } else {
        bool want = model_resizes(m, n, size);
        if (shmem_heap_resize(h, m->block[n].offset, size) != want)
            fail_msg("resize of %zu to %zu: expected %d", m->block[n].size, size, want);
        size_t offset = m->block[n].offset;
        if (want) {
            model_free(m, n);
            model_paint(m, n, offset, size);
        }
    }
}

static void against_the_model(uint64_t seed)
{
    struct shmem_heap h;
    struct model m = {0};
    struct base_random r;
    base_random_seed(&r, seed, 0);
    shmem_heap_init(&h, SIZE);
    for (int i = 0; i < 3000; i++) {
        random_call(&h, &m, &r);
        shmem_heap_check(&h);
        compare_find(&h, &m, base_random_below(&r, SIZE));
        compare_find(&h, &m, base_random_below(&r, SIZE));
    }
    shmem_heap_release(&h);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        print_message("seed %llu\n", (unsigned long long)seed);
        against_the_model(seed);
    }
}

static void test_limits(void **state)
{
    struct shmem_heap h;
    (void)state;
    shmem_heap_init(&h, 1024);
    assert_int_equal(shmem_heap_alloc(&h, 1025, 8), SHMEM_HEAP_NONE);
    assert_int_equal(shmem_heap_alloc(&h, SIZE_MAX, 8), SHMEM_HEAP_NONE);
    assert_int_equal(shmem_heap_alloc(&h, SIZE_MAX - 70, 8), SHMEM_HEAP_NONE);
    assert_int_equal(shmem_heap_alloc(&h, 1024, 8), 0);
    assert_int_equal(shmem_heap_alloc(&h, 1, 8), SHMEM_HEAP_NONE);
    assert_false(shmem_heap_resize(&h, 0, SIZE_MAX));
    assert_false(shmem_heap_free(&h, 8));
    assert_false(shmem_heap_free(&h, 64));
    assert_true(shmem_heap_resize(&h, 0, 1));
    assert_int_equal(shmem_heap_alloc(&h, 1, 1), 64);
    assert_int_equal(h.high_water, 1024);
    shmem_heap_release(&h);
    shmem_heap_init(&h, 0);
    assert_int_equal(shmem_heap_alloc(&h, 1, 8), SHMEM_HEAP_NONE);
    assert_null(shmem_heap_find(&h, 0));
    shmem_heap_release(&h);
}

/* --- the log -------------------------------------------------------------------------------------- */

enum { PES = 5, CALLS = 60 };

/* All PEs make the same calls; each enters call c + 1 only after all have entered c (the barrier), and
 * between the two carries out what is still to do, in any order. Each step must be done by exactly one PE. */
static void log_in_random_order(uint64_t seed)
{
    struct shmem_heap_log log = {0};
    uint64_t made[PES] = {0};
    unsigned entered[CALLS] = {0}, steps[CALLS][3] = {{0}}, next_step[PES];
    struct base_random r;
    base_random_seed(&r, seed, 0);
    for (int p = 0; p < PES; p++)
        next_step[p] = 3;
    for (unsigned moves = 0; entered[CALLS - 1] < PES; moves++) {
        unsigned p = (unsigned)base_random_below(&r, PES);
        const struct shmem_heap_call call = {"shmem_realloc", SHMEM_HEAP_REALLOC, 8 * made[p], 8, 64, NULL};
        if (next_step[p] < 3 && entered[made[p] - 1] == PES) {
            steps[made[p] - 1][next_step[p]] += shmem_heap_step(&log, made[p], next_step[p]);
            next_step[p]++;
        } else if (next_step[p] == 3 && made[p] < CALLS && (!made[p] || entered[made[p] - 1] == PES)) {
            uint64_t number = made[p];
            assert_int_equal(shmem_heap_enter(&log, &call, p, &made[p]), SHMEM_HEAP_SAME);
            assert_int_equal(made[p], number + 1);
            entered[number]++;
            next_step[p] = 1;
        }
        assert_true(moves < 1000000);
    }
    for (int c = 0; c + 1 < CALLS; c++)
        if (steps[c][1] != 1 || steps[c][2] != 1)
            fail_msg("seed %llu: call %d: steps carried out %u and %u times", (unsigned long long)seed, c,
                     steps[c][1], steps[c][2]);
}

static void test_log(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++)
        log_in_random_order(seed);
}

static void test_log_differs(void **state)
{
    const struct shmem_heap_call base = {"shmem_malloc", SHMEM_HEAP_ALLOC, 8, 64, 0, NULL};
    struct shmem_heap_log log = {0};
    uint64_t first = 0, second = 0, third = 0;
    (void)state;
    assert_int_equal(shmem_heap_enter(&log, &base, 3, &first), SHMEM_HEAP_SAME);
    struct shmem_heap_call other[] = {base, base, base, base};
    other[0].size = 9;
    other[1].op = SHMEM_HEAP_FREE;
    other[2].alignment = 128;
    other[3].offset = 64;
    for (size_t i = 0; i < BASE_LENGTH(other); i++) {
        assert_int_equal(shmem_heap_enter(&log, &other[i], 1, &second), SHMEM_HEAP_DIFFERS);
        assert_int_equal(second, 0);
        assert_int_equal(log.first, 3);
        assert_int_equal(log.call.size, 8);
    }
    assert_int_equal(shmem_heap_enter(&log, &base, 1, &second), SHMEM_HEAP_SAME);
    assert_int_equal(shmem_heap_enter(&log, &base, 3, &first), SHMEM_HEAP_SAME);
    assert_int_equal(shmem_heap_enter(&log, &base, 0, &third), SHMEM_HEAP_BEHIND);
}

/* What is remembered of freed blocks: the latest that touches the place, and as many as there is room for. */
static void test_graves(void **state)
{
    struct shmem_heap h;
    const struct shmem_heap_origin made = {"made", {1, 2}, 3}, freed = {"freed", {1, 7}, 4};
    (void)state;
    shmem_heap_init(&h, 1 << 20);
    assert_null(shmem_heap_exhume(&h, 0, 1));
    for (size_t k = 1; k <= SHMEM_HEAP_GRAVES + 10; k++) {
        size_t at = shmem_heap_alloc(&h, k, 8);
        assert_int_equal(at, 0);
        shmem_heap_note(&h, at, &made);
        assert_string_equal(shmem_heap_find(&h, at)->from.name, "made");
        shmem_heap_bury(&h, at, &freed);
        assert_true(shmem_heap_free(&h, at));
        const struct shmem_heap_grave *g = shmem_heap_exhume(&h, k - 1, 8);
        assert_non_null(g);
        assert_int_equal(g->block.size, k);
        assert_int_equal(g->block.from.code.offset, 2);
        assert_string_equal(g->freed.name, "freed");
        assert_null(shmem_heap_exhume(&h, k, 8));
    }
    shmem_heap_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),      cmocka_unit_test(test_limits), cmocka_unit_test(test_log),
        cmocka_unit_test(test_log_differs), cmocka_unit_test(test_graves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
