/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of pages as runs, compared with plain arrays: random notices of several writers, as a barrier and as a
 * lock collect them. */
#include "sdsm/jia/runs.h"

#include "sdsm/alone.h"

enum { PAGES = 60, WRITERS = 4 };

static uint64_t state;
static unsigned pick(unsigned below)
{
    return (unsigned)draw(&state, below);
}

/* What is known of each page, one by one. */
static struct plain {
    int32_t writer;
    uint32_t epoch;
} plain[PAGES];

static size_t draw_notices(uint32_t *pages, struct jia_notice *out)
{
    size_t n = pick(30);
    for (size_t k = 0; k < n; k++)
        pages[k] = pick(3) && k ? (pages[k - 1] + pick(3)) % PAGES : pick(PAGES);
    return jia_notices_of_pages(pages, n, out);
}

static void add_plainly(const struct jia_notice *at, size_t n, int32_t writer, uint32_t epoch, bool several)
{
    for (size_t k = 0; k < n; k++)
        for (uint32_t page = at[k].first; page < at[k].end; page++) {
            bool other = several && plain[page].writer != JIA_NOBODY && plain[page].writer != writer;
            plain[page] = (struct plain){other ? JIA_SEVERAL : writer, epoch};
        }
}

static void compare(uint64_t seed, const struct jia_runs *r, int32_t client, uint32_t seen)
{
    struct jia_notice out[PAGES];
    bool told[PAGES] = {false};
    size_t n = jia_runs_for(r, client, seen, out);
    if (n != jia_runs_for(r, client, seen, NULL))
        fail_msg("seed %llu: two numbers of notices", (unsigned long long)seed);
    if (!jia_notices_valid(out, n * sizeof *out, PAGES))
        fail_msg("seed %llu: notices that are not valid", (unsigned long long)seed);
    for (size_t k = 0; k < n; k++)
        for (uint32_t page = out[k].first; page < out[k].end; page++)
            told[page] = true;
    for (uint32_t page = 0; page < PAGES; page++) {
        bool want =
            plain[page].writer != JIA_NOBODY && plain[page].writer != client && plain[page].epoch > seen;
        if (told[page] != want)
            fail_msg("seed %llu: client %d, seen %u: page %u is %stold", (unsigned long long)seed, client,
                     seen, page, told[page] ? "" : "not ");
    }
}

static void collect(bool several)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct jia_runs r = {0};
        uint32_t pages[30], epochs = 1 + pick(8);
        struct jia_notice notices[30];
        state = seed;
        for (uint32_t page = 0; page < PAGES; page++)
            plain[page].writer = JIA_NOBODY;
        for (uint32_t epoch = 1; epoch <= epochs; epoch++) {
            int32_t writer = (int32_t)pick(WRITERS);
            size_t n = draw_notices(pages, notices);
            jia_runs_add(&r, notices, n, writer, epoch, several);
            add_plainly(notices, n, writer, epoch, several);
            compare(seed, &r, (int32_t)pick(WRITERS), pick(epoch + 1));
        }
        for (int32_t client = 0; client < WRITERS; client++)
            compare(seed, &r, client, 0);
        jia_runs_release(&r);
    }
}

static void as_a_barrier(void **unused)
{
    (void)unused;
    collect(true);
}

static void as_a_lock(void **unused)
{
    (void)unused;
    collect(false);
}

static void lists(void **unused)
{
    (void)unused;
    uint32_t pages[] = {7, 3, 4, 3, 9, 8, 8};
    struct jia_notice out[7];
    assert_int_equal(jia_notices_of_pages(pages, 7, out), 2);
    assert_int_equal(out[0].first, 3);
    assert_int_equal(out[0].end, 5);
    assert_int_equal(out[1].first, 7);
    assert_int_equal(out[1].end, 10);
    assert_int_equal(jia_notices_of_pages(pages, 0, out), 0);
}

static void validity(void **unused)
{
    (void)unused;
    const struct jia_notice good[] = {{0, 2}, {2, 3}, {5, 9}};
    const struct jia_notice wrong[][2] = {
        {{0, 2}, {1, 3}}, {{4, 5}, {2, 3}}, {{1, 1}, {2, 3}}, {{2, 1}, {5, 6}}, {{0, 1}, {8, 10}}};
    assert_true(jia_notices_valid(good, sizeof good, 9));
    assert_false(jia_notices_valid(good, sizeof good, 8));
    assert_false(jia_notices_valid(good, sizeof good - 1, 9));
    assert_true(jia_notices_valid(good, 0, 9));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(jia_notices_valid(wrong[k], sizeof wrong[k], 9));
}

/* Neighbours of one kind are one run: barriers of programs that divide their pages stay short. */
static void joined(void **unused)
{
    (void)unused;
    struct jia_runs r = {0};
    for (uint32_t k = 0; k < 100; k++)
        jia_runs_add(&r, &(struct jia_notice){k, k + 1}, 1, 3, 1, true);
    assert_int_equal(r.n, 1);
    jia_runs_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_barrier), cmocka_unit_test(as_a_lock),
                                       cmocka_unit_test(lists), cmocka_unit_test(validity),
                                       cmocka_unit_test(joined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
