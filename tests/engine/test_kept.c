/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for frames that are put aside: records keep their bytes and do not overlap, a block is filled to its
 * end, an empty one serves another size. */
#include "engine/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ACTORS = 2000, PER_BLOCK = 1023 /* of 64 bytes: all but the first 64 of 64 KiB */ };
static void *record[ACTORS];
static size_t bytes_of[ACTORS];

static void a_block_is_filled_to_its_end(void **state)
{
    struct engine_kept k;
    (void)state;
    engine_kept_init(&k, ACTORS);
    for (int i = 0; i < PER_BLOCK; i++)
        record[i] = engine_kept_resize(&k, NULL, 64);
    assert_int_equal(k.fresh, 1);
    record[PER_BLOCK] = engine_kept_resize(&k, NULL, 1);
    assert_int_equal(k.fresh, 2);
    for (int i = 0; i <= PER_BLOCK; i++)
        engine_kept_give_back(&k, record[i]);
    for (int i = 0; i < PER_BLOCK / 3; i++) /* of 192 bytes, in the blocks that are there */
        record[i] = engine_kept_resize(&k, NULL, 192);
    assert_int_equal(k.fresh, 2);
    engine_kept_release(&k);
}

static void fill(int i, size_t bytes)
{
    record[i] = memset(record[i], i % 251, bytes);
    bytes_of[i] = bytes;
}
static void check(int i)
{
    const unsigned char *p = record[i];
    for (size_t b = 0; b < bytes_of[i]; b++)
        if (p[b] != i % 251)
            fail_msg("byte %zu of record %d is %u", b, i, p[b]);
}
static void records_do_not_overlap(void **state)
{
    struct engine_kept k;
    struct base_random random;
    (void)state;
    base_random_seed(&random, 1, 0);
    engine_kept_init(&k, ACTORS);
    memset(record, 0, sizeof record);
    memset(bytes_of, 0, sizeof bytes_of);
    for (int step = 0; step < 30000; step++) {
        int i = (int)base_random_below(&random, ACTORS);
        check(i);
        if (base_random_below(&random, 4)) {
            size_t bytes = 1 + base_random_below(&random, base_random_below(&random, 8) ? 600 : 12000);
            record[i] = engine_kept_resize(&k, record[i], bytes);
            fill(i, bytes);
        } else {
            engine_kept_give_back(&k, record[i]); /* perhaps there is none */
            record[i] = NULL;
            bytes_of[i] = 0;
        }
    }
    for (int i = 0; i < ACTORS; i++) {
        check(i);
        engine_kept_give_back(&k, record[i]);
    }
    engine_kept_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_filled_to_its_end),
        cmocka_unit_test(records_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
