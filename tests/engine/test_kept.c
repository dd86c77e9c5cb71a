/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for frames that are kept aside: records of random sizes keep their bytes until they are resized or
 * given back, and never overlap; memory that ranks leave behind when all of them need larger records serves
 * these. PGASIM_TEST_SEED repeats a run.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "engine/internal.h"

#include <stdlib.h>

enum { RECORDS = 3000, ROUNDS = 60000, MOST = 10000 };

static struct {
    unsigned char *at;
    size_t bytes;
    unsigned char fill;
} record[RECORDS];

static struct base_random seeded(void)
{
    struct base_random random;
    const char *text = getenv("PGASIM_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20090;
    print_message("PGASIM_TEST_SEED=%llu\n", (unsigned long long)seed);
    base_random_seed(&random, seed, 0);
    return random;
}

static void check(unsigned i)
{
    for (size_t b = 0; b < record[i].bytes; b++)
        if (record[i].at[b] != record[i].fill)
            fail_msg("byte %zu of record %u: %u, expected %u", b, i, record[i].at[b], record[i].fill);
}

static void records_keep_their_bytes(void **state)
{
    (void)state;
    struct base_random random = seeded();
    struct engine_kept k;
    engine_kept_init(&k, RECORDS);
    for (unsigned n = 0; n < ROUNDS; n++) {
        unsigned i = (unsigned)base_random_below(&random, RECORDS);
        check(i);
        if (base_random_below(&random, 4) == 0) {
            engine_kept_give_back(&k, record[i].at);
            record[i].at = NULL;
            record[i].bytes = 0;
            continue;
        }
        record[i].bytes = 1 + base_random_below(&random, base_random_below(&random, 9) ? 1200 : MOST);
        record[i].at = engine_kept_resize(&k, record[i].at, record[i].bytes);
        record[i].fill = (unsigned char)base_random_u64(&random);
        assert_int_equal((uintptr_t)record[i].at % 16, 0);
        memset(record[i].at, record[i].fill, record[i].bytes);
    }
    for (unsigned i = 0; i < RECORDS; i++) {
        check(i);
        engine_kept_give_back(&k, record[i].at);
    }
    engine_kept_release(&k);
}

/* Ranks in turn wait deeper than before, and once more: at most a block or two more than the last need. */
static void what_is_left_behind_is_used_again(void **state)
{
    (void)state;
    static const size_t sizes[] = {640, 832, 1100};
    struct engine_kept k;
    engine_kept_init(&k, RECORDS);
    for (unsigned i = 0; i < RECORDS; i++)
        record[i].at = NULL;
    for (unsigned s = 0; s < BASE_LENGTH(sizes); s++)
        for (unsigned i = 0; i < RECORDS; i++)
            record[i].at = engine_kept_resize(&k, record[i].at, sizes[s]);
    size_t per_block = (64 << 10) / 1152, least = (RECORDS + per_block - 1) / per_block;
    assert_in_range(k.fresh, least, least + 3);
    void *same = engine_kept_resize(&k, record[0].at, 400); /* a little less: the record stays */
    assert_ptr_equal(same, record[0].at);
    record[1].at = engine_kept_resize(&k, record[1].at, 100); /* much less: it does not */
    void *next = engine_kept_resize(&k, NULL, 100);
    assert_ptr_equal(next, record[1].at + 128);
    engine_kept_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_keep_their_bytes),
        cmocka_unit_test(what_is_left_behind_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
