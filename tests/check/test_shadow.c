/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of memory: no two bytes of two spaces have one, whatever their number. Prints its seed;
 * PGASIM_TEST_SEED=n runs another. */
#include "check/shadow/shadow.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

enum { ROUNDS = 100000 };

static uint64_t seed(void)
{
    const char *given = getenv("PGASIM_TEST_SEED");
    uint64_t n = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    print_message("seed %" PRIu64 "\n", n);
    return n;
}

static void keys_tell_space_and_place(void **state)
{
    struct base_random random;
    (void)state;
    base_random_seed(&random, seed(), 0);
    for (unsigned k = 0; k < ROUNDS; k++) {
        uint32_t space = (uint32_t)base_random_below(&random, k % 2 ? SHADOW_SPACES : 3);
        unsigned most = space ? SHADOW_PLACE_BITS : 47;
        uint64_t place = base_random_below(&random, UINT64_C(1) << (1 + base_random_below(&random, most)));
        uint64_t key = shadow_key(space, place);
        assert_int_equal(shadow_space_of(key), space);
        assert_int_equal(shadow_place_of(key), place);
    }
}

/* Ranks that are 2^16 apart, and a window's own cells, in the last space. */
static void pages_of_spaces_are_apart(void **state)
{
    static const uint32_t spaces[] = {0, 1, 2, 1 + 65536, 2 + 65536, SHADOW_SPACES - 1};
    static struct shadow s;
    (void)state;
    shadow_init(&s);
    for (uint32_t k = 0; k < BASE_LENGTH(spaces); k++)
        shadow_look_up(&s, shadow_key(spaces[k], SHADOW_PAGE), true)->all = k + 1;
    for (uint32_t k = 0; k < BASE_LENGTH(spaces); k++)
        assert_int_equal(shadow_find(&s, shadow_key(spaces[k], SHADOW_PAGE + 8), false)->all, k + 1);
    shadow_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_tell_space_and_place),
                                       cmocka_unit_test(pages_of_spaces_are_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
