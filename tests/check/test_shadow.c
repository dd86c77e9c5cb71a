/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of memory: no two bytes of two spaces have one, whatever their number. What is followed while areas come and go,
 * against a list of them. Prints its seed;
 * PGASIM_TEST_SEED=n runs another. */
#include "check/shadow/shadow.h"
#include "seed.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROUNDS = 100000 };

static void keys_tell_space_and_place(void **state)
{
    struct base_random random;
    (void)state;
    base_random_seed(&random, seed_of_test(1), 0);
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

/* --- areas ------------------------------------------------------------------------------------------------------ */

enum { PLACES = 48, STEPS = 20000 };

/* Small ones, many in a page, and large ones that reach over strips. */
static struct shadow_area area_at(uint32_t place)
{
    uint64_t low = place < PLACES / 2
                       ? 100 + 600 * (uint64_t)place
                       : (UINT64_C(1) << 40) + place * (UINT64_C(3) << 29) + 64 * (uint64_t)place;
    uint64_t size = place < PLACES / 2 ? 500 : (UINT64_C(5) << 28) + 1000;
    return (struct shadow_area){low, low + size, "area", place};
}

static const struct shadow_area *naive_area_of(const bool *there, struct shadow_area *out, uint64_t from,
                                               uint64_t to)
{
    for (uint32_t k = 0; k < PLACES; k++) {
        *out = area_at(k);
        if (there[k] && out->low < to && from < out->high)
            return out;
    }
    return NULL;
}

/* Pages are followed while they lie in an area, and areas are found, whatever came and went before. */
static void areas_come_and_go(void **state)
{
    static struct shadow s;
    static bool there[PLACES];
    struct base_random random;
    (void)state;
    base_random_seed(&random, seed_of_test(1), 0);
    shadow_init(&s);
    for (unsigned k = 0; k < STEPS; k++) {
        uint32_t place = (uint32_t)base_random_below(&random, PLACES);
        struct shadow_area a = area_at(place), found;
        uint64_t key = a.low - 50 + base_random_below(&random, a.high - a.low + 100),
                 page = key & ~UINT64_C(4095);
        if (base_random_below(&random, 3))
            there[place] ? shadow_area_remove(&s, a.low) : shadow_area_add(&s, &a);
        else
            a.kind = NULL;
        there[place] ^= a.kind != NULL;
        const struct shadow_area *is = shadow_area_of(&s, key),
                                 *should = naive_area_of(there, &found, key, key + 1);
        assert_int_equal(is != NULL, should != NULL);
        assert_true(!is || !should || (is->low == should->low && is->high == should->high));
        should = naive_area_of(there, &found, page, page + SHADOW_PAGE);
        assert_int_equal(shadow_find(&s, key, false) != NULL, should != NULL);
    }
    for (uint32_t k = 0; k < PLACES; k++)
        if (there[k])
            shadow_area_remove(&s, area_at(k).low);
    assert_int_equal(s.pages.live, 0);
    shadow_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_tell_space_and_place),
                                       cmocka_unit_test(pages_of_spaces_are_apart),
                                       cmocka_unit_test(areas_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
