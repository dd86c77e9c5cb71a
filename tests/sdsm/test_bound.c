/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins how data travel with a lock (bound.c): each chunk is found again, and what is between two is zeros. */
#include "sdsm/alone.h"

enum { CHUNKS = 4 };

static const uint64_t sizes[CHUNKS] = {1, 8, 13, 16};
static const char text[] = "0123456789abcdef";

static char *make_list(uint64_t *bytes)
{
    char *list = NULL;
    *bytes = 0;
    for (uint64_t k = 0; k < CHUNKS; k++)
        list = sat_bound_add(list, bytes, &(struct sat_bound){UINT64_MAX - k, 1 + k, sizes[k]}, text + k % 2);
    return list;
}

static void chunks_are_found_again(void **state)
{
    (void)state;
    uint64_t bytes;
    char *list = make_list(&bytes);
    const char *at = list, *data = NULL;
    assert_int_equal(bytes, CHUNKS * sizeof(struct sat_bound) + 8 + 8 + 16 + 16);
    for (uint64_t k = 0; k < CHUNKS; k++) {
        const struct sat_bound *b = sat_bound_next(&at, list + bytes, &data);
        assert_non_null(b);
        assert_true(b->id == UINT64_MAX - k && b->version == 1 + k && b->size == sizes[k]);
        assert_memory_equal(data, text + k % 2, sizes[k]);
        for (const char *pad = data + sizes[k]; pad < at; pad++)
            assert_int_equal(*pad, 0);
    }
    assert_null(sat_bound_next(&at, list + bytes, &data));
    free(list);
}

static void lists_may_be_empty(void **state)
{
    (void)state;
    const char *at = NULL, *data = NULL;
    assert_null(sat_bound_next(&at, NULL, &data));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_found_again),
        cmocka_unit_test(lists_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
