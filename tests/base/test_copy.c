/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins that base_copy_past copies exactly what memcpy does, for any alignment of both ends, and touches
 * nothing else; that base_populate supplies the pages of an untouched range, no others, and changes no
 * content. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

enum { ROOM = 4096, CASES = 20000 };

static void copies_as_memcpy(void **state)
{
    unsigned char from[ROOM], to[ROOM], want[ROOM];
    struct base_random rnd;
    (void)state;
    base_random_seed(&rnd, 7, 0);
    for (int i = 0; i < CASES; i++) {
        for (int k = 0; k < ROOM; k++) {
            from[k] = (unsigned char)(k * 7 + i);
            to[k] = want[k] = (unsigned char)~k;
        }
        size_t bytes = base_random_below(&rnd, i % 2 ? 200 : ROOM);
        size_t source = base_random_below(&rnd, ROOM - bytes + 1),
               dest = base_random_below(&rnd, ROOM - bytes + 1);
        memcpy(want + dest, from + source, bytes);
        base_copy_past(to + dest, from + source, bytes);
        assert_memory_equal(to, want, ROOM);
    }
}

/* --- populating ---------------------------------------------------------------------------------- */

enum { PAGES = 64 };

static void assert_present(const char *at, size_t first, size_t end)
{
    unsigned char present[PAGES];
    assert_int_equal(mincore((void *)(uintptr_t)at, PAGES * base_page_size(), present), 0);
    for (size_t k = 0; k < PAGES; k++)
        if ((present[k] & 1) != (k >= first && k < end))
            fail_msg("page %zu is %s; expected pages %zu to %zu", k, present[k] & 1 ? "present" : "absent",
                     first, end);
}

static bool kernel_populates(void *p)
{
    return !madvise(p, base_page_size(), MADV_POPULATE_WRITE);
}

static void populates_the_range(void **state)
{
    (void)state;
    size_t page = base_page_size();
    char *spare = base_reserve(page, "one page"), *at = base_reserve(PAGES * page, "test pages");
    if (!kernel_populates(spare))
        skip();
    base_populate(at + 10 * page + 100, 20 * page); /* from within page 10 into page 30 */
    assert_present(at, 10, 31);
    base_unreserve(at, PAGES * page);
    base_unreserve(spare, page);
}

static void keeps_what_is_there(void **state)
{
    (void)state;
    size_t page = base_page_size();
    char *at = base_reserve(PAGES * page, "test pages");
    at[8 * page] = 1;
    at[16 * page - 1] = 2;
    base_populate(at + 8 * page, 8 * page);
    assert_int_equal(at[8 * page], 1);
    assert_int_equal(at[16 * page - 1], 2);
    base_unreserve(at, PAGES * page);
}

/* A block that has its pages costs no second walk over them. */
static void leaves_touched_blocks(void **state)
{
    (void)state;
    size_t page = base_page_size();
    char *at = base_reserve(PAGES * page, "test pages");
    at[12 * page] = 1;
    base_populate(at + 8 * page, 8 * page);
    assert_present(at, 12, 13);
    base_unreserve(at, PAGES * page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_as_memcpy),
        cmocka_unit_test(populates_the_range),
        cmocka_unit_test(keeps_what_is_there),
        cmocka_unit_test(leaves_touched_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
